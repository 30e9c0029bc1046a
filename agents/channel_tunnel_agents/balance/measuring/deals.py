"""Which deals a measurement plays, in chunks that do not depend on the number of workers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError, AnyAgent
from channel_tunnel_agents.matches.arena import deal_seeds
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset

CHUNK = 512  # deals of one task


def chunks(total: int, size: int = CHUNK) -> list[tuple[int, int]]:
    """Start and end (exclusive) deal of every task."""
    return [(start, min(start + size, total)) for start in range(0, total, size)]


def chunk_seed(seed: int, start: int, *salt: int) -> int:
    """The agents' seed in the task that begins with deal `start`."""
    return int(np.random.SeedSequence([seed, start, *salt]).generate_state(1)[0])


def chunk_deals(seed: int, start: int, stop: int) -> NDArray[np.int64]:
    """Game seeds of a task's deals; every match with that seed has the same deals."""
    return deal_seeds(stop, seed)[start:]


def seat_agents(names: Sequence[str], ruleset: Ruleset, seed: int, start: int) -> list[AnyAgent]:
    """The agent of every seat, with separate random streams per task."""
    return [make_agent(name, ruleset, chunk_seed(seed, start, seat)) for seat, name in enumerate(names)]


def check_count(name: str, number: int, least: int = 1) -> None:
    """Refuse a number below the minimum.

    Raises:
        AgentError: the number is below the minimum.
    """
    if number < least:
        raise AgentError(f"{name} {number}: {least} or more is needed")
