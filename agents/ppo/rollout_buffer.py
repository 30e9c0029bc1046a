"""Credit for self-play in which every row is the seat to move.

Rewards and values are in one seat's view, so temporal differences run straight through changes of
seat and the loser needs no special case. The policy, though, must be judged in the mover's view:
advantages change sign where the mover is the other seat (Rudolph et al. 2025 use the same layout).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

from agents.ppo.network import SIDE


class ZeroSumRolloutBuffer(MaskableRolloutBuffer):
    """A MaskableRolloutBuffer for `SelfPlayVecEnv`.

    Args:
        view: the seat whose view rewards and values are in, as given to the environment.
    """

    def __init__(self, *args: Any, view: int = 0, **kwargs: Any) -> None:
        self.view = view
        super().__init__(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values: Any, dones: Any) -> None:
        """Values and returns stay in the view's seat; advantages turn to the mover's."""
        super().compute_returns_and_advantage(last_values, dones)
        mover_is_france = self.observations[..., SIDE] > 0.5
        own = mover_is_france == bool(self.view)
        self.advantages *= np.where(own, 1.0, -1.0).astype(np.float32)
