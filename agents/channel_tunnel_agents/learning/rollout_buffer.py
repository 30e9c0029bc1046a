"""Credit for self-play in which every row is the seat to move.

Rewards and values are from one seat's perspective, so temporal differences run straight through
changes of seat and the loser needs no special case. The policy, though, must be judged from the
mover's perspective: advantages change sign where the mover is the other seat (Rudolph et al. 2025
use the same layout).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import (
    MaskableRolloutBuffer,
    MaskableRolloutBufferSamples,
)

from channel_tunnel_agents.players.policy.network import SIDE


class ZeroSumRolloutBuffer(MaskableRolloutBuffer):
    """A MaskableRolloutBuffer for `SelfPlayVecEnv`.

    The policy does not learn from a rival's decisions: their advantage is 0. The value does,
    otherwise it would know nothing of positions that only rivals lead to. Advantages are normalised
    here, over the learner's rows, so PPO must not do it again.

    Args:
        view: the seat whose perspective rewards and values use, as given to the environment.
        rival_rows: called after every step; returns which rows' decision was a rival's, bool (N,).
        normalise: scale the learner's advantages to mean 0 and standard deviation 1.
    """

    advantages: NDArray[np.float32]
    action_masks: NDArray[np.bool_]

    def __init__(
        self,
        *args: Any,
        view: int = 0,
        rival_rows: Callable[[], NDArray[np.bool_]] | None = None,
        normalise: bool = False,
        **kwargs: Any,
    ) -> None:
        self.view = view
        self.normalise = normalise
        self._ask_rival_rows = rival_rows
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        """Empty the buffer."""
        super().reset()
        self.action_masks = np.ones(self.action_masks.shape, np.bool_)  # a quarter of the memory
        self.by_rival = np.zeros((self.buffer_size, self.n_envs), np.bool_)

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Add one decision of every row."""
        if self._ask_rival_rows is not None:
            self.by_rival[self.pos] = self._ask_rival_rows()
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values: Any, dones: Any) -> None:
        """Values and returns keep the perspective of `view`; advantages take the mover's."""
        super().compute_returns_and_advantage(last_values, dones)
        mover_is_france = self.observations[..., SIDE] > 0.5
        own = mover_is_france == bool(self.view)
        self.advantages *= np.where(own, 1.0, -1.0).astype(np.float32)
        if self.normalise:
            learned = self.advantages[~self.by_rival]
            self.advantages = (self.advantages - learned.mean()) / (learned.std() + 1e-8)
        self.advantages[self.by_rival] = 0.0

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:
        """All rows once, in random order, in minibatches of at most `batch_size` rows.

        Minibatches are of nearly equal size: a last one of a few rows would move the weights as far
        as a full one. All rows become tensors once; the base class would copy every minibatch
        twice.
        """
        rows = self.by_rival.size
        wide = (self.observations, self.actions, self.action_masks)
        single = (self.values, self.log_probs, self.advantages, self.returns)
        observations, actions, masks = (self.to_torch(a.reshape(rows, -1), False) for a in wide)
        fields = (
            observations,
            actions,
            *(self.to_torch(a.reshape(rows), False) for a in single),
            masks,
        )
        order = torch.from_numpy(np.random.permutation(rows)).to(self.device)
        for chosen in order.tensor_split(-(-rows // (batch_size or rows))):
            yield MaskableRolloutBufferSamples(*(field[chosen] for field in fields))
