"""Sixteen designs by this program, by an earlier one and by scipy. Prints the body of a report in Markdown.

    sixteen_designs.py NOW [BEFORE] < STARTS

NOW and BEFORE are programs `hemiola`; STARTS is the output of the bench `search` of hemiola-design with `--random`.
"""

import json
import platform
import subprocess
import sys
import tempfile
import time
import warnings
from functools import cache
from importlib.metadata import version
from math import factorial, inf
from pathlib import Path

import numpy as np
from design_search import FAST, FEASIBLE, Problem, attempt, duration
from scipy.optimize import BFGS, Bounds, NonlinearConstraint, minimize

SIZES = ["2-3", "2-6", "3-4", "3-8", "4-5", "4-7", "5-9", "6-7"]
AXES = ["imaginary", "real"]
DAMPINGS = [0, 0.05]
TIMES = 5
"""Time limit of each peer as a multiple of our own time, on one thread."""
LEAST = 3.0
"""Smallest time limit in seconds."""
SAMPLES = 4000
PROGRAM = {"maxiter": 500, "factorization_method": "SVDFactorization"}


def answer(program, *arguments):
    """Returns the JSON that a command prints, or what it says on its error output."""
    done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip()


@cache
def polynomial(program, stages, order, axis, damping):
    """Returns the coefficients β₀ … of the optimal polynomial, or `None` if there is none."""
    options = ["--stages", stages, "--order", order, "--axis", axis, "--damping", damping]
    found = answer(program, "polynomial", *map(str, options))
    if isinstance(found, str):
        return None
    return np.array([float(c) for c in found["coefficients"]])


# --- Measures of any pair --------------------------------------------------------------------------------------------


def amplification(a, b, axis, limit):
    """Returns max |Q_j(z)| along the axis up to the limit, with Q_j = z(b_j + Σ_i a_ij Q_i)."""
    z = np.linspace(0, limit, SAMPLES + 1) * (1j if axis == "imaginary" else -1)
    q = np.zeros((len(b), len(z)), dtype=complex)
    for j in reversed(range(len(b))):
        q[j] = z * (b[j] + a[:, j] @ q)
    return np.abs(q).max()


def slow_limit(a, b, order, axis):
    """Returns the limit of the slow polynomial; its coefficients up to the order are those of the exponential."""
    beta, tall = [1.0], np.ones(len(b))
    for power in range(1, len(b) + 1):
        beta.append(1 / factorial(power) if power <= order else b @ tall)
        tall = a @ tall
    beta = np.array(beta)
    if axis == "real":
        t = np.linspace(0, 60, 100 * SAMPLES + 1)
        outside = np.abs(np.polyval(beta[::-1], -t)) > 1 + 1e-9
        return t[outside.argmax()] if outside.any() else inf
    # |R(it)|² − 1 as a polynomial in t: what the order cancels is zero.
    even = np.where(np.arange(len(beta)) % 2 == 0, beta * np.array([1, 0, -1, 0] * len(beta))[: len(beta)], 0)
    odd = np.where(np.arange(len(beta)) % 2 == 1, beta * np.array([0, 1, 0, -1] * len(beta))[: len(beta)], 0)
    growth = np.convolve(even, even) + np.convolve(odd, odd)
    growth[: order + 1] = 0
    growth[np.abs(growth) < 1e-14] = 0
    first = growth[np.flatnonzero(growth)[0]] if growth.any() else 0
    if first >= 0:
        return 0.0 if first > 0 else inf
    roots = np.roots(np.trim_zeros(growth, "b")[::-1])
    real = roots[(np.abs(roots.imag) < 1e-9) & (roots.real > 1e-6)].real
    return real.min() if real.size else inf


def of_file(program, path, axis):
    """Returns the limits of both parts and the amplification of a method file."""
    parts = json.loads(Path(path).read_text(encoding="utf-8"))["partitions"]
    a, b = (np.array(parts[FAST][key], dtype=float) for key in ("a", "b"))
    limits = [part[f"{axis}_limit"] for part in answer(program, "stability", str(path))["partitions"]]
    return [*limits, amplification(a, b, axis, limits[FAST])]


# --- Designs ---------------------------------------------------------------------------------------------------------


def hemiola(program, now, size, axis, damping):
    """Runs a design without options; returns its cells, its norm and its time."""
    slow, fast = size.split("-")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pair.json"
        options = ["--slow", slow, "--fast", fast, "--axis", axis, "--damping", str(damping), "--output", str(path)]
        begin = time.perf_counter()
        found = answer(program, "design", *options)
        seconds = time.perf_counter() - begin
        if isinstance(found, str):
            return None
        proved = "yes" if found["certificate"]["status"]["proved"] != "nothing" else "no"
        return found["principal_error_norm"], seconds, [*of_file(now, path, axis), proved]


def one_program(problem, start):
    """Solves one nonlinear program from a random start with all conditions as constraints, as RK-Opt does with fmincon.

    SLSQP refuses more equations than unknowns. `trust-constr` (Byrd & Omojokun) takes them, by singular values.
    """
    conditions = NonlinearConstraint(problem.residuals, 0, 0, jac=problem.jacobian, hess=BFGS())
    settings = {"method": "trust-constr", "hess": BFGS(), "bounds": Bounds(-1, 1), "options": PROGRAM}
    x = minimize(problem.objective, np.clip(start, -1, 1), jac=True, constraints=[conditions], **settings).x
    is_method = np.isfinite(x).all() and np.abs(problem.residuals(x)).max() < FEASIBLE and np.abs(x).max() <= 1 + 1e-12
    return (x, problem.norm(x)) if is_method else (None, inf)


def two_steps(problem, start):
    """Restores the conditions by least squares, then descends on those that are independent."""
    return attempt(problem, start)[1:]


def scipy(solve, starts, beta, limit, axis, budget):
    """Follows the starts in turn until the time is over; returns its cells, its norm, its time and its numbers of starts."""
    problems, best, tried, solved = {}, (None, None, inf), 0, 0
    begin = time.perf_counter()
    for slow_stages, start in starts["starts"]:
        key = tuple(slow_stages)
        if key not in problems:
            problems[key] = Problem(starts["fast"], key, starts["order"], beta)
        x, norm = solve(problems[key], np.array(start))
        tried, solved = tried + 1, solved + (norm < inf)
        if norm < best[2]:
            best = (problems[key], x, norm)
        if time.perf_counter() - begin > budget:
            break
    seconds = time.perf_counter() - begin
    problem, x, norm = best
    if problem is None:
        return inf, seconds, f"{solved} of {tried}", None
    (a, b), (fast_a, fast_b) = ((t[:-1], t[-1]) for t in problem.tableau(x))
    cells = [slow_limit(a, b, problem.order, axis), limit, amplification(fast_a, fast_b, axis, limit), "no"]
    return norm, seconds, f"{solved} of {tried}", cells


def row(name, best, norm, seconds, starts, cells):
    if cells is None:
        return f"| {name} | {duration(seconds)} | {starts} | – | – | | | | |"
    slow, fast, factor, proved = cells
    measures = f"{slow:.3f} | {fast:.3f} | {factor:.3g} | {proved}"
    return f"| {name} | {duration(seconds)} | {starts} | {norm:.6f} | {norm / best:.3f} | {measures} |"


NOTES = f"""Each pair is designed as it comes, `hemiola design --slow S --fast F --axis AXIS --damping D`, with the seed 1. *Hemiola* is this
program, *before* that of the commit given to the script, if any; their times are those of whole commands on all processors, with
the certificate, the report and the figure.

scipy minimizes the error under the same conditions, without requirements on the slow limit and the amplification, from the same random starts, in turn, on one thread for {TIMES} times as long, {LEAST:g} s at least; *starts* are
those that led to a method out of those tried. In *two steps*, `least_squares` restores the conditions and SLSQP descends on those
that are independent (`scripts/compare-design` explains this). As *one program*, the formulation of RK-Opt: all conditions are
constraints of one nonlinear program from the random start. SLSQP refuses more equations than unknowns, so this is
`trust-constr`, at most {PROGRAM["maxiter"]} iterations. A method satisfies all conditions to {FEASIBLE:.0e}.

*Error norm*: the 2-norm of the principal error coefficients; *over the best* of the rows of the design. *Limits* of both parts are those
along the axis. *Amplification*: max |Q_j| of the internal stability polynomials along the axis up to the fast limit."""


def main():
    warnings.simplefilter("ignore")
    now, before = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    all_starts = {f"{each['slow']}-{each['fast']}": each for each in map(json.loads, sys.stdin)}
    packages = ", ".join(f"{name} {version(name)}" for name in ("scipy", "numpy"))
    print(f"Python {platform.python_version()}; {packages}.\n\n{NOTES}\n")
    print("| pair | axis | damping | by | time | starts | error norm | over the best | slow limit | fast limit | amplification | proved |")
    print("|---|---|--:|---|--:|--:|--:|--:|--:|--:|--:|---|")
    for damping in DAMPINGS:
        for size in SIZES:
            for axis in AXES:
                starts = all_starts[size]
                beta = polynomial(now, starts["fast"], starts["order"], axis, damping)
                named = f"{size.replace('-', '–')} | {axis} | {damping:g}"
                found = hemiola(now, now, size, axis, damping)
                if found is None or beta is None:
                    print(f"| {named} | no polynomial has this damping | | | | | | | | |", flush=True)
                    continue
                rows = [("hemiola", found[0], found[1], "", found[2])]
                if before:
                    earlier = hemiola(before, now, size, axis, damping)
                    rows.append(("before", earlier[0], earlier[1], "", earlier[2]) if earlier else ("before", inf, 0.0, "refused", None))
                budget = max(TIMES * found[1], LEAST)
                for name, solve in (("scipy, two steps", two_steps), ("scipy, one program", one_program)):
                    norm, seconds, counts, cells = scipy(solve, starts, beta, found[2][FAST], axis, budget)
                    rows.append((name, norm, seconds, counts, cells))
                best = min(norm for _, norm, *_ in rows)
                for name, norm, seconds, counts, cells in rows:
                    print(f"| {named} {row(name, best, norm, seconds, counts, cells)}", flush=True)


if __name__ == "__main__":
    main()
