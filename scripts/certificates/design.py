"""Certificates of designed pairs: a true solution of all order conditions lies beside the decimals.

With x the decimals, G the equations that are imposed, R any approximate right inverse of G', eps = |G(x)| and K a bound of |I - G' R| over
the ball of radius r = 2 |R| eps about x, all in maximum norms: if K <= 1/2, then y -> y - G(x + R y) contracts the ball |y| <= 2 eps into
itself, and G has a zero within r (Krawczyk 1969). That the other order conditions follow is in relations.py.
"""

import json
from fractions import Fraction as F
from pathlib import Path

from . import relations, require, trees
from .ball import ONE, ZERO, Ball
from .pair import Pair, vector

HIGHEST_ORDER = 6
LABELS = {"s": 0, "f": 1}


def check(certificate, arguments):
    """What was checked, line by line."""
    file = method_file(certificate, arguments)
    pair = read(file, certificate)
    order, status = certificate["order"], certificate["status"]
    require(1 <= order <= HIGHEST_ORDER, "no order from 1 to 6")
    powers = [power for power, _ in certificate["polynomial"]]
    require(powers == sorted(set(powers)) and all(order < power <= pair.stages for power in powers), "no powers beyond the order")
    everything = [tree for n in range(1, order + 1) for tree in trees.of_order(n)]
    polynomial = [(chain(power), F(beta)) for power, beta in certificate["polynomial"]]
    if status["proved"] != "enclosed":
        worst = largest(residuals(pair, [], [(tree, None) for tree in everything] + polynomial))
        allowed = F(0) if status["proved"] == "exact" else F(1, 10 ** status["decimals"])
        require(worst <= allowed, f"the conditions miss {float(worst):.1e}")
        yield f"all conditions up to order {order} hold " + ("exactly" if not allowed else f"to {status['decimals']} decimals") + ": checked"
        return
    assumptions = [Assumption(entry, pair, order) for entry in certificate["assumptions"]]
    conditions = [trees.parse(text) for text in certificate["conditions"]]
    require(all(trees.order(tree) <= order for tree in conditions), "a condition of a higher order")
    equations = [(tree, None) for tree in conditions] + polynomial
    values = residuals(pair, assumptions, equations)
    residual, radius = F(status["residual"]), F(status["radius"])
    eps = largest(values)
    require(eps <= residual, f"the equations miss {float(eps):.3e}, more than stated")
    yield f"the {len(values)} equations miss at most {float(residual):.1e}: checked"
    reach, contraction = enclose(pair, assumptions, equations, radius)
    require(contraction <= F(status["contraction"]) and contraction <= F(1, 2), f"the contraction is {float(contraction):.2e}")
    # The doubles of another machine may differ in the last digits of an inverse.
    require(2 * reach * eps <= radius, f"the radius is {float(2 * reach * eps):.4e}, larger than stated")
    yield f"a solution of them lies within {up(radius)}: checked"
    require(relations.all_follow(pair.ball(radius), order, everything, assumptions, conditions), "not all conditions follow")
    yield f"all {len(everything)} conditions up to order {order} follow: checked"


def method_file(certificate, arguments):
    if len(arguments) > 1:
        return Path(arguments[1])
    here, name = Path(arguments[0]).resolve().parent, certificate["method"] + ".json"
    places = [here / name, here.parent / "tableaus" / name]
    found = [place for place in places if place.is_file()]
    require(found, f"the method {name} is neither beside the certificate nor in ../tableaus: give its file")
    return found[0]


def read(file, certificate):
    """The pair without last stages that nothing uses."""
    method = json.load(open(file, encoding="utf-8"))
    require(method["id"] == certificate["method"], f"the certificate is about {certificate['method']}, {file} is {method['id']}")
    parts = method["partitions"]
    require(len(parts) == 2, "no pair of two partitions")
    try:
        a = [[[F(x) for x in row] for row in part["a"]] for part in parts]
        b = [[F(x) for x in part["b"]] for part in parts]
        c = [part.get("c") and [F(x) for x in part["c"]] for part in parts]
    except ValueError as error:
        require(False, f"not read: coefficients other than decimals and fractions ({error})")
    require(all(not any(row[i:]) for part in a for i, row in enumerate(part)), "a part is not explicit")
    sums = [[sum(row) for row in part] for part in a]
    require(all(given is None or given == rows for given, rows in zip(c, sums)), "abscissae that are not row sums")
    while len(b[0]) > 1 and not any(part[-1] for part in b) and not any(row[-1] for part in a for row in part):
        a, b = [[row[:-1] for row in part[:-1]] for part in a], [part[:-1] for part in b]
    return Pair(a, b, F(0), F(1))


class Assumption:
    """A vector that vanishes at some stages; at those imposed, that is one of the equations."""

    def __init__(self, entry, pair, order):
        self.kind = entry["vector"]
        self.stages = [j - 1 for j in entry["stages"]]
        self.imposed = [j - 1 for j in entry["imposed"]]
        self.trees = {name: trees.parse(entry[name]) for name in ("left", "right", "base") if name in entry}
        self.colors = {name: LABELS[entry[name]] for name in ("a", "b") if name in entry}
        self.pivot = entry["pivot"] - 1 if "pivot" in entry else None
        for listed in (self.stages, self.imposed):
            require(listed == sorted(set(listed)) and all(0 <= j < pair.stages for j in listed), "stages out of range")
        require(set(self.imposed) <= set(self.stages), "imposed at a stage at which it is not said to vanish")
        orders = {trees.order(tree) for tree in self.trees.values()}
        require(len(orders) <= 1 and all(n <= order for n in orders), "trees of different orders")
        require(self.pivot is None or 0 <= self.pivot < pair.stages, "a pivot out of range")


def chain(power):
    """The fast tree whose weight is the coefficient of this power in the stability polynomial."""
    tree = trees.node(1, ())
    for _ in range(power - 1):
        tree = trees.node(1, (tree,))
    return tree


def residuals(pair, assumptions, equations):
    known = {}
    found = [vector(assumption, pair, known)[j] for assumption in assumptions for j in assumption.imposed]
    expected = [F(1, trees.density(tree)) if beta is None else beta for tree, beta in equations]
    return found + [trees.weight(tree, pair, known) - beta for (tree, _), beta in zip(equations, expected)]


def largest(values):
    return max((abs(value) for value in values), default=F(0))


def enclose(pair, assumptions, equations, radius):
    """|R| and a bound of |I - G' R| over the ball."""
    jacobian = gradients(pair.with_derivatives(radius), assumptions, equations)
    count = len(pair.unknowns())
    require(0 < len(jacobian) <= count, "more equations than unknowns")
    inverse = right_inverse([[F(entry.mid, ONE) for entry in row] for row in jacobian])
    reach = max(sum(abs(x) for x in row) for row in inverse)
    columns = [[Ball.of(inverse[j][k]) for j in range(count)] for k in range(len(jacobian))]
    worst = 0
    for i, row in enumerate(jacobian):
        used = [(j, x) for j, x in enumerate(row) if not x.is_zero()]
        total = 0
        for k, column in enumerate(columns):
            entry = Ball(ONE if i == k else 0)
            for j, x in used:
                entry = entry - x * column[j]
            total += entry.largest()
        worst = max(worst, total)
    return reach, F(worst, ONE)


def gradients(pair, assumptions, equations):
    known = {}
    found = [vector(assumption, pair, known)[j] for assumption in assumptions for j in assumption.imposed]
    found += [trees.weight(tree, pair, known) for tree, _ in equations]
    count = len(pair.unknowns())
    return [[entry.slopes.get(k, ZERO) for k in range(count)] for entry in found]


def right_inverse(jacobian):
    """Jt (J Jt)^-1, rounded to 60 digits on the way: of smallest norm."""
    rows = range(len(jacobian))
    jacobian = [[rounded(x) for x in row] for row in jacobian]
    gram = [[sum((x * y for x, y in zip(jacobian[i], jacobian[k]) if x and y), F(0)) for k in rows] for i in rows]
    unit = [[F(int(i == k)) for k in rows] for i in rows]
    solution = solve([[rounded(x, 90) for x in row] for row in gram], unit)
    columns = list(zip(*jacobian))
    return [[rounded(sum((x * solution[i][k] for i, x in enumerate(column) if x), F(0))) for k in rows] for column in columns]


def rounded(x, digits=60):
    return F(round(x * 10**digits), 10**digits)


def solve(matrix, right):
    """Gauss-Jordan elimination with 90 digits."""
    n = len(matrix)
    rows = [list(matrix[i]) + list(right[i]) for i in range(n)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        require(abs(rows[pivot][k]) > F(1, 10**40), "the equations are not independent")
        rows[k], rows[pivot] = rows[pivot], rows[k]
        head = rows[k][k]
        rows[k] = [rounded(x / head, 90) for x in rows[k]]
        for i in range(n):
            factor = rows[i][k]
            if i != k and factor:
                rows[i] = [rounded(x - factor * y, 90) if y else x for x, y in zip(rows[i], rows[k])]
    return [row[n:] for row in rows]


def up(radius):
    """One digit, rounded up."""
    exponent = -60
    while F(10) ** (exponent + 1) <= radius:
        exponent += 1
    digit = -(-radius // F(10) ** exponent)
    return f"{digit}e{exponent}" if digit < 10 else f"1e{exponent + 1}"
