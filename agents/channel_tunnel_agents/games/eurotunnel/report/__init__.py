"""Eurotunnel Diplomacy in a report: its powers, players and sections."""

from __future__ import annotations

from dataclasses import replace

from channel_tunnel_agents.balance.report.game import DefaultAgents, ReportedGame
from channel_tunnel_agents.games.eurotunnel.players import NAMES
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.eurotunnel.faces import table as table_face
from channel_tunnel_env.games.eurotunnel.spec import VERSION


def _in_short(ruleset: Ruleset) -> list[str]:
    """The aim, and the rules as the page of the table tells them."""
    rules = table_face.rule_sentences(ruleset).values()
    return [" ".join(table_face.goal(ruleset)), *(f"{rule['title']}: {rule['text']}" for rule in rules)]


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
    in_short=_in_short,
    versions={"environment": VERSION},
)


def game(ruleset: Ruleset) -> ReportedGame:
    """What it says of itself for the powers that a ruleset's seats play."""
    return replace(GAME, seats=tuple(map(str.capitalize, ruleset.played_seats)))
