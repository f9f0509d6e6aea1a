"""Embedded weights and dense output: vectors v with v Psi(t) = 1/gamma(t), or for the powers of theta that where t has as many nodes and
zero elsewhere (Hairer, Norsett & Wanner 1993, Theorem II.6.1).

At a solution of the pair's equations the conditions of v are linear, with a matrix M of Psi. With R a right inverse of M, K a bound of
|I - M R| and eps of what v misses, for all pairs of a ball: if K <= 1/2, a solution lies within 2 |R| eps of v. The coefficients of the
last power of theta are what the others leave of b.
"""

from fractions import Fraction as F

from . import fields, listed, relations, require, trees, whole
from .ball import UNIT, ZERO, Ball
from .inverse import deviation
from .pair import Pair
from .residuals import HIGHEST_ORDER, how, largest, read_trees, require_small

STATED = {"with the pair": "conditions", "nothing": "decimals"}
WORDS = {"embedded": "embedded weights", "dense": "dense output"}


def read(certificate, name):
    """What a certificate says of further weights, or None."""
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
    """Those that are not part of an enclosure: exactly, or to some decimals."""
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
    """The further weights that are proved with the pair: how far the solution is, and with which bounds."""

    def __init__(self, certificate, table, solution, assumptions, radius, beyond):
        self.table, self.solution, self.radius = table, solution, radius
        self.assumptions = assumptions
        self.residual, self.contraction, self.distance, self.count = F(0), F(0), F(0), 0
        self.entries = {}
        # All pairs within the radius of the table, and all that lie as near to the stated solution as the exact one does.
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
        """With the last stages whose rows are b."""
        more = self.table.all_stages - pair.stages
        longer = lambda row: [*row, *[pair.zero] * more]
        a = [[longer(row) for row in part] + [longer(weights)] * more for part, weights in zip(pair.a, pair.b)]
        return Pair(a, [longer(weights) for weights in pair.b], pair.zero, pair.one)

    def enclose(self, k, conditions):
        """How far beyond the stated ones the exact weights of a vector may be."""
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
            reach, contraction = deviation(matrix, len(own))
            near = {}
            missed = [self.missed(tree, power, solved[color], near) for tree in of_color]
            at = {}
            stated = [exact.dot(solved[color], trees.psi(tree, exact, at)) - expected(tree, power) for tree in of_color]
            self.residual = max(self.residual, largest(stated))
            self.contraction = max(self.contraction, contraction)
            farther = 2 * reach * max(missed)
            self.distance = max(self.distance, moved + farther)
            beyond = max(beyond, farther)
        return beyond

    def missed(self, tree, power, weights, known):
        """A bound of what the stated weights miss at all pairs near the stated one."""
        psi = trees.psi(tree, self.near, known)
        total = -Ball.of(expected(tree, power))
        for v, x in zip(weights, psi):
            if v and not x.is_zero():
                total = total + Ball.of(v) * x
        return F(total.largest(), UNIT.mid)

    def enclose_last(self, vectors, farther):
        """The last power of theta: what the others leave of b."""
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
        """All other conditions follow: stages at which two Psi agree are known from the pair."""
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
                require(relations.all_follow(pair, order, everything, known, given), f"not all conditions of the {WORDS[name]} follow")
            yield f"the conditions of the {WORDS[name]} up to order {order} follow: checked"


class Known:
    """What an assumption says of stages; at a stage whose rows are the weights b, gamma Psi(t) is the order of t."""

    def __init__(self, assumption, copies):
        self.kind, self.trees, self.colors, self.pivot = assumption.kind, assumption.trees, assumption.colors, assumption.pivot
        self.stages = self.imposed = assumption.stages + copies
