"""Matches of Carcassonne: paired deals in both seats, stored games that go on, a report in the seats' names."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from channel_tunnel_agents import evaluate
from channel_tunnel_agents.commands import evaluate as commands
from channel_tunnel_agents.matches import plackett_luce
from channel_tunnel_agents.matches.multiplayer_report import report_on
from channel_tunnel_agents.matches.tournament import Results, Tournament, play_tournament
from channel_tunnel_agents.matches.tournament_report import Report
from channel_tunnel_agents.players.scripted import RandomAgent
from channel_tunnel_env import Game
from channel_tunnel_env.records.record import read_records
from tests.games.carcassonne.records import ruleset_with

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


def test_every_pairing_plays_the_same_deals_and_games_are_told_the_same_by_arrays(results: Results) -> None:
    games = results.store.read("games")
    seeds = {tuple(rows["seed"]) for _, rows in games.groupby(["player_0", "player_1"], observed=True)}
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
        Game.from_record(record).winner or "draw"
        for path in sorted((folder / "records").glob("*.jsonl"))
        for record in read_records(path)
    ]
    assert winners == results.store.read("games")["winner"].tolist()


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


@pytest.mark.parametrize(
    ("players", "agents", "deals", "said", "written"),
    [
        (2, ("random", "blocker", "greedy"), "4", ("36 games of mine", "Player 0"), "report.md"),
        (3, ("random", "greedy"), "3", ("18 games of mine", "What a seat is worth"), "results.json"),
    ],
)
def test_the_command_plays_a_ruleset_of_the_users_own(players, agents, deals, said, written, tmp_path, capsys) -> None:
    rules = tmp_path / "mine.yaml"
    rules.write_text(f"base: carcassonne\nplayers: {players}\ntable: 3\nname: mine\n")
    words = ["tournament", *agents, "--deals", deals, "--workers", "1"]
    assert commands.main([*words, "--ruleset", str(rules), "--out", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr().out
    assert all(words in shown for words in said)
    assert (tmp_path / "out" / written).exists()


# --- three seats --------------------------------------------------------------------------------------

THREE = ruleset_with(players=3, table=4, name="three-seats")
MIXED = Tournament(("random", "points", "greedy", "farmer"), 4, seed=4, ruleset=THREE)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return play_tournament(MIXED, workers=1, folder=tmp_path_factory.mktemp("mixed"))


def test_mixed_tables_have_every_three_agents_in_every_order(mixed: Results) -> None:
    games = mixed.store.read("games")
    seats = list(mixed.seats)
    assert len(games) == MIXED.total_games == 4 * 6 * 4
    tables = games.groupby(seats, observed=True).size()
    assert len(tables) == 24 and (tables == 4).all()
    assert games.groupby("deal").size().tolist() == [24] * 4
    assert games[[f"share_{seat}" for seat in seats]].sum(axis=1).round(9).eq(1).all()
    best = games[[f"score_{seat}" for seat in seats]].to_numpy()
    won = games[[f"share_{seat}" for seat in seats]].to_numpy() > 0
    assert (won == (best == best.max(axis=1, keepdims=True))).all()
    assert "margin" not in games and "player_0_points" not in games


def test_the_report_on_mixed_tables_ranks_by_the_order_of_finish(mixed: Results, tmp_path: Path) -> None:
    report = report_on(mixed)
    report.write(tmp_path)
    figures = json.loads((tmp_path / "results.json").read_text())
    ladder = [rung["agent"] for rung in figures["ladder"]]
    assert ladder[-2:] == ["points", "random"] and len(ladder) == 4
    ahead = {(row["agent"], row["of"]): row for row in figures["ahead"]}
    assert len(ahead) == 12
    for (one, other), row in ahead.items():
        assert row["value"] + ahead[other, one]["value"] == pytest.approx(1)
        assert row["comparisons"] == 12 * 4
    assert ahead["greedy", "random"]["low"] > 0.5
    assert figures["seats_elo"]["player_0"]["value"] == 0
    text = (tmp_path / "report.md").read_text()
    assert "96 games" in text and "Plackett-Luce" in text and "| Player 2 |" in text


def test_an_agent_is_measured_against_two_of_another() -> None:
    (score,) = evaluate("greedy", ["random"], 6, ruleset=THREE, seed=1)
    assert score.games == 18 and set(score.seats) == {"player_0", "player_1", "player_2"}
    assert score.points.value > 0.7


@pytest.mark.heavy
def test_a_copy_of_an_agent_seldom_looks_stronger_or_weaker() -> None:
    """600 deals as 60 tournaments of ten: at most 8 of 60 differ, which luck alone exceeds once in 500."""
    names = ("random", f"{__name__}:Copy")
    results = play_tournament(Tournament(names, 600, seed=9, ruleset=ruleset_with(players=3, table=3)), workers=1)
    games = results.store.read("games")
    agents = np.stack([games[seat].cat.codes for seat in results.seats], axis=1).astype(np.int64)
    scores = games[[f"score_{seat}" for seat in results.seats]].to_numpy(np.int64)
    run = games["deal"].to_numpy() // 10
    found = [
        plackett_luce.fit(agents[run == k], scores[run == k], games["deal"].to_numpy()[run == k], 2) for k in range(60)
    ]
    assert sum(strengths.strength(1).excludes_zero for strengths in found) <= 8


class Copy(RandomAgent):
    """Random play under another name."""

    name = "copy"
