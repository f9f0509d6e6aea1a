"""Families: methods with several rates for meshes on which cells of any two rates may be neighbors."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import _hemiola
from .arguments import PathLike, checked
from .designs import Interrupted
from .methods import Method
from .modeling import read_model
from .stability import eigenvalues_of


@dataclass(frozen=True)
class Level:
    """One level of a family."""

    #: Evaluations in a step.
    evaluations: int
    #: The stability polynomial, from the constant upwards.
    polynomial: tuple[float, ...]
    #: The limits of the method and of the optimal polynomial on the spectrum.
    limit: float
    optimum: float
    #: The growth factor of perturbations of stages on the spectrum.
    amplification: float


@dataclass(frozen=True)
class Family:
    """A method with a partition for each number of evaluations."""

    method: Method
    levels: tuple[Level, ...]
    #: The 2-norm of the principal error.
    error_norm: float
    largest_coefficient: float
    #: For each system, the smallest ratio of the coupled step to the smallest step of the parts by themselves.
    coupled: tuple[float, ...]
    certificate: dict[str, Any] = field(repr=False)
    #: The text of the design file, from which ``hemiola design`` designs the family.
    design: str = field(repr=False)
    _certificate_text: str = field(repr=False, compare=False)

    def save(self, folder: PathLike = ".") -> list[Path]:
        """Writes the method, its certificate and its design file into a folder, as ``hemiola design`` does; returns the paths."""
        base, id = Path(folder), self.method.id
        texts = {
            f"{id}.json": self.method.to_json(),
            f"{id}.certificate.json": self._certificate_text,
            f"{id}.family.json": self.design,
        }
        for name, text in texts.items():
            (base / name).write_text(text, encoding="utf-8")
        return [base / name for name in texts]


@checked
def family(
    levels: Sequence[int],
    order: int,
    spectrum: str | Sequence[complex],
    *,
    share: float | None = None,
    systems: Sequence[str] = (),
    chain: bool = False,
    seed: int | None = None,
    starts: int | None = None,
    id: str | None = None,
    name: str | None = None,
    threads: int | None = None,
    progress: Callable[[float], object] | None = None,
) -> Family:
    """Designs a family for a spectrum, with the same order for all rates and all couplings between them.

    Parameters
    ----------
    levels :
        The evaluations of each rate in a step, for example ``[16, 8, 4]``.
    order :
        The order of all rates and of their couplings.
    spectrum :
        The set on which the polynomials are stable: a shape such as ``dg:3``, or eigenvalues.
    share : optional
        The required fraction of the optimal limits.
    systems : optional
        Models whose coupled steps should be at least as large as the steps of their parts: ``NAME`` or ``NAME:KEY=VALUE,…``.
    chain, seed, starts, id, name : optional
        The fields of the same names in design files of families.
    threads, progress : optional
        The maximal number of threads, and a function that receives the completed fraction.

    Raises
    ------
    HemiolaError
        If the requirements are contradictory.
    Interrupted
        After Ctrl-C, without a result.

    Examples
    --------
    >>> found = family([4, 2], 2, "disk")
    >>> found.method.order(), found.method.evaluations, [level.evaluations for level in found.levels]
    (2, (2, 4), [2, 4])
    """
    ordered = sorted(levels)
    if isinstance(spectrum, str):
        listed: Any = spectrum
    else:
        listed = [[z.real, z.imag] for z in eigenvalues_of(spectrum, "spectrum").tolist()]
    document = {
        "format": "hemiola-family/1",
        "id": id or "-".join(["family", str(order), *map(str, ordered)]),
        "name": name or f"Hemiola family {'–'.join(map(str, ordered))}, order {order}",
        "levels": list(levels), "order": order, "spectrum": listed, "share": share, "for": list(systems) or None, "chain": chain,
        "seed": seed, "starts": starts,
    }  # fmt: skip
    text = json.dumps({key: value for key, value in document.items() if value is not None})
    models = [read_model(system)._equations for system in systems]
    found, design, stopped = _hemiola.family(text, models, threads, progress)
    if isinstance(stopped, KeyboardInterrupt):
        raise Interrupted(None, "") from None
    if stopped is not None:
        raise stopped
    assert found is not None, "what was not stopped has a result"
    return Family(
        method=Method._of(found["method"]),
        levels=tuple(Level(**{**level, "polynomial": tuple(level["polynomial"])}) for level in found["levels"]),
        error_norm=found["error_norm"],
        largest_coefficient=found["largest_coefficient"],
        coupled=tuple(found["coupled"]),
        certificate=json.loads(found["certificate"]),
        design=design,
        _certificate_text=found["certificate"],
    )
