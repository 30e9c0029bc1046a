"""`hold`: units hold, dislodged ones disband, nothing is built; the first units are removed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.games.eurotunnel.engine import constants as c

PASSIVE = (c.ID_HOLD, c.ID_DISBAND, c.ID_WAIVE, c.ID_PERMIT_DONE, c.ID_VOTE_NO)


class HoldAgent:
    """Does nothing wherever the rules allow it."""

    name = "hold"
    blind = True  # the mask says enough

    def __call__(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """One legal action for every row."""
        actions: NDArray[np.int64] = masks.argmax(axis=1)
        for action in PASSIVE:
            actions[masks[:, action]] = action
        return actions
