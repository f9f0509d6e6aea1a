"""Searches around searches: fronts of errors and other terms, and the wishes that lead to the best coupled profile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import _hemiola
from .arguments import checked
from .designs import Design, DesignSpec, Interrupted, Progress, design_of, teller


@dataclass(frozen=True)
class Compromise:
    """A pair on the Pareto front of errors and everything else that an objective asks for."""

    #: The factor of the terms other than errors.
    emphasis: float
    #: √(2 × the errors' share of the objective), and that of the other terms before the factor.
    error: float
    others: float
    design: Design


@checked
def pareto(
    spec: DesignSpec, points: int = 9, *, threads: int | None = None, progress: bool | Progress = False
) -> list[Compromise]:
    """The trade-offs between small errors and all other terms of a specification's objective, from small errors on.

    Parameters
    ----------
    spec :
        With at least one term beside errors in its objective.
    points : optional
        How many emphases from 10⁻³ to 10³ are tried; those that others excel are left out.
    threads, progress : optional
        As for :func:`design`.

    Returns
    -------
    list of Compromise
        Their designs are called ``ID-1``, ``ID-2``, … and have the bytes that ``hemiola design --pareto`` writes.

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
    """The specification whose damping, profile and weight lead to the best coupled profile, as ``hemiola design --tune`` finds it.

    Parameters
    ----------
    spec :
        Where the search begins, with the coupling strengths: ``objective={"coupling": {"gammas": [0.2], "profile": [0.99]}}``.
    price : optional
        By which factor the error may grow beyond the smallest one.
    iterations : optional
        Those of the simplex method, each of one or two designs.
    resume : optional
        The checkpoint of an interrupted search for the same.
    threads, progress : optional
        As for :func:`design`.

    Raises
    ------
    Interrupted
        After Ctrl-C, with the best so far. It is a :class:`KeyboardInterrupt`.

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
