"""originals.py CRADLE WORKSPACE DATA

Has Cradle and Brightway read the same files, and compares what they calculate
under a method whose factor for a flow depends on its name alone. Prints one line
for each file. A score may differ only where Brightway has left out an exchange
that Cradle counts, in the process itself or upstream of it: that is listed as the
cause. Files that Brightway refuses are listed with its reason, and it fails where
it refuses others or for another reason.
"""

import csv
import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import project

METHOD, INDICATOR = "6b0f3f5e-5d3c-4d0b-9f0e-6f1c7d1f7a01", "6b0f3f5e-5d3c-4d0b-9f0e-6f1c7d1f7a02"

# What is read, by which importer, and what Brightway says where it refuses it.
FILES = [
    ("brightway-excel/basic_example.xlsx", "excel", None),
    ("brightway-excel/example.xlsx", "excel", None),
    ("brightway-excel/blank_lines.xlsx", "excel", None),
    ("brightway-excel/sample_parameterized_database.xlsx", "excel", None),
    ("brightway-excel/premise_lci-ammonia.xlsx", "excel", None),
    ("brightway-excel/premise_lci-hydrogen-smr-atr-natgas.xlsx", "excel", None),
    ("brightway-excel/premise_lci-hydrogen-turbine.xlsx", "excel", None),
    ("ecospold1/Acetic_acid_at_plant.xml", "ecospold1", "No matching global declaration"),
    ("ecospold1/Aluminum_extrusion_at_plant.xml", "ecospold1", "This element is not expected"),
    ("ecospold1/uslci_fy20_q3_01_olca1_10_3_ecospold.zip", "ecospold1", "The value 'NaN' is not accepted"),
    ("ecospold2/uslci_fy18_q1_01_olca1_5_ecospold2.zip", "ecospold2", "KeyError: 'flow'"),
    ("simapro-csv/pizzol_LCI1.csv", "simapro", None),
]


def main(cradle, workspace, data):
    failed = False
    for name, reader, refused in FILES:
        with project.fresh():
            said, wrong = check(Path(data) / name, reader, refused, Library(cradle, Path(workspace) / Path(name).stem))
        print(f"Brightway, original {name}: {said}", flush=True)
        failed = failed or wrong
    return 1 if failed else 0


def check(path, reader, refused, library):
    try:
        with project.quiet(refused is None):
            database, left_out = read(path, reader)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        if refused and refused in reason:
            return f"refused by Brightway ({reason})", False
        return f"cannot be read: {reason}", True
    if refused:
        return f"read by Brightway, which refused it before ({refused})", True
    library.load(path)
    with project.quiet():
        found = calculate(database)
    return compare(library, found, left_out)


class Library:
    """What Cradle makes of a file."""

    def __init__(self, cradle, folder):
        self.cradle, self.folder = cradle, folder

    def load(self, path):
        subprocess.run(["rm", "-rf", self.folder], check=True)
        (self.folder / "method").mkdir(parents=True)
        self.run("import", path)
        self.run("export", self.folder / "before")
        write(self.folder / "method" / "methods.csv", ["id", "name", "version"], [[METHOD, "Names", "1"]])
        write(self.folder / "method" / "indicators.csv", ["id", "method_id", "category", "name", "unit"], [[INDICATOR, METHOD, "Names", "Names", "1"]])
        flows = [r for r in table(self.folder / "before" / "flows.csv") if r["type"] == "elementary"]
        write(self.folder / "method" / "factors.csv", ["indicator_id", "flow_id", "value"], [[INDICATOR, r["id"], repr(factor(r["name"]))] for r in flows])
        self.run("import", self.folder / "method")
        self.run("export", self.folder / "bundle")

    def run(self, command, path):
        done = subprocess.run([self.cradle, command, path, "--db", self.folder / "cradle.db", "--json"], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{command} {path}: {done.stderr}")

    def processes(self):
        return {r["id"]: r["name"] for r in table(self.folder / "bundle" / "processes.csv")}

    def scores(self):
        return {r["process_id"]: float(r["value"]) for r in table(self.folder / "bundle" / "impacts.csv")}

    def exchanges(self):
        return list(table(self.folder / "bundle" / "exchanges.csv"))


def factor(name):
    digest = hashlib.md5(" ".join(name.lower().split()).encode()).hexdigest()
    return 0.5 + int(digest[:8], 16) / 2**32


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def write(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


def read(path, reader):
    """Import a file. Give the database, and by activity the names of what is left out."""
    import bw2data as bd
    import bw2io as bi

    importer = open_by(bi, reader, path)
    importer.apply_strategies(verbose=False)
    if reader == "excel":
        for fields in (["name", "reference product", "unit", "location"], ["name", "unit", "location"], ["name", "unit"]):
            importer.match_database(fields=fields)
    make_nature(bd, bi, importer)
    left_out = {lower(ds["name"]): [x["name"] for x in ds["exchanges"] if not x.get("input")] for ds in importer.data}
    importer.drop_unlinked(i_am_reckless=True)
    if importer.project_parameters:
        importer.write_project_parameters()
    importer.write_database(searchable=False)
    evaluate(bd, importer.db_name)
    return importer.db_name, left_out


def evaluate(bd, database):
    """Have Brightway evaluate the formulas of all exchanges."""
    from bw2data.parameters import ActivityParameter

    bd.parameters.recalculate()
    for activity in bd.Database(database):
        if any("formula" in x for x in activity.exchanges()):
            known = ActivityParameter.get_or_none(database=database, code=activity["code"])
            group = known.group if known else f"formulas of {activity['code']}"
            if not known:
                ActivityParameter.insert_dummy(group, activity.key)
            bd.parameters.add_exchanges_to_group(group, activity)
            ActivityParameter.recalculate_exchanges(group)
    bd.Database(database).process()


def open_by(bi, reader, path):
    if reader == "excel":
        return bi.ExcelImporter(str(path))
    if reader == "simapro":
        bi.create_core_migrations()
        return bi.SimaProCSVImporter(str(path), "original", delimiter=";")
    folder = path
    if path.suffix == ".zip":
        folder = Path(tempfile.mkdtemp(prefix="original-"))
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        inside = sorted(f for f in folder.rglob("*.*ml" if reader == "ecospold1" else "*.spold") if f.name != "categories.xml")
        folder = inside[0] if reader == "ecospold1" else inside[0].parent
    if reader == "ecospold1":
        return bi.SingleOutputEcospold1Importer(str(folder), "original", use_mp=False)
    return bi.SingleOutputEcospold2Importer(str(folder), "original", biosphere_database_name="nature", use_mp=False)


def make_nature(bd, bi, importer):
    """Make a database of the flows from and to nature that the file names."""
    flows = {}
    for ds in importer.data:
        for x in ds["exchanges"]:
            if x["type"] == "biosphere" and not x.get("input"):
                x["input"] = ("nature", bi.utils.activity_hash(x))
                flows[x["input"]] = {"name": x["name"], "unit": x.get("unit"), "categories": x.get("categories", ()), "type": "emission", "exchanges": []}
    bd.Database("nature").write(flows, searchable=False)


def calculate(database):
    """Give the scores of all activities by name."""
    import bw2data as bd
    import scores

    method = bd.Method(("names",))
    method.register()
    natural = [a for name in {"nature", database} for a in bd.Database(name) if a.get("type") in ("emission", "natural resource", "biosphere")]
    method.write([(a.id, factor(a["name"])) for a in natural])
    inventory = scores.Inventory(database, method.name)
    found = {}
    for (code, _), value in inventory.scores([method.name], exact=True).items():
        found.setdefault(lower(inventory.nodes[database, code]["name"]), []).append(value)
    return found


def lower(name):
    return " ".join(name.lower().split())


def compare(library, found, left_out):
    import scores

    names, exchanges = library.processes(), library.exchanges()
    want = library.scores()
    wrong = [p for p, value in want.items() if not any(scores.equal(value, v) for v in found.get(lower(names[p]), []))]
    causes = explain(names, exchanges, left_out)
    explained = {p: causes[p] for p in wrong if causes[p]}
    said = f"{len(want)} scores, {len(want) - len(wrong)} equal"
    if explained:
        said += f", {len(explained)} others as Brightway leaves out " + ", ".join(sorted(set().union(*explained.values())))
    for p in wrong:
        if p not in explained:
            said += f"\n  {names[p]}: {found.get(lower(names[p]))}, Cradle has {want[p]}"
    return said, len(explained) < len(wrong) or not want


def explain(names, exchanges, left_out):
    """Give for each process what Cradle counts of it, or upstream, and Brightway has left out."""
    own, suppliers = {p: set() for p in names}, {p: set() for p in names}
    for x in exchanges:
        counts = x["type"] == "elementary" or x["provider_id"]
        if counts and x["reference"] != "true" and x["name"] in left_out.get(lower(names[x["process_id"]]), []):
            own[x["process_id"]].add(x["name"])
        if x["provider_id"] in names:
            suppliers[x["process_id"]].add(x["provider_id"])
    causes = {}
    for process in names:
        seen, open_ = set(), [process]
        while open_:
            one = open_.pop()
            if one not in seen:
                seen.add(one)
                open_.extend(suppliers[one])
        causes[process] = set().union(*(own[p] for p in seen))
    return causes


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
