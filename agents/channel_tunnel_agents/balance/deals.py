"""Which deals a measurement plays, in chunks that are the same for any number of workers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError, AnyAgent
from channel_tunnel_agents.matches.arena import deal_seeds
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset
from channel_tunnel_env.engine.constants import SEATS

CHUNK = 512  # deals of one task


def chunks(total: int, size: int = CHUNK) -> list[tuple[int, int]]:
    """First and behind-last deal of every task."""
    return [(start, min(start + size, total)) for start in range(0, total, size)]


def chunk_seed(seed: int, start: int, *salt: int) -> int:
    """A seed for the agents of the task that begins with deal `start`."""
    return int(np.random.SeedSequence([seed, start, *salt]).generate_state(1)[0])


def chunk_deals(seed: int, start: int, stop: int) -> NDArray[np.int64]:
    """Game seeds of the deals of a task, the same deals as every match of that seed has."""
    return deal_seeds(stop, seed)[start:]


def self_play_agents(
    agent: str, ruleset: Ruleset, seed: int, start: int
) -> tuple[AnyAgent, AnyAgent]:
    """An agent twice, for Britain and for France, each with luck of its own, for the task from deal `start`."""
    britain, france = (
        make_agent(agent, ruleset, chunk_seed(seed, start, seat)) for seat in range(len(SEATS))
    )
    return britain, france


def check_count(name: str, number: int, least: int = 1) -> None:
    """Refuse too few of something.

    Raises:
        AgentError: the number is below the least.
    """
    if number < least:
        raise AgentError(f"{name} {number}: {least} or more is needed")
