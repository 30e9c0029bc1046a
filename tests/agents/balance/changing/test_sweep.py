"""`evaluate.py sweep`: the same deals everywhere, planted effects found, and going on."""

from __future__ import annotations

import json
import math
import shlex
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from channel_tunnel_agents.balance.changing import sweep as sweeping
from channel_tunnel_agents.balance.changing.sweep import Sweep, Swept, draw, plan_sweep, play_sweep, verdict
from channel_tunnel_agents.balance.measuring.significance import is_significant
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.matches import tournament
from channel_tunnel_agents.matches.store import StoreError

BONUS = "scoring.centre_bonus=0..4:2"
SMALL = Sweep((BONUS,), "tiny", "heuristic", deals=60)


def play(sweep: Sweep, out: Path | None = None, workers: int = 1) -> Swept:
    return play_sweep(plan_sweep(sweep), out, workers)


@pytest.fixture(scope="module")
def swept() -> Swept:
    return play(SMALL)


def test_a_parameter_that_does_nothing_gives_exactly_equal_games() -> None:
    found = play(replace(SMALL, parameters=("limits.max_rounds=28..30",)))
    first, *others = found.games
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


# --- who plays ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("heuristic", "does not adapt"),
        ("ismcts:10", "adapts by itself"),
        ("club-search", "a policy that does not learn"),
        ("club", "club is frozen"),
        ("adept", "adept reads the rules"),
    ],
)
def test_a_reader_is_told_what_the_agent_knows_of_the_settings(agent: str, said: str) -> None:
    plan = plan_sweep(replace(SMALL, agent=agent))
    assert said in plan.notes[0]
    is_policy = agent in ("club", "adept")
    assert ("channel-tunnel report SETTING.yaml --verdict" in plan.notes[0]) == is_policy


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
    for word in ("heuristic", "even sides", "base", "scoring.centre_bonus", "rounds played"):
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
        (["--param", BONUS, "--adapt", "tuned"], "--adapt is gone: compare BASE CHANGED --decisions N"),
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
