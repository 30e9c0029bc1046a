"""What a training run is made of. Every field can be set in YAML and on the command line."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

PRESETS = Path(__file__).parents[2] / "configs" / "train"
Rate = Annotated[float, Field(gt=0, le=1)]
Positive = Annotated[int, Field(ge=1)]


class ConfigError(ValueError):
    """A training config that is wrong; one line for each error."""


class TrainConfig(BaseModel):
    """Self-play PPO for both seats at once."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str = "runs/demo"
    """Folder of logs, checkpoints and policies."""
    ruleset: str = "standard"
    """Ruleset name or YAML file."""
    seed: Annotated[int, Field(ge=0)] = 1
    """Seed of weights, games and sampling."""
    decisions: Positive = 12_000_000
    """Decisions of both seats to learn from."""
    start_from: str | None = None
    """Folder of policies to start from; null: new ones. Width, depth and trunk must be theirs."""
    start_from_other_ruleset: bool = False
    """Let start_from be policies that were trained for another ruleset."""
    imitate: str | None = None
    """Scripted agent to imitate before self-play (heuristic, racer, ...); null: start from nothing."""
    imitate_decisions: Positive = 1_000_000
    """Decisions of that agent to learn from."""
    rivals: tuple[str, ...] = ()
    """Agents that hold one seat in some of the games, so that the policies also meet play unlike
    their own."""
    rival_share: Annotated[float, Field(ge=0, le=1)] = 0.0
    """The share of the games that rivals and past selves take part in; 1 with one rival trains an
    exploiter of it."""
    pool_slots: Annotated[int, Field(ge=0, le=8)] = 0
    """Past selves that hold one seat at a time, beside `rivals`; 0: none."""
    pool_from: Annotated[float, Field(ge=0, le=1)] = 0.2
    """Share of the run after which past selves take part."""
    snapshots: Positive = 40
    """Past selves kept over the whole run, evenly spaced."""
    max_minutes: Annotated[float, Field(gt=0)] | None = None
    """Stop after so many minutes; the schedules then follow the clock if it is ahead."""
    num_games: Positive = 512
    """Games played side by side."""
    steps: Positive = 128
    """Decisions a game before each update; num_games * steps rows an update."""
    batch_size: Positive = 4096
    """Rows a gradient step."""
    epochs: Positive = 3
    """Passes over the rows of an update."""
    learning_rate: Rate = 7e-4
    """Adam's step size at the start ..."""
    final_learning_rate: Rate = 7e-5
    """... and at the end; linear between."""
    entropy: Annotated[float, Field(ge=0, le=1)] = 0.02
    """Entropy bonus at the start ..."""
    final_entropy: Annotated[float, Field(ge=0, le=1)] = 0.003
    """... and at the end; linear between."""
    gae_lambda: Rate = 0.9
    """Generalised advantage estimation, per decision of either seat."""
    clip: Rate = 0.2
    """PPO's ratio clip."""
    value_weight: Annotated[float, Field(gt=0)] = 0.5
    """Weight of the value loss."""
    max_gradient: Annotated[float, Field(gt=0)] = 0.5
    """Gradient norm clip."""
    width: Positive = 128
    """Units of a hidden layer."""
    depth: Positive = 2
    """Hidden layers."""
    trunk: Literal["shared", "separate"] = "shared"
    """One trunk for both seats with heads for each, or two networks."""
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """Of the trunk's matrix products in training; auto: bfloat16 where the processor is made for it."""
    evaluate_every: Annotated[float, Field(gt=0)] = 60.0
    """Seconds between evaluations."""
    evaluate_games: Positive = 500
    """Games a seat against each yardstick in an evaluation."""
    checkpoint_every: Annotated[float, Field(gt=0)] = 60.0
    """Seconds between checkpoints: what a killed run can lose."""
    threads: Positive = 2
    """Threads of torch."""
    simulator_threads: Positive = 1
    """Threads that step the games."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where the network runs."""

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        """What no value can say alone."""
        if (self.rivals or self.pool_slots) and not self.rival_share:
            raise ValueError("rivals or pool_slots are set, so rival_share must be above 0")
        if self.rival_share and not (self.rivals or self.pool_slots):
            raise ValueError("rival_share is set, so rivals or pool_slots must be too")
        if self.start_from_other_ruleset and not self.start_from:
            raise ValueError("start_from_other_ruleset is set, so start_from must be too")
        if self.batch_size > self.num_games * self.steps:
            raise ValueError(
                f"batch_size {self.batch_size}: at most num_games * steps = "
                f"{self.num_games * self.steps}"
            )
        return self


def load_config(name: str | Path) -> TrainConfig:
    """A preset by name ("demo", "smoke", "full") or a YAML file.

    Raises:
        ConfigError: names file, key, value and what is allowed, for every error.
    """
    path = PRESETS / f"{name}.yaml"
    if not path.is_file():
        path = Path(name)
    if not path.is_file():
        known = sorted(p.stem for p in PRESETS.glob("*.yaml"))
        near = difflib.get_close_matches(str(name), known, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ConfigError(f"{name}: no such file or preset{hint}; presets: {', '.join(known)}")
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        return TrainConfig.model_validate(content)
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: not valid YAML: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        raise ConfigError("\n".join(f"{path}: {line}" for line in describe(error))) from None


def describe(error: ValidationError) -> list[str]:
    """One line for each error: key, value, what is allowed."""
    lines = []
    for item in error.errors():
        key = ".".join(map(str, item["loc"]))
        if item["type"] == "extra_forbidden":
            near = difflib.get_close_matches(key, TrainConfig.model_fields, 1)
            lines.append(f"{key}: unknown key" + (f"; did you mean {near[0]!r}?" if near else ""))
        else:
            given = f"{key}: {item['input']!r}: " if key else ""
            lines.append(given + item["msg"])
    return lines


def dump_config(config: TrainConfig) -> str:
    """The config as YAML."""
    plain: dict[str, Any] = config.model_dump()
    return str(yaml.safe_dump(plain, sort_keys=False))
