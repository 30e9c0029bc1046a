"""RLlib meets the game as it is: own decisions, own rewards, legal moves, policies that others can play."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

pytest.importorskip("ray", reason="Ray is not installed; .ci/ray runs these tests")

from ray.rllib.core.columns import Columns
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode

from channel_tunnel_agents.cluster.ray_parallel import RayCluster, ray_cluster
from channel_tunnel_agents.commands import train
from channel_tunnel_agents.learning import rllib_training
from channel_tunnel_agents.learning.config import ConfigError, TrainConfig
from channel_tunnel_agents.learning.rllib_training import LEARNER, PAST, RllibRun, Seating, SelfPlayRLModule
from channel_tunnel_agents.matches.arena import play_match
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.network import MASKED, SeatPolicy
from channel_tunnel_agents.players.scripted import RandomAgent
from channel_tunnel_env import IllegalActionError, load_ruleset
from channel_tunnel_env.envs.all_seats import AGENTS
from channel_tunnel_env.envs.rllib import ACTION_MASK, ALL, OBSERVATIONS, ChannelTunnelMultiAgentEnv
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import NUM_ACTIONS

pytestmark = pytest.mark.ray


def small(run: Path, **changes: Any) -> TrainConfig:
    """A run of seconds."""
    values = {
        "run": str(run),
        "ruleset": "tiny",
        "decisions": 2048,
        "num_games": 8,
        "steps": 64,
        "batch_size": 128,
        "epochs": 2,
        "width": 16,
        "evaluate_games": 10,
        "evaluate_every": 1e6,
        "checkpoint_every": 1e6,
        "device": "cpu",
    }
    return TrainConfig(**(values | changes))


def test_a_run_plays_one_ruleset_alone(tmp_path) -> None:
    for field, value in {"also_rulesets": ("standard",), "drawn_rulesets": 3}.items():
        with pytest.raises(ConfigError, match=f"{field}: this engine mixes no rulesets"):
            RllibRun(small(tmp_path / "run", **{field: value}))


# --- the environment --------------------------------------------------------------------------------


def play(seed: int) -> tuple[MultiAgentEpisode, list[tuple[str, int]], str | None]:
    """A random game as RLlib's episode, its decisions (agent, action), and the winner."""
    env = ChannelTunnelMultiAgentEnv({"ruleset": "tiny"})
    luck = np.random.default_rng(seed)
    seen, infos = env.reset(seed=seed)
    episode = MultiAgentEpisode(observation_space=env.observation_spaces, action_space=env.action_spaces)
    episode.add_env_reset(observations=seen, infos=infos)
    decisions = []
    while not episode.is_done:
        ((agent, look),) = seen.items()
        assert agent == AGENTS[env.game.mover]
        np.testing.assert_array_equal(look[OBSERVATIONS], env.game.observation())
        np.testing.assert_array_equal(look[ACTION_MASK], env.game.action_mask)
        action = int(luck.choice(np.flatnonzero(look[ACTION_MASK])))
        decisions.append((agent, action))
        seen, rewards, terminated, truncated, infos = env.step({agent: action})
        episode.add_env_step(seen, {agent: action}, rewards, infos, terminateds=terminated, truncateds=truncated)
    return episode, decisions, env.game.winner


def games_won_by_each() -> dict[str, int]:
    """Side -> a seed whose random game it wins."""
    found: dict[str, int] = {}
    for seed in range(200):
        winner = play(seed)[2]
        if winner is not None:
            found.setdefault(winner, seed)
        if len(found) == len(c.SEATS):
            break
    return found


@pytest.mark.parametrize("winner", c.SEATS)
def test_each_seat_is_credited_for_its_own_decisions_and_with_its_own_result(winner: str) -> None:
    episode, decisions, won = play(games_won_by_each()[winner])
    assert won == winner
    for side, agent in zip(c.SEATS, AGENTS, strict=True):
        own = episode.agent_episodes[agent]
        assert list(own.get_actions()) == [action for who, action in decisions if who == agent]
        rewards = list(own.get_rewards())
        assert rewards[:-1] == [0.0] * (len(rewards) - 1)
        assert rewards[-1] == (1.0 if side == winner else -1.0)
        assert own.is_terminated
        assert not own.is_truncated


def test_the_spaces_hold_what_is_seen_from_the_first_decision_to_the_last() -> None:
    env = ChannelTunnelMultiAgentEnv({"ruleset": "tiny", "max_cycles": 30})
    luck = np.random.default_rng(0)
    seen, _ = env.reset(seed=3)
    truncated = {ALL: False}
    for _ in range(30):
        ((agent, look),) = seen.items()
        assert env.get_observation_space(agent).contains(look)
        action = int(luck.choice(np.flatnonzero(look[ACTION_MASK])))
        seen, rewards, terminated, truncated, infos = env.step({agent: action})
        if terminated[ALL] or truncated[ALL]:
            break
    assert truncated[ALL]
    assert set(seen) == set(AGENTS)
    assert rewards == dict.fromkeys(AGENTS, 0.0)
    assert {infos[agent]["end_cause"] for agent in AGENTS} == {"max_cycles"}
    assert [int(seen[agent][ACTION_MASK].sum()) for agent in AGENTS] == [1, 1], "never all zeros"


@pytest.mark.parametrize(
    ("rules", "agents"),
    [
        ({"base": "carcassonne", "players": 3}, ["player_0", "player_1", "player_2"]),
        ({"base": "eurotunnel", "max_year": 1901}, ["austria_0", "turkey_6"]),
    ],
)
def test_other_games_are_played_by_all_their_seats(rules: dict[str, Any], agents: list[str]) -> None:
    env = ChannelTunnelMultiAgentEnv({"ruleset": rules})
    assert [env.possible_agents[0], env.possible_agents[-1]] == [agents[0], agents[-1]]
    luck = np.random.default_rng(2)
    seen, infos = env.reset(seed=2)
    episode = MultiAgentEpisode(observation_space=env.observation_spaces, action_space=env.action_spaces)
    episode.add_env_reset(observations=seen, infos=infos)
    while not episode.is_done:
        ((agent, look),) = seen.items()
        assert env.get_observation_space(agent).contains(look)
        action = int(luck.choice(np.flatnonzero(look[ACTION_MASK])))
        seen, rewards, terminated, truncated, infos = env.step({agent: action})
        episode.add_env_step(seen, {agent: action}, rewards, infos, terminateds=terminated, truncateds=truncated)
    assert rewards == dict(zip(env.possible_agents, env.game.result(), strict=True))
    assert all(own.is_terminated for own in episode.agent_episodes.values())


def test_the_same_seed_deals_the_same_games_one_after_another() -> None:
    one, other = (ChannelTunnelMultiAgentEnv({"ruleset": "tiny"}) for _ in range(2))
    for seed in (7, None, None):
        one.reset(seed=seed)
        other.reset(seed=seed)
        assert one.game.seed == other.game.seed
    one.reset()
    assert one.game.seed != other.game.seed


def test_wrong_settings_and_actions_are_refused() -> None:
    with pytest.raises(ValueError, match="env_config rules: unknown; allowed: ruleset, max_cycles"):
        ChannelTunnelMultiAgentEnv({"rules": "tiny"})
    with pytest.raises(ValueError, match="max_cycles 0"):
        ChannelTunnelMultiAgentEnv({"max_cycles": 0})
    env = ChannelTunnelMultiAgentEnv({"ruleset": "tiny"})
    ((agent, look),) = env.reset(seed=1)[0].items()
    with pytest.raises(IllegalActionError):
        env.step({agent: int(np.flatnonzero(look[ACTION_MASK] == 0)[0])})


# --- the module ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("trunk", ["shared", "separate"])
def test_the_module_is_the_network_of_a_saved_policy(trunk: str) -> None:
    env = ChannelTunnelMultiAgentEnv({"ruleset": "tiny"})
    module = SelfPlayRLModule(
        observation_space=env.observation_spaces[AGENTS[0]],
        action_space=env.action_spaces[AGENTS[0]],
        model_config={"width": 16, "depth": 2, "trunk": trunk, "network": "mlp"},
    )
    env.reset(seed=5)
    rows = torch.from_numpy(np.stack([env.game.observation(seat) for seat in (0, 1, 0)]))
    mask = torch.ones(3, NUM_ACTIONS, dtype=torch.int8)
    mask[:, 5] = 0
    batch = {Columns.OBS: {OBSERVATIONS: rows, ACTION_MASK: mask}}
    logits = module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS]
    values = module.compute_values(batch)
    assert (logits[:, 5] == MASKED).all()
    for seat, side in enumerate(c.SEATS):
        policy = SeatPolicy(16, 2)
        policy.load_state_dict(module.network.seat_weights(side))
        with torch.no_grad():
            wanted, of_britain = policy(rows)
        own = torch.tensor([0, 1, 0]) == seat
        legal = mask[0] > 0
        torch.testing.assert_close(logits[own][:, legal], wanted[own][:, legal])
        torch.testing.assert_close(values[own].detach(), of_britain[own] * (-1 if seat else 1))


# --- sampling -----------------------------------------------------------------------------------------


def test_cutting_games_into_fragments_loses_no_decision_and_no_result(tmp_path: Path) -> None:
    config = rllib_training.make_config(small(tmp_path, num_games=2, steps=16, batch_size=16), load_ruleset("tiny"))
    runner = MultiAgentEnvRunner(config=config)
    chunks = defaultdict(list)
    sampled = 0
    for _ in range(30):
        for episode in runner.sample(num_timesteps=32, explore=True):
            sampled += episode.env_steps()
            chunks[episode.id_].append(episode)
    finished = [games for games in chunks.values() if games[-1].is_done]
    assert finished
    assert sampled >= 30 * 32
    for games in finished:
        total = dict.fromkeys(AGENTS, 0.0)
        actions = 0
        for episode in games:
            for agent, own in episode.agent_episodes.items():
                total[agent] += float(sum(own.get_rewards()))
                actions += len(own)
        assert sorted(total.values()) in ([-1.0, 1.0], [0.0, 0.0])
        assert actions == sum(episode.env_steps() for episode in games)


def test_past_selves_hold_one_seat_in_their_share_of_the_games() -> None:
    class Episode:
        def __init__(self, number: int) -> None:
            self.id_ = str(number)

    seating = Seating(2, 0.25)
    tables = [tuple(seating(agent, Episode(n)) for agent in AGENTS) for n in range(4000)]
    with_past = [table for table in tables if table != (LEARNER, LEARNER)]
    assert 0.22 < len(with_past) / len(tables) < 0.28
    assert {sum(name == LEARNER for name in table) for table in with_past} == {1}
    assert {name for table in with_past for name in table} == {LEARNER, PAST(0), PAST(1)}
    assert 0.45 < sum(table[0] == LEARNER for table in with_past) / len(with_past) < 0.55


# --- the run ------------------------------------------------------------------------------------------


def test_fields_without_meaning_here_are_named_only_where_they_are_set(tmp_path: Path) -> None:
    assert rllib_training.ignored_fields(small(tmp_path)) == []
    config = small(tmp_path, imitate="heuristic", rivals=("random",), rival_share=0.2)
    assert rllib_training.ignored_fields(config) == ["imitate", "rivals", "rival_share"]


def test_a_run_on_two_machines_uses_past_selves_resumes_and_leaves_a_ppo_agent(
    cluster: RayCluster, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    pool = {"pool_slots": 1, "rival_share": 0.5, "pool_from": 0.0, "snapshots": 4}
    with ray_cluster("auto", warn=lambda _: None):
        run = RllibRun(small(folder, simulator_threads=2, **pool))
        statuses: list[dict[str, Any]] = []
        run.train(statuses.append)
        weights = run.network().state_dict()
        run.close()
        assert statuses[-1]["decisions"] >= 2048
        assert len(run.snapshots) >= 3

        longer = small(folder, decisions=4096, **pool)
        with pytest.raises(FileExistsError, match="--resume"):
            RllibRun(longer)
        again = RllibRun(longer, resume=True)
        assert again.decisions == run.decisions
        for name, tensor in again.network().state_dict().items():
            torch.testing.assert_close(tensor, weights[name])
        again.train()
        assert again.decisions >= 4096
        again.close()
    agent = PolicyAgent.load(folder, load_ruleset("tiny"))
    assert play_match(agent, RandomAgent(1), 20, 1, "tiny").games == 20


def test_the_command_line_trains_on_rllib(cluster: RayCluster, tmp_path: Path, capsys: Any) -> None:
    words = ["smoke", "--engine", "rllib", "--ruleset", "tiny", "--run", str(tmp_path / "run")]
    words += ["--decisions", "512", "--num-games", "8", "--steps", "32", "--batch-size", "64"]
    assert train.main([*words, "--evaluate-games", "10", "--width", "16"]) == 0
    shown = "".join(capsys.readouterr().out.split())  # lines are folded
    assert "britain.safetensors" in shown
    assert "francevrandom" in shown
