"""Matches of Carcassonne: paired deals in both seats, stored games that go on, a report in the seats' names."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from channel_tunnel_agents import AgentError, evaluate
from channel_tunnel_agents.commands import evaluate as commands
from channel_tunnel_agents.matches.store import TABLES, Store
from channel_tunnel_agents.matches.tournament import Results, Tournament, play_tournament
from channel_tunnel_agents.matches.tournament_report import Report
from channel_tunnel_env.record import read_records, replay
from tests.carcassonne.records import ruleset_with

SMALL = ruleset_with(table=4, name="small-table")
PLAYED = Tournament(("random", "points"), 20, seed=3, ruleset=SMALL, decisions=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("games")


@pytest.fixture(scope="module")
def results(folder: Path) -> Results:
    return play_tournament(PLAYED, workers=1, folder=folder)


def test_the_games_table_tells_of_both_seats(results: Results) -> None:
    games = results.store.read("games")
    assert len(games) == 4 * 20
    assert set(games["player_0"]) == set(games["player_1"]) == set(PLAYED.agents)
    kinds = [f"points_{kind}" for kind in ("city", "road", "cloister", "field")]
    for seat in ("player_0", "player_1"):
        total = sum(games[f"{kind}_{seat}"] for kind in kinds)
        assert (total == games[f"score_{seat}"]).all()
    leads = np.sign(games["score_player_0"] - games["score_player_1"])
    assert (games["margin"] == games["score_player_0"] - games["score_player_1"]).all()
    assert (games["player_0_points"] == (leads + 1) / 2).all()
    told = games["winner"].map({"player_0": 1, "player_1": -1, "draw": 0}).astype(int)
    assert (told == leads).all() and set(leads) == {-1, 0, 1}
    assert (games["turns"] > 5).all() and (games["end_cause"] == "last_tile").all()
    laid = games["first_tokens_player_0"] + games["first_tokens_player_1"]
    built = games["tunnels_player_0"] + games["tunnels_player_1"]
    assert (laid - built == games["half_tunnels"]).all()


def test_every_pairing_plays_the_same_deals_and_games_are_told_the_same_by_arrays(
    results: Results,
) -> None:
    games = results.store.read("games")
    seeds = {
        tuple(rows["seed"]) for _, rows in games.groupby(["player_0", "player_1"], observed=True)
    }
    assert len(seeds) == 1
    match = results.matches[0, 1]
    rows = games[(games["player_0"] == "random") & (games["player_1"] == "points")]
    assert match.points("player_0").tolist() == rows["player_0_points"].tolist()
    assert (match.points("player_0") + match.points("player_1") == 1).all()
    assert match.stopped == 0
    assert match.wins("player_0") + match.wins("player_1") + match.draws == 20


def test_decisions_and_records_are_kept(results: Results, folder: Path) -> None:
    decisions = results.store.read("decisions")
    assert set(decisions["phase"]) == {"cell", "rotate", "claim", "token"}
    keys = ["player_0", "player_1", "side", "action"]
    taken = results.store.read("actions").groupby(keys, observed=True)["taken"].sum()
    assert decisions.groupby(keys, observed=True).size().to_dict() == taken[taken > 0].to_dict()
    winners = [
        replay(record).winner or "draw"
        for path in sorted((folder / "records").glob("*.jsonl"))
        for record in read_records(path)
    ]
    assert winners == results.store.read("games")["winner"].tolist()


def test_a_stopped_tournament_goes_on(results: Results, folder: Path) -> None:
    before = results.store.read("games")
    assert "cards" in TABLES and not (folder / "cards").exists()
    (folder / "parts" / "01-01-0000000.json").unlink()
    again = play_tournament(PLAYED, workers=1, folder=folder)
    pd.testing.assert_frame_equal(before, again.store.read("games"))
    assert isinstance(again.store, Store)


def test_the_report_names_the_seats(results: Results, tmp_path: Path) -> None:
    report = Report.of(results)
    report.write(tmp_path)
    text = (tmp_path / "report.md").read_text()
    assert "as Player 0 | as Player 1 | both | drawn | stopped | turns" in text
    assert "Player 0's share of wins: the row plays Player 0, the column Player 1" in text
    assert "playing Player 0 is worth" in text
    assert "ritain" not in text and "rance" not in text
    figures = json.loads((tmp_path / "results.json").read_text())
    assert [rung["agent"] for rung in figures["ladder"]] == ["points", "random"]
    for match in figures["matches"]:
        won = match["player_0_wins"] + match["player_1_wins"] + match["draws"]
        assert won == match["games"] == 20 and match["mean_turns"] > 5
    assert 0 < figures["player_0_between_equals"]["value"] < 1


def test_the_command_plays_a_ruleset_of_the_users_own(tmp_path: Path, capsys) -> None:
    rules = tmp_path / "mine.yaml"
    rules.write_text("base: carcassonne\ntable: 3\nname: mine\n")
    words = ["tournament", "random", "blocker", "greedy", "--games", "4", "--workers", "1"]
    assert commands.main([*words, "--ruleset", str(rules), "--out", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr().out
    assert "36 games of mine" in shown and "Player 0" in shown
    assert (tmp_path / "out" / "report.md").exists()


def test_an_agent_is_measured_from_one_seat_or_from_both() -> None:
    (both,) = evaluate("points", ["random"], 10, ruleset=SMALL, seed=1)
    (first,) = evaluate("points", ["random"], 10, ruleset=SMALL, seed=1, side="player_0")
    assert both.games == 20 and set(both.seats) == {"player_0", "player_1"}
    assert first.seats["player_0"] == both.seats["player_0"]
    with pytest.raises(AgentError, match="side 'britain': allowed: player_0, player_1, both"):
        evaluate("points", ["random"], 1, ruleset=SMALL, side="britain")


def test_a_ruleset_for_more_than_two_is_refused_before_the_first_game() -> None:
    three = Tournament(("random", "greedy"), 5, ruleset=ruleset_with(players=3))
    with pytest.raises(AgentError, match="3 seats; a match is between two agents"):
        play_tournament(three)
