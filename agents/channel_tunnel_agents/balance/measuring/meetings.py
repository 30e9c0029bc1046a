"""One against the rest: what an agent has of the win in one seat with another agent in all the others, from every seat.

So players and seats are told apart: the agent sits in each seat equally often, on the same deals. The games of one deal,
one from each seat, count as one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.deals import check_count, chunk_deals, chunks, seat_agents
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.matches.arena import by_seat, deal_games, play_out, shares_of
from channel_tunnel_agents.statistics import Figure, share_figure
from channel_tunnel_env import Ruleset


@dataclass(frozen=True)
class Meeting:
    """An agent against another in all other seats.

    Attributes:
        share: of the win, over all seats; n counts deals.
        by_seat: the same in each seat that somebody plays.
    """

    agent: str
    rest: str
    share: Figure
    by_seat: tuple[Figure, ...]


@dataclass(frozen=True)
class Meetings:
    """Every ordered pair of agents.

    Attributes:
        strength: of each agent, what it has against the others less what they have against it, the mean over them.
    """

    meetings: tuple[Meeting, ...]
    strength: Mapping[str, float]


@dataclass(frozen=True)
class _Task:
    agent: str
    rest: str
    seat: int
    ruleset: Ruleset
    seed: int
    start: int
    stop: int


def games_of_meetings(agents: Sequence[str], ruleset: Ruleset, deals: int) -> int:
    """How many games `measure_meetings` plays."""
    pairs = len(agents) * (len(agents) - 1)
    return pairs * len(ruleset.played_seats) * deals


def measure_meetings(
    agents: Sequence[str],
    ruleset: Ruleset,
    deals: int,
    seed: int,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Meetings:
    """Play every agent against every other, one against the rest.

    Args:
        deals: of each pair, each played from every seat.

    Raises:
        AgentError: no deals, or an unknown agent.
    """
    check_count("deals", deals)
    pairs = [*permutations(agents, 2)]
    seats = ruleset.played_places
    tasks = [
        _Task(*pair, seat, ruleset, seed, start, stop)
        for pair in pairs
        for seat in seats
        for start, stop in chunks(deals)
    ]
    played = spread_in_order(_play, tasks, workers, progress, len)
    found = np.concatenate([np.zeros(0), *played]).reshape(len(pairs), len(seats), deals)
    meetings = tuple(
        Meeting(*pair, share_figure(own.mean(axis=0)), tuple(share_figure(seat) for seat in own))
        for pair, own in zip(pairs, found, strict=True)
    )
    value = {(m.agent, m.rest): m.share.value for m in meetings}
    strength = {
        name: float(np.mean([value[name, rival] - value[rival, name] for rival in rivals]))
        for name in agents
        if (rivals := [rival for rival in agents if rival != name])
    }
    return Meetings(meetings, strength or dict.fromkeys(agents, 0.0))


def _play(task: _Task) -> NDArray[np.float64]:
    """The agent's share of every deal."""
    seats = task.ruleset.num_seats
    names = [task.agent if seat == task.seat else task.rest for seat in range(seats)]
    cast = seat_agents(names, task.ruleset, task.seed, task.start)
    seeds = chunk_deals(task.seed, task.start, task.stop)
    batch = deal_games(seeds, task.ruleset, *cast)
    play_out(batch, by_seat(batch, *cast))
    return np.asarray(shares_of(batch)[:, task.seat])
