"""`channel-tunnel train`: train a policy for every seat by self-play."""

from __future__ import annotations

import dataclasses
import importlib
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

# Threads spin between the many short matrix products, but not for long: the games need the cores
# too.
os.environ.setdefault("GOMP_SPINCOUNT", "10000")

from typing import TYPE_CHECKING, Annotated, Any

import tyro
from rich.console import Console
from rich.markup import escape

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.cluster.ray_parallel import LOCAL, ray_cluster, with_address
from channel_tunnel_agents.learning.config import (
    MOST_OF_THE_TIME,
    PRESETS,
    ConfigError,
    TrainConfig,
    load_config,
    make_config,
)
from channel_tunnel_agents.learning.guards import TrainingCollapse, TrainingStopped, alone_in
from channel_tunnel_agents.learning.resume import stored_config
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.program import STOPPING, StopRequest, command_words, complain, started_by
from channel_tunnel_env import ChannelTunnelError
from channel_tunnel_env.cli.asking import asked
from channel_tunnel_env.entry import why_not_here
from channel_tunnel_env.errors import ForeignExitError
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.foreign import foreign_code
from channel_tunnel_env.outside.progress import Progress, Stage, show_progress
from channel_tunnel_env.outside.terminal import percent, tolerate_any_terminal
from channel_tunnel_env.rulesets.ruleset import load_ruleset

if TYPE_CHECKING:
    from channel_tunnel_agents.statistics import Figure

MOST_SEEDS = 64
MOST_TRIALS = 10_000
A_DAY = 24 * 60  # minutes
CHECKPOINTS = ("checkpoint.pt", "checkpoint-previous.pt", "rllib", "rllib-previous")
HELP = """Train a policy for every seat by self-play, for any of the games.

PRESET [OPTIONS]: smoke (a minute), demo (ten minutes), full (two hours), adept (for every ruleset), master
(adept trained further on the box's two rulesets), gpu, carcassonne, eurotunnel, or a YAML file. Default: the preset of the
game of --ruleset, else demo.

For example:
    channel-tunnel train smoke
    channel-tunnel train smoke --run runs/mine --ruleset agenda

--resume: continue from the run's checkpoint; options not given stay as they were, and a preset only names the folder.

--start-from POLICY: fine-tune a policy that comes with the game, such as club, or that of a run, with its network.

--seeds N: train N times, with the config's seed and the following ones, and summarise over the seeds.

--search FIELD=LOW..HIGH or FIELD=A,B,C: let optuna look for a field's value, --trials N (20) runs; may be given several times.

--callback MODULE:ATTRIBUTE: a callback of Stable-Baselines3, called in every run; may be given several times.

--ray ADDRESS: with rllib, the cluster for its games: local (the default), auto, HOST:PORT or ray://HOST:PORT.

The fields of the config, with the preset's values:"""


def main(argv: list[str] | None = None, script: str | None = None) -> int:
    """Train, and report the result.

    Args:
        argv: the arguments after the command's name; None: those of the process.
        script: `train.py` if that was started.

    Returns:
        0; 1 for a run that had to stop, 2 for a wrong config, an existing run or a checkpoint that does not
        fit, 130 when interrupted.
    """
    tolerate_any_terminal()
    with started_by(script):
        return _main(with_address(sys.argv[1:] if argv is None else list(argv)))


def _main(arguments: list[str]) -> int:
    console = Console(highlight=False, markup=False, soft_wrap=True)
    try:
        address = take_option(arguments, "--ray", "")
        seeds = _whole_number("--seeds", take_option(arguments, "--seeds", "1"), MOST_SEEDS)
        callbacks = _take_callbacks(arguments)
        searches = _take_searches(arguments)
        trials = _whole_number("--trials", take_option(arguments, "--trials", "20"), MOST_TRIALS)
        if seeds > 1 and searches:
            raise ConfigError("--seeds and --search: one or the other; search first, then repeat best.yaml")
        config, resume = read_arguments(arguments)
        if address and config.engine != "rllib":
            raise ConfigError(f"--ray {address}: only --engine rllib trains on a cluster")
        if config.engine == "rllib" and (seeds > 1 or callbacks or searches):
            raise ConfigError("--seeds, --callback and --search: not with --engine rllib")
    except (ConfigError, ChannelTunnelError, AgentError) as error:
        return complain(error, 2)

    def train(config: TrainConfig, resume: bool) -> dict[str, Figure]:
        more = _make_callbacks(callbacks)
        with _started(address or LOCAL, config, resume, console, more) as run:
            return _train(run, config, console)

    try:
        with foreign_code():
            if searches:
                _search(config, searches, trials, train, console)
            elif seeds > 1:
                _train_seeds(config, seeds, lambda one: train(one, resume), console)
            else:
                train(config, resume)
    except (ConfigError, ChannelTunnelError, AgentError, FileExistsError) as error:
        return complain(error, 2)
    except (TrainingCollapse, OSError) as error:
        return complain(error, 1)
    except (TrainingStopped, KeyboardInterrupt) as error:
        if seeds > 1:
            complain(f"{str(error) or 'stopped at once'}; go on with the same command and --resume", 130)
        else:
            _say_how_to_go_on(error, config, callbacks)
        return 130
    return 0


def _whole_number(option: str, word: str, most: int) -> int:
    if not word.isdigit() or not 1 <= int(word) <= most:
        raise ConfigError(f"{option} {word}: expected a whole number from 1 to {most}")
    return int(word)


def _take_searches(arguments: list[str]) -> list[Any]:
    """Every `--search FIELD=VALUES`, taken out of the arguments."""
    searches = []
    while word := take_option(arguments, "--search", ""):
        from channel_tunnel_agents.learning.hyperparameters import read_search  # needs optuna

        searches.append(read_search(word))
    return searches


def _take_callbacks(arguments: list[str]) -> list[str]:
    """Remove every `--callback MODULE:ATTRIBUTE` from the arguments; returns the names, checked."""
    names = []
    while name := take_option(arguments, "--callback", ""):
        names.append(name)
    _make_callbacks(names)
    return names


def _make_callbacks(names: Sequence[str]) -> list[Any]:
    """One callback per name: an instance is used as it is, a class or function is called.

    Raises:
        ConfigError: no such module or attribute, or not a callback.
    """
    if not names:
        return []
    from stable_baselines3.common.callbacks import BaseCallback  # takes seconds

    made = []
    for name in names:
        module, _, attribute = name.partition(":")
        try:
            with foreign_code():
                found: Any = getattr(importlib.import_module(module), attribute)
                made.append(found if isinstance(found, BaseCallback) else found())
        except (ImportError, AttributeError, ValueError, TypeError, ForeignExitError) as error:
            why = why_not_here(module) or "; expected MODULE:ATTRIBUTE"
            raise ConfigError(f"--callback {name}: {error}{why}") from None
        if not isinstance(made[-1], BaseCallback):
            raise ConfigError(f"--callback {name}: not a callback of Stable-Baselines3")
    return made


def _train_seeds(config: TrainConfig, seeds: int, train: Callable[[TrainConfig], Any], console: Console) -> None:
    """Train seed after seed, then summarise their runs."""
    from channel_tunnel_agents.learning.seeds import FIGURE, seed_configs, write_summary
    from channel_tunnel_agents.statistics import percent_words

    rates, configs = [], seed_configs(config, seeds)
    for one in configs:
        console.rule(f"seed {one.seed}", align="left")
        rates.append(train(one))
    folder = Path(config.run)
    found = write_summary(folder, configs, rates)
    console.rule(f"{seeds} seeds", align="left")
    for name, mean in found.items():
        shares = [seed[name].value for seed in rates]
        console.print(f"  {name:<22} {percent_words(mean)}, seeds {percent(min(shares))} to {percent(max(shares))}")
    what = "curves, shares" if (folder / FIGURE).exists() else "shares"
    console.print(f"Mean of the seeds, 95 % interval of that mean; {what}: {folder}")


def _search(
    config: TrainConfig,
    searches: Sequence[Any],
    trials: int,
    train: Callable[[TrainConfig, bool], Any],
    console: Console,
) -> None:
    """Trial after trial; a trial that was stopped is resumed."""
    from channel_tunnel_agents.learning.hyperparameters import BEST, search_config

    search_config(config, searches, trials, lambda one: train(one, Path(one.run).exists()), console.print)
    best = Path(config.run) / BEST
    again = shlex.join([*command_words("train"), str(best), "--seeds", "3"])
    console.print(f"The best of {trials} trials: {best}. It is partly the luckiest; see whether it holds: {again}")


def _say_how_to_go_on(error: BaseException, config: TrainConfig, callbacks: Sequence[str]) -> None:
    """After an interruption: say what was saved, and the command that continues the run."""
    what = str(error) or "stopped at once"
    if not any((Path(config.run) / name).exists() for name in CHECKPOINTS):
        complain(f"{what}; {config.run} holds no checkpoint yet: begin again", 130)
        return
    more = [word for name in callbacks for word in ("--callback", name)]
    command = shlex.join([*command_words("train"), *more, "--run", config.run, "--resume"])
    complain(f"{what}; checkpoint and policies are in {config.run}. Go on with: {command}", 130)


@contextmanager
def _started(
    address: str, config: TrainConfig, resume: bool, console: Console, callbacks: Sequence[Any]
) -> Iterator[Any]:
    """Context with a run, built or resumed."""
    if config.engine != "rllib":
        from channel_tunnel_agents.learning.monitor import quiet_writers
        from channel_tunnel_agents.learning.training import TrainingRun

        with quiet_writers(), alone_in(Path(config.run)):
            run = TrainingRun(config, resume, callbacks=callbacks)
            _say_what_is_resumed(run, resume, config, console)
            yield run
        return

    def warn(line: str) -> None:
        console.print(f"warning: {line}", style="yellow")

    with alone_in(Path(config.run)), ray_cluster(address, warn, asked="--engine rllib"):
        from channel_tunnel_agents.learning.rllib_training import RllibRun, ignored_fields

        if ignored := ignored_fields(config):
            warn(f"--engine rllib leaves out {', '.join(ignored)}")
        rllib_run = RllibRun(config, resume)
        _say_what_is_resumed(rllib_run, resume, config, console)
        try:
            yield rllib_run
        finally:
            rllib_run.close()


def _say_what_is_resumed(run: Any, resume: bool, config: TrainConfig, console: Console) -> None:
    """Say whether there is a checkpoint to resume from, and what changes."""
    if resume and not run.resumed:
        console.print(f"{config.run} holds no checkpoint: starting from scratch")
    changed = ", ".join(f"{name} {old} -> {new}" for name, (old, new) in run.changed.items())
    if changed and not run.finished:
        console.print(f"From here on: {changed}")


def _train(run: Any, config: TrainConfig, console: Console) -> dict[str, Figure]:
    """Train, evaluate and report; returns the win rates."""
    stays = run.resumed and run.finished
    if stays:
        console.print(
            f"{config.run} is at the end of its budget and stays as it is; a larger --decisions"
            f"{' or --max-minutes' if config.max_minutes else ''} continues it"
        )
    else:
        _say_what_begins(run, config, console)
    with show_progress() as progress:
        display = _Display(progress, config)
        with StopRequest(lambda: progress.say(STOPPING)) as stop:
            run.stop_asked = lambda: stop.asked
            run.train(display.show)
            display.end()
    from channel_tunnel_agents.learning import run_curve  # pandas takes a while
    from channel_tunnel_agents.statistics import percent_words

    rates: dict[str, Figure] = run.evaluate()
    for name, rate in rates.items():
        console.print(f"  {name:<22} {percent_words(rate)} of {config.evaluate_games} games")
    folder = Path(config.run)
    if not stays:
        run.curve = run_curve.curve_entry(folder, run.decisions_made, rates)
        run.save_policies(folder)
    picture = run_curve.write_curve(folder, run.decisions_made, rates)
    console.print(f"Curve: {picture}")
    sides = FORMS[run.ruleset.spec.name].sides
    console.print("Policies: " + ", ".join(f"{config.run}/{side}.safetensors" for side in sides))
    return rates


def _say_what_begins(run: Any, config: TrainConfig, console: Console) -> None:
    """What will happen and when it ends, in one line; then what may surprise."""
    rulesets = " and ".join((config.ruleset, *config.also_rulesets))
    console.print(
        f"Training [bold]{escape(rulesets)}[/] into {escape(config.run)}: {_what_happens(run, config)}. "
        f"It ends after {config.decisions:,} decisions of self-play{_or_when(run, config)}.",
        markup=True,
    )
    if config.start_from:
        console.print(
            f"It starts from {config.start_from}: width {config.width}, depth {config.depth}, learning rate "
            f"{config.learning_rate:g} to {config.final_learning_rate:g}, imitates {config.imitate or 'nobody'}"
        )
    if config.start_from_other_ruleset:
        console.print(
            f"[yellow]warning:[/] {escape(str(config.start_from))} may have been trained for other "
            f"rules than {escape(rulesets)}; start_from_other_ruleset lets it in",
            markup=True,
        )


def _what_happens(run: Any, config: TrainConfig) -> str:
    if lessons := run.lessons_left:
        more = " more" if run.imitated.decisions else ""
        most = MOST_OF_THE_TIME * (config.max_minutes or 0)
        limit = f", for {_minutes(most)} minutes at most" if most and not more else ""
        return f"first it imitates {lessons:,}{more} decisions of {config.imitate}{limit}, then it plays against itself"
    after = f" from decision {run.decisions_made:,} on" if run.decisions_made else ""
    return f"it plays against itself{after}"


def _or_when(run: Any, config: TrainConfig) -> str:
    """The time at which the minutes are over, warm start and earlier parts of the run included."""
    if not config.max_minutes:
        return ""
    left = max(0.0, config.max_minutes - run.minutes_spent)
    end = datetime.now() + timedelta(minutes=left)
    day = "" if left < A_DAY else f"{end:%d %B}, "
    minutes = _minutes(left)
    return f", or at about {day}{end:%H:%M}, {minutes} minute{'' if minutes == '1' else 's'} from now"


def _minutes(count: float) -> str:
    """Whole minutes; what is less than ten to two digits."""
    return f"{count:,.0f}" if round(count, 1) >= 10 else f"{count:.2g}"


def take_option(arguments: list[str], name: str, default: str) -> str:
    """Remove `--name VALUE` or `--name=VALUE` from the arguments; returns the value.

    Raises:
        ConfigError: the value is missing.
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


def read_arguments(arguments: list[str]) -> tuple[TrainConfig, bool]:
    """The config and whether to resume. The first argument may name a preset or a file.

    Precedence: first the user's values, on the command line or in a file; then the run's own config
    if it is resumed, or the settings that go with `start_from`; last the preset.

    Raises:
        ConfigError: wrong arguments or values.
        AgentError, VersionError: no policy to start from.
    """
    resume = "--resume" in arguments
    arguments = [argument for argument in arguments if argument != "--resume"]
    named = bool(arguments) and not arguments[0].startswith("-")
    name = arguments.pop(0) if named else _usual_preset(arguments)
    preset = load_config(name)
    is_preset = (PRESETS / f"{name}.yaml").is_file()
    if is_preset and take_option([*arguments], "--ruleset", preset.ruleset) != preset.ruleset:
        preset = preset.model_copy(update={"also_rulesets": ()})
    config = _parse(name, arguments, preset)
    stored = stored_config(Path(config.run)) if resume else None
    if stored is not None:
        between = stored.model_dump()
    elif config.start_from and not (is_preset and config.start_from == preset.start_from):
        from channel_tunnel_agents.learning.start import settings_of  # needs torch

        between = settings_of(config.start_from, load_ruleset(config.ruleset).spec.name)
    else:
        return config, resume
    said = {} if is_preset else {key: getattr(preset, key) for key in preset.model_fields_set}
    default = preset.model_copy(update={**between, **said, "run": config.run})
    return _parse(name, arguments, default), resume


def _usual_preset(arguments: Sequence[str]) -> str:
    """The preset of the game to be trained, if it has one of its name; else demo."""
    ruleset = take_option([*arguments], "--ruleset", "")
    game = load_ruleset(ruleset).spec.name if ruleset else DEFAULT_GAME
    return game if (PRESETS / f"{game}.yaml").is_file() else "demo"


def _parse(name: str, arguments: list[str], default: TrainConfig) -> TrainConfig:
    options = _options_of(default)
    chosen = asked(options, f"{' '.join(command_words('train'))} {name}", arguments, HELP)
    return make_config(vars(chosen))


def _options_of(default: TrainConfig) -> Callable[..., Any]:
    """The fields of a config as options that are checked later: tyro would show pydantic's own
    messages."""
    fields = [
        (
            name,
            Annotated[info.annotation, tyro.conf.arg(help=info.description)],
            dataclasses.field(default=getattr(default, name)),
        )
        for name, info in TrainConfig.model_fields.items()
    ]
    return dataclasses.make_dataclass("Options", fields)


def _course_of(status: dict[str, Any]) -> str:
    """What a status says of the self-play games: between two seats who wins, of more how many ended."""
    if status["seats"] == 2:
        return f"{status['first_seat'].capitalize()} wins {percent(status['first_seat_wins'], 0)} of self-play"
    ended = f"{status['games']:,} {'game' if status['games'] == 1 else 'games'} ended"
    return f"{ended}, of {status['plies']:,.0f} decisions" if status["games"] else ended


def _waits_of(status: dict[str, Any]) -> str:
    """What an update waited for, if the engine measures it, and how many cores would step the games in time."""
    if "waits" not in status:
        return ""
    waited = ", ".join(f"{name} {percent(share, 0)}" for name, share in status["waits"].items())
    return f"; waited for {waited}" + (f"; {status['cores']} cores would feed it" if "cores" in status else "")


class _Display:
    """Shows the run's progress and the reports of its guards and evaluations."""

    def __init__(self, progress: Progress, config: TrainConfig) -> None:
        self.progress = progress
        self.warm_start: Stage | None = None
        self.self_play: Stage | None = None
        self._config = config
        self._shown: dict[str, Any] = {}
        self._warned: set[str] = set()
        self._updates = self._decisions = 0
        if not config.imitate:
            self._begin_self_play()

    def _begin_self_play(self) -> Stage:
        self.self_play = self.progress.begin("self-play", 1.0)
        self.self_play.note = "first update, compiling where this machine has not yet"
        return self.self_play

    def show(self, status: dict[str, Any]) -> None:
        """Show one status of the run."""
        if "warm_start" in status:
            if self.warm_start is None:
                self.warm_start = self.progress.begin(f"imitating {self._config.imitate}", 1.0)
            self.warm_start.reach(status["warm_start"])
            return
        rates = status["rates"]
        text = ", ".join(f"{name} {percent(rate.value, 0)}" for name, rate in rates.items())
        if "imitation" in status:
            if self.warm_start is not None:
                self.warm_start.reach(1.0)
            self.progress.say(f"imitated {status['imitation']}: {percent(status['agreement'], 0)} of its moves; {text}")
            return
        self._warn(status.get("warnings", []))
        line = (
            f"{status['decisions'] / 1e6:.2f} M decisions, {status['decisions_per_second'] / 1e3:.1f} k/s, "
            f"{_course_of(status)}{_waits_of(status)}"
        )
        self._updates += 1
        self._decisions = status["decisions"]
        (self.self_play or self._begin_self_play()).reach(status["done"], line)
        if rates != self._shown:
            self._shown = rates
            self.progress.say(f"{percent(status['done'], 0):>5}  {line}; {text}")

    def _warn(self, warnings: list[str]) -> None:
        """Show the guards' warnings, each once even if its figures change."""
        for warning in warnings:
            kind = re.sub(r"[-\d.,]+", "", warning)
            if kind not in self._warned:
                self._warned.add(kind)
                self.progress.say(f"warning: {warning}")

    def end(self) -> None:
        """The run is over; if there was time for only one update, say why."""
        if self.self_play is not None and self._updates:
            self.self_play.reach(1.0)
        is_cut_short = self._decisions < self._config.decisions
        if self._updates == 1 and self._config.max_minutes and is_cut_short:
            self.progress.say(
                f"warning: the {self._config.max_minutes:g} minutes were over within the first update, compiling "
                "included (compiled code is kept); --resume with a larger --max-minutes trains on"
            )
