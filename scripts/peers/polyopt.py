"""Optimal stability polynomials by cvxpy and Clarabel, compared with hemiola. Prints the body of a report in Markdown.

The algorithm is that of RK-Opt's polyopt (Ketcheson & Ahmadia 2012, CAMCoS 7:247): bisection on the scale h, at each h the
polynomial of least deviation on samples of the spectrum, in a basis of Chebyshev polynomials scaled to the spectrum, with
the order conditions as equalities.

    polyopt.py TABLE

TABLE is the output of the bench `optimal` of hemiola-polynomial.
"""

import platform
import sys
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal, getcontext
from importlib.metadata import version
from math import factorial

import cvxpy as cp
import numpy as np

# Spectra, orders and numbers of stages; order three has no formula on the imaginary axis.
CASES = [
    ("imaginary", 2, (5, 10, 20, 40)),
    ("imaginary", 3, (5, 9, 21, 41)),
    ("real", 2, (5, 10, 20, 40, 50, 100)),
]
POINTS = 500
"""RK-Opt's number of samples."""
TOL_BISECT = 1e-7
"""Relative width of the last bracket: RK-Opt has 1e-3, which would dominate the error."""
TOL_FEASIBLE = 1e-7
"""Largest deviation that counts as zero: RK-Opt has 1e-9, below the accuracy of Clarabel, which costs feasible scales."""
CLAIMED = 1e-3
"""Relative error beyond which a limit of cvxpy is off: RK-Opt's bracket, the accuracy that it claims."""
OWN_CLAIM = 1e-9
"""Relative error beyond which a limit of hemiola is off."""
WRONG = 1e-2
"""Relative error beyond which a limit is no answer."""
GOAL = 300
"""Target ratio for hemiola."""
RUNS = 2
"""Number of runs of each kind; the fastest counts."""


def equal(count):
    """Returns points on [0, 1] at equal distances, as in RK-Opt."""
    return np.linspace(0, 1, count)


def clustered(spectrum):
    """Returns points spaced like the extrema of Chebyshev polynomials on the spectrum."""
    power = 2 if spectrum == "real" else 1
    return lambda count: np.sin(np.linspace(0, np.pi / 2, count)) ** power


def powers(spectrum, stages, order):
    """Returns the coefficients of z⁰ … zᵖ (rows) of the basis (columns): T_j(1 + 2z), or iʲ T_j(z/i), which is real."""
    basis = np.zeros((order + 1, stages + 1))
    basis[0, 0] = 1
    basis[:2, 1] = (1, 2) if spectrum == "real" else (0, 1)
    factor, sign = (4, -1) if spectrum == "real" else (2, 1)
    for j in range(1, stages):
        basis[:, j + 1] = sign * basis[:, j - 1] + (2 * basis[:, j] if spectrum == "real" else 0)
        basis[1:, j + 1] += factor * basis[:-1, j]
    return basis


def values(spectrum, stages, places):
    """Returns real and imaginary parts of the basis (columns) on the spectrum (rows)."""
    degrees = np.arange(stages + 1)
    if spectrum == "real":
        return np.cos(np.outer(np.arccos(1 - 2 * places), degrees)), None
    chebyshev = np.cos(np.outer(np.arccos(places), degrees)) * np.where(degrees // 2 % 2 == 0, 1, -1)
    even = degrees % 2 == 0
    return chebyshev * even, chebyshev * ~even


class LeastDeviation:
    """Minimizes max |R| − 1 on h times the spectrum. In a basis scaled with h, only the right-hand sides depend on h."""

    def __init__(self, spectrum, order, stages, places):
        real, imaginary = values(spectrum, stages, places)
        coefficients = cp.Variable(stages + 1)
        if imaginary is None:
            deviation = cp.norm_inf(real @ coefficients)
        else:
            deviation = cp.max(cp.norm(cp.vstack([real @ coefficients, imaginary @ coefficients]), 2, axis=0))
        # Rows are scaled to one size; otherwise Clarabel fails from 40 stages on.
        conditions = powers(spectrum, stages, order)
        self.sizes = np.abs(conditions).max(axis=1)
        self.exponential = cp.Parameter(order + 1)
        equalities = [conditions / self.sizes[:, None] @ coefficients == self.exponential]
        self.problem = cp.Problem(cp.Minimize(deviation - 1), equalities)
        assert self.problem.is_dcp(dpp=True)

    def solve(self, h, warm_start):
        """Returns the status and whether the scale is feasible; failures count as infeasible, as in RK-Opt."""
        self.exponential.value = np.array([h**k / factorial(k) for k in range(len(self.sizes))]) / self.sizes
        try:
            self.problem.solve(solver=cp.CLARABEL, warm_start=warm_start)
        except cp.error.SolverError:
            return "failed", False
        status = self.problem.status
        is_solved = status in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE)
        return status if is_solved else "failed", is_solved and self.problem.value <= TOL_FEASIBLE


@dataclass
class Answer:
    """The largest feasible scale, with statistics of the bisection."""

    limit: float = 0.0
    total: float = np.inf
    inside: float = np.inf
    statuses: Counter = field(default_factory=Counter)


def bisect(spectrum, order, stages, places, warm_start):
    """Bisects from the known bounds: s on the imaginary axis, 2.01 s² as in RK-Opt on the real one."""
    start = time.perf_counter()
    deviation = LeastDeviation(spectrum, order, stages, places)
    answer = Answer(inside=0.0)
    high = 2.01 * stages**2 if spectrum == "real" else float(stages)
    while high - answer.limit > TOL_BISECT * answer.limit and high > TOL_BISECT:
        h = (answer.limit + high) / 2
        status, is_feasible = deviation.solve(h, warm_start)
        answer.statuses[status] += 1
        answer.inside += deviation.problem.solver_stats.solve_time if status != "failed" else 0.0
        if is_feasible:
            answer.limit = h
        else:
            high = h
    answer.total = time.perf_counter() - start
    return answer


def fastest(*case):
    """Returns the fastest run; Clarabel's own time is for cold starts, because with warm ones it counts one setup at each solve."""
    warm, cold = ([bisect(*case, warm_start) for _ in range(RUNS)] for warm_start in (True, False))
    answer = min(warm + cold, key=lambda answer: answer.total)
    answer.inside = min(answer.inside for answer in cold)
    return answer


@dataclass
class Hemiola:
    """A row of the bench; times in seconds."""

    formula: str
    time: float
    limit: Decimal
    digits: Decimal
    is_proved: bool


def is_proof(gap):
    """Returns whether no polynomial exceeds the limit by one of the written digits."""
    return gap == "theorem" or gap not in ("–", "stable") and float(gap) < 1e-33


def read(path):
    """Returns the rows of the bench by spectrum, order and stages."""
    rows = {}
    for line in open(path, encoding="utf-8"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 10 and cells[2].isdigit() and cells[7] != "–":
            spectrum, order, stages, formula, solve, limit, _, digits, _, gap = cells
            seconds = float(solve.removesuffix(" ms")) / 1e3
            row = Hemiola(formula, seconds, Decimal(limit), Decimal(digits), is_proof(gap))
            rows[spectrum, int(order), int(stages)] = row
    return rows


def true_limit(spectrum, order, stages, hemiola):
    """Returns K = s − 1 for odd s, √(K² − 1) for even s (van der Houwen 1977; Kinnmark & Gray 1984); hemiola's 34 digits."""
    if (spectrum, order) != ("imaginary", 2):
        return hemiola.digits
    k = Decimal(stages - 1)
    return k if stages % 2 == 1 else (k * k - 1).sqrt()


def judged(error, claimed):
    """Returns a relative error and whether it exceeds the accuracy claimed."""
    return f"{float(error):+.0e}" + (", off" if abs(error) > claimed else "")


@dataclass
class Comparison:
    """Returns one row, and its counts for the summary."""

    case: tuple
    hemiola: Hemiola
    answer: Answer
    error: Decimal
    own_error: Decimal

    @property
    def breaks_down(self):
        return abs(self.error) > WRONG or self.answer.statuses["failed"] > 0

    @property
    def ratio(self):
        return self.answer.total / self.hemiola.time

    def row(self):
        answer, seconds = self.answer, self.hemiola.time
        ratios = ["breaks down"] * 2 if self.breaks_down else [f"{self.ratio:.0f}", f"{answer.inside / seconds:.0f}"]
        statuses = " / ".join(str(answer.statuses[name]) for name in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE, "failed"))
        times = [f"{answer.total * 1e3:.0f} ms", f"{answer.inside * 1e3:.0f} ms", f"{seconds * 1e3:.3f} ms"]
        own = judged(self.own_error, OWN_CLAIM) + (", proved" if self.hemiola.is_proved else "")
        limits = [f"{answer.limit:.9g}", judged(self.error, CLAIMED), statuses, own]
        return "| " + " | ".join([*map(str, self.case), self.hemiola.formula, *times, *ratios, *limits]) + " |"


HEADER = """| spectrum | order | stages | formula | cvxpy | Clarabel alone | hemiola | cvxpy / hemiola | Clarabel / hemiola \
| cvxpy's limit | its error | solved / inaccurate / failed | hemiola's error |
|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"""


def compare(rows, places_for):
    """Prints a table and its summary."""
    print(HEADER)
    comparisons = []
    for spectrum, order, numbers in CASES:
        for stages in numbers:
            case = (spectrum, order, stages)
            answer, hemiola = fastest(*case, places_for(spectrum)(POINTS)), rows[case]
            true = true_limit(*case, hemiola)
            error, own_error = Decimal(answer.limit) / true - 1, hemiola.limit / true - 1
            comparisons.append(Comparison(case, hemiola, answer, error, own_error))
            print(comparisons[-1].row(), flush=True)
    summary(comparisons)


def summary(comparisons):
    """Summarizes limits that are off, failures, and the smallest ratios, with formulas and without."""
    count = len(comparisons)
    own = sum(abs(comparison.own_error) > OWN_CLAIM for comparison in comparisons)
    other = sum(abs(comparison.error) > CLAIMED for comparison in comparisons)
    broken = sum(comparison.breaks_down for comparison in comparisons)
    print(
        f"\nOf {count} limits, {other} of cvxpy's are off by more than {CLAIMED:.0e}, {own} of hemiola's by more than {OWN_CLAIM:.0e}; "
        f"{broken} times cvxpy breaks down."
    )
    for name, is_formula in (("with a formula", True), ("without one", False)):
        answers = [c for c in comparisons if (c.hemiola.formula != "–") == is_formula and not c.breaks_down]
        least = min(answers, key=lambda comparison: comparison.ratio)
        spectrum, order, stages = least.case
        missed = sum(comparison.ratio < GOAL for comparison in answers)
        print(
            f"The least ratio {name} is {least.ratio:.0f} ({spectrum}, order {order}, {stages} stages); "
            f"{missed} of {len(answers)} without breakdown miss the goal of {GOAL}."
        )


NOTES = f"""cvxpy with Clarabel runs the algorithm of RK-Opt's polyopt (Ketcheson & Ahmadia 2012): bisection on the scale, at each
a problem of least deviation on {POINTS} points, in the Chebyshev basis on the real axis and the rotated one on the imaginary
axis. The problem is parameterized (DPP): cvxpy compiles it once. Its time is from building the problem to the last bracket,
the least of {RUNS} runs with warm and {RUNS} with cold starts. Clarabel's own time is what it reports with cold starts, which cost
more; with warm ones it would count its setup at each solve.

Chosen, with RK-Opt's defaults in brackets: a relative bracket of {TOL_BISECT:.0e} (1e-03, for which about ten programs would
do in place of some twenty-four: halve cvxpy's times if that is enough); a
deviation of {TOL_FEASIBLE:.0e} passes for none (1e-09, below what Clarabel reaches, costs feasible scales on the imaginary
axis); order conditions scaled to rows of one size (its basis does it); first brackets up to s on the imaginary axis and
2.01 s² on the real one (2.01 s² on both). Tolerances are Clarabel's own: 1e-10 in place of 1e-8 changes no limit, but more
programs end as inaccurate. A scale whose program fails counts as infeasible, as in RK-Opt.

Errors are relative: to the closed form on the imaginary axis at order two, to hemiola's 34 digits elsewhere. A limit of
cvxpy is off if its error exceeds {CLAIMED:.0e}, the accuracy that RK-Opt claims by default, one of hemiola if it exceeds
{OWN_CLAIM:.0e}. cvxpy breaks down where a program fails or the error exceeds {WRONG:.0e}. With a
formula, hemiola evaluates a closed form; without one it searches. A limit is proved where its certificate shows, in exact
arithmetic, that the polynomial with 34 digits is stable as far as that and that none is stable farther: by a theorem, or by
a bound that exceeds the limit by less than its last digit."""


def main():
    warnings.simplefilter("ignore")
    getcontext().prec = 50
    rows = read(sys.argv[1])
    packages = ", ".join(f"{name} {version(name)}" for name in ("cvxpy", "clarabel", "numpy"))
    print(f"Python {platform.python_version()}; {packages}.\n\n{NOTES}")
    print("\n## Samples at equal distances\n\nAs in RK-Opt.\n")
    compare(rows, lambda _: equal)
    print("\n## Samples spaced like the extrema of Chebyshev polynomials\n\nThe best that so many samples can do.\n")
    compare(rows, clustered)


if __name__ == "__main__":
    main()
