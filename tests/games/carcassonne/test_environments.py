"""Carcassonne behind PettingZoo, Gymnasium and Stable-Baselines3: the same interfaces as the other game."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

import channel_tunnel_env
from channel_tunnel_env import BatchGame, IllegalActionError, RulesetError, StateError, VersionError
from channel_tunnel_env.games.carcassonne.game import Game
from channel_tunnel_env.games.carcassonne.spec import SPEC
from tests.envs.checkers import strict
from tests.games.carcassonne.records import ruleset_with


def play_on(game: Any, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    while not game.is_over:
        game.play(int(rng.choice(game.legal_ids())))
    return game


@pytest.mark.parametrize("players", [2, 3, 6])
def test_pettingzoo_accepts_it_with_every_number_of_seats(players: int) -> None:
    ruleset = ruleset_with(players=players)
    with strict():
        api_test(channel_tunnel_env.raw_env(ruleset=ruleset), num_cycles=300)
        parallel_api_test(channel_tunnel_env.parallel_env(ruleset=ruleset), num_cycles=300)


def test_it_is_made_by_its_id() -> None:
    env = pettingzoo.make("aec", f"channel_tunnel/carcassonne-{SPEC.version}")
    env.reset(seed=1)
    assert env.possible_agents == ["player_0", "player_1"]


@pytest.mark.parametrize("players", [2, 5])
def test_the_rewards_of_a_game_sum_to_nothing_and_the_winners_share_them(players: int) -> None:
    env = channel_tunnel_env.raw_env(ruleset=ruleset_with(players=players))
    rng = np.random.default_rng(players)
    for seed in range(6):
        env.reset(seed=seed)
        while not all(env.terminations.values()):
            env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
        points = {agent: score["total"] for agent, score in env.game.scores().items()}
        best = [agent for agent in points if points[agent] == max(points.values())]
        n, k = players, len(best)
        for agent, reward in env.rewards.items():
            expected = (n / k - 1) / (n - 1) if agent in best else -1 / (n - 1)
            assert reward == pytest.approx(expected, abs=1e-6)
        assert env.game.winner == (best[0] if k == 1 else None)
        assert env.infos["player_0"]["scores"]["player_1"]["total"] == points["player_1"]


@pytest.mark.parametrize("side", ["player_0", "player_1", "both"])
def test_gymnasium_accepts_one_seat(side: str) -> None:
    env = gymnasium.make("ChannelTunnel-v1", ruleset="carcassonne", side=side, illegal_action="lose")
    with strict():
        check_env(env.unwrapped, skip_render_check=True)


def test_an_unknown_seat_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"side 'britain': allowed: player_0, player_1, both"):
        gymnasium.make("ChannelTunnel-v1", ruleset="carcassonne", side="britain")


def test_many_gymnasium_rows_play_to_their_ends() -> None:
    env = gymnasium.make_vec("ChannelTunnel-v1", num_envs=6, ruleset=ruleset_with(players=3), side="both")
    observations, info = env.reset(seed=2)
    rng, ended = np.random.default_rng(0), 0
    for _ in range(400):
        actions = [int(rng.choice(np.flatnonzero(mask))) for mask in info["action_mask"]]
        observations, rewards, terminated, truncated, info = env.step(actions)
        ended += int(terminated.sum())
        assert not truncated.any() and ((rewards != 0) <= terminated).all()
    assert ended > 0 and np.isfinite(observations).all()


def test_stock_ppo_learns_from_a_seat() -> None:
    from sb3_contrib import MaskablePPO

    from channel_tunnel_env.envs.sb3 import SeatVecEnv

    env = SeatVecEnv(8, "carcassonne", side="both", seed=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, seed=1)
    model.learn(256)
    assert all(np.isfinite(p.detach().numpy()).all() for p in model.policy.parameters())


def test_zero_sum_self_play_is_between_two_seats() -> None:
    from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv

    SelfPlayVecEnv(2, "carcassonne", credit="zero_sum").reset()
    with pytest.raises(ValueError, match="3 seats: zero-sum credit is between two"):
        SelfPlayVecEnv(2, ruleset_with(players=3), credit="zero_sum")


def test_a_batch_holds_games_of_one_kind_and_size() -> None:
    with pytest.raises(ValueError, match="games carcassonne and tunnel_1987"):
        BatchGame(2, ["carcassonne", "standard"])
    with pytest.raises(ValueError, match="carcassonne has 2 seats, carcassonne-changed 3"):
        BatchGame(2, ["carcassonne", ruleset_with(players=3)])


def test_a_copy_goes_on_alike_and_a_pickle_is_checked() -> None:
    import pickle

    game = Game(seed=4)
    for _ in range(40):
        game.play(game.legal_ids()[-1])
    again = pickle.loads(pickle.dumps(game))
    assert play_on(game.clone(), 3).scores() == play_on(again, 3).scores()
    broken = game.states.copy()
    broken["hand"][0, 0] += 1
    with pytest.raises(StateError, match="followers in hand and on tiles"):
        Game.from_states(broken, game.ruleset)


def test_an_imagined_world_is_a_game_that_can_be_played() -> None:
    game = Game(seed=8)
    world = game.determinize("player_0", 3)
    assert world.legal_actions() == game.legal_actions()
    assert play_on(world, 1).is_over and not game.is_over


def test_illegal_actions_are_explained_and_change_nothing() -> None:
    game = Game(seed=3)
    before = game.states.tobytes()
    for action, why in {
        "cell 0 0": "a tile lies there",
        "cell 5 5": "no tile lies beside that cell",
        "rotate 1": "now the game asks for a cell for the tile drawn",
        "token 3": "now the game asks for a cell",
        "claim north": "unknown action",
    }.items():
        with pytest.raises(IllegalActionError, match=why):
            game.play(action)
    assert game.states.tobytes() == before
    assert game.explain(game.legal_ids()[0]) == ""


def test_every_illegal_action_of_random_games_has_a_reason() -> None:
    """And no legal one has: the reasons are those by which the rules list what is legal."""
    from channel_tunnel_env.games.carcassonne.engine.refusals import LEGAL, find_refusal

    reasons = set()
    for seed, variant in enumerate(("none", "follower", "steal", "paired", "no_block")):
        game = Game({"base": "carcassonne", "tunnel_variant": variant, "table": 9}, seed)
        rng = np.random.default_rng(seed)
        while not game.is_over:
            mask = game.mask.copy()
            for action in range(mask.size):
                found = find_refusal(game.states, 0, game.tables, action)
                assert (found == LEGAL) == bool(mask[action]), (game, action, found)
                reasons.add(int(found))
            action = int(rng.choice(game.legal_ids()))
            game.play(action)
    assert len(reasons) >= 17, sorted(reasons)


def test_an_action_is_called_by_its_name_or_its_number() -> None:
    for number in (0, 5, 1023, 1024, 1030, 1032, 1036, 1041, 1045, 1060, 1097):
        assert SPEC.actions.id_of(SPEC.actions.names[number]) == number
    assert SPEC.actions.id_of("cell 20 -20") == SPEC.actions.id_of("cell -12 12")
    assert len(set(SPEC.actions.names)) == SPEC.actions.count == 1098


@pytest.mark.parametrize("name", ["heuristic", "rookie", "frozen:rookie"])
def test_an_agent_of_the_other_game_is_refused_by_name(name: str) -> None:
    from channel_tunnel_agents.registry import make_agent

    with pytest.raises(VersionError, match=r"plays the game tunnel_1987; ruleset carcassonne is of"):
        make_agent(name, channel_tunnel_env.load_ruleset("carcassonne"))


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(RulesetError, match="game: 'chess': allowed: tunnel_1987, carcassonne"):
        channel_tunnel_env.load_ruleset({"game": "chess", "name": "x"})
