"""A pair of explicit tableaus over any numbers: fractions, balls, or balls with derivatives."""

from . import trees
from .ball import UNIT, ZERO, Ball

SLOW, FAST = 0, 1


class Pair:
    def __init__(self, a, b, zero, one):
        self.a, self.b, self.zero, self.one = a, b, zero, one
        self.stages = len(b[0])
        self.c = [[self.sum(row) for row in part] for part in a]

    def sum(self, values):
        total = self.zero
        for value in values:
            total = total + value
        return total

    def dot(self, x, y):
        return self.sum(u * v for u, v in zip(x, y) if not is_zero(u) and not is_zero(v))

    def times(self, color, values):
        return [self.dot(row, values) for row in self.a[color]]

    def transposed_times(self, color, values):
        return [self.dot([row[j] for row in self.a[color]], values) for j in range(self.stages)]

    def unknowns(self):
        """Returns (partition, row, column) below the diagonal, with the weights as row s, for all columns in use."""
        s = self.stages
        found = []
        for p in (SLOW, FAST):
            used = [j for j in range(s) if not is_zero(self.b[p][j]) or any(not is_zero(row[j]) for row in self.a[p])]
            found += [(p, i, j) for i in range(s + 1) for j in range(s) if j < i and j in used]
        return found

    def distance(self, other):
        """Returns the largest difference of a coefficient."""
        return max(abs(self.entry(*place) - other.entry(*place)) for place in self.unknowns())

    def entry(self, p, i, j):
        return self.b[p][j] if i == self.stages else self.a[p][i][j]

    def filled(self, zero, one, number):
        """Returns the same structure with other numbers for the unknowns."""
        s = self.stages
        rows = [[[zero] * s for _ in range(s + 1)] for _ in (SLOW, FAST)]
        for k, (p, i, j) in enumerate(self.unknowns()):
            rows[p][i][j] = number(k, self.entry(p, i, j))
        return Pair([part[:s] for part in rows], [part[s] for part in rows], zero, one)

    def ball(self, radius):
        return self.filled(ZERO, UNIT, lambda _, x: Ball.of(x, radius))

    def with_derivatives(self, radius):
        zero, one = Slope(ZERO, {}), Slope(UNIT, {})
        return self.filled(zero, one, lambda k, x: Slope(Ball.of(x, radius), {k: UNIT}))


def is_zero(x):
    return x.is_zero() if hasattr(x, "is_zero") else x == 0


class Slope:
    """A ball and its derivatives with respect to the unknowns."""

    __slots__ = ("value", "slopes")

    def __init__(self, value, slopes):
        self.value, self.slopes = value, slopes

    def is_zero(self):
        return self.value.is_zero() and not self.slopes

    def __add__(self, other):
        slopes = dict(self.slopes)
        for k, x in other.slopes.items():
            slopes[k] = slopes[k] + x if k in slopes else x
        return Slope(self.value + other.value, slopes)

    def __neg__(self):
        return Slope(-self.value, {k: -x for k, x in self.slopes.items()})

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        slopes = {k: x * other.value for k, x in self.slopes.items()}
        for k, x in other.slopes.items():
            slopes[k] = slopes[k] + self.value * x if k in slopes else self.value * x
        return Slope(self.value * other.value, slopes)


def scaled(pair, factor, x):
    """Returns an integer multiple."""
    if isinstance(x, Ball):
        return Ball(factor * x.mid, factor * x.rad)
    if isinstance(x, Slope):
        return Slope(scaled(pair, factor, x.value), {k: scaled(pair, factor, y) for k, y in x.slopes.items()})
    return factor * x


def difference(left, right, pair, known):
    """Returns gamma Psi of one tree minus that of another."""
    one, other = ([scaled(pair, trees.density(tree), x) for x in trees.psi(tree, pair, known)] for tree in (left, right))
    return [x - y for x, y in zip(one, other)]


def vector(assumption, pair, known):
    """Returns the vector of an assumption, stage by stage."""
    kind, colors, of = assumption.kind, assumption.colors, assumption.trees
    if kind == "stages":
        return difference(of["left"], of["right"], pair, known)
    if kind == "proportional":
        x, y = (difference(of[name], of["base"], pair, known) for name in ("left", "right"))
        i = assumption.pivot
        return [pair.zero if j == i else u * y[i] - v * x[i] for j, (u, v) in enumerate(zip(x, y))]
    if kind == "weights":
        left = pair.transposed_times(colors["a"], pair.b[colors["b"]])
        return [x - b * (pair.one - c) for x, b, c in zip(left, pair.b[colors["a"]], pair.c[FAST])]
    if kind == "matrices":
        slow, fast = (pair.transposed_times(q, pair.b[colors["b"]]) for q in (SLOW, FAST))
        return [x - y for x, y in zip(slow, fast)]
    if kind == "shared weights":
        return [x - y for x, y in zip(*pair.b)]
    if kind == "zero weights":
        return list(pair.b[colors["b"]])
    if kind == "weighted columns":
        return pair.transposed_times(colors["a"], [b * c for b, c in zip(pair.b[colors["b"]], pair.c[FAST])])
    raise KeyError(kind)
