"""`evaluate.py report` on Carcassonne: its own measures and words on the page that every game has."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pandas as pd
import pytest

from channel_tunnel_agents.balance.changing import levers
from channel_tunnel_agents.balance.changing.compare import compare
from channel_tunnel_agents.balance.measuring.game import STEP
from channel_tunnel_agents.balance.report import build
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.games.carcassonne.measures import MEASURES
from channel_tunnel_agents.games.carcassonne.report import SECTIONS
from channel_tunnel_agents.statistics import estimate_share
from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.records.record import read_records
from tests.agents.balance.report.test_report import Reader
from tests.games.carcassonne.records import ruleset_with

AGENTS = ("random", "points")
DEALS = 40
SMALL = "base: carcassonne\nname: small\ntable: 5\n"
MINE = """
base: small.yaml
name: mine
title: Roads <Twice>
points: {road: 2, road_open: 2}
tiles: {U: {count: 7}, V: {count: 10}}
"""


def report(rules: Path | str, out: Path, *more: str) -> dict:
    words = ["report", "--ruleset", str(rules), "--agents", *AGENTS, "--deals", str(DEALS)]
    assert evaluate.main([*words, "--workers", "1", "--out", str(out), *more]) == 0
    found: dict = json.loads((out / build.JSON).read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("report")
    (out / "small.yaml").write_text(SMALL)
    (out / "mine.yaml").write_text(MINE)
    report(out / "mine.yaml", out / "r", "--quick", "--levers", "0")
    return out


@pytest.fixture(scope="module")
def data(folder) -> dict:
    found: dict = json.loads((folder / "r" / build.JSON).read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def html(folder) -> str:
    return (folder / "r" / build.HTML).read_text(encoding="utf-8")


def games_of(folder: Path, agent: str) -> pd.DataFrame:
    """An agent against itself, in a report's folder or that of its base."""
    (plan,) = (folder / "plans").iterdir()
    games = pd.read_parquet(plan / "games")
    return games[(games["player_0"] == agent) & (games["player_1"] == agent)]


def test_the_page_speaks_of_this_game_alone(html, data) -> None:
    assert data["title"] == "Roads <Twice>" and "<h1>Roads &lt;Twice&gt;</h1>" in html
    assert list(data["sections"]) == [*SECTIONS, "provenance"]
    shown = unescape(re.sub(r"<style>.*?</style>|<svg.*?</svg>|<[^>]+>", "", html, flags=re.DOTALL))
    assert not re.search("britain|france|rounds|deviation", shown, re.IGNORECASE)
    changes = " ".join(data["front"]["changes"]["notes"])
    assert "road: 2 instead of 1" in changes.lower() and len(data["front"]["changes"]["notes"]) == 4
    assert data["base"].endswith("small.yaml")


def test_the_page_is_well_formed_and_its_ids_are_unique(html) -> None:
    reader = Reader(html)
    assert reader.open == [] and len(reader.ids) == len(set(reader.ids))
    inner = {r[1:] for r in reader.references if r.startswith("#")}
    assert inner <= set(reader.ids)
    outside = [r for r in reader.references if not r.startswith(("#", "data:"))]
    assert outside and all(r.startswith("http://127.0.0.1") for r in outside)


def test_a_draw_is_half_a_win_wherever_the_seats_are_compared(folder, data) -> None:
    games = games_of(folder / "r", "random")
    assert (games["winner"] == "draw").any()
    wanted = estimate_share(games["player_0_points"])
    found = {row[0]: row for row in data["sections"]["sides"]["data"]["side-table"]["rows"]}["random"]
    assert found[1:4] == [wanted.value, wanted.low, wanted.high]
    rows = dict(zip(("random", "points"), data["sections"]["matrix"]["data"]["matrix"]["rows"], strict=True))
    assert wanted.value in rows["random"]
    beside = {row[0]: row for row in data["front"]["beside"]["data"]["beside"]["rows"]}
    assert beside["First seat wins (random)"][1] == wanted.value


def test_decisions_are_those_that_left_a_choice(folder, data) -> None:
    """A record holds these alone."""
    rows = {row[0]: row for row in data["sections"]["length"]["data"]["length"]["rows"]}
    told = rows["points"][data["sections"]["length"]["data"]["length"]["columns"].index("decisions")]
    records = read_records(folder / "r" / "games.jsonl")
    made = [len(record["actions"]) for record in records]
    answered = games_of(folder / "r", "points")["decisions"].mean()
    assert told == pytest.approx(sum(made) / len(made), rel=0.25) and told < 0.7 * answered
    assert f" and {round(told)} decisions;" in data["sections"]["followers"]["lead"][0]


def test_points_by_source_add_up_to_the_score(data) -> None:
    rows = {row[0]: row for row in data["sections"]["points"]["data"]["points-table"]["rows"]}
    total, *parts = [rows[name][1] for name in rows]
    assert sum(parts) == pytest.approx(total) and len(parts) == 4


# --- the base beside it: a real effect, and a true null ------------------------------------------


def test_the_change_is_that_of_the_same_deals(folder, data) -> None:
    there, here = (games_of(folder / "r" / name, "points") for name in ("base", ""))
    assert (there["seed"].to_numpy() == here["seed"].to_numpy()).all()
    (found,) = compare(there, here, [MEASURES["points_road"]])
    row = next(
        row for row in data["front"]["beside"]["data"]["beside"]["rows"] if row[0] == "points from roads and tunnels"
    )
    assert (row[1], row[5], row[9]) == (found.other.value, found.one.value, found.change.value)
    assert found.change.value > 0 and row[-1] == "surely"


def test_a_copy_under_another_name_has_no_base_to_differ_from(tmp_path) -> None:
    (tmp_path / "small.yaml").write_text(SMALL)
    (tmp_path / "copy.yaml").write_text("base: small.yaml\nname: copy\n")
    found = report(tmp_path / "copy.yaml", tmp_path / "r", "--skip", *SECTIONS)
    assert found["base"] is None and "changes" not in found["front"]


# --- drawings ------------------------------------------------------------------------------------


def test_the_drawn_games_are_written_as_records_that_replay(folder, html) -> None:
    """First the drawn ones; those of the section on tension, which too few games hide here, come behind."""
    tables = html[html.index('id="gallery-tables"') : html.index('id="gallery-tiles"')]
    drawn = tables.count('<svg class="cc-auto"')
    records = list(read_records(folder / "r" / "games.jsonl"))
    assert 1 <= drawn <= 2 and drawn < len(records) <= drawn + 3
    records = records[:drawn]
    played = games_of(folder / "r", "points")
    scores = [*zip(played["score_player_0"], played["score_player_1"], strict=True)]
    for record in records:
        game = Game.from_record(record, load_ruleset(folder / "mine.yaml"))
        first, second = (points["total"] for points in game.scores().values())
        assert (first, second) in scores and f"{first} to {second} points" in html
    assert "step through it" in tables


def test_changed_tiles_are_drawn_with_their_numbers(html) -> None:
    tiles = html[html.index('id="gallery-tiles"') : html.index('id="front-unknown"')]
    assert tiles.count("<svg") == 2
    assert all(words in tiles for words in ("U: 7", "was 8", "V: 10", "was 9"))


# --- levers, luck and tension --------------------------------------------------------------------


def test_levers_luck_and_tension_speak_of_the_seats(tmp_path, monkeypatch) -> None:
    """Ten tiles and three levers, so that games are short and few."""
    monkeypatch.setattr(levers, "LEVERS", {r"points\.(city|cloister|farm)": STEP})
    names = [name for name, tile in load_ruleset("carcassonne").data.tiles.items() if tile.count]
    none = ", ".join(f"{name}: {{count: 0}}" for name in names if name[:2] not in ("D", "B", "TU"))
    text = f"base: carcassonne\nname: few\ntunnel: false\ntiles: {{{none}, D: {{count: 6}}}}\n"
    (tmp_path / "few.yaml").write_text(text)
    words = ("--base", "none", "--deals", "130", "--levers", "30")
    shown = [key for key in SECTIONS if key not in ("luck", "tension")]
    found = report(tmp_path / "few.yaml", tmp_path / "r", *words, "--skip", *shown, "--quick")
    table = found["front"]["levers"]["data"]["levers"]
    assert len(table["rows"]) == 3 and table["columns"][3] == "the first seat's share"
    told = {name: " ".join(found["sections"][name]["lead"]) for name in ("luck", "tension")}
    assert "one source here, the order of the tiles" in told["luck"]
    assert "are won by a seat that once had" in told["tension"]
    deck = found["sections"]["luck"]["data"]["deck"]["rows"]
    assert sum(row[1] for row in deck) == pytest.approx(deck[-1][5])
    assert found["sections"]["tension"]["data"]["snowball"]["columns"][0] == "turn"
    page = (tmp_path / "r" / build.HTML).read_text(encoding="utf-8")
    places = re.findall(r"line=(\d+)", page)
    assert places == [str(line) for line in range(1, len(places) + 1)]
    assert len(places) == len(list(read_records(tmp_path / "r" / "games.jsonl")))
    assert not re.search("britain|france|victory points", page, re.IGNORECASE)


# --- rules without tunnels, and what does not fit ------------------------------------------------


@pytest.mark.heavy
def test_rules_without_tunnels_are_not_asked_about_them(tmp_path) -> None:
    (tmp_path / "no.yaml").write_text("base: carcassonne\nname: plain\ntunnel: false\ntable: 5\n")
    alone = ("--base", "none", "--levers", "0", "--quick")
    found = report(tmp_path / "no.yaml", tmp_path / "r", *alone)
    assert found["sections"]["tunnels"]["missing"] == "these rules have no tunnels"
    assert "token" not in " ".join(found["sections"]["followers"]["lead"])


def test_players_are_those_of_the_game() -> None:
    full, quick = (ReportSettings("carcassonne", quick=quick).tournament() for quick in (False, True))
    assert full.agents == ("random", "points", "greedy", "blocker", "club")
    assert quick.agents == ("random", "greedy", "club")
    assert quick.limits == {"greedy": 200} and full.limits["greedy"] == 1000
    changed = ReportSettings("carcassonne").chosen_agents(ruleset_with(followers=5))
    assert changed == ("random", "points", "greedy", "blocker", "adept")
    slow = ReportSettings("carcassonne", ("greedy", "ismcts:9")).tournament()
    assert slow.limits["ismcts:9"] < slow.limits["greedy"]
