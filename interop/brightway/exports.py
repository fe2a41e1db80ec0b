"""Imports what Cradle exports for Brightway, as a user of Brightway would."""

import xml.etree.ElementTree as ET
from pathlib import Path

import bw2data as bd
import bw2io as bi
from openpyxl import load_workbook

SPOLD = "{http://www.EcoInvent.org/EcoSpold02}"


def workbook(path):
    """Import a workbook. Give the database, its methods and which process a code is."""
    importer = bi.ExcelImporter(str(path))
    importer.apply_strategies(verbose=False)
    importer.match_database(fields=["name", "unit", "location"])
    write(importer)
    rows = load_workbook(path, read_only=True)["factors"].iter_rows(values_only=True)
    next(rows)  # skip
    at = {name: i for i, name in enumerate(next(rows))}
    factors = ((r[at["indicator_id"]], r[at["flow_id"]], r[at["value"]]) for r in rows if r[at["flow_id"]])
    methods = write_methods(importer.db_name, importer.db_name, factors)
    return importer.db_name, methods, {a["code"]: a["code"] for a in bd.Database(importer.db_name)}


def ecospold2(folder, name="ecospold2"):
    """Import a folder of EcoSpold 2 with its master data and methods."""
    nature = bi.importers.ecospold2_biosphere.Ecospold2BiosphereImporter(
        name=name + " biosphere", filepath=folder / "MasterData" / "ElementaryExchanges.xml"
    )
    nature.apply_strategies(verbose=False)
    write(nature)
    importer = bi.SingleOutputEcospold2Importer(
        str(folder / "datasets"), name, biosphere_database_name=nature.db_name, use_mp=False
    )
    importer.apply_strategies(verbose=False)
    write(importer)
    methods = write_methods(name, nature.db_name, spold_factors(folder / "LCIA"))
    return name, methods, {a["code"]: a["activity"] for a in bd.Database(name)}


def write(importer):
    nodes, edges, unlinked, _ = importer.statistics(print_stats=False)
    if unlinked:
        raise SystemExit(f"{importer.db_name}: {unlinked} of {edges} exchanges are not linked")
    importer.write_database(searchable=False)
    return nodes


def spold_factors(folder):
    for file in sorted(Path(folder).glob("*.xml")):
        for indicator in ET.parse(file).iter(SPOLD + "indicator"):
            for factor in indicator.iter(SPOLD + "factor"):
                yield indicator.get("id"), factor.get("elementaryExchangeId"), float(factor.get("amount"))


def write_methods(prefix, database, factors):
    known = {a["code"]: a.id for a in bd.Database(database)}
    by_indicator = {}
    for indicator, flow, value in factors:
        listed = by_indicator.setdefault(indicator, [])
        if flow in known:
            listed.append((known[flow], value))
    methods = {}
    for indicator, listed in by_indicator.items():
        method = bd.Method((prefix, indicator))
        method.register()
        method.write(listed)
        methods[indicator] = method.name
    return methods


READERS = {"workbook": workbook, "ecospold2": ecospold2}
