"""The columns of the tables that only 1987 Channel Tunnel has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.matches.tables import Columns, GameTables, by_seat
from channel_tunnel_env import BatchGame
from channel_tunnel_env.core.jit import kernel
from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

NUM_COLOURS = len(c.COLOURS)  # the ids of a space's option are its colours in turn
NEVER = 0  # the round given for a card that was not developed


def course(states: Any) -> Columns:
    """How the game went."""
    return {"lead_changes": states["lead_changes"]}


def ends(states: Any) -> Columns:
    """Each side's board at the end, and what it did."""
    return _boards(states) | _deeds(states)


def _by_side(name: str, values: NDArray[Any]) -> Columns:
    return by_seat(name, values, c.SEATS)


def _boards(states: Any) -> Columns:
    """Each side's board at the end."""
    return {
        **_by_side("tbm", states["tbm"]),
        **_by_side("deviation", states["deviation"]),
        **_by_side("counter_a", states["counter"][:, :, 0]),
        **_by_side("counter_b", states["counter"][:, :, 1]),
        **_by_side("money", states["money_total"]),
        **_by_side("cards", states["kind_count"].sum(axis=2)),
        **_by_side("discs", states["discs"].sum(axis=2)),
        **_by_side("stored", states["storage"].sum(axis=2)),
    }


def _deeds(states: Any) -> Columns:
    """What each side did in the whole game."""
    columns = {
        **_by_side("income", states["tally_income"]),
        **_by_side("barrier_money", states["tally_barrier"]),
        **_by_side("align_money", states["tally_align"]),
        **_by_side("deviation_draws", states["tally_draws"]),
        **_by_side("drift", states["tally_drift"]),
        **_by_side("kept_discs", states["tally_kept"]),
        **_by_side("placements", states["tally_placed"].sum(axis=(2, 3))),
    }
    for k, kind in enumerate(c.ACTION_KINDS):
        columns |= _by_side(f"did_{kind}", states["tally_action"][:, :, k])
    for k, space in enumerate(c.SPACES):
        for option in range(2):
            columns |= _by_side(f"placed_{space}_{option}", states["tally_placed"][:, :, k, option])
    for k, kind in enumerate(c.CARD_KINDS[c.FIRST_ABILITY :], c.FIRST_ABILITY):
        columns |= _by_side(f"used_{kind}", states["tally_ability"][:, :, k])
    return columns


def cards_table(batch: BatchGame, deals: NDArray[np.int64]) -> pd.DataFrame:
    """One row per game and card that came to a slot.

    Columns: deal, card (key), shown (times), financed_britain and financed_france (times taken as money),
    developed_by (a side, or missing), developed_round (0 never), britain_points.
    """
    states, keys = batch.states, batch.rulesets[0].card_keys
    games, cards = np.nonzero(states["card_shown"][:, : len(keys)])
    area = states["area"]
    britain = (area[games, 0] >> cards) & 1
    france = (area[games, 1] >> cards) & 1
    developed = np.where(britain == 1, 0, np.where(france == 1, 1, -1))
    winner = states["winner"][games].astype(np.int64)
    return pd.DataFrame(
        {
            "deal": deals[games],
            "card": pd.Categorical.from_codes(cards, keys),
            "shown": states["card_shown"][games, cards],
            "financed_britain": states["card_financed"][games, 0, cards],
            "financed_france": states["card_financed"][games, 1, cards],
            "developed_by": pd.Categorical.from_codes(developed, list(c.SEATS)),
            "developed_round": states["card_developed"][games, cards],
            "britain_points": np.where(winner == c.DRAW, 0.5, winner == 0),
        }
    )


@kernel
def _count_discs(rows, to_play, actions, discs, laid):  # type: ignore[no-untyped-def]
    for i in rows:
        if actions[i] < a.PASS:  # all discs of a colour are laid on a space
            seat, colour = to_play[i], (actions[i] - a.PLACE) % NUM_COLOURS
            laid[i, seat, colour] += discs[i, seat, colour]


class DiscCount:
    """A watcher for `arena.play_out` that counts by game, side and colour the discs that were laid."""

    def __init__(self, batch: BatchGame) -> None:
        self._batch = batch
        self.laid = np.zeros((batch.num_games, c.NUM_SEATS, len(c.COLOURS)), np.int16)

    def __call__(self, rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        _count_discs(rows, self._batch.to_play, actions, self._batch.states["discs"], self.laid)

    def of_games(self) -> Columns:
        """Columns of the games table: discs of each colour that a side laid, laid_COLOUR_SIDE."""
        columns: Columns = {}
        for k, colour in enumerate(c.COLOURS):
            columns |= _by_side(f"laid_{colour}", self.laid[:, :, k])
        return columns


TABLES = GameTables(course, lambda states, seats: ends(states), DiscCount, {"cards": cards_table})
