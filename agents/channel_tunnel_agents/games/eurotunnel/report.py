"""What a report on Eurotunnel Diplomacy shows: its powers, players and sections."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from channel_tunnel_agents.balance.report import course, games, levers, meetings, seats
from channel_tunnel_agents.balance.report.game import DefaultAgents, GameSection, ReportedGame
from channel_tunnel_agents.games.eurotunnel.measures import POWERS
from channel_tunnel_agents.games.eurotunnel.players import NAMES
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.eurotunnel.spec import VERSION

OF_POWERS = tuple(f"{name}_{power}" for name in ("centres", "survived", "solo") for power in POWERS)
OF_TUNNELS = (
    "tunnels",
    "tunnels_opened",
    "tunnels_demolished",
    "tunnels_standing",
    "turns_hidden",
    *(f"tunnels_{power}" for power in POWERS),
)
GAME = ReportedGame(
    seats=(),  # those of the ruleset
    place="power",
    players=DefaultAgents(
        full=("random", "greedy", "dumb", "dumb_tunnel"),
        quick=("random", "dumb"),
        policies=(),
        preset="eurotunnel",
        deals=(1000, 200),
        limits=dict.fromkeys(NAMES, (1000, 200)),
    ),
    sections={
        "seats": GameSection("What each power has", seats.seats),
        "meetings": GameSection("One against the rest", meetings.meetings),
        "powers": GameSection("How each power ends", partial(games.figures, "powers", OF_POWERS)),
        "tunnels": GameSection("Tunnels", partial(games.figures, "tunnels", OF_TUNNELS)),
        "length": GameSection("Length", games.length),
        "course": GameSection("Year by year", course.course),
        "ends": GameSection("How games end", games.ends),
    },
    measurements=(meetings.MEETINGS, levers.LEVERS),
    standard="eurotunnel",
    beside={
        "solos": "games that one power wins alone",
        "survivors": "powers left at the end",
        "largest": "centres of the largest power",
        "tunnels": "tunnels built",
        "turns_hidden": "turns for which tunnels are hidden",
    },
    versions={"environment": VERSION},
)


def game(ruleset: Ruleset) -> ReportedGame:
    """What it says of itself for the powers that a ruleset's seats play."""
    return replace(GAME, seats=tuple(map(str.capitalize, ruleset.played_seats)))
