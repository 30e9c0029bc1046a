"""A warm start: imitate a scripted agent before self-play.

The teacher plays both seats; some of its moves are replaced by random ones, so that the learner
also sees what to do in positions the teacher would not have reached. Policy: cross-entropy on the
teacher's moves. Value: the same lambda-returns as in PPO.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional

from channel_tunnel_agents.base import AnyAgent, choose_actions
from channel_tunnel_env.envs.opponents import random_legal

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO

    from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv

RANDOM_SHARE = 0.15  # of the moves actually played


def imitate(
    model: MaskablePPO,
    env: SelfPlayVecEnv,
    teacher: AnyAgent,
    decisions: int,
    seed: int,
    report: Callable[[float], object] = lambda share: None,
) -> float:
    """Train the model's network on about `decisions` of the teacher's moves.

    `report` is called with the share that is done, and may raise to stop.

    Returns the share of the teacher's moves, over the last rows, to which the network gave more
    than half of the probability.
    """
    rng = np.random.default_rng(seed)
    observations = env.reset()
    starts = np.ones(env.num_envs, np.bool_)
    agreement = 0.0
    rows_an_update = env.num_envs * model.n_steps
    updates = max(1, decisions // rows_an_update)
    for update in range(updates):
        report(update / updates)
        observations, starts = _collect(model, env, teacher, rng, observations, starts)
        agreement = _fit(model)
    env.reset()
    return agreement


def _collect(
    model: MaskablePPO,
    env: SelfPlayVecEnv,
    teacher: AnyAgent,
    rng: np.random.Generator,
    observations: np.ndarray,
    starts: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Fill the rollout buffer with the teacher's moves along its slightly randomised games."""
    buffer = model.rollout_buffer
    buffer.reset()
    no_log_probs = torch.zeros(env.num_envs)
    every = np.arange(env.num_envs)
    for _ in range(model.n_steps):
        masks = env.action_masks()
        labels = choose_actions(teacher, env.batch, every)
        disturbed = rng.random(env.num_envs) < RANDOM_SHARE
        played = np.where(disturbed, random_legal(masks, rng), labels)
        values = _values(model, observations)
        after, rewards, dones, _ = env.step(played)
        buffer.add(
            observations, labels[:, None], rewards, starts, values, no_log_probs, action_masks=masks
        )
        observations, starts = after, dones
    buffer.compute_returns_and_advantage(_values(model, observations), starts)
    return observations, starts


@torch.no_grad()
def _values(model: MaskablePPO, observations: np.ndarray) -> torch.Tensor:
    return model.policy.predict_values(torch.from_numpy(observations).to(model.device))


def _fit(model: MaskablePPO) -> float:
    """One pass over the buffer; returns the share described in `imitate`."""
    policy, agreed, rows = model.policy, 0.0, 0
    policy.set_training_mode(True)
    for batch in model.rollout_buffer.get(model.batch_size):
        labels = batch.actions.long().flatten()
        values, log_probs, _ = policy.evaluate_actions(
            batch.observations, labels, action_masks=batch.action_masks
        )
        loss = -log_probs.mean()
        loss = loss + model.vf_coef * functional.mse_loss(values.flatten(), batch.returns)
        policy.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), model.max_grad_norm)
        policy.optimizer.step()
        agreed += float((log_probs.detach().exp() > 0.5).sum())
        rows += len(labels)
    return agreed / max(rows, 1)
