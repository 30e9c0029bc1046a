"""Rollout buffers for self-play in which every row is the seat to move; `credit` says who earns what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples

from channel_tunnel_agents.learning import credit
from channel_tunnel_agents.players.policy.form import DEFAULT_FORM
from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv


class SelfPlayRolloutBuffer(MaskableRolloutBuffer):
    """A MaskableRolloutBuffer for `SelfPlayVecEnv`; how credit is given is its subclasses'.

    The policy does not learn from a rival's decisions: their advantage is 0. The value does,
    otherwise it would know nothing of positions that only rivals lead to. Advantages are normalised
    here, over the learner's rows, so PPO must not do it again.

    Args:
        games: the environment, asked after every step for who moved and which decisions were a rival's. None:
            the mover is read from observations of the 1987 game, and there are no rivals.
        normalise: scale the learner's advantages to mean 0 and standard deviation 1.
    """

    observations: NDArray[Any]
    advantages: NDArray[np.float32]
    action_masks: NDArray[np.bool_]

    def __init__(self, *args: Any, games: SelfPlayVecEnv | None = None, normalise: bool = False, **kwargs: Any) -> None:
        self.normalise = normalise
        self.games = games
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        """Empty the buffer."""
        super().reset()
        self.observations = np.zeros(self.observations.shape, self.observation_space.dtype)
        self.action_masks = np.ones(self.action_masks.shape, np.bool_)  # a quarter of the memory
        self.by_rival = np.zeros((self.buffer_size, self.n_envs), np.bool_)
        self.movers = np.zeros((self.buffer_size, self.n_envs), np.int8)

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Add one decision of every row."""
        row = self.pos
        if self.games is not None:
            self.by_rival[row] = self.games.rival_rows
            self.movers[row] = self.games.movers
        super().add(*args, **kwargs)
        self.rewards[row] /= self._stakes

    @property
    def _stakes(self) -> np.float32:
        """Values are bounded by a win and a loss, so rewards are in units of the game's stakes."""
        return np.float32(1.0 if self.games is None else self.games.batch.machine.spec.outcome.stakes)

    def _ended(self, dones: Any) -> torch.Tensor:
        """bool (steps, N), games that a step ended, of which the buffer notes the next step; `dones`: the last one's."""
        return torch.from_numpy(np.concatenate([self.episode_starts[1:], np.reshape(dones, (1, -1))]) > 0)

    def _finish(self, advantages: torch.Tensor, judged: NDArray[np.bool_]) -> None:
        """Keep the advantages of the rows that the policy learns from, normalised if asked; all others have none."""
        chosen = torch.from_numpy(judged)
        kept = credit.normalised(advantages, chosen) if self.normalise else advantages * chosen
        self.advantages = kept.numpy()

    def _who_moved(self) -> NDArray[Any]:
        """The seat that decided, (steps, N)."""
        if self.games is not None:
            return self.movers
        return (self.observations[..., DEFAULT_FORM.side_column] > 0.5).astype(np.int8)

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:
        """All rows once, as `minibatches` deals them.

        All rows become tensors once; the base class would copy every minibatch twice.
        """
        rows = self.by_rival.size
        wide = (self.observations, self.actions, self.action_masks)
        single = (self.values, self.log_probs, self.advantages, self.returns)
        observations, actions, masks = (self.to_torch(a.reshape(rows, -1), False) for a in wide)
        fields = (observations, actions, *(self.to_torch(a.reshape(rows), False) for a in single), masks)
        for part in minibatches(self._who_moved().reshape(rows), batch_size or rows):
            chosen = torch.from_numpy(part).to(self.device)
            yield MaskableRolloutBufferSamples(*(field[chosen] for field in fields))


class ZeroSumRolloutBuffer(SelfPlayRolloutBuffer):
    """Credit between two seats, for `SelfPlayVecEnv(credit="zero_sum")`.

    Args:
        view: the seat whose perspective rewards use, as given to the environment: 0 or 1.
        values_of_mover: values and returns take the mover's perspective too; else that of `view`.
        args: as for sb3-contrib's `MaskableRolloutBuffer`.
        kwargs: likewise; and `games`, the environment, and `normalise`, which scales the learner's advantages to mean 0
            and standard deviation 1.
    """

    def __init__(self, *args: Any, view: int = 0, values_of_mover: bool = False, **kwargs: Any) -> None:
        self.view = view
        self.values_of_mover = values_of_mover
        super().__init__(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values: Any, dones: Any) -> None:
        """Advantages take the mover's perspective; for values and returns see `values_of_mover`.

        Args:
            last_values: torch (N,), values after the last step.
            dones: bool (N,), games that the last step ended.

        Raises:
            ValueError: `values_of_mover` without `games`.
        """
        own = credit.signs(torch.from_numpy(self._who_moved() == self.view))
        values, last = torch.from_numpy(self.values), last_values.cpu().reshape(-1)
        if self.values_of_mover:
            if self.games is None:
                raise ValueError("values_of_mover needs `games`, which says who moves next")
            values = values * own
            last = last * credit.signs(torch.from_numpy(self.games.batch.to_play == self.view))
        rewards = torch.from_numpy(self.rewards)
        advantages = credit.zero_sum(rewards, values, self._ended(dones), last, self.gamma, self.gae_lambda)
        returns = advantages + values
        self.returns = (returns * own if self.values_of_mover else returns).numpy()
        self._finish(advantages * own, ~self.by_rival)


class PerSeatRolloutBuffer(SelfPlayRolloutBuffer):
    """Credit for each seat by itself, for `SelfPlayVecEnv(credit="per_seat")`; needs `games`; see `credit.per_seat`.

    A decision that is not judged has an advantage of 0, and its value as its return.

    Args:
        games: the environment.
        normalise: scale the learner's advantages to mean 0 and standard deviation 1.
        args: as for sb3-contrib's `MaskableRolloutBuffer`.
        kwargs: likewise.
    """

    def reset(self) -> None:
        """Empty the buffer."""
        super().reset()
        assert self.games is not None, "PerSeatRolloutBuffer needs `games`"
        self._seats = self.games.seat_rewards.shape[1]
        self.seat_rewards = np.zeros((self.buffer_size, self.n_envs, self._seats), np.float32)

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Add one decision of every row.

        Args:
            args: as for sb3-contrib's `MaskableRolloutBuffer.add`.
            kwargs: likewise.
        """
        assert self.games is not None
        self.seat_rewards[self.pos] = self.games.seat_rewards / self._stakes
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values: Any, dones: Any) -> None:
        """Advantages, values and returns of each row's mover.

        Args:
            last_values: torch (N,), values after the last step, of the seats to move.
            dones: bool (N,), games that the last step ended.
        """
        assert self.games is not None
        values = torch.from_numpy(self.values)
        advantages, judged = credit.per_seat(
            torch.from_numpy(self.seat_rewards),
            values,
            self._ended(dones),
            last_values.cpu().reshape(-1),
            torch.from_numpy(self.movers.astype(np.int64)),
            torch.from_numpy(self.games.batch.to_play.astype(np.int64)),
            self.gamma,
            self.gae_lambda,
        )
        self.returns = (advantages + values).numpy()
        self._finish(advantages, judged.numpy() & ~self.by_rival)


def minibatches(movers: NDArray[np.integer[Any]], size: int) -> Iterator[NDArray[np.intp]]:
    """All rows once, in random order, in parts of at most `size` rows.

    They are of nearly equal size: a last one of a few rows would move the weights as far as a full one. In each,
    the rows of a seat are together, so that the seats' heads take them without copies.

    Args:
        movers: int (rows,), the seat that decided.
    """
    rows = len(movers)
    for part in np.array_split(np.random.permutation(rows), -(-rows // size)):
        yield part[movers[part].argsort(kind="stable")]
