"""Eurotunnel Diplomacy behind PettingZoo, Gymnasium and Stable-Baselines3: the interfaces of the other games."""

from __future__ import annotations

import pickle

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, seed_test

import channel_tunnel_env
from channel_tunnel_env import BatchGame, IllegalActionError, StateError, VersionError
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.game import Game
from channel_tunnel_env.games.eurotunnel.spec import SEATS, SPEC
from tests.envs.checkers import strict

from .arena import ruleset_with
from .play import play_on

AGENTS = [f"{seat}_{number}" for number, seat in enumerate(SEATS)]
SHORT = {"max_year": 1902}


def test_pettingzoo_accepts_it() -> None:
    ruleset = ruleset_with(**SHORT)
    with strict():
        api_test(channel_tunnel_env.raw_env(ruleset=ruleset), num_cycles=200)
        parallel_api_test(channel_tunnel_env.parallel_env(ruleset=ruleset), num_cycles=150)
        seed_test(lambda: channel_tunnel_env.env(ruleset=ruleset), num_cycles=60)


def test_it_is_made_by_its_id_with_seven_agents() -> None:
    env = pettingzoo.make("aec", f"channel_tunnel/eurotunnel-{SPEC.version}")
    env.reset(seed=1)
    assert env.possible_agents == AGENTS and env.agent_selection == "austria_0"
    assert AGENTS[0] == "austria_0" and AGENTS[-1] == "turkey_6"


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


def test_a_solo_takes_everything() -> None:
    game = Game({"base": "eurotunnel", "victory_centres": 3, **SHORT}, 1)
    play_on(game, 1)
    winner = game.seats.index(str(game.winner))
    assert game.end_cause == "solo" and game.scores()[str(game.winner)]["total"] >= 3
    assert game.result() == tuple(float(seat == winner) for seat in range(7))


def test_an_absent_power_is_an_agent_that_is_never_asked() -> None:
    env = channel_tunnel_env.raw_env(ruleset=ruleset_with(absent=["AUSTRIA", "ITALY"], **SHORT))
    env.reset(seed=1)
    rng, asked = np.random.default_rng(1), set()
    while not all(env.terminations.values()):
        asked.add(env.agent_selection)
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
    assert asked == set(AGENTS) - {"austria_0", "italy_4"}


@pytest.mark.parametrize("side", ["austria", "turkey", "both"])
def test_gymnasium_accepts_one_seat(side: str) -> None:
    env = gymnasium.make("ChannelTunnel-v1", ruleset=ruleset_with(**SHORT), side=side, illegal_action="lose")
    with strict():
        check_env(env.unwrapped, skip_render_check=True)


def test_many_gymnasium_rows_play_to_their_ends() -> None:
    env = gymnasium.make_vec("ChannelTunnel-v1", num_envs=7, ruleset=ruleset_with(max_year=1901), side="both")
    observations, info = env.reset(seed=2)
    rng, rewards_of_ends = np.random.default_rng(0), []
    for _ in range(40):
        actions = [int(rng.choice(np.flatnonzero(mask))) for mask in info["action_mask"]]
        observations, rewards, terminated, truncated, info = env.step(actions)
        assert not truncated.any() and ((rewards != 0) <= terminated).all()
        rewards_of_ends += rewards[terminated].tolist()
    assert len(rewards_of_ends) >= 7 and np.isfinite(observations).all()
    assert all(0 <= reward < 1 for reward in rewards_of_ends)


@pytest.mark.heavy
def test_stock_ppo_learns_from_a_seat() -> None:
    from sb3_contrib import MaskablePPO

    from channel_tunnel_env.envs.sb3 import SeatVecEnv

    env = SeatVecEnv(4, ruleset_with(max_year=1901), side="both", seed=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=16, n_epochs=1, seed=1)
    model.learn(32)
    assert all(np.isfinite(p.detach().numpy()).all() for p in model.policy.parameters())


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


def test_a_copy_goes_on_alike_and_a_pickle_is_checked() -> None:
    game = Game(SHORT | {"base": "eurotunnel"}, seed=4)
    play_on(game, 4, decisions=60)
    again = pickle.loads(pickle.dumps(game))
    assert play_on(game.clone(), 3).scores() == play_on(again, 3).scores()
    broken = game.states.copy()
    broken["owner"][0, 0] = 3
    with pytest.raises(StateError, match="only centres have owners"):
        Game.from_states(broken, game.ruleset)


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


def test_random_bytes_are_no_state() -> None:
    rng = np.random.default_rng(1)
    game = Game(seed=1)
    for _ in range(50):
        with pytest.raises(StateError):
            Game.from_states(rng.bytes(game.states.nbytes), game.ruleset)  # type: ignore[arg-type]


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


@pytest.mark.parametrize("name", ["heuristic", "rookie"])
def test_an_agent_of_the_first_game_is_refused_by_name(name: str) -> None:
    from channel_tunnel_agents.registry import make_agent

    with pytest.raises(VersionError, match=r"plays the game tunnel_1987; ruleset eurotunnel is of"):
        make_agent(name, channel_tunnel_env.load_ruleset("eurotunnel"))


def test_an_illegal_action_changes_nothing() -> None:
    game = Game(seed=3)
    before = game.states.tobytes()
    with pytest.raises(IllegalActionError, match="austria to play, turn 1"):
        game.play("* - LON")
    assert game.states.tobytes() == before
    assert game.explain("* H") == "" and game.question == "an order for A BUD"
