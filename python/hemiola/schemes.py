"""Schemes: integration methods without a tableau, for maps and simulations."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Union

from . import _hemiola
from .arguments import PathLike, checked
from .methods import Method, as_method
from .multirates import MultirateMethod
from .realizations import Realization, as_runnable, named_realization


@dataclass(frozen=True)
class Scheme:
    """A scheme based on a method; :func:`linearized` and :func:`singular_perturbation` return schemes."""

    #: ``linearized`` or ``singular-perturbation``.
    kind: str
    method: Method | None
    #: The number of Newton iterations of a linearized method.
    iterations: int = 0
    #: Whether the Jacobian of the Newton iterations omits the couplings.
    decoupled: bool = False

    def __post_init__(self) -> None:
        # A scheme must be acceptable to the extension module.
        _hemiola.scheme_label(given(self))

    @property
    def id(self) -> str:
        """Returns the text of the scheme on the command line.

        >>> linearized("gauss-2").id
        'linearized:gauss-2,q=1'
        """
        return _hemiola.scheme_label(given(self))


#: The arguments that :func:`hemiola.map` and :func:`hemiola.simulate` accept; only runs accept multirate methods.
Steps = Union[Method, Scheme, MultirateMethod, Realization, PathLike]


@checked
def linearized(method: Method | PathLike, iterations: int = 1, *, decoupled: bool = False) -> Scheme:
    """Returns an implicit method that applies a fixed number of Newton iterations from f(y) instead of solving its stage equations (Gerdts
    2003).

    Parameters
    ----------
    method :
        The implicit method.
    iterations : optional
        q; orders are capped at 4, 10 and 22 for 1, 2 and 3 iterations.
    decoupled : optional
        Whether the Newton matrix uses only the diagonal blocks of the Jacobian, as in codes that solve the partitions one by one. Maps
        accept such schemes, runs do not.

    Examples
    --------
    >>> from hemiola import map
    >>> map(["gauss-2", linearized("gauss-2", decoupled=True)], "coupled:kappa=5,g=0.04", cells=40).names
    ('gauss-2', 'linearized:gauss-2,q=1,decoupled')
    """
    return Scheme("linearized", as_method(method), iterations, decoupled)


def singular_perturbation(method: Method | PathLike | None = None) -> Scheme:
    """Returns the singular-perturbation scheme of Gil, Sanfelice & Nikravesh (2013), with RK4 or a method with one partition on the
    slow manifold.

    >>> singular_perturbation("heun-3").id
    'singular-perturbation:heun-3'
    """
    return Scheme("singular-perturbation", None if method is None else as_method(method))


def scheme(text: PathLike, folders: Sequence[PathLike] = ()) -> Method | Scheme:
    """Returns the method or scheme that a text describes as on the command line: ``METHOD``, ``linearized:METHOD[,q=N][,decoupled]``,
    ``singular-perturbation[:METHOD]``.

    >>> scheme("linearized:gauss-2,q=2") == linearized("gauss-2", 2)
    True
    """
    parts = _hemiola.scheme_parts(os.fspath(text), [os.fspath(folder) for folder in folders])
    method = None if parts["method"] is None else Method._of(parts["method"])
    if parts["kind"] == "method":
        assert method is not None, "a method is its own scheme"
        return method
    return Scheme(parts["kind"], method, parts["iterations"], parts["is_decoupled"])


def given(value: Any) -> Any:
    """Converts a scheme for the extension module."""
    if isinstance(value, (str, os.PathLike)):
        value = named_realization(os.fspath(value)) or scheme(value)
    if isinstance(value, MultirateMethod):
        value = as_runnable(value)
    if isinstance(value, Realization):
        return value.parts
    if isinstance(value, Scheme):
        method = None if value.method is None else value.method._core
        return (value.kind, method, value.iterations, value.decoupled)
    return as_method(value)._core


def several(values: Steps | Sequence[Steps]) -> list[Any]:
    """Converts one or several schemes for the extension module."""
    alone = isinstance(values, (Method, Scheme, MultirateMethod, Realization, str, os.PathLike))
    return [given(value) for value in ([values] if alone else values)]  # type: ignore[union-attr]
