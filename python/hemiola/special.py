"""Designs with large SSP coefficients, and methods in low-storage forms."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from . import _hemiola
from .arguments import PathLike, checked
from .designs import Interrupted
from .methods import Method
from .stability import eigenvalues_of


@dataclass(frozen=True)
class SspDesign:
    """A method with a large radius of absolute monotonicity."""

    method: Method
    #: The maximized radius: that of the first partition along the ratio, or of the first partition by itself.
    radius: float
    #: The SSP coefficient of each partition by itself, and the largest one of any method with the same evaluations and
    #: this order.
    coefficients: tuple[float, ...]
    bounds: tuple[float, ...]
    #: The largest r with (r, r) and with (r, ratio·r) in the region of absolute monotonicity of a pair.
    diagonal: float | None
    along_ratio: float | None
    certificate: dict[str, Any] = field(repr=False)
    _certificate_text: str = field(repr=False, compare=False)

    def save(self, folder: PathLike = ".") -> list[Path]:
        """Writes the method and its certificate into a folder; returns the paths."""
        return _saved(folder, self.method.id, self.method.to_json(), self._certificate_text)


@dataclass(frozen=True)
class LowStorageDesign:
    """A method in a low-storage form."""

    method: Method
    #: The 2-norm of the principal error.
    error_norm: float
    #: The largest step on the spectrum, and that of the optimal polynomial; ``None`` without a spectrum.
    limit: float | None
    optimum: float | None
    #: The largest factor of a perturbation of a stage, on the spectrum times this step.
    amplification: float | None
    #: The largest factor with which the form multiplies rounding errors of its registers, there or on both axes up to the limits.
    form_amplification: float
    #: The number of registers for a step, without and with the embedded solution.
    registers: int
    registers_with_embedded: int | None
    #: A bound on the distance of an exact solution in the same form from the written coefficients; ``None`` if it is not proved.
    distance: float | None
    #: The text of the method file, with the coefficients of the form.
    text: str = field(repr=False)
    certificate: dict[str, Any] = field(repr=False)
    _certificate_text: str = field(repr=False, compare=False)

    def save(self, folder: PathLike = ".") -> list[Path]:
        """Writes the method, with the coefficients of its form, and its certificate into a folder; returns the paths."""
        return _saved(folder, self.method.id, self.text, self._certificate_text)


def _saved(folder: PathLike, id: str, method: str, certificate: str) -> list[Path]:
    texts = {f"{id}.json": method, f"{id}.certificate.json": certificate}
    for name, text in texts.items():
        (Path(folder) / name).write_text(text, encoding="utf-8")
    return [Path(folder) / name for name in texts]


@checked
def ssp_design(
    evaluations: int | Sequence[int],
    order: int,
    *,
    ratio: str | int | Fraction | None = None,
    by_parts: bool = False,
    shared_weights: bool = False,
    shared_abscissae: bool = False,
    slow_stages: Sequence[int] | None = None,
    embedded: int | None = None,
    seed: int | None = None,
    starts: int | None = None,
    id: str | None = None,
    threads: int | None = None,
    progress: Callable[[float], object] | None = None,
) -> SspDesign:
    """Designs an explicit method or a dual-rate pair with a large radius of absolute monotonicity.

    Parameters
    ----------
    evaluations :
        The number of stages of a method with one partition, or the slow and the fast evaluations of a pair.
    order :
        The order: 1 to 4, for pairs 1 to 3.
    ratio : optional
        The ratio of the fast partition's radius to that of the slow one. The default is the ratio of the evaluations.
    by_parts : optional
        Whether only each partition by itself must be monotone, which suffices to preserve bounds on disjoint sets of variables.
    shared_weights, shared_abscissae, slow_stages, embedded : optional
        Requirements on the coefficients. Stages are counted from 0.
    seed, starts, id, threads, progress : optional
        The seed and the number of random starts, the id of the method, the maximal number of threads, and a function that receives
        the completed fraction.

    Raises
    ------
    HemiolaError
        If the requirements are contradictory.
    Interrupted
        After Ctrl-C.

    Examples
    --------
    >>> ssp_design(4, 3).coefficients
    (2.0,)
    """
    sizes = [evaluations] if isinstance(evaluations, int) else list(evaluations)
    request = {
        "id": id, "evaluations": sizes, "order": order, "ratio": None if ratio is None else str(ratio), "by_parts": by_parts,
        "shared_weights": shared_weights, "shared_abscissae": shared_abscissae,
        "slow_stages": None if slow_stages is None else list(slow_stages), "embedded": embedded, "seed": seed, "starts": starts,
    }  # fmt: skip
    found = _result(_hemiola.ssp_design(request, threads, progress))
    return SspDesign(
        method=Method._of(found["method"]),
        radius=found["radius"],
        coefficients=tuple(found["coefficients"]),
        bounds=tuple(found["bounds"]),
        diagonal=found["diagonal"],
        along_ratio=found["along_ratio"],
        certificate=json.loads(found["certificate"]),
        _certificate_text=found["certificate"],
    )


@checked
def low_storage_design(
    form: str,
    stages: int,
    order: int,
    spectrum: str | Sequence[complex] | None = None,
    *,
    share: float | None = None,
    embedded: int | None = None,
    internal: float | None = None,
    seed: int | None = None,
    starts: int | None = None,
    id: str | None = None,
    threads: int | None = None,
    progress: Callable[[float], object] | None = None,
) -> LowStorageDesign:
    """Designs an explicit method in a low-storage form.

    Parameters
    ----------
    form :
        ``2N`` (Williamson 1980), ``2S`` or ``3S*`` (Ketcheson 2010).
    stages, order :
        The number of stages and the order, 1 to 5.
    spectrum : optional
        The set on which the step is maximized: a shape such as ``dg:3``, or eigenvalues. By default the stability polynomial is free.
    share : optional
        The required fraction of the largest step. At 1, the default, the polynomial is optimal; smaller fractions allow smaller errors.
    embedded : optional
        The order of embedded weights; those of 2S and 3S* belong to the form.
    internal : optional
        The weight of the amplification of perturbations of stages.
    seed, starts, id, threads, progress : optional
        The seed and the number of random starts, the id of the method, the maximal number of threads, and a function that receives
        the completed fraction.

    Raises
    ------
    HemiolaError
        If the requirements are contradictory.
    Interrupted
        After Ctrl-C.

    Examples
    --------
    >>> found = low_storage_design("2N", 3, 3, starts=8)
    >>> found.method.order(), found.registers
    (3, 2)
    """
    is_shape = isinstance(spectrum, str)
    listed = None if is_shape or spectrum is None else eigenvalues_of(spectrum, "spectrum").tolist()
    request = {
        "id": id, "form": form, "stages": stages, "order": order, "shape": spectrum if is_shape else None, "eigenvalues": listed,
        "share": share, "embedded": embedded, "internal": internal, "seed": seed, "starts": starts,
    }  # fmt: skip
    found = _result(_hemiola.storage_design(request, threads, progress))
    kept = ("error_norm", "limit", "optimum", "amplification", "form_amplification", "registers", "registers_with_embedded", "distance", "text")
    return LowStorageDesign(
        method=Method._of(found["method"]),
        certificate=json.loads(found["certificate"]),
        _certificate_text=found["certificate"],
        **{name: found[name] for name in kept},
    )


def _result(answer: tuple[dict[str, Any] | None, BaseException | None]) -> dict[str, Any]:
    found, stopped = answer
    if isinstance(stopped, KeyboardInterrupt):
        raise Interrupted(None, "") from None
    if stopped is not None:
        raise stopped
    assert found is not None, "what was not stopped has a result"
    return found
