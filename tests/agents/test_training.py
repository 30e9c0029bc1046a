"""Training: it learns, resumes, refuses what does not fit, and leaves no half-written file."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from channel_tunnel_agents import AgentError
from channel_tunnel_agents.learning import start, training
from channel_tunnel_agents.learning.checkpoint import CHECKPOINT, PREVIOUS
from channel_tunnel_agents.learning.config import PRESETS, TrainConfig, load_config
from channel_tunnel_agents.learning.guards import TrainingCollapse, TrainingStopped
from channel_tunnel_agents.learning.resume import check_changes
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.matches.arena import play_match
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.network import SIDE, bounded
from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
from channel_tunnel_agents.players.scripted import RandomAgent
from channel_tunnel_env import VersionError, load_ruleset
from channel_tunnel_env.envs.opponents import random_legal

ROOT = Path(__file__).parents[2]
HEAVY = pytest.mark.heavy  # of several runs of one promise all but one


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
        "precision": "float32",
    }
    return TrainConfig(**(values | changes))


@pytest.mark.heavy
def test_a_few_seconds_of_self_play_beat_random_in_both_seats(tmp_path) -> None:
    run = TrainingRun(small(tmp_path, decisions=50_000))
    run.train()
    agent, rival = PolicyAgent.load(tmp_path / "run", load_ruleset("tiny")), RandomAgent(1)
    as_britain = play_match(agent, rival, 400, 99, "tiny").wins("britain") / 400
    as_france = play_match(rival, agent, 400, 99, "tiny").wins("france") / 400
    baseline = play_match(RandomAgent(2), rival, 400, 99, "tiny").wins("britain") / 400
    assert as_britain > max(baseline, 1 - baseline) + 0.1
    assert as_france > max(baseline, 1 - baseline) + 0.1


@pytest.mark.heavy
def test_imitation_makes_the_teachers_moves_likely(tmp_path) -> None:
    run = TrainingRun(small(tmp_path, imitate="heuristic", imitate_decisions=40_000, decisions=2048))
    seen = []
    run.train(seen.append)
    told = [status["warm_start"] for status in seen if "warm_start" in status]
    assert told == sorted(told) and told[-1] <= 1.0
    assert len(told) > 10 * (40_000 // 2048)  # within each update, too: so the time left is known soon
    after = seen[len(told)]
    assert after["imitation"] == "heuristic"
    assert after["agreement"] > 0.2  # an untrained network gives no move more than a half


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
        "games": repr(run.env.batch.states.tolist()),  # by field: padding is anything
        "pool": run.pool.state(),
        "updates": run.model._n_updates,
        "decisions": run.model.num_timesteps,
        "progress": run.model._current_progress_remaining,
        "entropy": run.model.ent_coef,
    }


def assert_state(run: TrainingRun, wanted: dict) -> None:
    assert [name for name, value in state_of(run).items() if value != wanted[name]] == []


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory) -> tuple[dict, list[dict]]:
    """State and statuses of a run that nothing stopped."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "POOL_STAY", 192)  # other past selves every three updates
        run, statuses = TrainingRun(eventful(tmp_path_factory.mktemp("whole"), "whole")), []
        run.train(statuses.append)
    return state_of(run), statuses


@pytest.mark.heavy
@pytest.mark.parametrize("updates", [0, 6, 11])
def test_a_run_killed_and_resumed_equals_the_unbroken_one(tmp_path, monkeypatch, unbroken, updates) -> None:
    """Bit for bit: weights, optimiser, games, past selves and the figures of self-play."""
    monkeypatch.setattr(training, "POOL_STAY", 192)
    config, seen = eventful(tmp_path, "killed"), []

    def kill(status: dict) -> None:
        seen.append("decisions" in status)
        if sum(seen) > updates:
            raise Killed

    with pytest.raises(Killed):
        TrainingRun(config).train(kill)
    torch.manual_seed(99)  # a new process
    np.random.seed(99)
    resumed, statuses = TrainingRun(config, resume=True), []
    assert resumed.model.num_timesteps == updates * ROWS
    resumed.train(statuses.append)
    state, expected = unbroken
    assert_state(resumed, state)
    wanted = [one for one in expected if one.get("decisions", 0) > updates * ROWS]
    assert [figures(one) for one in statuses] == [figures(one) for one in wanted]


def resumed_after(config: TrainConfig, decisions: int) -> TrainingRun:
    """A run that was stopped by hand after so many decisions, and then went on to its end."""
    stopped = TrainingRun(config)
    stopped.stop_asked = lambda: stopped.model.num_timesteps >= decisions
    with pytest.raises(TrainingStopped):
        stopped.train()
    torch.manual_seed(99)  # a new process
    np.random.seed(99)
    resumed = TrainingRun(config, resume=True)
    resumed.train()
    return resumed


TAUGHT = 5 * ROWS  # decisions of the teacher, five updates


def taught(tmp_path: Path, name: str, **changes) -> TrainConfig:
    """Five updates of imitation, then one of self-play."""
    return eventful(tmp_path, name, imitate_decisions=TAUGHT, decisions=ROWS, **changes)


@pytest.fixture(scope="module")
def unbroken_lesson(tmp_path_factory) -> dict:
    run = TrainingRun(taught(tmp_path_factory.mktemp("whole"), "whole"))
    run.train()
    return state_of(run)


@pytest.mark.parametrize("call", [100, *(pytest.param(n, marks=HEAVY) for n in (1, 64 * 3 + 40))])
def test_a_warm_start_that_is_stopped_goes_on_and_equals_the_unbroken_one(tmp_path, unbroken_lesson, call) -> None:
    """In the first update, in the second and in the fourth: no more than the update in progress is lost."""
    run = TrainingRun(taught(tmp_path, "run", checkpoint_every=1000.0))
    asked = itertools.count(1)
    run.stop_asked = lambda: next(asked) >= call
    with pytest.raises(TrainingStopped, match="of the warm start"):
        run.train()
    assert run.imitated.decisions == (call - 1) // 64 * ROWS and not run.imitated.is_over
    torch.manual_seed(99)  # a new process
    np.random.seed(99)
    resumed = TrainingRun(taught(tmp_path, "run"), resume=True)
    assert resumed.imitated == run.imitated and resumed.model.num_timesteps == 0
    resumed.train()
    assert_state(resumed, unbroken_lesson)


@pytest.mark.heavy
def test_a_warm_start_that_is_killed_loses_no_more_than_the_time_between_checkpoints(tmp_path, unbroken_lesson) -> None:
    told: list[float] = []

    def kill(status: dict) -> None:
        told.append(status["warm_start"])
        if status["warm_start"] > 0.7:
            raise Killed

    with pytest.raises(Killed):
        TrainingRun(taught(tmp_path, "run")).train(kill)
    resumed = TrainingRun(taught(tmp_path, "run"), resume=True)
    assert resumed.imitated.decisions == 3 * ROWS
    resumed.train()
    assert_state(resumed, unbroken_lesson)


def test_the_minutes_of_a_run_are_those_of_warm_start_and_self_play_together(tmp_path, monkeypatch) -> None:
    """A teacher that would take the whole time is imitated for a part of it; then comes self-play."""
    clock = itertools.count(0.0, 0.25)
    monkeypatch.setattr(start, "monotonic", lambda: next(clock))
    config = taught(tmp_path, "run", max_minutes=1.0, rivals=(), pool_slots=0, rival_share=0.0)
    run = TrainingRun(config.model_copy(update={"imitate_decisions": 10**9}))
    told: list[dict] = []
    run.train(told.append)
    shares = [status["warm_start"] for status in told if "warm_start" in status]
    assert run.imitated.is_over and 0 < run.imitated.decisions < 20 * ROWS
    assert shares[-1] > 0.9 and shares == sorted(shares)
    assert run.model.trained_seconds >= 60 * start.MOST_OF_THE_TIME
    assert run.model.num_timesteps == ROWS


@pytest.mark.heavy
def test_every_update_says_the_share_that_is_done_with_it(unbroken) -> None:
    """Otherwise the time left is estimated from an update that counts for nothing."""
    _, statuses = unbroken
    shares = [status["done"] for status in statuses if "decisions" in status]
    assert shares == pytest.approx([(i + 1) / 12 for i in range(12)])


@pytest.mark.heavy
def test_the_run_above_has_past_selves_and_rivals_in_play(unbroken) -> None:
    """The equality would mean little in a run in which nothing happens."""
    state, statuses = unbroken
    pool = state["pool"]
    assert len(pool["names"]) == len(set(pool["names"])) == 11
    assert all(name for slot in pool["playing"] for name in slot)
    assert any(rate != 0.5 for rates in pool["rates"].values() for rate in rates)
    assert [status["imitation"] for status in statuses if "imitation" in status] == ["heuristic"]
    assert all(status["games"] > 0 for status in statuses if "decisions" in status)


@pytest.mark.heavy
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


def test_what_a_run_began_with_is_named_in_one_short_line_whatever_its_card_holds(tmp_path) -> None:
    config = small(tmp_path)
    stored = {"config": {"start_from": "y" * 5000, "imitate": "two\nlines"}}
    given = config.model_copy(update={"start_from": "runs/other", "imitate": None})
    with pytest.raises(VersionError, match="made with start_from yyy") as refused:
        check_changes(stored, given, tmp_path)
    assert len(str(refused.value)) < 600 and "\n" not in str(refused.value)


def test_a_checkpoint_cut_short_with_none_before_it_offers_nothing(tmp_path) -> None:
    TrainingRun(small(tmp_path)).save()
    (tmp_path / "run" / CHECKPOINT).write_bytes(b"")
    with pytest.raises(VersionError, match="truncated") as caught:
        TrainingRun(small(tmp_path), resume=True)
    assert "mv" not in str(caught.value)


def test_a_kill_between_the_two_renames_leaves_one_to_resume_from(tmp_path, monkeypatch) -> None:
    run = TrainingRun(small(tmp_path))
    run.save()
    run.model.num_timesteps = 2048
    replace = Path.replace

    def killed_at_the_second(self: Path, target: Path) -> Path:
        if self.name == CHECKPOINT + ".part":
            raise Killed
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", killed_at_the_second)
    with pytest.raises(Killed):
        run.save()
    monkeypatch.undo()
    assert not (run.folder / CHECKPOINT).exists()
    with pytest.raises(FileExistsError, match="--resume"):
        TrainingRun(small(tmp_path))
    resumed = TrainingRun(small(tmp_path), resume=True)
    assert resumed.model.num_timesteps == 0
    resumed.save()
    assert (run.folder / CHECKPOINT).exists() and (run.folder / PREVIOUS).exists()
    assert not list(run.folder.glob("*.part"))


@pytest.mark.parametrize("update", [2, 4])
def test_weights_that_are_no_numbers_stop_the_run_and_are_not_saved(tmp_path, update) -> None:
    """In mid-run, and in the very last update."""
    config = small(tmp_path, width=16, decisions=4 * 2048, checkpoint_every=1e-9)
    run = TrainingRun(config)

    def spoil(status: dict) -> None:
        if status["decisions"] == update * 2048:
            with torch.no_grad():
                next(run.model.policy.parameters())[0, 0] = torch.nan

    with pytest.raises(TrainingCollapse, match=f"update {update} ") as caught:
        run.train(spoil)
    assert f"({update * 2048:,} decisions)" in str(caught.value)
    resumed = TrainingRun(config, resume=True)
    assert resumed.model.num_timesteps == (update - 1) * 2048
    for weights in resumed.model.policy.state_dict().values():
        assert torch.isfinite(weights).all()
    for policy in TorchAgent.load(run.folder).policies.values():
        assert all(torch.isfinite(weights).all() for weights in policy.parameters())


@pytest.mark.parametrize("name", [CHECKPOINT, "britain.safetensors", "france.safetensors"])
def test_a_full_disk_leaves_the_old_files_whole(tmp_path, name: str, disk_full_for) -> None:
    run = TrainingRun(small(tmp_path))
    run.save()
    before = {path: path.read_bytes() for path in run.folder.iterdir()}
    run.model.num_timesteps = 2048
    words = r"bytes\) not written: No space left .* nothing has changed"
    with disk_full_for(name), pytest.raises(OSError, match=words):
        run.save()
    assert not list(run.folder.glob("*.part"))
    assert (run.folder / name).read_bytes() == before[run.folder / name]
    assert TrainingRun(small(tmp_path), resume=True).model.num_timesteps == 0


@pytest.mark.parametrize("trunk", ["shared", "separate"])
def test_a_run_starts_from_the_policies_of_both_seats(tmp_path, trunk: str) -> None:
    TrainingRun(small(tmp_path, run=str(tmp_path / "old"), trunk=trunk, width=16)).save()
    values = {"width": 16, "trunk": trunk, "start_from": str(tmp_path / "old"), "seed": 7}
    config = small(tmp_path, **values)
    run = TrainingRun(config)
    old = TorchAgent.load(tmp_path / "old")
    for side in ("britain", "france"):
        mine, theirs = (agent.policies[side].state_dict() for agent in (run.agent(), old))
        assert all(torch.equal(mine[name], theirs[name]) for name in theirs)
    # Once begun, the run no longer needs them.
    run.save()
    shutil.rmtree(tmp_path / "old")
    TrainingRun(config, resume=True)


def test_policies_that_do_not_fit_are_refused_in_one_line(tmp_path) -> None:
    TrainingRun(small(tmp_path, run=str(tmp_path / "old"), trunk="separate", width=16)).save()
    old = tmp_path / "old"
    for changes, reason in (
        ({"width": 32, "trunk": "separate"}, "its network has width 16, the config says width 32"),
        ({"width": 16, "depth": 3, "trunk": "separate"}, "has depth 2, the config says depth 3"),
        ({"width": 16}, "the seats' trunks differ: set trunk: separate"),
        ({"width": 16, "start_from": str(old / "france.safetensors")}, "no policy for britain"),
        ({"width": 16, "start_from": str(tmp_path / "nothing")}, "a run folder"),
        ({"width": 16, "ruleset": "standard"}, "made for ruleset digest.*--start-from-other-ruleset lets it in"),
    ):
        with pytest.raises((VersionError, AgentError), match=reason) as caught:
            TrainingRun(small(tmp_path, **({"start_from": str(old)} | changes)))
        assert "\n" not in str(caught.value)
        assert str(tmp_path) in str(caught.value)
    with pytest.raises(ValueError, match="start_from must be too"):
        TrainConfig(start_from_other_ruleset=True)


@pytest.mark.heavy
def test_two_trunks_learn_and_each_seats_file_holds_its_own(tmp_path) -> None:
    run = TrainingRun(small(tmp_path, trunk="separate", width=32, decisions=50_000))
    before = run.model.policy.all_weights()["britain"]
    run.train()
    agent, rival = TorchAgent.load(run.folder, load_ruleset("tiny")), RandomAgent(1)
    as_britain = play_match(agent, rival, 300, 99, "tiny").wins("britain") / 300
    as_france = play_match(rival, agent, 300, 99, "tiny").wins("france") / 300
    assert min(as_britain, as_france) > 0.65
    trunks = [agent.policies[side].trunk.state_dict() for side in ("britain", "france")]
    for name, weights in trunks[0].items():
        assert not torch.equal(weights, trunks[1][name])
        assert not torch.equal(weights, before[f"trunk.{name}"])


@pytest.mark.heavy
def test_bfloat16_is_nearly_float32(tmp_path) -> None:
    """The same weights in both precisions, and the saved policy in float32, after some learning."""
    config = small(tmp_path, precision="bfloat16", decisions=20 * 2048)
    fast = TrainingRun(config)
    fast.train()
    exact = TrainingRun(config.model_copy(update={"precision": "float32"}), resume=True)
    observations, masks = fast.env.batch.observations.copy(), fast.env.action_masks()
    actions = torch.from_numpy(masks.argmax(axis=1))
    rows = torch.from_numpy(observations)
    with torch.no_grad():
        one = fast.model.policy.evaluate_actions(rows, actions, masks)
        other = exact.model.policy.evaluate_actions(rows, actions, masks)
    assert any(not torch.equal(a, b) for a, b in zip(one, other, strict=True))  # it is at work
    for values, name in zip(zip(one, other, strict=True), ("v", "log p", "entropy"), strict=True):
        assert (values[0] - values[1]).abs().max() < 0.1, name
        assert (values[0] - values[1]).abs().mean() < 0.02, name
    log_probs, found = PolicyAgent.load(fast.folder).think(observations, masks)
    chosen = np.take_along_axis(log_probs, actions.numpy()[:, None], axis=1)[:, 0]
    np.testing.assert_allclose(chosen, other[1], atol=1e-4)
    np.testing.assert_allclose(found, bounded(other[0][:, 0]), atol=1e-5)
    assert np.isneginf(log_probs[~masks]).all()


@pytest.mark.parametrize(("trunk", "dtype"), [("shared", "float32"), ("separate", "float32"), ("shared", "uint8")])
def test_the_saved_policy_is_the_trained_one(tmp_path, trunk: str, dtype: str) -> None:
    """The exported pair and the model's `predict` give what the network that was trained gives, seat by seat."""
    run, rng = TrainingRun(small(tmp_path, trunk=trunk, observation_dtype=dtype)), np.random.default_rng(1)
    assert run.model.rollout_buffer.observations.dtype == dtype
    run.env.reset()
    for _ in range(25):
        run.env.step(random_legal(run.env.action_masks(), rng))
    observations, masks = torch.from_numpy(run.env.batch.observations.copy()), run.env.action_masks()
    numbers = run.model.policy.decode(observations)
    actions, values, _ = run.model.policy(observations, deterministic=True, action_masks=masks)
    run.save()
    agent = TorchAgent.load(tmp_path / "run")
    predicted, _ = run.model.predict(observations.numpy(), deterministic=True, action_masks=masks)
    for found in (agent(numbers.numpy(), masks), run.agent()(numbers.numpy(), masks), predicted):
        assert (found == actions.numpy()).all()
    for seat, side in enumerate(("britain", "france")):
        rows = numbers[:, SIDE] == seat
        assert rows.any()
        found = agent.policies[side](numbers[rows])[1]
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


@pytest.mark.parametrize("preset", [path.stem for path in PRESETS.glob("*.yaml")])
def test_every_preset_is_valid(preset: str) -> None:
    assert load_config(preset).decisions > 0
