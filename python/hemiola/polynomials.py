"""Optimal stability polynomials."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _hemiola
from ._hemiola import HemiolaError
from .arguments import PathLike, checked
from .figures import Figure
from .methods import FloatArray, Method
from .stability import eigenvalues_of
from .systems import square


@dataclass(frozen=True)
class Polynomial:
    """The polynomial R(z) = Σ β_k z^k of given degree and order with the largest limit."""

    stages: int
    order: int
    #: The set on which R is stable, after scaling by the limit.
    spectrum: str
    #: The limit as the nearest double.
    limit: float
    #: The limit as a decimal, rounded down; R is stable up to it.
    limit_text: str
    #: β₀ … β_s, exact.
    coefficients: tuple[Fraction, ...]
    #: The source of the formula, if there is one.
    closed_form: str | None
    #: Whether the optimum is accurate to rounding, not only to eight digits.
    polished: bool
    #: The contact points of |R| with its bound: (z, multiplier).
    contact_points: tuple[tuple[complex, float], ...]
    #: The growth factor of perturbations of stages, by implementation.
    implementations: dict[str, float]
    #: The proof, if one was requested and found.
    certificate: dict[str, Any] | None = field(repr=False)
    figure: Figure = field(repr=False, compare=False)

    @property
    def beta(self) -> FloatArray:
        """β₀ … β_s in doubles: (s + 1,)."""
        return np.array([float(value) for value in self.coefficients])

    @property
    def proved(self) -> bool:
        """Whether stability up to the limit is proved by exact arithmetic."""
        return self.certificate is not None

    def __call__(self, z: npt.ArrayLike) -> Any:
        """Evaluates R(z) by Horner's scheme in doubles."""
        return np.polynomial.polynomial.polyval(np.asarray(z, dtype=complex), self.beta)[()]

    def method(self, id: str | None = None) -> Method:
        """Returns an explicit method with exactly this stability function, for maps and linear problems. It has order 1 or 2 on nonlinear
        problems, and its internal amplification can be large.

        >>> found = polynomial(5, 1)
        >>> abs(found.method().imaginary_stability_interval() / found.limit - 1) < 1e-9
        True
        """
        from .composition import method_of_polynomial

        called = f"polynomial-{self.stages}-{self.order}"
        return method_of_polynomial(self.coefficients, id or called, f"Polynomial of degree {self.stages} and order {self.order}")

    def save_certificate(self, path: PathLike) -> None:
        """Writes the proof as a file that ``scripts/check-certificate`` checks."""
        if self.certificate is None:
            raise HemiolaError("found no certificate; expected a polynomial that was asked for with certify=True, and proved")
        Path(path).write_text(json.dumps(self.certificate, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.figure.svg()


@checked
def polynomial(
    stages: int,
    order: int,
    spectrum: str | Sequence[complex] | npt.NDArray[Any] = "imaginary",
    *,
    jacobian: npt.ArrayLike | None = None,
    real_extent: float | None = None,
    damping: float = 0.0,
    band: float | None = None,
    digits: int | None = None,
    certify: bool = False,
    threads: int | None = None,
) -> Polynomial:
    """Computes the stability polynomial with the largest limit on an axis, a shape or a list of eigenvalues.

    Parameters
    ----------
    stages, order :
        The degree, and the order up to which the coefficients agree with those of e^z.
    spectrum : optional
        ``imaginary``, ``real``, a shape (``disk``, ``wedge:60``, ``rectangle:2,1``, ``rays:0.02,0.3``, ``intervals:…``, ``dg:3``,
        ``upwind:5``), an operator (``waves-2d:dg=3``, ``euler-2d:dg=3,mach=0..0.5``), or eigenvalues in the closed left half-plane;
        conjugates may be omitted.
    jacobian : optional
        A real matrix whose eigenvalues are the spectrum.
    real_extent : optional
        For the imaginary axis: x such that R is also stable on [−x, 0].
    damping : optional
        η: |R| ≤ 1 − η.
    band : optional
        The fraction of the limit at which full damping begins on the imaginary axis.
    digits : optional
        Significant digits of the limit: 17 by default, 8 if the optimum is not isolated.
    certify : optional
        Whether to prove the limit.
    threads : optional
        The maximal number of threads.

    Raises
    ------
    HemiolaError
        If the spectrum is invalid or no such polynomial exists.

    Examples
    --------
    >>> polynomial(4, 4).limit == 8 ** 0.5
    True
    >>> polynomial(5, 1, "real").limit
    50.0
    """
    text, eigenvalues = "", None
    if jacobian is not None:
        spectrum = np.linalg.eigvals(square(jacobian, "jacobian"))
    if isinstance(spectrum, str):
        text = spectrum
    else:
        eigenvalues = eigenvalues_of(spectrum, "spectrum")
    found = _hemiola.optimal_polynomial(
        stages, order, text, eigenvalues, real_extent, damping, band, digits, certify, threads
    )
    return Polynomial(
        stages=stages,
        order=order,
        spectrum=found["spectrum"],
        limit=found["limit"],
        limit_text=found["limit_text"],
        coefficients=tuple(Fraction(value) for value in found["coefficients"]),
        closed_form=found["closed_form"],
        polished=found["polished"],
        contact_points=tuple((z, multiplier) for z, multiplier in found["contact_points"]),
        implementations=dict(found["implementations"]),
        certificate=None if found["certificate"] is None else json.loads(found["certificate"]),
        figure=Figure(found["drawing"]),
    )
