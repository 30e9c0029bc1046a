"""Finished games as tables: one row per game, per card of a game, or per action.

The engine's records count what happened (`engine.state`, tallies), so its last record is enough to
describe a game. Columns of one side end in `_britain` or `_france`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_env import BatchGame
from channel_tunnel_env.core.jit import kernel
from channel_tunnel_env.engine.actions import ACTION_NAMES, NUM_ACTIONS, PASS, PLACE
from channel_tunnel_env.engine.constants import (
    ACTION_KINDS,
    CARD_KINDS,
    COLOURS,
    DRAW,
    END_CAUSES,
    FIRST_ABILITY,
    NUM_SEATS,
    SEATS,
    SPACES,
)
from channel_tunnel_env.engine.scoring import SCORE_SOURCES

WINNERS = (*SEATS, "draw")
NUM_COLOURS = len(COLOURS)  # the ids of a space's option are its colours in turn
NEVER = 0  # the round given for a card that was not developed


def games_table(batch: BatchGame, deals: NDArray[np.int64]) -> pd.DataFrame:
    """One row a finished game, in the order of the batch.

    Args:
        deals: number of each game's deal, (n,).

    Columns: deal, seed, winner, britain_points (1, 0.5, 0), end_cause, rounds, decisions, lead_changes, margin
    (Britain's points less France's), and for each side its score in total and by source, its TBM,
    counters, deviation and money at the end, and what it did.
    """
    states = batch.states
    winner = states["winner"].astype(np.int64)
    columns: dict[str, Any] = {
        "deal": deals,
        "seed": states["seed"],
        "winner": pd.Categorical.from_codes(winner, list(WINNERS)),
        "britain_points": np.where(winner == DRAW, 0.5, winner == SEATS.index("britain")),
        "end_cause": pd.Categorical.from_codes(states["end_cause"].astype(int), list(END_CAUSES)),
        "rounds": states["round_no"],
        "decisions": states["ply"],
        "lead_changes": states["lead_changes"],
    }
    columns |= _scores(batch) | _boards(states) | _deeds(states)
    columns["margin"] = columns["score_britain"] - columns["score_france"]
    return pd.DataFrame(columns)


def _by_side(name: str, values: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Columns for each side from figures (n, 2)."""
    return {f"{name}_{side}": values[:, seat] for seat, side in enumerate(SEATS)}


def _scores(batch: BatchGame) -> dict[str, NDArray[Any]]:
    """The final score in total and by source, in victory points."""
    found = batch.scores()
    columns: dict[str, NDArray[Any]] = {}
    for k, source in enumerate(SCORE_SOURCES):
        columns |= _by_side(f"points_{source}", found[:, :, k])
    return columns | _by_side("score", found[:, :, -1])


def _boards(states: Any) -> dict[str, NDArray[Any]]:
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


def _deeds(states: Any) -> dict[str, NDArray[Any]]:
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
    for k, kind in enumerate(ACTION_KINDS):
        columns |= _by_side(f"did_{kind}", states["tally_action"][:, :, k])
    for k, space in enumerate(SPACES):
        for option in range(2):
            columns |= _by_side(f"placed_{space}_{option}", states["tally_placed"][:, :, k, option])
    for k, kind in enumerate(CARD_KINDS[FIRST_ABILITY:], FIRST_ABILITY):
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
            "developed_by": pd.Categorical.from_codes(developed, list(SEATS)),
            "developed_round": states["card_developed"][games, cards],
            "britain_points": np.where(winner == DRAW, 0.5, winner == 0),
        }
    )


@kernel
def _count(rows, masks, to_play, actions, discs, legal, taken, options, laid):  # type: ignore[no-untyped-def]
    for i in rows:
        seat, choices = to_play[i], 0
        for action in range(masks.shape[1]):
            legal[seat, action] += masks[i, action]
            choices += masks[i, action]
        taken[seat, actions[i]] += 1
        options[seat, choices] += 1
        if actions[i] < PASS:  # all discs of a colour are laid on a space
            colour = (actions[i] - PLACE) % NUM_COLOURS
            laid[i, seat, colour] += discs[i, seat, colour]


class ActionCount:
    """A watcher for `arena.play_out` that counts, by side, how often each action was legal and
    taken, and by game and side the discs of each colour that were laid."""

    def __init__(self, batch: BatchGame) -> None:
        self._batch = batch
        self.legal = np.zeros((NUM_SEATS, NUM_ACTIONS), np.int64)
        self.taken = np.zeros((NUM_SEATS, NUM_ACTIONS), np.int64)
        self.options = np.zeros((NUM_SEATS, NUM_ACTIONS + 1), np.int64)
        self.laid = np.zeros((batch.num_games, NUM_SEATS, len(COLOURS)), np.int16)

    def __call__(self, rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        batch, counts = self._batch, (self.legal, self.taken, self.options, self.laid)
        discs = batch.states["discs"]
        _count(rows, batch.masks, batch.to_play, actions, discs, *counts)

    def of_games(self) -> dict[str, NDArray[Any]]:
        """Columns of the games table: discs of each colour that a side laid, laid_COLOUR_SIDE."""
        columns: dict[str, NDArray[Any]] = {}
        for k, colour in enumerate(COLOURS):
            columns |= _by_side(f"laid_{colour}", self.laid[:, :, k])
        return columns

    def table(self) -> pd.DataFrame:
        """One row per side and action: side, action, legal, taken (decisions)."""
        sides = np.repeat(SEATS, NUM_ACTIONS)
        names = list(ACTION_NAMES) * NUM_SEATS
        return pd.DataFrame(
            {
                "side": sides,
                "action": names,
                "legal": self.legal.ravel(),
                "taken": self.taken.ravel(),
            }
        )

    def options_table(self) -> pd.DataFrame:
        """One row per side and number of legal actions: side, options, decisions."""
        seats, options = np.nonzero(self.options)
        return pd.DataFrame(
            {
                "side": np.array(SEATS)[seats],
                "options": options,
                "decisions": self.options[seats, options],
            }
        )
