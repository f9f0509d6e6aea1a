"""Strong stability preservation, nonlinear stability and low-storage forms, with NodePy's names for functions that NodePy has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _hemiola
from ._hemiola import Core
from .arguments import checked, whole

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LowStorageForm:
    """A low-storage form of a method."""

    #: The class: 2N, 2R, 3R, …, 2S, 2S* or 3S*.
    form: str
    #: Exactness of the form: exactly, to precision, or numerically.
    agreement: str
    #: The number of registers for a step.
    registers: int
    #: The number of registers with the embedded solution; None if there is none.
    registers_with_embedded: int | None


@dataclass(frozen=True)
class MonotonicityOutline:
    """The region of absolute monotonicity of a pair (Higueras 2006). Unbounded radii are infinite."""

    #: The largest r of each partition in the absence of the other.
    axes: tuple[float, float]
    #: The largest r of both together.
    diagonal: float
    #: Points (r1, r2) of the boundary, from the first axis to the second; shape (n, 2).
    boundary: FloatArray


class NonlinearVerbs:
    """Operations of :class:`hemiola.Method` on strong and nonlinear stability."""

    __slots__ = ()
    _core: Core

    def _index(self, partition: int | str, name: str = "partition") -> int:
        raise NotImplementedError

    def absolute_monotonicity_radius(self, partition: int | str = 0) -> float:
        """Returns the SSP coefficient, the radius of absolute monotonicity (Kraaijevanger 1991), proved in exact arithmetic; infinite if
        it is unbounded.

        >>> from hemiola import method
        >>> [method(id).absolute_monotonicity_radius() for id in ("ssp-rk-10-4", "rk4", "implicit-euler")]
        [6.0, 0.0, inf]
        """
        return _hemiola.ssp_radius(self._core, self._index(partition))

    @checked
    def ssp_digits(self, digits: int, partition: int | str = 0) -> str | None:
        """Returns the SSP coefficient to 1 to 1000 proved digits; None if it is unbounded.

        >>> from hemiola import method
        >>> method("tr-bdf2").ssp_digits(30)
        '2.41421356237309504880168872421'
        """
        return _hemiola.ssp_digits(self._core, self._index(partition), whole(digits, "digits"))

    def linear_absolute_monotonicity_radius(self, partition: int | str = 0) -> float | None:
        """Returns the threshold factor, the radius of absolute monotonicity of the stability polynomial (Kraaijevanger 1986); None if R is
        not a polynomial.

        >>> from hemiola import method
        >>> method("rk4").linear_absolute_monotonicity_radius()
        1.0
        """
        return _hemiola.threshold(self._core, self._index(partition))

    def circle_contractivity_radius(self, partition: int | str = 0) -> float:
        """Returns the radius of circle contractivity (Dahlquist & Jeltsch 1979); infinite for algebraically stable methods.

        >>> from hemiola import method
        >>> method("rk4").circle_contractivity_radius(), method("gauss-2").circle_contractivity_radius()
        (1.0, inf)
        """
        return _hemiola.circle_radius(self._core, self._index(partition))

    def is_algebraically_stable(self, partition: int | str = 0) -> bool:
        """Whether b ≥ 0 and BA + AᵀB − bbᵀ is positive semidefinite, exactly or to the precision of the coefficients.

        >>> from hemiola import method
        >>> method("rk4").is_algebraically_stable(), method("lobatto-iiic-4").is_algebraically_stable()
        (False, True)
        """
        return _hemiola.nonlinear_stability(self._core, self._index(partition))[0]

    def is_b_stable(self, partition: int | str = 0) -> bool:
        """Whether the method is contractive for autonomous problems: algebraically stable after the removal of unused and equal stages.

        >>> from hemiola import method
        >>> method("radau-iia-3").is_b_stable()
        True
        """
        return _hemiola.nonlinear_stability(self._core, self._index(partition))[1]

    def is_an_stable(self, partition: int | str = 0) -> bool | None:
        """Whether the method is contractive for y' = λ(t)y with Re λ ≤ 0 (Burrage & Butcher 1979); None if equal abscissae leave this
        undecided. Equal stages with different abscissae count as different.

        >>> from hemiola import method
        >>> method("lobatto-iiia-2").is_an_stable(), method("implicit-midpoint").is_an_stable()
        (False, True)
        """
        return _hemiola.nonlinear_stability(self._core, self._index(partition))[2]

    def optimal_shu_osher_form(self, partition: int | str = 0) -> tuple[FloatArray, FloatArray] | None:
        """Returns α and β of a Shu–Osher form with β ≥ 0 and α_ij ≥ C β_ij; None if C is zero or unbounded.

        y_i = Σ_j (α_ij y_j + h β_ij f(y_j)), i = 1 … s + 1, where y_1 of explicit methods is the initial value of the step. For implicit
        methods, the initial value has the factors 1 − Σ_j α_ij. Stages without influence on the step are omitted.

        >>> from hemiola import method
        >>> alpha, beta = method("ssp-rk-2-2").optimal_shu_osher_form()
        >>> alpha.tolist()
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]
        >>> beta.tolist()
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.5, 0.0]]
        """
        found = _hemiola.shu_osher(self._core, self._index(partition))
        if found is None:
            return None
        v, alpha, beta = (np.array(part) for part in found)
        if not np.any(np.triu(beta)):
            # The first stage of an explicit method is the initial value.
            alpha[1:, 0] += v[1:]
        return alpha, beta

    @checked
    def monotonicity_outline(self, points: int = 96, *, threads: int | None = None) -> MonotonicityOutline:
        """Returns the region of absolute monotonicity of a pair, with a number of points on its boundary.

        If Euler steps of f_i up to h_i are monotone and (r_1, r_2) is in the region, steps h ≤ min r_i h_i of the pair are monotone.

        >>> from hemiola import method
        >>> region = method("imex-trapezoid-2").monotonicity_outline(8)
        >>> region.axes, round(region.diagonal, 12), region.boundary.shape
        ((1.0, 2.0), 0.666666666667, (8, 2))
        """
        threads = None if threads is None else whole(threads, "threads")
        axes, diagonal, boundary = _hemiola.monotonicity_outline(self._core, whole(points, "points"), threads)
        first, second = axes
        return MonotonicityOutline((first, second), diagonal, np.array(boundary, dtype=float).reshape(-1, 2))

    def weak_stage_order(self, partition: int | str = 0) -> int | float | None:
        """Returns the weak stage order (Ketcheson, Seibold, Shirokoff & Zhou 2020); infinity if it is unbounded.

        >>> from hemiola import method
        >>> [method(id).weak_stage_order() for id in ("gauss-3", "crouzeix-3", "explicit-euler")]
        [3, 1, inf]
        """
        return _hemiola.weak_order(self._core, self._index(partition))

    def dj_reducible_stages(self) -> list[int]:
        """Returns the stages, from 0, without influence on the step through any partition (Dahlquist & Jeltsch 1979).

        >>> from hemiola import Method
        >>> Method([[0, 0], [1, 0]], [1, 0]).dj_reducible_stages()
        [1]
        """
        return _hemiola.reducible_stages(self._core)[0]

    def hs_reducible_stages(self) -> list[list[int]]:
        """Returns groups of stages, from 0, that are equal for every problem (Hundsdorfer & Spijker 1981).

        >>> from hemiola import Method
        >>> Method([["1/2", 0], ["1/2", 0]], ["1/2", "1/2"]).hs_reducible_stages()
        [[0, 1]]
        """
        return _hemiola.reducible_stages(self._core)[1]

    def low_storage_forms(self, partition: int | str = 0) -> list[LowStorageForm]:
        """Returns the low-storage forms of a partition by itself, those with the fewest registers first.

        >>> from hemiola import method
        >>> [(found.form, found.registers) for found in method("williamson-3").low_storage_forms()][0]
        ('2N', 2)
        """
        return [LowStorageForm(*form) for form in _hemiola.low_storage_forms(self._core, self._index(partition))]
