"""The scripted players of 1987 Channel Tunnel, who consider what a club player would.

They read counts from the named sections of the observation (`sight`), value each kind of action in
approximate victory points (`worth`) and score all actions (`scores`): the race to the centre, the
expected cost of the next deviation cards, money and steps kept for corrections, cards that score,
stacks of discs. Their preferences are one dataclass (`weights`), so that archetypes
change numbers, not code.

They look one action ahead and keep no state between decisions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.games.tunnel_1987.players.scores import choose_best, score_actions
from channel_tunnel_agents.games.tunnel_1987.players.sight import Floats, Sight, figures_of
from channel_tunnel_agents.games.tunnel_1987.players.weights import ARCHETYPES, Weights
from channel_tunnel_agents.players.scripted import key_of
from channel_tunnel_env import Ruleset, load_ruleset

__all__ = ["ARCHETYPES", "HeuristicAgent", "Weights"]


class HeuristicAgent:
    """The scripted player.

    A row's choice depends only on that row and the seed (see `scores`).

    Args:
        seed: seeds the tie-breaking; 0 or more.
        weights: its preferences; default: those of the heuristic.
        name: as shown in tables.
        ruleset: the one it plays, whose numbers it uses. None: the standard ruleset, even if another is
            actually played.
    """

    def __init__(
        self, seed: int = 0, weights: Weights | None = None, name: str = "heuristic", ruleset: Ruleset | None = None
    ) -> None:
        self.name = name
        self.figures = figures_of(ruleset or load_ruleset())
        self.weights = weights or ARCHETYPES["heuristic"]
        self._key = key_of(seed)

    def __call__(self, observations: Floats, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The best-scored legal action of every row.

        Args:
            observations: float32 (n, D).
            masks: bool (n, A), the legal actions.

        Returns:
            Action ids, int64 (n,).
        """
        scores = score_actions(Sight(observations), self.weights, self.figures)
        return choose_best(scores, masks, observations, self._key)


NAMES = tuple(ARCHETYPES)


def make_scripted(name: str, ruleset: Ruleset | None = None, seed: int = 0) -> HeuristicAgent:
    """The scripted player with a name of NAMES, for a ruleset."""
    return HeuristicAgent(seed, ARCHETYPES[name], name, ruleset)
