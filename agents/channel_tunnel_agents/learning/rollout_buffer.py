"""Credit for self-play in which every row is the seat to move.

Rewards are from one seat's perspective, and for the temporal differences so are the values: they run
straight through changes of seat, and the loser needs no special case. The policy, though, must be judged
from the mover's perspective: advantages change sign where the mover is the other seat (Rudolph et al. 2025
use the same layout).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import (
    MaskableRolloutBuffer,
    MaskableRolloutBufferSamples,
)

from channel_tunnel_agents.players.policy.form import TUNNEL_1987
from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv


class ZeroSumRolloutBuffer(MaskableRolloutBuffer):
    """A MaskableRolloutBuffer for `SelfPlayVecEnv`.

    The policy does not learn from a rival's decisions: their advantage is 0. The value does,
    otherwise it would know nothing of positions that only rivals lead to. Advantages are normalised
    here, over the learner's rows, so PPO must not do it again.

    Args:
        view: the seat whose perspective rewards use, as given to the environment.
        games: the environment, asked after every step for who moved and which decisions were a rival's; None: the
            mover is read from observations of the 1987 game, and there are no rivals.
        values_of_mover: values and returns take the mover's perspective too; else that of `view`.
        normalise: scale the learner's advantages to mean 0 and standard deviation 1.
    """

    advantages: NDArray[np.float32]
    action_masks: NDArray[np.bool_]

    def __init__(
        self,
        *args: Any,
        view: int = 0,
        games: SelfPlayVecEnv | None = None,
        values_of_mover: bool = False,
        normalise: bool = False,
        **kwargs: Any,
    ) -> None:
        self.view = view
        self.normalise = normalise
        self.games = games
        self.values_of_mover = values_of_mover
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        """Empty the buffer."""
        super().reset()
        self.action_masks = np.ones(self.action_masks.shape, np.bool_)  # a quarter of the memory
        self.by_rival = np.zeros((self.buffer_size, self.n_envs), np.bool_)
        self.movers = np.zeros((self.buffer_size, self.n_envs), np.int8)

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Add one decision of every row."""
        if self.games is not None:
            self.by_rival[self.pos] = self.games.rival_rows
            self.movers[self.pos] = self.games.movers
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values: Any, dones: Any) -> None:
        """Advantages take the mover's perspective; for values and returns see `values_of_mover`."""
        sign = _signs(self._who_moved() == self.view)
        if self.values_of_mover:
            if self.games is None:
                raise ValueError("values_of_mover needs `games`, which says who moves next")
            self.values *= sign
            next_sign = _signs(self.games.batch.to_play == self.view)
            last_values = last_values * torch.from_numpy(next_sign).to(last_values.device).reshape(
                last_values.shape
            )
        super().compute_returns_and_advantage(last_values, dones)
        self.advantages *= sign
        if self.values_of_mover:
            self.values *= sign
            self.returns *= sign
        if self.normalise:
            learned = self.advantages[~self.by_rival]
            self.advantages = (self.advantages - learned.mean()) / (learned.std() + 1e-8)
        self.advantages[self.by_rival] = 0.0

    def _who_moved(self) -> NDArray[Any]:
        """The seat that decided, (steps, N)."""
        if self.games is not None:
            return self.movers
        return (self.observations[..., TUNNEL_1987.side_column] > 0.5).astype(np.int8)

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


def _signs(own: NDArray[np.bool_]) -> NDArray[np.float32]:
    """1 where true, -1 elsewhere."""
    return np.where(own, 1.0, -1.0).astype(np.float32)
