"""Studies of methods on models: simulations compared with a reference solution, observed orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import _hemiola
from ._hemiola import HemiolaError
from .arguments import checked
from .figures import Figure
from .methods import FloatArray
from .modeling import Model, read_model
from .schemes import Steps, several
from .steps import equal_steps


@dataclass(frozen=True, eq=False)
class Run:
    """A run of a method on a model, compared with a reference solution."""

    scheme: str
    #: Whether the run reached its end with a result that is a solution: with an error of at most 10⁶ times its size.
    finished: bool
    #: The outcome in words.
    outcome: str
    steps: int
    rejected: int
    #: The number of evaluations of each partition.
    evaluations: tuple[int, ...]
    #: The largest error at the end, relative to each variable's size.
    error: float | None
    #: The gain in energy, relative to the initial energy.
    energy: float | None
    seconds: float | None
    #: Times (k,) and states (k, n) during the run.
    t: FloatArray
    y: FloatArray


@checked
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
    """Runs methods on a model and compares them with a reference solution, like ``hemiola simulate``.

    Parameters
    ----------
    model, methods :
        A model or its name, and one or several methods or schemes, as for :func:`hemiola.map`, or multirate methods, whose last partition
        is the fast one: ``merk43``, ``merk43:inner=rk4,substeps=10``, or a :func:`hemiola.realization`.
    steps, step, tolerance, doubling : optional
        The number or the size of equal steps; otherwise steps are adaptive with a tolerance, by step doubling on request or without
        embedded weights.
    to : optional
        The final time; by default that of the model.
    variables : optional
        The variables whose errors count, from 0.
    all_steps : optional
        Whether to return all steps or only 2000.
    compare, timed : optional
        Whether to compute a reference; whether to run the methods one after the other to measure times.
    threads, progress : optional
        The maximal number of threads, and a function that receives the number of completed tasks and the total.

    Examples
    --------
    >>> run, = simulate("kepler", "rk4", steps=2000)
    >>> run.evaluations, run.error < 1e-4
    ((8000, 8000), True)
    """
    chosen = _model(model)
    end = chosen.duration if to is None else to
    if step is not None:
        if steps is not None:
            raise HemiolaError("found steps and step; expected one of them")
        steps = equal_steps(end, step)
    found = _hemiola.simulate(
        chosen._equations, several(methods), steps, tolerance, doubling, end,
        variables, all_steps, compare, timed, threads, progress,
    )  # fmt: skip
    return [Run(**{**run, "evaluations": tuple(run["evaluations"])}) for run in found]


def _model(model: Model | str) -> Model:
    return read_model(model) if isinstance(model, str) else model


@dataclass(frozen=True)
class Convergence:
    """Errors of a method for increasing numbers of equal steps."""

    scheme: str
    #: The claimed order of the method.
    claimed: int | None
    #: The observed order: the slope of log error over log steps, fitted to the last runs whose slopes agree.
    order: float | None
    #: The numbers of steps, and the errors, of the runs with small errors above the uncertainty of the reference.
    steps: tuple[int, ...]
    errors: tuple[float, ...]
    #: Evaluations of each partition, run by run.
    evaluations: tuple[tuple[int, ...], ...]
    #: The smallest number of steps that reaches the requested error, and the error.
    wanted: tuple[int, float] | None
    #: The outcome of the last run, in words, if all results were not finite or had errors of more than 10⁶ times the solution.
    unstable: str | None


@dataclass(frozen=True, eq=False)
class Converged:
    """Convergence of several methods on a model. Notebooks show the figure."""

    methods: tuple[Convergence, ...]
    #: The uncertainty of the reference solution.
    uncertainty: float
    #: Errors over steps.
    figure: Figure = field(repr=False)

    def _repr_svg_(self) -> str:
        return self.figure.svg()


@checked
def converge(
    model: Model | str,
    methods: Steps | Sequence[Steps],
    *,
    to: float | None = None,
    variables: Sequence[int] | None = None,
    levels: int = 8,
    most_steps: int = 1 << 22,
    time_limit: float = 60.0,
    wanted: float | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Converged:
    """Runs methods on a model with increasing numbers of equal steps, for observed orders, work and precision, like ``hemiola converge``.

    Parameters
    ----------
    model, methods :
        As for :func:`simulate`.
    to : optional
        The final time; by default that of the model.
    variables : optional
        The variables whose errors count, from 0; all by default.
    levels, most_steps, time_limit : optional
        The maximal number of runs of a method, of steps of a run, and of seconds for all runs of a method.
    wanted : optional
        An error; the study finds the smallest number of steps that reaches it.
    threads, progress : optional
        The maximal number of threads, and a function that receives the number of completed runs and the total.

    Examples
    --------
    >>> found = converge("kepler", ["rk4", "dormand-prince-5"], levels=6)
    >>> [round(one.order) for one in found.methods]
    [4, 5]
    """
    chosen = _model(model)
    counted = list(range(len(chosen.initial))) if variables is None else list(variables)
    end = chosen.duration if to is None else to
    uncertainty, found, drawing = _hemiola.converge(
        chosen._equations, several(methods), end, counted, wanted, (levels, most_steps, time_limit), threads, progress
    )
    return Converged(tuple(Convergence(**_frozen(one)) for one in found), uncertainty, Figure(drawing))


def _frozen(found: dict[str, Any]) -> dict[str, Any]:
    counts = tuple(tuple(one) for one in found["evaluations"])
    return {**found, "steps": tuple(found["steps"]), "errors": tuple(found["errors"]), "evaluations": counts}
