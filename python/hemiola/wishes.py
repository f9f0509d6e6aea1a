"""The fields of a design file, ``hemiola-design/1``, with the corresponding options of ``hemiola design``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

from ._hemiola import HemiolaError
from .arguments import plain, read_fields


class Polynomial(TypedDict, total=False):
    """The stability polynomial of a partition: optimal on an axis, or given."""

    #: ``--axis``: ``imaginary`` or ``real``.
    axis: str
    #: ``--damping``: η of |R| ≤ 1 − η.
    damping: float
    #: ``--band``: the fraction of the imaginary limit at which full damping begins.
    band: float
    #: For the slow partition: the required fraction of the largest limit on the axis.
    fraction: float
    #: ``--slow-polynomial``, ``--fast-polynomial``: β₀, β₁, … as texts such as ``"1/2"``.
    coefficients: Sequence[str]


class Stability(TypedDict, total=False):
    """The stability polynomials; the errors determine a polynomial that is ``"free"``.

    The default of the slow partition is ``"auto"``: a limit of at least four fifths of the optimum on the axis of the fast partition if the
    error grows by at most a quarter.
    """

    slow: Union[Polynomial, Literal["free", "auto"]]
    fast: Union[Polynomial, Literal["free"]]


class Structure(TypedDict, total=False):
    """Constraints on the coefficients beyond the order conditions; the options of the command line have the same names with hyphens."""

    #: ``--largest``.
    largest_coefficient: float
    shared_abscissae: bool
    shared_weights: bool
    first_same_as_last: bool
    non_negative_weights: bool
    abscissae_in_step: bool
    increasing_abscissae: bool
    fast_chain: bool
    sparsity: float
    #: ``--bound``: ``{"fast.a[2][1]": "1/3", "slow.b[0]": [0, 0.5]}``, counted from 0 as everywhere in Python, in files from 1.
    bounds: Mapping[str, Union[str, Sequence[float]]]


class Coupling(TypedDict, total=False):
    """The target for the practical coupled profile."""

    #: ``--profile``: coupling strengths γ, and the target values of the profile there.
    gammas: Sequence[float]
    profile: Sequence[float]
    #: ``--profile-damping-ratio``: ζ.
    damping: float
    #: ``--profile-weight``.
    weight: float


class Objective(TypedDict, total=False):
    """The terms of the objective."""

    #: ``--error-weights``: one number, or ``{"slow": 1, "fast": 1, "coupling": 1}``.
    error: Union[float, Mapping[str, float]]
    #: ``--scaled-step``: the intended steps h|λ| of the slow and the fast partition.
    step: Sequence[float]
    #: ``--coefficient-weight``.
    coefficients: float
    #: ``--internal-weight``; ``"auto"``, the default, lets the search choose it.
    internal: Union[float, Literal["auto"]]
    coupling: Coupling


class Preference(TypedDict):
    """The rule that chooses among methods whose error is nearly the smallest; all of its numbers are needed."""

    #: The fraction by which the error may exceed the smallest one.
    margin: float
    #: The coupling strength γ at which the profiles are compared.
    gamma: float
    #: The fraction by which profiles count as equal.
    tie: float
    #: The largest internal amplification.
    amplification: float


class MadeFor(TypedDict, total=False):
    """Models on which the search minimizes measured errors."""

    #: ``--for``: ``NAME`` or ``NAME:KEY=VALUE,…``.
    training: Sequence[str]
    #: ``--validation``.
    held_out: Sequence[str]
    error: float
    #: ``--variables``: names, or numbers counted from 0 as everywhere in Python, in files from 1.
    variables: Sequence[Union[int, str]]
    #: ``--end``: the duration of a run.
    end: float
    fast_limit: float
    keep_polynomial: bool
    candidates: int
    rounds: int


class Wishes(TypedDict, total=False):
    """All fields of a design file except the evaluations and the order."""

    id: str
    name: str
    #: ``--slow-stages``: counted from 0 as everywhere in Python, in files from 1.
    slow_stages: Sequence[int]
    stability: Stability
    structure: Structure
    embedded: int
    dense: int
    objective: Objective
    #: Without it, the objective alone counts (``--smallest-error``); the command line chooses a rule.
    preference: Preference
    #: The field ``for`` of the file; ``for`` is a keyword of Python.
    made_for: MadeFor
    seed: int
    starts: int
    #: The level of the search, from 1; the command line chooses one. All starts descend for a few steps, and only the better ones continue.
    effort: int


def fields(slow: int, fast: int, order: int | None, wishes: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields of a design file; None stands for the default."""
    known = {name: plain(value, name) for name, value in read_fields(wishes, Wishes).items()}
    document = {"format": "hemiola-design/1", "slow": slow, "fast": fast, "order": order, **known}
    document["for"] = document.pop("made_for", None)
    if isinstance(document["for"], dict) and isinstance(document["for"].get("variables"), list):
        variables = document["for"]["variables"]
        document["for"]["variables"] = [str(one + 1) if isinstance(one, int) else one for one in variables]
    if document.get("slow_stages") is not None:
        stages = document["slow_stages"]
        document["slow_stages"] = [_of_file(stage, fast, "slow_stages") for stage in stages]
        if len(stages) != slow or any(first >= second for first, second in zip(stages, stages[1:])):
            raise HemiolaError(f"slow_stages: found {stages}; expected {slow} stages from 0 to {fast - 1} in increasing order")
    stability = document.setdefault("stability", {})
    if isinstance(stability, dict):
        stability.setdefault("slow", "auto")
    objective = document.setdefault("objective", {})
    if isinstance(objective, dict):
        objective.setdefault("internal", "auto")
    structure = document.get("structure")
    if isinstance(structure, dict) and isinstance(structure.get("bounds"), dict):
        structure["bounds"] = {_entry_of_file(entry, fast): bound for entry, bound in structure["bounds"].items()}
    return {key: value for key, value in document.items() if value is not None}


def _entry_of_file(entry: str, stages: int) -> str:
    """Returns the name of a coefficient with indices counted from 1."""
    return re.sub(r"\[(\d+)\]", lambda found: f"[{_of_file(int(found[1]), stages, entry)}]", entry)


def entries_from_0(message: str) -> str:
    """Returns a message about a design file with the indices of coefficients counted from 0.

    >>> entries_from_0("a bounded coefficient is fast.a[1][4]; found objective.step[0]")
    'a bounded coefficient is fast.a[0][3]; found objective.step[0]'
    """

    def shifted(entry: re.Match[str]) -> str:
        return re.sub(r"\d+", lambda index: str(int(index[0]) - 1), entry[0])

    return re.sub(r"\b(?:slow|fast)\.[ab](?:\[\d+\])+", shifted, message)


def _of_file(stage: int, stages: int, name: str) -> int:
    if stage >= stages:
        raise HemiolaError(f"{name}: found stage {stage}; expected 0 to {stages - 1}")
    return stage + 1
