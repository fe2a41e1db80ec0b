"""Scores of a whole database, by the matrices that Brightway builds."""

import bw2calc as bc
import bw2data as bd
import numpy as np
from scipy.sparse import csc_matrix, diags
from scipy.sparse.linalg import splu

GIVEN = {"production", "generic production", "substitution"}
TAKEN = {"technosphere", "generic consumption"}


class Inventory:
    """A database with its matrices."""

    def __init__(self, name, method):
        self.name = name
        self.nodes = bd.Database(name).load()
        self.ids = {(name, a["code"]): a.id for a in bd.Database(name)}
        self.produced = {key: made for key, node in self.nodes.items() if (made := production(key, node))}
        self.lca = calculated({self.activity(next(iter(self.produced))): 1}, method)

    def scores(self, methods, exact=False):
        """Give the score of every activity's reference amount under every method.

        All at once: one factorisation, and one solution of the transposed
        equations for each method instead of one for each activity.
        """
        technosphere, biosphere = self.lca.technosphere_matrix, self.lca.biosphere_matrix
        if exact:
            technosphere, biosphere = self.exact(technosphere, TAKEN, GIVEN), self.exact(biosphere, (), {"biosphere"})
        transposed = technosphere.T.tocsc()
        factorised = splu(transposed)
        found = {}
        for method in methods:
            self.lca.switch_method(method)
            factors = self.lca.characterization_matrix
            if exact:
                factors = self.factors(method)
            direct = np.asarray((factors @ biosphere).sum(axis=0)).ravel()
            values = factorised.solve(direct)
            for _ in range(3):  # units span many decades: without refinement zeros are not quite zero
                values += factorised.solve(direct - transposed @ values)
            for key, amount in self.produced.items():
                found[key[1], method] = values[self.lca.dicts.product[self.ids[key]]] * amount
        return found

    def exact(self, matrix, minus, plus):
        """Give a matrix with the amounts of the database, which Brightway keeps in
        double precision there and in single precision in matrices."""
        rows, columns, amounts = [], [], []
        index = self.lca.dicts.product if minus else self.lca.dicts.biosphere
        for key, node in self.nodes.items():
            for x in node["exchanges"] + implied(key, node):
                if x["type"] in minus or x["type"] in plus:
                    rows.append(index[self.id(x["input"])])
                    columns.append(self.lca.dicts.activity[self.ids[key]])
                    amounts.append(x["amount"] if x["type"] in plus else -x["amount"])
        filled = csc_matrix((amounts, (rows, columns)), shape=matrix.shape)
        size = csc_matrix((np.abs(amounts), (rows, columns)), shape=matrix.shape)
        if (abs(filled - matrix) > 1e-6 * size).nnz:
            raise SystemExit(f"{self.name}: Brightway's matrix is not made of its exchanges")
        return filled

    def factors(self, method):
        diagonal = np.zeros(self.lca.biosphere_matrix.shape[0])
        for flow, value in bd.Method(method).load():
            at = self.lca.dicts.biosphere.get(self.id(flow))
            if at is not None:
                diagonal[at] = value
        return diags(diagonal)

    def activity(self, key):
        return bd.get_node(id=self.ids[key])

    def id(self, node):
        if isinstance(node, int):
            return node
        if node not in self.ids:
            self.ids.update({(a["database"], a["code"]): a.id for a in bd.Database(node[0])})
        return self.ids[node]

    def check(self, methods, found):
        """Calculate some activities one by one, as everybody does."""
        keys = list(self.produced)
        for key in keys[:: max(1, len(keys) // 5)]:
            for method in methods[:: max(1, len(methods) // 3)]:
                activity = self.activity(key)
                score = calculated({activity: self.produced[key]}, method).score
                if not alike(score, found[key[1], method]):
                    raise SystemExit(f"{activity} under {method}: LCA gives {score}, the table {found[key[1], method]}")


def calculated(demand, method):
    demand, packages, _ = bd.prepare_lca_inputs(demand, method=method)
    lca = bc.LCA(demand, data_objs=packages)
    lca.lci()
    lca.lcia()
    return lca


def production(key, node):
    """Give what an activity makes; less than nothing where it treats a waste."""
    return sum(x["amount"] for x in node["exchanges"] + implied(key, node) if x["type"] == "production")


def implied(key, node):
    """Give what Brightway lets a process make that says nothing of it."""
    if node.get("type") != "processwithreferenceproduct" or any(x["type"] in GIVEN for x in node["exchanges"]):
        return []
    return [{"type": "production", "amount": 1, "input": key}]


def equal(a, b):
    return abs(a - b) <= max(1e-12, 1e-6 * max(abs(a), abs(b)))


def alike(a, b):
    """Say whether two numbers are the same, one of them calculated without refinement."""
    return abs(a - b) <= 1e-6 + 1e-3 * max(abs(a), abs(b))
