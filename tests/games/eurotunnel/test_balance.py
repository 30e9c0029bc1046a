"""Sweeps and comparisons of Eurotunnel: seven seats, what tunnels change, and nothing where nothing changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from channel_tunnel_agents.balance.changing.sweep import Sweep, Swept, plan_sweep, play_sweep
from channel_tunnel_agents.balance.measuring.measures import GAME_MEASURES
from channel_tunnel_agents.balance.measuring.significance import is_significant
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.games.eurotunnel.measures import MEASURES, POWERS

SHORT = "base: eurotunnel\nname: short\nmax_year: 1904\npermissions: false\n"


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("rules") / "short.yaml"
    path.write_text(SHORT)
    return str(path)


@pytest.fixture(scope="module")
def swept(short: str) -> Swept:
    names = (*GAME_MEASURES["eurotunnel"].main, *(f"squares_{power}" for power in POWERS))
    wanted = Sweep(("tunnels_per_power=0",), short, "dumb_tunnel", 30, measures=names)
    return play_sweep(plan_sweep(wanted), None, 1)


def test_a_sweep_shows_that_without_tunnels_none_is_dug(swept: Swept) -> None:
    base, without = (swept.figures_of([point]).set_index("measure") for point in swept.points)
    assert base["value"]["tunnels"] > 1 and without["value"]["tunnels"] == 0
    assert is_significant(without["p_holm"]["tunnels"]) and without["value"]["turns_hidden"] == 0


def test_the_powers_shares_sum_to_one_at_every_setting(swept: Swept) -> None:
    for point in swept.points:
        values = swept.figures_of([point]).set_index("measure")["value"]
        assert sum(values[f"squares_{power}"] for power in POWERS) == pytest.approx(1)


def test_two_rulesets_with_the_same_play_differ_in_nothing(short: str, tmp_path: Path, capsys) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(SHORT.replace("short", "other"))
    words = ["compare", short, str(other), "--agent", "lively", "--deals", "4", "--workers", "1"]
    assert evaluate.main([*words, "--out", str(tmp_path / "out")]) == 0
    data = json.loads((tmp_path / "out" / "compare.json").read_text())
    assert {measure["name"] for measure in data["measures"]} == set(MEASURES)
    assert not any(measure["significant"] for measure in data["measures"])
    assert "first seat" not in capsys.readouterr().out


def test_the_powers_are_held_to_the_gap_between_them(short: str, tmp_path: Path, capsys) -> None:
    path = tmp_path / "targets.yaml"
    path.write_text("agent: lively\ndeals: 30\ntargets: {seat_gap: [null, 0.001], solos: [0, 1]}\n")
    assert evaluate.main(["gate", str(path), "--ruleset", short, "--workers", "1"]) == 1
    assert "Missed: seat_gap." in capsys.readouterr().out
