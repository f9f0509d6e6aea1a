"""Linear systems with slow and fast variables: largest stable steps, and the cost of coupling."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._hemiola import Blocks, HemiolaError
from .arguments import PathLike, checked
from .methods import FloatArray, Method, as_method
from .stability import ComplexArray

if TYPE_CHECKING:
    from .figures import Figure


@dataclass(frozen=True)
class StableSteps:
    """The steps h for which a method is stable on a system: ρ(M(h)) ≤ 1 + 1e-9."""

    #: The end of the stable interval that starts at zero; infinite if there is none up to ``farthest``.
    first_exit: float
    #: The last stable step up to ``farthest``.
    last: float
    #: Intervals of instability that are followed by stability again.
    gaps: tuple[tuple[float, float], ...]
    #: The end of the range searched.
    farthest: float
    #: The largest step that all parts allow by themselves; zero if a part is unstable by itself.
    decoupled: float

    @property
    def cost_of_coupling(self) -> float:
        """The fraction of the decoupled step that is lost by coupling."""
        return 1.0 - min(self.first_exit, self.farthest) / self.decoupled


class System:
    """A linear system q' = Jq whose variables belong to partitions, as returned by :func:`system`."""

    def __init__(
        self, jacobian: FloatArray, partition: Sequence[int], alone: Sequence[Sequence[complex]] | None = None, title: str = "J"
    ) -> None:
        self._partition = [int(part) for part in partition]
        self._jacobian = np.array(jacobian, dtype=float, order="C")
        self._jacobian.flags.writeable = False
        self._alone = alone
        self._title = title
        self._blocks = Blocks(self._jacobian, self._partition, alone)

    @property
    def jacobian(self) -> FloatArray:
        """The matrix J: (n, n), read-only."""
        return self._jacobian

    @property
    def partition(self) -> tuple[int, ...]:
        """The partition of each variable: 0 is slow, 1 is fast."""
        return tuple(self._partition)

    @property
    def eigenvalues(self) -> ComplexArray:
        """The eigenvalues of J, smallest first; eigenvalues that are zero up to rounding are set to zero. For more than 1500 variables only
        those of largest modulus."""
        return self._blocks.eigenvalues

    @property
    def zero_eigenvalues(self) -> int:
        """The number of eigenvalues that are zero up to rounding."""
        return self._blocks.zero_eigenvalues

    @checked
    def stable_steps(self, method: Method | PathLike, to: float | None = None, *, threads: int | None = None) -> StableSteps:
        """Computes the stable steps of a method up to ``to``, or up to its first exit.

        For a partitioned method and more than 400 variables, the search uses products with the step matrix: it finds exits with a relative
        accuracy of about 10⁻³, but not narrow gaps.
        """
        found = self._blocks.stable_steps(as_method(method)._core, to, threads)
        found["gaps"] = tuple(found["gaps"])
        return StableSteps(**found)

    @checked
    def rho(self, method: Method | PathLike, steps: npt.ArrayLike, *, threads: int | None = None) -> Any:
        """Computes ρ(M(h)) for each step; infinite where M overflows."""
        array = np.asarray(steps, dtype=float)
        radii = self._blocks.spectral_radii(as_method(method)._core, array.reshape(-1).tolist(), threads)
        return radii.reshape(array.shape)[()]

    @checked
    def step_matrix(self, method: Method | PathLike, h: float) -> FloatArray:
        """Returns the matrix M(h) of q⁺ = M(h) q: (n, n)."""
        return self._blocks.step_matrix(as_method(method)._core, h)

    @checked
    def figure(
        self, methods: Method | PathLike | Sequence[Method | PathLike], to: float | None = None, *, threads: int | None = None
    ) -> Figure:
        """Draws ρ(M(h)) of methods over h, like ``hemiola system --output``."""
        from .figures import Figure

        alone = isinstance(methods, (Method, str, os.PathLike))
        chosen = [as_method(one) for one in ([methods] if alone else methods)]  # type: ignore[union-attr]
        return Figure(self._blocks.figure([one._core for one in chosen], self._title, to, threads))

    def __repr__(self) -> str:
        return f"<System of {len(self._partition)} variables, {self._partition.count(0)} of them slow>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, System):
            return NotImplemented
        mine, others = ((one._partition, one._alone) for one in (self, other))
        return mine == others and np.array_equal(self.jacobian, other.jacobian)

    def __hash__(self) -> int:
        return hash((self.jacobian.tobytes(), self.partition))

    def __reduce__(self) -> tuple[Any, ...]:
        return (System, (self.jacobian, self._partition, self._alone, self._title))


@checked
def system(
    J: Any, slow: Any = None, *, partition: Sequence[int] | None = None, alone: Sequence[Any] | None = None
) -> System:
    """Returns the linear system q' = Jq with some variables slow.

    Parameters
    ----------
    J :
        The Jacobian: (n, n), a numpy array or a matrix of :mod:`scipy.sparse`.
    slow : optional
        The slow variables: indices from 0, a slice, or a mask of n booleans. All others are fast. If omitted, there is one partition.
    partition : optional
        Alternative to ``slow``: the number of the partition of each variable, from 0.

    alone : optional
        The Jacobian of each part by itself, slow before fast, if its eigenvalues are not those of the diagonal block. For example, a piece
        of a mesh corresponds to a whole mesh of the same cell width. These Jacobians determine the decoupled step.

    Raises
    ------
    HemiolaError
        If J is not square or not finite, or if a variable does not exist.

    Notes
    -----
    Sparse matrices are stored as dense ones: 8n² bytes, and three times as much during construction.

    Examples
    --------
    A slow oscillator of frequency 1, coupled to a fast one of frequency 10:

    >>> J = np.array([[0, 1, 0, 0], [-1, -0.1, 0.2, 0], [0, 0, 0, 1], [2, 0, -100, -1.0]])
    >>> steps = system(J, slow=[0, 1]).stable_steps("mprk-p3")
    >>> abs(steps.first_exit / steps.decoupled - 1) < 0.05
    True
    """
    dense = square(J, "J")
    n = dense.shape[0]
    if slow is not None and partition is not None:
        raise HemiolaError("found slow and partition; expected one of them")
    if partition is not None:
        parts = list(partition)
        if len(parts) != n or any(part < 0 for part in parts):
            raise HemiolaError(f"found partitions {parts}; expected {n} numbers from 0")
    else:
        parts = [0] * n if slow is None else _parts(slow, n)
    if alone is None:
        return System(dense, parts)
    if len(alone) != max(parts, default=0) + 1:
        raise HemiolaError(f"found {len(alone)} matrices of parts alone; expected {max(parts, default=0) + 1}")
    return System(dense, parts, [np.linalg.eigvals(square(one, f"alone[{k}]")).tolist() for k, one in enumerate(alone)])


def square(J: Any, name: str) -> FloatArray:
    """Converts to a dense real square matrix of finite numbers."""
    dense = J.toarray() if hasattr(J, "toarray") else np.asarray(J)
    if dense.dtype.kind == "c":
        raise TypeError(f"{name}: found complex numbers; expected a real matrix")
    if dense.dtype.kind not in "biuf":
        raise TypeError(f"{name}: found entries of type {dense.dtype}; expected real numbers")
    if dense.ndim != 2 or dense.shape[0] != dense.shape[1]:
        raise HemiolaError(f"{name}: found the shape {dense.shape}; expected a square matrix")
    dense = np.ascontiguousarray(dense, dtype=float)
    if not np.isfinite(dense).all():
        raise HemiolaError(f"{name}: found {dense[~np.isfinite(dense)][0]}; expected finite numbers")
    return dense


def _parts(slow: Any, n: int) -> list[int]:
    fast = np.ones(n, dtype=int)
    if not isinstance(slow, slice):
        slow = np.asarray(slow)
        if slow.dtype == bool and slow.shape != (n,):
            raise HemiolaError(f"slow: found a mask of shape {slow.shape}; expected ({n},)")
        if slow.dtype != bool:
            if slow.size and slow.dtype.kind not in "iu":
                raise TypeError(f"slow: found {slow.tolist()}; expected indices")
            outside = [int(k) for k in slow.reshape(-1) if not -n <= k < n]
            if outside:
                raise HemiolaError(f"slow: found variable {outside[0]}; expected 0 to {n - 1}")
            slow = slow.astype(int)
    fast[slow] = 0
    return fast.tolist()
