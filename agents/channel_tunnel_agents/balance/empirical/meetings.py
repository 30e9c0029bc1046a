"""One against the rest: what an agent has of the win in one seat with another agent in all the others, from every seat.

So players and seats are told apart: the agent sits in each seat equally often, on the same deals. The games of one deal,
one from each seat, count as one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from channel_tunnel_agents.balance.empirical.payoffs import cast_of, play_casts
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


def games_of_meetings(agents: Sequence[str], ruleset: Ruleset, deals: int) -> int:
    """How many games `measure_meetings` plays."""
    return len(agents) * (len(agents) - 1) * len(ruleset.played_seats) * deals


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
        AgentError: an unknown agent, or one that does not fit the ruleset.
    """
    if len(agents) < 2:
        return Meetings((), dict.fromkeys(agents, 0.0))
    seats, pairs = range(len(ruleset.played_seats)), [*permutations(range(len(agents)), 2)]
    wanted = [cast_of(len(seats), seat, *pair) for pair in pairs for seat in seats]
    played = play_casts(wanted, agents, ruleset, deals, seed, workers, progress)
    meetings = []
    for one, other in pairs:
        own = np.stack([played[cast_of(len(seats), seat, one, other)][0][:, seat] for seat in seats])
        by_seat = tuple(share_figure(seat) for seat in own)
        meetings.append(Meeting(agents[one], agents[other], share_figure(own.mean(axis=0)), by_seat))
    value = {(each.agent, each.rest): each.share.value for each in meetings}
    strength = {
        name: float(np.mean([value[name, rival] - value[rival, name] for rival in agents if rival != name]))
        for name in agents
    }
    return Meetings(tuple(meetings), strength)
