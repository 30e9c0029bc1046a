"""Eurotunnel Diplomacy in a report: its powers, players and sections."""

from __future__ import annotations

from dataclasses import replace

from channel_tunnel_agents.balance.report.game import DefaultAgents, ReportedGame
from channel_tunnel_agents.games.eurotunnel.players import NAMES
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.eurotunnel.spec import VERSION

GAME = ReportedGame(
    seats=(),  # those of the ruleset
    place="power",
    sections={
        "seats": "What each power has",
        "meetings": "One against the rest",
        "powers": "How each power ends",
        "tunnels": "Tunnels",
        "length": "Length",
        "course": "Year by year",
        "ends": "How games end",
    },
    players=DefaultAgents(
        full=("random", "greedy", "dumb", "dumb_tunnel"),
        quick=("random", "dumb"),
        untrained=("random", "greedy", "dumb", "dumb_tunnel"),
        policies=(),
        preset="eurotunnel",
        deals=(1000, 200),
        limits=dict.fromkeys(NAMES, (1000, 200)),
    ),
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
