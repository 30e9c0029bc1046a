"""What is kept and measured of games of Carcassonne: points by source, followers, and what tunnels do to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.game import STEP, DeckOfLuck, Effect, MeasuredGame, Turns
from channel_tunnel_agents.balance.measuring.measure import Measure, Values, close, column, distance, total
from channel_tunnel_agents.balance.measuring.measures import GameMeasures
from channel_tunnel_agents.matches.tables import Columns, GameTables, Series, by_seat, points_so_far
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.core.jit import kernel
from channel_tunnel_env.games.carcassonne.engine import constants as c

BEHIND = ("behind_half", "behind_rival", "stuck")
"""Followers on a road with the mouth of a half tunnel; with one that another seat began; on a road that has no
other open end than such mouths."""


def course(states: Any) -> Columns:
    """How the game went: tiles that fitted nowhere, and the tunnels at its end."""
    halves = (states["mouth_colour"] >= 0) & (states["mouth_partner"] < 0)
    return {
        "out_of_game": states["out_of_game"].sum(axis=1),
        "longest_road": states["longest"],
        "half_tunnels": halves.sum(axis=1),
    }


def ends(states: Any, seats: tuple[str, ...]) -> Columns:
    """What each seat did, and has left."""
    return {
        **by_seat("first_tokens", states["tally_first"], seats),
        **by_seat("tunnels", states["tally_second"], seats),
        **by_seat("hand", states["hand"], seats),
    }


@kernel
def _note_tokens(rows, masks, to_play, actions, begun_by, missed):  # type: ignore[no-untyped-def]
    """Who lays a first token where, and who could finish a tunnel and does not."""
    for i in rows:
        action = actions[i]
        if c.FIRST_TOKEN <= action < c.FIRST_TUNNEL:
            begun_by[i, action - c.FIRST_TOKEN] = to_play[i]
        if c.FIRST_TOKEN <= action < c.FIRST_TUNNEL or action == c.TOKEN_NONE:
            missed[i, to_play[i]] += masks[i, c.FIRST_TUNNEL : c.TOKEN_NONE].any()


@kernel
def _count_behind(rows, weights, fields, begun_by, behind):  # type: ignore[no-untyped-def]
    """Add each follower behind a half tunnel, times its count, to the columns of BEHIND of its seat."""
    nodes, label, follower, open_ends, mouth_node, colour, partner = fields
    for i in rows:
        for node in range(nodes[i]):
            seat, road = follower[i, node], label[i, node]
            if seat == c.NOBODY:
                continue
            halves = rivals = 0
            for mouth in range(c.NUM_OPENINGS):
                half = colour[i, mouth] >= 0 and partner[i, mouth] < 0
                if half and label[i, mouth_node[i, mouth]] == road:
                    halves += 1
                    rivals += begun_by[i, mouth] != seat
            if halves > 0:
                behind[i, seat, 0] += weights[i]
                behind[i, seat, 1] += weights[i] * (rivals > 0)
                behind[i, seat, 2] += weights[i] * (halves == open_ends[i, road])


class TunnelCount:
    """A watcher for `arena.play_out` that counts what tunnels do to followers, and where those are left."""

    def __init__(self, batch: BatchGame) -> None:
        self._batch = batch
        games, seats = batch.num_games, len(batch.seats)
        self._turn = np.zeros(games, np.int64)  # up to which followers have been counted
        self._begun_by = np.full((games, c.NUM_OPENINGS), c.NOBODY, np.int64)
        self.missed = np.zeros((games, seats), np.int64)
        self.turns_behind = np.zeros((games, seats, len(BEHIND)), np.int64)

    def __call__(self, rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        batch = self._batch
        passed = batch.states["turn"] - self._turn
        self._turn += passed
        self._add_behind(np.flatnonzero(passed), passed, self.turns_behind)
        _note_tokens(rows, batch.masks, batch.to_play, actions, self._begun_by, self.missed)

    def of_games(self) -> Columns:
        """Columns of the games table.

        By seat: missed_tunnels (turns that could finish a tunnel and do not); left_KIND (followers on the table
        at the end); those of BEHIND at the end, and turns_... of them, summed over the beginnings of all turns.
        """
        batch = self._batch
        at_end = np.zeros_like(self.turns_behind)
        ones = np.ones(batch.num_games, np.int64)
        self._add_behind(np.arange(batch.num_games), ones, at_end)
        columns = by_seat("missed_tunnels", self.missed, batch.seats)
        left = _followers_left(batch)
        for k, kind in enumerate(c.KINDS):
            columns |= by_seat(f"left_{kind}", left[:, :, k], batch.seats)
        for k, name in enumerate(BEHIND):
            columns |= by_seat(name, at_end[:, :, k], batch.seats)
            columns |= by_seat(f"turns_{name}", self.turns_behind[:, :, k], batch.seats)
        return columns

    def _add_behind(self, rows: NDArray[np.intp], weights: NDArray[np.int64], behind: NDArray[np.int64]) -> None:
        states = self._batch.states
        names = ("label", "follower", "open", "mouth_node", "mouth_colour", "mouth_partner")
        fields = (_node_counts(states), *(states[name] for name in names))
        _count_behind(rows, weights, fields, self._begun_by, behind)


def _node_counts(states: Any) -> NDArray[np.int16]:
    """The nodes of each game's tiles: (B,)."""
    count: NDArray[np.int16] = states["first_node"][np.arange(len(states)), states["tile_count"]]
    return count


def _followers_left(batch: BatchGame) -> NDArray[np.int64]:
    """Followers on the table by game, seat and kind of their feature."""
    states = batch.states
    on_table = np.arange(states["follower"].shape[1]) < _node_counts(states)[:, None]
    games, nodes = np.nonzero((states["follower"] != c.NOBODY) & on_table)
    tiles = states["node_tile"][games, nodes]
    segments = nodes - states["first_node"][games, tiles]
    types = states["tile_type"][games, tiles]
    kinds = batch.tables["kind"][states["ruleset"][games], types, segments]
    left = np.zeros((batch.num_games, len(batch.seats), len(c.KINDS)), np.int64)
    np.add.at(left, (games, states["follower"][games, nodes], kinds), 1)
    return left


SERIES = Series(
    "turn",
    "turn",
    {"points": ("points", points_so_far), "followers": ("followers in hand", lambda batch, states: states["hand"])},
)
TABLES = GameTables(course, ends, TunnelCount, series=SERIES)


MAIN = ("first_seat_wins", "score", "tunnels", "behind_half")
"""What a sweep reports by default."""
MAIN_OF_MORE = ("share_player_0", "score", "tunnels", "behind_half")
"""The same at a table of more than two."""
_ORDER = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth")
SEATS = {f"player_{number}": f"{word} seat" for number, word in enumerate(_ORDER)}
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
        Measure(f"share_{seat}", f"{SEATS[seat]}: share of the win", "share", column(f"share_{seat}")) for seat in seats
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
        Measure("decisions", "decisions of all seats, forced ones too", "decisions", column("decisions")),
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
    ("left", "followers that never come home", "followers", tuple(f"left_{kind}" for kind in c.KINDS)),
    *((f"left_{kind}", f"followers left in {place} at the end", "followers", ()) for kind, place in PLACES.items()),
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
        Measure(name, f"{title}, {whose}", unit, _added(name, names, seats)) for name, title, unit, names in _OF_A_SEAT
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


AIMS = ("first_seat_wins", "turns", "margin", "distance", "draws")
"""What a designer may set a range for."""
GAME = GameMeasures(MEASURES, MAIN, "greedy", at=measured_at, aims=AIMS)


# Figures a designer can turn without touching another one. The number of each tile is none of them: one tile more is
# another deck in another order, so the change could not be taken deal by deal.
LEVERS: dict[str, Turns] = {
    r"points\.(road|city|shield|farm|farm_first)": STEP,
    r"points\.(road|city|shield|cloister)_open": STEP,
    r"points\.cloister": (-3, 3),
    r"followers": STEP,
    r"token_sets_(two|three)": STEP,
    r"small_city": (-2, 2),
    r"farm_scoring": ("third", "second", "first", "none"),
    r"tunnel_variant": ("none", "follower", "steal", "paired", "no_block"),
    r"token_window": ("after_meeple", "before_meeple"),
    r"robber_baron": (False, True),
    r"tiles\.V\.count": STEP,
}


def _idle(ruleset: Ruleset) -> frozenset[str]:
    data = ruleset.data
    idle = {"points.farm"} if data.farm_scoring in ("first", "none") else set()
    idle |= {"points.farm_first"} if data.farm_scoring != "first" else set()
    own = {2: "token_sets_two", 3: "token_sets_three"}.get(data.players)  # more have one set each
    idle |= {"token_sets_two", "token_sets_three"} - ({own} if data.tunnel else set())
    idle |= set() if data.tunnel else {"token_window", "tunnel_variant"}
    # The commonest kind of tile: one more or fewer gives the last one to another seat, which matters at a table of many.
    idle |= {"tiles.V.count"} if data.players == 2 else set()
    return frozenset(idle)


def _score(batch: BatchGame) -> NDArray[np.float64]:
    return np.asarray(batch.scores()[:, :, -1].sum(axis=1), np.float64)


def _distance(batch: BatchGame) -> NDArray[np.float64]:
    """The first's points less the last's."""
    return np.asarray(np.ptp(batch.scores()[:, :, -1].astype(np.float64), axis=1))


LEVERS_AND_LUCK = MeasuredGame(
    levers=LEVERS,
    idle=_idle,
    effects={
        "score": Effect("points, both seats", _score),
        "distance": Effect("points between winner and loser", _distance),
    },
    deficits=((1, 5), (6, 10), (11, 20), (21, 30), (31, None)),
    turn_phase=None,
    stride=5,
    playout="frozen:club",
    judge="score",
    sources=lambda ruleset: c.STREAMS,
    deck=DeckOfLuck("deck", "deck_size", "drawn"),
)
