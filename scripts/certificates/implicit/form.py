"""The structure of a table, and its coefficients in any numbers."""

import re
from fractions import Fraction as F

from .. import listed, require, text, trees
from ..ball import Ball
from ..pair import Slope, is_zero

PLACE = re.compile(r"([sf])\.(a\[(\d+)\]|b|b_hat)\[(\d+)\]")


class Table:
    """The partitions with any numbers; b_hat may be missing."""

    def __init__(self, a, b, b_hat, zero, one):
        self.a, self.b, self.b_hat, self.zero, self.one = a, b, b_hat, zero, one
        self.stages, self.known = len(b[0]), {}

    def sum(self, values):
        total = self.zero
        for value in values:
            total = total + value
        return total

    def dot(self, x, y):
        return self.sum(u * v for u, v in zip(x, y) if not is_zero(u) and not is_zero(v))

    def times(self, color, values):
        return [self.dot(row, values) for row in self.a[color]]

    def times_fraction(self, x, factor):
        if isinstance(x, Slope):
            by = Ball.of(factor)
            return Slope(x.value * by, {k: y * by for k, y in x.slopes.items()})
        return x * Ball.of(factor) if isinstance(x, Ball) else x * factor

    def condition(self, tree, weights):
        found = self.dot(weights[tree[0]], trees.psi(tree, self, self.known))
        return found - self.times_fraction(self.one, F(1, trees.density(tree)))


class Form:
    """The structure of the table: unknowns with their positions, and where each partition is evaluated."""

    def __init__(self, method, unknowns):
        self.method, self.count = method, len(method.a)
        require(1 <= self.count <= 2, "a table that has neither one nor two partitions")
        self.names = [part["name"] for part in method.data["partitions"]]
        self.stages = len(method.b[0])
        self.has_embedded = all(weights is not None for weights in method.b_hat)
        require(method.c == [None] * self.count, "abscissae that are not the row sums")
        self.unknowns = [[self.place(text(place, "a position")) for place in listed(entry, "an unknown")] for entry in listed(unknowns, "the unknowns")]
        self.of = {}
        for k, places in enumerate(self.unknowns):
            require(places, "an unknown without a position")
            for place in places:
                require(place not in self.of, "a position of two unknowns")
                self.of[place] = k
            require(len({self.written(place) for place in places}) == 1, "positions of one unknown with different coefficients")
        self.values = [self.written(places[0]) for places in self.unknowns]
        used = lambda p, j: self.is_used((p, "b", j)) or any(self.is_used((p, i, j)) for i in range(self.stages))
        embedded = lambda p, j: self.has_embedded and self.is_used((p, "b_hat", j))
        require(all(used(p, j) or not embedded(p, j) for p in range(self.count) for j in range(self.stages)), "an embedded weight of a stage without an evaluation")
        self.evaluated = [[j for j in range(self.stages) if used(p, j)] for p in range(self.count)]
        self.implicit = [p for p in range(self.count) if any(self.is_used((p, i, i)) for i in range(self.stages))]
        for p in range(self.count):
            upper = [(i, j) for i in range(self.stages) for j in range(i + (p in self.implicit), self.stages)]
            require(not any(self.is_used((p, i, j)) for i, j in upper), "a partition that is not diagonally implicit")
            require(all(self.is_used((p, j, j)) for j in self.evaluated[p][1:]) or p not in self.implicit, "an explicit stage after the first")

    def place(self, entry):
        found = PLACE.fullmatch(entry)
        require(found, f"no position: {entry!r:.40}")
        partition, row, column = trees.COLORS[found[1]], found[2], int(found[4]) - 1
        row = int(found[3]) - 1 if found[3] else row
        require(partition < self.count and 0 <= column < self.stages, "a position outside the table")
        require(not isinstance(row, int) or 0 <= row < self.stages, "a position outside the table")
        require(row != "b_hat" or self.has_embedded, "an embedded weight of a table without any")
        return partition, row, column

    def written(self, place):
        partition, row, column = place
        rows = {"b": self.method.b, "b_hat": self.method.b_hat}
        return rows[row][partition][column] if row in rows else self.method.a[partition][row][column]

    def is_used(self, place):
        """Whether a coefficient may differ from zero."""
        return place in self.of or self.written(place) != 0

    def same(self, one, other):
        """Whether two positions hold the same number by structure."""
        if one in self.of or other in self.of:
            return self.of.get(one) == self.of.get(other)
        return self.written(one) == self.written(other)

    def table(self, x, zero, one, fixed):
        def entry(*place):
            if place in self.of:
                return x[self.of[place]]
            value = self.written(place)
            return zero if value == 0 else fixed(value)

        columns, parts = range(self.stages), range(self.count)
        a = [[[entry(p, i, j) for j in columns] for i in columns] for p in parts]
        b, b_hat = ([[entry(p, name, j) for j in columns] for p in parts] if name == "b" or self.has_embedded else None for name in ("b", "b_hat"))
        return Table(a, b, b_hat, zero, one)
