"""Dual-rate pairs by scipy, compared with hemiola. Prints the body of a report in Markdown.

The formulation is hemiola's: the entries of an explicit pair as unknowns, all order and coupling conditions (colored
trees) and the optimal polynomial of the fast partition as equations, half the squared principal error norm as objective, bounds
|x| ≤ 1, the same kind of random starts. All derivatives are analytic; trees of one size are evaluated together.

    design_search.py EACH ONE TEN

EACH is the output of the bench `search` of hemiola-design with `--each` on one thread, ONE its output for searches on one thread,
TEN for searches with ten seeds.
"""

import platform
import sys
import time
import warnings
from collections import defaultdict
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import combinations, count
from math import factorial, inf, prod, sqrt

import numpy as np
import scipy.linalg
from scipy.optimize import least_squares, minimize

SLOW, FAST = 0, 1

SIZES = {(2, 5, 2): 15.0, (3, 6, 3): 30.0, (4, 6, 4): 50.0, (4, 8, 4): 80.0}
"""Slow and fast evaluations and order, with the time limit of scipy in seconds."""
FEW = 36
"""Largest number of choices of slow stages that are all tried in turn; beyond it an even spread is taken."""
FEASIBLE = 1e-9
"""Largest residual of a method: far above the residuals of converged runs, far below those of others."""
NEAR = 1.01
"""Factor within which a norm counts as equal to the best."""
GOAL = 20
"""Target ratio for hemiola."""

RESTORATION = {"method": "trf", "xtol": 1e-14, "ftol": 1e-14, "gtol": 1e-14, "max_nfev": 200}
"""Five times as many evaluations satisfy the conditions for a quarter more starts, at four times the cost."""
DESCENT = {"maxiter": 200, "ftol": 1e-10}
"""Descents of 500 or 1500 iterations take longer and find no better methods."""
SCALE = 100.0
"""Scale of the objective, since SLSQP begins with a unit Hessian; it is faster and reaches smaller values with this scale."""
ROUNDS = 6
"""Number of successive descents, each with the independent conditions at the end of the previous one."""
WORTH_IT = 1e-3
"""Relative gain that justifies another descent."""
RANK = 1e-8
"""Fraction of the first diagonal element of R below which others are zero: the gap is from about 1e-3 to about 1e-15."""


# --- Trees -----------------------------------------------------------------------------------------------------------


class Trees:
    """Colored rooted trees up to a size. A tree is a color and a forest; a forest is its last tree and the rest."""

    def __init__(self, most):
        forests, by_size = [()], [[()]]
        sizes, gammas, sigmas = [], [], []
        for size in range(1, most + 1):
            for forest in by_size[size - 1] * 2:
                sizes.append(size)
                gammas.append(size * prod(gammas[t] for t in forest))
                repeated = prod(factorial(forest.count(t)) for t in set(forest))
                sigmas.append(repeated * prod(sigmas[t] for t in forest))
            by_size.append([
                (*rest, last)
                for last, last_size in enumerate(sizes)
                for rest in by_size[size - last_size]
                if not rest or rest[-1] <= last
            ])
            forests += by_size[size]
        number = {forest: k for k, forest in enumerate(forests)}
        of = lambda values, size: np.array([value for value, n in zip(values, sizes) if n == size], dtype=float)
        self.firsts = np.concatenate([[0], np.cumsum([len(level) for level in by_size])])
        # By size 0, 1, …: γ and σ of the trees, those with a slow root first, and the last tree and the rest of each forest.
        self.density = [of(gammas, size) for size in range(most + 1)]
        self.symmetry = [of(sigmas, size) for size in range(most + 1)]
        self.forests = [
            (np.array([f[-1] for f in level if f], dtype=int), np.array([number[f[:-1]] for f in level if f], dtype=int))
            for level in by_size
        ]


# --- Polynomials -----------------------------------------------------------------------------------------------------


def optimal_polynomial(stages, order):
    """Returns the coefficients β₀ … of the optimum for the imaginary axis if it has a closed form (Kinnmark & Gray 1984)."""
    k = stages - 1
    if order == 2 and stages % 2 == 1:
        weights, scale = {stages: 0.5, stages - 1: 1.0, stages - 2: 0.5}, k
    else:
        root = sqrt(k * k - 1)
        weights = {stages: (k - 1) / (2 * k), stages - 1: root / k, stages - 2: (k + 1) / (2 * k)}
        scale = root
    # V_k(w) = iᵏT_k(w/i), V_{k+1} = 2wV_k + V_{k−1}.
    v = [np.zeros(stages + 1) for _ in range(stages + 1)]
    v[0][0] = v[1][1] = 1.0
    for j in range(1, stages):
        v[j + 1] = 2 * np.roll(v[j], 1) + v[j - 1]
    return sum(weight * v[j] for j, weight in weights.items()) / float(scale) ** np.arange(stages + 1)


# --- The problem -----------------------------------------------------------------------------------------------------


class Problem:
    """Equations and objective of one size and one choice of slow stages.

    Without coefficients `beta` (β₀ … of the fast polynomial) it is that of the imaginary axis.
    """

    def __init__(self, fast, slow_stages, order, beta=None):
        self.stages, self.order, self.slow_stages = fast, order, slow_stages
        self.trees = Trees(order + 1)
        s = fast
        places = [(SLOW, i, j) for i in range(s + 1) for j in slow_stages if j < i]
        places += [(FAST, i, j) for i in range(s + 1) for j in range(i)]
        self.places = np.array(places)
        self.n = len(places)
        beta = (optimal_polynomial(s, order) if beta is None else beta)[order + 1 :]
        self.powers = np.arange(order + 1, s + 1)
        self.beta, self.scale = beta, np.abs(beta) ** -0.75
        self.expected = np.concatenate([1 / self.trees.density[n] for n in range(1, order + 1)])
        self.principal = 1 / self.trees.density[order + 1]
        self.weights = 1 / self.trees.symmetry[order + 1]
        # Sources of the last tree and the rest of each forest, as matrices that also scatter back.
        counts = np.diff(self.trees.firsts)
        self.slices = [slice(a, b) for a, b in zip(self.trees.firsts[:-1], self.trees.firsts[1:])]
        tree_firsts = np.concatenate([[0, 0], np.cumsum(2 * counts)])
        self.tree_slices = [slice(a, b) for a, b in zip(tree_firsts[:-1], tree_firsts[1:])]
        forests, trees = self.trees.firsts[order + 1], tree_firsts[order + 1]
        one_hot = lambda numbers, count: np.eye(count)[:, numbers]
        self.scatter = [
            (one_hot(last, trees), one_hot(rest, forests)) if len(last) else None
            for last, rest in self.trees.forests[: order + 1]
        ]

    def tableau(self, x):
        """Returns A and b of both partitions, as (s+1)×s arrays whose last row is b."""
        t = np.zeros((2, self.stages + 1, self.stages))
        t[self.places[:, 0], self.places[:, 1], self.places[:, 2]] = x
        return t

    def forests(self, a, most):
        """Returns Ψ of all forests and AΨ of all trees with fewer than `most` nodes (as rows)."""
        psi = np.empty((self.trees.firsts[most], self.stages))
        up = np.empty((self.tree_slices[most].start, self.stages))
        psi[0] = 1
        for size in range(1, most):
            below, own = psi[self.slices[size - 1]], self.tree_slices[size]
            up[own] = np.concatenate([below @ a[SLOW].T, below @ a[FAST].T])
            last, rest = self.trees.forests[size]
            psi[self.slices[size]] = psi[rest] * up[last]
        return psi, up

    def weights_of(self, psi, b, size):
        level = psi[self.slices[size - 1]]
        return np.concatenate([level @ b[SLOW], level @ b[FAST]])

    def residuals(self, x):
        """Returns Φ − 1/γ of all conditions, then the scaled residuals of the polynomial."""
        t = self.tableau(x)
        a, b = t[:, :-1], t[:, -1]
        psi, _ = self.forests(a, self.order)
        phi = np.concatenate([self.weights_of(psi, b, size) for size in range(1, self.order + 1)])
        tall = np.ones(self.stages)
        moments = []
        for power in range(1, self.stages + 1):
            if power > self.order:
                moments.append(b[FAST] @ tall)
            tall = a[FAST] @ tall
        return np.concatenate([phi - self.expected, (np.array(moments) - self.beta) * self.scale])

    def jacobian(self, x):
        """Returns the derivatives of the residuals by forward propagation of the tangents of all unknowns."""
        t = self.tableau(x)
        a, b = t[:, :-1], t[:, -1]
        psi, up = self.forests(a, self.order)
        s, n = self.stages, self.n
        color, row, column = self.places.T
        inner, outer = np.flatnonzero(row < s), np.flatnonzero(row == s)
        dpsi, dup = np.zeros((len(psi), s, n)), np.zeros((len(up), s, n))
        rows = []
        for size in range(1, self.order + 1):
            level, dlevel = psi[self.slices[size - 1]], dpsi[self.slices[size - 1]]
            count = len(level)
            drow = np.zeros((2 * count, n))
            for r in (SLOW, FAST):
                drow[r * count : (r + 1) * count] = np.tensordot(dlevel, b[r], axes=(1, 0))
                own = outer[color[outer] == r]
                drow[r * count : (r + 1) * count, own] += level[:, column[own]]
            rows.append(drow)
            if size == self.order:
                break
            moved = np.zeros((2 * count, s, n))
            for r in (SLOW, FAST):
                part = moved[r * count : (r + 1) * count]
                np.matmul(a[r], dlevel, out=part)
                own = inner[color[inner] == r]
                part[:, row[own], own] += level[:, column[own]]
            dup[self.tree_slices[size]] = moved
            last, rest = self.trees.forests[size]
            dpsi[self.slices[size]] = dpsi[rest] * up[last][:, :, None] + psi[rest][:, :, None] * dup[last]
        tall, dtall = np.ones(s), np.zeros((s, n))
        fast_inner, fast_outer = inner[color[inner] == FAST], outer[color[outer] == FAST]
        for power in range(1, s + 1):
            if power > self.order:
                drow = b[FAST] @ dtall
                drow[fast_outer] += tall[column[fast_outer]]
                rows.append(drow[None] * self.scale[power - self.order - 1])
            dtall = a[FAST] @ dtall
            dtall[row[fast_inner], fast_inner] += tall[column[fast_inner]]
            tall = a[FAST] @ tall
        return np.concatenate(rows)

    def objective(self, x):
        """Returns half the squared principal error norm and its gradient, by the reverse recursion."""
        t = self.tableau(x)
        a, b = t[:, :-1], t[:, -1]
        most = self.order + 1
        psi, up = self.forests(a, most)
        error = (self.weights_of(psi, b, most) - self.principal) * self.weights
        slope = (error * self.weights).reshape(2, -1)
        level = psi[self.slices[self.order]]
        gradient = np.zeros_like(t)
        gradient[:, -1] = slope @ level
        dpsi, dup = np.zeros_like(psi), np.zeros_like(up)
        dpsi[self.slices[self.order]] = slope.T @ b
        for size in range(self.order, 0, -1):
            last, rest = self.trees.forests[size]
            scatter_last, scatter_rest = self.scatter[size]
            own = dpsi[self.slices[size]]
            dup += scatter_last @ (own * psi[rest])
            dpsi += scatter_rest @ (own * up[last])
            below = psi[self.slices[size - 1]]
            moved = dup[self.tree_slices[size]].reshape(2, len(below), self.stages)
            for r in (SLOW, FAST):
                gradient[r, :-1] += moved[r].T @ below
                dpsi[self.slices[size - 1]] += moved[r] @ a[r]
        return error @ error / 2, gradient[tuple(self.places.T)]

    def norm(self, x):
        return sqrt(2 * self.objective(x)[0])


# --- The search ------------------------------------------------------------------------------------------------------


def slow_stage_choices(slow, fast):
    choices = list(combinations(range(fast), slow))
    if len(choices) <= FEW:
        return choices
    return [tuple((2 * k * (fast - 1) + slow - 1) // (2 * (slow - 1)) for k in range(slow))]


def random_start(problem, index):
    """Returns starts like hemiola's with other random numbers: nearly a chain, slow stages spread over the step, three sizes of noise."""
    partition, row, column = problem.places.T
    s, slow = problem.stages, len(problem.slow_stages)
    chain = np.where(column + 1 == row, 0.45, np.where(column == 0, 0.1, 0.0))
    fast_part = np.where(row == s, 1 / s, chain)
    slow_part = np.where(row == s, 1 / slow, row / (s * slow))
    noise = 0.12 * (1 + index % 3) * np.random.default_rng([1, index]).normal(size=problem.n)
    return np.where(partition == FAST, fast_part, slow_part) + noise


def restored(problem, x, is_bounded):
    """Returns a point where all conditions hold, by least squares from a point nearby, or `None`."""
    if is_bounded:
        # The reflective method starts strictly inside.
        x = np.clip(x, -0.999, 0.999)
    bounds = (-1, 1) if is_bounded else (-np.inf, np.inf)
    found = least_squares(problem.residuals, x, problem.jacobian, bounds=bounds, **RESTORATION)
    return found.x if np.abs(found.fun).max() < FEASIBLE else None


def descended(problem, x):
    """Runs SLSQP on the conditions that are independent at a point; it fails immediately on dependent ones."""
    _, r, pivots = scipy.linalg.qr(problem.jacobian(x).T, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(r))
    rows = pivots[: np.sum(diagonal > RANK * diagonal[0])]
    constraints = {
        "type": "eq",
        "fun": lambda x: problem.residuals(x)[rows],
        "jac": lambda x: problem.jacobian(x)[rows],
    }
    bounds = [(-1, 1)] * problem.n

    def scaled(x):
        value, gradient = problem.objective(x)
        return SCALE * value, SCALE * gradient

    found = minimize(scaled, x, jac=True, method="SLSQP", bounds=bounds, constraints=constraints, options=DESCENT)
    return found.x


def attempt(problem, start):
    """Returns whether a start leads to a solution of all conditions, the best point within the bounds and its norm."""
    x = restored(problem, start, is_bounded=False)
    if x is None:
        return False, None, inf
    best, point = inf, None
    for _ in range(ROUNDS):
        if np.abs(x).max() > 1:
            x = restored(problem, x, is_bounded=True)
            if x is None:
                break
        if problem.norm(x) < best:
            best, point = problem.norm(x), x
        x = descended(problem, x)
        if np.abs(problem.residuals(x)).max() > FEASIBLE:
            x = restored(problem, x, is_bounded=True)
            if x is None:
                break
        norm, before = problem.norm(x), best
        if norm < best:
            best, point = norm, x
        if norm > before * (1 - WORTH_IT):
            break
    return True, point, best


# --- The comparison --------------------------------------------------------------------------------------------------


@dataclass
class Outcome:
    """Results of all starts of a size; times in seconds."""

    solved: int = 0
    norms: list = field(default_factory=list)
    time: float = 0.0

    def add(self, solved, norm, seconds):
        self.solved += solved
        self.norms.append(norm)
        self.time += seconds

    @property
    def starts(self):
        return len(self.norms)

    @property
    def found(self):
        return sum(norm < inf for norm in self.norms)

    def per_start(self):
        return self.time / self.starts

    def near(self, best):
        return sum(norm <= NEAR * best for norm in self.norms)

    def row(self, name, best):
        near = self.near(best)
        share = lambda part: f"{part} ({100 * part / self.starts:.0f} %)"
        cells = [name, self.starts, share(self.solved), share(self.found), duration(self.per_start())]
        cells += [duration(self.time / self.found) if self.found else "–", f"{min(self.norms):.6f}", share(near)]
        cells += [duration(self.time / near) if near else f"> {duration(self.time)}"]
        return " | ".join(map(str, cells))


def duration(seconds):
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"


def scipy_outcome(slow, fast, order, budget):
    """Runs starts in turn over the choices of slow stages, until the time limit."""
    problems = [Problem(fast, stages, order) for stages in slow_stage_choices(slow, fast)]
    outcome = Outcome()
    for index in count():
        problem = problems[index % len(problems)]
        begin = time.perf_counter()
        solved, _, norm = attempt(problem, random_start(problem, index))
        outcome.add(solved, norm, time.perf_counter() - begin)
        if outcome.time > budget:
            return outcome


def read(path):
    """Reads the starts of the bench by pair."""
    outcomes = defaultdict(Outcome)
    for line in open(path, encoding="utf-8"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 5 and cells[1].isdigit():
            pair, _, solved, norm, milliseconds = cells
            norm = inf if norm == "–" else float(norm)
            outcomes[pair].add(solved == "yes", norm, float(milliseconds.removesuffix(" ms")) / 1e3)
    return outcomes


def read_searches(path):
    """Reads the seconds for each start of a search by pair."""
    times = {}
    for line in open(path, encoding="utf-8"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 11 and cells[1].isdigit():
            times[cells[0]] = float(cells[6].removesuffix(" s")) / int(cells[3])
    return times


HEADER = """| pair | by | starts | conditions satisfied | and within the bounds | time per start | per method | best norm \
| within 1 % of the best | time to one of them |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"""


def compare(own, searches):
    """Prints the table; returns the rows of the ratios."""
    print(HEADER)
    lines = []
    for (slow, fast, order), budget in SIZES.items():
        pair = f"{slow}–{fast}"
        hemiola, other = own[pair], scipy_outcome(slow, fast, order, budget)
        best = min(hemiola.norms + other.norms)
        for name, outcome in (("hemiola", hemiola), ("scipy", other)):
            print(f"| {pair} | {outcome.row(name, best)} |", flush=True)
        lines.append(ratios(pair, hemiola, other, best, searches[pair]))
    return lines


def ratios(pair, hemiola, other, best, search):
    """Returns a row with scipy's times divided by hemiola's."""
    own, others = hemiola.near(best), other.near(best)
    # If scipy has found none of the best, its total time is a lower bound.
    exceeds = "" if others else "> "
    cells = [f"{other.per_start() / hemiola.per_start():.0f}", f"{other.per_start() / search:.0f}"]
    cells.append(f"{other.time / max(other.found, 1) / (hemiola.time / hemiola.found):.0f}")
    for seconds in (hemiola.per_start(), search):
        goal = other.time / max(others, 1) * own / (seconds * hemiola.starts)
        cells.append(f"{exceeds}{goal:.0f}")
    cells.append("yes" if goal >= GOAL else "no" if others or not own else "open")
    return f"| {pair} | {' | '.join(cells)} |"


BUDGETS = ", ".join(f"{seconds:.0f} s for {slow}–{fast}" for (slow, fast, _), seconds in SIZES.items())

NOTES = f"""Both solve the same problem: the entries of an explicit pair as unknowns; all order and coupling conditions and the optimal
polynomial of the fast partition, rows scaled by β^(−3/4), as equations; half the squared principal error norm as objective; bounds
|x| ≤ 1; the same kind of random starts, in turn over the same choices of slow stages (all of them up to {FEW}, else an even spread).
Derivatives are analytic on both sides. In numpy all trees of one size are evaluated together, the Jacobian by carrying
tangents along, the gradient of the objective by going back; one evaluation takes 0.02 to 0.4 ms.

scipy's SLSQP refuses dependent equations, and these are dependent (74 in 35 unknowns for 4–6). So a start is first brought to
all conditions by `least_squares` (trust region reflective); there a pivoted QR decomposition says which conditions are
independent, and SLSQP descends on those, with {SCALE:g} times the objective. What has drifted from the others is brought back,
and another descent follows, {ROUNDS} at most, as long as each gains {100 * WORTH_IT:g} %. Limits on iterations are those that gave the
best time to a good method in trials: {RESTORATION["max_nfev"]} evaluations of `least_squares`, {DESCENT["maxiter"]} iterations of SLSQP.

Both run on one thread and follow each start to its minimum, hemiola to eleven digits. Its searches rank starts after a few steps
and follow the best alone, which costs less: "in a search" takes their time for a start with the same share of good ones. A method
satisfies all conditions to {FEASIBLE:.0e} (hemiola: to rounding) and the bounds. The best norm is that of either; the time to a
method within 1 % of it is all time over the number of such methods. scipy has {BUDGETS}."""


def main():
    warnings.simplefilter("ignore")
    own, searches = read(sys.argv[1]), read_searches(sys.argv[2])
    packages = ", ".join(f"{name} {version(name)}" for name in ("scipy", "numpy"))
    print(f"Python {platform.python_version()}; {packages}.\n\n{NOTES}\n\n## Start by start, on one thread\n")
    lines = compare(own, searches)
    print("\nscipy's time over hemiola's:\n")
    print("| pair | start | start in a search | method | within 1 % | within 1 % in a search | at least 20 |")
    print("|---|--:|--:|--:|--:|--:|---|")
    print("\n".join(lines))
    print("\n## Searches of hemiola on one thread\n")
    print(open(sys.argv[2], encoding="utf-8").read().split("\n\n")[0])
    print("\n## Ten seeds on all threads\n")
    print(open(sys.argv[3], encoding="utf-8").read().strip())


if __name__ == "__main__":
    main()
