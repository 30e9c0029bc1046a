"""One process at a time in the folder of a training run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from channel_tunnel_agents.base import AgentError

LOCK = "lock"


@contextmanager
def alone_in(folder: Path, what: str = "trains a run here") -> Iterator[None]:
    """Context in which no other process that asks in this way writes in a folder.

    The folder is made; if nothing was written in it, it is gone again at the end, with the parents that it needed.

    Args:
        what: what another process does that is there.

    Raises:
        AgentError: another process is there.
    """
    from filelock import FileLock, Timeout

    made = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / LOCK, timeout=0)
    try:
        with suppress(NotImplementedError):  # a file system without locks
            lock.acquire()
    except Timeout:
        raise AgentError(f"{folder}: another process {what} now; wait until it has ended") from None
    try:
        yield
    finally:
        with suppress(OSError):  # while it is held: no other process can hold a file that is about to go
            (folder / LOCK).unlink()
        lock.release()
        for place in made:
            with suppress(OSError):
                place.rmdir()
