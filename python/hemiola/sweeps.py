"""Sweeps of designs: a list of specifications, or the grid of a sweep file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _hemiola
from ._hemiola import HemiolaError
from .arguments import PathLike, checked, contents
from .designs import Design, DesignSpec, design
from .methods import Method
from .optional import optional


@dataclass(frozen=True)
class Swept:
    """The result of one design of a sweep."""

    spec: DesignSpec
    #: The design, or the reason for its failure; neither if the design was already in the folder.
    design: Design | None
    error: HemiolaError | None
    #: Its method.
    method: Method | None
    #: Its position on the axes of a sweep file.
    labels: tuple[str, ...] = ()


def _designed(text: str, threads: int | None = 1) -> tuple[Design | None, HemiolaError | None]:
    """Computes one design on one core of a worker."""
    try:
        return design(DesignSpec.from_json(text), threads=threads), None
    except HemiolaError as error:
        return None, error


def read_sweep(path: PathLike) -> list[tuple[DesignSpec, tuple[str, ...]]]:
    """Reads the designs of a sweep file ``NAME.sweep.json``, named NAME-1, NAME-2, …, with their positions on its axes.

    Raises
    ------
    HemiolaError
        If the file is invalid; the message gives the position and the expected value.
    """
    name = os.path.basename(os.fspath(path)).removesuffix(".json").removesuffix(".sweep")
    text = contents(path).decode()
    _, designs = _hemiola.sweep_designs(text, name, os.fspath(path))
    return [(DesignSpec.from_json(design), tuple(labels)) for labels, design in designs]


@checked
def sweep(
    specs: Sequence[DesignSpec] | PathLike, folder: PathLike | None = None, *, threads: int | None = None, client: Any = None
) -> Iterator[Swept]:
    """Designs several pairs and yields each of them when it is complete. With a client, the order is arbitrary, and designs of lost workers
    are repeated.

    Parameters
    ----------
    specs :
        The specifications, or the path of a sweep file, ``hemiola-sweep/1``. The bytes of a pair depend only on its own specification.
    folder : optional
        The folder for the method, certificate and design file of each pair, with the same bytes as from ``hemiola sweep``. Each pair is
        written when it is done. Existing designs are not repeated, so the same call continues a stopped sweep.
    threads : optional
        The maximal number of threads, without a client.
    client : optional
        A ``dask.distributed.Client``; without it this process designs the pairs one after the other.

    Examples
    --------
    >>> [one.method.evaluations for one in sweep([DesignSpec(1, fast, starts=4) for fast in (3, 4)])]
    [(1, 3), (1, 4)]
    """
    wanted: list[tuple[DesignSpec, tuple[str, ...]]]
    wanted = read_sweep(specs) if isinstance(specs, (str, os.PathLike)) else [(spec, ()) for spec in specs]
    names = [spec.id for spec, _ in wanted]
    if folder is not None and len(set(names)) < len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise HemiolaError(f"found the id {twice!r} twice; expected different ones for files in a folder")
    there = {} if folder is None else _there(wanted, Path(folder))
    for spec, labels in wanted:
        if spec.id in there:
            yield Swept(spec, None, None, there[spec.id], labels)
    for (spec, labels), (found, error) in _results([one for one in wanted if one[0].id not in there], threads, client):
        if found is not None and folder is not None:
            found.save(folder)
        yield Swept(spec, found, error, None if found is None else found.method, labels)


def _results(wanted: list[tuple[DesignSpec, tuple[str, ...]]], threads: int | None, client: Any) -> Iterator[Any]:
    if client is None:
        yield from ((one, _designed(one[0].to_json(), threads)) for one in wanted)
        return
    as_completed = optional("distributed", "sweep with a client").as_completed
    futures = {client.submit(_designed, one[0].to_json(), pure=False): one for one in wanted}
    try:
        for future in as_completed(list(futures)):
            yield futures[future], future.result()
    finally:
        client.cancel(list(futures))


def _there(wanted: list[tuple[DesignSpec, tuple[str, ...]]], folder: Path) -> dict[str, Method]:
    """Returns the methods in a folder whose design files belong to the sweep; design files are written last."""
    found = {}
    for spec, _ in wanted:
        try:
            known = json.loads((folder / f"{spec.id}.design.json").read_text(encoding="utf-8"))
            if known == json.loads(spec.to_json()) and (folder / f"{spec.id}.certificate.json").exists():
                found[spec.id] = Method._of(_hemiola.Core.load(os.fspath(folder / f"{spec.id}.json"), []))
        except (OSError, ValueError):
            continue
    return found
