"""The columns of the tables that only Eurotunnel Diplomacy has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.matches.tables import Columns, GameTables, SeatMeasure, by_seat
from channel_tunnel_env import BatchGame
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board

MEASURES = (
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


TABLES = GameTables(course, ends, TunnelCount, {"tunnels": tunnels_table}, MEASURES)
