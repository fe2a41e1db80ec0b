"""check.py NAME FOLDER [NAME FOLDER ...]

Imports Cradle's exports of libraries into Brightway, calculates every activity
under every indicator, and compares with Cradle's rows. A folder holds

    bundle/         the library with its impact rows
    brightway.xlsx  the workbook
    ecospold2/      the EcoSpold 2 export, unpacked

Prints one line for each export. Fails where one score differs by more than 1e-6
of it (1e-12 absolute), an exchange is not linked or a row is missing.
"""

import csv
import sys
from pathlib import Path

import project


def main(arguments):
    wrong = 0
    for name, folder in zip(arguments[::2], arguments[1::2]):
        with project.fresh():
            wrong += compare(name, Path(folder))
    return 1 if wrong else 0


def compare(name, folder):
    import exports

    rows = calculated(folder / "bundle")
    wrong = 0
    for what, read in (
        ("workbook", lambda: exports.workbook(folder / "brightway.xlsx")),
        ("EcoSpold 2", lambda: exports.ecospold2(folder / "ecospold2")),
    ):
        with project.quiet():
            found = Found(*read())
        wrong += report(f"Brightway, {what} of {name}", rows, found)
    return wrong


class Found:
    """The scores that Brightway finds, by process and indicator."""

    def __init__(self, database, methods, processes):
        import scores

        self.methods, self.processes = list(methods.values()), processes
        self.indicators = {method: indicator for indicator, method in methods.items()}
        self.inventory = scores.Inventory(database, self.methods[0])
        table = self.inventory.scores(self.methods)
        self.inventory.check(self.methods, table)
        self.single = self.named(table)

    def named(self, table):
        return {(self.processes[code], self.indicators[method]): value for (code, method), value in table.items()}

    def exact(self):
        return self.named(self.inventory.scores(self.methods, exact=True))


def calculated(bundle):
    """Give the calculated rows by process and indicator."""
    indicators = {(r["method_id"], r["category"], r["name"]): r["id"] for r in table(bundle / "indicators.csv")}
    return {
        (r["process_id"], indicators[r["method_id"], r["impact_category"], r["indicator"]]): float(r["value"])
        for r in table(bundle / "impacts.csv")
        if r["calculated"] == "true" and r["deleted"] != "true"
    }


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def report(what, want, found):
    """Print how many are equal, and the first that are not. Give their number.

    Brightway keeps amounts in single precision. Where that makes a difference the
    same equations are solved with its amounts in double precision.
    """
    wrong = differing(want, found.single)
    line = f"{what}: {len(want)} scores, {len(want) - len(wrong)} equal"
    if wrong:
        exact = found.exact()
        still = differing({key: want[key] for key in wrong}, exact)
        line += f", {len(wrong) - len(still)} more when its amounts are not rounded to single precision"
        wrong = still
    print(line, flush=True)
    for process, indicator in wrong[:10]:
        print(f"  process {process}, indicator {indicator}: {exact.get((process, indicator))}, Cradle has {want[process, indicator]}")
    if not want:
        print("  there is nothing to compare")
    return len(wrong) + (not want)


def differing(want, got):
    import scores

    return [key for key, value in want.items() if key not in got or not scores.equal(value, got[key])]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
