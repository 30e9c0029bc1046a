"""What Carcassonne says of itself on the page.

topics    sentences of the verdict
contents  what is shown, and its own sections
drawn     the boards, measured and drawn
"""

from __future__ import annotations

from dataclasses import replace

from channel_tunnel_agents.balance.report.game import DefaultAgents, ReportedGame, rules_of_the_table
from channel_tunnel_agents.games.carcassonne.measures import SEATS
from channel_tunnel_agents.games.carcassonne.players import ARCHETYPES
from channel_tunnel_agents.players import shipped
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.carcassonne.board.excerpt import STYLE
from channel_tunnel_env.games.carcassonne.spec import VERSION
from channel_tunnel_env.outside.sentences import listed

_TRAINED = shipped.trained_for_the_box("carcassonne")
_READER = shipped.READERS["carcassonne"]
SECTIONS = {
    "sides": "Seat advantage",
    "matrix": "Agents against each other",
    "points": "Where points come from",
    "tunnels": "What tunnels do",
    "followers": "Followers, tiles and tokens",
    "length": "Length",
    "course": "Turn by turn",
    "luck": "Luck against skill",
    "tension": "Tension",
    "health": "Rule health",
}
SECTIONS_OF_MORE = {
    "seats": "Seat advantage",
    "meetings": "One against the rest",
    **{key: SECTIONS[key] for key in ("points", "tunnels", "followers", "length", "course")},
    "ends": "How games end",
    "health": "Rule health",
}
# The two seats in the colours of their followers, deep or light enough for text on the page.
_SEAT_COLOURS = (
    ":root { --seat-1: #0072b2; --seat-2: #b24a00; }\n"
    "@media (prefers-color-scheme: dark) { :root { --seat-1: #58b0e8; --seat-2: #ff9a52; } }\n"
    "@media print { :root { --seat-1: #0072b2; --seat-2: #b24a00; } }\n"
)


GAME = ReportedGame(
    seats=("the first seat", "the second seat"),
    letters=("0", "1"),
    place="seat",
    sections=SECTIONS,
    players=DefaultAgents(
        full=("random", "points", "greedy", "blocker", *_TRAINED),
        quick=("random", "greedy", *_TRAINED),
        untrained=("random", "points", "greedy", "blocker", _READER),
        policies=_TRAINED,
        preset="carcassonne",
        deals=(2000, 500),
        limits=dict.fromkeys(ARCHETYPES, (1000, 200)),
    ),
    standard="carcassonne",
    beside={
        "score": "points, both seats",
        "close": "decided by 5 points or fewer",
        "points_city": "points from cities",
        "points_road": "points from roads and tunnels",
        "points_cloister": "points from cloisters",
        "points_field": "points from fields",
        "tunnels": "tunnels finished",
        "half_tunnels": "half tunnels at the end",
        "behind_half": "followers left behind half tunnels",
        "turns_behind_half": "turns that followers wait there",
        "left": "followers that never come home",
    },
    in_short=lambda ruleset: rules_of_the_table(ruleset, () if ruleset.data.tunnel else ("token",)),
    records=("boards", "tension"),
    length={"tiles that fit nowhere": ("out_of_game",)},
    streams={"deck": "the order of the tiles"},
    versions={"environment": VERSION},
    style=_SEAT_COLOURS + STYLE,
)
"""At a table of two."""


def game(ruleset: Ruleset) -> ReportedGame:
    """What it says of itself at a table of two to six."""
    if ruleset.num_seats == 2:
        return GAME
    players = replace(
        GAME.players,
        full=("random", "points", "greedy", "blocker"),
        quick=("random", "greedy"),
        untrained=("random", "points", "greedy", "blocker"),
        policies=(),
        limits=dict.fromkeys(ARCHETYPES, (2000, 500)),
    )
    beside = {name: words.replace("both seats", "all seats") for name, words in GAME.beside.items() if name != "close"}
    return replace(
        GAME,
        seats=tuple(f"the {SEATS[seat].lower()}" for seat in ruleset.seats),
        letters=(),
        sections=SECTIONS_OF_MORE,
        players=players,
        beside=beside,
        style=STYLE,
        seats_note=_turns,
        seated=_seated,
    )


def _turns(ruleset: Ruleset) -> str:
    """How many tiles each seat draws if all fit, and who the last."""
    seats = game(ruleset).seats
    drawn = sum(kind.count for kind in ruleset.data.tile_types()) - 1  # one lies on the table
    turns, more = divmod(drawn, len(seats))
    each = f"every seat has {turns} turns"
    if more:
        fewer = [*seats[more:]]
        each = f"{listed(fewer)} {'has' if len(fewer) == 1 else 'have'} {turns} turns and the others {turns + 1}"
    last = f"{seats[more - 1]} has the last tile; one tile more or fewer gives that to another seat"
    return f"{drawn} tiles are drawn, so that {each}; {last}."


def _seated(base: Ruleset, ruleset: Ruleset) -> Ruleset:
    """The base for as many players."""
    players = ruleset.data.players
    if base.data.players == players:
        return base
    return base.with_values({"players": players}, f"{base.name} for {players}")
