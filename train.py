"""Train a France and a Britain policy by self-play.

python train.py demo                         a preset (smoke, demo, full, gpu), or a YAML file
python train.py demo --width 256 --seed 2    any field overridden
python train.py demo --resume                go on from the run's checkpoint
python train.py demo --engine rllib          on Ray's RLlib instead of Stable-Baselines3 (docs/scale.md)
python train.py demo --engine rllib --ray HOST:PORT    its games on the machines of a cluster
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Threads wait for the next of many short products awake, but not for long: the games need the cores too.
os.environ.setdefault("GOMP_SPINCOUNT", "10000")

from typing import Any

import tyro
from pydantic import ValidationError
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from agents import AgentError
from agents.ppo.config import ConfigError, TrainConfig, describe, load_config
from agents.ppo.guards import TrainingCollapse
from agents.ray_parallel import LOCAL, ray_cluster, with_address
from channel_tunnel_env import ChannelTunnelError

ENGINES = ("sb3", "rllib")
HELP = """Train a France and a Britain policy by self-play.

train.py PRESET [OPTIONS]: smoke (a minute), demo (ten minutes), full (two hours), gpu, or a YAML file; demo if none is named.

--resume: go on from the run's checkpoint.

--engine sb3 or rllib: Stable-Baselines3, or Ray's RLlib (docs/scale.md).

--ray ADDRESS: with rllib, the cluster for its games: local (alone, or if left out), auto, HOST:PORT or ray://HOST:PORT.

The fields of the config, with the preset's values:"""


def main(argv: list[str] | None = None) -> int:
    """Exit status 0; 1 for a run that had to stop, 2 for a wrong config, an existing run or a
    checkpoint that does not fit, 130 when interrupted."""
    arguments = with_address(sys.argv[1:] if argv is None else list(argv))
    console = Console()
    try:
        engine = take_option(arguments, "--engine", ENGINES[0])
        address = take_option(arguments, "--ray", "")
        if engine not in ENGINES:
            raise ConfigError(f"--engine {engine}: expected {' or '.join(ENGINES)}")
        if address and engine != "rllib":
            raise ConfigError(f"--ray {address}: only --engine rllib trains on a cluster")
        config, resume = read_arguments(arguments)
        with _started(engine, address or LOCAL, config, resume, console) as run:
            _train(run, config, console)
    except (ConfigError, ChannelTunnelError, AgentError, FileExistsError) as error:
        return complain(error, 2)
    except (TrainingCollapse, OSError) as error:
        return complain(error, 1)
    except KeyboardInterrupt:
        Console(stderr=True).print("train.py: stopped; go on with --resume")
        return 130
    return 0


@contextmanager
def _started(
    engine: str, address: str, config: TrainConfig, resume: bool, console: Console
) -> Iterator[Any]:
    """A run, built or resumed."""
    if engine == "sb3":
        from agents.ppo.training import TrainingRun

        run = TrainingRun(config, resume)
        _say_if_new(resume, run.model.num_timesteps, config, console)
        yield run
        return

    def warn(line: str) -> None:
        console.print(f"look: {line}", style="yellow", highlight=False, markup=False)

    with ray_cluster(address, warn):
        from agents.ppo.rllib_training import RllibRun, ignored_fields

        if ignored := ignored_fields(config):
            warn(f"--engine rllib leaves out {', '.join(ignored)}")
        rllib_run = RllibRun(config, resume)
        _say_if_new(resume, rllib_run.decisions, config, console)
        try:
            yield rllib_run
        finally:
            rllib_run.close()


def _say_if_new(resume: bool, decisions: int, config: TrainConfig, console: Console) -> None:
    if resume and not decisions:
        console.print(f"{config.run} holds no checkpoint: starting anew", highlight=False)


def _train(run: Any, config: TrainConfig, console: Console) -> None:
    """Train, evaluate, and say how it went."""
    console.print(
        f"Training [bold]{escape(config.ruleset)}[/] into {escape(config.run)}: "
        f"{config.decisions:,} decisions"
        + (f" or {config.max_minutes:g} minutes" if config.max_minutes else "")
    )
    if config.start_from_other_ruleset:
        console.print(
            f"[yellow]look:[/] {escape(str(config.start_from))} may have been trained for other "
            f"rules than {escape(config.ruleset)}; start_from_other_ruleset lets it in",
            highlight=False,
        )
    with _Display(console) as display:
        run.train(display.show)
    for name, rate in run.evaluate().items():
        console.print(f"  {name:<22} {rate} of {config.evaluate_games} games", highlight=False)
    console.print(
        f"Policies: {config.run}/britain.safetensors, {config.run}/france.safetensors",
        markup=False,
    )


def take_option(arguments: list[str], name: str, default: str) -> str:
    """The value of `--name VALUE` or `--name=VALUE`, taken out of the arguments.

    Raises:
        ConfigError: no value.
    """
    for i, word in enumerate(arguments):
        if word.startswith(f"{name}="):
            return arguments.pop(i).partition("=")[2]
        if word == name:
            if i + 1 == len(arguments) or arguments[i + 1].startswith("--"):
                raise ConfigError(f"{name}: a value is needed")
            arguments.pop(i)
            return arguments.pop(i)
    return default


def complain(error: Exception, status: int) -> int:
    """The error on one line; returns the exit status."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    if isinstance(error, OSError) and error.filename:
        text = f"{error.filename}: {text}"
    # As it stands: a path or a command must not be wrapped, nor its brackets read as markup.
    Console(stderr=True, soft_wrap=True).print(
        f"train.py: {text}", style="red", highlight=False, markup=False
    )
    return status


def read_arguments(arguments: list[str]) -> tuple[TrainConfig, bool]:
    """The config and whether to resume. The first argument may name a preset or a file."""
    resume = "--resume" in arguments
    arguments = [argument for argument in arguments if argument != "--resume"]
    name = arguments.pop(0) if arguments and not arguments[0].startswith("-") else "demo"
    default = load_config(name)
    try:
        config = tyro.cli(
            TrainConfig,
            prog=f"train.py {name}",
            description=HELP,
            args=arguments,
            default=default,
        )
    except ValidationError as error:
        raise ConfigError("\n".join(describe(error))) from None
    return config, resume


class _Display:
    """A progress bar on a terminal, a line a minute elsewhere."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.live = console.is_terminal
        self.bar = Progress(
            TextColumn("[bold]self-play"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[status]}"),
            console=console,
            disable=not self.live,
        )
        self.task = self.bar.add_task("train", total=1.0, status="")
        self._shown: dict[str, Any] = {}
        self._warned: set[str] = set()

    def __enter__(self) -> _Display:
        self.bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.stop()

    def show(self, status: dict[str, Any]) -> None:
        """One status of the run."""
        rates = status["rates"]
        text = ", ".join(f"{name} {rate.share:.0%}" for name, rate in rates.items())
        for warning in status.get("warnings", []):
            kind = re.sub(r"[-\d.,]+", "", warning)  # shown once, though its figures move
            if kind not in self._warned:
                self._warned.add(kind)
                self.console.print(f"      [yellow]look:[/] {warning}", highlight=False)
        if "imitation" in status:
            self.console.print(
                f"      imitated {status['imitation']}: {status['agreement']:.0%} of its moves; {text}",
                highlight=False,
            )
            return
        line = (
            f"{status['decisions'] / 1e6:.1f} M decisions, {status['decisions_per_second'] / 1e3:.1f} k/s, "
            f"Britain wins {status['britain_self_play']:.0%} of self-play"
        )
        self.bar.update(self.task, completed=status["done"], status=line)
        if rates != self._shown:
            self._shown = rates
            self.console.print(f"{status['done']:4.0%}  {line}; {text}", highlight=False)


if __name__ == "__main__":
    sys.exit(main())
