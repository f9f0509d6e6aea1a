"""Outer searches: fronts of errors against other terms, and parameters for the best coupled profile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import _hemiola
from .arguments import checked
from .designs import Design, DesignSpec, Interrupted, Progress, design_of, teller


@dataclass(frozen=True)
class Compromise:
    """A pair on the Pareto front of errors and all other terms of an objective."""

    #: The factor of the terms other than errors.
    emphasis: float
    #: √(2 × contribution of the errors to the objective), and the same for the other terms without the factor.
    error: float
    others: float
    design: Design


@checked
def pareto(
    spec: DesignSpec, points: int = 9, *, threads: int | None = None, progress: bool | Progress = False
) -> list[Compromise]:
    """Computes trade-offs between small errors and all other terms of an objective, starting with the smallest errors.

    Parameters
    ----------
    spec :
        A specification whose objective has at least one term besides errors.
    points : optional
        The number of emphases from 10⁻³ to 10³; dominated results are omitted.
    threads, progress : optional
        As for :func:`design`.

    Returns
    -------
    list of Compromise
        Their designs have the ids ``ID-1``, ``ID-2``, …, and their files the same bytes as those of ``hemiola design --pareto``.

    Raises
    ------
    Interrupted
        After Ctrl-C, with the front so far. It is a :class:`KeyboardInterrupt`.

    Examples
    --------
    >>> front = pareto(DesignSpec(2, 4, starts=12, objective={"coefficients": 0.1}), 5)
    >>> front == sorted(front, key=lambda compromise: compromise.error) and len(front) > 1
    True
    """
    found, stopped = _hemiola.pareto(spec.to_json(), points, threads, teller(progress))
    front = [_compromise(one) for one in found]
    if isinstance(stopped, KeyboardInterrupt):
        raise Interrupted(front, "") from None
    if stopped is not None:
        raise stopped
    return front


def _compromise(found: dict[str, Any]) -> Compromise:
    spec = DesignSpec.from_json(found.pop("file"))
    return Compromise(**{**found, "design": design_of(spec, found["design"])})


@checked
def tune(
    spec: DesignSpec,
    *,
    price: float = 1.5,
    iterations: int = 40,
    resume: bytes | None = None,
    threads: int | None = None,
    progress: bool | Progress = False,
) -> DesignSpec:
    """Finds the damping, profile and weight that lead to the best coupled profile, like ``hemiola design --tune``.

    Parameters
    ----------
    spec :
        The initial specification, with the coupling strengths: ``objective={"coupling": {"gammas": [0.2], "profile": [0.99]}}``.
    price : optional
        The largest allowed ratio of the error to the smallest error.
    iterations : optional
        The number of iterations of the simplex method, each with one or two designs.
    resume : optional
        The checkpoint of an interrupted search with the same arguments.
    threads, progress : optional
        As for :func:`design`.

    Raises
    ------
    Interrupted
        After Ctrl-C, with the best result so far. It is a :class:`KeyboardInterrupt`.

    Examples
    --------
    >>> spec = DesignSpec(2, 4, starts=12, objective={"coupling": {"gammas": [0.2], "profile": [0.99]}})
    >>> tuned = tune(spec, iterations=2)
    >>> tuned != spec and tuned.id == spec.id
    True
    """
    text, checkpoint, stopped = _hemiola.tune(spec.to_json(), price, iterations, resume or None, threads, teller(progress))
    found = DesignSpec.from_json(text)
    if isinstance(stopped, KeyboardInterrupt):
        raise Interrupted(found, checkpoint) from None
    if stopped is not None:
        raise stopped
    return found
