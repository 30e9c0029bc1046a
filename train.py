"""Train a France and a Britain policy by self-play.

python train.py demo                         a preset of configs/train/, or a YAML file
python train.py demo --width 256 --seed 2    any field overridden
python train.py demo --resume                go on from the run's checkpoint
"""

from __future__ import annotations

import os
import sys

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # or idle threads spin and starve the simulator

from typing import Any

import tyro
from pydantic import ValidationError
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from agents import AgentError
from agents.ppo.config import ConfigError, TrainConfig, describe, load_config
from channel_tunnel_env import ChannelTunnelError


def main(argv: list[str] | None = None) -> int:
    """Exit status 0; 2 for a wrong config or agent, an existing run or a checkpoint that does not fit."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    console = Console()
    try:
        config, resume = read_arguments(arguments)
        from agents.ppo.training import TrainingRun

        run = TrainingRun(config, resume)
        console.print(
            f"Training [bold]{config.ruleset}[/] into {config.run}: "
            f"{config.decisions:,} decisions"
            + (f" or {config.max_minutes:g} minutes" if config.max_minutes else "")
        )
        with _Display(console) as display:
            run.train(display.show)
        for name, rate in run.evaluate().items():
            console.print(f"  {name:<22} {rate:6.1%} of {config.evaluate_games} games")
        console.print(
            f"Policies: {config.run}/britain.safetensors, {config.run}/france.safetensors"
        )
    except (AgentError, ConfigError, ChannelTunnelError, FileExistsError) as error:
        Console(stderr=True).print(f"train.py: {error}", style="red", highlight=False)
        return 2
    except KeyboardInterrupt:
        Console(stderr=True).print("train.py: stopped; go on with --resume")
        return 130
    return 0


def read_arguments(arguments: list[str]) -> tuple[TrainConfig, bool]:
    """The config and whether to resume. The first argument may name a preset or a file."""
    resume = "--resume" in arguments
    arguments = [argument for argument in arguments if argument != "--resume"]
    name = arguments.pop(0) if arguments and not arguments[0].startswith("-") else "demo"
    default = load_config(name)
    try:
        config = tyro.cli(TrainConfig, prog=f"train.py {name}", args=arguments, default=default)
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

    def __enter__(self) -> _Display:
        self.bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.stop()

    def show(self, status: dict[str, Any]) -> None:
        """One status of the run."""
        rates = {name: rate for name, rate in status.items() if " v " in name}
        if "imitation" in status:
            text = ", ".join(f"{name} {rate:.0%}" for name, rate in rates.items())
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
            text = ", ".join(f"{name} {rate:.0%}" for name, rate in rates.items())
            self.console.print(f"{status['done']:4.0%}  {line}; {text}", highlight=False)


if __name__ == "__main__":
    sys.exit(main())
