"""How much of a training run is learning: decisions a second end to end, against the bare passes.

python benchmarks/training.py                 the demo's network and batch
python benchmarks/training.py --preset full --updates 20

Bare: the same network's forward passes over as many rows, and its updates (forward, PPO's loss, backward,
Adam step), on tensors that are there already: no game, no sampling, no credit, no copies. Run and bare passes
take turns, update by update, so that other work on the machine slows both.
"""

from __future__ import annotations

import os
import sys

os.environ.setdefault("GOMP_SPINCOUNT", "10000")  # as train.py

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import tyro
from rich.console import Console
from rich.table import Table

from channel_tunnel_agents.learning.config import NEVER, TrainConfig, load_config
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.players.policy.network import side_flags


@dataclass(frozen=True)
class Arguments:
    """What to time."""

    preset: str = "demo"
    """Preset or YAML file; its network, batch and rivals."""
    updates: int = 12
    """Updates to time, after two to warm up."""
    threads: int = 1
    """Threads of torch."""
    rivals: bool = False
    """Keep the preset's rivals, which cost time that is neither the learner's nor the game's."""


PARTS = ("run", "games", "acting", "updates", "the rest")


class Stopwatch:
    """Seconds spent in a method, wall time."""

    def __init__(self, owner: Any, name: str) -> None:
        self.seconds, self.owner, self.name = 0.0, owner, name
        inner: Callable[..., Any] = getattr(owner, name)

        def timed(*args: Any, **kwargs: Any) -> Any:
            begun = time.perf_counter()
            try:
                return inner(*args, **kwargs)
            finally:
                self.seconds += time.perf_counter() - begun

        setattr(owner, name, timed)

    def stop(self) -> None:
        """Leave the method as it was."""
        delattr(self.owner, self.name)


def main() -> None:
    """Print one table."""
    arguments = tyro.cli(Arguments, description=__doc__)
    config = timed_config(arguments)
    with tempfile.TemporaryDirectory() as folder:
        run = TrainingRun(config.model_copy(update={"run": str(Path(folder) / "run")}))
        rows = config.num_games * config.steps
        bare_update = BareUpdate(run)
        run.model.learn(2 * rows)
        bare_update()
        learn, bare = dict.fromkeys(PARTS, 0.0), 0.0
        for _ in range(arguments.updates):
            for part, seconds in time_update(run, rows).items():
                learn[part] += seconds
            begun = time.perf_counter()
            bare_update()
            bare += time.perf_counter() - begun
    table = Table(title=f"{arguments.preset}: {rows:,} rows an update, {config.epochs} epochs")
    for column in ("", "seconds", "share of the run", "decisions/s"):
        table.add_column(column, justify="left" if not column else "right")
    total = learn["run"]
    for name, seconds in (*learn.items(), ("bare passes", bare)):
        speed = (
            f"{arguments.updates * rows / seconds:,.0f}" if name in ("run", "bare passes") else ""
        )
        table.add_row(name, f"{seconds:.2f}", f"{seconds / total:.1%}", speed)
    Console().print(table)
    print(f"end to end / bare passes: {bare / total:.1%}; simulator: {learn['games'] / total:.1%}")


def timed_config(arguments: Arguments) -> TrainConfig:
    """The preset without clock, warm start, evaluation and, unless asked for, rivals."""
    changes: dict[str, Any] = {
        "threads": arguments.threads,
        "imitate": None,
        "start_from": None,
        "max_minutes": None,
        "evaluate_every": NEVER,
        "checkpoint_every": NEVER,
        "pool_slots": 0,
    }
    if not arguments.rivals:
        changes |= {"rivals": (), "rival_share": 0.0}
    return load_config(arguments.preset).model_copy(update=changes)


def time_update(run: TrainingRun, rows: int) -> dict[str, float]:
    """Wall seconds of one rollout and its update, and of their parts."""
    games = Stopwatch(run.env, "step_wait")
    acting = Stopwatch(run.model.policy, "forward")
    updates = Stopwatch(run.model, "train")
    begun = time.perf_counter()
    run.model.learn(rows)
    total = time.perf_counter() - begun
    for watch in (games, acting, updates):
        watch.stop()
    rest = total - games.seconds - acting.seconds - updates.seconds
    return dict(
        zip(PARTS, (total, games.seconds, acting.seconds, updates.seconds, rest), strict=True)
    )


class BareUpdate:
    """The passes of one rollout and its update, and nothing else."""

    def __init__(self, run: TrainingRun) -> None:
        self.config, self.policy, self.clip = run.config, run.model.policy, run.config.clip
        device, count = self.policy.device, self.config.batch_size
        self.rows = torch.from_numpy(run.env.batch.observations.copy()).to(device)
        masks = torch.from_numpy(run.env.action_masks()).to(device)
        chosen = torch.arange(count, device=device) % len(self.rows)
        self.side = side_flags(self.rows, self.policy.form)[:, 0]
        chosen = chosen[
            self.side[chosen].argsort(stable=True)
        ]  # ordered as the run's minibatches are
        self.batch, self.masks = self.rows[chosen], masks[chosen]
        self.actions = self.masks.int().argmax(dim=1)
        self.ones = torch.ones(count, device=device)

    def __call__(self) -> None:
        config, policy = self.config, self.policy
        with torch.no_grad():
            for _ in range(config.steps):
                features = policy.features_extractor.features(self.rows)
                policy.action_net(features, self.side)
                policy.value_net(features, self.side)
        for _ in range(config.epochs * config.num_games * config.steps // config.batch_size):
            values, log_probs, entropy = policy.evaluate_actions(
                self.batch, self.actions, self.masks
            )
            ratio = (log_probs - log_probs.detach()).exp()
            policy_loss = -torch.min(ratio, ratio.clamp(1 - self.clip, 1 + self.clip)).mean()
            value_loss = (values.flatten() - self.ones).square().mean()
            loss = policy_loss - 0.001 * entropy.mean() + 0.5 * value_loss
            policy.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), config.max_gradient)
            policy.optimizer.step()


if __name__ == "__main__":
    sys.exit(main())
