"""Multirate infinitesimal methods, which solve a fast system by any method between their slow stages."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from . import _hemiola
from ._hemiola import MultirateCore
from .arguments import PathLike, checked, whole
from .methods import Method, as_method


@dataclass(frozen=True)
class ErrorByRate:
    """The 2-norms of the principal error coefficients: of all trees, and of those with only fast, only slow and both kinds of nodes."""

    #: The order of the trees: one above that of the method.
    order: int
    total: float
    fast: float
    slow: float
    coupling: float


@dataclass(frozen=True)
class MultirateVerdicts:
    """The verdicts on the order conditions of the step or of the embedded row."""

    order: int
    #: The order if last digits that are off do not count as rounding.
    order_as_stated: int
    #: The order in exact arithmetic.
    exact_order: int
    #: The highest order whose conditions were evaluated.
    order_checked_to: int
    #: The principal error; ``None`` if no condition fails.
    error: ErrorByRate | None
    #: The trees whose conditions fail, with the residuals.
    failures: tuple[tuple[str, float], ...] = field(repr=False)


@dataclass(frozen=True)
class MultirateReport:
    """The results of :meth:`MultirateMethod.check`."""

    step: MultirateVerdicts
    #: The verdicts on the embedded row, if there is one.
    embedded: MultirateVerdicts | None

    @property
    def order(self) -> int:
        """The order of the step."""
        return self.step.order


def _verdicts(found: dict[str, Any]) -> MultirateVerdicts:
    error = found.pop("error")
    failures = tuple(found.pop("failures"))
    return MultirateVerdicts(**found, error=None if error is None else ErrorByRate(*error), failures=failures)


class MultirateMethod:
    """A multirate infinitesimal method (MIS, MRI-GARK, IMEX-MRI-GARK, MERK) with a fast and one or more slow partitions.

    :func:`multirate` loads one. It is immutable.
    """

    __slots__ = ("_core",)
    _core: MultirateCore

    @classmethod
    def _of(cls, core: MultirateCore) -> MultirateMethod:
        method = cls.__new__(cls)
        method._core = core
        return method

    @property
    def id(self) -> str:
        """Lower-case words joined by hyphens."""
        return self._core.id

    @property
    def name(self) -> str:
        """The display name."""
        return self._core.name

    @property
    def partitions(self) -> tuple[str, ...]:
        """The names of the partitions, the fast one first."""
        return tuple(self._core.partitions)

    @property
    def claimed_order(self) -> int | None:
        """The order that the source claims."""
        return self._core.claims[0]

    @property
    def claimed_embedded_order(self) -> int | None:
        """The order that the source claims for the embedded row."""
        return self._core.claims[1]

    @property
    def abscissae(self) -> tuple[Fraction, ...]:
        """The times of the stages, from 0 to 1.

        >>> [str(c) for c in multirate("mis-kw3").abscissae]
        ['0', '1/3', '3/4', '1']
        """
        return tuple(Fraction(c) for c in self._core.abscissae)

    @property
    def evaluations(self) -> tuple[int, ...]:
        """The number of evaluations of each slow partition in a step."""
        return tuple(len(stages) for stages in self._core.evaluated_stages)

    @property
    def is_internally_consistent(self) -> bool:
        """Whether every slow partition advances each stage as far as the fast one."""
        return self._core.is_internally_consistent

    def check(self, order: int | None = None) -> MultirateReport:
        """Evaluates all order conditions in exact arithmetic, up to ``order`` or to the first order that fails.

        >>> report = multirate("mri-gark-erk33a").check()
        >>> report.order, report.step.exact_order, report.embedded.order
        (3, 3, 2)
        >>> round(report.step.error.total, 10), report.step.error.fast
        (0.0895859585, 0.0)
        """
        step, embedded = self._core.check(None if order is None else whole(order, "order"))
        return MultirateReport(_verdicts(step), None if embedded is None else _verdicts(embedded))

    def expand(self, inner: Method | str, substeps: int) -> Method:
        """Replaces the exact fast solution in each interval by steps of a Runge–Kutta method; returns an ordinary pair.

        >>> pair = multirate("merk32").expand("kutta-3", 2)
        >>> pair.order(), pair.id
        (3, 'merk32-kutta-3-2')
        """
        return Method._of(self._core.expand(as_method(inner)._core, whole(substeps, "substeps")))

    def complete(self, embedded: int) -> MultirateMethod:
        """Adds an embedded row of order ``embedded``, which is below that of the method and at most four, or replaces an existing one.

        The row replaces the forcing of the last stage, needs no additional slow evaluations, and estimates the error of every slow
        partition. Raises :class:`NotFound` if no such row exists.

        >>> multirate("mis-kw3").complete(2).check().embedded.order
        2
        """
        return MultirateMethod._of(self._core.complete(whole(embedded, "embedded")))

    def to_json(self) -> str:
        """Returns the text of a method file, ``hemiola-multirate/1``."""
        return self._core.to_json()

    def to(self, language: str) -> str:
        """Writes coupling tables: ``sundials`` for MRIStep, ``julia`` for OrdinaryDiffEqMultirate.jl, ``latex``.

        >>> "MRIStepCoupling_Alloc(1, 3, MRISTEP_EXPLICIT)" in multirate("mri-gark-erk22a").to("sundials")
        True
        """
        return self._core.written(language)

    def __repr__(self) -> str:
        return f"<MultirateMethod {self.id}: {' + '.join(self.partitions)}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MultirateMethod) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_json, (self.to_json(),)


def _from_json(text: str) -> MultirateMethod:
    return MultirateMethod._of(MultirateCore.from_json(text, "MultirateMethod"))


@checked
def multirate(name: PathLike) -> MultirateMethod:
    """Returns a multirate method by its id or an alias, or from a method file (``*.json``).

    Raises
    ------
    UnknownMethod
        If there is no such method; the message lists all.

    Examples
    --------
    >>> multirate("merk4")
    <MultirateMethod merk43: fast + slow>
    >>> multirate("rk4")
    Traceback (most recent call last):
        ...
    hemiola.UnknownMethod: no method `rk4` in the library of multirate methods...
    """
    return MultirateMethod._of(MultirateCore.load(os.fspath(name)))


def multirate_library() -> list[str]:
    """Returns the ids of all multirate methods of the library, sorted.

    >>> len(multirate_library()), "merk54" in multirate_library()
    (48, True)
    """
    return _hemiola.multirate_ids()
