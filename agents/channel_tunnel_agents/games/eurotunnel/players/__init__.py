"""The scripted players of Eurotunnel Diplomacy, the first two in one file, the others in one each.

    hold            civil disorder: holds, disbands, builds nothing, removes the farthest units
    lively          random orders, many of them moves, and help for its own moves
    greedy          every unit walks to the nearest centre that its power does not own
    dumb            values of provinces by who owns and threatens them, and orders that help each other
    dumb_tunnel     the same, through tunnels, which it digs

They choose from a copy of the record that lacks what the power asked cannot know (`sight`). None changes a
permission; only `hold` votes for a draw.
"""

from __future__ import annotations

from channel_tunnel_agents.base import Agent, SearchAgent
from channel_tunnel_agents.games.eurotunnel.players.dumb import DumbAgent
from channel_tunnel_agents.games.eurotunnel.players.greedy import GreedyAgent
from channel_tunnel_agents.games.eurotunnel.players.sight import GAME
from channel_tunnel_agents.games.eurotunnel.players.unthinking import HoldAgent, LivelyAgent
from channel_tunnel_env import Ruleset

__all__ = ["GAME", "NAMES", "make_scripted"]

NAMES = ("hold", "lively", "greedy", "dumb", "dumb_tunnel")


def make_scripted(name: str, ruleset: Ruleset | None = None, seed: int = 0) -> Agent | SearchAgent:
    """The scripted player with a name of NAMES; it plays every ruleset."""
    if name == HoldAgent.name:
        return HoldAgent(seed)
    if name == LivelyAgent.name:
        return LivelyAgent(seed)
    if name == GreedyAgent.name:
        return GreedyAgent(seed)
    return DumbAgent(seed, digs=name == "dumb_tunnel")
