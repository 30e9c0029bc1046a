"""Carcassonne for agents, tournaments, training and reports."""

from __future__ import annotations

from channel_tunnel_agents.games.spec import RANDOM, AgentSpec, Level, LevelName, School

READER = "adept"
LEVELS = (
    Level(LevelName.BEGINNER, RANDOM, "Takes any move that is allowed. For your very first game."),
    Level(LevelName.COLLECTOR, "points", "Takes the points it can score at once, and plans nothing."),
    Level(LevelName.BUILDER, "builder", "Looks at the whole table, and loves roads and cities."),
    Level(LevelName.AMATEUR, "greedy", "Weighs every way to end its turn by the score so far."),
    Level(LevelName.CLUB, "club", "Learned by playing against itself. Beats the amateur often."),
    Level(LevelName.ADEPT, READER, "Reads the rules, so it plays house rules of your own as well as the box's."),
    Level(LevelName.EXPERT, "expectimax", "As the amateur, and it thinks of your best answer. Takes a while."),
)
"""By the results in docs/reference/games/carcassonne.md."""

SPEC = AgentSpec(
    title="Carcassonne",
    shipped=("club", READER),
    reader=READER,
    searchers=("ismcts:1000",),
    levels=LEVELS,
    agents_help="club, adept, ismcts:1000, module:attribute",
    ladder=(RANDOM, "greedy"),
    school=School("carcassonne", for_one_ruleset={"learning_rate": 1e-3, "steps": 32, "batch_size": 1024}),
)
