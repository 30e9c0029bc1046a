"""A search for fields of a training config: optuna proposes, each proposal is trained and measured.

    FOLDER/study.db                    optuna's study; `optuna-dashboard sqlite:///FOLDER/study.db` shows it
    FOLDER/trial-0000                  the run of the first trial
    FOLDER/trials.csv, best.yaml       what was tried, the best first; the config of the best

What a trial is worth is its mean share of games won against the last yardstick of the ladder, both seats. The best of many
trials is partly the luckiest: train its config again from other seeds (`train best.yaml --seeds 3`) before you believe
its figure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import TrialState

from channel_tunnel_agents.learning.config import ConfigError, TrainConfig, dump_config, make_config
from channel_tunnel_agents.matches.evaluation import yardstick_of
from channel_tunnel_agents.statistics import Figure
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.outside.hints import did_you_mean
from channel_tunnel_env.outside.terminal import percent

STUDY, TRIALS, BEST = "study.db", "trials.csv", "best.yaml"
RANGE = ".."
WIDE = 10  # a range of floats over which the ratio of its ends is at least this is searched on a log scale
FIXED = ("run", "seed", "start_from", "start_from_other_ruleset")

Play = Callable[[TrainConfig], Mapping[str, Figure]]
"""Trains a config, or goes on with it, and returns the win rates against the ladder."""


def read_search(word: str) -> tuple[str, BaseDistribution]:
    """A field and what optuna draws it from: `learning_rate=1e-4..1e-2`, `epochs=1..8` (both ends count) or `width=128,256`.

    Raises:
        ConfigError: another form, no such field, or values that are not numbers where a range is given.
    """
    field, equals, text = word.partition("=")
    field = field.replace("-", "_")
    if not equals or not text:
        raise ConfigError(f"--search {word}: expected FIELD=LOW..HIGH or FIELD=VALUE,VALUE")
    if field not in TrainConfig.model_fields or field in FIXED:
        known = [name for name in TrainConfig.model_fields if name not in FIXED]
        raise ConfigError(f"--search {word}: no field {field!r} to search{did_you_mean(field, known)}")
    if RANGE in text:
        return field, _range(word, *text.split(RANGE, 1))
    return field, CategoricalDistribution([_value(part) for part in text.split(",")])


def _range(word: str, low: str, high: str) -> BaseDistribution:
    first, last = _value(low), _value(high)
    if isinstance(first, str) or isinstance(last, str) or not first < last:
        raise ConfigError(f"--search {word}: a range goes from a number to a larger one")
    if isinstance(first, int) and isinstance(last, int):
        return IntDistribution(first, last)
    return FloatDistribution(first, last, log=first > 0 and last / first >= WIDE)


def _value(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def search_config(
    config: TrainConfig,
    searches: Sequence[tuple[str, BaseDistribution]],
    trials: int,
    play: Play,
    tell: Callable[[str], object] = lambda line: None,
) -> optuna.Study:
    """Try settings until `trials` are finished; a stopped search goes on, its unfinished trial first.

    Args:
        config: what is not searched; its `run` is the folder of the search, its `seed` that of every trial and of
            the proposals.
        searches: see `read_search`.
        play: trains one trial.
        tell: gets a line after each trial.

    Raises:
        ConfigError: a proposed value that the config refuses, or a folder with another search.
    """
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    folder = Path(config.run)
    folder.mkdir(parents=True, exist_ok=True)
    study = optuna.create_study(
        storage=f"sqlite:///{folder / STUDY}", study_name="training", direction="maximize", load_if_exists=True
    )
    places = dict(searches)
    for trial in study.get_trials(deepcopy=False):
        if trial.distributions != places:
            raise ConfigError(f"{folder / STUDY} holds another search; choose another --run")

    def finish(number: int, params: Mapping[str, Any]) -> None:
        worth, yardstick = worth_of(play(trial_config(config, number, params)))
        study.tell(number, worth)
        words = ", ".join(
            f"{field} {value:.4g}" if isinstance(value, float) else f"{field} {value}"
            for field, value in params.items()
        )
        tell(f"trial {number}: {words}: {percent(worth)} v {yardstick}; best {percent(study.best_value)}")

    for trial in study.get_trials(states=(TrialState.RUNNING,)):
        finish(trial.number, trial.params)
    while (number := len(study.get_trials(states=(TrialState.COMPLETE,)))) < trials:
        stream = np.random.SeedSequence([config.seed, number]).generate_state(1)[0]
        study.sampler = optuna.samplers.TPESampler(seed=int(stream))
        asked = study.ask(places)
        finish(asked.number, asked.params)
    write_whole(folder / TRIALS, _table(study).encode())
    best = trial_config(config, study.best_trial.number, study.best_params)
    write_whole(folder / BEST, dump_config(best.model_copy(update={"run": str(folder / "best")})).encode())
    return study


def trial_config(config: TrainConfig, number: int, params: Mapping[str, Any]) -> TrainConfig:
    """The config of a trial, in a folder of its own; a ConfigError for a value that it refuses."""
    run = str(Path(config.run) / f"trial-{number:04d}")
    return make_config(config.model_dump() | dict(params) | {"run": run})


def worth_of(rates: Mapping[str, Figure]) -> tuple[float, str]:
    """The mean share of both seats against the last yardstick of the ladder, and its name."""
    last = yardstick_of([*rates][-1])
    shares = [rate.value for name, rate in rates.items() if yardstick_of(name) == last]
    return float(np.mean(shares)), last


def _table(study: optuna.Study) -> str:
    """The finished trials as CSV, the best first."""
    table = study.trials_dataframe(attrs=("number", "value", "params", "duration"))
    table = table.dropna(subset=["value"]).sort_values("value", ascending=False, kind="stable")
    return str(table.to_csv(index=False))
