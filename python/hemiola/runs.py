"""Runs of methods on systems of one's own, as :func:`scipy.integrate.solve_ivp` makes them, with rates in partitions."""

from __future__ import annotations

import ctypes
import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _hemiola
from ._hemiola import HemiolaError
from .methods import FloatArray, Method, PathLike, as_method

#: What functions of ctypes are.
_COMPILED: Any = getattr(ctypes, "_CFuncPtr")
#: A function f(t, y_slow, y_fast) that returns rates, or a compiled one.
Rate = Callable[..., Any]


class DenseSolution:
    """A solution at any time, piecewise polynomials: ``sol(t)`` is (n,) for a number, (n, k) for k times."""

    def __init__(self, t0: float, ends: FloatArray, fractions: Sequence[float], inside: FloatArray) -> None:
        self._breaks = np.concatenate(([t0], ends))
        # y(θ) through the states at the fractions: exact, as the dense output is a polynomial of this degree.
        vandermonde = np.vander(np.asarray(fractions), increasing=True)
        self._coefficients = np.einsum("kj,sjn->skn", np.linalg.inv(vandermonde), inside)
        self._direction = -1.0 if len(ends) and ends[-1] < t0 else 1.0

    @property
    def t_min(self) -> float:
        """The earliest time."""
        return float(min(self._breaks[0], self._breaks[-1]))

    @property
    def t_max(self) -> float:
        """The latest time."""
        return float(max(self._breaks[0], self._breaks[-1]))

    def __call__(self, t: npt.ArrayLike) -> FloatArray:
        times = np.asarray(t, dtype=float)
        flat = times.reshape(-1)
        if flat.size and not (self.t_min <= flat.min() and flat.max() <= self.t_max):
            raise HemiolaError(f"found times from {flat.min()} to {flat.max()}; expected {self.t_min} to {self.t_max}")
        d = self._direction
        last = len(self._breaks) - 2
        step = np.clip(np.searchsorted(d * self._breaks, d * flat, side="right") - 1, 0, last)
        theta = (flat - self._breaks[step]) / (self._breaks[step + 1] - self._breaks[step])
        values: FloatArray = np.zeros((flat.size, self._coefficients.shape[2]))
        for coefficients in self._coefficients.transpose(1, 0, 2)[::-1]:
            values = values * theta[:, None] + coefficients[step]
        return values.T.reshape((-1, *times.shape)) if times.ndim else values[0]


@dataclass(frozen=True, eq=False)
class Solution:
    """The result of a run, with the fields of SciPy's and those of a system in partitions."""

    #: The times: (k,).
    t: FloatArray
    #: The states there, slow variables first: (n, k).
    y: FloatArray
    #: The states by partition: (n_r, k) each.
    parts: tuple[FloatArray, ...]
    #: The solution at any time, where dense output was asked for.
    sol: DenseSolution | None
    #: How often the rates of each partition were evaluated.
    nfev: tuple[int, ...]
    #: Accepted and rejected steps.
    steps: int
    rejected: int
    #: Whether the end was reached.
    success: bool
    #: 0 at the end, −1 where the run broke off.
    status: int
    message: str
    method: Method = field(repr=False)

    @property
    def y_slow(self) -> FloatArray:
        """The states of the slow variables: (n_s, k)."""
        return self.parts[0]

    @property
    def y_fast(self) -> FloatArray:
        """The states of the fast variables: (n_f, k)."""
        return self.parts[-1]


def _rate(function: Rate, args: tuple[Any, ...], name: str) -> Any:
    """A Python function, or the address of a compiled one."""
    address = getattr(function, "address", None)
    if isinstance(address, int):
        compiled: Any = address
    elif isinstance(function, _COMPILED):
        pointer: Any = function
        compiled = ctypes.cast(pointer, ctypes.c_void_p).value or 0
    elif callable(function):
        return functools.partial(_with, function, args) if args else function
    else:
        raise TypeError(f"{name}: found {function!r}; expected a function, a Numba cfunc or a ctypes function")
    if args:
        raise TypeError(f"{name}: a compiled function takes no args; expected a function of Python")
    return compiled


def _with(function: Rate, args: tuple[Any, ...], *state: Any) -> Any:
    return function(*state, *args)


def _states(states: Sequence[npt.ArrayLike]) -> list[FloatArray]:
    arrays = []
    for k, state in enumerate(states):
        array = np.asarray(state)
        if array.dtype.kind == "c":
            raise TypeError(f"states[{k}]: found complex numbers; expected real ones")
        if array.dtype.kind not in "biuf":
            raise TypeError(f"states[{k}]: found entries of type {array.dtype}; expected numbers")
        if array.ndim > 1:
            raise HemiolaError(f"states[{k}]: found the shape {array.shape}; expected one axis")
        array = np.atleast_1d(array).astype(float)
        if not np.isfinite(array).all():
            raise HemiolaError(f"states[{k}]: found {array[~np.isfinite(array)][0]}; expected finite numbers")
        arrays.append(array)
    return arrays


def control(
    chosen: Method,
    span: tuple[float, float],
    *,
    steps: int | None,
    step: float | None,
    rtol: float,
    atol: float,
    t_eval: npt.ArrayLike | None,
    dense_output: bool,
    first_step: float | None,
    min_step: float,
    max_step: float,
    max_steps: int,
) -> dict[str, Any]:
    """How steps are chosen, checked."""
    if not (math.isfinite(span[0]) and math.isfinite(span[1])):
        raise HemiolaError(f"found t_span {span}; expected finite times")
    if steps is not None and step is not None:
        raise HemiolaError("found steps and step; expected one of them")
    length = abs(span[1] - span[0])
    if step is not None:
        if not (step > 0 and math.isfinite(step)):
            raise HemiolaError(f"found step {step}; expected a positive number")
        steps = max(1, math.ceil(length / step * (1 - 1e-12)))
    if steps is not None and steps < 1:
        raise HemiolaError(f"found {steps} steps; expected at least 1")
    for name, value in (("rtol", rtol), ("max_step", max_step)):
        if not value > 0:
            raise HemiolaError(f"found {name} {value}; expected a positive number")
    if not atol >= 0 or not min_step >= 0:
        raise HemiolaError(f"found atol {atol} and min_step {min_step}; expected numbers that are not negative")
    if first_step is not None and not first_step > 0:
        raise HemiolaError(f"found first_step {first_step}; expected a positive number")
    embedded = chosen.embedded()
    kind = "equal" if steps is not None else "doubling" if embedded is None else "embedded"
    times = None
    if t_eval is not None:
        times = np.asarray(t_eval, dtype=float)
        low, high = min(span), max(span)
        forwards = np.diff(times) * (1 if span[1] >= span[0] else -1)
        if times.ndim != 1 or (times.size and not (low <= times.min() and times.max() <= high)) or (forwards <= 0).any():
            raise HemiolaError("t_eval: expected times within t_span, each after the one before")
    wants_inside = dense_output or times is not None
    dense = chosen.dense
    if wants_inside and dense is None:
        raise HemiolaError(
            f"{chosen.id} has no dense output, which t_eval and dense_output need; `hemiola.complete(method, dense=…)` adds one"
        )
    if wants_inside and kind == "doubling":
        raise HemiolaError(
            f"{chosen.id} has no embedded weights, which dense output with adaptive steps needs; "
            "`hemiola.complete(method, embedded=…, dense=…)` adds them"
        )
    degree = dense.shape[-1] if dense is not None and dense_output else 0
    order = chosen.order()
    return {
        "kind": kind,
        "steps": steps or 0,
        "order": min(order, embedded.order()) if embedded is not None and kind == "embedded" else order,
        "relative": float(rtol),
        "absolute": float(atol),
        "first": first_step,
        "smallest": float(min_step),
        "largest": float(max_step),
        "limit": int(max_steps),
        "times": None if times is None else times.tolist(),
        "fractions": [k / degree for k in range(degree + 1)] if degree else [],
    }


def solution(chosen: Method, span: tuple[float, float], sizes: Sequence[int], how: dict[str, Any], kept: dict[str, Any]) -> Solution:
    """What a run leaves, as a :class:`Solution`."""
    y = np.ascontiguousarray(kept["y"].T)
    sol = DenseSolution(span[0], kept["ends"], how["fractions"], kept["inside"]) if how["fractions"] else None
    finished = kept["status"] == "finished"
    return Solution(
        t=kept["t"],
        y=y,
        parts=tuple(np.split(y, np.cumsum(sizes)[:-1])),
        sol=sol,
        nfev=tuple(kept["evaluations"]),
        steps=kept["steps"],
        rejected=kept["rejected"],
        success=finished,
        status=0 if finished else -1,
        message=kept["message"],
        method=chosen,
    )


def integrate_partitions(
    rates: Sequence[Rate],
    t_span: tuple[float, float],
    states: Sequence[npt.ArrayLike],
    method: Method | PathLike,
    *,
    steps: int | None = None,
    step: float | None = None,
    rtol: float = 1e-6,
    atol: float = 1e-9,
    t_eval: npt.ArrayLike | None = None,
    dense_output: bool = False,
    first_step: float | None = None,
    min_step: float = 0.0,
    max_step: float = math.inf,
    max_steps: int = 1_000_000,
    args: tuple[Any, ...] = (),
) -> Solution:
    """Run a method on y' = f(t, y) whose variables come in any number of partitions.

    Parameters
    ----------
    rates :
        For each partition f_r(t, y_0, …, y_{N−1}), which returns the rates of its variables. Compiled functions are as for
        :func:`integrate`.
    t_span :
        From where to where; backwards, too.
    states :
        The initial state of each partition.
    method :
        A method with one partition, or as many as the system; explicit or implicit.
    steps, step, rtol, atol, t_eval, dense_output, first_step, min_step, max_step, max_steps, args :
        As for :func:`integrate`.

    Examples
    --------
    >>> found = integrate_partitions([lambda t, y: -y], (0.0, 1.0), [[1.0]], "rk4", steps=10)
    >>> bool(abs(found.y[0, -1] - np.exp(-1)) < 1e-6)
    True
    """
    chosen = as_method(method)
    if len(rates) != len(states) or not rates:
        raise HemiolaError(f"found {len(rates)} rates and {len(states)} states; expected as many of each, at least one")
    t0, t1 = (float(t) for t in t_span)
    arrays = _states(states)
    sizes = [array.size for array in arrays]
    names = chosen.partitions if len(chosen.partitions) == len(rates) else [str(k) for k in range(len(rates))]
    how = control(
        chosen, (t0, t1), steps=steps, step=step, rtol=rtol, atol=atol, t_eval=t_eval, dense_output=dense_output,
        first_step=first_step, min_step=min_step, max_step=max_step, max_steps=max_steps,
    )  # fmt: skip

    def convert(returned: Any, partition: int, size: int) -> FloatArray:
        array = np.asarray(returned)
        name = names[partition]
        if array.dtype.kind == "c":
            raise TypeError(f"the rates of the partition {name} are complex; expected real numbers")
        if array.dtype.kind not in "biuf":
            raise TypeError(f"the rates of the partition {name} are {returned!r}; expected {size} numbers")
        if array.size != size or array.ndim > 1:
            raise HemiolaError(f"the rates of the partition {name} have the shape {array.shape}; expected ({size},)")
        return np.ascontiguousarray(array.reshape(size), dtype=float)

    functions = [_rate(function, args, f"rates[{k}]") for k, function in enumerate(rates)]
    kept = _hemiola.integrate(chosen._core, functions, sizes, np.concatenate(arrays), (t0, t1), how, convert)
    return solution(chosen, (t0, t1), sizes, how, kept)


def integrate(
    f_slow: Rate,
    f_fast: Rate,
    t_span: tuple[float, float],
    y_slow: npt.ArrayLike,
    y_fast: npt.ArrayLike,
    method: Method | PathLike = "hemiola-4-8",
    *,
    steps: int | None = None,
    step: float | None = None,
    rtol: float = 1e-6,
    atol: float = 1e-9,
    t_eval: npt.ArrayLike | None = None,
    dense_output: bool = False,
    first_step: float | None = None,
    min_step: float = 0.0,
    max_step: float = math.inf,
    max_steps: int = 1_000_000,
    args: tuple[Any, ...] = (),
) -> Solution:
    """Run a dual-rate method on a slow and a fast system: y_s' = f_s(t, y_s, y_f), y_f' = f_f(t, y_s, y_f).

    Parameters
    ----------
    f_slow, f_fast :
        Functions f(t, y_slow, y_fast) that return the rates of their variables. Compiled functions run without the interpreter:
        a Numba ``cfunc`` or a ctypes function of the C type ``void rate(double t, const double *y, double *rate)``, where y holds all
        variables, slow ones first. A method evaluates the fast one more often.
    t_span :
        From where to where; backwards, too.
    y_slow, y_fast :
        The initial states: (n_s,) and (n_f,), or numbers.
    method : optional
        A pair, or a method with one partition; explicit or implicit.
    steps, step : optional
        The number of equal steps, or their size. Steps are adaptive where neither is given: by the embedded method, or by step doubling
        where there is none.
    rtol, atol : optional
        The tolerances of adaptive steps.
    t_eval : optional
        Times at which states are wanted; all steps by default. Needs dense output.
    dense_output : optional
        Whether ``sol(t)`` is wanted. Needs a method with dense output, see :func:`hemiola.complete`.
    first_step, min_step, max_step, max_steps : optional
        Bounds of adaptive steps.
    args : optional
        Further arguments of Python functions.

    Returns
    -------
    Solution
        With ``t`` (k,), ``y`` (n, k), ``y_slow``, ``y_fast``, ``sol``, ``nfev``; where the run breaks off, ``success`` is False and
        ``message`` says why.

    Raises
    ------
    HemiolaError
        If the method does not fit. Exceptions of the functions end the run and are raised as they are, KeyboardInterrupt among them.

    Examples
    --------
    >>> def slow(t, y, z): return -y + 0.1 * z
    >>> def fast(t, y, z): return y - 50.0 * z
    >>> found = integrate(slow, fast, (0.0, 1.0), [1.0], [0.0], "hemiola-4-8", steps=40)
    >>> found.nfev, found.success
    ((160, 320), True)
    """
    return integrate_partitions(
        [f_slow, f_fast], t_span, [y_slow, y_fast], method, steps=steps, step=step, rtol=rtol, atol=atol, t_eval=t_eval,
        dense_output=dense_output, first_step=first_step, min_step=min_step, max_step=max_step, max_steps=max_steps, args=args,
    )  # fmt: skip
