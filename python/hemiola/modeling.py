"""Models of vehicles and test problems, machines, linear systems."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from . import _hemiola
from ._hemiola import Equations, HemiolaError
from .arguments import PathLike, checked, read_fields, real
from .methods import FloatArray
from .realizations import Runnable, as_runnable
from .schemes import given
from .runs import Solution, solution
from .steps import Control, Options, events_of, shows_options
from .systems import System, square

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class Parameter:
    """A parameter of a model."""

    name: str
    meaning: str
    #: The value; for a choice, the index of its word among the allowed words.
    value: float
    unit: str
    source: str


class Model:
    """Equations y' = f(t, y) with named slow and fast variables, as returned by :func:`model`."""

    _made: tuple[Callable[..., Model], tuple[Any, ...]]
    _equations: Equations

    def __init__(self, name: PathLike, **parameters: float | str) -> None:
        changes = {key.replace("_", "-"): value if isinstance(value, str) else real(value, key) for key, value in parameters.items()}
        self._made = (_model, (os.fspath(name), changes))
        self._equations = Equations(os.fspath(name), list(changes.items()))

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

    @checked
    def rates(self, t: float, y: npt.ArrayLike) -> FloatArray:
        """Returns f(t, y): (n,)."""
        return self._equations.rates(t, np.asarray(y, dtype=float).reshape(-1).tolist())

    @checked
    def jacobian(self, t: float = 0.0, y: npt.ArrayLike | None = None) -> FloatArray:
        """Returns ∂f/∂y at (t, y), by default at the initial state, by automatic differentiation: (n, n)."""
        state = self.initial if y is None else np.asarray(y, dtype=float).reshape(-1)
        return self._equations.jacobian(t, state.tolist())

    @checked
    def exact(self, t: float) -> FloatArray | None:
        """Returns the solution at t from the initial state, if it is known in closed form."""
        return self._equations.exact(t)

    @checked
    def energy(self, t: float, y: npt.ArrayLike) -> float | None:
        """Returns the energy of a state, if the model has one."""
        return self._equations.energy(t, np.asarray(y, dtype=float).reshape(-1).tolist())

    @property
    def outputs(self) -> tuple[tuple[str, str], ...]:
        """Names and units of derived quantities of a state: forces of wheels, energies, power.

        >>> model("quarter-car-ring").outputs[0]
        ('wheel load', 'N')
        """
        return tuple(self._equations.outputs())

    def output_values(self, t: npt.ArrayLike, y: npt.ArrayLike) -> FloatArray:
        """Returns the values of derived quantities: (m,) for a state (n,), (m, k) for the times (k,) and the states (n, k) of a run. They
        are NaN if the state is impossible for the machine."""
        states = np.asarray(y, dtype=float)
        if states.ndim < 2:
            return self._equations.output_values(float(np.asarray(t)), states.reshape(-1).tolist())
        times = np.broadcast_to(np.asarray(t, dtype=float), states.shape[1:])
        columns = [self._equations.output_values(at, state.tolist()) for at, state in zip(times, states.T)]
        return np.array(columns).reshape(-1, len(self.outputs)).T

    @checked
    def system(self, t: float = 0.0, y: npt.ArrayLike | None = None) -> System:
        """Linearizes the model at a state, by default the initial one, with its slow and fast variables.

        For a model on a mesh at its initial state, the Jacobian of a part by itself is that of a periodic mesh of its cell width, as in
        ``hemiola system``, because the diagonal blocks are far from normal. Otherwise it is the diagonal block.

        >>> steps = model("dg-advection", cells=8, nodes="lobatto").system().stable_steps("perk-4-9-5")
        >>> round(steps.first_exit / steps.decoupled, 2)
        1.16
        """
        partition = [k for k, size in enumerate(self.sizes) for _ in range(size)]
        alone = self._equations.parts_alone() if y is None and t == 0.0 else None
        return System(self.jacobian(t, y), partition, alone, self.name)

    @shows_options
    @checked
    def integrate(
        self,
        method: Runnable,
        t_span: tuple[float, float] | None = None,
        y0: npt.ArrayLike | None = None,
        **options: Unpack[Options],
    ) -> Solution:
        """Runs a method, by default from the initial state over the default duration; see :func:`hemiola.integrate`.

        >>> model("kepler").integrate("rk4", steps=1000).success
        True
        """
        chosen = as_runnable(method)
        span = (0.0, self.duration) if t_span is None else (float(t_span[0]), float(t_span[1]))
        state = self.initial if y0 is None else np.asarray(y0, dtype=float).reshape(-1)
        control = Control(**read_fields(options, Options))
        how = control.checked(chosen, span)
        kept = self._equations.integrate(given(chosen), state.tolist(), span, how, events_of(control.events))
        return solution(chosen, span, self.sizes, how, kept)

    def __repr__(self) -> str:
        changes = self._made[1][1] if self._made[0] is _model else {}
        shown = "".join(f", {key}={value}" for key, value in changes.items())
        return f"<Model {self.name}{shown}: {len(self.variables)} variables>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        mine, others = (
            (one.name, one.parameters, one._made if one.name in ("machine", "linear") else None) for one in (self, other)
        )
        return mine == others

    def __hash__(self) -> int:
        return hash((self.name, self.parameters))

    def __reduce__(self) -> tuple[Any, ...]:
        return self._made


def _model(name: str, changes: dict[str, Union[float, str]]) -> Model:
    return Model(name, **changes)


@checked
def linear_model(J: npt.ArrayLike, slow: Sequence[int]) -> Model:
    """Returns the linear system y' = Jy as a model. All variables start at one; slow variables come first.

    Parameters
    ----------
    J :
        The Jacobian: (n, n).
    slow :
        The slow variables, from 0; all others are fast.

    Examples
    --------
    >>> found = linear_model([[-1.0, 0.1], [0.0, -20.0]], slow=[0]).integrate("hemiola-4-8", (0.0, 1.0), steps=40)
    >>> bool(abs(found.y[1, -1] - np.exp(-20)) < 1e-4)
    True
    """
    rows = square(J, "J")
    found = Model.__new__(Model)
    outside = [k for k in slow if k >= len(rows)]
    if outside:
        raise HemiolaError(f"slow: found variable {outside[0]}; expected 0 to {len(rows) - 1}")
    found._equations = Equations.linear(rows.tolist(), [k + 1 for k in slow])
    found._made = (linear_model, (rows.tolist(), list(slow)))
    return found


def read_model(text: str) -> Model:
    """Returns the model of a text ``NAME`` or ``NAME:KEY=VALUE,…``, as on the command line.

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
    """Returns the names of all models.

    >>> "planar-vehicle" in models()
    True
    """
    return _hemiola.model_names()


def model(name: PathLike, **parameters: float | str) -> Model:
    """Returns a model, or the machine in a file ``NAME.json`` of the format hemiola-multibody/1, with changed parameters. Underscores in
    parameter names stand for hyphens.

    >>> model("coupled-oscillators", ratio=20.0, coupling=0.3).jacobian()[3].tolist()[2]
    -400.0
    """
    return Model(name, **parameters)
