"""Which deals a measurement plays, in chunks that do not depend on the number of workers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError, AnyAgent
from channel_tunnel_agents.matches.arena import by_seat, deal_seeds, first_margin, first_points, play_out
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import BatchGame, Ruleset

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


def self_play_agents(agent: str, ruleset: Ruleset, seed: int, start: int) -> tuple[AnyAgent, AnyAgent]:
    """Two copies of an agent, for the first and the second seat, with separate random streams per task."""
    first, second = seat_agents((agent, agent), ruleset, seed, start)
    return first, second


def seat_agents(names: Sequence[str], ruleset: Ruleset, seed: int, start: int) -> list[AnyAgent]:
    """The agent of every seat, with separate random streams per task."""
    return [make_agent(name, ruleset, chunk_seed(seed, start, seat)) for seat, name in enumerate(names)]


@dataclass(frozen=True)
class PairsOfDeals:
    """A task: an agent against itself on the pairs of deals from `start` to `stop` (exclusive)."""

    agent: str
    ruleset: Ruleset
    seed: int
    start: int
    stop: int

    def seeds(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Game seeds of the first and of the second deal of each pair, (n,) each."""
        found = chunk_deals(self.seed, 2 * self.start, 2 * self.stop)
        return found[::2], found[1::2]

    def outcomes(self, batch: BatchGame) -> NDArray[np.float64]:
        """Play a batch to its end: the first seat's points and its margin, (2, B)."""
        agents = self_play_agents(self.agent, self.ruleset, self.seed, self.start)
        play_out(batch, by_seat(batch, *agents))
        return np.stack([first_points(batch), first_margin(batch)])


def check_count(name: str, number: int, least: int = 1) -> None:
    """Refuse a number below the minimum.

    Raises:
        AgentError: the number is below the minimum.
    """
    if number < least:
        raise AgentError(f"{name} {number}: {least} or more is needed")
