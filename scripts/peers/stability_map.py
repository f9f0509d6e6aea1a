"""Maps of the spectral radius ρ(S) by numpy, compared with hemiola. Prints the body of a report in Markdown.

The same maps as the bench `scan` of hemiola-stability, in the fastest way with numpy: Horner's scheme on a ray, the recursion over
the stages on a general slice, both on whole arrays of points and in place, in blocks that fit the caches; then
numpy.linalg.eigvals on a stack of matrices, or the closed formula for 2×2.

    stability_map.py SCAN CONTOUR HEMIOLA

SCAN and CONTOUR are the output of the benches of these names, HEMIOLA is the program. With --one PAIR FILE the script computes the map of
one pair by the closed formula and writes it as an array, for the comparison of whole processes.
"""

import json
import platform
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import numpy as np

POINTS = 1000
BLOCKS = (1 << 12, 1 << 14, 1 << 16)
PAIRS = ("shome-haug-jay-2-5", "mprk-p3")
KAPPA, COUPLING = 5.0, 0.04
LIBRARY = Path(__file__).parents[2] / "tableaus"


def load(identifier):
    """Returns (A, b) of both partitions."""
    method = json.loads((LIBRARY / f"{identifier}.json").read_text())
    number = lambda text: float(Fraction(text))
    part = lambda p: (np.array([[number(x) for x in row] for row in p["a"]]), np.array([number(x) for x in p["b"]]))
    return [part(p) for p in method["partitions"]]


def ray_coefficients(pair, z):
    """Returns C_0, …, C_s of S = Σ ξᵏ C_k."""
    stages = len(pair[0][1])
    v = np.broadcast_to(z, (stages, 2, 2))
    coefficients = [np.eye(2)]
    for k in range(stages):
        if k:
            v = np.einsum("rq,iqp->irp", z, np.stack([a @ v[:, q] for q, (a, _) in enumerate(pair)], axis=1))
        coefficients.append(np.stack([b @ v[:, r] for r, (_, b) in enumerate(pair)]))
    return coefficients


def ray(pair):
    """Evaluates four polynomials by Horner's scheme."""
    coefficients = ray_coefficients(pair, np.array([[1.0, 1.0], [COUPLING * KAPPA, KAPPA]]))

    def entries(xi):
        out = []
        for r, q in ((0, 0), (0, 1), (1, 0), (1, 1)):
            value = np.full_like(xi, coefficients[-1][r, q])
            for c in coefficients[-2::-1]:
                value *= xi
                value += c[r, q]
            out.append(value)
        return out

    return entries


def general(pair):
    """Runs the recursion over the stages for both unit vectors, without zeros."""
    (a_slow, b_slow), (a_fast, b_fast) = pair
    slow = -0.05 + 0.6j
    fast = 4 * slow

    def total(start, weights, slopes):
        value = start
        for weight, slope in zip(weights, slopes):
            if weight:
                value = value + weight * slope
        return value

    def entries(w):
        columns = []
        for unit in ((1.0, 0.0), (0.0, 1.0)):
            k, l = [], []
            for i in range(len(b_slow)):
                ys, yf = total(unit[0], a_slow[i], k), total(unit[1], a_fast[i], l)
                needed = b_slow[i] or a_slow[:, i].any()
                k.append(slow * ys + yf if needed else None)
                l.append(w * ys + fast * yf)
            columns.append((total(unit[0], b_slow, k), total(unit[1], b_fast, l)))
        (ss, fs), (sf, ff) = columns
        return ss, sf, fs, ff

    return entries


def eigvals(ss, sf, fs, ff):
    s = np.empty((len(ss), 2, 2), dtype=complex)
    s[:, 0, 0], s[:, 0, 1], s[:, 1, 0], s[:, 1, 1] = ss, sf, fs, ff
    return np.abs(np.linalg.eigvals(s)).max(axis=1)


def closed(ss, sf, fs, ff):
    mean, half = (ss + ff) * 0.5, (ss - ff) * 0.5
    root = np.sqrt(half * half + sf * fs)
    return np.maximum(np.abs(mean + root), np.abs(mean - root))


def mapped(entries, radius, block):
    """Computes ρ(S) at all grid points."""
    x, y = np.linspace(-1.2, 0.2, POINTS), np.linspace(0.0, 1.2, POINTS)
    xi = (x[None, :] + 1j * y[:, None]).ravel()
    out = np.empty(len(xi))
    for start in range(0, len(xi), block):
        out[start : start + block] = radius(*entries(xi[start : start + block]))
    return out


def fastest(runs, task):
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        task()
        best = min(best, time.perf_counter() - start)
    return best


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def bench(path):
    """Reads the milliseconds of one and two threads and the number of stable points by pair and slice, and the table itself."""
    text = Path(path).read_text()
    rows = [cells(line) for line in text.splitlines() if line.startswith("|")][2:]
    found = {}
    for row in rows:
        if row[2] == "ρ(S)":
            found[row[0], row[1]] = (float(row[4].split()[0]), float(row[5].split()[0]), int(row[3]))
    return found, text


def processes(program):
    """Returns the rows of maps by whole processes, from the shell to the written array."""
    for identifier in PAIRS:
        with tempfile.TemporaryDirectory() as folder:
            theirs, ours = (str(Path(folder, f"{name}.npy")) for name in ("theirs", "ours"))
            python = [sys.executable, __file__, "--one", identifier, theirs]
            slice_ = f"coupled:kappa={KAPPA:g},g={COUPLING:g}"
            window = ["--xrange", "-1.2", "0.2", "--yrange", "0", "1.2", "--points", str(POINTS - 1)]
            command = [program, "map", identifier, "--slice", slice_, *window, "--data", ours]
            run = lambda words: subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
            numpy = 1e3 * fastest(9, lambda: run(python))
            empty = 1e3 * fastest(9, lambda: run([sys.executable, "-c", "import numpy"]))
            hemiola = 1e3 * fastest(9, lambda: run(command))
            apart = float(np.abs(np.load(theirs) - np.load(ours).ravel()).max())
            print(f"| {identifier} | {numpy:.0f} ms | {empty:.0f} ms | {hemiola:.0f} ms | {numpy / hemiola:.1f} | {(numpy - empty) / hemiola:.1f} | {apart:.0e} |")


def rival(identifier, file):
    np.save(file, mapped(ray(load(identifier)), closed, BLOCKS[1]))


def main():
    if sys.argv[1] == "--one":
        rival(*sys.argv[2:])
        return
    ours, text = bench(sys.argv[1])
    print(f"Python {platform.python_version()}, numpy {np.__version__}, which uses one thread for all of this.\n")
    print(f"## ρ(S) at {POINTS}×{POINTS} points\n")
    print("Stable points are those where ρ(S) ≤ 1. A ratio is numpy's time over ours.\n")
    print("| pair | slice | numpy | stable points | ours | numpy | one thread | ratio | two threads | ratio |")
    print("|---|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for identifier in PAIRS:
        for name, kernel in (("ray", ray), ("general", general)):
            entries = kernel(load(identifier))
            one, two, stable = ours[identifier, name]
            for method, radius, runs in (("eigvals", eigvals, 1), ("closed formula", closed, 5)):
                took = 1e3 * min(fastest(runs, lambda: mapped(entries, radius, block)) for block in BLOCKS)
                count = int((mapped(entries, radius, BLOCKS[1]) <= 1.0).sum())
                print(
                    f"| {identifier} | {name} | {method} | {count} | {stable} | {took:.0f} ms "
                    f"| {one:.2f} ms | {took / one:.0f} | {two:.2f} ms | {took / two:.0f} |"
                )
    print("\n## Whole processes\n")
    print(f"The same {POINTS}×{POINTS} points on a ray as users start them, from the shell to an array on disk: Python with numpy's closed formula,")
    print("`import numpy` alone, and `hemiola map --data`. The second ratio leaves the import away: what a notebook that runs already would take.\n")
    print("| pair | Python | its import | ours | ratio | without import | largest difference |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    processes(sys.argv[3])
    print("\n## Vector kernels against single points\n")
    print("Point by point is the same map in plain complex numbers, by Horner's scheme on rays of explicit pairs and stage by")
    print("stage elsewhere, on two threads. A symmetric window has as many points and half of the work. The share of the peak")
    print("counts additions and multiplications of the explicit pairs on one thread, a square root or a division as one.\n")
    print(text.strip())
    print("\n## Boundaries\n")
    print("The boundary on a grid of 1000×1000 cells. Only near the boundary: the field is evaluated at points, where it is")
    print("needed. Whole grid: all points first. The deviation of the chords from the boundary is in parts of the diagonal.\n")
    print(Path(sys.argv[2]).read_text().strip())


if __name__ == "__main__":
    main()
