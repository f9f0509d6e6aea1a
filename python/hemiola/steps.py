"""Step-size selection and event location of a run."""

from __future__ import annotations

import ctypes
import functools
import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypedDict, TypeVar, Union

import numpy as np
import numpy.typing as npt

from ._hemiola import HemiolaError
from .methods import Method
from .realizations import Realization

#: The maximal number of steps; with more steps a run takes days, and rounding errors dominate.
_MOST_STEPS = 2.0**40
_F = TypeVar("_F", bound=Callable[..., Any])
#: The types of ctypes functions.
_COMPILED: Any = getattr(ctypes, "_CFuncPtr")


@dataclass(frozen=True)
class Event:
    """A function g whose zeros along a solution are located.

    >>> from hemiola import integrate_partitions
    >>> falls = Event(lambda t, y: y[0], terminal=True, direction=-1)
    >>> found = integrate_partitions([lambda t, y: [y[1], -10.0]], (0, 10), [[5.0, 0.0]], "dormand-prince-5", events=falls)
    >>> found.status, round(float(found.t[-1]), 12)
    (1, 1.0)
    """

    #: g(t, y_0, …, y_{N−1}), with the same partitions as rates, or a compiled ``double g(double t, const double *y)``.
    function: Callable[..., Any]
    #: Whether the first zero ends the run, or the number of zeros after which it ends.
    terminal: Union[bool, int] = False
    #: Positive: zeros where g rises; negative: where it falls; 0: all.
    direction: float = 0.0


#: Functions with SciPy's attributes ``terminal`` and ``direction``, or :class:`Event`.
Events = Union[Callable[..., Any], Event, Sequence[Union[Callable[..., Any], Event]]]


class Options(TypedDict, total=False):
    """The keywords of runs, with the meaning of the fields of :class:`Control`."""

    steps: int | None
    step: float | None
    rtol: float
    atol: float
    t_eval: npt.ArrayLike | None
    dense_output: bool
    events: Events | None
    first_step: float | None
    min_step: float
    max_step: float
    max_steps: int


@dataclass(frozen=True)
class Control:
    """Options for the selection and the output of steps."""

    #: The number of equal steps.
    steps: int | None = None
    #: The size of equal steps; without number and size, steps are adaptive.
    step: float | None = None
    #: The relative tolerance of adaptive steps.
    rtol: float = 1e-6
    #: The absolute tolerance of adaptive steps.
    atol: float = 1e-9
    #: Times for the output of states; all steps by default.
    t_eval: npt.ArrayLike | None = None
    #: Whether to return the solution at any time.
    dense_output: bool = False
    #: Functions whose zeros are located.
    events: Events | None = None
    #: The first adaptive step, and bounds of all steps except the last.
    first_step: float | None = None
    min_step: float = 0.0
    max_step: float = math.inf
    #: The maximal number of adaptive steps tried.
    max_steps: int = 1_000_000

    def checked(self, method: Method | Realization, span: tuple[float, float]) -> dict[str, Any]:
        """Returns the arguments for the extension module."""
        self._check_numbers(span)
        steps = self._equal_steps(abs(span[1] - span[0]))
        order, estimate = _orders(method)
        kind = "equal" if steps is not None else "doubling" if estimate is None else "embedded"
        if kind == "doubling" and order is None:
            raise HemiolaError(f"{method.id} claims no order; adaptive steps need one")
        times = None if self.t_eval is None else _times(self.t_eval, span)
        degree = self._dense_degree(method, kind)
        return {
            "kind": kind,
            "steps": steps or 0,
            "order": (estimate if kind == "embedded" else order) or 0,
            "relative": float(self.rtol),
            "absolute": float(self.atol),
            "first": self.first_step,
            "smallest": float(self.min_step),
            "largest": float(self.max_step),
            "limit": int(self.max_steps),
            "times": times,
            "fractions": [k / degree for k in range(degree + 1)] if self.dense_output else [],
        }

    def _check_numbers(self, span: tuple[float, float]) -> None:
        if not (math.isfinite(span[0]) and math.isfinite(span[1])):
            raise HemiolaError(f"found t_span {span}; expected finite times")
        for name, value in (("step", self.step), ("rtol", self.rtol), ("max_step", self.max_step), ("first_step", self.first_step)):
            if value is not None and not (value > 0 and (name == "max_step" or math.isfinite(value))):
                raise HemiolaError(f"found {name} {value}; expected a positive number")
        if not self.atol >= 0 or not self.min_step >= 0:
            raise HemiolaError(f"found atol {self.atol} and min_step {self.min_step}; expected numbers that are not negative")

    def _equal_steps(self, length: float) -> int | None:
        if self.steps is not None and self.step is not None:
            raise HemiolaError("found steps and step; expected one of them")
        steps = self.steps if self.step is None else equal_steps(length, self.step)
        if steps is not None and steps < 1:
            raise HemiolaError(f"found {steps} steps; expected at least 1")
        return steps

    def _dense_degree(self, method: Method | Realization, kind: str) -> int:
        """Returns the degree of the dense output; raises an error if it is needed but missing."""
        if not self.dense_output and self.t_eval is None and self.events is None:
            return 0
        if isinstance(method, Realization):
            degree = 3
        else:
            degree = 0 if method.dense is None else int(method.dense.shape[-1])
        if degree == 0:
            raise HemiolaError(
                f"{method.id} has no dense output, which t_eval, dense_output and events need; "
                "`hemiola.complete(method, dense=…)` adds one"
            )
        if kind == "doubling" and isinstance(method, Realization):
            raise HemiolaError(f"{method.id} has no embedded row, which dense output with adaptive steps needs; give steps, or take another method")
        if kind == "doubling":
            raise HemiolaError(
                f"{method.id} has no embedded weights, which dense output with adaptive steps needs; "
                "`hemiola.complete(method, embedded=…, dense=…)` adds them"
            )
        return degree


def _orders(method: Method | Realization) -> tuple[int | None, int | None]:
    """Returns the order of a method and that of its error estimate, if there is one."""
    if isinstance(method, Realization):
        return method.orders()
    order, embedded = method.order(), method.embedded()
    return order, None if embedded is None else min(order, embedded.order())


def equal_steps(length: float, step: float) -> int:
    """Returns the number of equal steps for an interval; a step size that divides its length up to rounding is used unchanged."""
    if not 0 < step < math.inf:
        raise HemiolaError(f"found step {step}; expected a finite positive number")
    steps = abs(length) / step * (1 - 1e-12)
    if not steps < _MOST_STEPS:
        raise HemiolaError(f"found step {step}; expected at least {abs(length) / _MOST_STEPS:.3g}, of which {_MOST_STEPS:.0f} make the run")
    return max(1, math.ceil(steps))


def shows_options(function: _F) -> _F:
    """Decorates a function so that ``help`` and notebooks show the fields of :class:`Control` in place of ``**options``."""
    signature = inspect.signature(function)
    own = [parameter for parameter in signature.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD]
    keywords = [inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default) for one in fields(Control)]
    setattr(function, "__signature__", signature.replace(parameters=[*own, *keywords]))
    return function


def _times(t_eval: npt.ArrayLike, span: tuple[float, float]) -> list[float]:
    times = np.asarray(t_eval, dtype=float)
    low, high = min(span), max(span)
    forwards = np.diff(times) * (1 if span[1] >= span[0] else -1)
    if times.ndim != 1 or (times.size and not (low <= times.min() and times.max() <= high)) or not (forwards > 0).all():
        raise HemiolaError("t_eval: expected times within t_span, each after the one before")
    found: list[float] = times.tolist()
    return found


def callable_of(function: Any, args: tuple[Any, ...], name: str) -> Any:
    """Returns a Python function with its additional arguments, or the address of a compiled function."""
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


def _with(function: Callable[..., Any], args: tuple[Any, ...], *state: Any) -> Any:
    return function(*state, *args)


def events_of(events: Events | None, args: tuple[Any, ...] = ()) -> list[tuple[Any, float, int | None]]:
    """Returns the event functions, the sign of the crossings that count, and the number of crossings after which the run ends."""
    if events is None:
        return []
    several = list(events) if isinstance(events, Sequence) else [events]
    return [_event(one, args, f"events[{k}]") for k, one in enumerate(several)]


def _event(event: Any, args: tuple[Any, ...], name: str) -> tuple[Any, float, int | None]:
    if not isinstance(event, Event):
        event = Event(event, getattr(event, "terminal", False), getattr(event, "direction", 0.0))
    function, terminal, direction = event.function, event.terminal, float(event.direction)
    # If a compiled function returned another type, the number would be an arbitrary register value.
    if isinstance(function, _COMPILED) and getattr(function, "restype") is not ctypes.c_double:
        raise TypeError(f"{name}: found a ctypes function without the restype c_double; expected one that returns a double")
    if math.isnan(direction):
        raise HemiolaError(f"{name}: found the direction nan; expected a positive or a negative number, or 0")
    if terminal is not None and (not isinstance(terminal, (int, np.integer, np.bool_)) or terminal < 0):
        raise HemiolaError(f"{name}: found terminal {terminal!r}; expected True, False or a number of zeros")
    return callable_of(function, args, name), direction, int(terminal) if terminal else None
