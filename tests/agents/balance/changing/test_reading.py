"""An agent that reads the rules: where it plays by default, and what is said of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from channel_tunnel_agents import AgentError, make_agent
from channel_tunnel_agents.balance import judging
from channel_tunnel_agents.balance.changing.sweep import Sweep, plan_sweep
from channel_tunnel_agents.balance.measuring.knowledge import unseen_lines
from channel_tunnel_agents.base import reads_rules
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.commands.evaluate import main
from channel_tunnel_agents.players import shipped
from channel_tunnel_env import VersionError, load_ruleset

STANDARD = load_ruleset("standard")
CHANGED = STANDARD.with_values({"storage.britain": 3})
SHORT_WAR = load_ruleset("eurotunnel").with_values({"max_year": 1904}, "short")
FEW = 30  # deals on which players meet: who is better is no question here
FAR = STANDARD.with_values({"extra_finance": 15, "scoring.centre_bonus": 30}, "far")


def test_adept_plays_any_ruleset_of_its_games_and_no_other() -> None:
    for ruleset in (STANDARD, load_ruleset("agenda"), load_ruleset("tiny"), FAR):
        assert reads_rules(make_agent("adept", ruleset))
    assert not reads_rules(make_agent("club", STANDARD))
    for changes in ({}, {"farm_scoring": "none", "followers": 16}, {"players": 5}):
        house = load_ruleset({"base": "carcassonne", "name": "house"} | changes)
        assert reads_rules(make_agent("adept", house))
    with pytest.raises((AgentError, VersionError), match="eurotunnel"):
        make_agent("adept", load_ruleset("eurotunnel"))


def test_who_plays_where_nobody_is_named() -> None:
    agenda = load_ruleset("agenda")
    without_farms = load_ruleset("carcassonne").with_values({"farm_scoring": "none"})
    for rulesets, player in (
        ([STANDARD], "club"),
        ([STANDARD, CHANGED], "adept"),
        ([STANDARD, agenda], "adept"),
        ([agenda], "adept"),
        ([without_farms], "adept"),
        ([load_ruleset("carcassonne")], "club"),
        ([load_ruleset("eurotunnel")], "club"),
        ([load_ruleset("eurotunnel"), SHORT_WAR], "dumb"),
    ):
        assert shipped.player_for(rulesets) == player


def test_a_sweep_of_a_game_without_a_reader_is_played_by_who_fits_every_setting() -> None:
    sweep = Sweep(("max_year=1902,1903",), ruleset="eurotunnel")
    assert plan_sweep(sweep).sweep.agent == "dumb"
    (note,) = plan_sweep(replace(sweep, agent="club")).notes
    assert note.startswith("club is frozen") and note.endswith("once players adapt."), (
        "no verdict trains players for it"
    )


@pytest.mark.parametrize(("ruleset", "judge"), [("standard", "heuristic"), ("agenda", "adept")])
def test_a_gate_takes_the_scripted_player_only_on_the_rules_it_was_tuned_for(
    ruleset: str, judge: str, tmp_path, capsys, monkeypatch
) -> None:
    monkeypatch.setattr(judging, "QUICK_DEALS", FEW)
    monkeypatch.setattr(evaluate, "alarms", lambda name, *more: [f"{name} may be beaten"])
    targets = tmp_path / "targets.yaml"
    targets.write_text("deals: 30\ntargets: {rounds: [1, 50]}\n")
    assert main(["gate", str(targets), "--ruleset", ruleset, "--workers", "1"]) == 0
    shown = capsys.readouterr().out
    assert judge in shown and ("adept may be beaten" in shown) == (judge == "adept")


def test_master_plays_the_two_rulesets_of_the_box_and_no_other() -> None:
    for ruleset in (STANDARD, load_ruleset("agenda")):
        assert make_agent("master", ruleset)
    with pytest.raises(VersionError, match="frozen:"):
        make_agent("master", CHANGED)
    assert plan_sweep(Sweep(("extra_finance=2",))).sweep.agent == "adept"
    assert plan_sweep(Sweep(("farm_scoring=none",), "carcassonne")).sweep.agent == "adept"
    assert "does not adapt" in plan_sweep(Sweep(("tunnels=false",), "eurotunnel")).notes[0], "dumb is no search"


def test_what_it_never_saw_is_told_by_figure_and_no_more_is_claimed_than_is_tested() -> None:
    assert unseen_lines(["adept"], [CHANGED]) == [
        "Each number lies in the range that adept was trained on; only games show whether it plays them well together."
    ]
    assert unseen_lines(["adept"], [CHANGED, FAR]) == [
        "Outside what adept was trained on, so trust it less on far: scoring.centre_bonus 30 (0..20); "
        "extra_finance 15 (1..12)."
    ]
    assert unseen_lines([], [FAR]) == []


def test_a_sweep_tells_which_settings_it_never_saw() -> None:
    notes = plan_sweep(Sweep(("extra_finance=2,15",))).notes
    assert "adept reads the rules" in notes[0]
    assert len(notes) == 2 and "extra_finance 15 (1..12)" in notes[1]


@pytest.mark.heavy
def test_compare_and_gate_take_it_on_changed_rules(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(judging, "QUICK_DEALS", FEW)
    path = tmp_path / "mine.yaml"
    path.write_text("base: standard\nname: mine\nextra_finance: 15\n", encoding="utf-8")
    targets = tmp_path / "targets.yaml"
    targets.write_text("deals: 30\ntargets: {rounds: [1, 20]}\n", encoding="utf-8")
    assert main(["gate", str(targets), "--ruleset", str(path), "--workers", "1"]) == 0
    shown = capsys.readouterr().out
    assert "Targets, adept against itself" in shown and "extra_finance 15" in shown
    assert main(["compare", "standard", str(path), "--deals", "4", "--workers", "1"]) == 0
    shown = capsys.readouterr().out
    assert "Played by adept" in shown and "on mine: extra_finance 15" in shown
