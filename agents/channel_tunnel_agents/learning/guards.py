"""What keeps a run from harm: no other process in its folder, and signs of trouble in self-play, reported as they appear.

Only non-finite values stop a run; the other signs may be the nature of the game, so they are only logged. Their limits are
from our own and published runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from channel_tunnel_agents.base import AgentError
from channel_tunnel_env.outside.terminal import percent

EARLY = 5_000_000  # decisions in which a policy may still stall or bust
LARGE_KL, LARGE_CLIPPED = 0.1, 0.35  # of an update; the demo reaches 0.064 and 0.29, and learns


class TrainingCollapse(RuntimeError):
    """The run cannot continue; its last good checkpoint is intact."""


class TrainingStopped(RuntimeError):
    """The run was asked to stop, and has saved its progress."""


def warnings(status: Mapping[str, Any]) -> list[str]:
    """The signs in a status of the run, a sentence each; empty if all is well."""
    return [*_signs(status)]


def _signs(status: Mapping[str, Any]) -> Iterator[str]:
    is_early = status["decisions"] <= EARLY
    stopped, no_stacks = status["stopped"], status.get("all_pass", 0.0)
    if not is_early and stopped > 0.05:
        yield f"{percent(stopped, 0)} of self-play games were stopped without a finish (more than 5 %)"
    if no_stacks > 0.01:
        yield f"{percent(no_stacks)} of self-play games saw no stack placed"
    share, who = status["first_seat_wins"], status["first_seat"].capitalize()
    if status["seats"] == 2 and status["games"] >= 100 and not 0.1 <= share <= 0.9:
        yield f"{who} wins {percent(share, 0)} of self-play: one side has given up, or the rules have"
    plies, most = status["plies"], status["usual_plies"]
    if plies > most:
        yield f"games last {plies:.0f} decisions (more than {most})"
    kl, clipped = status.get("kl", 0.0), status.get("clipped", 0.0)
    if kl > LARGE_KL or clipped > LARGE_CLIPPED:
        yield f"updates are large: KL {kl:.3f}, {percent(clipped, 0)} of rows clipped; lower learning_rate"
    explained = status.get("explained_variance", 1.0)
    if not is_early and explained <= 0:
        yield f"the value explains {percent(explained, 0)} of the returns' variance: worse than a constant"
    entropy = status.get("entropy", 1.0)
    if status["done"] < 0.5 and entropy < 0.02:
        yield f"the policy's entropy fell to {entropy:.3f} nats before half of the run"


# --- one process at a time in a folder ------------------------------------------------------------


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
