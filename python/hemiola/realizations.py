"""Multirate methods together with the inner method that solves the fast system, for runs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Union

from . import _hemiola
from ._hemiola import HemiolaError
from .arguments import PathLike, checked, whole
from .methods import Method, as_method
from .multirates import MultirateMethod


@dataclass(frozen=True)
class Realization:
    """A multirate method, its inner method and the number of inner steps in each interval; :func:`realization` returns one.

    If the number is omitted, an adaptive run has adaptive inner steps, with a tenth of its tolerances, and a run with equal steps has four
    inner steps.
    """

    method: MultirateMethod
    inner: Method
    substeps: int | None = None

    def __post_init__(self) -> None:
        if self.substeps is not None and whole(self.substeps, "substeps") < 1:
            raise HemiolaError(f"substeps: found {self.substeps}; expected at least 1")

    @property
    def id(self) -> str:
        """The text of the realization on the command line.

        >>> realization("merk43", substeps=10).id
        'merk43:inner=dormand-prince-5,substeps=10'
        """
        return _hemiola.scheme_label(self.parts)

    @property
    def name(self) -> str:
        """The display name.

        >>> realization("merk43", "rk4", 10).name
        'MERK43 with 10 × Classical Runge–Kutta 4'
        """
        return _hemiola.scheme_name(self.parts)

    @property
    def partitions(self) -> tuple[str, ...]:
        """The names of the partitions in the order of a run: the fast one last."""
        fast, *slow = self.method.partitions
        return (*slow, fast)

    def __len__(self) -> int:
        return len(self.method.partitions)

    @property
    def parts(self) -> Any:
        """The parts for the extension module."""
        return self.method._core, self.inner._core, self.substeps

    def orders(self) -> tuple[int | None, int | None]:
        """Returns the claimed order, which is the smaller one of the two methods, and the order of the error estimate.

        >>> realization("merk43", "kutta-3", 4).orders()
        (3, 3)
        """
        return _hemiola.run_orders(self.parts)


#: The methods that runs accept.
Runnable = Union[Method, Realization, MultirateMethod, PathLike]


@checked
def realization(method: MultirateMethod | PathLike, inner: Method | PathLike | None = None, substeps: int | None = None) -> Realization:
    """Combines a multirate method with an inner method, which takes ``substeps`` steps in each of its intervals.

    Parameters
    ----------
    method :
        The multirate method, or its id.
    inner : optional
        A method with one partition. The default is bogacki-shampine-3 up to order 3, dormand-prince-5 up to order 5, and dormand-prince-8
        above.
    substeps : optional
        The number of inner steps in each interval; see :class:`Realization`.

    Examples
    --------
    >>> realization("mri-gark-erk33a").inner.id
    'bogacki-shampine-3'
    """
    found = as_runnable(method, inner, substeps)
    if not isinstance(found, Realization):
        raise HemiolaError(f"found {found.id}; expected a multirate method, which `multirate_library` lists")
    return found


def named_realization(text: str, inner: Method | PathLike | None = None, substeps: int | None = None) -> Realization | None:
    """Returns the realization that a text describes as on the command line, or that of a multirate method's id or file; ``None`` if the
    text is neither."""
    parts = _hemiola.realization_parts(text)
    if parts is None:
        return None
    core, own, count = parts
    if (own is not None and inner is not None) or (count is not None and substeps is not None):
        raise HemiolaError(f"found inner or substeps in {text} and as an argument; expected each once")
    found = as_runnable(MultirateMethod._of(core), inner if own is None else Method._of(own), substeps if count is None else count)
    assert isinstance(found, Realization), "a multirate method is realized"
    return found


def as_runnable(value: Any, inner: Method | PathLike | None = None, substeps: int | None = None) -> Method | Realization:
    """Converts the argument of a run: a method, or a multirate method with its inner method."""
    if isinstance(value, (str, os.PathLike)):
        found = named_realization(os.fspath(value), inner, substeps)
        if found is not None:
            return found
    if isinstance(value, MultirateMethod):
        solver = Method._of(_hemiola.default_inner(value._core)) if inner is None else as_method(inner)
        return Realization(value, solver, substeps)
    chosen = value if isinstance(value, Realization) else as_method(value)
    if inner is not None or substeps is not None:
        raise HemiolaError(f"found inner or substeps for {chosen.id}; expected them with a multirate method")
    return chosen
