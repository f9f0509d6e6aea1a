"""Runs of methods on user-defined partitioned systems, like :func:`scipy.integrate.solve_ivp`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _hemiola
from ._hemiola import HemiolaError
from .arguments import PathLike, checked, read_fields
from .methods import FloatArray, Method
from .realizations import Realization, Runnable, as_runnable
from .schemes import given
from .steps import Control, Options, callable_of, events_of, shows_options

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .figures import Figure

#: The largest number of variables of a partition that a figure shows by default.
_MOST_DRAWN = 6
#: The largest number of times that a figure shows.
_MOST_TIMES = 2000

#: A function f(t, y_slow, y_fast) that returns rates, or a compiled function.
Rate = Callable[..., Any]


class DenseSolution:
    """A solution at any time, from piecewise polynomials: ``sol(t)`` is (n,) for a number, (n, k) for k times."""

    def __init__(self, t0: float, ends: FloatArray, fractions: Sequence[float], inside: FloatArray) -> None:
        self._breaks = np.concatenate(([t0], ends))
        # Interpolation of y(θ) at the fractions is exact, since the dense output is a polynomial of this degree.
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
    """The result of a run, with the fields of SciPy's result and those of a partitioned system."""

    #: The times: (k,).
    t: FloatArray
    #: The states at these times, slow variables first: (n, k).
    y: FloatArray
    #: The states by partition: (n_r, k) each.
    parts: tuple[FloatArray, ...]
    #: The solution at any time, if dense output was requested.
    sol: DenseSolution | None
    #: The times of the zeros of each event, (k,), and the states at these times, (k, n); None without events.
    t_events: list[FloatArray] | None
    y_events: list[FloatArray] | None
    #: The number of evaluations of the rates of each partition.
    evaluations: tuple[int, ...]
    #: The numbers of accepted and rejected steps.
    steps: int
    rejected: int
    #: Whether the run reached its end or a terminal event.
    success: bool
    #: 0 at the end, 1 at a terminal event, −1 if the run failed.
    status: int
    message: str
    method: Method | Realization = field(repr=False)

    @property
    def nfev(self) -> int:
        """The number of evaluations of the rates of all partitions together."""
        return sum(self.evaluations)

    @property
    def y_slow(self) -> FloatArray:
        """The states of the slow variables: (n_s, k)."""
        return self.parts[0]

    @property
    def y_fast(self) -> FloatArray:
        """The states of the fast variables: (n_f, k)."""
        return self.parts[-1]

    @checked
    def figure(self, variables: Sequence[int] | None = None) -> Figure:
        """Draws the variables over time, with a panel for each partition.

        By default at most the first six variables of each partition are drawn; ``variables`` selects others, counted from 0. Long runs are
        drawn at 2000 times.

        >>> run = solve_ivp(lambda t, y: [y[1], -y[0]], (0.0, 6.0), [1.0, 0.0])
        >>> sorted({mark.label for mark in run.figure().marks()})
        ['y[0]', 'y[1]']
        """
        from .figures import Figure

        sizes = [len(part) for part in self.parts]
        numbers = np.split(np.arange(len(self.y)), np.cumsum(sizes)[:-1])
        outside = [k for k in variables or () if k >= len(self.y)]
        if variables is not None and not variables:
            raise HemiolaError("variables: found none; expected at least one")
        if outside:
            raise HemiolaError(f"variables: found {outside[0]}; expected 0 to {len(self.y) - 1}")
        chosen = [group[:_MOST_DRAWN] if variables is None else [k for k in variables if k in group] for group in numbers]
        names = self.method.partitions if len(self.method.partitions) == len(chosen) > 1 else ["y"] * len(chosen)
        shown = np.unique(np.linspace(0, len(self.t) - 1, min(len(self.t), _MOST_TIMES)).astype(int))
        groups = [
            (name, [(f"y[{k}]", self.y[k, shown].tolist()) for k in group]) for name, group in zip(names, chosen) if len(group)
        ]
        description = f"Solution by {self.method.id} with {self.steps} steps"
        return Figure(_hemiola.time_figure(self.t[shown].tolist(), groups, description))

    def _repr_html_(self) -> str:
        from .tables import solution_table

        return solution_table(self)


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


def solution(chosen: Method | Realization, span: tuple[float, float], sizes: Sequence[int], how: dict[str, Any], kept: dict[str, Any]) -> Solution:
    """Converts the result of a run to a :class:`Solution`."""
    y = np.ascontiguousarray(kept["y"].T)
    sol = DenseSolution(span[0], kept["ends"], how["fractions"], kept["inside"]) if how["fractions"] else None
    status = {"finished": 0, "event": 1}.get(kept["status"], -1)
    return Solution(
        t=kept["t"],
        y=y,
        parts=tuple(np.split(y, np.cumsum(sizes)[:-1])),
        sol=sol,
        t_events=kept["t_events"] or None,
        y_events=kept["y_events"] or None,
        evaluations=tuple(kept["evaluations"]),
        steps=kept["steps"],
        rejected=kept["rejected"],
        success=status >= 0,
        status=status,
        message=kept["message"],
        method=chosen,
    )


@shows_options
@checked
def integrate_partitions(
    rates: Sequence[Rate],
    t_span: tuple[float, float],
    states: Sequence[npt.ArrayLike],
    method: Runnable,
    *,
    inner: Method | PathLike | None = None,
    substeps: int | None = None,
    args: tuple[Any, ...] = (),
    **options: Unpack[Options],
) -> Solution:
    """Runs a method on y' = f(t, y) with variables in any number of partitions.

    Parameters
    ----------
    rates :
        One function f_r(t, y_0, …, y_{N−1}) for each partition, which returns the rates of its variables. Compiled functions have the form
        described in :func:`integrate`.
    t_span :
        The first and the last time; runs backwards are possible.
    states :
        The initial state of each partition.
    method :
        An explicit or implicit method with one partition, or with as many as the system. For a multirate method, the last partition of the
        system is the fast one.
    inner, substeps, args, options :
        As for :func:`integrate`.

    Examples
    --------
    >>> found = integrate_partitions([lambda t, y: -y], (0.0, 1.0), [[1.0]], "rk4", steps=10)
    >>> bool(abs(found.y[0, -1] - np.exp(-1)) < 1e-6)
    True
    """
    chosen = as_runnable(method, inner, substeps)
    if len(rates) != len(states) or not rates:
        raise HemiolaError(f"found {len(rates)} rates and {len(states)} states; expected as many of each, at least one")
    t0, t1 = t_span
    arrays = _states(states)
    sizes = [array.size for array in arrays]
    names = chosen.partitions if len(chosen.partitions) == len(rates) else [str(k) for k in range(len(rates))]
    control = Control(**read_fields(options, Options))
    how = control.checked(chosen, (t0, t1))

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

    functions = [callable_of(function, args, f"rates[{k}]") for k, function in enumerate(rates)]
    events = events_of(control.events, args)
    kept = _hemiola.integrate(given(chosen), functions, sizes, np.concatenate(arrays), (t0, t1), how, events, convert)
    return solution(chosen, (t0, t1), sizes, how, kept)


@shows_options
@checked
def integrate(
    f_slow: Rate,
    f_fast: Rate,
    t_span: tuple[float, float],
    y_slow: npt.ArrayLike,
    y_fast: npt.ArrayLike,
    method: Runnable = "hemiola-4-8",
    *,
    inner: Method | PathLike | None = None,
    substeps: int | None = None,
    args: tuple[Any, ...] = (),
    **options: Unpack[Options],
) -> Solution:
    """Runs a dual-rate method on a slow and a fast system: y_s' = f_s(t, y_s, y_f), y_f' = f_f(t, y_s, y_f).

    Parameters
    ----------
    f_slow, f_fast :
        Functions f(t, y_slow, y_fast) that return the rates of their variables. Compiled functions run without the interpreter:
        a Numba ``cfunc`` or a ctypes function of the C type ``void rate(double t, const double *y, double *rate)``, where y holds all
        variables, slow ones first. A pair evaluates the fast function more often.
    t_span :
        The first and the last time; runs backwards are possible.
    y_slow, y_fast :
        The initial states: (n_s,) and (n_f,), or numbers.
    method : optional
        A pair, a multirate method, or a method with one partition; explicit or implicit.
    inner, substeps : optional
        For a multirate method: the method that solves the fast system in its intervals, and the number of its steps in each of them, as for
        :func:`hemiola.realization`.
    steps, step : optional
        The number of equal steps, or their size. If both are omitted, steps are adaptive, with the error estimate of the embedded method
        or, without one, of step doubling.
    rtol, atol : optional
        The tolerances of adaptive steps.
    t_eval : optional
        Times for the output of states; all steps by default. Needs dense output.
    dense_output : optional
        Whether to return ``sol(t)``. Needs a method with dense output, see :func:`hemiola.complete`.
    events : optional
        One or several functions g(t, y_slow, y_fast) whose zeros are located: with SciPy's attributes ``terminal`` and ``direction``,
        or an :class:`hemiola.Event`. They are Python functions, or compiled functions ``double g(double t, const double *y)``. A zero is
        detected if the signs at the ends of a step differ, and located on the dense output up to the spacing of doubles. Each zero counts
        once; a zero at the initial time does not count. Needs a method with dense output.
    first_step, min_step, max_step, max_steps : optional
        Bounds of adaptive steps.
    args : optional
        Additional arguments of Python functions, including events.

    Returns
    -------
    Solution
        The solution with ``t`` (k,), ``y`` (n, k), ``y_slow``, ``y_fast``, ``sol``, ``t_events``, ``y_events``, ``evaluations``. If the
        run breaks off, ``success`` is False and ``message`` gives the reason.

    Raises
    ------
    HemiolaError
        If the method does not fit the system. Exceptions of the functions end the run and are raised unchanged, including
        KeyboardInterrupt.

    Examples
    --------
    >>> def slow(t, y, z): return -y + 0.1 * z
    >>> def fast(t, y, z): return y - 50.0 * z
    >>> found = integrate(slow, fast, (0.0, 1.0), [1.0], [0.0], "hemiola-4-8", steps=40)
    >>> found.evaluations, found.success
    ((160, 320), True)
    >>> found = integrate(slow, fast, (0.0, 1.0), [1.0], [0.0], "merk43", inner="rk4", substeps=10, steps=10)
    >>> found.evaluations, found.success
    ((60, 2400), True)
    """
    return integrate_partitions([f_slow, f_fast], t_span, [y_slow, y_fast], method, inner=inner, substeps=substeps, args=args, **options)


@shows_options
@checked
def solve_ivp(
    fun: Rate,
    t_span: tuple[float, float],
    y0: npt.ArrayLike,
    method: Method | PathLike = "RK45",
    *,
    args: tuple[Any, ...] | None = None,
    **options: Unpack[Options],
) -> Solution:
    """Runs a method on one system y' = f(t, y), with the arguments and results of :func:`scipy.integrate.solve_ivp`.

    It accepts any explicit or implicit method of the library; ``RK45``, ``RK23`` and ``Radau`` denote SciPy's methods. The default tolerances
    are 1e-6 and 1e-9, smaller than in SciPy; ``steps`` or ``step`` selects equal steps.

    Parameters
    ----------
    fun :
        A function f(t, y) that returns the rates, or a compiled one as for :func:`integrate`.
    t_span :
        The first and the last time; runs backwards are possible.
    y0 :
        The initial state: (n,), or a number.
    method : optional
        A method with one partition, or its id.
    args : optional
        A tuple of additional arguments of ``fun`` and of events.
    options :
        As for :func:`integrate`.

    Examples
    --------
    >>> found = solve_ivp(lambda t, y: -y, (0.0, 1.0), [1.0], dense_output=True)
    >>> found.success, bool(abs(found.sol(0.5)[0] - np.exp(-0.5)) < 1e-6)
    (True, True)
    >>> solve_ivp(lambda t, y, k: -k * y, (0.0, 1.0), [1.0], "rk4", args=(2.0,), steps=10).nfev
    40
    """
    if args is not None and not isinstance(args, (tuple, list)):
        raise TypeError(f"args: found {args!r}; expected a tuple, such as ({args!r},)")
    return integrate_partitions([fun], t_span, [y0], method, args=tuple(args or ()), **options)
