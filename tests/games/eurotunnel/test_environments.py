"""Eurotunnel Diplomacy behind PettingZoo, Gymnasium and Stable-Baselines3: the interfaces of the other games."""

from __future__ import annotations

import numpy as np
import pytest

import channel_tunnel_env
from channel_tunnel_env import BatchGame, StateError
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.game import Game
from channel_tunnel_env.games.eurotunnel.spec import SEATS
from tests.random_games import play_on

from .arena import ruleset_with

AGENTS = [f"{seat}_{number}" for number, seat in enumerate(SEATS)]
SHORT = {"max_year": 1902}


@pytest.mark.parametrize("score", c.LIMIT_SCORES)
@pytest.mark.parametrize("centred", [False, True])
def test_the_rewards_are_the_shares_that_the_ruleset_scores(score: str, centred: bool) -> None:
    ruleset = ruleset_with(limit_score=score, centred=centred, **SHORT)
    env = channel_tunnel_env.raw_env(ruleset=ruleset)
    env.reset(seed=3)
    rng = np.random.default_rng(3)
    while not all(env.terminations.values()):
        assert not any(env.rewards.values())
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
    shares = _shares(env.game, score)
    for agent, share in zip(AGENTS, shares, strict=True):
        assert env.rewards[agent] == pytest.approx(share - centred / 7, abs=1e-6)
        info = env.infos[agent]
        assert info["winner"] is None and info["end_cause"] == "max_year"
        assert set(info["scores"]["england"]) == {"home", "captured", "total"}
    assert sum(env.rewards.values()) == pytest.approx(0 if centred else 1, abs=1e-6)


def _shares(game: Game, score: str) -> list[float]:
    """By the sentences of the rules (8.3), from what the infos say and what stands on the board."""
    centres = [points["total"] for points in game.scores().values()]
    units = [int((game.state.unit_power == seat).sum()) for seat in range(len(SEATS))]
    weights: list[float] = {
        "sos": [n * n for n in centres],
        "centres": centres,
        "dss": [n > 0 for n in units],
        "pieces": [n == max(units) for n in units],
    }[score]
    return [weight / sum(weights) for weight in weights]


def test_finished_rows_start_again_and_are_told_without_a_winner() -> None:
    from channel_tunnel_env.envs.results import BatchResults

    batch = BatchGame(2, ruleset_with(max_year=1901), seed=1, autoreset=True, observe=False)
    rng = np.random.default_rng(1)
    while not batch.terminated.any():
        batch.step([int(rng.choice(np.flatnonzero(mask))) for mask in batch.masks])
    ended = np.flatnonzero(batch.terminated)
    (info, *_) = BatchResults.of(batch, ended).infos()
    assert info["winner"] is None and info["end_cause"] == "max_year"
    assert batch.rewards[ended].sum(axis=1) == pytest.approx(1)
    assert (batch.states.year[ended] == 1901).all() and not batch.states.end_cause[ended].any()


GARBAGE = {
    "cursor": 99,
    "asked": 7,
    "phase": -3,
    "season": 9,
    "to_play": 7,
    "tunnel_pair": 2000,
    "tunnel_state": 9,
    "told_order": 3530,
    "told_power": 11,
    "lost_from": 80,
    "unit_location": 90,
    "written": 1500,
    "turn": 5,
    "share": float("nan"),
    "winner": 3,
    "quota": 100,
}


@pytest.mark.parametrize("field", GARBAGE)
def test_a_state_from_outside_that_play_cannot_reach_is_refused(field: str) -> None:
    game = play_on(Game(seed=1), 1, decisions=30)
    broken = game.states.copy()
    broken[field][0] = GARBAGE[field]
    with pytest.raises(StateError, match="not a possible state"):
        Game.from_states(broken, game.ruleset)


def test_an_imagined_game_keeps_the_viewers_answers_and_asks_the_others_again() -> None:
    game, rng, asked_later = Game(ruleset_with(max_year=1902, draw_vote=True), 8), np.random.default_rng(8), 0
    while not game.is_over:
        for seat in range(len(game.seats)):
            world = game.determinize(seat, 3)
            assert (world.phase, world.turn) == (game.phase, game.turn)
            assert (world.observation(seat) == game.observation(seat)).all()
            assert not game.spec.record.find_faults(world.states, world.tables, True)[0]
            kept = world.state.written != c.NONE
            assert (world.state.written[kept] == game.state.written[kept]).all()
        world = game.determinize(game.mover, 3)
        assert world.mover == game.mover and (world.mask == game.mask).all()
        assert world.determinize(game.mover, 5).states.tobytes() == game.determinize(game.mover, 5).states.tobytes()
        if rng.random() < 0.05:
            phase, movers = world.phase_key, []
            while not world.is_over and world.phase_key == phase:
                movers += [world.mover] if world.mover not in movers else []
                world.play(int(rng.choice(world.legal_ids())))
                assert not game.spec.record.find_faults(world.states, world.tables, True)[0]
            asked_later += movers != sorted(movers)
            assert play_on(world, 1).is_over
        game.play(int(rng.choice(game.legal_ids())))
    assert asked_later
