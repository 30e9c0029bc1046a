"""Credit among any number of seats: each has its own rewards, values and returns."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from gymnasium import spaces

from channel_tunnel_agents.learning.rollout_buffer import PerSeatRolloutBuffer
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.envs.opponents import RandomOpponent
from channel_tunnel_env.envs.sb3 import PER_SEAT, ZERO_SUM, SelfPlayVecEnv

A, B, C = range(3)
SHORT = {"base": "eurotunnel", "max_year": 1901}


def fill(
    movers: list[int],
    values: list[float],
    rewards: dict[int, tuple[float, ...]],
    waiting: int = A,
    last_value: float = 0.0,
    gae_lambda: float = 0.5,
    seats: int = 3,
) -> PerSeatRolloutBuffer:
    """A buffer of one row of games; `rewards` by the step that ends a game; advantages computed."""
    games: Any = SimpleNamespace(
        seat_rewards=np.zeros((1, seats), np.float32),
        rival_rows=np.zeros(1, np.bool_),
        movers=np.zeros(1, np.int8),
        batch=SimpleNamespace(to_play=np.array([waiting], np.int8), machine=machine_of(load_ruleset(SHORT))),
    )
    buffer = PerSeatRolloutBuffer(
        len(movers),
        spaces.Box(0, 1, (1,), np.float32),
        spaces.Discrete(2),
        "cpu",
        gae_lambda=gae_lambda,
        gamma=1.0,
        n_envs=1,
        games=games,
    )
    start = True
    for step, (mover, value) in enumerate(zip(movers, values, strict=True)):
        games.movers[:] = mover
        games.seat_rewards[:] = rewards.get(step, (0.0,) * seats)
        buffer.add(
            np.zeros((1, 1), np.float32),
            np.zeros((1, 1)),
            games.seat_rewards[:, mover],
            np.array([start]),
            torch.tensor([value]),
            torch.zeros(1),
            action_masks=np.ones((1, 2)),
        )
        start = step in rewards
    buffer.compute_returns_and_advantage(torch.tensor([last_value]), np.array([start]))
    return buffer


def test_a_three_seat_game_against_a_hand_computed_one() -> None:
    """A, B, C, A, A, B; then the game pays 0.6, 0.3 and 0.1. lambda 0.5.

    A decides at 0, 3 and 4, B at 1 and 5, C at 2 alone: each line is one seat's.
    """
    buffer = fill([A, B, C, A, A, B], [0.3, 0.4, 0.2, 0.5, 0.7, 0.1], {5: (0.6, 0.3, 0.1)})
    a_third = 0.6 - 0.7
    a_second = (0.7 - 0.5) + 0.5 * a_third
    a_first = (0.5 - 0.3) + 0.5 * a_second
    b_second = 0.3 - 0.1
    b_first = (0.1 - 0.4) + 0.5 * b_second
    c_only = 0.1 - 0.2
    expected = [a_first, b_first, c_only, a_second, a_third, b_second]
    assert buffer.advantages[:, 0] == pytest.approx(expected)
    assert buffer.returns[:, 0] == pytest.approx([0.3 + a_first, 0.4 + b_first, 0.1, 0.5 + a_second, 0.6, 0.3])


def test_every_seat_earns_its_own_result_whoever_moved_last() -> None:
    """With values of 0 and lambda 1 all decisions of a seat earn its share, and none another's."""
    shares = (0.1, 0.0, 0.2, 0.3, 0.05, 0.25, 0.1)
    movers = [0, 0, 1, 3, 2, 4, 5, 6, 6, 3, 0]
    buffer = fill(movers, [0.0] * 11, {10: shares}, gae_lambda=1.0, seats=7)
    assert buffer.advantages[:, 0] == pytest.approx([shares[seat] for seat in movers])


def test_a_game_that_ends_gives_nothing_to_the_one_before_or_after() -> None:
    """Two games in a row; B is out of the second, and the first pays nobody else's decisions in it."""
    buffer = fill([A, B, C, A, C, A], [0.0] * 6, {2: (1.0, 0.0, 0.0), 5: (0.25, 0.5, 0.75)}, gae_lambda=1.0)
    assert buffer.returns[:, 0] == pytest.approx([1.0, 0.0, 0.0, 0.25, 0.75, 0.25])


def test_where_the_rollout_ends_only_the_seat_to_play_has_a_value_to_go_on_with() -> None:
    """B is to play next, at 0.9. The last decisions of A and C are not judged, and earlier ones build on them."""
    buffer = fill([A, B, C, A, B], [0.1, 0.2, 0.3, 0.4, 0.5], {}, waiting=B, last_value=0.9, gae_lambda=0.5)
    b_second = 0.9 - 0.5
    expected = [0.4 - 0.1, (0.5 - 0.2) + 0.5 * b_second, 0.0, 0.0, b_second]
    assert buffer.advantages[:, 0] == pytest.approx(expected)
    assert buffer.returns[[2, 3], 0] == pytest.approx([0.3, 0.4])


def test_unjudged_rows_stay_out_of_the_normalised_advantages() -> None:
    buffer = fill([A, B, C, A, B], [0.1, 0.2, 0.3, 0.4, 0.5], {}, waiting=B, last_value=0.9)
    plain = buffer.advantages[[0, 1, 4], 0].copy()
    buffer.normalise = True
    buffer.compute_returns_and_advantage(torch.tensor([0.9]), np.array([False]))
    assert (buffer.advantages[[2, 3], 0] == 0).all()
    expected = (plain - plain.mean()) / plain.std()
    assert buffer.advantages[[0, 1, 4], 0] == pytest.approx(expected, rel=1e-4)


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
