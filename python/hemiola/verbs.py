"""Operations on methods: order, stability and figures, with NodePy's names for functions that NodePy has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import _hemiola
from ._hemiola import Core, HemiolaError
from .arguments import checked, whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .methods import Method
    from .stability import StabilityFunction

#: The highest order to check with a tolerance.
_HIGHEST = 12


class Verbs:
    """Operations of :class:`hemiola.Method`, the only subclass."""

    __slots__ = ("_core", "_orders")
    _core: Core
    _orders: tuple[int, int, int] | None

    # Parts.

    @property
    def partitions(self) -> tuple[str, ...]:
        """The names of the partitions."""
        return tuple(self._core.partitions)

    def _index(self, partition: int | str, name: str = "partition") -> int:
        names = self.partitions
        if isinstance(partition, str):
            if partition not in names:
                raise HemiolaError(f"{name}: {self._core.id} has no partition {partition!r}; expected one of: {', '.join(names)}")
            return names.index(partition)
        number = whole(partition, name)
        if number >= len(names):
            raise HemiolaError(f"{name}: {self._core.id} has no partition {number}; expected 0 to {len(names) - 1}")
        return number

    def partition(self, which: int | str) -> Method:
        """Returns one partition as a method, by name or number from 0.

        >>> from hemiola import method
        >>> method("mprk-p2").partition("fast").order()
        2
        """
        from .methods import Method

        return Method._of(self._core.selected([self._index(which)]))

    # Order, with the names of NodePy.

    def _all_orders(self) -> tuple[int, int, int]:
        if self._orders is None:
            order, as_stated, exactly = _hemiola.order_of(self._core)
            self._orders = (order, as_stated, exactly)
        return self._orders

    @checked
    def order(self, tol: float | None = None) -> int:
        """Returns the order p: the conditions of all trees with up to p nodes hold, exactly or to the precision of the coefficients.

        With ``tol``, residuals up to it count as zero, independent of the precision.

        >>> from hemiola import method
        >>> method("rk4").order(), method("dormand-prince-5").order()
        (4, 5)
        """
        if tol is None:
            return self._all_orders()[0]
        highest = max(self._all_orders()[0], 3) + 1
        while True:
            report = _hemiola.check(self._core, highest, "general", None, tol, None)
            found: int = report["order"]
            if found < highest or highest >= _HIGHEST:
                return found
            highest += 1

    def exact_order(self) -> int:
        """Returns the order up to which all conditions hold in exact arithmetic.

        >>> from hemiola import method
        >>> method("rk4").exact_order(), method("shome-haug-jay-2-5").exact_order()
        (4, 0)
        """
        return self._all_orders()[2]

    def stage_order(self) -> int:
        """Returns the stage order: the largest q of B(q) and C(q), in all partitions; at most the order.

        >>> from hemiola import method
        >>> method("gauss-3").stage_order()
        3
        """
        return _hemiola.stage_order(self._core)

    @checked
    def principal_error_norm(self, order: int | None = None) -> float:
        """Returns the 2-norm of the coefficients (Φ(t) − 1/γ(t))/σ(t) over all trees t of order p + 1.

        >>> from hemiola import method
        >>> round(method("rk4").principal_error_norm(), 15)
        0.014504582343198
        """
        return _hemiola.principal_error(self._core, self.order() if order is None else order)[0]

    # Stability, with the names of NodePy.

    def stability_function(self, partition: int | str = 0) -> StabilityFunction:
        """Returns R(z) = N(z)/D(z) with exact coefficients, from the constant upwards.

        >>> from hemiola import method
        >>> R = method("rk4").stability_function()
        >>> [str(beta) for beta in R.numerator], complex(R(-1.0))
        (['1', '1', '1/2', '1/6', '1/24'], (0.375+0j))
        """
        from .stability import StabilityFunction

        k = self._index(partition)
        numerator, denominator = _hemiola.stability_function(self._core, k)
        return StabilityFunction.of_texts(numerator, denominator)

    @checked
    def stability_limit(self, direction: complex, partition: int | str = 0) -> float:
        """Returns the stability limit, the largest t with |R(τu)| ≤ 1 for 0 ≤ τ ≤ t along the ray of u; infinite if there is none.

        For tables of fractions and roots this is the first exit in exact arithmetic, correct to rounding.

        >>> from hemiola import method
        >>> method("rk4").stability_limit(1j) == 8 ** 0.5
        True
        """
        return _hemiola.limit(self._core, self._index(partition), direction)

    def imaginary_stability_interval(self, partition: int | str = 0) -> float:
        """Returns the largest y with |R(iη)| ≤ 1 for 0 ≤ η ≤ y.

        >>> from hemiola import method
        >>> method("rk4").imaginary_stability_interval()
        2.8284271247461903
        """
        return self.stability_limit(1j, partition)

    def real_stability_interval(self, partition: int | str = 0) -> float:
        """Returns the largest x with |R(−ξ)| ≤ 1 for 0 ≤ ξ ≤ x.

        >>> from hemiola import method
        >>> method("rk4").real_stability_interval()
        2.785293563405...
        """
        return self.stability_limit(-1, partition)

    @checked
    def internal_amplification(self, direction: complex = -1, partition: int | str = 0) -> float | None:
        """Returns the largest growth of a perturbation of a stage within the step, along a ray within its stability limit; None for
        implicit methods (Ketcheson, Lóczi & Parsani 2014).

        >>> from hemiola import method
        >>> method("explicit-euler").internal_amplification()
        2.0
        """
        return _hemiola.amplification(self._core, self._index(partition), direction)

    def stability_angle(self, partition: int | str = 0) -> float | None:
        """Returns the largest α in degrees for which the method is A(α)-stable; None if there is none.

        >>> from hemiola import method
        >>> method("gauss-2").stability_angle(), method("rk4").stability_angle()
        (90.0, None)
        """
        return _hemiola.sector(self._core, self._index(partition))[0]

    @checked
    def plot_stability_region(
        self,
        ax: Axes | None = None,
        partition: int | str = 0,
        bounds: Sequence[float] | None = None,
        **style: Any,
    ) -> Axes:
        """Draws the region |R(z)| ≤ 1 of a partition on matplotlib axes and returns them.

        ``bounds`` are (left, right, bottom, top); ``style`` is passed to :class:`matplotlib.patches.PathPatch`.
        """
        from .figures import draw_partition

        return draw_partition(self.partition(partition), "region", ax, bounds, style)

    @checked
    def plot_order_star(
        self,
        ax: Axes | None = None,
        partition: int | str = 0,
        bounds: Sequence[float] = (-5, 5, -5, 5),
        **style: Any,
    ) -> Axes:
        """Draws the order star, |R(z)| > |e^z| (Wanner, Hairer & Nørsett 1978), on matplotlib axes and returns them."""
        from .figures import draw_partition

        return draw_partition(self.partition(partition), "order-star", ax, bounds, style)
