"""Learning from a teacher, a scripted agent, before self-play.

The teacher plays every seat; some of its moves are replaced by random ones, so that the learner
also sees what to do in positions the teacher would not have reached. Policy: cross-entropy on the
teacher's moves. Value: the same lambda-returns as in PPO.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from stable_baselines3.common.utils import set_random_seed
from torch.nn import functional

from channel_tunnel_agents.base import AnyAgent, choose_actions
from channel_tunnel_env.envs.opponents import random_legal, reseed

if TYPE_CHECKING:
    from channel_tunnel_agents.learning.ppo import SelfPlayPPO
    from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv

RANDOM_SHARE = 0.15  # of the moves actually played
COLLECTING = 0.8  # share of an update's time in which games are played, roughly
BEGIN, UPDATE, END = range(3)  # part of every seed
Report = Callable[[float], object]


@dataclass
class Imitated:
    """How far the warm start is.

    Attributes:
        decisions: of the teacher, learned so far.
        is_over: whether self-play has its turn.
    """

    decisions: int = 0
    is_over: bool = False


class ImitationLessons:
    """Imitation, an update at a time.

    Every update follows from the seed, its number, the weights and the games in progress, so what is saved between
    two updates goes on as if it had never stopped.

    Args:
        teacher: its moves are learned.
        seed: of the games, the disturbed moves and the order of the rows.
    """

    def __init__(self, model: SelfPlayPPO, env: SelfPlayVecEnv, teacher: AnyAgent, seed: int) -> None:
        self._model, self._env, self._teacher, self._seed = model, env, teacher, seed

    @property
    def rows(self) -> int:
        """Decisions of an update."""
        return int(self._env.num_envs * self._model.n_steps)

    def new_games(self, part: int) -> None:
        """New games for the teacher (BEGIN), or for what comes after it (END)."""
        self._env.seed(int(self._words(part, 0, 1)[0]))
        self._model.left_off = self._env.reset(), np.ones(self._env.num_envs, np.bool_)

    def update(self, done: int, report: Report, may_stop: Callable[[], object]) -> float:
        """Let the teacher play, and learn its moves.

        Args:
            done: decisions learned before.
            report: called after every step with the share of the update that is done.
            may_stop: called after every step of the games; may raise, which leaves games and weights as they were.

        Returns:
            The share of the teacher's moves to which the network gave more than half of the probability.
        """
        players = (self._teacher, *self._env.rivals)
        first, disturb, *others = self._words(UPDATE, done, 2 + len(players)).tolist()
        set_random_seed(first)
        for player, seed in zip(players, others, strict=True):
            reseed(player, seed)
        games = self._env.batch.states.copy()
        try:
            self._collect(np.random.default_rng(disturb), report, may_stop)
        except BaseException:
            self._env.batch.restore(games)
            raise
        return self._fit(report)

    def _words(self, part: int, done: int, number: int) -> np.ndarray:
        return np.random.SeedSequence([self._seed, part, done]).generate_state(number)

    def _collect(self, rng: np.random.Generator, report: Report, may_stop: Callable[[], object]) -> None:
        """Fill the rollout buffer with the teacher's moves along its slightly randomised games."""
        model, env = self._model, self._env
        observations, starts = model.left_off
        buffer = model.rollout_buffer
        buffer.reset()
        no_log_probs = torch.zeros(env.num_envs)
        every = np.arange(env.num_envs)
        for step in range(model.n_steps):
            masks = env.action_masks()
            labels = choose_actions(self._teacher, env.batch, every)
            disturbed = rng.random(env.num_envs) < RANDOM_SHARE
            played = np.where(disturbed, random_legal(masks, rng), labels)
            values = self._values(observations)
            after, rewards, dones, _ = env.step(played)
            buffer.add(observations, labels[:, None], rewards, starts, values, no_log_probs, action_masks=masks)
            observations, starts = after, dones
            report(COLLECTING * (step + 1) / model.n_steps)
            may_stop()
        buffer.compute_returns_and_advantage(self._values(observations), starts)
        model.left_off = observations, starts

    @torch.no_grad()
    def _values(self, observations: np.ndarray) -> torch.Tensor:
        return self._model.policy.predict_values(torch.from_numpy(observations).to(self._model.device))

    def _fit(self, report: Report) -> float:
        """One pass over the buffer; returns the share described in `update`."""
        model = self._model
        policy, agreed, rows = model.policy, 0.0, 0
        policy.set_training_mode(True)
        for batch in model.rollout_buffer.get(model.batch_size):
            labels = batch.actions.long().flatten()
            values, log_probs, _ = policy.evaluate_actions(batch.observations, labels, action_masks=batch.action_masks)
            loss = -log_probs.mean()
            loss = loss + model.vf_coef * functional.mse_loss(values.flatten(), batch.returns)
            policy.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), model.max_grad_norm)
            policy.optimizer.step()
            agreed += float((log_probs.detach().exp() > 0.5).sum())
            rows += len(labels)
            report(COLLECTING + (1 - COLLECTING) * rows / self.rows)
        return agreed / max(rows, 1)
