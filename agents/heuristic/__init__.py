"""A scripted player that weighs what a club player would.

It reads counts from the named sections of the observation (`sight`), appraises each kind of action in
about victory points (`worth`) and scores all 171 actions (`scores`): the race to the centre, the
expected cost of the next deviation cards, money and steps kept for corrections, cards that score,
stacks of discs. What it cares about stands in one dataclass (`weights`), so that archetypes and
`agents.tune_heuristic` change numbers, not code.

It looks one action ahead and remembers nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.heuristic.scores import score_actions
from agents.heuristic.sight import Floats, Sight
from agents.heuristic.weights import ARCHETYPES, Weights
from channel_tunnel_env.engine.actions import NUM_ACTIONS

__all__ = ["ARCHETYPES", "HeuristicAgent", "Weights"]

TASTE = np.float32(1e-3)  # below any difference that matters


class HeuristicAgent:
    """The scripted player.

    The seed gives it a slight taste for each action, which breaks ties: a row's choice depends on
    that row and the seed alone.

    Args:
        weights: what it cares about; default: those of the heuristic.
    """

    def __init__(
        self, seed: int = 0, weights: Weights | None = None, name: str = "heuristic"
    ) -> None:
        self.name = name
        self.weights = weights or ARCHETYPES["heuristic"]
        self._taste = np.random.default_rng(seed).random(NUM_ACTIONS, np.float32) * TASTE

    def __call__(self, observations: Floats, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The best-scored legal action of every row.

        Args:
            observations: float32 (n, 679).
            masks: bool (n, 171), the legal actions.

        Returns:
            Action ids, int64 (n,).
        """
        scores = score_actions(Sight(observations), self.weights) + self._taste
        scores[~masks] = -np.inf
        return np.asarray(scores.argmax(axis=1), dtype=np.int64)
