"""Training: it learns, resumes, refuses what does not fit, and leaves no half-written file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

import train
from agents.arena import play_match
from agents.ppo import training
from agents.ppo.agent import PolicyAgent
from agents.ppo.checkpoint import CHECKPOINT
from agents.ppo.config import PRESETS, ConfigError, TrainConfig, load_config
from agents.ppo.network import SeatPolicy
from agents.ppo.saved_policy import load_policy, make_card, save_policy, write_whole
from agents.ppo.training import TrainingRun
from agents.random_agent import RandomAgent
from channel_tunnel_env import VersionError, load_ruleset
from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv

ROOT = Path(__file__).parents[2]


def small(tmp_path: Path, **changes) -> TrainConfig:
    """A run of seconds."""
    values = {
        "run": str(tmp_path / "run"),
        "ruleset": "tiny",
        "num_games": 64,
        "steps": 32,
        "batch_size": 512,
        "epochs": 3,
        "learning_rate": 2e-3,
        "final_learning_rate": 1e-3,
        "width": 64,
        "decisions": 4096,
        "evaluate_games": 20,
        "evaluate_every": 1e6,
        "checkpoint_every": 1e6,
        "threads": 1,
        "device": "cpu",
    }
    return TrainConfig(**(values | changes))


def test_a_few_seconds_of_self_play_beat_random_in_both_seats(tmp_path) -> None:
    run = TrainingRun(small(tmp_path, decisions=160_000))
    run.train()
    agent, rival = PolicyAgent.load(tmp_path / "run", load_ruleset("tiny")), RandomAgent(1)
    as_britain = play_match(agent, rival, 400, 99, "tiny").wins("britain") / 400
    as_france = play_match(rival, agent, 400, 99, "tiny").wins("france") / 400
    baseline = play_match(RandomAgent(2), rival, 400, 99, "tiny").wins("britain") / 400
    assert as_britain > max(baseline, 1 - baseline) + 0.1
    assert as_france > max(baseline, 1 - baseline) + 0.1


def test_imitation_makes_the_teachers_moves_likely(tmp_path) -> None:
    run = TrainingRun(
        small(tmp_path, imitate="heuristic", imitate_decisions=40_000, decisions=2048)
    )
    seen = []
    run.train(seen.append)
    assert seen[0]["imitation"] == "heuristic"
    assert seen[0]["agreement"] > 0.2  # an untrained network gives no move more than a half


ROWS = 1024  # an update of an eventful run


class Killed(Exception):
    """Stands for the kill of a run."""


def eventful(tmp_path: Path, name: str, **changes) -> TrainConfig:
    """Twelve updates with all that has a state: imitation, scripted rivals, a pool, schedules."""
    values = {
        "run": str(tmp_path / name),
        "num_games": 16,
        "steps": 64,
        "batch_size": 128,
        "epochs": 2,
        "width": 16,
        "decisions": 12 * ROWS,
        "imitate": "heuristic",
        "imitate_decisions": 1024,
        "rivals": ("random", "heuristic"),
        "pool_slots": 2,
        "rival_share": 0.75,
        "snapshots": 30,  # more than there are updates: one is always due
        "checkpoint_every": 1e-9,
    }
    return small(tmp_path, **(values | changes))


def stop_after(updates: int, statuses: list | None = None):
    """A progress function that kills the run in the update after so many."""
    seen = []

    def progress(status: dict) -> None:
        if statuses is not None:
            statuses.append(status)
        seen.append(status)
        if sum("decisions" in one for one in seen) > updates:
            raise Killed

    return progress


def figures(status: dict) -> dict:
    """A status without what the clock or an earlier update of the same process said."""
    skip = ("decisions_per_second", "kl", "clipped", "explained_variance", "entropy", "rates")
    return {k: v for k, v in status.items() if k not in skip and not k.startswith("entropy_")}


def state_of(run: TrainingRun) -> dict:
    """All that a run is made of, as bytes or plain values."""
    optimizer = run.model.policy.optimizer.state_dict()
    tensors = {f"weight {k}": v for k, v in run.model.policy.state_dict().items()}
    for number, entry in optimizer["state"].items():
        tensors |= {f"optimizer {number} {k}": v for k, v in entry.items()}
    return {
        **{name: tensor.numpy().tobytes() for name, tensor in tensors.items()},
        "learning rate": [group["lr"] for group in optimizer["param_groups"]],
        "games": run.env.batch.states.tobytes(),
        "pool": run.pool.state(),
        "updates": run.model._n_updates,
        "decisions": run.model.num_timesteps,
        "progress": run.model._current_progress_remaining,
        "entropy": run.model.ent_coef,
    }


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory) -> tuple[dict, list[dict]]:
    """State and statuses of a run that nothing stopped."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "POOL_STAY", 192)  # other past selves every three updates
        run, statuses = TrainingRun(eventful(tmp_path_factory.mktemp("whole"), "whole")), []
        run.train(statuses.append)
    return state_of(run), statuses


@pytest.mark.parametrize("updates", [0, 4, 6, 11])
def test_a_run_killed_and_resumed_equals_the_unbroken_one(
    tmp_path, monkeypatch, unbroken, updates
) -> None:
    """Bit for bit: weights, optimiser, games, past selves and the figures of self-play."""
    monkeypatch.setattr(training, "POOL_STAY", 192)
    config = eventful(tmp_path, "killed")
    with pytest.raises(Killed):
        TrainingRun(config).train(stop_after(updates))
    torch.manual_seed(99)  # a new process
    np.random.seed(99)
    resumed, statuses = TrainingRun(config, resume=True), []
    assert resumed.model.num_timesteps == updates * ROWS
    resumed.train(statuses.append)
    state, expected = unbroken
    wanted = [one for one in expected if one.get("decisions", 0) > updates * ROWS]
    assert [figures(one) for one in statuses] == [figures(one) for one in wanted]
    differing = [name for name, value in state_of(resumed).items() if value != state[name]]
    assert differing == []


def test_the_run_above_has_past_selves_and_rivals_in_play(unbroken) -> None:
    """The equality would mean little in a run in which nothing happens."""
    state, statuses = unbroken
    pool = state["pool"]
    assert len(pool["names"]) == len(set(pool["names"])) == 11
    assert all(name for slot in pool["playing"] for name in slot)
    assert any(rate != 0.5 for rates in pool["rates"].values() for rate in rates)
    assert statuses[0]["imitation"] == "heuristic"
    assert all(status["games"] > 0 for status in statuses[1:])


def test_a_resumed_run_may_have_more_decisions_or_other_games(tmp_path) -> None:
    """Past selves stay, and the schedules follow the new budget from the first update on."""
    config = eventful(tmp_path, "run", imitate=None, decisions=4 * ROWS, snapshots=4)
    TrainingRun(config).train()
    longer = config.model_copy(update={"decisions": 8 * ROWS, "num_games": 8, "pool_slots": 1})
    run = TrainingRun(longer, resume=True)
    assert run.done == 0.5
    names = run.pool.names.copy()
    assert len(names) == 3
    run.train()
    assert run.pool.names[:3] == names
    assert run.model.num_timesteps == 8 * ROWS


def test_an_existing_run_is_not_overwritten(tmp_path) -> None:
    TrainingRun(small(tmp_path)).save()
    with pytest.raises(FileExistsError, match="--resume"):
        TrainingRun(small(tmp_path))


def test_a_checkpoint_of_another_ruleset_or_network_is_refused(tmp_path) -> None:
    TrainingRun(small(tmp_path)).save()
    with pytest.raises(VersionError, match="ruleset digest"):
        TrainingRun(small(tmp_path, ruleset="standard"), resume=True)
    with pytest.raises(VersionError, match="made with width 64, the config says 32"):
        TrainingRun(small(tmp_path, width=32), resume=True)


def test_a_checkpoint_cut_short_is_refused(tmp_path) -> None:
    TrainingRun(small(tmp_path)).save()
    path = tmp_path / "run" / CHECKPOINT
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(VersionError, match="not a checkpoint, or cut short"):
        TrainingRun(small(tmp_path), resume=True)


@pytest.mark.parametrize(
    ("key", "value"),
    [("observation_version", 99), ("action_version", 99), ("ruleset_digest", "0" * 16)],
)
def test_a_policy_of_another_version_is_refused_with_both_versions(tmp_path, key, value) -> None:
    rules = load_ruleset("tiny")
    policy, path = SeatPolicy(8, 1), tmp_path / "britain.safetensors"
    card = make_card(rules, width=8, depth=1, side="britain")
    save_policy(path, policy.state_dict(), card)
    assert load_policy(path, rules)[1]["side"] == "britain"
    save_policy(path, policy.state_dict(), card | {key: value})
    with pytest.raises(VersionError, match=f"{key.replace('_', ' ')} {value}, this is"):
        load_policy(path, rules)


def test_files_that_are_no_policies_are_refused(tmp_path) -> None:
    broken = tmp_path / "britain.safetensors"
    broken.write_bytes(b"nothing")
    for path in (broken, tmp_path / "france.safetensors"):
        with pytest.raises(VersionError, match="not a saved policy"):
            load_policy(path)


def test_one_seats_policy_loads_alone_and_plays_that_seat_only(tmp_path) -> None:
    run = TrainingRun(small(tmp_path))
    run.save()
    both = PolicyAgent.load(tmp_path / "run")
    alone = PolicyAgent.load(tmp_path / "run" / "france.safetensors")
    env = SelfPlayVecEnv(32, "tiny", seed=0)
    observations, masks = env.reset(), env.action_masks()
    with pytest.raises(ValueError, match="no policy for britain"):
        alone(observations, masks)
    observations[:, 15] = 1.0
    assert (alone(observations, masks) == both(observations, masks)).all()


def test_the_saved_policy_is_the_trained_one(tmp_path) -> None:
    """The exported pair gives the logits of the network that was trained, seat by seat."""
    run = TrainingRun(small(tmp_path))
    observations = torch.from_numpy(run.env.reset())
    masks = run.env.action_masks()
    actions, values, _ = run.model.policy(observations, deterministic=True, action_masks=masks)
    run.save()
    agent = PolicyAgent.load(tmp_path / "run")
    assert (agent(observations.numpy(), masks) == actions.numpy()).all()
    for seat, side in enumerate(("britain", "france")):
        rows = observations[:, 15] == seat
        found = agent.policies[side](observations[rows])[1]
        assert torch.allclose(found, values[rows, 0], atol=1e-6)


def test_masked_actions_are_never_sampled_and_add_no_entropy(tmp_path) -> None:
    run = TrainingRun(small(tmp_path))
    observations, masks = torch.from_numpy(run.env.reset()), run.env.action_masks()
    policy = run.model.policy
    for _ in range(20):
        actions, _, log_probs = policy(observations, action_masks=masks)
        assert masks[np.arange(len(masks)), actions.numpy()].all()
        assert torch.isfinite(log_probs).all()
    _, again, entropy = policy.evaluate_actions(observations, actions, masks)
    assert torch.allclose(again, log_probs, atol=1e-6)
    assert (entropy <= torch.log(torch.from_numpy(masks.sum(axis=1)).float()) + 1e-5).all()


def test_writing_replaces_a_file_whole(tmp_path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"old")
    write_whole(path, b"new content")
    assert path.read_bytes() == b"new content"
    assert list(tmp_path.iterdir()) == [path]


def test_a_killed_run_resumes(tmp_path) -> None:
    """kill -9 in mid-training: the last checkpoint is whole and --resume goes on."""
    folder = tmp_path / "killed"
    command = [
        sys.executable, "train.py", "smoke", "--run", str(folder), "--ruleset", "tiny",
        "--num-games", "64", "--steps", "16", "--width", "32", "--checkpoint-every", "0.2",
        "--evaluate-every", "1000", "--threads", "1", "--max-minutes", "5",
    ]  # fmt: skip
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 90
        while not (folder / CHECKPOINT).exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(0.5)
        os.kill(process.pid, signal.SIGKILL)
    config = load_config("smoke").model_copy(
        update={
            "run": str(folder), "ruleset": "tiny", "num_games": 64, "steps": 16, "width": 32,
            "threads": 1, "max_minutes": None,
        }
    )  # fmt: skip
    resumed = TrainingRun(config, resume=True)
    at = resumed.model.num_timesteps
    assert at > 0
    resumed.model.learn(2048, reset_num_timesteps=False)
    assert resumed.model.num_timesteps > at


@pytest.mark.parametrize("preset", [path.stem for path in PRESETS.glob("*.yaml")])
def test_every_preset_is_valid(preset: str) -> None:
    assert load_config(preset).decisions > 0


def test_a_wrong_config_names_every_error(tmp_path) -> None:
    path = tmp_path / "my.yaml"
    path.write_text("epochs: 0\nwitdh: 3\nclip: 7\n")
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    text = str(caught.value)
    assert "epochs: 0: Input should be greater than or equal to 1" in text
    assert "witdh: unknown key; did you mean 'width'?" in text
    assert "clip: 7" in text
    with pytest.raises(ConfigError, match="did you mean 'demo'"):
        load_config("demoo")


def test_every_field_can_be_overridden_on_the_command_line() -> None:
    config, resume = train.read_arguments(["smoke", "--width", "99", "--resume", "--clip", "0.1"])
    assert (config.width, config.clip, resume) == (99, 0.1, True)


def test_train_refuses_in_one_line(capsys) -> None:
    assert train.main(["demoo"]) == 2
    assert "did you mean 'demo'" in " ".join(capsys.readouterr().err.split())
