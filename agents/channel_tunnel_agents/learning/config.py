"""The settings of a training run. Every field can be set in YAML and on the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from channel_tunnel_agents.players.policy.form import Architecture
from channel_tunnel_env.core.whole_numbers import given_seed
from channel_tunnel_env.errors import ChannelTunnelError, DocumentError
from channel_tunnel_env.outside.documents import describe_errors, quote, read_yaml, shorten
from channel_tunnel_env.outside.hints import did_you_mean, or_known

# In an installed package beside its modules, in a checkout at the top.
_CONFIGS = [Path(__file__).parents[up] / "configs" for up in (1, 3)]
PRESETS = next((found for found in _CONFIGS if found.is_dir()), _CONFIGS[0]) / "train"
MAX_SEED = 2**32 - 1  # the largest seed of numpy's generator, which Stable-Baselines3 seeds
MAX_WIDTH, MAX_DEPTH = 4096, 16  # 250 million weights, 4 GB with their optimizer
MAX_ROWS = 2**22  # per update: 13 GB of observations and masks
MAX_GAMES = 2**16  # side by side
MAX_AGENTS = 16
MAX_ALSO = 100
MAX_DRAWN = 16_000  # rulesets: five minutes to draw them
Rate = Annotated[float, Field(gt=0, le=1)]
Decisions = Annotated[int, Field(ge=1, le=10**15)]
Rows = Annotated[int, Field(ge=1, le=MAX_ROWS)]
MOST_THREADS = 1024
Threads = Annotated[int, Field(ge=1, le=MOST_THREADS)]
Minutes = Annotated[float, Field(gt=0, le=10**7)]
MOST_OF_THE_TIME = 0.6  # of a run's minutes that a warm start takes; the rest is for self-play
NEVER = 1e9  # seconds between what is not to happen
Seconds = Annotated[float, Field(gt=0, le=10**9)]
Text = Annotated[str, Field(min_length=1, max_length=4096)]
# The steps of a new learner, or imitation of a scripted player, would make a policy forget what it
# knows.
GENTLE: dict[str, Any] = {
    "imitate": None,
    "learning_rate": 3e-4,
    "final_learning_rate": 3e-5,
    "entropy": 0.01,
    "final_entropy": 0.002,
}


class ConfigError(ChannelTunnelError, ValueError):
    """An invalid training config; one line per error."""


class TrainConfig(BaseModel):
    """Self-play PPO for all seats at once."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True)

    run: Text = "runs/demo"
    """Folder of logs, checkpoints and policies."""
    ruleset: Text = "standard"
    """Ruleset name or YAML file."""
    also_rulesets: Annotated[tuple[Text, ...], Field(max_length=MAX_ALSO)] = ()
    """Other rulesets of the same game: games are played by each as often as by `ruleset`, and the policies play all
    of them. A preset's own are left out where another `ruleset` is given."""
    drawn_rulesets: Annotated[int, Field(ge=0, le=MAX_DRAWN)] = 0
    """Rulesets drawn around those of the game, by which three of four games are then played; the policies read
    the rules and play any ruleset. 0: none."""
    apart_from: Text | None = None
    """Track of the benchmark, such as rules-v1, whose rulesets the run keeps away from by figures: the drawn ones are
    drawn as the track's and those too near to one of them are left out. null: none."""
    curriculum: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Share of the games that go to the drawn rulesets on which the scripted `rivals` still win, the more often they
    win the more; 0: all rulesets come alike."""
    seed: Annotated[int, BeforeValidator(given_seed), Field(ge=0, le=MAX_SEED)] = 1
    """Seed of the weights, games and sampling."""
    decisions: Decisions = 12_000_000
    """Decisions of all seats to learn from."""
    start_from: Text | None = None
    """Folder of policies to start from; null: new ones. Network, width, depth and trunk must match them."""
    start_from_other_ruleset: bool = False
    """Allow start_from policies that were trained for another ruleset."""
    imitate: Text | None = None
    """Agent to imitate before self-play (heuristic, master, ...); null: no warm start. Like a rival it plays by
    `ruleset`; a policy must fit every ruleset of the run, or be named frozen:NAME."""
    imitate_decisions: Decisions = 1_000_000
    """Decisions of that agent to learn from; with max_minutes, for at most 60 % of them."""
    rivals: Annotated[tuple[Text, ...], Field(max_length=MAX_AGENTS)] = ()
    """Agents that hold one seat in some of the games, so that the policies also meet other styles
    of play."""
    rival_share: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Share of the games that rivals and past selves take part in; 1 with a single rival trains an
    exploiter of it, who takes one seat among its copies at a table of more than two."""
    pool_slots: Annotated[int, Field(ge=0, le=8)] = 0
    """Past selves that hold one seat at a time, beside `rivals`; 0: none. For games of two seats."""
    pool_from: Annotated[float, Field(ge=0, le=1)] = 0.2
    """Share of the run after which past selves join."""
    snapshots: Annotated[int, Field(ge=1, le=1000)] = 40
    """Past selves kept over the whole run, evenly spaced."""
    max_minutes: Minutes | None = None
    """Stop after this many minutes, the warm start included; the schedules then follow the clock if it is ahead."""
    num_games: Annotated[int, Field(ge=1, le=MAX_GAMES)] = 512
    """Games played side by side."""
    steps: Rows = 128
    """Decisions per game before each update; num_games * steps rows per update."""
    batch_size: Rows = 4096
    """Rows per gradient step (minibatch size)."""
    epochs: Annotated[int, Field(ge=1, le=1000)] = 3
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
    """Lambda of generalised advantage estimation, per decision of either seat."""
    clip: Rate = 0.2
    """PPO's ratio clip."""
    value_weight: Annotated[float, Field(gt=0, le=1000)] = 0.5
    """Weight of the value loss."""
    max_gradient: Annotated[float, Field(gt=0, le=10**6)] = 0.5
    """Gradient norm clip."""
    width: Annotated[int, Field(ge=1, le=MAX_WIDTH)] = 128
    """Units of a hidden layer."""
    depth: Annotated[int, Field(ge=1, le=MAX_DEPTH)] = 2
    """Hidden layers."""
    network: Architecture = "mlp"
    """mlp: layers over the whole observation, for 1987 Channel Tunnel; game: shaped like the game, weights shared by
    what is alike in it."""
    trunk: Literal["shared", "separate"] = "shared"
    """One trunk for both seats with heads for each, or two networks."""
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """Precision of the trunk's products in training; auto: bfloat16 if the processor is fast at
    it."""
    observation_dtype: Literal["float32", "uint8"] = "float32"
    """How the games and the rollout hold observations: uint8 takes a quarter of the memory."""
    evaluate_every: Seconds = 60.0
    """Seconds between evaluations."""
    evaluate_games: Annotated[int, Field(ge=1, le=MAX_GAMES)] = 500
    """Games a seat against each yardstick in an evaluation."""
    checkpoint_every: Seconds = 60.0
    """Seconds between checkpoints: the most a killed run can lose."""
    threads: Threads = 2
    """Threads of torch."""
    simulator_threads: Threads = 1
    """Threads that step the games."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Device of the network."""
    engine: Literal["sb3", "torch", "rllib"] = "sb3"
    """What trains: sb3, Stable-Baselines3; torch, a loop of our own that keeps a GPU busy; rllib, Ray's RLlib."""

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_switches(cls, value: Any, field: ValidationInfo) -> Any:
        """`seed: yes` would be read as 1."""
        if isinstance(value, bool) and not isinstance(cls.model_fields[str(field.field_name)].default, bool):
            raise ValueError("true and false are allowed only where a setting is on or off")
        return value

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        """Checks that involve more than one field."""
        if (self.rivals or self.pool_slots) and not self.rival_share:
            raise ValueError(
                "rivals or pool_slots are set, so rival_share must be above 0; a bare --rivals and --pool-slots 0 take them out"
            )
        if self.rival_share and not (self.rivals or self.pool_slots):
            raise ValueError("rival_share is set, so rivals or pool_slots must be too")
        if self.start_from_other_ruleset and not self.start_from:
            raise ValueError("start_from_other_ruleset is set, so start_from must be too")
        if self.apart_from and not self.drawn_rulesets:
            raise ValueError("apart_from is set, so drawn_rulesets must be too")
        if self.curriculum and not (self.drawn_rulesets and self.rivals):
            raise ValueError("curriculum is set, so drawn_rulesets and rivals must be too")
        if self.num_games * self.steps > MAX_ROWS:
            raise ValueError(
                f"num_games * steps = {self.num_games * self.steps:,}: at most {MAX_ROWS:,} rows per update"
            )
        if self.batch_size > self.num_games * self.steps:
            raise ValueError(f"batch_size {self.batch_size}: at most num_games * steps = {self.num_games * self.steps}")
        return self


def load_config(name: str | Path) -> TrainConfig:
    """Read the settings of a training run.

    Args:
        name: a preset, such as "demo", "smoke" or "full", or a YAML file.

    Returns:
        The valid config.

    Raises:
        ConfigError: gives file, key, value and allowed values for every error.
    """
    path = PRESETS / f"{name}.yaml"
    if not path.is_file():
        path = Path(name)
    if not path.is_file():
        known = sorted(p.stem for p in PRESETS.glob("*.yaml"))
        raise ConfigError(f"{name}: no such file or preset{or_known(name, known)}")
    try:
        document = read_yaml(path)
        return TrainConfig.model_validate(document.mapping("a config"))
    except DocumentError as error:
        raise ConfigError(str(error)) from None
    except ValidationError as error:
        lines = describe(error, document.place)
        raise ConfigError("\n".join(f"{path}: {line}" for line in lines)) from None


def make_config(values: Mapping[str, Any]) -> TrainConfig:
    """A config from its fields.

    Args:
        values: field -> value; other fields have their defaults.

    Returns:
        The valid config.

    Raises:
        ConfigError: one line per error.
    """
    try:
        return TrainConfig.model_validate(dict(values))
    except ValidationError as error:
        raise ConfigError("\n".join(describe(error))) from None


def describe(error: ValidationError, place: Callable[[Sequence[Any]], object] = lambda _: None) -> list[str]:
    """One line per error: location, key, value, allowed values."""

    def describe_item(item: Any) -> str:
        stands = place(item["loc"])
        key = (f"{stands}: " if stands else "") + ".".join(map(shorten, item["loc"]))
        if item["type"] == "extra_forbidden":
            hint = did_you_mean(item["loc"][-1], TrainConfig.model_fields)
            return f"{key}: unknown key{hint}"
        given = f"{key}: {quote(item['input'])}: " if item["loc"] else ""
        return given + str(item["msg"]).removeprefix("Value error, ")

    return describe_errors(error, describe_item)


def dump_config(config: TrainConfig) -> str:
    """The config as YAML."""
    plain: dict[str, Any] = config.model_dump()
    return str(yaml.safe_dump(plain, sort_keys=False))
