"""What 1987 Channel Tunnel says of itself on the page."""

from __future__ import annotations

from channel_tunnel_agents.balance.report.game import DefaultAgents, ReportedGame
from channel_tunnel_agents.games.tunnel_1987.report.words import SIDE_NAMES, STREAM_NAMES
from channel_tunnel_agents.players import shipped
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.tunnel_1987.board.excerpt import STYLE
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_VERSION
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_VERSION
from channel_tunnel_env.games.tunnel_1987.rule_words import in_words

SECTIONS = {
    "sides": "Side advantage",
    "matrix": "Agents against each other",
    "endings": "Endings",
    "length": "Length",
    "luck": "Luck against skill",
    "tension": "Tension",
    "economy": "Economy and score",
    "cards": "Cards",
    "actions": "Actions",
    "restricted": "Restricted play",
    "openings": "Openings",
    "health": "Rule health",
}
WITHOUT_POLICIES = ("random", "heuristic", "ismcts:100", "adept")


def _in_short(ruleset: Ruleset) -> list[str]:
    return [line.removeprefix("- ") for line in in_words(ruleset)]


GAME = ReportedGame(
    seats=(SIDE_NAMES["britain"], SIDE_NAMES["france"]),
    letters=("B", "F"),
    place="side",
    sections=SECTIONS,
    players=DefaultAgents(
        full=("random", "heuristic", *shipped.NAMES),
        quick=("random", "heuristic", shipped.NAMES[-1]),
        untrained=WITHOUT_POLICIES,
        policies=shipped.NAMES,
        preset="demo",
        deals=(5000, 500),
    ),
    standard="standard",
    beside={
        "rounds": "rounds",
        "close": "decided by 3 points or fewer",
        "end_centre": "ends at the centre",
        "end_deviation": "ends off course",
        "stopped": "stopped: went nowhere",
    },
    in_short=_in_short,
    length={"tokens bored, both sides": ("tbm_britain", "tbm_france")},
    streams=STREAM_NAMES,
    points="victory points",
    margin_note=" A game lost by deviation counts with the points on the board.",
    versions={"observation version": str(OBSERVATION_VERSION), "action version": str(ACTION_VERSION)},
    style=STYLE,
)


def game(ruleset: Ruleset) -> ReportedGame:
    """What it says of itself at the table of a ruleset, which always has two seats."""
    return GAME
