"""Conditions that follow from equations."""

from .. import Refused, require, trees
from ..ball import UNIT
from ..inverse import deviation
from .equations import second


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
        for i in range(self.form.stages):
            # Weights that are rows of one stage have the same sum.
            leaves = {self.canonical((p, ()), kind) for p in range(self.form.count) if self.is_result(p, i)}
            if kind == "condition" and self.same_abscissae and leaves & known:
                known |= leaves
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
                # Otherwise both conditions may hold for any vector.
                if not second(self.balls, p)[stage].has_zero():
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
                return all(x.is_zero() for j, x in enumerate(difference) if j not in support)
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
        return deviation(rows)[1] < 1
    except Refused:
        return False
