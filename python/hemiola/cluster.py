"""Searches on many machines with Dask. Every start of a search depends only on its number, so shares can run anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _hemiola
from ._hemiola import HemiolaError, NotFound
from .designs import Design, DesignSpec, Interrupted, Progress, merge, share, so_far
from .optional import optional

#: Shares for each core. With many shares, few cores are idle at the end.
_SHARES = 4


def _share(text: str, part: str) -> str:
    """Runs one share on one core of a worker."""
    return share(DesignSpec.from_json(text), part, threads=1)


def distributed_design(spec: DesignSpec, client: Any, shares: int | None = None, progress: Progress | None = None) -> Design:
    """Runs :func:`hemiola.design` with the starts on the workers of a ``dask.distributed.Client``; the bytes are the same.

    If a worker is lost, another one repeats its shares. ``progress`` counts completed shares. All work after the starts runs in this
    process.
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
    """Returns the result of the completed shares, as after Ctrl-C in a search in one process."""
    if not done:
        return Interrupted(None, "")
    checkpoint = _hemiola.merge_checkpoints(done)
    try:
        return Interrupted(so_far(spec, checkpoint), checkpoint)
    except NotFound:
        return Interrupted(None, checkpoint)
