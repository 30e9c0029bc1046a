"""The engine `torch` learns what MaskablePPO learns, on any device, and its runs and policies are those of the engine `sb3`."""

from __future__ import annotations

from functools import partialmethod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from torch import nn

from channel_tunnel_agents.learning import loop, training
from channel_tunnel_agents.learning.config import ConfigError, TrainConfig, load_config
from channel_tunnel_agents.learning.guards import TrainingCollapse
from channel_tunnel_agents.learning.loop import FIGURES, TorchPPO
from channel_tunnel_agents.learning.training import TrainingRun, check_device
from channel_tunnel_env.envs.opponents import RandomOpponent
from channel_tunnel_env.envs.sb3 import PER_SEAT, ZERO_SUM, SelfPlayVecEnv
from tests.agents.test_train_command import run_in
from tests.agents.test_training import assert_state, resumed_after, small, state_of

ROWS = 512  # of an update
SHORT = {"base": "eurotunnel", "max_year": 1901}


def config_of(folder: Path, **changes: Any) -> TrainConfig:
    """A run of six updates with all that has a state."""
    values = {
        **{"engine": "torch", "num_games": 16, "epochs": 2, "width": 16, "decisions": 6 * ROWS, "evaluate_games": 2},
        "batch_size": 200,  # three uneven minibatches
        **{"rivals": ("random",), "pool_slots": 1, "rival_share": 0.5, "snapshots": 30, "checkpoint_every": 1e-9},
    }
    return small(folder, **(values | changes))


def weights(run: TrainingRun) -> dict[str, torch.Tensor]:
    return {name: each.clone() for name, each in run.model.policy.state_dict().items()}


def assert_close(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> None:
    for name, tensor in one.items():
        torch.testing.assert_close(tensor, other[name], msg=name, rtol=1e-3, atol=1e-4)


def played(run: TrainingRun) -> TorchPPO:
    """The run's model with one rollout."""
    model: Any = run.model
    _, callback = model._setup_learn(ROWS, None)
    model.collect_rollouts(run.env, callback, None, model.n_steps)
    return model


def told_to_sb3(run: TrainingRun, folder: Path) -> Any:
    """MaskablePPO with the same weights, its buffer filled with what the engine's rollout holds; its own buffer gives the credit."""
    model, kept = run.model, run.model.kept
    other: Any = TrainingRun(run.config.model_copy(update={"engine": "sb3", "run": str(folder)}))
    other.model.policy.load_state_dict(model.policy.state_dict())
    buffer, games = other.model.rollout_buffer, other.env
    buffer.reset()
    assert (kept.seen.dtype == torch.bfloat16) == (run.config.precision == "bfloat16")
    seen = (kept.seen.float() if kept.seen.is_floating_point() else kept.seen).numpy()
    masks = model._legal(kept.masks.flatten(0, 1)).numpy().reshape(*kept.values.shape, -1)
    starts = np.ones(len(kept.ended[0]), np.bool_)
    for step in range(len(seen)):
        games.movers, games.rival_rows = kept.movers[step], kept.by_rival[step]
        games.seat_rewards = kept.rewards[step]
        paid = kept.movers[step] if games.credit == PER_SEAT else games.view
        rewards = games.seat_rewards[np.arange(games.num_envs), paid]
        buffer.add(
            seen[step], kept.actions[step].numpy()[:, None], rewards, starts,
            kept.values[step], kept.log_probs[step], action_masks=masks[step],
        )  # fmt: skip
        starts = kept.ended[step]
    games.batch.to_play[:] = run.env.batch.to_play
    last = torch.cat([half.last for half in model._halves])
    buffer.compute_returns_and_advantage(last, starts)
    return other.model


CASES = {
    "1987": {},
    "bytes": {"observation_dtype": "uint8"},
    "rounded": {"precision": "bfloat16"},
    "two trunks": {"trunk": "separate"},
    "carcassonne": {"ruleset": "carcassonne", "network": "game"},
    "eurotunnel": {"ruleset": SHORT, "network": "game", "rivals": (), "pool_slots": 0, "rival_share": 0.0},
}


@pytest.fixture(params=["whole", "halves"])
def ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on the processor, and as on a GPU: in two halves, with packed masks."""
    if request.param == "halves":
        monkeypatch.setattr(TorchPPO, "__init__", partialmethod(TorchPPO.__init__, halves=2, packed=True))


@pytest.mark.usefixtures("ways")
@pytest.mark.parametrize(
    "name", ["1987", "bytes", "rounded", *(pytest.param(n, marks=pytest.mark.heavy) for n in [*CASES][3:])]
)
def test_of_one_rollout_both_engines_learn_the_same(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Credit, every minibatch's loss, the figures in the log, the gradients of the last step, weights and moments."""
    changes = dict(CASES[name])
    rules = changes.pop("ruleset", "tiny")
    config = config_of(tmp_path, **changes, ruleset=rules if isinstance(rules, str) else "eurotunnel")
    run = TrainingRun(config)
    ours = played(run)
    theirs = told_to_sb3(run, tmp_path / "other")
    for field in ("advantages", "returns"):
        expected = torch.from_numpy(getattr(theirs.rollout_buffer, field))
        torch.testing.assert_close(getattr(ours, field), expected, rtol=1e-4, atol=1e-5)
    ours.ent_coef = theirs.ent_coef = 0.02
    for model in (ours, theirs):
        np.random.seed(5)  # the order of the rows
        model.train()
    logs = [model.logger.name_to_value for model in (ours, theirs)]
    for figure in (*FIGURES, "explained_variance", "learning_rate", "clip_range"):
        wanted = logs[1][f"train/{figure}"]
        # MaskablePPO notes the loss of the last minibatch only.
        if figure != "loss":
            assert logs[0][f"train/{figure}"] == pytest.approx(wanted, rel=1e-3, abs=1e-5), figure
    assert ours._n_updates == theirs._n_updates == 2
    found, expected = ours.policy, theirs.policy
    for (label, one), other in zip(found.named_parameters(), expected.parameters(), strict=True):
        torch.testing.assert_close(one.grad, other.grad, rtol=1e-3, atol=1e-6, msg=label)
        torch.testing.assert_close(one, other, rtol=1e-3, atol=2e-5, msg=label)
    moments = [model.policy.optimizer.state_dict()["state"] for model in (ours, theirs)]
    for key, entry in moments[0].items():
        torch.testing.assert_close(entry["exp_avg_sq"], moments[1][key]["exp_avg_sq"], rtol=1e-3, atol=1e-9)


def test_the_loss_of_some_rows_is_maskable_ppos(tmp_path: Path) -> None:
    run = TrainingRun(config_of(tmp_path, epochs=1, batch_size=ROWS))
    ours = played(run)
    theirs = told_to_sb3(run, tmp_path / "other")
    for model in (ours, theirs):
        model.train()
    assert isinstance(theirs, MaskablePPO) and type(theirs).train is MaskablePPO.train
    assert ours.logger.name_to_value["train/loss"] == pytest.approx(theirs.logger.name_to_value["train/loss"], rel=1e-5)


@pytest.mark.parametrize(("rules", "credit"), [("tiny", ZERO_SUM), ("carcassonne", PER_SEAT)])
def test_halves_of_the_games_play_as_all_of_them(rules: str, credit: str) -> None:
    """The same games, seats, pay and rivals' rows by the same actions, in one call or in two."""
    envs = [
        SelfPlayVecEnv(8, rules, seed=3, rivals=[RandomOpponent(1)], rival_share=0.0, credit=credit) for _ in range(2)
    ]
    rng = np.random.default_rng(0)
    ends = 0
    for _ in range(300):
        masks = envs[0].action_masks()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        observations, rewards, dones, _ = envs[0].step(actions)
        for first, last in ((0, 3), (3, 8)):
            envs[1].play(actions[first:last], first, last)
        assert (envs[1].batch.observations == observations).all() and (envs[1].paid == rewards).all()
        assert (envs[1].ended == dones).all() and (envs[1].movers == envs[0].movers).all()
        assert (envs[1].seat_rewards == envs[0].seat_rewards).all()
        ends += int(dones.sum())
    assert ends or rules != "tiny"


def test_what_a_step_said_stays_as_it_was() -> None:
    env = SelfPlayVecEnv(4, "tiny", seed=1, credit=ZERO_SUM)
    held = env.movers, env.rival_rows, env.seat_rewards, env.paid, env.ended
    before = [each.copy() for each in held]
    for _ in range(30):
        env.step(env.action_masks().argmax(axis=1))
    for each, old in zip(held, before, strict=True):
        assert (each == old).all()


@pytest.mark.usefixtures("ways")
def test_equal_seeds_give_equal_runs_and_a_stopped_one_goes_on_as_if_unbroken(tmp_path: Path) -> None:
    whole = TrainingRun(config_of(tmp_path / "a"))
    whole.train()
    assert whole.pool.names
    assert_state(resumed_after(config_of(tmp_path / "b"), 3 * ROWS), state_of(whole))


def test_a_whole_run_of_both_engines_is_the_same(tmp_path: Path) -> None:
    """From the same seed the same luck, games and past selves: learning curves lie on each other."""
    runs = []
    for engine in ("torch", "sb3"):
        runs.append(TrainingRun(config_of(tmp_path / engine, engine=engine, decisions=3 * ROWS)))
        runs[-1].train()
    one, other = runs
    assert repr(one.env.batch.states.tolist()) == repr(other.env.batch.states.tolist())
    assert one.pool.state() == other.pool.state()
    assert_close(weights(one), weights(other))


def test_a_run_goes_on_with_the_other_engine_and_its_card_says_so(tmp_path: Path) -> None:
    config = config_of(tmp_path, decisions=2 * ROWS)
    TrainingRun(config).train()
    longer = config.model_copy(update={"engine": "sb3", "decisions": 4 * ROWS})
    run = TrainingRun(longer, resume=True)
    run.train()
    assert run.model.num_timesteps == 4 * ROWS
    assert run.card()["continued"][0]["changed"]["engine"] == ["torch", "sb3"]


def test_a_warm_start_rivals_and_drawn_rulesets_belong_to_its_runs(tmp_path: Path) -> None:
    changes = {"imitate": "heuristic", "imitate_decisions": ROWS, "drawn_rulesets": 4, "curriculum": 0.5}
    config = config_of(tmp_path, **changes, ruleset="standard", decisions=2 * ROWS)
    told: list[dict[str, Any]] = []
    run = TrainingRun(config)
    run.train(told.append)
    assert any("imitation" in status for status in told)
    assert set(run.env.batch.states["ruleset"].tolist()) > {0}
    assert run.env.chances is not None
    last = told[-1]
    assert sum(last["waits"].values()) == pytest.approx(1) and set(last["waits"]) == {"games", "copies", "network"}


# --- bad input --------------------------------------------------------------------------------------


def test_where_memory_is_short_minibatches_go_in_pieces_and_nothing_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = TrainingRun(config_of(tmp_path / "a", decisions=2 * ROWS))
    whole.train()
    losses, calls = TorchPPO.losses, []

    def short(self: TorchPPO, *args: Any) -> Any:
        calls.append(len(args[1]))
        if len(calls) == 2:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")
        return losses(self, *args)

    monkeypatch.setattr(TorchPPO, "losses", short)
    run = TrainingRun(config_of(tmp_path / "b", decisions=2 * ROWS))
    run.train()
    assert run.model.pieces == 2 and max(calls[2:]) < calls[0]
    assert_close(weights(run), weights(whole))


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB\nand more"),
            ["Lower batch_size", "2 GiB"],
        ),
        (
            RuntimeError("CUDA error: unspecified launch failure\nCompile with ..."),
            ["the GPU failed: CUDA error: unspecified launch failure"],
        ),
    ],
)
def test_a_gpu_that_fails_is_one_line_and_the_run_goes_on_elsewhere(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: RuntimeError,
    told: list[str],
) -> None:
    """Or one whose memory never suffices."""

    def lost(self: TorchPPO, *args: Any) -> Any:
        if self.num_timesteps > ROWS:
            raise error
        return losses(self, *args)

    losses = TorchPPO.losses
    monkeypatch.setattr(TorchPPO, "losses", lost)
    monkeypatch.setattr(loop, "MOST_PIECES", 4)
    assert run_in(tmp_path / "run", "--engine", "torch", "--checkpoint-every", "1e-9") == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and all(words in said for words in told)
    monkeypatch.undo()
    stored = load_config(tmp_path / "run" / "config.yaml")
    run = TrainingRun(stored.model_copy(update={"decisions": 2 * ROWS}), resume=True)
    assert run.model.num_timesteps == ROWS
    run.train()
    assert run.model.num_timesteps == 2 * ROWS


def test_answers_that_are_no_numbers_stop_the_run_before_they_are_played(tmp_path: Path) -> None:
    """Weights may be finite and what they give not."""
    run = TrainingRun(config_of(tmp_path, rivals=(), pool_slots=0, rival_share=0.0))

    def spoil() -> bool:
        if run.model.num_timesteps == 2 * ROWS:
            for part in run.model.policy.modules():
                if isinstance(part, nn.Linear):
                    part.weight.data.fill_(3e38)
        return False

    run.stop_asked = spoil
    with pytest.raises(TrainingCollapse, match="after 1,024 decisions the network's answers are no numbers") as caught:
        run.train()
    assert "\n" not in str(caught.value)


def test_a_gpu_that_torch_cannot_use_is_named_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("CUDA error: no kernel image is available for execution on the device\nmore")

    monkeypatch.setattr(training.torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(training.torch, "ones", broken)
    with pytest.raises(ConfigError, match="torch cannot use the GPU: CUDA error: no kernel image") as caught:
        check_device("cuda")
    assert "\n" not in str(caught.value)
