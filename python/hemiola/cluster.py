"""Searches on many machines, by Dask: every start of a search depends on its number alone, so that shares may be tried anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _hemiola
from ._hemiola import HemiolaError, NotFound
from .designs import Design, DesignSpec, Interrupted, Progress, merge, share, so_far
from .optional import optional

#: Shares for each core: the last ones to end keep few cores waiting.
_SHARES = 4


def _share(text: str, part: str) -> str:
    """One share, on a worker; the core is the worker's."""
    return share(DesignSpec.from_json(text), part, threads=1)


def distributed_design(spec: DesignSpec, client: Any, shares: int | None = None, progress: Progress | None = None) -> Design:
    """:func:`hemiola.design` with the starts tried by the workers of a ``dask.distributed.Client``: the same bytes.

    What a lost worker had begun is done again elsewhere. ``progress`` is told of shares; what follows the starts is done here.
    """
    as_completed = optional("distributed", "design with a client").as_completed
    cores = sum(client.ncores().values())
    count = _SHARES * max(1, cores) if shares is None else shares
    if count < 1:
        raise HemiolaError(f"found {count} shares; expected at least 1")
    futures = [client.submit(_share, spec.to_json(), f"{k + 1}/{count}", pure=False) for k in range(count)]
    done: list[str] = []
    try:
        for future in as_completed(futures):
            done.append(future.result())
            if progress is not None:
                progress("shares", len(done), count, float("inf"))
    except KeyboardInterrupt:
        client.cancel(futures)
        raise _interrupted(spec, done) from None
    except BaseException:
        client.cancel(futures)
        raise
    return merge(done)


def _interrupted(spec: DesignSpec, done: Sequence[str]) -> Interrupted:
    """What the shares that were done lead to, as after Ctrl-C in a search of one process."""
    if not done:
        return Interrupted(None, "")
    checkpoint = _hemiola.merge_checkpoints(done)
    try:
        return Interrupted(so_far(spec, checkpoint), checkpoint)
    except NotFound:
        return Interrupted(None, checkpoint)
