"""What Carcassonne says of itself on the page of a table of three to six."""

from __future__ import annotations

from channel_tunnel_agents.balance.report.game import DefaultAgents, ReportedTable
from channel_tunnel_agents.games.carcassonne.measures import SEATS
from channel_tunnel_agents.games.carcassonne.players import ARCHETYPES
from channel_tunnel_agents.games.carcassonne.report import GAME
from channel_tunnel_agents.games.carcassonne.report.sections import LEFT, TUNNELS, WAITING
from channel_tunnel_agents.games.carcassonne.report.topics import PLACES
from channel_tunnel_env import Ruleset


def _seated(base: Ruleset, ruleset: Ruleset) -> Ruleset:
    """The base for as many players."""
    players = ruleset.data.players
    if base.data.players == players:
        return base
    return base.with_values({"players": players}, f"{base.name} for {players}")


TABLE = ReportedTable(
    called=lambda seat: f"the {SEATS[seat].lower()}",
    place="seat",
    sections={
        "seats": "Seat advantage",
        "meetings": "One against the rest",
        "points": "Where points come from",
        "tunnels": "What tunnels do",
        "followers": "Followers, tiles and tokens",
        "length": "Length",
        "ends": "How games end",
    },
    figures={"points": ("score", *PLACES), "tunnels": (*TUNNELS, *WAITING), "followers": LEFT},
    players=DefaultAgents(
        full=("random", "points", "greedy", "blocker"),
        quick=("random", "greedy"),
        untrained=("random", "points", "greedy", "blocker"),
        policies=(),
        preset="carcassonne",
        deals=(2000, 500),
        limits=dict.fromkeys(ARCHETYPES, (2000, 500)),
    ),
    standard="carcassonne",
    beside={name: words.replace("both seats", "all seats") for name, words in GAME.beside.items() if name != "close"},
    in_short=GAME.in_short,
    length=GAME.length,
    versions=GAME.versions,
    seated=_seated,
)
