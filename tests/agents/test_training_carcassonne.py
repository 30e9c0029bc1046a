"""Carcassonne is trained by the same trainer: one policy for all seats, by a network shaped like the game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from channel_tunnel_agents.base import AgentError, choose_action
from channel_tunnel_agents.learning.config import ConfigError, TrainConfig, make_config
from channel_tunnel_agents.learning.guards import TrainingStopped
from channel_tunnel_agents.learning.rollout_buffer import ZeroSumRolloutBuffer
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.matches.arena import play_match
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.network import SeatPolicy, SelfPlayNetwork
from channel_tunnel_agents.players.pretrained import load_policy
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import BatchGame, VersionError, load_ruleset
from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.observation import SECTION_BY_NAME, observation_size, offset
from channel_tunnel_env.games.carcassonne.game import Game

FORM = FORMS["carcassonne"]
SMALL = {
    "ruleset": "carcassonne",
    "network": "game",
    "width": 16,
    "depth": 1,
    "num_games": 16,
    "steps": 32,
    "batch_size": 256,
    "epochs": 1,
    "decisions": 1024,
    "evaluate_games": 2,
    "threads": 1,
}


def config(folder: Path, **more: Any) -> TrainConfig:
    return make_config(SMALL | {"run": str(folder)} | more)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    TrainingRun(config(folder, pool_slots=1, rival_share=0.5, pool_from=0.0, snapshots=2)).train()
    return folder


def test_a_run_leaves_one_policy_that_plays_both_seats(trained: Path) -> None:
    assert sorted(path.name for path in trained.glob("*.safetensors")) == ["player.safetensors"]
    rules = load_ruleset("carcassonne")
    agent = make_agent(f"ppo:{trained}", rules)
    assert play_match(agent, make_agent("random", rules, 1), 3, 5, rules).games == 3
    assert play_match(make_agent("random", rules, 1), agent, 3, 5, rules).games == 3
    card = load_policy(trained, rules).card
    assert (card["game"], card["observation_size"]) == ("carcassonne", observation_size(2))


def test_a_run_that_goes_on_equals_the_unbroken_one(tmp_path: Path) -> None:
    TrainingRun(config(tmp_path / "whole", decisions=1536)).train()
    stopped = TrainingRun(config(tmp_path / "parts", decisions=1536))
    stopped.stop_asked = lambda: stopped.model.num_timesteps >= 512
    with pytest.raises(TrainingStopped):
        stopped.train()
    TrainingRun(config(tmp_path / "parts", decisions=1536), resume=True).train()
    one, other = (load_policy(tmp_path / name, "carcassonne") for name in ("whole", "parts"))
    for name, weights in one.networks["player"].state_dict().items():
        assert torch.equal(weights, other.networks["player"].state_dict()[name]), name


def test_it_imitates_a_player_that_looks_at_whole_turns(tmp_path: Path) -> None:
    said: list[dict[str, Any]] = []
    run = TrainingRun(config(tmp_path, imitate="greedy", imitate_decisions=4096, decisions=512))
    run.train(said.append)
    assert [s["imitation"] for s in said if "imitation" in s] == ["greedy"]


def test_a_policy_of_another_game_or_number_of_seats_is_refused_by_name(trained: Path) -> None:
    with pytest.raises(VersionError, match="plays the game carcassonne; ruleset tiny is of the game"):
        make_agent(f"ppo:{trained}", load_ruleset("tiny"))
    with pytest.raises(VersionError, match="made for ruleset digest"):
        make_agent(f"ppo:{trained}", load_ruleset({"base": "carcassonne", "players": 3}))
    with pytest.raises(VersionError, match="plays the game tunnel_1987"):
        make_agent("master", load_ruleset("carcassonne"))
    with pytest.raises(AgentError, match="a puct search plays tunnel_1987"):
        make_agent(f"ppo-puct:{trained}", load_ruleset("carcassonne"))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"network": "mlp"}, "network mlp: for the game carcassonne: game"),
        ({"trunk": "separate"}, "one policy plays all seats of carcassonne: shared"),
    ],
)
def test_a_config_that_does_not_fit_the_game_is_one_line(tmp_path: Path, more: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        TrainingRun(config(tmp_path, **more))


def test_at_three_seats_each_is_credited_by_itself(tmp_path: Path) -> None:
    rules = load_ruleset({"base": "carcassonne", "players": 3})
    run = TrainingRun(config(tmp_path), ruleset=rules)
    assert run.credit == "per_seat" and len(run.env.batch.seats) == 3
    with pytest.raises(ConfigError, match="between two seats; at a table of 3: 0"):
        TrainingRun(config(tmp_path / "more", pool_slots=1, rival_share=0.5), ruleset=rules)


def test_credit_in_the_movers_view_is_that_of_the_first_seat_turned_over() -> None:
    """The same rewards and values, in the mover's view, give the same advantages."""
    env = SelfPlayVecEnv(6, "carcassonne", seed=3, credit="zero_sum")
    rng = np.random.default_rng(1)
    spaces = (env.observation_space, env.action_space)
    absolute = ZeroSumRolloutBuffer(60, *spaces, gae_lambda=0.9, gamma=1.0, n_envs=6, games=env)
    relative = ZeroSumRolloutBuffer(60, *spaces, gae_lambda=0.9, gamma=1.0, n_envs=6, games=env, values_of_mover=True)
    seen, starts = env.reset(), np.ones(6, np.bool_)
    changes = 0
    for _ in range(60):
        sign = np.where(env.batch.to_play == 0, 1.0, -1.0).astype(np.float32)
        changes += int((sign < 0).sum())
        masks = env.action_masks()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        values = rng.uniform(-1, 1, 6).astype(np.float32)
        env.step_async(actions)
        after, rewards, dones, _ = env.step_wait()
        rewards = rng.normal(size=6).astype(np.float32)  # games are long; every step pays here
        for buffer, turn in ((absolute, 1.0), (relative, sign)):
            told = torch.from_numpy(values * turn).float()
            buffer.add(seen, actions[:, None], rewards, starts, told, torch.zeros(6), action_masks=masks)
        seen, starts = after, dones
    last = torch.from_numpy(rng.uniform(-1, 1, 6).astype(np.float32))
    next_sign = torch.from_numpy(np.where(env.batch.to_play == 0, 1.0, -1.0).astype(np.float32))
    absolute.compute_returns_and_advantage(last, starts)
    relative.compute_returns_and_advantage(last * next_sign, starts)
    signs = np.where(relative.movers == 0, 1.0, -1.0)
    assert 60 < changes < 300
    assert np.allclose(absolute.advantages, relative.advantages, atol=1e-5)
    assert np.allclose(absolute.returns * signs, relative.returns, atol=1e-5)


def positions(players: int = 2, games: int = 8, steps: int = 90) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of random games at many stages."""
    batch = BatchGame(games, {"base": "carcassonne", "players": players}, seed=2, autoreset=True)
    rng, seen, legal = np.random.default_rng(0), [], []
    for step in range(steps):
        if step % 9 == 0:
            seen.append(batch.observations.copy())
            legal.append(batch.masks.copy() > 0)
        batch.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in batch.masks]))
    return np.concatenate(seen), np.concatenate(legal)


@pytest.mark.parametrize("players", [2, 5])
def test_every_legal_action_has_a_logit_of_its_own_whatever_the_seats(players: int) -> None:
    seen, legal = positions(players)
    torch.manual_seed(1)
    network = SelfPlayNetwork(32, 1, "shared", "game", FORM)
    for parameter in network.policy.parameters():
        torch.nn.init.normal_(parameter)
    rows = torch.from_numpy(seen)
    features = network.features(rows)
    logits = network.logits(features, torch.zeros(len(rows))).detach().numpy()
    assert (logits[legal] > -1e6).all()
    for row, mask in zip(logits, legal, strict=True):
        several = mask[: c.FIRST_ROTATE].sum() > 1
        assert not several or len(np.unique(row[: c.FIRST_ROTATE][mask[: c.FIRST_ROTATE]])) > 1


def test_a_place_is_judged_alike_wherever_and_however_it_lies() -> None:
    """Turned by a quarter, a table gives every cell and turn the score it had before."""
    seen, legal = positions()
    start = offset("cells", 2)
    section = SECTION_BY_NAME["cells"]
    width = len(section.columns)
    rows = seen[(legal[:, : c.FIRST_ROTATE].sum(1) > 1)]
    cells = rows[:, start:].reshape(len(rows), -1, width)
    turned = cells.copy()
    fits, sides = section.columns.index("fits turned 0"), section.columns.index("n city")
    each = (width - sides) // 4
    for side in range(4):
        after = (side + 1) % 4
        turned[:, :, fits + after] = cells[:, :, fits + side]
        turned[:, :, sides + each * after : sides + each * (after + 1)] = cells[
            :, :, sides + each * side : sides + each * (side + 1)
        ]
    other = rows.copy()
    other[:, start:] = turned.reshape(len(rows), -1)
    torch.manual_seed(2)
    policy = SeatPolicy(32, 1, "game", FORM).eval()
    with torch.no_grad():
        (before, value), (after_turn, same) = (policy(torch.from_numpy(x)) for x in (rows, other))
    assert torch.allclose(before[:, : c.FIRST_ROTATE], after_turn[:, : c.FIRST_ROTATE], atol=1e-4)
    assert torch.allclose(value, same, atol=1e-5)


def test_the_shipped_club_plays_from_its_card_and_never_loses_to_random() -> None:
    rules = load_ruleset("carcassonne")
    club = make_agent("club", rules)
    rival = make_agent("random", rules, 3)
    assert play_match(club, rival, 20, 9, rules).wins("player_0") >= 19
    game = Game(seed=4)
    game.play(choose_action(club, game))
    folder = load_policy("club", rules)
    assert folder.card["game"] == "carcassonne"
    assert "/" not in json.dumps(folder.card["config"].get("run", ""))
