"""Eurotunnel Diplomacy for agents, tournaments, training and reports."""

from __future__ import annotations

from channel_tunnel_agents.games.spec import ONE_AGAINST_THE_REST, RANDOM, AgentSpec, Level, LevelName

LEVELS = (
    Level(LevelName.BEGINNER, "hold", "Stays where it is. For your very first orders."),
    Level(LevelName.LEARNER, "lively", "Moves about at random, and helps its own moves."),
    Level(LevelName.AMATEUR, "greedy", "Every unit walks to the nearest centre; nobody helps."),
    Level(LevelName.STRATEGIST, "dumb", "Weighs every province, and its orders help each other."),
    Level(LevelName.TUNNELLER, "dumb_tunnel", "As the strategist, and it digs tunnels in secret."),
    Level(LevelName.CLUB, "club", "Learned by playing against itself. Digs few tunnels."),
)
"""By the results in docs/reference/games/eurotunnel.md."""

SPEC = AgentSpec(
    title="Eurotunnel",
    shipped=("club",),
    levels=LEVELS,
    agents_help="club, module:attribute",
    seating=ONE_AGAINST_THE_REST,
    share_field="share",
    ladder=(RANDOM, "dumb"),
)
