"""Measures the package beside NodePy, numpy, SciPy and Rust; called by `scripts/compare-python`, prints Markdown."""

import csv
import platform
import subprocess
import sys
import time

import numba
import numpy as np
import scipy
from numba import carray, types
from scipy.integrate import solve_ivp

import hemiola as hm
from hemiola.convert import to_nodepy

#: As in the bench of Rust.
POINTS, STEPS, RUNS = 1_000_000, 200_000, 7


def least(work, runs=RUNS):
    """The least time of several runs, in seconds."""
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def shown(seconds):
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def points():
    k = np.arange(POINTS)
    return [(1 + 0.5 * np.sin(0.1 * k)) * np.exp(1j * frequency * k) for frequency in (0.7, 1.3, 2.1, 2.9)]


def numpy_radii(method, ss, sf, fs, ff):
    """ρ(S) in numpy: stage by stage for all points at once, then the eigenvalues; and the time of these alone."""
    (As, Af), (bs, bf) = method.A, method.b
    Z = np.moveaxis(np.array([[ss, sf], [fs, ff]]), -1, 0)
    slopes = []
    for i in range(method.stages):
        stage = np.zeros_like(Z)
        stage[:, 0, 0] = stage[:, 1, 1] = 1
        for j in range(i):
            stage[:, 0] += As[i, j] * slopes[j][:, 0]
            stage[:, 1] += Af[i, j] * slopes[j][:, 1]
        slopes.append(Z @ stage)
    S = np.zeros_like(Z)
    S[:, 0, 0] = S[:, 1, 1] = 1
    for i in range(method.stages):
        S[:, 0] += bs[i] * slopes[i][:, 0]
        S[:, 1] += bf[i] * slopes[i][:, 1]
    begun = time.perf_counter()
    radii = abs(np.linalg.eigvals(S)).max(axis=1)
    return radii, time.perf_counter() - begun


def radii(rust):
    z = points()
    print("\n## ρ(S) at 10⁶ points\n")
    print("Arrays of complex numbers in, an array of doubles out. numpy makes S stage by stage for all points at once; the times of its")
    print("`eigvals` alone stand beside.\n")
    row("pair", "hemiola", "Rust", "over Rust", "numpy", "`eigvals` alone", "numpy over hemiola", "`eigvals` over hemiola")
    row("---", *["--:"] * 7)
    for id in ("shome-haug-jay-2-5", "hemiola-4-8"):
        pair = hm.method(id)
        ours = least(lambda: hm.rho(pair, *z))
        begun = time.perf_counter()
        expected, alone = numpy_radii(pair, *z)
        theirs = time.perf_counter() - begun
        assert np.allclose(hm.rho(pair, *z), expected, rtol=1e-6)
        seconds = rust["radii", id]
        row(id, shown(ours), shown(seconds), f"{ours / seconds:.2f}", shown(theirs), shown(alone), f"{theirs / ours:.0f}", f"{alone / ours:.0f}")


signature = types.void(types.float64, types.CPointer(types.float64), types.CPointer(types.float64))


@numba.cfunc(signature, fastmath=False)
def slow(t, state, rate):
    y = carray(state, 4)
    rate[0] = y[1]
    rate[1] = -np.sin(y[0]) - 1e-3 * (1600.0 * (y[0] - y[2]) + 4.0 * (y[1] - y[3]))


@numba.cfunc(signature, fastmath=False)
def fast(t, state, rate):
    y = carray(state, 4)
    rate[0] = y[3]
    rate[1] = 1600.0 * (y[0] - y[2]) + 4.0 * (y[1] - y[3])


def python_slow(t, y, z):
    return np.array([y[1], -np.sin(y[0]) - 1e-3 * (1600.0 * (y[0] - z[0]) + 4.0 * (y[1] - z[1]))])


def python_fast(t, y, z):
    return np.array([z[1], 1600.0 * (y[0] - z[0]) + 4.0 * (y[1] - z[1])])


def runs(rust):
    start = ([1.0, 0.0], [1.0, 0.0])
    print(f"\n## {STEPS:,} steps of a pendulum with an antenna\n".replace(",", " "))
    print("Two slow and two fast variables; all states are kept. The functions are Numba's, without the interpreter, and Python's (a hundredth")
    print("of the steps, times a hundred).\n")
    row("method", "Numba", "Rust", "over Rust", "Python")
    row("---", *["--:"] * 4)
    for id in ("rk4", "hemiola-4-8"):
        method = hm.method(id)
        compiled = least(lambda: hm.integrate(slow, fast, (0, 1000), *start, method, steps=STEPS))
        python = 100 * least(lambda: hm.integrate(python_slow, python_fast, (0, 10), *start, method, steps=STEPS // 100), 3)
        row(id, shown(compiled), shown(rust["integrate", id]), f"{compiled / rust['integrate', id]:.2f}", shown(python))

    def whole(t, y):
        torque = 1600.0 * (y[0] - y[2]) + 4.0 * (y[1] - y[3])
        return [y[1], -np.sin(y[0]) - 1e-3 * torque, y[3], torque]

    solver = hm.convert.to_scipy("dormand-prince-5")
    ours = hm.integrate_partitions([whole], (0, 10), [[1.0, 0, 1, 0]], "dormand-prince-5", rtol=1e-8, atol=1e-10)
    theirs = solve_ivp(whole, (0, 10), [1.0, 0, 1, 0], rtol=1e-8, atol=1e-10)
    seconds = [
        least(lambda: hm.integrate_partitions([whole], (0, 10), [[1.0, 0, 1, 0]], "dormand-prince-5", rtol=1e-8, atol=1e-10), 3),
        least(lambda: solve_ivp(whole, (0, 10), [1.0, 0, 1, 0], rtol=1e-8, atol=1e-10), 3),
        least(lambda: solve_ivp(whole, (0, 10), [1.0, 0, 1, 0], rtol=1e-8, atol=1e-10, method=solver), 3),
    ]
    print(f"\nAdaptive steps of Dormand & Prince 5 over 10 s with a function of Python, tolerances 1e-8 and 1e-10: {shown(seconds[0])} and")
    print(f"{ours.nfev} evaluations; `solve_ivp` with its RK45 {shown(seconds[1])} and {theirs.nfev}, with our class of the method {shown(seconds[2])}.")


def analysis():
    with_nodepy = {}
    from nodepy import runge_kutta_method as rk

    print("\n## Beside NodePy\n")
    row("what", "hemiola", "NodePy", "ratio")
    row("---", *["--:"] * 3)
    ssp = rk.loadRKM("SSP104")
    ours = hm.convert.from_nodepy(ssp)
    with_nodepy["order conditions of SSP(10,4) up to order 8"] = (
        lambda: hm.check(ours, 8),
        lambda: [ssp.error_coeffs(p) for p in range(1, 9)],
    )
    rk4, theirs = hm.method("rk4"), rk.loadRKM("RK44")

    def region():
        import matplotlib.pyplot as plt

        theirs.plot_stability_region(N=400, bounds=[-5, 1, -4, 4])
        plt.close("all")

    def our_region():
        import matplotlib.pyplot as plt

        rk4.plot_stability_region(ax=plt.figure().gca(), bounds=[-5, 1, -4, 4])
        plt.close("all")

    with_nodepy["a 400 × 400 region of RK4 on matplotlib axes"] = (our_region, region)
    with_nodepy["order of RK4"] = (lambda: hm.Method(rk4.text.A, rk4.text.b).order(), lambda: rk.loadRKM("RK44").order())
    with_nodepy["imaginary interval of SSP(10,4)"] = (ours.imaginary_stability_interval, ssp.imaginary_stability_interval)
    for what, (first, second) in with_nodepy.items():
        fast_one, slow_one = least(first, 3), least(second, 1)
        row(what, shown(fast_one), shown(slow_one), f"{slow_one / fast_one:.0f}")
    assert to_nodepy(rk4).order() == 4


def small():
    print("\n## Small calls and importing\n")
    pair, z = hm.method("shome-haug-jay-2-5"), np.full(1, 1j)
    calls = {
        "`rho` of four numbers": lambda: hm.rho(pair, 0.1j, 0.1, 0.1, 1j),
        "`rho` of four arrays of one number": lambda: hm.rho(pair, z, z, z, z),
        "`pair.stages`": lambda: pair.stages,
        "`pair.order()`, once it is known": pair.order,
    }
    row("call", "time")
    row("---", "--:")
    for name, call in calls.items():
        row(name, shown(least(lambda: [call() for _ in range(1000)]) / 1000))
    empty, ours, numpy = (
        least(lambda: subprocess.run([sys.executable, "-c", code], check=True), 5)
        for code in ("pass", "import hemiola", "import hemiola; hemiola.method('rk4')")
    )
    row("`import hemiola`", shown(ours - empty))
    row("the same, numpy and the first method", shown(numpy - empty))


def main(rust_file, machine):
    with open(rust_file) as file:
        rust = {(name, id): float(seconds) for name, id, seconds in csv.reader(file)}
    print("# The Python package beside NodePy, numpy, SciPy and Rust\n")
    print("Written by `scripts/compare-python`. Every time is the least of several runs.\n")
    print(f"Machine: {machine}; CPython {platform.python_version()}, numpy {np.__version__}, SciPy {scipy.__version__}, Numba {numba.__version__}.")
    radii(rust)
    runs(rust)
    analysis()
    small()


if __name__ == "__main__":
    main(*sys.argv[1:])
