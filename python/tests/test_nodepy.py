"""NodePy's documentation and tutorials, line by line: theirs on the left, ours on the right, equal numbers.

From its documentation (Runge–Kutta methods, stability), with NodePy 1.1.1; the tutorials are in test_nodepy_tutorials.py, which also says what is
out of scope. Where NodePy is wrong, a test says so by name.
"""

import warnings
from fractions import Fraction as F

import numpy as np
import pytest

import hemiola as hm
from hemiola.convert import from_nodepy, to_nodepy

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    rk = pytest.importorskip("nodepy.runge_kutta_method")
    rt = pytest.importorskip("nodepy.rooted_trees")
plt = pytest.importorskip("matplotlib.pyplot")
pytestmark = pytest.mark.filterwarnings("ignore")


def test_loading_methods():
    theirs, ours = rk.loadRKM("RK44"), hm.method("RK4")
    assert np.array_equal(np.array(theirs.A, dtype=float), ours.A) and np.array_equal(np.array(theirs.b, dtype=float), ours.b)
    assert [F(str(x)) for x in theirs.c] == ours.exact.c.tolist() and len(theirs) == ours.stages
    assert rk.loadRKM("RK44").is_explicit() and ours.is_explicit()


#: NodePy's names of methods that the library does not have. Its ``Lambert65``, of order 5 by name, has order 2.
MISSING = {"Lambert65"}
#: Larger distances than rounding: NodePy's SSP54 has more digits than the paper; the library rounds products to 14 decimals.
FAR = {"SSP54": 1e-9, "SSP22star": 1e-14, "SSP63": 1e-14}
#: Names that mean another method here, and the id of NodePy's method here. Its TR-BDF2 ends the inner step at 1/2, not at 2 − √2; its SS3 goes on
#: with the weights of order 2; the weights of its SSP53 do not sum to one.
OTHERS = {"Fehlberg45": "fehlberg-5-4", "SS3": None, "SSP53": None, "TR-BDF2": None}


def distance(theirs, ours):
    """The largest difference of coefficients; infinite with other numbers of stages."""
    A, b = (np.array(x, dtype=float) for x in (theirs.A, theirs.b))
    return max(abs(A - ours.A).max(), abs(b.ravel() - ours.b).max()) if A.shape == ours.A.shape else np.inf


def test_names_of_methods():
    """Every id of ``loadRKM`` is that of the same coefficients, or a reason says why not."""
    library = [hm.method(id) for id in hm.library(partitions=1)]
    theirs = rk.loadRKM()
    assert len(theirs) == 51 and {*MISSING, *OTHERS} < set(theirs)
    for name, method in theirs.items():
        near = [one for one in library if distance(method, one) < FAR.get(name, 1e-15)]
        if name in MISSING:
            assert not near and method.order() == 2, name
            with pytest.raises(hm.UnknownMethod):
                hm.method(name)
        elif name in OTHERS:
            assert [one.id for one in near] == ([OTHERS[name]] if OTHERS[name] else []) and hm.method(name) not in near, name
        else:
            assert hm.method(name) in near, name


def test_embedded_weights():
    """Pairs of the same name have the same embedded weights; three methods have none here."""
    without = set()
    for name, theirs in rk.loadRKM().items():
        if name in MISSING or name in OTHERS or getattr(theirs, "bhat", None) is None:
            continue
        ours = hm.method(name)
        if ours.b_hat is None:
            without.add(name)
        else:
            assert abs(np.array(theirs.bhat, dtype=float).ravel() - ours.b_hat).max() < 2e-15, name
    assert without == {"SSP104", "SSP33", "SSP43"}


def test_methods_from_coefficients():
    A, b = np.array([[0, 0], [0.5, 0]]), np.array([0, 1.0])
    theirs, ours = rk.ExplicitRungeKuttaMethod(A, b), hm.Method(A, b)
    assert np.array_equal(theirs.c, ours.c)
    assert theirs.order() == ours.order() == 2
    assert "1/2" in str(hm.Method([["0", "0"], ["1/2", 0]], [0, 1]))


def test_accuracy():
    rk44, ssp104 = rk.loadRKM("RK44"), rk.loadRKM("SSP104")
    ours44, ours104 = hm.method("rk4"), from_nodepy(ssp104)
    assert (rk44.order(), ssp104.order()) == (ours44.order(), ours104.order()) == (4, 4)
    assert rk44.principal_error_norm() == pytest.approx(0.014504582343198208, rel=1e-14)
    assert ours44.principal_error_norm() == pytest.approx(rk44.principal_error_norm(), rel=1e-13)
    assert ours104.principal_error_norm() == pytest.approx(0.002211223747053554, rel=1e-12)
    # rk.relative_accuracy_efficiency(rk44, ssp104)
    ratio = (ours44.principal_error_norm() / ours104.principal_error_norm()) ** (1 / 5)
    assert ours104.stages / ours44.stages / ratio == pytest.approx(rk.relative_accuracy_efficiency(rk44, ssp104), rel=1e-12)
    assert rk44.stage_order() == ours44.stage_order() == 1


def test_stability_functions():
    for name in ("RK44", "SSP104", "BS5", "DP5"):
        theirs = rk.loadRKM(name)
        ours = from_nodepy(theirs)
        p, q = ours.stability_function()
        left, right = theirs.stability_function()
        assert [F(str(x)) for x in left.coeffs] == list(p.coeffs) and [F(str(x)) for x in right.coeffs] == list(q.coeffs), name


def test_stability_intervals():
    for name in ("RK44", "SSP104", "SSP33", "FE", "DP5", "BS5", "Mid22", "Heun33", "SSP22", "Lambert65"):
        theirs = rk.loadRKM(name)
        ours = from_nodepy(theirs)
        assert ours.real_stability_interval() == pytest.approx(float(theirs.real_stability_interval()), abs=1e-9), name
        assert ours.imaginary_stability_interval() == pytest.approx(float(theirs.imaginary_stability_interval()), abs=1e-9), name


def test_figures():
    figure, (left, right) = plt.subplots(1, 2)
    # ssp104.plot_stability_region(bounds=[-15, 1, -10, 10]); ssp104.plot_order_star()
    ours = from_nodepy(rk.loadRKM("SSP104"))
    assert ours.plot_stability_region(ax=left, bounds=[-15, 1, -10, 10]).get_xlim() == (-15, 1)
    assert ours.plot_order_star(ax=right).get_ylim() == (-5, 5)
    region = left.patches[0].get_path()
    p, q = rk.loadRKM("SSP104").stability_function()
    for z in (-1, -13, -14.5, 0.1, -4 + 6j, -4 + 9j):
        modulus = abs(np.polyval(np.array(p.coeffs, dtype=float), z) / np.polyval(np.array(q.coeffs, dtype=float), z))
        assert region.contains_point((np.real(z), np.imag(z))) == (modulus <= 1), z
    plt.close(figure)


def test_rooted_trees():
    # The table of the notebook on order conditions: order, trees, all trees up to it.
    theirs = [len(rt.list_trees(p)) for p in range(1, 11)]
    assert theirs == [len(hm.trees(p)) for p in range(1, 11)] == hm.tree_counts(10)
    assert sum(theirs) == 1205
    # Densities and symmetries are those of the conditions.
    pairs = sorted((int(tree.density()), int(tree.symmetry())) for tree in rt.list_trees(6))
    assert pairs == sorted((tree.density, tree.symmetry) for tree in hm.trees(6))


@pytest.mark.parametrize("name", ["RK44", "DP5", "BS5", "GL2", "SSP104", "Fehlberg45", "LobattoIIIC3"])
def test_there_and_back(name):
    theirs = rk.loadRKM(name)
    ours = from_nodepy(theirs)
    again = from_nodepy(to_nodepy(ours))
    assert np.array_equal(again.text.A, ours.text.A) and np.array_equal(again.text.b, ours.text.b), name
    assert (again.b_hat is None) == (getattr(theirs, "bhat", None) is None)
    assert to_nodepy(ours).order() == ours.order()


# Where NodePy is wrong.


def test_order_of_tsitouras_does_not_depend_on_the_machine():
    """Residuals of 2e-15 lie at NodePy's absolute tolerance once multiplied: its order is 4 or 5, depending on the kernel of BLAS."""
    theirs = rk.loadRKM("Tsit5")
    assert theirs.order() in (4, 5)
    ours = from_nodepy(theirs)
    assert ours.order() == 5 and ours.principal_error_norm() == pytest.approx(1.385e-4, rel=1e-3)


@pytest.mark.parametrize("name, extent", [("Tsit5", 0.4779788686), ("CMR6", 2.6092677265)])
def test_nodepy_says_zero_for_imaginary_intervals_that_are_not(name, extent):
    theirs = rk.loadRKM(name)
    ours = from_nodepy(theirs)
    assert theirs.imaginary_stability_interval() == 0
    assert ours.imaginary_stability_interval() == pytest.approx(extent, rel=1e-8)
    # |R| on the interval, in doubles, and beyond it.
    assert hm.rho(ours, 1j * np.linspace(0, extent, 500)).max() < 1 + 1e-9 and hm.rho(ours, 1j * (extent + 0.02)) > 1 + 1e-9


def test_nodepy_has_no_intervals_of_implicit_methods():
    """They raise AttributeError: the class has no such method."""
    theirs = rk.loadRKM("GL2")
    with pytest.raises(AttributeError):
        theirs.real_stability_interval()
    assert from_nodepy(theirs).real_stability_interval() == np.inf
