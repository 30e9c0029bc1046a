"""Shaft Bluff for agents, tournaments, training and reports.

The scripted player stands in `players`. Every other part is what each game has (`channel_tunnel_agents.games.plain`).
"""

from __future__ import annotations

from channel_tunnel_agents.games.spec import RANDOM, AgentSpec, Level, LevelName

SPEC = AgentSpec(
    title="Shaft Bluff",
    agents_help="ismcts:1000, module:attribute",
    searchers=("ismcts:1000",),
    levels=(
        Level(LevelName.BEGINNER, RANDOM, "Takes any move that is allowed."),
        Level(LevelName.AMATEUR, "honest", "Never bluffs, and doubts deep shafts."),
    ),
    ladder=(RANDOM, "honest"),
)
