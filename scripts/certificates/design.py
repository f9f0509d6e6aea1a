"""Certificates of designed pairs: a true solution of all order conditions agrees with all decimals of the table.

Let x be the table, u an approximate solution nearby, G the imposed equations, R any approximate right inverse of G', eps = |G(u)|, and K
a bound of |I - G' R| over a ball about x, all in maximum norms. If K <= 1/2 and the ball contains all points within 2 |R| eps of u, then
y -> y - G(u + R y) contracts |y| <= 2 eps into itself, and G has a zero within 2 |R| eps of u (Krawczyk 1969). relations.py proves that
the other order conditions follow. Embedded weights and dense output are in further.py.
"""

from fractions import Fraction as F
from pathlib import Path

from . import fields, fraction, further, listed, number, relations, require, text, trees, whole
from .ball import ZERO
from .inverse import deviation
from .method import Method
from .pair import Pair, vector
from .residuals import HIGHEST_ORDER, how, largest, read_trees, require_small

LABELS = {"s": 0, "f": 1}
FIELDS = ("format", "method", "table", "order", "status", "assumptions", "conditions", "polynomial")
BOUNDS = ("radius", "residual", "contraction")
STATUS = {"exact": (), "enclosed": BOUNDS, "nothing": ("decimals",)}
VECTORS = {
    "stages": ("left", "right"),
    "proportional": ("left", "right", "base", "pivot"),
    "weights": ("b", "a"),
    "matrices": ("b",),
    "shared weights": (),
    "zero weights": ("b",),
    "weighted columns": ("b", "a"),
}


def check(certificate, arguments):
    """Lists the completed checks, line by line."""
    fields(certificate, FIELDS, ("embedded", "dense", "solution"))
    name = text(certificate["method"], "the method")
    method = Method(method_file(name, arguments))
    require(method.id == name, f"the certificate is about {name}, the file is {method.id}")
    require(method.has_digest(certificate["table"]), f"the certificate is about another table: this one is {method.digest()}")
    order, status = whole(certificate["order"], "the order"), certificate["status"]
    proved = status.get("proved") if isinstance(status, dict) else None
    require(isinstance(proved, str) and proved in STATUS, f"the status is none that is known: {proved!r:.40}")
    fields(status, ("proved", *STATUS[proved]), of="the status")
    require(1 <= order <= HIGHEST_ORDER, "no order from 1 to 6")
    require(method.is_explicit() and len(method.a) >= 1, "a part is not explicit, or there is none")
    require(all(c is None for c in method.c), "abscissae that are not row sums")
    polynomial = read_polynomial(certificate["polynomial"])
    colors = len(method.a)
    require(colors == 2 or not polynomial and proved != "enclosed", "no pair of two partitions")
    table = Table(method)
    powers = [power for power, _ in polynomial]
    require(powers == sorted(set(powers)) and all(order < power <= table.pair.stages for power in powers), "no powers beyond the order")
    everything = [tree for n in range(1, order + 1) for tree in trees.of_order(n, colors)]
    polynomial = [(chain(power), beta) for power, beta in polynomial]
    if proved == "enclosed":
        yield from check_enclosed(certificate, method, table, everything, polynomial)
    else:
        empty = all(certificate[name] == [] for name in ("assumptions", "conditions")) and "solution" not in certificate
        require(empty, "equations that nothing is made of")
        require_small(largest(residuals(table.pair, [], [(tree, None) for tree in everything] + polynomial)), status, "the conditions")
        yield f"all conditions up to order {order} hold {how(status)}: checked"
    yield from further.check_the_others(certificate, method, proved)


def read_polynomial(value):
    terms = [listed(term, "a term of the polynomial") for term in listed(value, "the polynomial")]
    require(all(len(term) == 2 for term in terms), "a term of the polynomial is no pair")
    return [(whole(power, "a power"), fraction(beta, "a coefficient")) for power, beta in terms]


def check_enclosed(certificate, method, table, everything, polynomial):
    order, status = certificate["order"], certificate["status"]
    radius, residual, contraction = (number(status[name], f"the {name}") for name in BOUNDS)
    unit = method.last_digit()
    # Both readers take a radius as a double.
    require(contraction <= F(1, 2), "the contraction stated is larger than 1/2")
    require(0 < radius <= F(float(unit)), f"the radius is no number up to a unit of the last digit, {float(unit):.0e}")
    assumptions = [Assumption(entry, table.pair, order) for entry in listed(certificate["assumptions"], "the assumptions")]
    conditions = read_trees(certificate["conditions"], order)
    equations = [(tree, None) for tree in conditions] + polynomial
    require("solution" in certificate, "no solution is stated")
    solution = table.moved(certificate["solution"])
    values = residuals(solution.pair, assumptions, equations)
    eps = largest(values)
    within, found = enclose(table.pair, assumptions, equations, radius)
    require(found <= F(1, 2), f"the contraction is {float(min(found, F(10) ** 300)):.2e}")
    # The residual that is stated, not only that which is found, must prove the radius.
    beyond = within([residual] * len(values))
    others = further.Enclosed(certificate, table, solution, assumptions, radius, beyond)
    require(max(eps, others.residual) <= residual, f"the equations miss {float(max(eps, others.residual)):.3e}, more than stated")
    yield f"the {len(values) + others.count} equations miss at most {float(residual):.1e}: checked"
    found = max(found, others.contraction)
    require(found <= contraction, f"the contraction is {float(found):.2e}, more than stated")
    distance = max(table.pair.distance(solution.pair) + beyond, others.distance)
    require(distance <= radius, f"the radius is {float(distance):.4e}, larger than stated")
    yield f"a solution of them lies within {up(radius)}: checked"
    require(relations.all_follow(table.pair.ball(radius), order, everything, assumptions, conditions), "not all conditions follow")
    yield f"all {len(everything)} conditions up to order {order} follow: checked"
    yield from others.follow()


def method_file(name, arguments):
    if len(arguments) > 1:
        return Path(arguments[1])
    require("/" not in name and "\\" not in name, "the method is no id")
    here, name = Path(arguments[0]).resolve().parent, name + ".json"
    places = [here / name, here.parent / "tableaus" / name]
    found = [place for place in places if place.is_file()]
    require(found, f"the method {name} is neither beside the certificate nor in ../tableaus: give its file")
    return found[0]


class Table:
    """Returns a pair without last stages that only further weights use, and those weights, if the rows of these stages are the weights b."""

    def __init__(self, method):
        a, b = method.a, method.b
        self.all_stages = len(b[0])
        s = self.all_stages
        while s > 1 and not any(part[s - 1] for part in b) and not any(row[s - 1] for part in a for row in part):
            s -= 1
        are_copies = all(part[i] == weights for part, weights in zip(a, b) for i in range(s, self.all_stages))
        self.pair = Pair([[row[:s] for row in part[:s]] for part in a], [part[:s] for part in b], F(0), F(1))
        names = ("embedded", "dense") if are_copies else ()
        self.vectors = [(name, power, weights) for name in names for weights, power in method.further(name)]

    def free(self, k):
        """Returns the stages of the unknowns in the k-th vector, for each color; for the last power of theta those of b and all powers."""
        name, _, weights = self.vectors[k]
        powers = [other for which, _, other in self.vectors if which == "dense"]
        is_last = name == "dense" and k == len(self.vectors) - 1
        def used(color, j):
            return j < self.pair.stages and self.pair.b[color][j] != 0 or any(other[color][j] != 0 for other in powers)
        is_free = used if is_last else lambda color, j: weights[color][j] != 0
        return [[j for j in range(self.all_stages) if is_free(color, j)] for color in (0, 1)]

    def moved(self, entry):
        """Reads the solution stated by a certificate: its corrections, in units of its last decimal."""
        fields(entry, ("decimals", "further"), of="the solution")
        unit = F(1, 10 ** whole(entry["decimals"], "the decimals of the solution", 2000))
        added = [fraction(x, "a number of the solution") for x in listed(entry["further"], "the numbers of the solution")]
        require(all(x.denominator == 1 for x in added), "a number of the solution is no integer")
        rest = iter(added)
        places = len(self.pair.unknowns()) + sum(len(own) for k in range(len(self.vectors)) for own in self.free(k))
        require(len(added) == places, f"the solution has {len(added)} numbers; expected {places}")
        found = object.__new__(Table)
        found.pair = self.pair.filled(F(0), F(1), lambda _, x: x + next(rest) * unit)
        found.all_stages, found.vectors = self.all_stages, []
        for k, (name, power, weights) in enumerate(self.vectors):
            moved = [list(part) for part in weights]
            for color, own in enumerate(self.free(k)):
                for j in own:
                    moved[color][j] += next(rest) * unit
            found.vectors.append((name, power, moved))
        return found


class Assumption:
    """A vector that vanishes at some stages; at the imposed stages this is one of the equations."""

    def __init__(self, entry, pair, order):
        kind = entry.get("vector") if isinstance(entry, dict) else None
        require(isinstance(kind, str) and kind in VECTORS, f"the assumption is about no vector that is known: {kind!r:.40}")
        fields(entry, ("vector", "stages", "imposed", *VECTORS[kind]), of="an assumption")
        self.kind = kind
        self.stages, self.imposed = ([whole(j, "a stage") - 1 for j in listed(entry[name], name)] for name in ("stages", "imposed"))
        self.trees = {name: trees.parse(text(entry[name], "a tree")) for name in ("left", "right", "base") if name in entry}
        require(all(entry[name] in LABELS for name in ("a", "b") if name in entry), "no color")
        self.colors = {name: LABELS[entry[name]] for name in ("a", "b") if name in entry}
        self.pivot = whole(entry["pivot"], "the pivot") - 1 if "pivot" in entry else None
        for own in (self.stages, self.imposed):
            require(own == sorted(set(own)) and all(0 <= j < pair.stages for j in own), "stages out of range")
        require(set(self.imposed) <= set(self.stages), "imposed at a stage at which it is not said to vanish")
        orders = {trees.order(tree) for tree in self.trees.values()}
        require(len(orders) <= 1 and all(n <= order for n in orders), "trees of different orders")
        require(self.pivot is None or 0 <= self.pivot < pair.stages, "a pivot out of range")


def chain(power):
    """Returns the fast tree whose weight is the coefficient of this power in the stability polynomial."""
    tree = trees.node(1, ())
    for _ in range(power - 1):
        tree = trees.node(1, (tree,))
    return tree


def residuals(pair, assumptions, equations):
    known = {}
    found = [vector(assumption, pair, known)[j] for assumption in assumptions for j in assumption.imposed]
    expected = [F(1, trees.density(tree)) if beta is None else beta for tree, beta in equations]
    return found + [trees.weight(tree, pair, known) - beta for (tree, _), beta in zip(equations, expected)]


def enclose(pair, assumptions, equations, radius):
    """Returns a bound of distances for given residuals, and one of |I - G' R| over the ball."""
    jacobian = gradients(pair.with_derivatives(radius), assumptions, equations)
    count = len(pair.unknowns())
    require(0 < len(jacobian) <= count, "more equations than unknowns")
    return deviation(jacobian)


def gradients(pair, assumptions, equations):
    known = {}
    found = [vector(assumption, pair, known)[j] for assumption in assumptions for j in assumption.imposed]
    found += [trees.weight(tree, pair, known) for tree, _ in equations]
    count = len(pair.unknowns())
    return [[entry.slopes.get(k, ZERO) for k in range(count)] for entry in found]


def up(radius):
    """Writes a number with one digit, rounded up."""
    exponent = -60
    while F(10) ** (exponent + 1) <= radius:
        exponent += 1
    digit = -(-radius // F(10) ** exponent)
    return f"{digit}e{exponent}" if digit < 10 else f"1e{exponent + 1}"
