"""Methods of other packages, both ways."""

import types

import numpy as np
import pytest

import hemiola as hm
from hemiola import convert


def test_scipy_solvers():
    ivp = pytest.importorskip("scipy.integrate")

    def rate(t, y):
        return [y[1], -np.sin(y[0]) + 0.1 * np.cos(t)]

    exact = ivp.solve_ivp(rate, (0, 10), [1, 0], method="DOP853", rtol=1e-12, atol=1e-13, dense_output=True)
    for id in ("dormand-prince-5", "bogacki-shampine-3", "fehlberg-4-5" if "fehlberg-4-5" in hm.library() else "dormand-prince-5"):
        solver = convert.to_scipy(id)
        found = ivp.solve_ivp(rate, (0, 10), [1, 0], method=solver, rtol=1e-8, atol=1e-10, dense_output=True)
        assert found.success and np.allclose(found.y[:, -1], exact.y[:, -1], atol=3e-6), id
        times = np.linspace(0, 10, 37)
        assert np.allclose(found.sol(times), exact.sol(times), atol=3e-5), id
    # Theirs is ours.
    ours = ivp.solve_ivp(rate, (0, 10), [1, 0], method=convert.to_scipy("dormand-prince-5"), rtol=1e-6)
    theirs = ivp.solve_ivp(rate, (0, 10), [1, 0], method="RK45", rtol=1e-6)
    assert ours.nfev == theirs.nfev and np.allclose(ours.y, theirs.y, rtol=1e-12)
    # Where f(y₁) is no stage, and nothing is dense: a cubic of Hermite.
    plain = hm.complete("kutta-3", embedded=2)
    found = ivp.solve_ivp(rate, (0, 10), [1, 0], method=convert.to_scipy(plain), rtol=1e-7, atol=1e-9, dense_output=True)
    assert np.allclose(found.sol(times), exact.sol(times), atol=1e-4)


def test_from_scipy():
    ivp = pytest.importorskip("scipy.integrate")
    for solver, order, embedded in ((ivp.RK45, 5, 4), (ivp.RK23, 3, 2)):
        found = convert.from_scipy(solver)
        assert (found.order(), found.embedded().order()) == (order, embedded)
        again = convert.to_scipy(found)
        assert np.allclose(again.A, solver.A if solver.A.shape == again.A.shape else np.pad(solver.A, ((0, 0), (0, 1)))[:, : again.A.shape[1]])
        assert np.allclose(again.E, solver.E) and np.allclose(again.P, solver.P)


def tableau(method):
    """What diffrax has: rows below the diagonal, and a `b_error` that is a difference."""
    return types.SimpleNamespace(
        a_lower=tuple(method.A[i, :i] for i in range(1, method.stages)), b_sol=method.b, b_error=method.b - method.b_hat, c=method.c[1:]
    )  # fmt: skip


def test_diffrax():
    method = hm.method("dormand-prince-5")
    found = convert.from_diffrax(tableau(method))
    assert np.allclose(found.A, method.A) and np.allclose(found.b_hat, method.b_hat) and found.order() == 5
    assert found.embedded().order() == 4
    diffrax = pytest.importorskip("diffrax")
    theirs = convert.to_diffrax(method)
    # Theirs has Shampine's embedded weights, whose estimate is two thirds of that of Dormand & Prince.
    assert np.allclose(theirs.b_error * 2 / 3, diffrax.Dopri5.tableau.b_error, atol=1e-12)
    assert np.allclose(theirs.b_sol, diffrax.Dopri5.tableau.b_sol, atol=1e-15)
    assert convert.from_diffrax(diffrax.Tsit5.tableau).order() == 5


def test_sympy():
    sympy = pytest.importorskip("sympy")
    exact = convert.to_sympy("gauss-2")
    assert exact["A"][0, 1] == sympy.Rational(1, 4) - sympy.sqrt(3) / 6
    assert hm.Method(exact["A"], exact["b"]).exact_order() == 4
    assert len(convert.to_sympy("shome-haug-jay-2-5")["A"]) == 2
    cosine = hm.Method([[sympy.cos(sympy.pi / 18)]], [1])
    assert cosine.A[0, 0] == pytest.approx(np.cos(np.pi / 18), rel=1e-16) and len(cosine.text.A[0, 0]) > 40


@pytest.mark.parametrize("language", ["sundials", "julia", "csv", "latex", "python", "c", "matlab"])
def test_texts_there_and_back(language):
    method = hm.method("dormand-prince-5")
    text = convert.to_text(method, language)
    (found, *_) = convert.from_text(text)
    assert np.allclose(found.A, method.A, rtol=1e-15) and np.allclose(found.b, method.b, rtol=1e-15), language
    assert found.order() == 5


def test_petsc_there_and_back():
    pair = hm.method("hemiola-2-5")
    text = convert.to_text(pair, "petsc")
    assert "TSMPRKRegister" in text
    (found, *_) = convert.from_text(text, "petsc")
    assert np.allclose(found.A, pair.A, rtol=1e-15)


def test_only_code_that_runs_is_read():
    text = "double A[2][2] = {{0, 0}, {2/3, 0}};\ndouble b[2] = {1/4, 3/4};\n"
    with pytest.raises(hm.HemiolaError, match="a division of integers"):
        hm.read(text, "c")
    assert hm.read(text, "c", assume_real_division=True)[0].exact_order() == 2
    with pytest.warns(UserWarning, match="only under the condition `if old`"):
        assert len(hm.read("if old:\n    A = [[0, 0], [1, 0]]\n    b = [0, 1]\n", "numpy")) == 1
