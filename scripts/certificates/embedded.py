"""Embedded rows for multirate methods without one, by exact linear algebra.

An embedded row replaces the forcing of the last stage. It is internally consistent, and uses only slow evaluations that the method makes anyway. Up to
order four its conditions are affine in its coefficients: two factors that depend on them need five nodes below a fast root.
"""

import json
from fractions import Fraction as F
from itertools import product
from math import factorial

from . import trees
from .inverse import rounded

#: Residuals and pivots up to this size are rounding of tables with decimals.
ROUNDING = F(1, 10**9)


class Table:
    """Rows with any number of slow partitions; color 0 is the fast one."""

    def __init__(self, file):
        data = json.loads(file.read_text(encoding="utf-8"))
        self.names = data["partitions"][1:]
        self.rows = []
        for row in data["stages"]:
            forcing = [[[F(x) for x in power] for power in row.get("forcing", {}).get(name, [])] for name in self.names]
            correction = [[F(x) for x in row.get("correction", {}).get(name, [])] for name in self.names]
            combined = [[F(x) for x in row.get(field, [])] for field in ("start", "drift")]
            self.rows.append((row["from"], F(row["interval"]), forcing, correction, combined))
        self.order, self.has_embedded = data["claims"]["order"], "embedded" in data

    def evaluated(self, slow):
        """Returns the stages, from 0, at which a partition is evaluated."""
        used = set()
        for _, _, forcing, correction, _ in self.rows:
            for columns in (*forcing[slow], correction[slow]):
                used |= {j for j, x in enumerate(columns) if x}
        return sorted(used - {0, len(self.rows)})

    def places(self):
        """Returns (partition, power, column) of the unknowns."""
        last = self.rows[-1]
        powers = lambda slow: max(1, len(last[2][slow]))
        return [(slow, k, j) for slow in range(len(self.names)) for k in range(powers(slow)) for j in self.evaluated(slow)]

    def with_last(self, values):
        """Returns all rows, the last with these coefficients and a first column that keeps it consistent."""
        start, interval, forcing, _, combined = self.rows[-1]
        width = len(self.rows)
        new = [[[F(0)] * width for _ in range(max(1, len(powers)))] for powers in forcing]
        for (slow, k, j), value in zip(self.places(), values):
            new[slow][k][j] += value
        for powers in new:
            for k, columns in enumerate(powers):
                columns[0] = (interval if k == 0 else F(0)) - sum(columns[1:])
        return self.rows[:-1] + [(start, interval, new, [[] for _ in forcing], combined)]


def residuals(rows, everything):
    """Returns the residuals of trees; the values between are rounded to 60 decimals."""
    known = {}

    def values(tree):
        if tree in known:
            return known[tree]
        color, children = tree
        below = [values(child) for child in children]
        along, ends = [], [F(0)]
        at = lambda columns: sum((x * prod(entry[1][j] for entry in below) for j, x in enumerate(columns) if x), F(0))
        for e, (start, interval, forcing, correction, combined) in enumerate(rows):
            # Differences of stages: Y_1 is zero for every tree.
            first, drift = (sum((x * y for x, y in zip(columns, ends)), F(0)) for columns in combined)
            if color == 0:
                slope = [interval]
                for polynomials, _ in below:
                    slope = times(slope, polynomials[e])
                extra = F(0)
            else:
                # Stages that are implicit use their own value of smaller trees, which are known.
                slope = [at(power) for power in forcing[color - 1]]
                extra = at(correction[color - 1])
            slope = [(slope or [F(0)])[0] + drift, *slope[1:]]
            polynomial = [ends[start - 1] + first] + [rounded(x / (k + 1)) for k, x in enumerate(slope)]
            along.append(polynomial)
            ends.append(rounded(sum(polynomial) + extra))
        known[tree] = along, ends
        return known[tree]

    return [values(tree)[1][-1] - F(1, trees.density(tree)) for tree in everything]


def prod(values):
    result = F(1)
    for value in values:
        result *= value
    return result


def times(x, y):
    found = [F(0)] * (len(x) + len(y) - 1)
    for (i, a), (j, b) in product(enumerate(x), enumerate(y)):
        found[i + j] += a * b
    return found


def symmetry(tree):
    count = {}
    for child in tree[1]:
        count[child] = count.get(child, 0) + 1
    return prod(F(symmetry(child)) ** n * factorial(n) for child, n in count.items())


def embedded(file, order):
    """Returns the number of conditions, unknowns and free unknowns, the error norm of the row whose free unknowns are zero, and its forcing by partition;
    None in place of the last three without any row."""
    table = Table(file)
    colors = len(table.names) + 1
    everything = [tree for n in range(1, order + 1) for tree in trees.of_order(n, colors)]
    places = table.places()
    base = residuals(table.with_last([F(0)] * len(places)), everything)
    columns = []
    for k in range(len(places)):
        moved = residuals(table.with_last([F(int(j == k)) for j in range(len(places))]), everything)
        columns.append([y - x for x, y in zip(base, moved)])
    system = [[column[i] for column in columns] + [-base[i]] for i in range(len(everything))]
    pivots, rest = eliminated(system, len(places))
    if any(abs(row[-1]) > ROUNDING for row in rest):
        return len(everything), len(places), None, None, None
    x = [F(0)] * len(places)
    for row, column in pivots:
        x[column] = row[-1]
    top = trees.of_order(order + 1, colors)
    norm = sum(float(r / symmetry(tree)) ** 2 for tree, r in zip(top, residuals(table.with_last(x), top))) ** 0.5
    forcing = dict(zip(table.names, table.with_last(x)[-1][2]))
    return len(everything), len(places), len(places) - len(pivots), norm, forcing


def eliminated(rows, count):
    """Returns the rows with pivots in reduced form, and the others."""
    rows, done = [list(row) for row in rows], []
    for column in range(count):
        best = max(rows, key=lambda row: abs(row[column]), default=None)
        if best is None or abs(best[column]) <= ROUNDING:
            continue
        rows.remove(best)
        head = best[column]
        best = [rounded(x / head) for x in best]
        reduce = lambda row: [rounded(x - row[column] * y) if y else x for x, y in zip(row, best)]
        rows = [reduce(row) for row in rows]
        done = [(reduce(row), k) for row, k in done] + [(best, column)]
    return done, rows
