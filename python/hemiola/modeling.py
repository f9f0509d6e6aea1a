"""Models of vehicles and test problems, and methods run on them."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from . import _hemiola
from ._hemiola import Equations, HemiolaError
from .methods import FloatArray, Method, PathLike, as_method
from .runs import Solution, solution
from .schemes import Steps, several
from .steps import Control, Options, events_of, shows_options
from .systems import System

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class Parameter:
    """A number that a model depends on."""

    name: str
    meaning: str
    #: The value; of a choice, the place of its word among those allowed.
    value: float
    unit: str
    source: str


class Model:
    """Equations y' = f(t, y) with named variables, slow and fast; :func:`model` makes one."""

    def __init__(self, name: str, **parameters: float | str) -> None:
        self._changes = {key.replace("_", "-"): value for key, value in parameters.items()}
        self._equations = Equations(name, list(self._changes.items()))

    @property
    def name(self) -> str:
        """The name."""
        return self._equations.name

    @property
    def title(self) -> str:
        """A description in one line."""
        return self._equations.title

    @property
    def variables(self) -> tuple[tuple[str, str], ...]:
        """The variables with their units, slow ones first."""
        return tuple(self._equations.variables)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of variables of each partition."""
        return tuple(self._equations.sizes)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters with their values, units and sources."""
        return tuple(Parameter(**parameter) for parameter in self._equations.parameters)

    @property
    def initial(self) -> FloatArray:
        """The state at t = 0: (n,)."""
        return self._equations.initial

    @property
    def duration(self) -> float:
        """The duration of the default simulation."""
        return self._equations.duration

    def rates(self, t: float, y: npt.ArrayLike) -> FloatArray:
        """f(t, y): (n,)."""
        return self._equations.rates(t, np.asarray(y, dtype=float).reshape(-1).tolist())

    def jacobian(self, t: float = 0.0, y: npt.ArrayLike | None = None) -> FloatArray:
        """∂f/∂y at (t, y), the initial state by default, by automatic differentiation: (n, n)."""
        state = self.initial if y is None else np.asarray(y, dtype=float).reshape(-1)
        return self._equations.jacobian(t, state.tolist())

    def exact(self, t: float) -> FloatArray | None:
        """The solution at t from the initial state, where it is known in closed form."""
        return self._equations.exact(t)

    def energy(self, t: float, y: npt.ArrayLike) -> float | None:
        """The energy of a state, where the model has one."""
        return self._equations.energy(t, np.asarray(y, dtype=float).reshape(-1).tolist())

    def system(self, t: float = 0.0, y: npt.ArrayLike | None = None) -> System:
        """The model linearized at a state, with its slow and fast variables."""
        partition = [k for k, size in enumerate(self.sizes) for _ in range(size)]
        return System(self.jacobian(t, y), partition)

    @shows_options
    def integrate(
        self,
        method: Method | PathLike,
        t_span: tuple[float, float] | None = None,
        y0: npt.ArrayLike | None = None,
        **options: Unpack[Options],
    ) -> Solution:
        """Run a method, from the initial state over the default duration unless told otherwise; see :func:`hemiola.integrate`.

        >>> model("kepler").integrate("rk4", steps=1000).success
        True
        """
        chosen = as_method(method)
        span = (0.0, self.duration) if t_span is None else (float(t_span[0]), float(t_span[1]))
        state = self.initial if y0 is None else np.asarray(y0, dtype=float).reshape(-1)
        control = Control(**options)
        how = control.checked(chosen, span)
        kept = self._equations.integrate(chosen._core, state.tolist(), span, how, events_of(control.events))
        return solution(chosen, span, self.sizes, how, kept)

    def __repr__(self) -> str:
        changes = "".join(f", {key}={value}" for key, value in self._changes.items())
        return f"<Model {self.name}{changes}: {len(self.variables)} variables>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return (self.name, self.parameters) == (other.name, other.parameters)

    def __hash__(self) -> int:
        return hash((self.name, self.parameters))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_model, (self.name, self._changes))


def _model(name: str, changes: dict[str, Union[float, str]]) -> Model:
    return Model(name, **changes)


def read_model(text: str) -> Model:
    """The model of a text ``NAME`` or ``NAME:KEY=VALUE,…``, as the command line takes it.

    >>> read_model("planar-vehicle:speed=10,rings=absolute")
    <Model planar-vehicle, speed=10.0, rings=absolute: 28 variables>
    """
    name, _, assignments = text.partition(":")
    changes: dict[str, float | str] = {}
    for assignment in filter(None, assignments.split(",")):
        key, equals, value = (part.strip() for part in assignment.partition("="))
        if not equals:
            raise HemiolaError(f"model {text}: expected KEY=VALUE, found `{assignment}`")
        try:
            changes[key] = float(value)
        except ValueError:
            changes[key] = value
    return Model(name, **changes)


def models() -> list[str]:
    """The names of all models.

    >>> "planar-vehicle" in models()
    True
    """
    return _hemiola.model_names()


def model(name: str, **parameters: float | str) -> Model:
    """A model, with some parameters changed; underscores stand for hyphens.

    >>> model("coupled-oscillators", ratio=20.0, coupling=0.3).jacobian()[3].tolist()[2]
    -400.0
    """
    return Model(name, **parameters)


@dataclass(frozen=True, eq=False)
class Run:
    """A method's run on a model, compared with a reference solution."""

    scheme: str
    #: Whether the end was reached.
    finished: bool
    steps: int
    rejected: int
    #: How often each partition was evaluated.
    evaluations: tuple[int, ...]
    #: The largest error at the end, relative to each variable's size.
    error: float | None
    #: The gain in energy, relative to the initial energy.
    energy: float | None
    seconds: float | None
    #: Times (k,) and states (k, n) during the run.
    t: FloatArray
    y: FloatArray


def simulate(
    model: Model | str,
    methods: Steps | Sequence[Steps],
    *,
    steps: int | None = None,
    step: float | None = None,
    tolerance: float = 1e-6,
    doubling: bool = False,
    to: float | None = None,
    variables: Sequence[int] | None = None,
    all_steps: bool = False,
    compare: bool = True,
    timed: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> list[Run]:
    """Run methods on a model and compare them with a reference solution, as ``hemiola simulate`` does.

    Parameters
    ----------
    model, methods :
        A model or its name, and one or several methods, or schemes as :func:`hemiola.map` takes them.
    steps, step, tolerance, doubling : optional
        Equal steps by number or size; adaptive ones to a tolerance otherwise, by doubling where that is wanted or nothing is embedded.
    to : optional
        The end; that of the model by default.
    variables : optional
        The variables whose errors count, from 0.
    all_steps : optional
        Whether all steps are kept, or 2000.
    compare, timed : optional
        Whether to compute a reference, and whether to run one after the other for times.
    threads, progress : optional
        How many threads at most, and a function that is told how many of how many tasks are done.

    Examples
    --------
    >>> run, = simulate("kepler", "rk4", steps=2000)
    >>> run.evaluations, run.error < 1e-4
    ((8000, 8000), True)
    """
    chosen = Model(model) if isinstance(model, str) else model
    end = chosen.duration if to is None else float(to)
    if step is not None and steps is None:
        steps = max(1, math.ceil(end / step * (1 - 1e-12)))
    found = _hemiola.simulate(
        chosen._equations, several(methods), steps, tolerance, doubling, end,
        None if variables is None else list(variables), all_steps, compare, timed, threads, progress,
    )  # fmt: skip
    return [Run(**{**run, "evaluations": tuple(run["evaluations"])}) for run in found]
