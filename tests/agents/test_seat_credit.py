"""Credit among any number of seats: each has its own rewards, values and returns."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch

from channel_tunnel_agents.learning.rollout_buffer import PerSeatRolloutBuffer
from channel_tunnel_env.envs.opponents import RandomOpponent
from channel_tunnel_env.envs.sb3 import PER_SEAT, ZERO_SUM, SelfPlayVecEnv

SHORT = {"base": "eurotunnel", "max_year": 1901}


def played(steps: int = 160, games: int = 3) -> tuple[PerSeatRolloutBuffer, list[dict[str, Any]], Any]:
    """Random games of seven powers with random values, a rival in some seats, and notes of what happened."""
    env = SelfPlayVecEnv(games, SHORT, seed=2, rivals=[RandomOpponent(1)], rival_share=0.4, credit=PER_SEAT)
    rng, notes = np.random.default_rng(1), []
    buffer = PerSeatRolloutBuffer(
        steps, env.observation_space, env.action_space, gae_lambda=0.8, gamma=1.0, n_envs=games, games=env
    )
    seen, starts = env.reset(), np.ones(games, np.bool_)
    for _ in range(steps):
        masks, mover = env.action_masks(), env.batch.to_play.copy()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        values = torch.from_numpy(rng.uniform(0, 1, games).astype(np.float32))
        env.step_async(actions)
        after, rewards, dones, _ = env.step_wait()
        assert rewards == pytest.approx(env.batch.rewards[np.arange(games), mover])
        notes.append({"mover": mover, "paid": env.batch.rewards.copy(), "dones": dones.copy()})
        buffer.add(seen, actions[:, None], rewards, starts, values, torch.zeros(games), action_masks=masks)
        seen, starts = after, dones
    last = rng.uniform(0, 1, games).astype(np.float32)
    buffer.compute_returns_and_advantage(torch.from_numpy(last), starts)
    return buffer, notes, (last, env.batch.to_play.copy())


def test_unjudged_rows_stay_out_of_the_normalised_advantages() -> None:
    """As the rivals' do: the last decisions of all seats but the one to play."""
    buffer, notes, (last, _) = played()
    plain = buffer.advantages.copy()
    learned = plain != 0
    assert (~learned & ~buffer.by_rival).any()
    buffer.normalise = True
    buffer.compute_returns_and_advantage(torch.from_numpy(last), notes[-1]["dones"])
    assert (buffer.advantages[~learned] == 0).all()
    expected = (plain[learned] - plain[learned].mean()) / plain[learned].std()
    assert buffer.advantages[learned] == pytest.approx(expected, rel=1e-3, abs=1e-4)


def test_credit_in_real_games_is_what_each_seats_own_decisions_say() -> None:
    """Seat by seat and game by game: its decisions in order, its result behind them, the plain recursion."""
    buffer, notes, (last, waiting) = played()
    ends = np.array([note["dones"] for note in notes])
    movers = np.array([note["mover"] for note in notes])
    assert ends.sum() >= 3
    judged = 0
    for game in range(ends.shape[1]):
        borders = [-1, *np.flatnonzero(ends[:, game]).tolist(), len(notes)]
        for begin, end in pairwise(borders):
            for seat in range(7):
                own = [t for t in range(begin + 1, min(end + 1, len(notes))) if movers[t, game] == seat]
                values = buffer.values[own, game].tolist()
                if end < len(notes):
                    after = float(notes[end]["paid"][game, seat])
                elif own and waiting[game] == seat:
                    after = float(last[game])
                else:  # its last decision is not judged
                    after = values[-1] if values else 0.0
                follow, advantage, expected = [*values[1:], after], 0.0, []
                for value, then in zip(values[::-1], follow[::-1], strict=True):
                    advantage = then - value + 0.8 * advantage
                    expected.append(advantage)
                expected.reverse()
                shown = np.where(buffer.by_rival[own, game], 0.0, expected)
                assert buffer.advantages[own, game] == pytest.approx(shown, abs=1e-5)
                assert buffer.returns[own, game] == pytest.approx(np.add(expected, values), abs=1e-5)
                judged += len(own)
    assert judged == buffer.values.size and 0 < buffer.by_rival.mean() < 0.2


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="7 seats: zero-sum credit is between two; take credit='per_seat'"):
        SelfPlayVecEnv(2, SHORT, credit=ZERO_SUM)
    with pytest.raises(ValueError, match="view 'turkey': every seat has its own"):
        SelfPlayVecEnv(2, SHORT, view="turkey", credit=PER_SEAT)
