"""Embedded weights and dense output: vectors v with v Psi(t) = 1/gamma(t), or for a power of theta the same if t has as many nodes
and zero otherwise (Hairer, Norsett & Wanner 1993, Theorem II.6.1).

At a solution of the pair's equations the conditions of v are linear, with a matrix M of Psi. Let R be a right inverse of M, K a bound of
|I - M R| and eps a bound of the residuals of v, for all pairs of a ball. If K <= 1/2, a solution lies within 2 |R| eps of v. The last
power of theta has the coefficients of b minus those of all other powers.
"""

from fractions import Fraction as F

from . import fields, listed, relations, require, trees, whole
from .ball import UNIT, ZERO, Ball
from .inverse import deviation, rounded
from .pair import Pair, difference
from .residuals import HIGHEST_ORDER, how, largest, read_trees, require_small

STATED = {"with the pair": "conditions", "nothing": "decimals"}
WORDS = {"embedded": "embedded weights", "dense": "dense output"}


def read(certificate, name):
    """Reads the statements of a certificate about further weights, or None."""
    if name not in certificate:
        return None
    entry, of = certificate[name], f"the {WORDS[name]}"
    proved = entry.get("proved") if isinstance(entry, dict) else None
    require(isinstance(proved, str) and proved in STATED, f"{of} are proved in no way that is known: {proved!r:.40}")
    fields(entry, ("order", "proved", STATED[proved]), of=of)
    require(1 <= whole(entry["order"], "the order") <= HIGHEST_ORDER, "no order from 1 to 6")
    return entry


def expected(tree, power):
    return F(0) if power not in (None, trees.order(tree)) else F(1, trees.density(tree))


def check_the_others(certificate, method, proved):
    """Checks weights that are not part of an enclosure: exactly, or to some decimals."""
    for name in WORDS:
        entry = read(certificate, name)
        if entry is None or entry["proved"] == "with the pair" and proved == "enclosed":
            continue
        require(entry["proved"] == "nothing" or proved == "exact" and entry["conditions"] == [], "conditions that nothing is made of")
        vectors = method.further(name)
        require(vectors, f"the method has no {WORDS[name]}")
        status = {**entry, "proved": "exact" if entry["proved"] == "with the pair" else "nothing"}
        require_small(worst(method, vectors, entry["order"], name), status, f"the {WORDS[name]}")
        yield f"the conditions of the {WORDS[name]} up to order {entry['order']} hold {how(status)}: checked"


def worst(method, vectors, order, name):
    pair = Pair(method.a, method.b, F(0), F(1))
    known, found = {}, [F(0)]
    for tree in (tree for n in range(1, order + 1) for tree in trees.of_order(n, len(method.a))):
        at = trees.psi(tree, pair, known)
        found += [abs(pair.dot(weights[tree[0]], at) - expected(tree, power)) for weights, power in vectors]
        if name == "dense" and trees.order(tree) > len(vectors):
            found.append(F(1, trees.density(tree)))
    if name == "dense":
        for color, b in enumerate(method.b):
            found += [abs(sum(weights[color][j] for weights, _ in vectors) - b[j]) for j in range(len(b))]
    return max(found)


class Enclosed:
    """Checks the further weights that are proved with the pair: the distance of the solution, and the bounds."""

    def __init__(self, certificate, table, solution, assumptions, radius, beyond):
        self.table, self.solution, self.radius = table, solution, radius
        self.assumptions, self.order = assumptions, certificate["order"]
        self.residual, self.contraction, self.distance, self.count = F(0), F(0), F(0), 0
        self.entries = {}
        # All pairs within the radius of the table, and all pairs as close to the stated solution as the exact one.
        self.ball = self.with_copies(table.pair.ball(radius))
        self.near = self.with_copies(solution.pair.ball(beyond))
        for name in WORDS:
            entry = read(certificate, name)
            if entry is None or entry["proved"] != "with the pair":
                continue
            vectors = [k for k, (which, _, _) in enumerate(table.vectors) if which == name]
            require(vectors, f"the table has no {WORDS[name]} whose stages are known")
            is_dense = name == "dense"
            require(not is_dense or entry["order"] <= min(certificate["order"], len(vectors)), "a dense output of a higher order")
            lists = listed(entry["conditions"], "the conditions")
            require(len(lists) == len(vectors) - is_dense, "conditions of other vectors")
            conditions = [read_trees(value, entry["order"]) for value in lists]
            self.entries[name] = (entry["order"], list(zip(vectors, conditions)))
            farther = sum((self.enclose(k, trees_of_k) for k, trees_of_k in zip(vectors, conditions)), F(0))
            if is_dense:
                self.enclose_last(vectors, farther + beyond)

    def with_copies(self, pair):
        """Adds the last stages whose rows are b."""
        more = self.table.all_stages - pair.stages
        longer = lambda row: [*row, *[pair.zero] * more]
        a = [[longer(row) for row in part] + [longer(weights)] * more for part, weights in zip(pair.a, pair.b)]
        return Pair(a, [longer(weights) for weights in pair.b], pair.zero, pair.one)

    def enclose(self, k, conditions):
        """Bounds the distance of the exact weights of a vector from the stated ones."""
        (_, power, weights), (_, _, solved) = self.table.vectors[k], self.solution.vectors[k]
        known, beyond = {}, F(0)
        exact = self.with_copies(self.solution.pair)
        for color, own in enumerate(self.table.free(k)):
            of_color = [tree for tree in conditions if tree[0] == color]
            self.count += len(of_color)
            moved = max((abs(x - y) for x, y in zip(weights[color], solved[color])), default=F(0))
            self.distance = max(self.distance, moved)
            if not of_color:
                continue
            require(len(of_color) <= len(own), "more conditions than weights")
            matrix = [[trees.psi(tree, self.ball, known)[j] for j in own] for tree in of_color]
            within, contraction = deviation(matrix)
            require(contraction <= F(1, 2), f"the contraction of further weights is {float(min(contraction, F(10) ** 300)):.2e}")
            near = {}
            missed = [self.missed(tree, power, solved[color], near) for tree in of_color]
            at = {}
            stated = [exact.dot(solved[color], trees.psi(tree, exact, at)) - expected(tree, power) for tree in of_color]
            self.residual = max(self.residual, largest(stated))
            self.contraction = max(self.contraction, contraction)
            farther = within(missed)
            self.distance = max(self.distance, moved + farther)
            beyond = max(beyond, farther)
        return beyond

    def missed(self, tree, power, weights, known):
        """Bounds the residuals of the stated weights for all pairs near the stated one."""
        psi = trees.psi(tree, self.near, known)
        total = -Ball.of(expected(tree, power))
        for v, x in zip(weights, psi):
            if v and not x.is_zero():
                total = total + Ball.of(v) * x
        return F(total.largest(), UNIT.mid)

    def enclose_last(self, vectors, farther):
        """Returns the last power of theta: b minus all other powers."""
        last = vectors[-1]
        stated, solved = self.table.vectors[last][2], self.solution.vectors[last][2]
        for color, own in enumerate(self.table.free(last)):
            b = [*self.solution.pair.b[color], *[F(0)] * (self.table.all_stages - self.solution.pair.stages)]
            self.count += len(own)
            for j in own:
                left = b[j] - sum(self.solution.vectors[k][2][color][j] for k in vectors[:-1])
                self.residual = max(self.residual, abs(left - solved[color][j]))
                self.distance = max(self.distance, abs(left - stated[color][j]) + farther)

    def follow(self):
        """Checks that all other conditions follow; the pair determines the stages at which two Psi agree."""
        copies = list(range(self.table.pair.stages, self.table.all_stages))
        known = [Known(assumption, copies) for assumption in self.assumptions if assumption.kind in ("stages", "proportional")]
        for name, (order, vectors) in self.entries.items():
            everything = [tree for n in range(1, order + 1) for tree in trees.of_order(n)]
            for k, conditions in vectors:
                _, power, weights = self.table.vectors[k]
                free = self.table.free(k)
                entry = lambda color, j: Ball.of(weights[color][j], self.radius) if j in free[color] else ZERO
                b = [[entry(color, j) for j in range(self.table.all_stages)] for color in (0, 1)]
                pair, psi = Pair(self.ball.a, b, ZERO, UNIT), {}
                is_empty = lambda tree: expected(tree, power) == 0 and all(
                    x.is_zero() or v.is_zero() for x, v in zip(trees.psi(tree, pair, psi), b[tree[0]]))
                given = [*conditions, *filter(is_empty, everything)]
                for color in (0, 1):
                    space = Space(self, b[color], [tree for tree in conditions if tree[0] == color])
                    reach = space.reach(min(order, self.order))
                    given += [tree for tree in everything if tree[0] == color and trees.order(tree) <= reach]
                require(relations.all_follow(pair, order, everything, known, given), f"not all conditions of the {WORDS[name]} follow")
            yield f"the conditions of the {WORDS[name]} up to order {order} follow: checked"


class Space:
    """Independent differences of stages that fill their space.

    For trees t and u with n nodes, rho = gamma Psi(t) - gamma Psi(u) is orthogonal to every row on the side of the weights with at most
    p - n + 1 nodes: the dot product is a difference of conditions of the pair. On m stages k independent rows leave m - k dimensions. If v is
    orthogonal to that many independent differences, it is orthogonal to all of them.
    """

    def __init__(self, enclosed, v, conditions):
        self.pair, self.order, self.v, self.conditions = enclosed.ball, enclosed.order, v, conditions
        self.stages = range(enclosed.table.pair.stages)
        self.known = {}

    def reach(self, highest):
        """Returns the largest order up to which all conditions follow from one condition per order and the imposed ones."""
        return next((n for n in range(highest, 1, -1) if self.is_spanned(n)), 0)

    def is_spanned(self, order):
        base = {}
        for tree in self.conditions:
            base.setdefault(trees.order(tree), tree)
        if any(n not in base for n in range(1, order + 1)):
            return False
        rho = lambda tree: difference(tree, base[trees.order(tree)], self.pair, self.known)
        everything = [rho(tree) for n in range(1, order + 1) for tree in trees.of_order(n)]
        moved = [j for j in self.stages if any(not row[j].is_zero() for row in everything)]
        support = [j for j in moved if not self.v[j].is_zero()]
        rest = [j for j in moved if self.v[j].is_zero()]
        own = [rho(tree) for tree in self.conditions if trees.order(tree) <= order and base[trees.order(tree)] != tree]
        rows = [row for row in self.rows(self.order + 1 - order) if all(row[j].is_zero() for j in rest)]
        # If all are independent together, there are no other differences on the support.
        sparse = lambda row: {k: row[j] for k, j in enumerate(support) if not row[j].is_zero()}
        independent = independent_rows([sparse(row) for row in rows], len(support) - len(own))
        if independent is None:
            return False
        return relations.are_independent([*independent, *map(sparse, own)], set(range(len(support))))

    def rows(self, nodes):
        """Returns all rows with at most a given number of nodes: b, times Psi of a forest at each stage, times A, and so on."""
        forests = [(size, forest) for size in range(nodes) for forest in trees.forests(size)]
        queue, found = [(1, b) for b in self.pair.b], []
        for count, row in queue:
            for size, forest in forests:
                if count + size > nodes:
                    break
                hung = [x * y for x, y in zip(row, trees.psi_of_forest(forest, self.pair, self.known))]
                found.append(hung)
                if count + size < nodes:
                    queue += [(count + size + 1, self.pair.transposed_times(color, hung)) for color in (0, 1)]
        return found


def independent_rows(rows, count):
    """Returns a given number of rows with independent midpoints, or None."""
    basis, chosen = [], []
    for row in rows:
        if len(chosen) == count:
            break
        left = [F(row[j].mid, UNIT.mid) if j in row else F(0) for j in range(1 + max((k for r in rows for k in r), default=0))]
        size = max(map(abs, left), default=F(0))
        for pivot, other in basis:
            factor = left[pivot] / other[pivot]
            left = [rounded(x - factor * y, 90) for x, y in zip(left, other)]
        pivot = max(range(len(left)), key=lambda j: abs(left[j]))
        if abs(left[pivot]) > size / 10**6:
            basis.append((pivot, left))
            chosen.append(row)
    return chosen if len(chosen) == count else None


class Known:
    """Returns the statement of an assumption about stages; at a stage whose rows are the weights b, gamma Psi(t) is the order of t."""

    def __init__(self, assumption, copies):
        self.kind, self.trees, self.colors, self.pivot = assumption.kind, assumption.trees, assumption.colors, assumption.pivot
        self.stages = self.imposed = assumption.stages + copies
