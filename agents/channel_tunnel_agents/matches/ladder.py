"""The ladder: the fixed yardsticks of a training run, never trained and never changed.

A change to one of these players is a new version, because results against different versions are
not comparable.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from channel_tunnel_agents.base import Agent
from channel_tunnel_agents.games import PerGame
from channel_tunnel_agents.matches.arena import play_pair, play_table
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.statistics import Figure, rate_of, share_figure
from channel_tunnel_env import Ruleset

LADDER_VERSION = 1
LADDERS: Mapping[str, tuple[str, ...]] = PerGame(lambda spec: spec.ladder)
"""By game."""
EVALUATION_SEED = 987_654_321  # never a training seed's deals


def yardstick_of(name: str) -> str:
    """The yardstick in a name such as "britain v random"."""
    return name.rpartition(" v ")[2]


def climb(agent: Agent, games: int, ruleset: Ruleset) -> dict[str, Figure]:
    """Win rates of the agent in each seat against each yardstick, the strongest last.

    With more than two seats: its mean share of the game from all seats in turn, a yardstick in all the others.
    """
    if ruleset.num_seats > 2:
        return _climb_alone(agent, games, ruleset)
    rates = {}
    for name in LADDERS[ruleset.spec.name]:
        rival = make_agent(name, ruleset)
        matches = play_pair(agent, rival, games, EVALUATION_SEED, ruleset)
        for side, match in zip(ruleset.seats, matches, strict=True):
            rates[f"{side} v {name}"] = rate_of(match.wins(side), games)
    return rates


def _climb_alone(agent: Agent, games: int, ruleset: Ruleset) -> dict[str, Figure]:
    """The games are shared out among the seats, the first ones taking what is left over."""
    seats = ruleset.num_seats
    rates: dict[str, Figure] = {}
    for name in LADDERS[ruleset.spec.name]:
        rival, shares = make_agent(name, ruleset), []
        for seat in range(min(seats, games)):
            cast = [rival] * seat + [agent] + [rival] * (seats - seat - 1)
            part = len(range(seat, games, seats))
            shares.append(play_table(cast, part, EVALUATION_SEED, ruleset).shares[:, seat])
        deals = np.concatenate([np.arange(len(part)) for part in shares])
        rates[f"one seat v {name}"] = share_figure(np.concatenate(shares), deals)
    return rates
