"""NodePy's tutorials, its folder ``examples``, line by line: theirs on the left, ours on the right, equal numbers.

The notebooks "Introduction to NodePy", "Runge–Kutta order conditions", "Stability functions and order stars", "Very high order methods",
"Internal stability", "Method of lines analysis" and "Speed of symbolic computation", the scripts beside them, and the chapters on
Runge–Kutta methods of its documentation, with NodePy 1.1.1 from the package index. Its README has no code beside the installation.

Out of scope, since Hemiola has Runge–Kutta methods and their partitions alone: linear multistep, two-step and general linear methods, low
storage and downwind classes; and of Runge–Kutta methods reduction of reducible ones, the graph of stages that may run at once
(``num_seq_dep_stages``), and products on trees (``Gprod``, ``lamda``). Radii and Shu–Osher forms are in nodepy_doctests.py.
Where NodePy is wrong or means something else, a test says so by name.
"""

import warnings
from fractions import Fraction as F

import numpy as np
import pytest

import hemiola as hm
from hemiola.convert import from_nodepy

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    rk = pytest.importorskip("nodepy.runge_kutta_method")
    ivp = pytest.importorskip("nodepy.ivp")
    rt = pytest.importorskip("nodepy.rooted_trees")
    semidisc = pytest.importorskip("nodepy.semidisc")
    stability_function = pytest.importorskip("nodepy.stability_function")
    convergence = pytest.importorskip("nodepy.convergence")
plt = pytest.importorskip("matplotlib.pyplot")
Path = pytest.importorskip("matplotlib.path").Path
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def floats(values):
    return np.array(values, dtype=float)


def ours_on(problem, method, **options):
    """``method(problem, …)``."""

    def rate(t, y):
        return np.atleast_1d(floats(problem.rhs(t, y)))

    return hm.integrate_partitions([rate], (0, problem.T), [np.atleast_1d(floats(problem.u0))], method, **options)


# Introduction to NodePy.


def test_tables_are_printed():
    rk4, rk22 = rk.loadRKM("RK44"), rk.ExplicitRungeKuttaMethod(np.array([[0, 0], [0.5, 0]]), np.array([0, 1.0]))
    for theirs in (rk4, rk22):
        ours = from_nodepy(theirs)
        shown = {F(word) for word in str(ours).split("\n\n", 1)[1].replace("│", " ").replace("|", " ").split() if _is_number(word)}
        assert shown >= {F(str(x)).limit_denominator(10**6) for x in [*theirs.b, *theirs.c]}
    assert (rk4.order(), rk22.order()) == (from_nodepy(rk4).order(), from_nodepy(rk22).order()) == (4, 2)


def _is_number(word):
    try:
        F(word)
    except ValueError:
        return False
    return True


def test_regions_are_drawn():
    for theirs in (rk.loadRKM("RK44"), rk.ExplicitRungeKuttaMethod(np.array([[0, 0], [0.5, 0]]), np.array([0, 1.0]))):
        region = from_nodepy(theirs).plot_stability_region(ax=plt.figure().gca()).patches[0].get_path()
        p, q = (np.poly1d(floats(side.coeffs)) for side in theirs.stability_function())
        for z in np.random.default_rng(1).uniform((-4, -4), (1, 4), (200, 2)):
            modulus = abs(p(complex(*z)) / q(complex(*z)))
            assert region.contains_point(z) == (modulus <= 1) or abs(modulus - 1) < 1e-3, z


def test_all_trees_are_drawn():
    # rt.plot_all_trees(6), and the single tree of the documentation.
    drawing = hm.tree_figure(6)
    assert len(rt.list_trees(6)) == len(hm.trees(6)) == 20
    svg = drawing.svg()
    assert all(tree.text in svg for tree in hm.trees(6))
    tree = rt.RootedTree("{T^2{T{T}}{T}}")
    same = [one.text for one in hm.trees(tree.order()) if (one.density, one.symmetry) == (tree.density(), tree.symmetry())]
    assert same == ["[[[τ],τ],[τ],τ,τ]"]


def test_convergence():
    """cv.ctest([rk4, SSP2, SSP104], myivp): the errors on all of its grids."""
    problem = ivp.load_ivp("test")
    methods = [rk.loadRKM(name) for name in ("RK44", "SSP22", "SSP104")]
    grids = [20, 40, 80, 160, 320, 640]
    _, errors = convergence.ctest(methods, problem, grids)
    exact = floats(problem.exact(problem.T))
    for theirs, found in zip(methods, errors):
        ours = from_nodepy(theirs)
        mine = [np.linalg.norm(ours_on(problem, ours, steps=n).y[:, -1] - exact) for n in grids]
        # Up to what rounding leaves of differences.
        assert mine == pytest.approx(floats(found), rel=1e-6, abs=1e-10 * np.max(np.abs(exact)))


DETEST = {problem.name: problem for problem in ivp.detest_suite()}


@pytest.mark.parametrize("name", DETEST)
def test_the_problems_of_detest(name):
    """Each with 640 steps of 1/32, whose sums have no rounding: the same solution."""
    problem, theirs = DETEST[name], rk.loadRKM("DP5")
    _, u = theirs(problem, N=640)
    found = ours_on(problem, from_nodepy(theirs), steps=640)
    last = np.atleast_1d(floats(u[-1]))
    # D5, an orbit of eccentricity 0.9, enlarges rounding.
    assert found.y[:, -1] == pytest.approx(last, rel=0, abs=(1e-5 if name == "D5" else 1e-11) * np.max(np.abs(last)))


def test_performance_on_detest():
    """conv.ptest([bs5, dp5, f5], ivps, tols): as accurate for as much work, problem by problem; the controllers are not the same."""
    tolerance = 1e-7
    for name in ("BS5", "DP5", "Fehlberg45"):
        theirs = rk.loadRKM(name)
        ours = from_nodepy(theirs)
        errors, work = [], []
        for problem in (DETEST[key] for key in ("A1", "A3", "A4", "B2", "B4", "D1", "D3", "E1", "E2", "E4")):
            exact = ours_on(problem, "dormand-prince-5", rtol=1e-12, atol=1e-12).y[:, -1]
            _, u, rejected, steps, _ = theirs(problem, errtol=tolerance, dt=problem.dt0, diagnostics=True)
            mine = ours_on(problem, ours, rtol=1e-300, atol=tolerance)
            assert mine.success
            errors.append([np.max(np.abs(np.atleast_1d(y) - exact)) for y in (mine.y[:, -1], floats(u[-1]))])
            work.append([mine.nfev, (len(steps) + rejected) * len(theirs)])
        (mine, other), (calls, others) = np.exp(np.mean(np.log(errors), axis=0)), np.sum(work, axis=0)
        assert mine < 2 * other and calls < 1.3 * others, (name, mine, other, calls, others)


# Runge–Kutta order conditions: the table is in test_nodepy.py.


def test_orders_of_all_methods():
    """rk.loadRKM(): every method, with its order to NodePy's tolerance; Tsit5 is named in test_nodepy.py."""
    methods = rk.loadRKM()
    assert len(methods) > 45
    for name, theirs in methods.items():
        if name != "Tsit5":
            assert from_nodepy(theirs).order() == theirs.order(), name


# Stability functions and order stars.


def restricted_pade(k, gamma):
    from scipy.special import laguerre

    coefficients = [float((-1) ** k * laguerre(k).deriv(k - m)(1.0 / gamma) * gamma**m) for m in range(k + 1)]
    return np.poly1d(coefficients[::-1]), np.poly1d([-gamma, 1.0]) ** k


def sets(axes, points):
    """Whether points are in the filled sets on axes: within an odd number of their outlines."""
    outlines = [outline for filled in axes.collections for path in filled.get_paths() for outline in path.to_polygons()]
    return np.sum([Path(outline).contains_points(points) for outline in outlines], axis=0) % 2 == 1


@pytest.mark.parametrize("k, j", [(3, None), (5, 5), (4, 6), (4, 7), (0, 10)])
def test_order_stars_of_rational_functions(k, j):
    """stability_function.plot_order_star(p, q), of the notebook and of plot_order_stars.py."""
    pade = restricted_pade(k, 1.06857902) if j is None else stability_function.pade_exp(k, j)
    p, q = (np.poly1d(floats(side.coeffs)) for side in pade)
    R = hm.StabilityFunction(tuple(p.coeffs[::-1].tolist()), tuple(q.coeffs[::-1].tolist()))
    bounds = (-10, 10, -10, 10)
    axes = R.plot_order_star(plt.figure().gca(), bounds)
    points = np.random.default_rng(2).uniform(-10, 10, (300, 2))
    z = points @ [1, 1j]
    excess = np.log(np.abs(p(z) / q(z))) - z.real
    assert R(z) == pytest.approx(p(z) / q(z), rel=1e-12)
    clear = np.abs(excess) > 0.05
    assert clear.sum() > 100 and np.array_equal(sets(axes, points)[clear], excess[clear] > 0)
    inside = sets(R.plot_stability_region(plt.figure().gca(), bounds), points)
    clear = np.abs(np.abs(R(z)) - 1) > 0.05
    assert np.array_equal(inside[clear], np.abs(R(z))[clear] < 1)


def test_pade_approximations_are_those_of_gauss():
    p, q = stability_function.pade_exp(3, 3)
    R = hm.method("gauss-3").stability_function()
    scale = R.denominator[0] / F(str(q.coeffs[-1]))
    assert [F(str(x)) * scale for x in p.coeffs[::-1]] == list(R.numerator)
    assert [F(str(x)) * scale for x in q.coeffs[::-1]] == list(R.denominator)


# Very high order methods.


@pytest.mark.parametrize("theirs, order", [(rk.extrap(3), 3), (rk.extrap(5), 5), (rk.DC(3), 4), (rk.extrap(8), 8), (rk.extrap(10), 10)])
def test_extrapolation_and_deferred_correction(theirs, order):
    ours = from_nodepy(theirs)
    assert ours.stages == len(theirs) and ours.order() == order
    # Rounding in its sums exceeds NodePy's tolerance: it says 0 for extrapolation of order 8, and "this may be due to round-off".
    assert theirs.order() == (order if order < 8 else 0)
    assert ours.imaginary_stability_interval() == pytest.approx(float(theirs.imaginary_stability_interval()), rel=1e-10)
    axes = ours.plot_stability_region(plt.figure().gca(), bounds=(-1e-1, 1e-1, -2e-1, 2e-1))
    assert axes.get_xlim() == (-0.1, 0.1)


# Internal stability.


def internal_polynomials(method):
    """θ(z) = z bᵀ(I − zA)⁻¹, exactly: for each stage its coefficients of z, z², …."""
    A, row, rows = method.exact.A, method.exact.b, []
    for _ in range(method.stages):
        rows.append(row)
        row = row @ A
    return np.array(rows).T


def test_internal_stability_polynomials():
    """rk4.internal_stability_polynomials(): all but the first stage, whose error NodePy leaves out."""
    rk4 = rk.loadRKM("RK44")
    theirs = [[F(str(x)) for x in theta.coeffs[::-1]] for theta in rk4.internal_stability_polynomials()]
    ours = [[0, *row] for row in internal_polynomials(hm.method("rk4"))[1:].tolist()]
    for left, right in zip(theirs, ours):
        assert left == right[: len(left)] and not any(right[len(left) :])


@pytest.mark.parametrize(
    "theirs", [rk.loadRKM("RK44"), rk.loadRKM("SSP104"), rk.RKC1(4), rk.RKC1(20), rk.RKC2(20), rk.SSPRK2(20), rk.SSPRK3(25), rk.DC(5), rk.extrap(6)]
)
def test_internal_amplification(theirs):
    """maximum_internal_amplification: ours is the largest |θ_j(z)| along a ray up to its stability limit, in the Butcher form and with the
    first stage. NodePy's is over its whole region, without the first stage, and of the Shu–Osher form where a method has one: other errors of
    other stages, so that its numbers for Chebyshev and SSP methods are smaller."""
    ours = from_nodepy(theirs)
    # Beside the definition, from the exact coefficients.
    theta = floats(internal_polynomials(ours)).T
    z = -np.linspace(0, min(ours.real_stability_interval(), 1e3), 20_001)
    values = sum(np.multiply.outer(z ** (k + 1), row) for k, row in enumerate(theta))
    if len(ours) <= 15:
        assert ours.internal_amplification(-1) == pytest.approx(np.abs(values).max(), rel=1e-4)
    else:
        # Sums of large terms of both signs, which doubles lose.
        assert ours.internal_amplification(-1) > 0
    if theirs.alpha is None:
        maximum, _ = theirs.maximum_internal_amplification()
        assert np.abs(values[:, 1:]).max() < 1.001 * float(maximum)


# Method of lines analysis.


@pytest.fixture(scope="module")
def discretizations():
    return {
        "upwind": semidisc.upwind_advection_matrix(100, dx=0.1),
        "spectral": semidisc.load_semidisc("spectral difference advection", order=2).L,
        "weno": semidisc.weno5_linearized_matrix(100),
        "centered": semidisc.centered_advection_diffusion_matrix(10.0, 1.0, N=100),
    }


@pytest.mark.parametrize(
    "theirs, name, rel",
    [
        (rk.loadRKM("RK44"), "upwind", 1e-6),
        (rk.loadRKM("RK44"), "spectral", 1e-3),
        (rk.loadRKM("RK44"), "weno", 1e-5),
        (rk.loadRKM("RK44"), "centered", 1e-3),
        (rk.RKC2(10), "centered", 1e-3),
        (rk.RKC2(10, epsilon=0.2), "centered", 1e-3),
    ],
)
def test_stable_steps(discretizations, theirs, name, rel):
    """rk.linearly_stable_step_size(method, L). NodePy bisects the step with a tolerance that is not relative: where steps are small it is
    short by up to a thousandth, and its answer is stable still."""
    L = floats(discretizations[name])
    step = float(rk.linearly_stable_step_size(theirs, L, plot=0))
    found = hm.system(L).stable_steps(from_nodepy(theirs))
    assert step == pytest.approx(found.first_exit, rel=rel) and step < found.first_exit * (1 + 1e-4)
    # R at the eigenvalues tells who is right.
    R = from_nodepy(theirs).stability_function()
    growth = [np.abs(R(h * np.linalg.eigvals(L))).max() for h in (found.first_exit * (1 - 1e-6), found.first_exit * (1 + 1e-3))]
    assert growth[0] < 1 + 1e-6 < growth[1]


def test_stable_steps_of_the_notebook():
    """The spectral differences of order 6, 600 variables, for which NodePy takes ten seconds."""
    L = floats(semidisc.load_semidisc("spectral difference advection", order=6).L)
    assert hm.system(L).stable_steps("rk4").first_exit == pytest.approx(0.0013114268523072993, rel=1e-3)


def test_chebyshev_methods_on_the_real_axis():
    for theirs in (rk.RKC2(10), rk.RKC2(10, epsilon=0.2)):
        assert from_nodepy(theirs).real_stability_interval() == pytest.approx(float(theirs.real_stability_interval()), rel=1e-7)


# Speed of symbolic computation of stability polynomials.


@pytest.mark.parametrize("family, sizes", [(rk.extrap, (2, 3, 4, 5)), (rk.DC, (2, 3)), (rk.RKC1, (2, 5, 8)), (rk.SSPRK2, (2, 5, 8))])
def test_stability_polynomials(family, sizes):
    for size in sizes:
        theirs = family(size)
        p, _ = theirs.stability_function()
        ours, _ = from_nodepy(theirs).stability_function()
        assert floats(ours.coeffs) == pytest.approx(floats(p.coeffs), rel=1e-9, abs=1e-15), (family, size)


# The documentation: accuracy, composition.


def test_error_metrics():
    """rk.error_metrics(): A^(p+1) and A^(p+1)_max are the norms of the principal error."""
    for name in ("RK44", "BS5", "SSP104"):
        theirs = rk.loadRKM(name)
        euclidean, largest, *_ = theirs.error_metrics()
        assert from_nodepy(theirs).principal_error_norm() == pytest.approx(float(euclidean), rel=1e-10), name


@pytest.mark.parametrize("left, right", [("RK44", "SSP33"), ("Mid22", "Mid22"), ("BS5", "FE")])
def test_composition(left, right):
    """rk1 * rk2 is a half step of rk2 and then one of rk1: hm.compose has them in the order of time."""
    first, second = rk.loadRKM(left), rk.loadRKM(right)
    theirs, ours = first * second, hm.compose([from_nodepy(second), from_nodepy(first)])
    assert ours.A == pytest.approx(floats(theirs.A), abs=1e-14) and ours.b == pytest.approx(floats(theirs.b), abs=1e-14)
