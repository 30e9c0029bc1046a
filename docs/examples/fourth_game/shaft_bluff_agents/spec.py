"""Shaft Bluff for agents, tournaments, training and reports.

What a game does not say itself is taken from what every game has (`channel_tunnel_agents.games.plain`).
"""

from __future__ import annotations

from dataclasses import replace

from channel_tunnel_agents.games.plain import make_spec
from channel_tunnel_agents.games.spec import RANDOM, AgentSpec, Level, LevelName, ScriptedPlayers


def _scripted() -> ScriptedPlayers:
    from shaft_bluff_agents import players

    return players


SPEC: AgentSpec = replace(
    make_spec("shaft_bluff"),
    title="Shaft Bluff",
    scripted=_scripted,
    agents_help="ismcts:1000, module:attribute",
    searchers=("ismcts:1000",),
    levels=(
        Level(LevelName.BEGINNER, RANDOM, "Takes any move that is allowed."),
        Level(LevelName.AMATEUR, "honest", "Never bluffs, and doubts deep shafts."),
    ),
    ladder=(RANDOM, "honest"),
)
