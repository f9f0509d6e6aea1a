"""Identification of model parameters from measurements."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _hemiola
from ._hemiola import HemiolaError
from .arguments import PathLike, checked
from .methods import FloatArray, Method
from .modeling import Model, read_model
from .schemes import Scheme, given


@dataclass(frozen=True, eq=False)
class Fit:
    """Fitted parameters with measures of the quality of the fit."""

    #: The values, by name.
    parameters: dict[str, float]
    #: Their standard deviations; zero for parameters at a bound.
    deviations: dict[str, float]
    #: The names of the parameters at a bound.
    at_bound: tuple[str, ...]
    #: Their covariance: (p, p).
    covariance: FloatArray
    #: The fitted values of the measured variables: (m, k).
    fitted: FloatArray
    #: Measured minus fitted values, divided by the standard deviation: (m, k).
    residuals: FloatArray
    #: The sum of their squares, and the number of values minus the number of free parameters.
    chi_squared: float
    degrees: int
    #: The probability of residuals at least this large for a correct model; None if the deviations are unknown.
    probability: float | None
    #: ``converged``, ``stalled``, ``iteration limit`` or ``interrupted``.
    ending: str
    iterations: int

    @property
    def converged(self) -> bool:
        """Whether the parameters are a minimum of χ²."""
        return self.ending == "converged"


@checked
def identify(
    model: Model | str,
    t: npt.ArrayLike,
    measured: Mapping[str, npt.ArrayLike],
    free: Sequence[str],
    *,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    deviations: float | Mapping[str, float] | None = None,
    method: Method | Scheme | PathLike = "linearized:radau-iia-2",
    steps: int = 4,
    iterations: int = 100,
) -> Fit:
    """Fits parameters of a model to measurements, with covariance and χ² test, like ``hemiola identify``.

    Parameters
    ----------
    model :
        A model of the library with initial values of its parameters; it starts from its initial state at t = 0.
    t :
        The times of the measurements, increasing: (k,).
    measured :
        The values of each measured variable: (k,).
    free :
        The parameters to identify.
    bounds : optional
        Bounds of parameters: (lower, upper).
    deviations : optional
        The standard deviations of the measurements: one number, or one for each variable. If omitted, they are assumed to be equal and
        estimated from the residuals, without a χ² test.
    method, steps : optional
        A method or a scheme, and the number of steps from one measurement to the next.
    iterations : optional
        The maximal number of iterations.

    Raises
    ------
    HemiolaError
        If sizes or names are wrong, or if the measurements are too few or do not determine the parameters.
    KeyboardInterrupt
        After Ctrl-C.

    Examples
    --------
    >>> from hemiola import model
    >>> truth = model("quarter-car", suspension_damping=1300.0)
    >>> run = truth.integrate("rk4", (0.0, 2.0), steps=400)
    >>> found = identify("quarter-car", run.t[10::10], {"body position": run.y[0, 10::10]}, ["suspension-damping"], deviations=1e-6)
    >>> found.converged, abs(found.parameters["suspension-damping"] - 1300.0) < 1.0
    (True, True)
    """
    chosen = read_model(model) if isinstance(model, str) else model
    names = [name for name, _ in chosen.variables]
    times = np.asarray(t, dtype=float)
    columns = {name: np.asarray(values, dtype=float) for name, values in measured.items()}
    for name, values in columns.items():
        if name not in names:
            raise HemiolaError(f"found the variable {name!r}; expected one of: {', '.join(names)}")
        if times.ndim != 1 or values.shape != times.shape:
            raise HemiolaError(f"{name}: found values of the shape {values.shape} at times of {times.shape}; expected as many")
    wanted = list(free)
    limits = dict(bounds or {})
    for name in limits:
        if name not in wanted:
            raise HemiolaError(f"found bounds of {name!r}; expected one of: {', '.join(wanted)}")
    ranges = [limits.get(name, (-math.inf, math.inf)) for name in wanted]
    found, stopped = _hemiola.identify(
        chosen._equations, wanted, ([low for low, _ in ranges], [high for _, high in ranges]), times.tolist(),
        [names.index(name) for name in columns], np.array(list(columns.values())).T.tolist(), _deviations(deviations, list(columns)),
        given(method), steps, iterations,
    )  # fmt: skip
    if stopped is not None:
        raise stopped
    covariance = np.array(found["covariance"])
    spread = np.sqrt(np.maximum(np.diag(covariance), 0.0)).tolist()
    return Fit(
        parameters=dict(zip(wanted, found["parameters"])),
        deviations=dict(zip(wanted, spread)),
        at_bound=tuple(name for name, is_there in zip(wanted, found["at_bound"]) if is_there),
        covariance=covariance,
        fitted=np.array(found["fitted"]).T,
        residuals=np.array(found["residuals"]).T,
        chi_squared=found["chi_squared"],
        degrees=found["degrees"],
        probability=found["probability"],
        ending=found["ending"],
        iterations=found["iterations"],
    )


def _deviations(deviations: float | Mapping[str, float] | None, names: list[str]) -> list[float]:
    if deviations is None:
        return []
    if not isinstance(deviations, Mapping):
        return [float(deviations)] * len(names)
    missing = [name for name in names if name not in deviations]
    if missing:
        raise HemiolaError(f"found no standard deviation of {missing[0]!r}; expected one for each measured variable")
    return [float(deviations[name]) for name in names]
