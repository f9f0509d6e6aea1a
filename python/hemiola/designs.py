"""Designs of dual-rate pairs: the specification, the search and its result."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union, cast

from . import _hemiola
from ._hemiola import HemiolaError
from .arguments import PathLike, checked, whole
from .methods import Method
from .optional import optional
from .wishes import Wishes, entries_from_0, fields

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .figures import Figure

#: A function that receives the progress of a search: the phase (``starts``, ``descents``), the number done, the total, and the best
#: merit so far.
Progress = Callable[[str, int, int, float], object]


class DesignSpec:
    """Specification of a pair: the contents of a design file, ``hemiola-design/1``.

    Parameters
    ----------
    slow, fast :
        The numbers of slow and fast evaluations in a step.
    order : optional
        The order. The default is the highest order that the slow evaluations allow.
    options :
        All other fields of a design file, described in :mod:`hemiola.wishes`: ``slow_stages`` (from 0), ``stability`` (for example
        ``{"fast": {"axis": "imaginary", "damping": 0.05}}``), ``structure``, ``embedded``, ``dense``, ``objective``, ``preference``,
        ``made_for``, ``seed``, ``starts``, ``effort``, ``id`` and ``name``.

    Raises
    ------
    HemiolaError
        If a field is invalid; the message names the field and the expected value.

    Examples
    --------
    >>> spec = DesignSpec(2, 5, embedded=1, structure={"shared_abscissae": True})
    >>> spec.id, spec.order
    ('dual-rate-2-5', 2)
    >>> DesignSpec(2, 5, structure={"share_abscissae": True})
    Traceback (most recent call last):
        ...
    hemiola.HemiolaError: the design: at structure...
    """

    @checked
    def __init__(self, slow: int, fast: int, order: int | None = None, **options: Unpack[Wishes]) -> None:
        text = json.dumps(fields(slow, fast, order, options))
        try:
            self._set(text, "the design")
        except HemiolaError as error:
            raise HemiolaError(entries_from_0(str(error))) from None

    def _set(self, text: str, origin: str) -> None:
        self._id, self._text, self._order = _hemiola.design_file(text, origin)

    @classmethod
    def from_json(cls, text: str, origin: str = "the design") -> DesignSpec:
        """Creates a specification from the text of a design file."""
        spec = cls.__new__(cls)
        spec._set(text, origin)
        return spec

    @classmethod
    def load(cls, path: PathLike) -> DesignSpec:
        """Reads a design file ``ID.design.json`` or ``ID.json``."""
        spec = cls.__new__(cls)
        spec._id, spec._text, spec._order = _hemiola.read_design_file(os.fspath(path))
        return spec

    @property
    def id(self) -> str:
        """The id of the designed method."""
        return self._id

    @property
    def order(self) -> int:
        """The order."""
        return self._order

    def to_json(self) -> str:
        """Returns the text of a design file without the fields that have their defaults."""
        return self._text

    def save(self, path: PathLike) -> None:
        """Writes the design file ``ID.design.json``, from which ``hemiola design`` designs the method. ID must be the id of the method."""
        names = (f"{self.id}.design.json", f"{self.id}.json")
        if Path(path).name not in names:
            raise ValueError(f"{os.fspath(path)}: found the id {self.id}; expected the file name {names[0]}")
        Path(path).write_text(self._text, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<DesignSpec {self.id}, order {self.order}>"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, DesignSpec) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Any, ...]:
        return (DesignSpec.from_json, (self._text,))


@dataclass(frozen=True)
class Design:
    """A finished design."""

    #: The method, with coefficients of 50 decimals.
    method: Method
    spec: DesignSpec
    #: The stages at which the slow partition is evaluated, from 0.
    slow_stages: tuple[int, ...]
    #: The 2-norm of the principal error.
    error_norm: float
    largest_coefficient: float
    #: The number of starts, and the number of those that satisfied all conditions.
    tried: int
    solved: int
    #: Whether the search was stopped; the complete search may give another method.
    interrupted: bool
    converged: bool
    #: The proved properties of the method, in one sentence.
    proof: str
    #: The certificate of these properties, as in its file.
    certificate: dict[str, Any] = field(repr=False)
    _certificate_text: str = field(repr=False, compare=False)

    def save(self, folder: PathLike = ".") -> list[Path]:
        """Writes the method, its certificate and its design file into a folder, as ``hemiola design`` does; returns the paths."""
        base = Path(folder)
        texts = {
            f"{self.spec.id}.json": self.method.to_json(),
            f"{self.spec.id}.certificate.json": self._certificate_text,
            f"{self.spec.id}.design.json": self.spec.to_json(),
        }
        for name, text in texts.items():
            (base / name).write_text(text, encoding="utf-8")
        return [base / name for name in texts]

    @property
    def limits(self) -> dict[str, tuple[float, float]]:
        """The stability limits of each partition on the imaginary and on the negative real axis.

        >>> design(1, 3, starts=8).limits["fast"][0]
        2.0
        """
        each = zip(self.method.partitions, self.method)
        return {name: (one.imaginary_stability_interval(), one.real_stability_interval()) for name, one in each}

    def figure(self) -> Figure:
        """Draws the stability regions of all partitions in one figure."""
        return self.method.figure()

    def _repr_html_(self) -> str:
        from .tables import design_table

        return design_table(self)


class Interrupted(KeyboardInterrupt):
    """Interruption of a search by Ctrl-C, with the results found so far."""

    #: The best result so far. For :func:`design` a :class:`Design`, or None if no start has succeeded; for :func:`tune` a
    #: :class:`DesignSpec`; for :func:`pareto` a list of :class:`Compromise`.
    result: Any
    #: The state from which ``design(spec, resume=error.checkpoint)`` or ``tune(spec, …, resume=error.checkpoint)`` continues: the
    #: contents of NAME.search.json or NAME.tuning; empty if nothing is done yet.
    checkpoint: Any

    def __init__(self, result: Any, checkpoint: Any) -> None:
        super().__init__("the search was stopped; `result` has the best so far, `checkpoint` what is needed to go on")
        self.result = result
        self.checkpoint = checkpoint

    def __reduce__(self) -> tuple[Any, ...]:
        return (Interrupted, (self.result, self.checkpoint))


def _bar() -> Progress:
    tqdm = optional("tqdm.auto", "a progress bar").tqdm
    bar: Any = None
    shown = ""

    def tell(phase: str, done: int, all: int, best: float) -> None:
        nonlocal bar, shown
        if bar is None or phase != shown:
            bar, shown = tqdm(total=all, desc=phase), phase
        bar.n = done
        bar.set_postfix_str(f"best {best:.4g}")
        bar.refresh()

    return tell


def as_spec(slow: int | DesignSpec | PathLike, fast: int | None, order: int | None, options: Mapping[str, Any]) -> DesignSpec:
    """Converts the arguments of :func:`design` to a specification."""
    if not isinstance(slow, (DesignSpec, str, os.PathLike)):
        slow = whole(slow, "slow")
        if fast is None:
            raise TypeError("design: found slow without fast; expected both")
        return DesignSpec(slow, fast, order, **cast("Wishes", options))
    if fast is not None or order is not None or options:
        raise TypeError("design: a specification has its own fast, order and options")
    return slow if isinstance(slow, DesignSpec) else DesignSpec.load(slow)


@checked
def design(
    slow: Union[int, DesignSpec, PathLike],
    fast: int | None = None,
    order: int | None = None,
    *,
    threads: int | None = None,
    progress: bool | Progress = False,
    resume: str | None = None,
    client: Any = None,
    shares: int | None = None,
    **options: Unpack[Wishes],
) -> Design:
    """Designs a dual-rate pair: order and coupling conditions, optimal stability polynomial, small error.

    Parameters
    ----------
    slow, fast, order, options :
        As for :class:`DesignSpec`. Alternatively, a single specification or the path of a design file.
    threads : optional
        The maximal number of threads; the result does not depend on it.
    progress : optional
        True for a progress bar (tqdm), or a function, see :data:`Progress`.
    resume : optional
        The checkpoint of an interrupted search.
    client, shares : optional
        A ``dask.distributed.Client`` whose workers try the starts, and the number of shares; the result does not depend on either.

    Returns
    -------
    Design
        The design; its files have the same bytes as those of ``hemiola design``.

    Raises
    ------
    NotFound
        If no start leads to a pair with these properties.
    Interrupted
        After Ctrl-C, with the best result so far. It is a :class:`KeyboardInterrupt`.

    Examples
    --------
    >>> found = design(1, 3, starts=8)
    >>> found.method.order(), found.method.evaluations, found.method.partition("fast").imaginary_stability_interval()
    (1, (1, 3), 2.0)
    """
    spec = as_spec(slow, fast, order, options)
    if client is not None:
        from .cluster import distributed_design

        if resume is not None:
            raise TypeError("design: found resume and client; expected one of them")
        return distributed_design(spec, client, shares, teller(progress))
    found, checkpoint, stopped = _hemiola.design(
        spec.to_json(), "the design", resume or None, None, False, _measured(spec), threads, teller(progress)
    )
    result = None if found is None else design_of(spec, found)
    if isinstance(stopped, KeyboardInterrupt):
        raise Interrupted(result, checkpoint) from None
    if stopped is not None:
        raise stopped
    if result is None:
        raise HemiolaError("the search ended without a result")
    return result


def teller(progress: bool | Progress) -> Progress | None:
    """Returns the receiver of progress reports: a bar, a function or None."""
    if isinstance(progress, bool):
        return _bar() if progress else None
    return progress


def design_of(spec: DesignSpec, found: dict[str, Any]) -> Design:
    """Converts the result of the extension module to a :class:`Design`."""
    text = found["certificate"]
    found["method"] = Method._of(found["method"])
    found["certificate"] = json.loads(text)
    found["slow_stages"] = tuple(found["slow_stages"])
    return Design(spec=spec, _certificate_text=text, **found)


def _measured(spec: DesignSpec) -> list[tuple[Any, str, float, list[int]]]:
    """Returns the models for the measured errors, with the duration of the runs and the variables that count for the error."""
    made_for = json.loads(spec.to_json()).get("for")
    if made_for is None:
        return []
    from .modeling import read_model

    measured = []
    for text in made_for["training"]:
        model = read_model(text)
        if len(model.sizes) != 2:
            raise HemiolaError(f"{text} has {len(model.sizes)} partitions; expected slow and fast variables")
        names = [name for name, _ in model.variables]
        variables = []
        for variable in made_for.get("variables", []):
            if variable not in names and not (str(variable).isdigit() and 1 <= int(variable) <= len(names)):
                found = int(variable) - 1 if str(variable).isdigit() else variable
                raise HemiolaError(
                    f"{text}: no variable {found!r}; expected a number from 0 to {len(names) - 1} or one of: {', '.join(names)}"
                )
            variables.append(names.index(variable) if variable in names else int(variable) - 1)
        end = made_for.get("end") or model.duration
        measured.append((model._equations, text, end, variables or list(range(model.sizes[0]))))
    return measured


def so_far(spec: DesignSpec, checkpoint: str) -> Design | None:
    """Returns the best result of the starts in a checkpoint, without trying the other starts."""
    found, _, _ = _hemiola.design(spec.to_json(), "the design", checkpoint, None, True, _measured(spec), None, None)
    return None if found is None else design_of(spec, found)


@checked
def share(spec: DesignSpec, part: str, *, threads: int | None = None, resume: str | None = None) -> str:
    """Tries the starts of one share of a search, ``K/N``, and returns its checkpoint; :func:`merge` combines shares.

    >>> spec = DesignSpec(1, 3, starts=8)
    >>> merge(share(spec, f"{k}/2") for k in (1, 2)).method == design(spec).method
    True
    """
    _, checkpoint, stopped = _hemiola.design(spec.to_json(), "the design", resume, part, False, [], threads, None)
    if stopped is not None:
        raise stopped
    return checkpoint


@checked
def merge(shares: Iterable[str] | Sequence[str], *, threads: int | None = None) -> Design:
    """Combines the shares of a search and tries the missing starts; the bytes are those of one uninterrupted search."""
    checkpoint = _hemiola.merge_checkpoints(list(shares))
    spec = DesignSpec.from_json(json.dumps(json.loads(checkpoint)["design"]))
    return design(spec, resume=checkpoint, threads=threads)
