"""Estimates of the first seat's chance to win: a trained policy's value, playouts, or the points so
far."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.game import measured_game
from channel_tunnel_agents.base import Agent, AgentError, agent_seed
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.registry import make_agent, make_plain_agent
from channel_tunnel_agents.search.worlds import NO_MOVE, Worlds, hashed, view_seeds
from channel_tunnel_env import BatchGame, Ruleset

Judge = Callable[[BatchGame, NDArray[np.intp]], NDArray[np.float64]]
"""Rows (n,) of a batch, all with running games -> the first seat's chance of winning (n,), 0..1, from what
the seat to move sees."""

SCORE = "score"
"""The judge that uses the points only; see `traces.judge_by_score`."""
ROLLOUT = "rollout"
MAX_WORLDS = 1024
MAX_WORLD_ROWS = 8192  # open worlds at a time: about 40 MB


def make_judge(spec: str, ruleset: Ruleset, seed: int = 0) -> Judge:
    """Make the judge with a name.

    Args:
        spec: a policy (`master`, `ppo:FOLDER`); `rollout:N`, the share of N playouts by the game's
            own player (`MeasuredGame.playout`) that the first seat wins; or `rollout:N:AGENT`, by another
            agent that plays from observations.
        seed: seeds the playouts.

    Raises:
        AgentError: none of these, or a number out of range.
        VersionError: a policy made for another ruleset or version.
    """
    kind, _, rest = spec.partition(":")
    if kind == ROLLOUT:
        count, _, player = rest.partition(":")
        if not count.isdecimal() or not 1 <= int(count) <= MAX_WORLDS:
            raise AgentError(f"judge {spec!r}: expected {ROLLOUT}:N or {ROLLOUT}:N:AGENT with N from 1 to {MAX_WORLDS}")
        rollout = make_plain_agent(player or measured_game(ruleset).playout, ruleset, seed)
        return partial(_rollouts, rollout, int(count), agent_seed(seed))
    agent = make_agent(spec, ruleset)
    if not isinstance(agent, PolicyAgent):
        raise AgentError(
            f"judge {spec!r}: expected a policy such as {shipped.player_for([ruleset])}, {ROLLOUT}:N, "
            f"{ROLLOUT}:N:AGENT or {SCORE}"
        )
    return partial(_value, agent)


def _value(policy: PolicyAgent, batch: BatchGame, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """The value estimate of the policy of the seat to move."""
    _, values = policy.judge(batch.observations[rows])
    chances = (values.astype(np.float64) + 1) / 2
    if policy.form.values_of_mover:
        chances = np.where(batch.to_play[rows] == 0, chances, 1 - chances)
    return np.asarray(np.clip(chances, 0.0, 1.0))


def _rollouts(agent: Agent, count: int, seed: int, batch: BatchGame, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """The share of `count` playouts by an agent that the first seat wins, in worlds that the seat to move holds possible.

    The first move is the same in all worlds of a position, because its player cannot tell them apart. The same view
    gives the same worlds.
    """
    found = [np.empty(0)]
    step = max(1, MAX_WORLD_ROWS // count)
    for some in (rows[i : i + step] for i in range(0, len(rows), step)):
        observations, masks = batch.observations[some], batch.masks[some]
        seeds = hashed(view_seeds(observations, masks, seed)[:, None], np.arange(count)[None, :])
        moves = np.asarray(agent(observations, masks), np.int64)
        opened = Worlds(batch, some, seeds, moves[:, None])
        while (live := np.flatnonzero(opened.live)).size:
            actions = np.full(len(opened.states), NO_MOVE, np.int64)
            actions[live] = agent(opened.observations[live], opened.masks[live])
            opened.step(actions)
        results = opened.results().astype(np.float64).reshape(len(some), count)
        found.append((results.mean(axis=1) + 1) / 2)
    return np.concatenate(found)
