"""One recipe from several seeds, and callbacks of Stable-Baselines3 in a run."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from stable_baselines3.common.callbacks import BaseCallback

from channel_tunnel_agents.commands import train
from channel_tunnel_agents.learning.seeds import CURVES, FIGURE, SUMMARY, draw_curves, read_curves, summarise
from channel_tunnel_agents.players.policy.saved_policy import load_policy
from channel_tunnel_agents.statistics import rate_of
from tests.agents.test_train_command import TINY

SEVEN = [*TINY, "--evaluate-every", "0.001", "--seed", "7"]
COUNTED: list[int] = []


class Counting(BaseCallback):
    """Says that it was called."""

    def _on_step(self) -> bool:
        COUNTED.append(self.num_timesteps)
        return True


@pytest.mark.heavy
def test_several_seeds_are_runs_of_their_own_and_are_summed_up(tmp_path, capsys) -> None:
    words = [*SEVEN, "--run", str(tmp_path / "run"), "--seeds", "2"]
    assert train.main(words) == 0
    out = capsys.readouterr().out
    assert "seeds" in out and "france v heuristic" in out
    folders = sorted(path.name for path in (tmp_path / "run").iterdir() if path.is_dir())
    assert folders == ["seed-7", "seed-8"]
    seven, eight = (load_policy(tmp_path / "run" / f / "britain.safetensors") for f in folders)
    assert (seven[1]["seed"], eight[1]["seed"]) == (7, 8)
    summary = json.loads((tmp_path / "run" / SUMMARY).read_text())
    assert summary["seeds"] == [7, 8] and len(summary["shares"]["britain v random"]) == 2
    curves = pd.read_csv(tmp_path / "run" / CURVES)
    assert {"decisions", "name", "mean", "low", "high", "seed_7", "seed_8"} <= set(curves.columns)
    assert (tmp_path / "run" / FIGURE).read_text().startswith("<?xml")
    assert train.main(words) == 2, "they are there already"
    before = (tmp_path / "run" / "seed-7" / "britain.safetensors").read_bytes()
    assert train.main([*words, "--resume"]) == 0
    assert (tmp_path / "run" / "seed-7" / "britain.safetensors").read_bytes() == before


def logged(folder: Path, rows: dict[int, float], name: str = "progress.csv") -> Path:
    folder.mkdir(exist_ok=True)
    lines = ["time/total_timesteps,ladder/britain v random,ladder/britain v random low"]
    lines += [f"{decisions},{share},0" for decisions, share in rows.items()]
    (folder / name).write_text("\n".join([*lines, "5,,"]) + "\n")
    return folder


def test_curves_meet_at_the_same_decisions_where_all_seeds_were_evaluated(tmp_path) -> None:
    one = logged(tmp_path / "1", {0: 0.0, 100: 1.0})
    two = logged(tmp_path / "2", {50: 0.5, 100: 0.5})
    logged(two, {150: 0.9}, "progress-from-100.csv")
    curves = read_curves({1: one, 2: two})
    assert curves["name"].unique().tolist() == ["britain v random"]
    first, last = curves.iloc[0], curves.iloc[-1]
    assert (first["decisions"], first["seed_1"], first["seed_2"]) == (50, 0.5, 0.5)
    assert (last["decisions"], last["seed_1"], last["seed_2"]) == (100, 1.0, 0.5)
    assert (last["mean"], last["low"], last["high"]) == (0.75, 0.5, 1.0)
    assert b"britain v random" in draw_curves(curves)


def test_runs_that_were_hardly_evaluated_have_no_curves(tmp_path) -> None:
    one = logged(tmp_path / "1", {10: 0.5})
    assert not len(read_curves({1: one, 2: logged(tmp_path / "2", {10: 0.5, 20: 0.6})}))


def test_the_interval_is_over_seeds_and_not_over_games() -> None:
    rates = [{"x": rate_of(share * 1000, 1000)} for share in (0.5, 0.7)]
    found = summarise(rates)["x"]
    assert found.value == pytest.approx(0.6)
    assert found.low < 0 < 1 < found.high, "two seeds say little, however many games"


@pytest.mark.heavy
def test_callbacks_are_called_in_every_run(tmp_path, capsys) -> None:
    COUNTED.clear()
    words = [*SEVEN, "--run", str(tmp_path / "run"), "--callback", f"{__name__}:Counting"]
    assert train.main(words) == 0
    assert COUNTED and COUNTED[-1] == 2048


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seeds", "0"], "--seeds 0: expected a whole number from 1"),
        (["--seeds", "two"], "--seeds two: expected a whole number"),
        (["--seeds", "2", "--engine", "rllib"], "not with --engine rllib"),
        (["--callback", "no_such_module:x"], "expected MODULE:ATTRIBUTE"),
        (["--callback", "json:dumps"], "--callback json:dumps"),
        (["--callback", f"{__name__}:SEVEN"], "--callback"),
    ],
)
def test_wrong_words_are_refused_before_training(words, message, tmp_path, capsys) -> None:
    assert train.main([*SEVEN, "--run", str(tmp_path / "run"), *words]) == 2
    error = capsys.readouterr().err
    assert message in error and not (tmp_path / "run").exists()
