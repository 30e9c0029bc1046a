"""The curriculum of a run by drawn rulesets: those come again on which the learner has something to gain.

Prioritised level replay (Jiang et al. 2021): a level is a ruleset, its score what the learner misses against a yardstick, the
scripted rival. A seat that loses there may only be the worse one, so the score is that of the better seat. A ruleset
that was not played yet counts as an even one, so new ones come early.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

DOUBT = 2.0  # even games that every ruleset is held to have had in each seat
SHARPNESS = 3.0  # power of the scores


class Curriculum:
    """How often each ruleset is played next, from the games against the scripted rivals.

    Args:
        rulesets: how many there are.
        drawn: how many of them, the last ones, were drawn; only these come again.
        share: of the games that go to rulesets by their score; the rest goes to all alike.

    Attributes:
        games: float64 (rulesets, 2), games against scripted rivals, by the learner's seat.
        lost: float64 (rulesets, 2), how many of them the learner lost; a draw is half.
    """

    def __init__(self, rulesets: int, drawn: int, share: float) -> None:
        self.share = share
        self.is_drawn = np.arange(rulesets) >= rulesets - drawn
        self.games = np.zeros((rulesets, 2))
        self.lost = np.zeros((rulesets, 2))

    def count(self, rulesets: NDArray[np.intp], seats: NDArray[np.intp], lost: NDArray[np.float64]) -> None:
        """Record games that ended: their ruleset, the learner's seat and what it lost, each (n,)."""
        np.add.at(self.games, (rulesets, seats), 1.0)
        np.add.at(self.lost, (rulesets, seats), lost)

    def scores(self) -> NDArray[np.float64]:
        """What the better seat loses on each ruleset, 0 to 1; 0 for those that were not drawn."""
        rates = (self.lost + DOUBT / 2) / (self.games + DOUBT)
        return np.where(self.is_drawn, rates.min(axis=1), 0.0)

    def chances(self) -> NDArray[np.float64]:
        """The probability of each ruleset for the next game; they sum to 1."""
        sharp = self.scores() ** SHARPNESS
        even = np.full(len(sharp), 1 / len(sharp))
        total = sharp.sum()
        return even if not total else (1 - self.share) * even + self.share * sharp / total

    def state(self) -> dict[str, Any]:
        """The state that a checkpoint saves."""
        return {"games": self.games.tolist(), "lost": self.lost.tolist()}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a `state`.

        Raises:
            ValueError, KeyError, TypeError: no curriculum of these rulesets can have this state.
        """
        games, lost = (np.asarray(state[name], np.float64) for name in ("games", "lost"))
        if games.shape != self.games.shape or lost.shape != self.lost.shape:
            raise ValueError(f"curriculum of {len(games)} rulesets: the run has {len(self.games)}")
        if not (np.isfinite(games).all() and (lost >= 0).all() and (lost <= games).all()):
            raise ValueError("curriculum: more games lost than played, or non-finite counts")
        self.games, self.lost = games, lost
