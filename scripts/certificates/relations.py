"""Proof that imposed conditions and assumptions imply all order conditions.

The residual of a condition is d(t) = gamma Phi(t) - 1; the residuals of an assumption are the entries of its vector at the stages where it
vanishes. A row l on the side of the weights (b, a path down from the root of a tree, D(1)) and a column r on the side of the stages (ones,
gamma Psi of a tree minus that of another) give a relation: the sum of l_j r_j Psi_j(F) over the stages is a combination of Phi(t) whose
constants cancel. If l_j or r_j is a residual at every stage, the sum is also a combination of residuals. Linear relations therefore hold
among all residuals, with coefficients that depend on the tableau. If the columns of the residuals that are not imposed are independent
for all tableaus of the ball, they vanish wherever the imposed residuals vanish.
"""

from fractions import Fraction as F

from . import trees
from .ball import UNIT, ZERO, Ball
from .pair import FAST, SLOW, difference, vector


class Left:
    """A row: its combination of paths, its entries, and the columns of its residuals."""

    def __init__(self, paths, at, columns, is_balanced):
        self.paths, self.at, self.columns, self.is_balanced = paths, at, columns, is_balanced
        self.order = max(length(path) for _, path in paths)


class Right:
    """A column: its combination of forests, their number of nodes, its entries, and the columns of its residuals."""

    def __init__(self, forests, order, at, columns):
        self.forests, self.order, self.at, self.columns = forests, order, at, columns


def length(path):
    return sum(1 + sum(trees.order(other) for other in others) for _, others in path)


def with_forest(path, forest):
    """Returns the tree of a path with a forest at its end."""
    for color, others in reversed(path):
        tree = trees.node(color, (*others, *forest))
        forest = (tree,)
    return tree


def all_follow(pair, order, everything, assumptions, conditions):
    """Returns whether all order conditions hold wherever the assumptions and the imposed conditions do, on a whole ball of tableaus."""
    known = {}
    index = {tree: k for k, tree in enumerate(everything)}
    columns, count = [], len(everything)
    for assumption in assumptions:
        own = [None] * pair.stages
        for stage in assumption.stages:
            own[stage], count = count, count + 1
        columns.append(own)
    imposed = {index[tree] for tree in conditions}
    for assumption, own in zip(assumptions, columns):
        imposed |= {own[stage] for stage in assumption.imposed}
    open_columns = [k for k in range(count) if k not in imposed]
    forests = sorted((f for n in range(order) for f in trees.forests(n)), key=lambda f: sum(map(trees.order, f)))
    tools = pair, order, index, known, forests
    lefts = assumed_lefts(tools, assumptions, columns) + paths(tools, assumptions, columns)
    rights = assumed_rights(tools, assumptions, columns)
    rows = relations(tools, lefts, rights, assumptions, columns)
    return are_independent(rows, set(open_columns))


def relations(tools, lefts, rights, assumptions, columns):
    """Yields the relations, short ones first, since they reduce the elimination."""
    pair, order, index, known, forests = tools
    yield from ends(pair, assumptions, columns)
    yield from shared_weights(pair, assumptions, columns)
    sized = [(sum(map(trees.order, forest)), forest) for forest in forests]
    for right in rights:
        for left in lefts:
            used = left.order + right.order
            if used > order or right.order == 0 and not left.is_balanced or not vanishes(left, right):
                continue
            for size, rest in sized:
                if used + size <= order:
                    yield product(left, right, rest, trees.psi_of_forest(rest, pair, known), index)


def vanishes(left, right):
    rows = zip(left.at, right.at, left.columns, right.columns)
    return all(l.is_zero() or r.is_zero() or i is not None or k is not None for l, r, i, k in rows)


def product(left, right, rest, rest_at, index):
    row = {}
    for l, r, i, k, at in zip(left.at, right.at, left.columns, right.columns, rest_at):
        if l.is_zero() or r.is_zero():
            continue
        column, factor = (k, l) if k is not None else (i, r)
        row[column] = row.get(column, ZERO) + factor * at
    for sign, path in left.paths:
        for coefficient, forest in right.forests:
            tree = with_forest(path, (*forest, *rest))
            share = Ball.of(F(sign, trees.density(tree))) * coefficient
            row[index[tree]] = row.get(index[tree], ZERO) - share
    return {k: x for k, x in row.items() if not x.is_zero()}


def assumed_lefts(tools, assumptions, columns):
    pair, _, _, known, _ = tools
    found = []
    for assumption, own in zip(assumptions, columns):
        root = lambda r: ((r, ()),)
        below = lambda r, q: ((r, ()), (q, ()))
        b, a = assumption.colors.get("b"), assumption.colors.get("a")
        if assumption.kind == "weights":
            spines = [(1, below(b, a)), (-1, root(a)), (1, ((a, (trees.node(FAST, ()),)),))]
        elif assumption.kind == "matrices":
            spines = [(1, below(b, SLOW)), (-1, below(b, FAST))]
        elif assumption.kind == "shared weights":
            spines = [(1, root(SLOW)), (-1, root(FAST))]
        else:
            continue
        found.append(Left(spines, vector(assumption, pair, known), own, True))
    return found


def paths(tools, assumptions, columns):
    """Returns every path down from a root; weights and weighted columns assumed to vanish are residuals of their paths."""
    pair, order, _, known, forests = tools
    found = [(((r, ()),), pair.b[r]) for r in (SLOW, FAST)]
    nowhere = [None] * pair.stages
    zero = {}
    for assumption, own in zip(assumptions, columns):
        b, a = assumption.colors.get("b"), assumption.colors.get("a")
        if assumption.kind == "zero weights":
            zero[((b, ()),)] = own
        elif assumption.kind == "weighted columns":
            zero[((b, (trees.node(FAST, ()),)), (a, ()))] = own
    lefts = []
    for path, at in found:
        own = zero.get(path, nowhere)
        lefts.append(Left([(1, path)], at, own, False))
        for others in forests:
            if length(path) + sum(map(trees.order, others)) + 2 > order:
                break
            hung = [x * y for x, y in zip(at, trees.psi_of_forest(others, pair, known))]
            for q in (SLOW, FAST):
                longer = (*path[:-1], (path[-1][0], others), (q, ()))
                found.append((longer, pair.transposed_times(q, hung)))
    return lefts


def assumed_rights(tools, assumptions, columns):
    pair, _, _, known, _ = tools
    found = [Right([(UNIT, ())], 0, [UNIT] * pair.stages, [None] * pair.stages)]
    scaled = lambda factor, tree: (factor * Ball.of(F(trees.density(tree))), tree[1])
    for assumption, own in zip(assumptions, columns):
        of = assumption.trees
        if assumption.kind == "stages":
            forests = [scaled(UNIT, of["left"]), scaled(-UNIT, of["right"])]
        elif assumption.kind == "proportional":
            x, y = (difference(of[name], of["base"], pair, known)[assumption.pivot] for name in ("left", "right"))
            forests = [scaled(y, of["left"]), scaled(-x, of["right"]), scaled(x - y, of["base"])]
        else:
            continue
        found.append(Right(forests, trees.order(of["left"]) - 1, vector(assumption, pair, known), own))
    return found


def ends(pair, assumptions, columns):
    """Handles stages with an empty column of A: there D(1) means -b_j (1 - c_j) = 0, for all weights."""
    adjoint = [(a.colors["a"], own) for a, own in zip(assumptions, columns) if a.kind == "weights"]
    for k, (p, one) in enumerate(adjoint):
        for q, other in adjoint[:k]:
            for j in range(pair.stages):
                is_empty = all(row[j].is_zero() for a in (p, q) for row in pair.a[a])
                if is_empty and one[j] is not None and other[j] is not None:
                    u, v = (UNIT, UNIT) if p == q else (pair.b[q][j], pair.b[p][j])
                    yield {one[j]: u, other[j]: -v}


def shared_weights(pair, assumptions, columns):
    """Returns (b_s - b_f)_j where both weights are residuals or zero by structure."""
    shared = [own for a, own in zip(assumptions, columns) if a.kind == "shared weights"]
    zero = {a.colors["b"]: own for a, own in zip(assumptions, columns) if a.kind == "zero weights"}
    for own in shared[:1]:
        for j in range(pair.stages):
            row, is_whole = {own[j]: UNIT}, own[j] is not None
            for r, sign in ((SLOW, -UNIT), (FAST, UNIT)):
                if r in zero and zero[r][j] is not None:
                    row[zero[r][j]] = sign
                elif not pair.b[r][j].is_zero():
                    is_whole = False
            if is_whole:
                yield row


def are_independent(rows, columns):
    """Eliminates: if each column has a pivot that excludes zero, no matrix within the balls has a kernel."""
    pivots = {}
    for row in rows:
        row = {k: x for k, x in row.items() if k in columns}
        # The row of a pivot has no columns of earlier pivots, so one pass in the order of the pivots is enough.
        for k, pivot in pivots.items():
            entry = row.pop(k, None)
            if entry is not None and not entry.is_zero():
                for i, x in pivot.items():
                    row[i] = row.get(i, ZERO) - entry * x
        best = max(row, key=lambda k: abs(row[k].mid), default=None)
        if best is None or row[best].has_zero():
            continue
        head = row.pop(best)
        pivots[best] = {k: x.over(head) for k, x in row.items()}
        if len(pivots) == len(columns):
            return True
    return len(pivots) == len(columns)

