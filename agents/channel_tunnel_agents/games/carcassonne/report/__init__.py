"""What a report on Carcassonne shows: what the game tells of itself, and which parts the page has.

sections  those of this game alone
drawn     the boards, measured and drawn
"""

from __future__ import annotations

from dataclasses import replace

from channel_tunnel_agents.balance.report import course, games, levers, luck, meetings, seats, tension
from channel_tunnel_agents.balance.report.game import DefaultAgents, GameSection, ReportedGame, rules_of_the_table
from channel_tunnel_agents.games.carcassonne.measures import SEATS
from channel_tunnel_agents.games.carcassonne.players import ARCHETYPES
from channel_tunnel_agents.games.carcassonne.report import drawn, sections
from channel_tunnel_agents.players import shipped
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.carcassonne.board.excerpt import STYLE
from channel_tunnel_env.games.carcassonne.spec import VERSION
from channel_tunnel_env.outside.sentences import listed

_TRAINED = shipped.trained_for_the_box("carcassonne")
SECTIONS = {
    "sides": GameSection("Seat advantage", seats.seats),
    "matrix": GameSection("Agents against each other", meetings.meetings),
    "points": GameSection("Where points come from", sections.points),
    "tunnels": GameSection("What tunnels do", sections.tunnels),
    "followers": GameSection("Followers, tiles and tokens", sections.followers),
    "length": GameSection("Length", games.length),
    "course": GameSection("Turn by turn", course.course),
    "luck": GameSection("Luck against skill", luck.luck),
    "tension": GameSection("Tension", tension.tension),
    "health": GameSection("Rule health", sections.health),
}
SECTIONS_OF_MORE = {
    "seats": GameSection("Seat advantage", seats.seats),
    "meetings": GameSection("One against the rest", meetings.meetings),
    **{key: SECTIONS[key] for key in ("points", "tunnels", "followers", "length", "course")},
    "ends": GameSection("How games end", games.ends),
    "health": SECTIONS["health"],
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
    players=DefaultAgents(
        full=("random", "points", "greedy", "blocker", *_TRAINED),
        quick=("random", "greedy", *_TRAINED),
        policies=_TRAINED,
        preset="carcassonne",
        deals=(2000, 500),
        limits=dict.fromkeys(ARCHETYPES, (1000, 200)),
    ),
    drawn=drawn.drawn,
    sections=SECTIONS,
    measurements=(meetings.MEETINGS, drawn.BOARDS, levers.LEVERS, luck.DECK_LUCK, luck.VARIANCE, tension.TENSION),
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
