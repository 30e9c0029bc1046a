"""What is kept and measured of games of Eurotunnel Diplomacy: how each power fares, and what becomes of tunnels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.game import STEP, Effect, MeasuredGame, Turns
from channel_tunnel_agents.balance.measuring.measure import Measure, column, ended, total
from channel_tunnel_agents.balance.measuring.measures import GameMeasures
from channel_tunnel_agents.matches.tables import Columns, GameTables, SeatMeasure, Series, by_seat, points_so_far
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.spec import SPEC

OF_A_SEAT = (
    SeatMeasure("sum of squares", "squares"),
    SeatMeasure("survived", "survived"),
    SeatMeasure("solo", "solo"),
    SeatMeasure("centres", "score", is_share=False),
)
STANDING = (c.HIDDEN, c.OPENED)


def course(states: Any) -> Columns:
    """How the game went: tunnels of all powers."""
    what = states["tunnel_state"]
    return {
        "tunnels_built": states["built"].sum(axis=1),
        "tunnels_standing": np.isin(what, STANDING).sum(axis=(1, 2)),
        "tunnels_demolished": (what == c.DEMOLISHED).sum(axis=(1, 2)),
    }


def ends(states: Any, seats: tuple[str, ...]) -> Columns:
    """What each power has at the end.

    squares: all of a solo, else its centres squared over the sum of squares; survived: it has a unit or a
    centre; solo: it is the sole winner.
    """
    powers = np.arange(c.NUM_POWERS)
    solo = states["winner"][:, None] == powers
    return {
        **by_seat("squares", _squares(states, solo), seats),
        **by_seat("survived", ((states["alive"][:, None] >> powers) & 1).astype(np.int8), seats),
        **by_seat("solo", solo.astype(np.int8), seats),
        **by_seat("units", _count(states["unit_power"]), seats),
        **by_seat("tunnels", states["built"], seats),
    }


class TunnelCount:
    """A watcher for `arena.play_out` that counts how long tunnels stay hidden, and which are opened."""

    def __init__(self, batch: BatchGame) -> None:
        self._batch = batch
        shape = batch.states["tunnel_state"].shape
        self._hidden = np.zeros(shape, np.bool_)
        self._since = np.zeros(shape, np.int64)  # turns read when a tunnel was built
        self.turns_hidden = np.zeros(shape, np.int64)
        self.opened = np.zeros(shape, np.bool_)

    def __call__(self, rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        self._note()

    def of_games(self) -> Columns:
        """Columns of the games table: `tunnels_opened`, and `turns_hidden`, summed over the tunnels.

        A tunnel that was opened by the orders of the turn after that in which it was built was hidden for one turn;
        one that stays hidden is so until the game ends, or its owner is out.
        """
        self._note()
        hidden = self.turns_hidden + self._hidden * (self._turns() - self._since)
        return {"tunnels_opened": self.opened.sum(axis=(1, 2)), "turns_hidden": hidden.sum(axis=(1, 2))}

    def _turns(self) -> NDArray[np.int64]:
        """Movement phases that were read: (B, 1, 1)."""
        states = self._batch.states
        unread = (states["phase"] == c.MOVEMENT) | (states["end_cause"] == c.DRAW_VOTE)
        read: NDArray[np.int64] = states["turn"].astype(np.int64) - unread
        return read[:, None, None]

    def _note(self) -> None:
        state, turns = self._batch.states["tunnel_state"], self._turns()
        hidden = state == c.HIDDEN
        built, ended = hidden & ~self._hidden, self._hidden & ~hidden
        self._since = np.where(built, turns, self._since)
        self.turns_hidden += ended * (turns - self._since)
        # One that is opened may fall in the same phase; what vanishes with its owner was never seen.
        self.opened |= ended & (state != c.VANISHED)
        self._hidden = hidden.copy()


def tunnels_table(batch: BatchGame, deals: NDArray[np.int64]) -> pd.DataFrame:
    """One row per tunnel that was built: deal, power, ends such as LON-PIC, and its state at the end."""
    states, board = batch.states, load_board()
    ends = ["-".join(board.provinces[end] for end in pair) for pair in board.pairs]
    games, owners, slots = np.nonzero(states["tunnel_state"] != c.NO_TUNNEL)
    return pd.DataFrame(
        {
            "deal": deals[games],
            "power": pd.Categorical.from_codes(owners, list(batch.seats)),
            "ends": pd.Categorical.from_codes(states["tunnel_pair"][games, owners, slots], ends),
            "state": pd.Categorical.from_codes(states["tunnel_state"][games, owners, slots], list(c.TUNNEL_STATES)),
        }
    )


def _count(owners: NDArray[np.int8]) -> NDArray[np.int64]:
    """How often each power is named in each row: (B, powers)."""
    found: NDArray[np.int64] = (owners[:, :, None] == np.arange(c.NUM_POWERS)).sum(axis=1)
    return found


def _squares(states: Any, solo: NDArray[np.bool_]) -> NDArray[np.float64]:
    squares = _count(states["owner"]).astype(np.float64) ** 2
    total = squares.sum(axis=1, keepdims=True)
    even = np.full_like(squares, 1 / c.NUM_POWERS)
    found = np.divide(squares, total, out=even, where=total > 0)
    return np.where(solo.any(axis=1, keepdims=True), solo, found)


SERIES = Series("year", "year", {"centres": ("supply centres", points_so_far)})
TABLES = GameTables(course, ends, TunnelCount, {"tunnels": tunnels_table}, OF_A_SEAT, SERIES)


POWERS = tuple(power.lower() for power in load_board().powers)
# For each power: name, title, unit, column.
_OF_A_POWER = (
    ("squares", "share of the sum of squares", "share", "squares"),
    ("centres", "centres at the end", "centres", "score"),
    ("survived", "games in which it has a unit or a centre at the end", "share", "survived"),
    ("solo", "solos", "share", "solo"),
    ("units", "units at the end", "units", "units"),
    ("tunnels", "tunnels built", "tunnels", "tunnels"),
)
_WHOLE_GAME = (
    Measure("solos", "games that one power wins alone", "share", ended(["solo"])),
    Measure("turns", "springs and falls played", "turns", column("turns")),
    Measure(
        "survivors",
        "powers with a unit or a centre at the end",
        "powers",
        total([f"survived_{power}" for power in POWERS]),
    ),
    Measure(
        "largest",
        "centres of the largest power",
        "centres",
        lambda games: games[[f"score_{power}" for power in POWERS]].max(axis=1).to_numpy(np.float64),
    ),
    Measure("tunnels", "tunnels built", "tunnels", column("tunnels_built")),
    Measure("tunnels_opened", "tunnels opened", "tunnels", column("tunnels_opened")),
    Measure("tunnels_demolished", "tunnels demolished", "tunnels", column("tunnels_demolished")),
    Measure("tunnels_standing", "tunnels at the end", "tunnels", column("tunnels_standing")),
    Measure(
        "turns_hidden", "turns for which tunnels are hidden, of all tunnels together", "turns", column("turns_hidden")
    ),
)


MEASURES = {
    measure.name: measure
    for measure in (
        *_WHOLE_GAME,
        *(
            Measure(f"{name}_{power}", f"{power.capitalize()}: {title}", unit, column(f"{source}_{power}"))
            for name, title, unit, source in _OF_A_POWER
            for power in POWERS
        ),
    )
}
MAIN = ("solos", "survivors", "largest", "tunnels", "turns_hidden")
"""What a sweep reports by default."""


AIMS = ("turns", "solos", "largest", "tunnels")
"""What a designer may set a range for, beside the shares."""
GAME = GameMeasures(MEASURES, MAIN, "dumb", aims=AIMS)


# The limit of years and the score of an undecided game are house rules, which a designer may turn as well.
LEVERS: dict[str, Turns] = {
    r"rulebook": ("1971", "datc"),
    r"tunnels": (False, True),
    r"tunnels_per_(power|turn|province)": STEP,
    r"permissions": (False, True),
    r"max_year": (-5, 5),
    r"limit_score": ("sos", "dss", "centres", "pieces"),
    r"victory_centres": (-2, 2),
}


def _idle(ruleset: Ruleset) -> frozenset[str]:
    data = ruleset.data
    per = frozenset(f"tunnels_per_{what}" for what in ("power", "turn", "province"))
    return frozenset() if data.tunnels else per | {"permissions"}


def _solo(batch: BatchGame) -> NDArray[np.float64]:
    winner = batch.states["winner"]
    return np.asarray((winner >= 0) & (winner < len(batch.seats)), np.float64)


def _tunnels(batch: BatchGame) -> NDArray[np.float64]:
    return np.asarray(batch.states["built"].sum(axis=1), np.float64)


LEVERS_AND_LUCK = MeasuredGame(
    levers=LEVERS,
    idle=_idle,
    effects={
        "solos": Effect("games that one power wins alone", _solo, is_share=True),
        "tunnels": Effect("tunnels built", _tunnels),
    },
    deficits=(),
    turn_phase=None,
    playout="dumb",
    judge="score",
    sources=lambda ruleset: SPEC.luck.streams,
)
