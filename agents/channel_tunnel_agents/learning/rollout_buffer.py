"""Credit for self-play in which every row is the seat to move.

Between two seats with opposite results rewards are from one seat's perspective, and for the temporal
differences so are the values: they run straight through changes of seat, and the loser needs no special
case. The policy, though, must be judged from the mover's perspective: advantages change sign where the
mover is the other seat (Rudolph et al. 2025 use the same layout).

Among more seats one's gain is not another's loss: every seat has its own rewards and values, and its
differences run from each of its decisions to its own next one, over those of the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples

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

    def _finish(self, judged: NDArray[np.bool_]) -> None:
        """Normalise the advantages over the rows that the policy learns from; all others have none."""
        if self.normalise:
            learned = self.advantages[judged]
            self.advantages = (self.advantages - learned.mean()) / (learned.std() + 1e-8)
        self.advantages[~judged] = 0.0

    def _who_moved(self) -> NDArray[Any]:
        """The seat that decided, (steps, N)."""
        if self.games is not None:
            return self.movers
        return (self.observations[..., DEFAULT_FORM.side_column] > 0.5).astype(np.int8)

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:
        """All rows once, in random order, in minibatches of at most `batch_size` rows.

        Minibatches are of nearly equal size: a last one of a few rows would move the weights as far
        as a full one. In each, the rows of a seat are together, so that the seats' heads take
        them without copies. All rows become tensors once; the base class would copy every
        minibatch twice.
        """
        rows = self.by_rival.size
        wide = (self.observations, self.actions, self.action_masks)
        single = (self.values, self.log_probs, self.advantages, self.returns)
        observations, actions, masks = (self.to_torch(a.reshape(rows, -1), False) for a in wide)
        fields = (observations, actions, *(self.to_torch(a.reshape(rows), False) for a in single), masks)
        movers, order = self._who_moved().reshape(rows), np.random.permutation(rows)
        for part in np.array_split(order, -(-rows // (batch_size or rows))):
            chosen = torch.from_numpy(part[movers[part].argsort(kind="stable")]).to(self.device)
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
        sign = _signs(self._who_moved() == self.view)
        if self.values_of_mover:
            if self.games is None:
                raise ValueError("values_of_mover needs `games`, which says who moves next")
            self.values *= sign
            next_sign = _signs(self.games.batch.to_play == self.view)
            last_values = last_values * torch.from_numpy(next_sign).to(last_values.device).reshape(last_values.shape)
        super().compute_returns_and_advantage(last_values, dones)
        self.advantages *= sign
        if self.values_of_mover:
            self.values *= sign
            self.returns *= sign
        self._finish(~self.by_rival)


class PerSeatRolloutBuffer(SelfPlayRolloutBuffer):
    """Credit for each seat by itself, for `SelfPlayVecEnv(credit="per_seat")`; needs `games`.

    A seat's decision earns what the seat is paid until its own next decision, and the value there; at the end
    of a game every seat's last decision earns its result, regardless of who moved last. If the rollout ends before a
    seat decides again, only the seat whose turn it is has a value to go on with. The last decision of every
    other seat is then not judged: its advantage is 0 and its return its value, on which the seat's earlier
    decisions build.

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
        rows = np.arange(self.n_envs)
        ended = np.concatenate([self.episode_starts[1:], np.reshape(dones, (1, -1))]) > 0
        judged = np.zeros_like(self.by_rival)
        # By row and seat, looking back from the end: what came after the decision looked at.
        known = np.zeros((self.n_envs, self._seats), np.bool_)
        value, advantage, paid = (np.zeros(known.shape, np.float32) for _ in range(3))
        waiting = self.games.batch.to_play
        known[rows, waiting] = True
        value[rows, waiting] = last_values.cpu().numpy().reshape(-1)
        for step in reversed(range(self.buffer_size)):
            over = ended[step]
            known[over], value[over], advantage[over], paid[over] = True, 0.0, 0.0, 0.0
            paid += self.seat_rewards[step]
            own = (rows, self.movers[step])
            error = paid[own] + self.gamma * value[own] - self.values[step]
            judged[step] = known[own]
            gained = error + self.gamma * self.gae_lambda * advantage[own]
            self.advantages[step] = np.where(judged[step], gained, 0.0)
            known[own], value[own], paid[own] = True, self.values[step], 0.0
            advantage[own] = self.advantages[step]
        self.returns = self.advantages + self.values
        self._finish(judged & ~self.by_rival)


def _signs(own: NDArray[np.bool_]) -> NDArray[np.float32]:
    """1 where true, -1 elsewhere."""
    return np.where(own, 1.0, -1.0).astype(np.float32)
