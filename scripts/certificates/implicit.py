"""Certificates of diagonally implicit methods: a method with exactly the claimed properties lies within the last decimals.

The unknowns are coefficients, each with all its positions; all others are as written. Krawczyk's operator encloses a solution of the
equations stated. The conditions of all colored trees follow by these rules, where c are the abscissae:

- weights that are the same unknowns make the color of the root irrelevant, equal abscissae that of leaves;
- where A c = c^2/2 holds for a partition, a node of it with one leaf is half of two leaves. Elsewhere it is so below nodes whose
  vector vanishes there; if only one stage is left and both trees are conditions, this vector vanishes;
- if b A - b (1 - c) is orthogonal, by conditions, to vectors that span all stages, it vanishes, and of b v, b A v and b (c v) two
  conditions imply the third; otherwise embedded weights may lie on the line from the weights along it;
- the weights are the last row of a stiffly accurate partition, whose abscissa is one.

R vanishes at infinity, and |R(iy)| <= 1 for the enclosed method: |D|^2 - |N|^2 is a polynomial in t = y^2, divided by the power of t that
the order implies. It is positive by the signs of its Bernstein coefficients on [0, 1] and, with 1/t, on the rest.
"""

import re
from fractions import Fraction as F
from math import comb
from pathlib import Path

from . import Refused, fields, listed, number, require, text, trees, whole
from .ball import ONE, UNIT, ZERO, Ball
from .inverse import deviation
from .method import NUMBER, Method
from .pair import Slope, is_zero

FIELDS = ("format", "method", "table", "order", "stage_order", "unknowns", "equations", "solution", "radius", "residual", "contraction")
PLACE = re.compile(r"([sf])\.(a\[(\d+)\]|b|b_hat)\[(\d+)\]")
HIGHEST_ORDER = 5
DEEPEST = 60


def check(certificate, arguments):
    """Lists the completed checks, line by line."""
    fields(certificate, FIELDS, ("embedded_order",))
    name = text(certificate["method"], "the method")
    method = Method(method_file(name, arguments))
    require(method.id == name, f"the certificate is about {name}, the file is {method.id}")
    require(certificate["table"] == method.digest(), f"the certificate is about another table: this one is {method.digest()}")
    order = whole(certificate["order"], "the order")
    require(1 <= order <= HIGHEST_ORDER, "no order from 1 to 5")
    require(int(method.data["claims"].get("order", 0)) == order, "the method claims another order")
    embedded = certificate.get("embedded_order")
    require(method.claims.get("embedded_order") == embedded, "the method claims another embedded order")
    require(embedded is None or 1 <= whole(embedded, "the embedded order") <= order, "an embedded order above the order")
    form = Form(method, certificate["unknowns"])
    equations = [Equation(entry, form) for entry in listed(certificate["equations"], "the equations")]
    solution = [decimal(entry) for entry in listed(certificate["solution"], "the solution")]
    require(len(solution) == len(form.unknowns), f"the solution has {len(solution)} numbers; expected {len(form.unknowns)}")
    radius, residual, contraction = (number(certificate[field], f"the {field}") for field in ("radius", "residual", "contraction"))
    require(contraction <= F(1, 2), "the contraction stated is larger than 1/2")
    # A solution may be farther away than the last digit because all coefficients are rounded, and equations may be ill-conditioned.
    require(0 < radius <= method.last_digit() * 10**8, "the radius is beyond the last digits")
    near = form.table(solution, F(0), F(1), lambda x: x)
    eps = max((abs(equation.residual(near)) for equation in equations), default=F(0))
    require(eps <= residual, f"the equations miss {float(eps):.3e}, more than stated")
    yield f"{len(equations)} equations for {len(form.unknowns)} unknowns miss at most {float(residual):.1e}: checked"
    x = form.values
    ball = [Slope(Ball.of(entry, radius), {k: UNIT}) for k, entry in enumerate(x)]
    around = form.table(ball, Slope(ZERO, {}), Slope(UNIT, {}), lambda x: Slope(Ball.of(x), {}))
    rows = [[found.slopes.get(k, ZERO) for k in range(len(x))] for found in (equation.residual(around) for equation in equations)]
    require(0 < len(rows) <= len(x), "more equations than unknowns")
    reach, found = deviation(rows, len(x))
    require(found <= contraction, f"the contraction is {float(found):.2e}, more than stated")
    distance = max(abs(a - b) for a, b in zip(x, solution)) + 2 * reach * eps
    require(distance <= radius, f"the radius is {float(distance):.4e}, larger than stated")
    yield f"a solution of them lies within {float(radius):.1e} of the table: checked"
    balls = form.table([Ball.of(entry, radius) for entry in x], ZERO, UNIT, Ball.of)
    facts = Facts(form, equations, balls, order)
    for kind, highest in (("condition", order), ("embedded condition", embedded)):
        if highest is not None:
            count, used = facts.require_all(kind, highest)
            yield f"all {count} {kind}s up to order {highest} follow from {used}: checked"
    stage_order = whole(certificate["stage_order"], "the stage order")
    for part in form.implicit:
        label = form.names[part]
        if stage_order >= 2:
            require(not facts.fails(part) & set(form.evaluated[part]), f"no stage order two of the {label} partition")
            yield f"stage order two at the evaluations of the {label} partition: checked"
        require_stable(form, facts, balls, part, order)
        yield f"L-stable {label} partition, |R(iy)| <= 1 and R(oo) = 0: checked"
        limits = [kind for kind in ("bounded", "limit") if form.has_embedded and ("embedded " + kind, part, None) in facts.imposed]
        if limits:
            yield f"embedded weights of the {label} partition, R(oo) {'= 0' if 'limit' in limits else 'bounded'}: checked"


def decimal(value):
    require(isinstance(value, str) and NUMBER.fullmatch(value), f"no decimal: {value!r:.40}")
    return F(value)


def method_file(name, arguments):
    if len(arguments) > 1:
        return Path(arguments[1])
    require("/" not in name and "\\" not in name, "the method is no id")
    here, name = Path(arguments[0]).resolve().parent, name + ".json"
    found = [place for place in (here / name, here.parent.parent / "tableaus" / name) if place.is_file()]
    require(found, f"the method {name} is neither beside the certificate nor in ../../tableaus: give its file")
    return found[0]


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


class Equation:
    def __init__(self, entry, form):
        fields(entry, ("kind",), ("partition", "stage", "tree"), "an equation")
        self.kind, self.form = text(entry["kind"], "the kind of an equation"), form
        require(self.kind in KINDS, f"no equation: {self.kind!r:.40}")
        needed = KINDS[self.kind][1]
        fields(entry, ("kind", *needed), (), f"an equation of the kind {self.kind}")
        self.partition = self.stage = self.tree = None
        if "tree" in needed:
            self.tree = trees.parse(text(entry["tree"], "a tree"))
            require(colors(self.tree) <= set(range(form.count)), "a tree with another partition")
        if "partition" in needed:
            self.partition = trees.COLORS.get(text(entry["partition"], "a partition"), 2)
            require(self.partition < form.count, "another partition")
        if "stage" in needed:
            self.stage = whole(entry["stage"], "a stage", form.stages) - 1
            require(self.stage >= 0, "no stage")
        require(form.has_embedded or not self.kind.startswith("embedded"), "an equation of embedded weights without any")

    def key(self):
        return self.kind, self.partition, self.stage

    def residual(self, table):
        return KINDS[self.kind][0](self, table)


def colors(tree):
    return {tree[0]}.union(*(colors(child) for child in tree[1]))


def shared_abscissa(equation, table):
    return table.sum(table.a[equation.partition][equation.stage]) - table.sum(table.a[0][equation.stage])


def stage_order_two(equation, table):
    return second(table, equation.partition)[equation.stage]


def second(table, partition):
    """Returns 2 A c - c^2."""
    c = [table.sum(row) for row in table.a[partition]]
    pushed = table.times(partition, c)
    return [x + x - y * y for x, y in zip(pushed, c)]


def limits(table, partition, evaluated):
    """Returns the scaled limits of the implicit stages for z -> oo, and the function that gives products of diagonal entries."""
    a, implicit = table.a[partition], evaluated[1:]

    def product(first, last):
        found = table.one
        for k in range(first, last):
            found = found * a[implicit[k]][implicit[k]]
        return found

    found = []
    for i, stage in enumerate(implicit):
        value = -(a[stage][evaluated[0]] * product(0, i))
        for j in range(i):
            value = value - a[stage][implicit[j]] * found[j] * product(j + 1, i)
        found.append(value)
    return found, product


def at_infinity(table, partition, evaluated, row):
    """Returns the scaled factor of z in the sum of a row over the stages."""
    found, product = limits(table, partition, evaluated)
    total = row[evaluated[0]] * product(0, len(found))
    for j, value in enumerate(found):
        total = total + row[evaluated[j + 1]] * value * product(j + 1, len(found))
    return total


def limit(equation, table):
    found, _ = limits(table, equation.partition, equation.form.evaluated[equation.partition])
    return found[-1]


def bounded(equation, table):
    earlier = [j for j in equation.form.evaluated[equation.partition] if j < equation.stage]
    return at_infinity(table, equation.partition, earlier, table.a[equation.partition][equation.stage])


def embedded_bounded(equation, table):
    p = equation.partition
    return at_infinity(table, p, equation.form.evaluated[p], table.b_hat[p])


def embedded_limit(equation, table):
    """R(oo) of the embedded weights, scaled: stages are v + w/z, and v_i = 1 + sum a_ij w_j."""
    p = equation.partition
    evaluated, a, weights = equation.form.evaluated[p], table.a[p], table.b_hat[p]
    if equation.form.is_used((p, evaluated[0], evaluated[0])):
        evaluated = [None, *evaluated]
        implicit, found = evaluated[1:], [table.zero] * (len(evaluated) - 1)
        _, product = limits(table, p, [0, *implicit])
    else:
        implicit = evaluated[1:]
        found, product = limits(table, p, evaluated)
    w = []
    for i, stage in enumerate(implicit):
        value = product(0, i) * (found[i] - product(0, i + 1))
        for j in range(i):
            between = product(j + 1, i)
            value = value - a[stage][implicit[j]] * w[j] * a[stage][stage] * between * between
        w.append(value)
    count = len(implicit)
    total = product(0, count) * product(0, count)
    for j, value in enumerate(w):
        total = total + weights[implicit[j]] * value * product(j + 1, count) * product(j + 1, count)
    return total


KINDS = {
    "shared abscissa": (shared_abscissa, ("partition", "stage")),
    "stage order two": (stage_order_two, ("partition", "stage")),
    "bounded": (bounded, ("partition", "stage")),
    "limit": (limit, ("partition",)),
    "embedded bounded": (embedded_bounded, ("partition",)),
    "embedded limit": (embedded_limit, ("partition",)),
    "condition": (lambda equation, table: table.condition(equation.tree, table.b), ("tree",)),
    "embedded condition": (lambda equation, table: table.condition(equation.tree, table.b_hat), ("tree",)),
}


class Facts:
    """What follows from the equations: equal colors, conditions, and vectors that vanish at a stage."""

    def __init__(self, form, equations, balls, order):
        self.form, self.balls, self.order = form, balls, order
        self.imposed = {equation.key() for equation in equations}
        self.trees = {kind: [equation.tree for equation in equations if equation.kind == kind] for kind in ("condition", "embedded condition")}
        parts, stages = range(form.count), range(form.stages)
        alike = lambda name: all(form.same((0, name, j), (p, name, j)) for p in parts for j in stages)
        self.shares = {"condition": alike("b"), "embedded condition": form.has_embedded and alike("b_hat")}
        self.same_abscissae = all(self.shares_abscissa(p, i) for p in parts for i in stages)

    def shares_abscissa(self, p, i):
        is_alike = all(self.form.same((0, i, j), (p, i, j)) for j in range(self.form.stages))
        return is_alike or ("shared abscissa", p, i) in self.imposed

    def fails(self, p):
        """Returns the stages at which A c = c^2/2 is not known."""
        form, failing = self.form, set()
        conditions = {self.canonical(tree, "condition") for tree in self.trees["condition"]}
        first = set(self.first_trees(p))
        for i in range(form.stages):
            is_last = self.is_result(p, i) and first <= conditions
            is_zero_row = not any(form.is_used((p, i, j)) for j in range(form.stages))
            if not (("stage order two", p, i) in self.imposed or is_last or is_zero_row):
                failing.add(i)
        return failing

    def is_result(self, p, i):
        """Whether the row of a stage is the weights."""
        return all(self.form.same((p, i, j), (p, "b", j)) for j in range(self.form.stages))

    def first_trees(self, p):
        """Returns the trees of b e = 1 and b c = 1/2."""
        leaf = trees.node(p, ())
        return [self.canonical(tree, "condition") for tree in (leaf, trees.node(p, (leaf,)))]

    def canonical(self, tree, kind):
        children = tuple(self.canonical_below(child) for child in tree[1])
        return trees.node(0 if self.shares[kind] else tree[0], children)

    def canonical_below(self, tree):
        if not tree[1]:
            return (0 if self.same_abscissae else tree[0], ())
        return trees.node(tree[0], tuple(self.canonical_below(child) for child in tree[1]))

    def require_all(self, kind, order):
        """Derives the conditions of all trees up to an order; returns their number and that of the conditions imposed."""
        everything = {self.canonical(tree, kind) for n in range(1, order + 1) for tree in trees.of_order(n, self.form.count)}
        known = {self.canonical(tree, kind) for tree in self.trees[kind]}
        for p, i in ((p, i) for p in range(self.form.count) for i in range(self.form.stages)):
            leaf, second_tree = self.first_trees(p)
            if kind == "condition" and ("stage order two", p, i) in self.imposed and self.is_result(p, i) and leaf in known:
                known.add(second_tree)
        failing = [self.fails(p) for p in range(self.form.count)]
        vanishing, adjoint = set(), set()
        size = -1
        while size != len(known) + len(vanishing) + len(adjoint):
            size = len(known) + len(vanishing) + len(adjoint)
            for tree in everything:
                self.use_stage_order(tree, kind, failing, known, vanishing)
                for color in adjoint:
                    three = self.adjoint_trees(tree, color, kind)
                    if trees.order(tree) < order and len(known.intersection(three)) >= 2:
                        known.update(three)
            if size == len(known) + len(vanishing) + len(adjoint):
                adjoint.update(self.adjoint_colors(everything, known, kind, order) - adjoint)
        if kind == "embedded condition" and order < self.order and not everything <= known and self.are_on_a_line():
            known |= everything
        missing = everything - known
        require(not missing, f"no {kind} for {len(missing)} of {len(everything)} trees, such as {min(missing, default=None)}")
        count = sum(len(trees.of_order(n, self.form.count)) for n in range(1, order + 1))
        return count, len(self.trees[kind])

    def use_stage_order(self, tree, kind, failing, known, vanishing):
        """Replaces each node above one leaf by two leaves where this is known to be the same, or learns that a vector vanishes."""
        for other, bare, siblings, p in self.chains(tree, ()):
            other = self.canonical(other, kind)
            left = {i for i in failing[p] if self.reaches(bare, i, kind)}
            if all((bare, stage) in vanishing for stage in left):
                if tree in known or other in known:
                    known.update((tree, other))
            elif len(left) == 1 and not siblings and tree in known and other in known:
                (stage,) = left
                require(not second(self.balls, p)[stage].has_zero(), "a stage that may have order two")
                vanishing.add((bare, stage))

    def adjoint_trees(self, tree, color, kind):
        """Returns the trees of b v, b A v and b (c v) for the vector v below the root, with A of a color."""
        root, below = tree
        node = lambda children: self.canonical(trees.node(root, children), kind)
        return tree, node((trees.node(color, below),)), node((*below, (root, ())))

    def adjoint_colors(self, everything, known, kind, order):
        """Returns the colors with b A = b (1 - c): this difference is orthogonal to vectors that span all stages."""
        if not (self.shares[kind] and self.same_abscissae and kind == "condition"):
            return set()
        form, found = self.form, set()
        is_one = {i for i in range(form.stages) if any(self.is_result(p, i) for p in range(form.count)) and (0, ()) in known}
        for q in range(form.count):
            # Where c = 1, only A may differ from zero.
            support = [j for j in range(form.stages) if j not in is_one or any(form.is_used((q, i, j)) for i in range(form.stages))]
            low = [tree for tree in sorted(everything) if trees.order(tree) < order and known.issuperset(self.adjoint_trees(tree, q, kind))]
            vectors = [trees.psi(tree, self.balls, self.balls.known) for tree in low]
            rows = [[vector[j] for vector in vectors] for j in support]
            if len(vectors) >= len(support) and are_independent(rows):
                found.add(q)
        return found

    def are_on_a_line(self):
        """Whether embedded weights differ from the weights by a multiple of d = b A - b (1 - c).

        The conditions of the method make d orthogonal to the vectors of all conditions on embedded weights of lower order. Those imposed
        leave one direction for the difference, if they are as many as the stages but one, and independent.
        """
        if not (all(self.shares.values()) and self.same_abscissae):
            return False
        table, stages = self.balls, range(self.form.stages)
        support = [j for j in stages if self.form.is_used((0, "b", j)) or self.form.is_used((0, "b_hat", j))]
        vectors = [trees.psi(tree, table, table.known) for tree in self.trees["embedded condition"]]
        if len(vectors) != len(support) - 1 or not are_independent([[vector[j] for j in support] for vector in vectors]):
            return False
        b, c = table.b[0], [table.sum(row) for row in table.a[0]]
        for a in table.a:
            pushed = [table.sum(b[i] * a[i][j] for i in stages) for j in stages]
            difference = [x - y * (UNIT - z) for x, y, z in zip(pushed, b, c)]
            if any(not x.has_zero() for x in difference):
                return all(x.has_zero() for j, x in enumerate(difference) if j not in support)
        return False

    def chains(self, tree, path):
        """Lists the nodes above one leaf: the tree with two leaves instead, the way to the node above, its other children, the color.

        The way is that of the vector b A A ... at the node above, with the products of all branches before it.
        """
        color, children = tree
        for k, child in enumerate(children):
            rest = children[:k] + children[k + 1 :]
            if len(child[1]) == 1 and not child[1][0][1] and (self.same_abscissae or child[1][0][0] == child[0]):
                leaf = child[1][0]
                yield trees.node(color, (*rest, leaf, leaf)), (*path, color), rest, child[0]
            for other, bare, siblings, p in self.chains(child, (*path, color, rest)):
                yield trees.node(color, (*rest, other)), bare, siblings, p

    def reaches(self, bare, stage, kind):
        """Whether the vector at the end of a way may differ from zero at a stage."""
        name = "b" if kind == "condition" else "b_hat"
        color = bare[-1]
        if len(bare) == 1:
            # The root stands for all colors if they share their weights.
            return self.form.is_used((color, name, stage))
        return any(self.form.is_used((color, i, stage)) for i in range(self.form.stages))


def are_independent(rows):
    """Whether the rows of a matrix of balls are independent for all entries within their bounds."""
    try:
        return deviation(rows, len(rows[0]))[1] < 1
    except Refused:
        return False


def require_stable(form, facts, table, p, order):
    """Requires R(oo) = 0 and |R(iy)| <= 1 of a stiffly accurate partition."""
    stages = range(form.stages)
    last = form.evaluated[p][-1]
    is_accurate = all(form.same((p, last, j), (p, "b", j)) for j in stages)
    require(is_accurate, "weights that are not those of the last stage")
    is_explicit = not form.is_used((p, form.evaluated[p][0], form.evaluated[p][0]))
    require(not is_explicit or ("limit", p, None) in facts.imposed, "R(oo) = 0 is not imposed")
    for j in form.evaluated[p][int(is_explicit) :]:
        require(table.a[p][j][j].mid > table.a[p][j][j].rad, "a diagonal entry that may not be positive")
    numerator, denominator = stability_function(table, p)
    degree = max(k for k, x in enumerate(denominator) if not x.is_zero())
    require(all(x.has_zero() for x in numerator[degree:]), "R(oo) = 0 fails")
    numerator = numerator[:degree]
    found = added(squared_modulus(denominator), [-x for x in squared_modulus(numerator)])
    power = order // 2 + 1
    require(all(x.has_zero() for x in found[:power]), "|R(iy)| is not flat at zero")
    found = found[power:]
    while found and found[-1].is_zero():
        found.pop()
    is_stable = is_positive(found) and is_positive(found[::-1])
    require(is_stable, "|R(iy)| <= 1 is not proved")


def stability_function(table, p):
    """Returns N and D of R = N/D, by forward substitution over the product of all 1 - a_ii z."""
    a, stages = table.a[p], range(table.stages)
    factors = [[UNIT, -a[i][i]] for i in stages]

    def over(values, first):
        for factor in factors[first:]:
            values = times(values, factor)
        return values

    found, before = [], [UNIT]
    for i in stages:
        numerator = before
        for j in range(i):
            term = [ZERO] + [a[i][j] * x for x in found[j]]
            for factor in factors[j + 1 : i]:
                term = times(term, factor)
            numerator = added(numerator, term)
        found.append(numerator)
        before = times(before, factors[i])
    numerator = before
    for j in stages:
        numerator = added(numerator, over([ZERO] + [table.b[p][j] * x for x in found[j]], j + 1))
    return numerator, before


def times(p, q):
    product = [ZERO] * (len(p) + len(q) - 1)
    for i, x in enumerate(p):
        for k, y in enumerate(q):
            product[i + k] = product[i + k] + x * y
    return product


def added(p, q):
    size = max(len(p), len(q))
    return [(p[k] if k < len(p) else ZERO) + (q[k] if k < len(q) else ZERO) for k in range(size)]


def squared_modulus(p):
    """Returns |p(iy)|^2 as a polynomial in t = y^2."""
    even = [-x if k % 2 else x for k, x in enumerate(p[0::2])]
    odd = [-x if k % 2 else x for k, x in enumerate(p[1::2])]
    return added(times(even, even), [ZERO, *times(odd, odd)]) if odd else times(even, even)


def is_positive(p):
    """Proves p > 0 on [0, 1] by subdivision in the Bernstein basis, for all coefficients within their bounds."""
    n = len(p) - 1
    if n < 0:
        return True
    # Each Bernstein coefficient is a sum of coefficients with factors up to one, and later ones are their means.
    slack = F(sum(x.rad for x in p), ONE)
    middle = [F(x.mid, ONE) for x in p]
    bernstein = [sum(middle[k] * F(comb(i, k), comb(n, k)) for k in range(i + 1)) for i in range(n + 1)]
    waiting = [(bernstein, 0)]
    while waiting:
        b, depth = waiting.pop()
        if min(b) > slack:
            continue
        if b[0] <= slack or b[-1] <= slack or depth > DEEPEST:
            return False
        left, right, row = [b[0]], [b[-1]], b
        while len(row) > 1:
            row = [(x + y) / 2 for x, y in zip(row, row[1:])]
            left.append(row[0])
            right.append(row[-1])
        waiting += [(left, depth + 1), (right[::-1], depth + 1)]
    return True
