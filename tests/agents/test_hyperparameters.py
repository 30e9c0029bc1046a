"""A search for fields of a training config."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

from channel_tunnel_agents.commands import train
from channel_tunnel_agents.learning.config import ConfigError, TrainConfig, load_config
from channel_tunnel_agents.learning.hyperparameters import BEST, TRIALS, read_search, search_config, worth_of
from channel_tunnel_agents.statistics import Figure, rate_of
from tests.agents.test_train_command import TINY

SEARCHES = [read_search("learning_rate=1e-4..1e-2"), read_search("epochs=1..4")]


@pytest.mark.parametrize(
    ("word", "field", "values"),
    [
        ("learning_rate=1e-4..1e-2", "learning_rate", FloatDistribution(1e-4, 1e-2, log=True)),
        ("gae-lambda=0.8..0.99", "gae_lambda", FloatDistribution(0.8, 0.99)),
        ("epochs=1..8", "epochs", IntDistribution(1, 8)),
        ("width=128,256", "width", CategoricalDistribution([128, 256])),
        ("trunk=shared,separate", "trunk", CategoricalDistribution(["shared", "separate"])),
    ],
)
def test_a_search_is_read_from_a_word(word, field, values) -> None:
    assert read_search(word) == (field, values)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("learning_rate", "expected FIELD=LOW..HIGH"),
        ("learning_rat=1..2", "did you mean 'learning_rate'"),
        ("seed=1..9", "no field 'seed' to search"),
        ("epochs=4..1", "from a number to a larger one"),
        ("trunk=a..b", "from a number to a larger one"),
    ],
)
def test_a_wrong_search_is_refused(word, message) -> None:
    with pytest.raises(ConfigError, match=message):
        read_search(word)


def share(config: TrainConfig) -> dict[str, Figure]:
    """A made-up recipe: more epochs are better, and the learning rate hardly counts."""
    wins = 100 * config.epochs + 1000 * config.learning_rate
    return {"britain v random": rate_of(999, 1000), "france v heuristic": rate_of(wins, 1000)}


def test_the_best_is_found_and_written(tmp_path: Path) -> None:
    lines: list[str] = []
    study = search_config(TrainConfig(run=str(tmp_path)), SEARCHES, 15, share, lines.append)
    assert study.best_params["epochs"] == 4 and len(lines) == 15
    table = pd.read_csv(tmp_path / TRIALS)
    assert len(table) == 15 and table["value"].is_monotonic_decreasing
    best = load_config(tmp_path / BEST)
    assert (best.epochs, best.learning_rate) == (4, study.best_params["learning_rate"])
    assert best.run == str(tmp_path / "best")


@pytest.mark.heavy
def test_a_stopped_search_ends_as_if_it_had_not_been_stopped(tmp_path: Path) -> None:
    asked: list[str] = []

    def stops(config: TrainConfig) -> dict[str, Figure]:
        asked.append(config.run)
        if len(asked) == 5:
            raise KeyboardInterrupt
        return share(config)

    one, two = TrainConfig(run=str(tmp_path / "one")), TrainConfig(run=str(tmp_path / "two"))
    search_config(one, SEARCHES, 12, share)
    with pytest.raises(KeyboardInterrupt):
        search_config(two, SEARCHES, 12, stops)
    search_config(two, SEARCHES, 12, stops)
    assert asked[4] == asked[5], "the trial that was stopped goes on"
    tables = [pd.read_csv(tmp_path / name / TRIALS).drop(columns="duration") for name in ("one", "two")]
    assert tables[0].equals(tables[1])


def test_another_search_in_the_folder_is_refused(tmp_path: Path) -> None:
    config = TrainConfig(run=str(tmp_path))
    search_config(config, SEARCHES, 2, share)
    with pytest.raises(ConfigError, match="holds another search"):
        search_config(config, SEARCHES[:1], 3, share)


def test_what_a_trial_is_worth_is_its_share_against_the_last_yardstick() -> None:
    rates = {
        "britain v random": rate_of(10, 10),
        "britain v heuristic": rate_of(2, 10),
        "france v heuristic": rate_of(4, 10),
    }
    assert worth_of(rates) == (pytest.approx(0.3), "heuristic")


@pytest.mark.heavy
def test_the_command_trains_each_trial(tmp_path: Path, capsys) -> None:
    words = [
        *(*TINY, "--decisions", "1024", "--run", str(tmp_path / "run")),
        *("--search", "learning_rate=1e-4..1e-3", "--trials", "2"),
    ]
    assert train.main(words) == 0
    assert {"trial-0000", "trial-0001"} <= {path.name for path in (tmp_path / "run").iterdir()}
    assert "train" in capsys.readouterr().out
    assert load_config(tmp_path / "run" / BEST).learning_rate < 1e-3
    assert train.main([*words, "--seeds", "2"]) == 2
