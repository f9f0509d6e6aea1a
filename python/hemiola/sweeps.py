"""Many designs as one job: a list of specifications, or the grid of a sweep file."""

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
    """What became of one design of a sweep."""

    spec: DesignSpec
    #: The design, or why there is none; neither where it was in the folder already.
    design: Design | None
    error: HemiolaError | None
    #: Its method.
    method: Method | None
    #: Its place on the axes of a sweep file.
    labels: tuple[str, ...] = ()


def _designed(text: str, threads: int | None = 1) -> tuple[Design | None, HemiolaError | None]:
    """One design, on a worker; the core is the worker's."""
    try:
        return design(DesignSpec.from_json(text), threads=threads), None
    except HemiolaError as error:
        return None, error


def read_sweep(path: PathLike) -> list[tuple[DesignSpec, tuple[str, ...]]]:
    """The designs of a sweep file ``NAME.sweep.json``, called NAME-1, NAME-2, …, with their places on its axes.

    Raises
    ------
    HemiolaError
        Names the place in the file and what was expected.
    """
    name = os.path.basename(os.fspath(path)).removesuffix(".json").removesuffix(".sweep")
    text = contents(path).decode()
    _, designs = _hemiola.sweep_designs(text, name, os.fspath(path))
    return [(DesignSpec.from_json(design), tuple(labels)) for labels, design in designs]


@checked
def sweep(
    specs: Sequence[DesignSpec] | PathLike, folder: PathLike | None = None, *, threads: int | None = None, client: Any = None
) -> Iterator[Swept]:
    """Design many pairs, and hand each on as soon as it is done; with a client in any order, what lost workers had begun again.

    Parameters
    ----------
    specs :
        The specifications, or the path of a sweep file, ``hemiola-sweep/1``; the bytes of a pair depend on its own specification alone.
    folder : optional
        Where each pair is written as soon as it is done: its method, certificate and design file, with the bytes of ``hemiola sweep``. What is
        there already is not designed again, so that the same call goes on with a sweep that was stopped.
    threads : optional
        How many threads at most, without a client.
    client : optional
        A ``dask.distributed.Client``; without it they are designed here, one after the other.

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
    """The methods in a folder whose design files, which are written last, are those of the sweep."""
    found = {}
    for spec, _ in wanted:
        try:
            known = json.loads((folder / f"{spec.id}.design.json").read_text(encoding="utf-8"))
            if known == json.loads(spec.to_json()) and (folder / f"{spec.id}.certificate.json").exists():
                found[spec.id] = Method._of(_hemiola.Core.load(os.fspath(folder / f"{spec.id}.json"), []))
        except (OSError, ValueError):
            continue
    return found
