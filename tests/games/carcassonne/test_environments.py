"""Carcassonne behind PettingZoo, Gymnasium and Stable-Baselines3: the same interfaces as the other game."""

from __future__ import annotations

import numpy as np
import pytest

import channel_tunnel_env
from channel_tunnel_env import BatchGame, IllegalActionError
from channel_tunnel_env.games.carcassonne.game import Game
from channel_tunnel_env.games.carcassonne.spec import SPEC
from tests.games.carcassonne.records import ruleset_with


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


def test_a_batch_holds_games_of_one_kind_and_size() -> None:
    with pytest.raises(ValueError, match="games carcassonne and tunnel_1987"):
        BatchGame(2, ["carcassonne", "standard"])
    with pytest.raises(ValueError, match="carcassonne has 2 seats, carcassonne-changed 3"):
        BatchGame(2, ["carcassonne", ruleset_with(players=3)])


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


def test_a_cell_has_a_name_for_every_way_round_the_torus() -> None:
    assert SPEC.actions.id_of("cell 20 -20") == SPEC.actions.id_of("cell -12 12")
