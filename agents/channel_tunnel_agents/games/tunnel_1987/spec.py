"""1987 Channel Tunnel for agents, tournaments, training and reports."""

from __future__ import annotations

from pathlib import Path

from channel_tunnel_agents.games.spec import RANDOM, AgentSpec, Level, LevelName, School

READER = "adept"
SHIPPED = ("rookie", "club", "master", READER)
"""Each trained for the standard ruleset, but for the reader."""
STRONGEST = "master-puct@300ms"
# Beside the folders of the other games: paths of shipped policies do not change.
_FOLDER = Path(__file__).parents[2] / "players" / "shipped"


LEVELS = (
    Level(LevelName.BEGINNER, RANDOM, "Takes any move that is allowed. For your very first game."),
    Level(LevelName.LEARNER, "rookie", "Has learned a little, and beats the beginner most of the time."),
    Level(LevelName.AMATEUR, "heuristic", "Follows sound rules of thumb. Digs, keeps its course and takes cards."),
    Level(LevelName.CLUB, "club", "Learned by playing against itself. Beats the amateur often."),
    Level(LevelName.ADEPT, READER, "Reads the rules, so it plays a ruleset of your own as well as the box's."),
    Level(LevelName.MASTER, "master", "The adept, after much practice by the box's rules. Hard to beat."),
    Level(LevelName.EXPERT, STRONGEST, "The master, and it looks ahead before each move. The strongest here."),
)
"""By the results in docs/reference/agents.md."""

SPEC = AgentSpec(
    title="1987 Channel Tunnel",
    shipped=SHIPPED,
    reader=READER,
    shipped_folder=_FOLDER,
    searchers=("ismcts:1000", STRONGEST),
    levels=LEVELS,
    agents_help=(
        "rookie, club, master, adept, master-search@50ms, ismcts:1000, ismcts:50ms, ppo:FOLDER, "
        "module:attribute; heuristic!ban=finance plays without Finance"
    ),
    ladder=(RANDOM, "heuristic"),
    school=School("demo", for_one_ruleset={"learning_rate": 1e-3, "epochs": 2}),
)
