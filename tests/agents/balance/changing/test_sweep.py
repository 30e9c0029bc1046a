"""`evaluate.py sweep`: the same deals everywhere, planted effects found, gaps, and going on."""

from __future__ import annotations

import json
import math
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
import yaml

from channel_tunnel_agents import AgentError
from channel_tunnel_agents.balance.changing import adapt as adapting
from channel_tunnel_agents.balance.changing import sweep as sweeping
from channel_tunnel_agents.balance.changing.sweep import GAP, Sweep, Swept, draw, plan_sweep, play_sweep, verdict
from channel_tunnel_agents.balance.measuring.significance import is_significant
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.learning import training
from channel_tunnel_agents.learning.config import TrainConfig
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.matches import tournament
from channel_tunnel_agents.matches.store import StoreError
from channel_tunnel_agents.players.policy.card import make_card
from channel_tunnel_agents.players.policy.network import SeatPolicy
from channel_tunnel_agents.players.policy.saved_policy import save_policies
from channel_tunnel_env import VersionError, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

TINY = load_ruleset("tiny")
BONUS = "scoring.centre_bonus=0..4:2"
ONE = "scoring.centre_bonus=4"
SMALL = Sweep((BONUS,), "tiny", "heuristic", deals=60)
QUICK = {"num_games": 16, "steps": 16, "batch_size": 64, "epochs": 1, "device": "cpu"}
QUICK |= {"precision": "float32", "rivals": (), "rival_share": 0.0}


def play(sweep: Sweep, out: Path | None = None, workers: int = 1) -> Swept:
    return play_sweep(plan_sweep(sweep), out, workers, report=lambda _: None)


@pytest.fixture(scope="module")
def swept() -> Swept:
    return play(SMALL)


@pytest.fixture
def policy(tmp_path) -> str:
    """An untrained pair of policies for `tiny`, in a folder."""
    torch.manual_seed(5)
    weights = {side: SeatPolicy(16, 1).state_dict() for side in c.SEATS}
    config = {"config": {"trunk": "separate"}}
    save_policies(tmp_path / "policy", weights, make_card(TINY, width=16, depth=1, **config))
    return f"ppo:{tmp_path / 'policy'}"


@pytest.fixture
def quick(monkeypatch) -> None:
    """Training in a second."""
    monkeypatch.setattr(adapting, "UNWATCHED", adapting.UNWATCHED | QUICK)
    monkeypatch.setattr(adapting, "GENTLE", adapting.GENTLE | QUICK)


def test_a_parameter_that_does_nothing_gives_exactly_equal_games() -> None:
    found = play(replace(SMALL, parameters=("limits.max_rounds=28..30",)))
    first, *others = found.games.values()
    assert len(others) == 2
    for games in others:
        pd.testing.assert_frame_equal(first, games)
    changes = found.table[~found.table["base"]]
    assert len(changes) == 8 and (changes["change"] == 0).all()
    assert (changes["p"] == 1.0).all() and (changes["p_holm"] == 1.0).all()
    assert "0 of 8 changes" in " ".join(verdict(found))


@pytest.mark.parametrize(
    ("planted", "up"), [("track_points.britain.b.1=20", True), ("track_points.france.a.1=20", False)]
)
def test_planted_points_for_a_side_move_its_share(planted: str, up: bool) -> None:
    found = play(replace(SMALL, parameters=(planted,), deals=250, measures=("britain_wins",)))
    base, changed = found.table.to_dict("records")
    assert base["base"] and math.isnan(base["change"])
    assert is_significant(changed["p_holm"])
    assert (changed["change_low"] > 0.05) if up else (changed["change_high"] < -0.05)
    assert changed["value"] - base["value"] == pytest.approx(changed["change"])


def test_the_base_is_played_and_marked_even_outside_the_values() -> None:
    found = play(replace(SMALL, parameters=("scoring.centre_bonus=3",), deals=5))
    assert [point.values["scoring.centre_bonus"] for point in found.points] == [2, 3]
    assert [point.is_base for point in found.points] == [True, False]
    (cells, *_) = sweeping.sheets(found)[0].rows
    assert cells[0] == "2 (base)"
    named = play(replace(SMALL, parameters=("deck.cards.influence_italy.name=A,B",), deals=5))  # settings of one digest
    assert [len(row) for row in sweeping.sheets(named)[0].rows] == [1 + 4] * 3


def test_games_are_the_same_with_two_workers_and_in_a_folder(swept, tmp_path) -> None:
    for again in (play(SMALL, workers=2), play(SMALL, tmp_path)):
        pd.testing.assert_frame_equal(again.table, swept.table, check_exact=True)


def test_a_sweep_that_goes_on_plays_only_what_is_missing(tmp_path, monkeypatch) -> None:
    first = play(SMALL, tmp_path)
    begun: list[str] = []
    play_part = tournament.play_part
    monkeypatch.setattr(
        tournament, "play_part", lambda part: begun.append(part.tournament.ruleset.name) or play_part(part)
    )
    again = play(SMALL, tmp_path)
    assert begun == []
    pd.testing.assert_frame_equal(again.table, first.table, check_exact=True)
    longer = play(replace(SMALL, parameters=("scoring.centre_bonus=0..4",)), tmp_path)
    assert begun == ["tiny-scoring.centre_bonus-1", "tiny-scoring.centre_bonus-3"]
    assert len(longer.points) == 5
    with pytest.raises(StoreError, match="seed is 20000 there and 7 here"):
        play(replace(SMALL, seed=7), tmp_path)


# --- adapted agents -----------------------------------------------------------------------------


def test_the_gap_is_nothing_for_an_adapted_agent_that_is_the_frozen_one(tmp_path, policy, quick, monkeypatch) -> None:
    monkeypatch.setattr(adapting, "GENTLE", adapting.GENTLE | {"learning_rate": 1e-30, "final_learning_rate": 1e-30})
    sweep = replace(SMALL, parameters=(ONE,), agent=policy, adapt="tuned", decisions=256)
    found = play(sweep, tmp_path / "out")
    gaps = found.table[found.table["way"] == GAP]
    assert len(gaps) == 2 * 4
    assert (gaps["value"] == 0).all() and (gaps["p"] == 1).all()
    assert not gaps["p_holm"].map(is_significant).any()
    assert found.ways == ("frozen", "tuned")
    assert "0 of 8 gaps" in " ".join(verdict(found))


def test_retrained_agents_are_reported_beside_frozen_ones_and_not_trained_twice(
    tmp_path, policy, quick, monkeypatch
) -> None:
    sweep = Sweep((ONE,), "tiny", policy, 40, adapt="retrained", decisions=512)
    found = play(sweep, tmp_path / "out")
    measured = {way: rows["value"].tolist() for way, rows in found.table.groupby("way")}
    np.testing.assert_allclose(np.subtract(measured["retrained"], measured["frozen"]), measured[GAP], atol=1e-12)
    assert any(measured[GAP])
    monkeypatch.setattr(training, "TrainingRun", None)  # loaded where a run begins
    for config in (tmp_path / "out").rglob("config.yaml"):  # written before also_rulesets existed
        older = yaml.safe_load(config.read_text())
        del older["also_rulesets"]
        config.write_text(yaml.safe_dump(older))
    pd.testing.assert_frame_equal(play(sweep, tmp_path / "out").table, found.table, check_exact=True)
    with pytest.raises(AgentError, match="another config: decisions is 512 there and 1024 here"):
        play(replace(sweep, decisions=1024), tmp_path / "out")


def test_a_training_run_that_was_stopped_goes_on(tmp_path, policy, quick, monkeypatch) -> None:
    sweep = Sweep((ONE,), "tiny", policy, 40, adapt="tuned", decisions=512)
    whole = play(sweep, tmp_path / "whole")
    train, runs = TrainingRun.train, []

    def stopping(run, progress=None):
        runs.append(run.config.run)
        if len(runs) == 2:
            raise KeyboardInterrupt
        train(run, progress)

    monkeypatch.setattr(TrainingRun, "train", stopping)
    with pytest.raises(KeyboardInterrupt):
        play(sweep, tmp_path / "out")
    again = play(sweep, tmp_path / "out")
    assert len(runs) == len(set(runs)) + 1 == 3  # the stopped one twice
    pd.testing.assert_frame_equal(again.table, whole.table, check_exact=True)


def test_a_policy_of_another_ruleset_starts_a_run_only_where_that_is_said(tmp_path, policy) -> None:
    folder = policy.removeprefix("ppo:")
    values = {"run": str(tmp_path / "run"), "ruleset": "standard", "start_from": folder}
    values |= {"width": 16, "depth": 1, "trunk": "separate", "threads": 1, "decisions": 256, **QUICK}
    with pytest.raises(VersionError, match="made for ruleset digest"):
        TrainingRun(TrainConfig(**values))
    TrainingRun(TrainConfig(**values, start_from_other_ruleset=True))
    with pytest.raises(ValueError, match="start_from must be too"):
        TrainConfig(start_from_other_ruleset=True)


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("heuristic", "does not adapt"),
        ("ismcts:10", "adapts by itself"),
        ("club-search", "a policy that does not learn"),
        ("club", "club is frozen"),
    ],
)
def test_agents_that_are_not_trained_are_used_as_they_are_and_said_to_be(agent: str, said: str) -> None:
    plan = plan_sweep(replace(SMALL, agent=agent, adapt="frozen" if agent == "club" else "tuned"))
    assert plan.ways == ("frozen",)
    assert said in plan.notes[0]


def test_training_without_a_folder_is_refused(policy) -> None:
    with pytest.raises(AgentError, match="--out FOLDER is needed"):
        play(replace(SMALL, agent=policy, adapt="tuned"))


# --- reports ------------------------------------------------------------------------------------


def test_table_and_json_hold_every_figure_with_its_interval_and_n(swept) -> None:
    table = swept.table
    assert len(table) == 3 * 4
    assert (table.low <= table.value).all() and (table.value <= table.high).all()
    assert (table.deals == 60).all()
    assert table.base.sum() == 4
    again = json.loads(json.dumps(sweeping.to_dict(swept)))
    assert again["figures"][0]["change"] is None
    assert [row["value"] for row in again["figures"]] == list(table.value)
    assert again["parameters"] == {"scoring.centre_bonus": {"base": 2, "values": [0, 2, 4]}}


def test_curves_are_the_same_every_time_and_name_what_they_show(swept) -> None:
    svg = draw(swept)
    assert svg == draw(swept)
    for word in ("frozen", "even sides", "base", "scoring.centre_bonus", "rounds played"):
        assert word in svg.decode()


def test_a_grid_has_a_column_of_curves_for_each_setting_of_the_others() -> None:
    found = play(replace(SMALL, parameters=(BONUS, "barriers.france.a.0=1..2"), deals=5))
    svg = draw(found).decode()
    assert "barriers.france.a.0=1" in svg
    assert "barriers.france.a.0=2" in svg
    assert len(found.points) == 6


def test_the_command_writes_its_files_and_its_command_makes_them_again(tmp_path, capsys) -> None:
    words = ["sweep", "--param", BONUS, "--ruleset", "tiny", "--agent", "heuristic", "--deals", "60"]
    assert evaluate.main([*words, "--out", str(tmp_path / "a"), "--workers", "1"]) == 0
    shown = capsys.readouterr().out
    assert "2 (base)" in shown
    assert "3 settings with the base, 180 games" in shown
    content = json.loads((tmp_path / "a" / "sweep.json").read_text())
    again = shlex.split(content["command"])[1:]
    assert again == shlex.split(sweeping.command_line(play(SMALL)))[1:]
    assert evaluate.main([*again, "--out", str(tmp_path / "b"), "--workers", "1"]) == 0
    for name in ("sweep.csv", "sweep.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--param", "barriers.france.c.0=1"], "did you mean barriers.france"),
        (["--param", "discs.hand=40"], "allowed: whole numbers 1..25"),
        (["--param", BONUS, "--measures", "roundz"], "did you mean 'rounds'"),
        (["--param", BONUS, "--measures", "rounds", "rounds"], "named twice"),
        (["--param", BONUS, "--deals", "1"], "deals: 1; at least 2"),
        (["--param", BONUS, "--decisions", "0"], "decisions: 0; at least 1"),
        (["--param", BONUS, "--agent", "clubb"], "Known:"),
        ([], "--param: none given"),
    ],
)
def test_wrong_arguments_are_one_line_and_nothing_is_played(tmp_path, capsys, words, reason) -> None:
    out = tmp_path / "out"
    command = ["sweep", "--ruleset", "tiny", "--agent", "heuristic", "--out", str(out), *words]
    assert evaluate.main(command) == 2
    error = capsys.readouterr().err
    assert reason in error
    assert error.count("\n") == 1
    assert not out.exists()
