"""Stability functions, stability matrices, spectral radii and coupled profiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np
import numpy.typing as npt

from . import _hemiola
from ._hemiola import HemiolaError
from .arguments import PathLike, checked, whole
from .coefficients import fraction_of
from .methods import FloatArray, Method, as_method

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ComplexArray = npt.NDArray[np.complex128]
_ONE = (int, float, complex)


@dataclass(frozen=True)
class StabilityFunction:
    """R(z) = N(z)/D(z), with exact coefficients from the constant upwards; D = 1 for explicit methods.

    Call it with numbers or arrays. Unpacking gives NodePy's pair of :class:`numpy.poly1d`, highest powers first:

    >>> from hemiola import method
    >>> p, q = method("rk4").stability_function()
    >>> p.order, q.order
    (4, 0)
    """

    #: Coefficients of N: fractions, or expressions with roots.
    numerator: tuple[Fraction | str, ...]
    #: Coefficients of D.
    denominator: tuple[Fraction | str, ...]

    @classmethod
    def of_texts(cls, numerator: Sequence[str], denominator: Sequence[str]) -> StabilityFunction:
        """Creates the function from the texts of the coefficients."""
        return cls(tuple(map(_exact, numerator)), tuple(map(_exact, denominator)))

    def __call__(self, z: npt.ArrayLike) -> Any:
        values = np.asarray(z, dtype=complex)
        n, d = (np.polynomial.polynomial.polyval(values, _floats(p)) for p in (self.numerator, self.denominator))
        return (n / d)[()]

    def __iter__(self) -> Any:
        return iter(self.poly1d())

    def poly1d(self) -> tuple[np.poly1d, np.poly1d]:
        """Returns N and D as :class:`numpy.poly1d` of exact coefficients, as NodePy's ``stability_function`` returns them."""
        return tuple(np.poly1d(np.array(p[::-1], dtype=object)) for p in (self.numerator, self.denominator))  # type: ignore[return-value]

    @checked
    def plot_stability_region(
        self, ax: Axes | None = None, bounds: Sequence[float] = (-10, 1, -5, 5), *, cells: int = 400, **style: Any
    ) -> Axes:
        """Draws |R(z)| ≤ 1 within (left, right, bottom, top) on matplotlib axes and returns them; ``style`` is passed to ``contourf``."""
        from .figures import draw_function

        return draw_function(self, "region", ax, bounds, cells, style)

    @checked
    def plot_order_star(
        self, ax: Axes | None = None, bounds: Sequence[float] = (-5, 5, -5, 5), *, cells: int = 400, **style: Any
    ) -> Axes:
        """Draws the order star |R(z)| > |e^z| (Wanner, Hairer & Nørsett 1978) of any rational function, such as a Padé approximation."""
        from .figures import draw_function

        return draw_function(self, "order-star", ax, bounds, cells, style)

    def _repr_latex_(self) -> str:
        texts = [_polynomial_latex(p) for p in (self.numerator, self.denominator)]
        return f"$R(z) = {texts[0]}$" if texts[1] == "1" else f"$R(z) = \\frac{{{texts[0]}}}{{{texts[1]}}}$"


def _exact(text: str) -> Fraction | str:
    try:
        return fraction_of(text)
    except HemiolaError:
        return text


def _floats(p: tuple[Fraction | str, ...]) -> FloatArray:
    return np.array([_float(value) for value in p])


def _float(value: Fraction | str) -> float:
    if isinstance(value, Fraction):
        return float(value)
    # Expression with roots in the notation of the libraries.
    from .methods import Method

    return float(Method([[0]], [value]).b[0])


def _polynomial_latex(p: tuple[Fraction | str, ...]) -> str:
    terms = []
    for power, value in enumerate(p):
        if value == 0:
            continue
        variable = "" if power == 0 else "z" if power == 1 else f"z^{{{power}}}"
        if isinstance(value, Fraction):
            sign, size = ("-" if value < 0 else "+"), abs(value)
            number = str(size) if size.denominator == 1 else f"\\tfrac{{{size.numerator}}}{{{size.denominator}}}"
            number = "" if number == "1" and variable else number
        else:
            sign, number = "+", f"({value})"
        terms.append((sign, number + variable))
    if not terms:
        return "0"
    first = ("-" if terms[0][0] == "-" else "") + terms[0][1]
    return first + "".join(f" {sign} {term}" for sign, term in terms[1:])


def _complex(z: npt.ArrayLike) -> ComplexArray:
    array = np.asarray(z)
    if array.dtype == object or array.dtype.kind not in "biufc":
        raise TypeError(f"found {z!r}; expected complex numbers")
    return array.astype(np.complex128, copy=False)


def eigenvalues_of(values: Any, name: str) -> ComplexArray:
    """Converts a list of eigenvalues to finite complex numbers, (k,)."""
    try:
        array = np.asarray(values, dtype=np.complex128)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: found {values!r}; expected a text or complex numbers") from None
    if not np.isfinite(array).all():
        raise HemiolaError(f"{name}: found {array[~np.isfinite(array)].flat[0]}; expected finite numbers")
    return np.ascontiguousarray(array.reshape(-1))


@overload
def rho(method: Method | PathLike, *z: complex, threads: int | None = ...) -> float: ...
@overload
def rho(method: Method | PathLike, *z: npt.ArrayLike, threads: int | None = ...) -> Any: ...
def rho(method: Method | PathLike, *z: npt.ArrayLike, threads: int | None = None) -> Any:
    """Computes ρ(S), the spectral radius of the stability matrix on q' = Λq with Z = hΛ; broadcasts like a ufunc.

    Parameters
    ----------
    method :
        A method, or its id.
    z :
        ``rho(m, z)`` is |R(z)| of a method with one partition, ``rho(m, z_ss, z_sf, z_fs, z_ff)`` is ρ(S) of a pair. With N partitions
        the arguments are the N² entries of Z row by row. They are numbers, or arrays whose shapes broadcast.
    threads : optional
        The maximal number of threads; all processors by default.

    Returns
    -------
    float or ndarray
        The values, in the common shape. They are infinite at poles and where S overflows, NaN where an entry of Z is NaN, and at most
        one where the method is stable.

    Notes
    -----
    The kernels are those of stability maps: they compute eight points at a time, on all threads, and use more digits where doubles may not
    suffice.

    Examples
    --------
    >>> round(rho("rk4", -1.0), 12)
    0.375
    >>> z = np.linspace(0, 1j, 5)
    >>> rho("shome-haug-jay-2-5", z / 10, 0.01 * z, 0.01 * z, z).shape
    (5,)
    """
    chosen = method if isinstance(method, Method) else as_method(method)
    core = chosen._core
    threads = None if threads is None else whole(threads, "threads")
    if len(z) == 4 and type(z[0]) in _ONE and type(z[1]) in _ONE and type(z[2]) in _ONE and type(z[3]) in _ONE:
        ss, sf, fs, ff = cast("tuple[complex, complex, complex, complex]", z)
        return _hemiola.pair_radius(core, ss, sf, fs, ff)
    count = len(core.partitions)
    if len(z) != count * count:
        raise TypeError(f"{core.id}: found {len(z)} entries of Z; expected {count * count}, row by row")
    arrays = [_complex(value) for value in z]
    shape = np.broadcast_shapes(*(array.shape for array in arrays))
    size = int(np.prod(shape))
    if count == 2:
        # Scalars are not expanded to the shape of the points.
        first, second, third, fourth = (_flat(array, shape) for array in arrays)
        radii = _hemiola.pair_radii(core, size, first, second, third, fourth, threads)
    elif count == 1:
        radii = _hemiola.moduli(core, 0, _flat(np.broadcast_to(arrays[0], shape), shape), threads)
    else:
        radii = _hemiola.radii(core, _stacked(arrays, shape, count), threads)
    return radii.reshape(shape) if shape else float(radii[0])


def _flat(array: ComplexArray, shape: tuple[int, ...]) -> ComplexArray:
    if array.size == 1:
        return np.ascontiguousarray(array.reshape(1))
    return np.ascontiguousarray(np.broadcast_to(array, shape)).reshape(-1)


def _stacked(arrays: Sequence[ComplexArray], shape: tuple[int, ...], count: int) -> ComplexArray:
    stacked = np.empty((*shape, count * count), dtype=np.complex128)
    for k, array in enumerate(arrays):
        stacked[..., k] = array
    return stacked.reshape(-1, count, count)


def matrix(method: Method | PathLike, *z: npt.ArrayLike, threads: int | None = None) -> ComplexArray:
    """Computes the stability matrix S(Z) of q⁺ = S(Z) q on q' = Λq with Z = hΛ; broadcasts like a ufunc.

    Parameters
    ----------
    method, z, threads :
        As for :func:`rho`.

    Returns
    -------
    ndarray
        The matrices, in the common shape with two more axes of length N, the number of partitions. They are NaN at poles.

    Examples
    --------
    >>> matrix("rk4", -1.0).real.round(12).tolist()
    [[0.375]]
    >>> matrix("mprk-p2", -0.1 + 1j, 0.2, 0.2, np.linspace(0, 5j, 7)).shape
    (7, 2, 2)
    """
    chosen = as_method(method)
    threads = None if threads is None else whole(threads, "threads")
    count = len(chosen.partitions)
    if len(z) != count * count:
        raise TypeError(f"{chosen.id}: found {len(z)} entries of Z; expected {count * count}, row by row")
    arrays = [_complex(value) for value in z]
    shape = np.broadcast_shapes(*(array.shape for array in arrays))
    values = _hemiola.matrices(chosen._core, _stacked(arrays, shape, count), threads)
    return values.reshape(*shape, count, count)


@dataclass(frozen=True)
class Profile:
    """Fraction of the decoupled step of a pair that remains with coupling, in the worst case over frequency ratios and couplings."""

    #: The damping ratio ζ of both subsystems.
    damping: float
    #: The stability limits of R_s and R_f along the ray of this damping ratio.
    limits: tuple[float, float]
    #: The coupling strengths γ.
    gammas: tuple[float, ...]
    #: The remaining fraction of the step at each γ, with symmetric couplings and practical growth.
    practical: tuple[float, ...]
    #: The same without any growth.
    strict: tuple[float, ...]
    #: The same for skew couplings.
    skew: tuple[float, ...]


@checked
def profile(
    method: Method | PathLike,
    gammas: Sequence[float] = (0.05, 0.1, 0.2, 0.4),
    *,
    damping: float = 0.05,
    threads: int | None = None,
) -> Profile:
    """Computes the coupled profile of a pair: the infimum of t*/t₀ over all frequency ratios and couplings up to γ.

    t* is the first step at which the coupled test problem grows; t₀ is the step that the parts allow without coupling.

    >>> found = profile("shome-haug-jay-2-5", [0.1, 0.2])
    >>> [round(value, 2) for value in found.practical]
    [0.93, 0.87]
    """
    limits, values = _hemiola.profile(as_method(method)._core, damping, list(gammas), threads)
    practical, strict, skew = (tuple(value[k][0] for value in values) for k in range(3))
    return Profile(damping, (limits[0], limits[1]), tuple(gammas), practical, strict, skew)
