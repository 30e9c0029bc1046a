"""What is measured in games of Carcassonne: points by source, followers, and what tunnels do to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from channel_tunnel_agents.balance.measuring.measure import (
    Measure,
    Values,
    close,
    column,
    distance,
    total,
)
from channel_tunnel_agents.balance.measuring.measures import GameMeasures
from channel_tunnel_env.games.carcassonne.engine import constants as c

MAIN = ("first_seat_wins", "score", "tunnels", "behind_half")
"""What a sweep reports by default."""
MAIN_OF_MORE = ("share_player_0", "score", "tunnels", "behind_half")
"""The same at a table of more than two."""
SEATS = {
    "player_0": "First seat",
    "player_1": "Second seat",
    "player_2": "Third seat",
    "player_3": "Fourth seat",
    "player_4": "Fifth seat",
    "player_5": "Sixth seat",
}
CLOSE = 5  # points
PLACES = dict(zip(c.KINDS, ("cities", "roads", "cloisters", "fields"), strict=True))
"""What points come from, by kind of feature."""


def _between_two() -> list[Measure]:
    return [
        Measure(
            "first_seat_wins",
            "the first seat's share of wins",
            "share",
            column("player_0_points"),
            ("the first seat", "the second seat"),
        ),
        Measure("margin", "the first seat's lead at the end", "points", column("margin")),
        distance(),
        close(CLOSE),
    ]


def _shares(seats: Sequence[str]) -> list[Measure]:
    return [
        Measure(
            f"share_{seat}", f"{SEATS[seat]}: share of the win", "share", column(f"share_{seat}")
        )
        for seat in seats
    ]


def _whole_game() -> list[Measure]:
    return [
        Measure(
            "draws",
            "games that several seats win",
            "share",
            lambda games: (games["winner"] == "draw").to_numpy(np.float64),
        ),
        Measure("turns", "turns played", "turns", column("turns")),
        Measure(
            "decisions", "decisions of all seats, forced ones too", "decisions", column("decisions")
        ),
        Measure("half_tunnels", "half tunnels at the end", "tunnels", column("half_tunnels")),
        Measure("out_of_game", "tiles that fit nowhere", "tiles", column("out_of_game")),
    ]


# Name, title, unit, and the columns that are added up if they are not called by the name.
_OF_A_SEAT: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("score", "final score", "points", ()),
    *((f"points_{kind}", f"points from {place}", "points", ()) for kind, place in PLACES.items()),
    ("first_tokens", "half tunnels begun", "times", ()),
    ("tunnels", "tunnels finished", "tunnels", ()),
    ("missed_tunnels", "turns that could finish a tunnel and do not", "turns", ()),
    (
        "left",
        "followers that never come home",
        "followers",
        tuple(f"left_{kind}" for kind in c.KINDS),
    ),
    *(
        (f"left_{kind}", f"followers left in {place} at the end", "followers", ())
        for kind, place in PLACES.items()
    ),
    ("behind_half", "followers left behind half tunnels", "followers", ()),
    ("behind_rival", "followers left behind half tunnels of the rival", "followers", ()),
    ("stuck", "followers left whose road has no other open end", "followers", ()),
    ("turns_behind_half", "turns of followers behind half tunnels", "turns", ()),
    ("turns_behind_rival", "turns of followers behind half tunnels of the rival", "turns", ()),
    ("turns_stuck", "turns of followers whose road has no other open end", "turns", ()),
)


def _of_all_seats(seats: Sequence[str]) -> list[Measure]:
    whose = "both seats" if len(seats) == len(TWO) else "all seats"
    return [
        Measure(name, f"{title}, {whose}", unit, _added(name, names, seats))
        for name, title, unit, names in _OF_A_SEAT
    ]


def _of_each_seat(seats: Sequence[str]) -> list[Measure]:
    return [
        Measure(f"{name}_{seat}", f"{SEATS[seat]}: {title}", unit, _added(name, names, (seat,)))
        for name, title, unit, names in _OF_A_SEAT
        for seat in seats
    ]


def _added(name: str, names: Sequence[str], seats: Iterable[str]) -> Values:
    return total([f"{each}_{seat}" for each in names or (name,) for seat in seats])


def measures_at(seats: Sequence[str]) -> dict[str, Measure]:
    """What is measured at a table of these seats, by name."""
    result = _between_two() if len(seats) == len(TWO) else _shares(seats)
    found = (*result, *_whole_game(), *_of_all_seats(seats), *_of_each_seat(seats))
    return {measure.name: measure for measure in found}


TWO = ("player_0", "player_1")
MEASURES = measures_at(TWO)


def measured_at(seats: Sequence[str]) -> tuple[dict[str, Measure], tuple[str, ...]]:
    """What is measured at a table of these seats, and the names of the main ones."""
    if len(seats) == len(TWO):
        return MEASURES, MAIN
    return measures_at(seats), MAIN_OF_MORE


GAME = GameMeasures(MEASURES, MAIN, "greedy", at=measured_at)
