"""Certificates of multirate methods: a true solution of all order conditions lies within a few units of the last decimals.

The stages are Y_1 and, for each row, the solution at the end of v' = D f_fast(v) + sum_j g_j(t) f_slow(Y_j) from an earlier stage, with the
correction sum_j G_j f_slow(Y_j) of an implicit slow partition, up to the stage itself. The slow coefficients of every row add up to D t and those of
the corrections to zero, so that all partitions have the same abscissae all along it. Then

- the color of a leaf does not matter;
- a fast node above leaves only is a power of the abscissa, because the fast solution is exact;
- for a fast root with a fast child, V[u] V[o] = int V[u]' V[o] + int V[u] V[o]' turns the tree with either as its root into the other.

Further conditions follow from three that hold (`follows`): by the same product rule within a tree, from the moments of the last row, or from a
simplifying assumption, whose equations are then imposed too:

- C(2): every slow node above one leaf is half the square of the abscissa at the ends of all stages;
- proportional C(2): for the second slow partition the difference is that for the first times a constant, so that a condition with such a node of the
  second color below a slow one follows from those with the first color and with two leaves in its place;
- D(1): sum_i b_i a_ij = b_j (1 - c_j), for a slow child of a root of any color.

For an L-stable implicit partition R(oo) = 0 is one more equation, and |R(iy)| <= 1 is proved for all tables within the radius (implicit/stability.py).

The equations are the conditions of one tree of each kind; Krawczyk's operator encloses a solution as for pairs (design.py).
"""

import hashlib
import json
from fractions import Fraction as F
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace

from . import fields, listed, number, object_without_doubles, require, text, trees, whole
from .ball import UNIT, Ball
from .implicit.stability import require_bounded, stability_function
from .inverse import deviation, rounded
from .method import NUMBER
from .pair import Slope

FIELDS = ("format", "method", "table", "order", "conditions", "solution", "radius", "residual", "contraction")
FAST = trees.COLORS["f"]
#: The colors of the slow partitions: the first, and an implicit one beside an explicit one; and their positions.
SLOW = {"s": trees.COLORS["s"], "i": 2}
PARTITIONS = {color: part for part, color in enumerate(SLOW.values())}
HIGHEST_ORDER = 6
#: The stated stability of the implicit slow partition without the fast part.
STABILITIES = ("A-stable", "L-stable")
ASSUMPTIONS = ("C(2)", "proportional C(2)", "D(1)")


def check(certificate, arguments):
    """Lists the completed checks, line by line."""
    fields(certificate, FIELDS, ("embedded_order", "stability", "assumption", "embedded_conditions"))
    name = text(certificate["method"], "the method")
    method = Method(method_file(name, arguments))
    require(method.id == name, f"the certificate is about {name}, the file is {method.id}")
    require(certificate["table"] == method.digest(), f"the certificate is about another table: this one is {method.digest()}")
    order = whole(certificate["order"], "the order")
    require(1 <= order <= HIGHEST_ORDER, "no order from 1 to 6")
    require(method.claims.get("order") == order, "the method claims another order")
    embedded = certificate.get("embedded_order")
    is_order = embedded is None or 1 <= whole(embedded, "the embedded order") <= order
    require(is_order, "an embedded order that is not from 1 to the order")
    require(method.claims.get("embedded_order") == embedded, "the method claims another embedded order")
    require((method.embedded is None) == (embedded is None), "an embedded row without an order, or an order without it")
    form = Form(method)
    x = form.unknowns(method)
    yield "all stages are internally consistent: checked"
    colors = {"f": FAST, **dict(list(SLOW.items())[: len(method.slow)])}
    conditions = [trees.parse(text(tree, "a condition"), colors) for tree in listed(certificate["conditions"], "the conditions")]
    assumption = certificate.get("assumption")
    require(assumption is None or assumption in ASSUMPTIONS, "an unknown assumption")
    if assumption == "proportional C(2)":
        require(len(form.implicit) == 2 and not form.implicit[0], "no explicit partition before the implicit one")
    imply_all(conditions, order, len(colors), form.last_row(order), assumption)
    yield f"all conditions up to order {order} follow from {len(conditions)}{f' and {assumption}' if assumption else ''}: checked"
    is_expected = "embedded_conditions" not in certificate or (embedded is not None and assumption is not None)
    require(is_expected, "conditions on the embedded row without an assumption or a row")
    lower = []
    if embedded is not None:
        lower = [tree for tree in conditions if trees.order(tree) <= embedded]
        if "embedded_conditions" in certificate:
            lower = [trees.parse(text(tree, "a condition"), colors) for tree in listed(certificate["embedded_conditions"], "the conditions")]
        # D(1) is about the last row, C(2) about those that it shares with the embedded one.
        imply_all(lower, embedded, len(colors), form.last_row(embedded), None if assumption == "D(1)" else assumption)
    form.assumption = assumption
    stability = certificate.get("stability")
    require(stability is None or stability in STABILITIES, "an unknown stability")
    require(stability is None or any(form.implicit), "the stability of an implicit partition that there is not")
    form.is_damped = stability == "L-stable"
    radius, residual, contraction = (number(certificate[field], f"the {field}") for field in ("radius", "residual", "contraction"))
    require(contraction <= F(1, 2), "the contraction stated is larger than 1/2")
    require(0 < radius <= F(float(100 * method.last_digit())), "the radius is no number up to a hundred units of the last digit")
    # The second stage of an explicit partition has the defect -c_2^2/2, by which the others are divided.
    require(assumption != "proportional C(2)" or x[0] > radius, "the second stage may be at the beginning of the step, so that nothing divides")
    solution = [decimal(entry) for entry in listed(certificate["solution"], "the solution")]
    require(len(solution) == len(x), f"the solution has {len(solution)} numbers; expected {len(x)}")
    missed = form.residuals(solution, conditions, lower, F(0), F(1))
    eps = max(map(abs, missed), default=F(0))
    require(eps <= residual, f"the equations miss {float(eps):.3e}, more than stated")
    yield f"the {form.equations} equations miss at most {float(residual):.1e}: checked"
    zero, one = Slope(Ball(0), {}), Slope(UNIT, {})
    ball = [Slope(Ball.of(entry, radius), {k: UNIT}) for k, entry in enumerate(x)]
    rows = [[entry.slopes.get(k, Ball(0)) for k in range(len(x))] for entry in form.residuals(ball, conditions, lower, zero, one)]
    require(0 < len(rows) <= len(x), "more equations than unknowns")
    within, found = deviation(rows)
    require(found <= contraction, f"the contraction is {float(found):.2e}, more than stated")
    distance = max(abs(a - b) for a, b in zip(x, solution)) + within([residual] * len(missed))
    require(distance <= radius, f"the radius is {float(distance):.4e}, larger than stated")
    yield f"a solution of them lies within {float(radius):.1e} of the table: checked"
    if stability is not None:
        part = form.implicit.index(True)
        require_stable(form.rows([Ball.of(entry, radius) for entry in x], Ball(0), UNIT)[0], part, order, form.is_damped)
        limit = " and R(oo) = 0" if form.is_damped else ""
        yield f"{stability} partition {method.slow[part]} alone, |R(iy)| <= 1{limit}: checked"


def require_stable(rows, part, order, is_damped):
    """Requires that a partition is stable for all tables within the bounds of their entries, if R(oo) = 0 where it is imposed."""
    size = len(rows) + 1
    matrix = slow_tableau(rows, part, Ball(0), size)
    require(all(matrix[j][j].mid > matrix[j][j].rad for j in range(1, size)), "a diagonal entry that may not be positive")
    # The last stage is the result.
    table = SimpleNamespace(stages=size, a=[matrix], b=[matrix[-1]])
    require_bounded(*stability_function(table, 0), order, is_damped)


def slow_tableau(rows, part, zero, size):
    """Returns the Runge-Kutta matrix of a slow partition without the fast part: the integrals of the forcing, and the corrections."""
    matrix = [[zero] * size]
    for start, _, forcing, correction in rows:
        row = list(matrix[start - 1])
        for k, power in enumerate(forcing[part]):
            for j, entry in enumerate(power):
                row[j] = row[j] + times(entry, F(1, k + 1))
        for j, entry in enumerate(correction[part]):
            row[j] = row[j] + entry
        matrix.append(row)
    return matrix


def times(x, factor):
    """Multiplies a fraction, a ball or a slope by a fraction."""
    if isinstance(x, Slope):
        by = Ball.of(factor)
        return Slope(x.value * by, {k: y * by for k, y in x.slopes.items()})
    return x * Ball.of(factor) if isinstance(x, Ball) else x * factor


def imply_all(conditions, order, colors, moments, assumption):
    """Requires that the conditions of all trees up to an order follow."""
    require(len(set(conditions)) == len(conditions), "a condition occurs twice")
    require(all(trees.order(tree) <= order for tree in conditions), "a condition of a higher order")
    everything = [tree for n in range(1, order + 1) for tree in trees.of_order(n, colors)]
    known = consequences(conditions, everything, moments, assumption)
    require(all(isinstance(normal(tree), int) or normal(tree) in known for tree in everything), "not all conditions follow")


def decimal(value):
    require(isinstance(value, str) and NUMBER.fullmatch(value), f"no decimal: {value!r:.40}")
    return F(value)


def method_file(name, arguments):
    if len(arguments) > 1:
        return Path(arguments[1])
    require("/" not in name and "\\" not in name, "the method is no id")
    here, name = Path(arguments[0]).resolve().parent, name + ".json"
    places = [here / name, here.parent.parent / "tableaus" / "multirate" / name]
    found = [place for place in places if place.is_file()]
    require(found, f"the method {name} is neither beside the certificate nor in ../../tableaus/multirate: give its file")
    return found[0]


class Row:
    def __init__(self, data, slow, written):
        fields(data, ("from", "interval"), ("forcing", "correction", "start", "drift"), "a row")
        self.start = int(data["from"])
        numbers = lambda values: [self.number(value, written) for value in values]
        self.interval = self.number(data["interval"], written)
        forcing, correction = (data.get(field, {}) for field in ("forcing", "correction"))
        require(set(forcing) <= set(slow) and set(correction) <= set(slow), "a row with another partition")
        self.forcing = [[numbers(row) for row in forcing.get(name, [])] for name in slow]
        self.correction = [numbers(correction.get(name, [])) for name in slow]
        self.combined = {field: numbers(data[field]) for field in ("start", "drift") if data.get(field)}

    @staticmethod
    def number(value, written):
        require(isinstance(value, str) and NUMBER.fullmatch(value.strip()), f"not read: {value!r:.40}")
        written.append(value.strip())
        return F(value)

    def lines(self, kind):
        yield f"{kind} {self.start} {self.interval}"
        for powers, correction in zip(self.forcing, self.correction):
            for row in powers:
                yield " ".join(["forcing", *map(str, row)])
            yield " ".join(["correction", *map(str, correction)])
        for field, row in self.combined.items():
            yield " ".join([field, *map(str, row)])


class Method:
    def __init__(self, file):
        with open(file, encoding="utf-8") as stream:
            data = json.load(stream, parse_float=str, parse_int=str, object_pairs_hook=object_without_doubles)
        require(isinstance(data, dict) and data.get("format") == "hemiola-multirate/1", f"{file} is no multirate method")
        self.slow = data["partitions"][1:]
        require(len(self.slow) in (1, 2), "not two or three partitions")
        self.id, self.written = data.get("id"), []
        row = lambda entry: Row(entry, self.slow, self.written)
        self.stages = [row(entry) for entry in data["stages"]]
        self.embedded = row(data["embedded"]) if "embedded" in data else None
        self.claims = {name: int(value) for name, value in data.get("claims", {}).items()}
        self.decimals = int(data["precision"]["decimals"]) if "precision" in data else None

    def digest(self):
        lines = ["hemiola-multirate-table/1"]
        for stage in self.stages:
            lines += stage.lines("stage")
        if self.embedded is not None:
            lines += self.embedded.lines("embedded")
        return "sha256:" + hashlib.sha256(("\n".join(lines) + "\n").encode()).hexdigest()

    def last_digit(self):
        return F(1, 10 ** (50 if self.decimals is None else self.decimals))


class Form:
    """The unknowns: abscissae c_2 .. c_s, for each slow partition the coefficients of all rows but those of the first column, then the
    corrections but those of the first column, with one diagonal entry, and the coefficients of the embedded row."""

    def __init__(self, method):
        self.starts = [row.start for row in method.stages]
        s = len(self.starts)
        require(self.starts in ([1] * s, list(range(1, s + 1))), "stages that start from various ones")
        self.powers = len(method.stages[0].forcing[0])
        self.implicit = [any(row) for row in method.stages[0].correction]
        self.has_embedded = method.embedded is not None
        self.assumption, self.is_damped, self.equations = None, False, 0
        self.widths = list(range(1, s + 1)) + ([s] if self.has_embedded else [])

    def unknowns(self, method):
        rows = method.stages + ([method.embedded] if self.has_embedded else [])
        abscissae = [F(0)]
        for row in method.stages:
            abscissae.append(abscissae[row.start - 1] + row.interval)
        require(abscissae[-1] == 1, "the step has another length")
        if self.has_embedded:
            last = method.stages[-1]
            require((last.start, last.interval) == (method.embedded.start, method.embedded.interval), "an embedded row of another length")
        diagonals = [row[1] if is_implicit else None for row, is_implicit in zip(method.stages[0].correction, self.implicit)]
        for row, width in zip(rows, self.widths):
            require(row.interval >= 0, "a negative interval")
            require(not any(map(any, row.combined.values())), "a start or a drift")
            for powers, correction, diagonal in zip(row.forcing, row.correction, diagonals):
                require(len(powers) == self.powers and all(len(power) == width for power in powers), "an implicit stage, or another degree")
                for k, power in enumerate(powers):
                    require(sum(power) == (row.interval if k == 0 else 0), "a stage is not internally consistent")
                if diagonal is None:
                    require(not any(correction), "corrections that the first stage has not")
                else:
                    require(len(correction) == width + 1 and correction[-1] == diagonal, "another diagonal entry")
                    require(sum(correction) == 0, "corrections that do not add up to zero")
        if self.has_embedded:
            require(method.embedded.correction == method.stages[-1].correction, "an embedded row with other corrections")
        found = abscissae[1:-1]
        for p, is_implicit in enumerate(self.implicit):
            found += [entry for row in method.stages for power in row.forcing[p] for entry in power[1:]]
            if is_implicit:
                found += [entry for row in method.stages for entry in row.correction[p][1:-1]] + [diagonals[p]]
        further = [method.embedded] if self.has_embedded else []
        return found + [entry for row in further for powers in row.forcing for power in powers for entry in power[1:]]

    def rows(self, x, zero, one):
        """Returns the rows of all stages and the embedded one, (start, interval, forcing, correction), and the abscissae."""
        rest = iter(x)
        c = [zero, *(next(rest) for _ in self.starts[1:]), one]
        intervals = [c[i + 1] - c[start - 1] for i, start in enumerate(self.starts)]
        starts = self.starts + ([self.starts[-1]] if self.has_embedded else [])
        intervals += [intervals[-1]] if self.has_embedded else []
        forcing = lambda e: [self.summing_to(intervals[e] if k == 0 else zero, take(rest, self.widths[e] - 1)) for k in range(self.powers)]
        s = len(self.starts)
        rows = [(start, interval, [], []) for start, interval in zip(starts, intervals)]
        for is_implicit in self.implicit:
            for e in range(s):
                rows[e][2].append(forcing(e))
            corrections = [take(rest, e) for e in range(s)] if is_implicit else []
            diagonal = take(rest, 1) if is_implicit else []
            for e in range(s):
                rows[e][3].append(self.summing_to(zero, corrections[e] + diagonal) if is_implicit else [])
        if self.has_embedded:
            rows[s][2].extend(forcing(s) for _ in self.implicit)
            rows[s][3].extend(rows[s - 1][3])
        return (rows[:s], rows[s:], c)

    def residuals(self, x, conditions, lower, zero, one):
        """Returns the residuals for the last stage, then those for the embedded row in its place."""
        rows, further, c = self.rows(x, zero, one)
        weights = Weights(rows, zero, one)
        found = weights.residuals(conditions) + weights.assumed(self.assumption, c)
        if self.is_damped:
            found.append(self.scaled_limit(rows, zero, one))
        if self.has_embedded:
            found += Weights(rows[:-1] + further, zero, one).residuals(lower)
        self.equations = len(found)
        return found

    def scaled_limit(self, rows, zero, one):
        """Returns R(oo) of the implicit partition times the product of its equal diagonal entries: the limits of the stages for z -> oo are v_1 = 1 and
        sum_j a_ij v_j = 0, and the last one is R(oo)."""
        size = len(rows) + 1
        a = slow_tableau(rows, self.implicit.index(True), zero, size)
        power, found = [one], [one]
        for i in range(1, size):
            total = zero
            for j in range(i):
                total = total - a[i][j] * found[j] * power[i - 1 - j]
            power.append(power[-1] * a[i][i])
            found.append(total)
        return found[-1]

    def last_row(self, order):
        """Returns the colors whose moments determine the last row, with its degree: it starts at the beginning, has no corrections, and conditions up
        to the order state all moments."""
        degree = self.powers - 1
        if self.starts[-1] != 1 or degree < 1 or degree + 2 > order:
            return {}
        return {color: degree for color, part in PARTITIONS.items() if part < len(self.implicit) and not self.implicit[part]}

    @staticmethod
    def summing_to(total, free):
        for entry in free:
            total = total - entry
        return [total, *free]


def take(rest, count):
    return [next(rest) for _ in range(count)]


class Weights:
    """Elementary weights: polynomials along each row, by recursion over the trees as they are."""

    def __init__(self, rows, zero, one):
        self.rows, self.zero, self.one, self.known = rows, zero, one, {}

    def product(self, x, y):
        found = [self.zero] * (len(x) + len(y) - 1)
        for i, a in enumerate(x):
            for j, b in enumerate(y):
                found[i + j] = found[i + j] + a * b
        return found

    def tree(self, tree):
        """Returns the polynomials along all rows, and the values at all stages."""
        if tree in self.known:
            return self.known[tree]
        color, children = tree
        self.known[tree] = self.above(color, [self.tree(child) for child in children])
        return self.known[tree]

    def above(self, color, below):
        """Returns the polynomials and the values of a root of a color above others."""
        along, ends = [], [self.zero]
        for e, (start, interval, forcing, correction) in enumerate(self.rows):
            jump = self.zero
            if color == FAST:
                slope = [interval]
                for polynomials, _ in below:
                    slope = self.product(slope, polynomials[e])
            else:
                part = PARTITIONS[color]
                total = lambda row: self.combined(row, [values for _, values in below])
                slope, jump = [total(power) for power in forcing[part]], total(correction[part])
            polynomial = [ends[start - 1]] + [times(entry, F(1, k + 1)) for k, entry in enumerate(slope)]
            end = jump
            for entry in polynomial:
                end = end + entry
            along.append(polynomial)
            ends.append(end)
        return along, ends

    def combined(self, row, below):
        """Sums the products of values at the stages with the entries of a row."""
        total = self.zero
        for j, entry in enumerate(row):
            for values in below:
                entry = entry * values[j]
            total = total + entry
        return total

    def assumed(self, assumption, c):
        """Returns the residuals of an assumption."""
        half = lambda x: times(x, F(1, 2))
        slow = [color for color, part in PARTITIONS.items() if part < len(self.rows[0][2])]
        found = []
        if assumption in ("C(2)", "proportional C(2)"):
            ends = [self.tree((color, ((FAST, ()),)))[1] for color in slow]
            defects = [[values[j] - half(c[j] * c[j]) for j in range(1, len(self.rows))] for values in ends]
            if assumption == "C(2)":
                return sum(defects, [])
            first = defects[0]
            return [other[j] * first[0] - other[0] * first[j] for other in defects[1:] for j in range(1, len(first))]
        if assumption == "D(1)":
            columns = max(len(row) for _, _, forcing, correction in self.rows for row in [*sum(forcing, []), *correction])
            for j in range(1, columns):
                unit = [[self.zero]] * len(self.rows), [self.one if i == j else self.zero for i in range(len(self.rows) + 1)]
                for color in slow:
                    b = self.above(color, [unit])[1][-1]
                    child = self.above(color, [unit])
                    found += [self.above(root, [child])[1][-1] - (b - b * c[j]) for root in [FAST, *slow]]
        return found

    def residuals(self, conditions):
        return [self.tree(tree)[1][-1] - times(self.one, F(1, trees.density(tree))) for tree in conditions]


def worst_residuals(file):
    """Returns the largest residual of all trees up to the claimed order, and that of the embedded row, with 70 decimals between the trees."""
    method = Method(file)
    found = []
    for rows, claim in ((method.stages, "order"), (method.stages[:-1] + [method.embedded], "embedded_order")):
        if claim in method.claims:
            weights = RoundedWeights([(row.start, row.interval, row.forcing, row.correction) for row in rows], F(0), F(1))
            colors = 1 + len(method.slow)
            everything = [tree for n in range(1, method.claims[claim] + 1) for tree in trees.of_order(n, colors)]
            found.append(max(abs(residual) for residual in weights.residuals(everything)))
    return found


class RoundedWeights(Weights):
    def tree(self, tree):
        if tree not in self.known:
            along, ends = super().tree(tree)
            self.known[tree] = [[rounded(x, 70) for x in polynomial] for polynomial in along], [rounded(x, 70) for x in ends]
        return self.known[tree]


@lru_cache(maxsize=None)
def normal(tree):
    """Returns (color, leaves, subtrees with a slow inner node), or the power of the abscissa that the tree is."""
    color, children = tree
    below = [normal(child) for child in children]
    leaves = sum(entry for entry in below if isinstance(entry, int))
    shapes = tuple(sorted(entry for entry in below if not isinstance(entry, int)))
    if not shapes and (color == FAST or leaves == 0):
        return leaves + 1
    return color, leaves, shapes


def moved(shape, child):
    """Moves the root to a fast child."""
    _, leaves, shapes = shape
    others = list(shapes)
    others.remove(child)
    if others:
        return FAST, child[1], tuple(sorted((*child[2], (FAST, leaves, tuple(others)))))
    return FAST, child[1] + leaves + 1, child[2]


def same_condition(shape):
    """Returns all normal forms with the same condition: also those from which the root can be moved to this one."""
    if isinstance(shape, int):
        return set()
    found, left = {shape}, [shape]
    while left:
        shape = left.pop()
        for other in (*neighbors(shape), *before(shape)):
            if other not in found:
                found.add(other)
                left.append(other)
    return found


def neighbors(shape):
    return [moved(shape, child) for child in set(shape[2]) if shape[0] == FAST and child[0] == FAST]


def before(shape):
    """Returns the shapes with a root above leaves only whose one child is this root with fewer leaves."""
    color, leaves, shapes = shape
    return [(FAST, power - 1, ((FAST, leaves - power, shapes),)) for power in range(1, leaves + 1) if color == FAST]


def consequences(conditions, everything, moments, assumption):
    """Returns the normal forms of all trees whose conditions follow from those of some trees."""
    known = {shape for tree in conditions for shape in same_condition(normal(tree))}
    left = {normal(tree) for tree in everything} - known
    while True:
        new = {shape for shape in left if not isinstance(shape, int) and follows(shape, known, moments, assumption)}
        if not new:
            return known
        for shape in new:
            known |= same_condition(shape)
        left -= known


def follows(shape, known, moments, assumption):
    """Returns whether a condition follows from known ones."""
    holds = lambda other: isinstance(other, int) or other in known
    color, leaves, shapes = shape
    if any(all(map(holds, others)) for others in products(shape)):
        return True
    if assumption == "C(2)" and any(holds(halved) for halved, _ in exchanged(shape, set(SLOW.values()))):
        return True
    if assumption == "proportional C(2)" and any(all(map(holds, others)) for others in exchanged(shape, {SLOW["i"]})):
        return True
    if assumption == "D(1)" and leaves == 0 and len(shapes) == 1 and shapes[0][0] != FAST:
        child = shapes[0]
        if holds(child) and holds(joined(child[0], child[1] + 1, child[2])):
            return True
    if color != FAST:
        return False
    for child in set(shapes):
        degree = moments.get(child[0]) if child[1:] == (1, ()) else None
        if degree is None or not all(holds(moment) for moment in moments_of(child, degree)):
            continue
        others = list(shapes)
        others.remove(child)
        if holds(joined(FAST, leaves + 2, others)):
            return True
    return False


def moments_of(child, degree):
    """Returns the conditions on the moments of p(t) = sum_j g_j(t) c_j for a polynomial of a degree."""
    return [child] + [(FAST, leaves, (child,)) for leaves in range(degree)]


def joined(color, leaves, shapes):
    """Returns the normal form of a root above leaves and shapes."""
    if not shapes and (color == FAST or leaves == 0):
        return leaves + 1
    return color, leaves, tuple(sorted(shapes))


def rebuilt(shape, child, replaced):
    """Returns a shape with entries, powers or shapes, in place of a child."""
    color, leaves, shapes = shape
    others = list(shapes)
    others.remove(child)
    leaves += sum(entry for entry in replaced if isinstance(entry, int))
    return joined(color, leaves, others + [entry for entry in replaced if not isinstance(entry, int)])


def products(shape):
    """Returns pairs of shapes: a fast node below the root with a fast child w = f[W] and other children O is V[w] V[f[O]] without V[f[W, f[O]]]."""
    for child in set(shape[2]):
        if child[0] == FAST:
            for inner in {inner for inner in child[2] if inner[0] == FAST}:
                others = list(child[2])
                others.remove(inner)
                rest = joined(FAST, child[1], others)
                power, further = (rest, []) if isinstance(rest, int) else (0, [rest])
                moved = joined(FAST, inner[1] + power, [*inner[2], *further])
                yield rebuilt(shape, child, [inner, rest]), rebuilt(shape, child, [moved])
        for pair in products(child):
            yield tuple(rebuilt(shape, child, [entry]) for entry in pair)


def exchanged(shape, colors):
    """Returns pairs of shapes: with two leaves in place of a slow node of some colors above one leaf, below a slow node, and with such a node of the
    first slow color."""
    for child in set(shape[2]):
        if shape[0] != FAST and child[0] in colors and child[1:] == (1, ()):
            yield rebuilt(shape, child, [2]), rebuilt(shape, child, [(SLOW["s"], 1, ())])
        for pair in exchanged(child, colors):
            yield tuple(rebuilt(shape, child, [entry]) for entry in pair)
