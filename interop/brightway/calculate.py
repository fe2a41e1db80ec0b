"""calculate.py workbook FILE OUT
calculate.py ecospold2 FOLDER OUT

Imports what Cradle exports into Brightway, as a user of Brightway would, and
calculates every activity under every indicator. Writes a table of process,
indicator, value, and the value as it is when amounts are not rounded to single
precision, as Brightway rounds them for its matrices. Fails where an exchange is
not linked.
"""

import csv
import sys
from pathlib import Path

import project


def main(what, source, out):
    with project.fresh(), project.quiet():
        import exports
        import scores

        database, methods, processes = exports.READERS[what](Path(source))
        inventory = scores.Inventory(database, next(iter(methods.values())))
        names = list(methods.values())
        rounded, exact = inventory.scores(names), inventory.scores(names, exact=True)
        inventory.check(names, rounded)
    indicators = {method: indicator for indicator, method in methods.items()}
    with open(out, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["process", "indicator", "value", "exact"])
        for (code, method), value in rounded.items():
            table.writerow([processes[code], indicators[method], repr(float(value)), repr(float(exact[code, method]))])


if __name__ == "__main__":
    main(*sys.argv[1:])
