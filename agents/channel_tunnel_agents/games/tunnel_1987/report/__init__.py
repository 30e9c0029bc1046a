"""What a report on 1987 Channel Tunnel shows: what the game tells of itself, and which parts the page has."""

from __future__ import annotations

from channel_tunnel_agents.balance.report import course, games, levers, luck, meetings, seats, tension
from channel_tunnel_agents.balance.report.game import DefaultAgents, GameSection, ReportedGame
from channel_tunnel_agents.games.tunnel_1987.report.actions import actions
from channel_tunnel_agents.games.tunnel_1987.report.cards import CARD_EFFECTS, EFFECTS_IN_BASE, cards
from channel_tunnel_agents.games.tunnel_1987.report.drawn import drawn
from channel_tunnel_agents.games.tunnel_1987.report.economy import economy
from channel_tunnel_agents.games.tunnel_1987.report.endings import endings
from channel_tunnel_agents.games.tunnel_1987.report.health import health
from channel_tunnel_agents.games.tunnel_1987.report.names import SIDE_NAMES, STREAM_NAMES
from channel_tunnel_agents.games.tunnel_1987.report.openings import OPENINGS, openings
from channel_tunnel_agents.games.tunnel_1987.report.restricted import RESTRICTIONS, restricted
from channel_tunnel_agents.players import shipped
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.tunnel_1987.board.excerpt import STYLE
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_VERSION
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_VERSION
from channel_tunnel_env.games.tunnel_1987.rule_words import in_words

GAME = ReportedGame(
    seats=(SIDE_NAMES["britain"], SIDE_NAMES["france"]),
    letters=("B", "F"),
    place="side",
    players=DefaultAgents(
        full=("random", "heuristic", *shipped.NAMES),
        quick=("random", "heuristic", shipped.NAMES[-1]),
        policies=shipped.NAMES,
        preset="demo",
        deals=(2000, 500),
    ),
    drawn=drawn,
    sections={
        "sides": GameSection("Side advantage", seats.seats),
        "matrix": GameSection("Agents against each other", meetings.meetings),
        "endings": GameSection("Endings", endings),
        "length": GameSection("Length", games.length),
        "course": GameSection("Round by round", course.course),
        "luck": GameSection("Luck against skill", luck.luck),
        "tension": GameSection("Tension", tension.tension),
        "economy": GameSection("Economy and score", economy),
        "cards": GameSection("Cards", cards),
        "actions": GameSection("Actions", actions),
        "restricted": GameSection("Restricted play", restricted),
        "openings": GameSection("Openings", openings),
        "health": GameSection("Rule health", health),
    },
    measurements=(CARD_EFFECTS, levers.LEVERS, luck.LUCK, luck.VARIANCE, tension.TENSION, OPENINGS, RESTRICTIONS),
    of_base=(EFFECTS_IN_BASE,),
    standard="standard",
    beside={
        "rounds": "rounds",
        "close": "decided by 3 points or fewer",
        "end_centre": "ends at the centre",
        "end_deviation": "ends off course",
        "stopped": "stopped by the rules",
    },
    in_short=lambda ruleset: [line.removeprefix("- ") for line in in_words(ruleset)],
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
