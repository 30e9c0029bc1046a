"""The columns of the tables that only Carcassonne has."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.matches.tables import Columns, GameTables, by_seat
from channel_tunnel_env import BatchGame
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


TABLES = GameTables(course, ends, TunnelCount)
