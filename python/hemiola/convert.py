"""Conversion to and from other packages: NodePy, SciPy, diffrax, SymPy, and texts of SUNDIALS, PETSc and Julia.

Other packages are imported only when they are needed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._hemiola import HemiolaError
from .arguments import PathLike
from .methods import Method, as_method, read
from .optional import optional

__all__ = [
    "from_diffrax", "from_nodepy", "from_scipy", "from_text", "to_diffrax", "to_nodepy", "to_scipy", "to_sympy", "to_text",
]  # fmt: skip


def _single(method: Method | PathLike) -> Method:
    chosen = as_method(method)
    if len(chosen.partitions) != 1:
        raise HemiolaError(f"{chosen.id} has {len(chosen.partitions)} partitions; expected one, such as `method['fast']`")
    return chosen


def from_nodepy(method: Any, *, id: str = "from-nodepy") -> Method:
    """Converts a Runge–Kutta method from NodePy (``RungeKuttaMethod`` and its subclasses); exact coefficients stay exact.

    >>> from_nodepy(to_nodepy("dormand-prince-5")).embedded().order()
    4
    """
    name = str(getattr(method, "name", "") or id)
    b_hat = getattr(method, "bhat", None)
    return Method(method.A, method.b, method.c, b_hat=b_hat, id=id, name=name)


def to_nodepy(method: Method | PathLike) -> Any:
    """Converts a method with one partition to NodePy: explicit or implicit, with or without embedded weights, with exact coefficients.

    >>> to_nodepy("rk4").order()
    4
    """
    rk = optional("nodepy.runge_kutta_method", "to_nodepy")
    chosen = _single(method)
    exact = to_sympy(chosen)
    # NodePy computes with object arrays of SymPy numbers.
    A, b = (np.array(exact[key].tolist(), dtype=object) for key in ("A", "b"))
    b = b.reshape(-1)
    if chosen.b_hat is not None and chosen.is_explicit():
        b_hat = np.array(exact["b_hat"].tolist(), dtype=object).reshape(-1)
        return rk.ExplicitRungeKuttaPair(A, b, b_hat, name=chosen.name, shortname=chosen.id)
    kind = rk.ExplicitRungeKuttaMethod if chosen.is_explicit() else rk.RungeKuttaMethod
    return kind(A, b, name=chosen.name, shortname=chosen.id)


def to_sympy(method: Method | PathLike) -> dict[str, Any]:
    """Returns the exact coefficients as SymPy matrices: ``A`` (s, s), ``b``, ``c`` and, if present, ``b_hat`` (s, 1).

    With N partitions each entry is a list of N matrices.

    >>> to_sympy("gauss-2")["c"][0]
    1/2 - sqrt(3)/6
    """
    sympy = optional("sympy", "to_sympy")
    chosen = as_method(method)

    def exact(texts: Any) -> Any:
        array = np.array(texts, dtype=object)
        rows = array if array.ndim == 2 else array.reshape(-1, 1)
        return sympy.Matrix([[sympy.sympify(text, rational=True) for text in row] for row in rows])

    found: dict[str, Any] = {}
    parts = chosen._core.texts(False)
    for key, name in (("a", "A"), ("b", "b"), ("c", "c"), ("b_hat", "b_hat")):
        if all(part[key] is not None for part in parts):
            matrices = [exact(part[key]) for part in parts]
            found[name] = matrices[0] if len(matrices) == 1 else matrices
    return found


def _without_first_same_as_last(method: Method) -> tuple[Any, ...]:
    """Returns A, b, c, b_hat and dense of an explicit method. The last two refer to the stages and f(y₁), which may already be the last
    stage."""
    A, b, c, b_hat, dense = method.A, method.b, method.c, method.b_hat, method.dense
    if b_hat is None:
        raise HemiolaError(f"{method.id} has no embedded weights; `hemiola.complete(method, embedded=…)` adds them")
    s = method.stages
    if s > 1 and b[-1] == 0 and np.array_equal(A[-1], b):
        return A[: s - 1, : s - 1], b[: s - 1], c[: s - 1], b_hat, dense
    further = None if dense is None else np.vstack([dense, np.zeros(dense.shape[1])])
    return A, b, c, np.append(b_hat, 0.0), further


def to_scipy(method: Method | PathLike) -> Any:
    """Creates a class for ``method=`` of :func:`scipy.integrate.solve_ivp` from an explicit method with embedded weights.

    SciPy controls the steps. Dense output is the method's own or, if it has none, a cubic Hermite polynomial.

    Raises
    ------
    HemiolaError
        If the method is implicit, has partitions, or has no embedded weights.

    Examples
    --------
    >>> from scipy.integrate import solve_ivp
    >>> found = solve_ivp(lambda t, y: -y, (0, 1), [1.0], method=to_scipy("dormand-prince-5"), rtol=1e-8, atol=1e-10)
    >>> bool(abs(found.y[0, -1] - np.exp(-1)) < 1e-7)
    True
    """
    chosen = _single(method)
    if not chosen.is_explicit():
        raise HemiolaError(f"{chosen.id} is implicit; expected an explicit method")
    A, b, c, b_hat, dense = _without_first_same_as_last(chosen)
    base = optional("scipy.integrate", "to_scipy").RK45.__mro__[1]
    stages = len(b)
    b_end = np.append(b, 0.0)
    if dense is None:
        first, last = np.eye(stages + 1)[[0, -1]]
        dense = np.column_stack([first, 3 * b_end - 2 * first - last, first + last - 2 * b_end])
    embedded = chosen.embedded()
    assert embedded is not None, "weights that were there"
    fields = {
        "A": A, "B": b, "C": c, "E": b_hat - b_end, "P": dense, "order": chosen.order(), "n_stages": stages,
        "error_estimator_order": min(chosen.order(), embedded.order()),
        "__doc__": f"{chosen.name}, as a solver of SciPy.", "__module__": __name__,
    }  # fmt: skip
    return type(chosen.id.title().replace("-", ""), (base,), fields)


def from_scipy(solver: Any, *, id: str | None = None) -> Method:
    """Converts a Runge–Kutta solver class from SciPy (``RK23``, ``RK45``), with its embedded weights and dense output.

    >>> from scipy.integrate import RK45
    >>> from_scipy(RK45).order()
    5
    """
    for field in ("A", "B", "C", "E", "P"):
        if not isinstance(getattr(solver, field, None), np.ndarray):
            raise HemiolaError(f"{solver!r} has no array {field}; expected a class such as RK23 or RK45 of SciPy")
    s = solver.n_stages
    A = np.zeros((s + 1, s + 1))
    A[:s, : solver.A.shape[1]] = solver.A[:s]
    A[s, :s] = solver.B
    b = np.append(solver.B, 0.0)
    # SciPy's E is b̂ − b.
    name = solver.__name__
    return Method(
        A, b, np.append(solver.C[:s], 1.0), b_hat=b + solver.E, dense=solver.P, id=id or f"scipy-{name.lower()}", name=f"SciPy {name}",
        order=solver.order, decimals=15,
    )  # fmt: skip


def to_diffrax(method: Method | PathLike) -> Any:
    """Converts an explicit method with embedded weights to a ``ButcherTableau`` of diffrax. Its ``b_error`` is the difference b − b̂,
    rounded to doubles."""
    diffrax = optional("diffrax", "to_diffrax")
    chosen = _single(method)
    if not chosen.is_explicit():
        raise HemiolaError(f"{chosen.id} is implicit; expected an explicit method")
    if chosen.b_hat is None:
        raise HemiolaError(f"{chosen.id} has no embedded weights; `hemiola.complete(method, embedded=…)` adds them")
    A, b = chosen.A, chosen.b
    lower = tuple(A[i, :i].copy() for i in range(1, chosen.stages))
    return diffrax.ButcherTableau(a_lower=lower, b_sol=b, b_error=b - chosen.b_hat, c=chosen.c[1:].copy())


def from_diffrax(tableau: Any, *, id: str = "from-diffrax", name: str | None = None) -> Method:
    """Converts a ``ButcherTableau`` of diffrax, or any object with ``a_lower``, ``b_sol``, ``b_error`` and ``c``: b̂ = b − b_error.

    >>> from types import SimpleNamespace
    >>> heun_euler = SimpleNamespace(a_lower=([1.0],), b_sol=[0.5, 0.5], b_error=[-0.5, 0.5], c=[1.0])
    >>> found = from_diffrax(heun_euler)
    >>> found.order(), found.b_hat.tolist()
    (2, [1.0, 0.0])
    """
    rows = [np.asarray(row, dtype=float) for row in tableau.a_lower]
    s = len(rows) + 1
    A = np.zeros((s, s))
    for i, row in enumerate(rows, start=1):
        A[i, : len(row)] = row
    a_diagonal = getattr(tableau, "a_diagonal", None)
    if a_diagonal is not None:
        A[np.diag_indices(s)] = np.asarray(a_diagonal, dtype=float)
    b = np.asarray(tableau.b_sol, dtype=float)
    b_hat = b - np.asarray(tableau.b_error, dtype=float)
    c = np.asarray(tableau.c, dtype=float)
    c = c if len(c) == s else np.concatenate(([0.0], c))
    return Method(A, b, c, b_hat=b_hat, id=id, name=name, decimals=15)


def to_text(method: Method | PathLike, language: str) -> str:
    """Writes a method as text: sundials, petsc, julia, c, fortran, matlab, python, rust, json (for differential-equations-rs), latex or csv; see :meth:`Method.to`.

    >>> "ARKodeButcherTable" in to_text("bogacki-shampine-3", "sundials")
    True
    """
    return as_method(method).to(language)


def from_text(text: str, format: str | None = None) -> list[Method]:
    """Reads the methods in a text: SUNDIALS tables, PETSc registrations, Julia, NodePy's sources, …; see :func:`hemiola.read`.

    >>> from_text(to_text("rk4", "julia"))[0].exact_order()
    4
    """
    return read(text if "\n" in text else text + "\n", format)
