"""The equations of a certificate, for any numbers. Values at infinity are scaled by diagonal entries, without divisions."""

from .. import fields, require, text, trees, whole


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
