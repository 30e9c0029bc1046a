"""Every decision of a batch of games, as a table and as replayable records."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_env import BatchGame
from channel_tunnel_env.faces.registry import game_class


class DecisionLog:
    """A watcher for `arena.play_out` that records every decision.

    Args:
        batch: new games, before their first decision.
    """

    def __init__(self, batch: BatchGame) -> None:
        self._batch = batch
        self._steps: list[tuple[NDArray[np.int64], ...]] = []

    def __call__(self, rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        batch = self._batch
        clock = batch.states[batch.spec.record.clock[0]]
        seen = (batch.to_play, batch.states["phase"], clock, actions)
        options = batch.masks[rows].sum(axis=1)
        self._steps.append((rows, *(column[rows].astype(np.int64) for column in seen), options))

    def _columns(self) -> list[NDArray[np.int64]]:
        """Game (row of the batch), seat, phase, round or turn, action, options: game after game, (n,)."""
        columns = [np.concatenate(parts) for parts in zip(*self._steps, strict=True)]
        order = np.argsort(columns[0], kind="stable")
        return [column[order] for column in columns]

    def table(self, deals: NDArray[np.int64]) -> pd.DataFrame:
        """One row per decision, in order, game after game.

        Args:
            deals: number of each game's deal, (games,).

        Columns: deal, decision (from 0), round or turn, side, phase, options (legal actions), action.
        """
        spec, seats_by_name = self._batch.spec, list(self._batch.seats)
        games, seats, phases, rounds, actions, options = self._columns()
        first = np.searchsorted(games, games)  # first entry of the same game
        return pd.DataFrame(
            {
                "deal": deals[games],
                "decision": np.arange(len(games)) - first,
                spec.record.clock[1]: rounds,
                "side": pd.Categorical.from_codes(seats, seats_by_name),
                "phase": pd.Categorical.from_codes(phases, list(spec.record.phases)),
                "options": options,
                "action": pd.Categorical.from_codes(actions, list(spec.actions.names)),
            }
        )

    def records(self, deals: NDArray[np.int64]) -> pd.DataFrame:
        """One row per game: deal, record (JSON text, see `channel_tunnel_env.records.record`)."""
        games, *_, actions, _ = self._columns()
        bounds = np.searchsorted(games, np.arange(self._batch.num_games + 1))
        states, ruleset = self._batch.states, self._batch.rulesets[0]
        kind = game_class(self._batch.spec)
        texts = []
        for row in range(self._batch.num_games):
            taken = actions[bounds[row] : bounds[row + 1]].tolist()
            game = kind.from_play(states[row : row + 1], ruleset, taken)
            texts.append(json.dumps(game.record(), separators=(",", ":")))
        return pd.DataFrame({"deal": deals, "record": texts})
