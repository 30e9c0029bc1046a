"""What runs through games: noted as they are played, averaged over those that get there, and shown as charts of the report."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from channel_tunnel_agents.balance.measuring.series import Grid, count_changes, curves_of, grid_of, leaders_of
from channel_tunnel_agents.balance.report.build import write_section
from channel_tunnel_agents.balance.report.course import course
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.page import Chart, Page, PageSection
from channel_tunnel_agents.balance.report.plain.parts import PlainAnswer
from channel_tunnel_agents.balance.report.render import render
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.games import plain
from channel_tunnel_agents.matches.tables import GAME_TABLES
from channel_tunnel_agents.matches.tournament import TablePart, Tournament, play_part, play_tournament
from channel_tunnel_env import Game, load_ruleset

GAMES = 3
SHORT = {"base": "eurotunnel", "max_year": 1903, "permissions": False}


def discs(game: Any, seat: str) -> int:
    return sum(game.to_position()[seat]["discs"].values())


def money(game: Any, seat: str) -> int:
    worth = {card.card: card.money for card in game.ruleset.data.deck.cards}
    return sum(worth[card] for card in game.to_position()[seat]["money"])


def followers(game: Any, seat: str) -> int:
    """Those that the box gives, less those on the table: each stands behind the place of its tile."""
    letter = "AB"[int(seat[-1])]
    standing = [word for tile in game.to_position()["board"] for word in tile.split()[4:] if word.startswith(letter)]
    return int(game.ruleset.data.followers) - len(standing)


def points(game: Any, seat: str) -> int:
    return int(game.scores()[seat]["total"])


READ = {
    "standard": (lambda game: game.to_position()["round"], {"points": points, "money": money, "discs": discs}),
    "carcassonne": (lambda game: game.to_position()["turn"], {"points": points, "followers": followers}),
    "eurotunnel": (lambda game: int(game.to_position()["phase"][1:5]), {"centres": points}),
}


def played(name: str, *seating: int) -> dict[str, pd.DataFrame]:
    """The tables of a few games; all decisions are kept."""
    rules = load_ruleset(SHORT if name == "eurotunnel" else name)
    agents = ("random", "dumb") if name == "eurotunnel" else ("random", "heuristic" if name == "standard" else "points")
    plan = Tournament(agents, deals=GAMES, ruleset=rules, decisions=True)
    return play_part(TablePart(plan, seating or (1,) * rules.num_seats, 0, GAMES)) | {"rules": rules}  # type: ignore[dict-item]


@pytest.mark.parametrize("name", READ)
def test_the_series_are_what_a_replay_of_the_games_shows(name: str) -> None:
    tables = played(name)
    rules: Any = tables["rules"]
    clock_of, quantities = READ[name]
    series = GAME_TABLES[rules.spec.name].series
    assert series is not None
    rows = []
    for deal, taken in tables["decisions"].groupby("deal"):
        game = Game(rules, int(tables["games"]["seed"][deal]))
        last = None
        for action in taken["action"]:
            now = clock_of(game)
            if now != last:
                seen = {f"{what}_{seat}": read(game, seat) for what, read in quantities.items() for seat in game.seats}
                rows.append({"deal": deal, series.unit: now, **seen})
                last = now
            game.play(game.spec.actions.id_of(action))
        assert game.is_over
    expected = pd.DataFrame(rows)
    assert len(expected) > 2 * GAMES
    pd.testing.assert_frame_equal(tables["series"][[*expected.columns]], expected, check_dtype=False)


def test_the_series_of_games_between_different_players_are_not_kept() -> None:
    mixed, own = played("standard", 0, 1)["series"], played("standard")["series"]
    assert mixed.empty and [*mixed.columns] == [*own.columns] and (mixed.dtypes == own.dtypes).all()


def test_the_lead_changes_as_the_engine_counts() -> None:
    rules = load_ruleset("standard")
    plan = Tournament(("random", "heuristic"), deals=60, ruleset=rules)
    tables = play_part(TablePart(plan, (1, 1), 0, 60))
    grid = grid_of(tables["series"], "round", ["points_britain", "points_france"])
    changes = count_changes(leaders_of(grid.values))
    assert changes.max() >= 2
    np.testing.assert_array_equal(changes, tables["games"]["lead_changes"])


def test_being_level_or_over_changes_no_lead() -> None:
    points = np.array([[[0, 3, 3, 1, 5], [1, 0, 2, np.nan, np.nan]], [[0, 2, 3, 4, 4], [0, 1, 1, np.nan, np.nan]]])
    assert leaders_of(points).tolist() == [[-1, 0, -1, 1, 0], [0, 1, 0, -1, -1]]
    assert count_changes(leaders_of(points)).tolist() == [2, 2]


def test_the_band_holds_the_middle_half_of_the_games() -> None:
    values = np.arange(101.0)[None, :, None] * [1, 2]  # 0, 1, ..., 100 in the first round, twice that in the second
    found = curves_of(Grid(np.array([1, 2]), values), 30)
    assert found.mean.tolist() == [[50, 100]]
    assert found.low.tolist() == [[25, 50]] and found.high.tolist() == [[75, 150]]


def test_games_that_ended_drop_out_and_too_few_games_show_no_point() -> None:
    """The game of deal k has k + 1 rounds, and has k points in each."""
    rows = [(deal, each, deal) for deal in range(40) for each in range(1, deal + 2)]
    table = pd.DataFrame(rows, columns=["deal", "round", "points_a"])
    found = curves_of(grid_of(table, "round", ["points_a"]), 30)
    assert found.clock.tolist() == [*range(1, 12)] and found.games.tolist() == [*range(40, 29, -1)]
    assert found.mean[0].tolist() == [np.mean(range(first, 40)) for first in range(11)]


# --- the page -------------------------------------------------------------------------------------


def page_of(name: str, deals: int) -> tuple[PageSection, str]:
    """The section on the course of a few games, and the page that shows it."""
    rules = load_ruleset(SHORT if name == "eurotunnel" else name)
    results = play_tournament(Tournament(("random",), deals=deals, ruleset=rules, mirror=True), workers=1)
    evidence = Evidence(ReportSettings(name, ("random",)), results, {}, {}, {}, "")
    section = write_section("course", evidence)
    answer = PlainAnswer("yes", "Yes.", (), (), "", "", (), ("", ""), "", "")
    return section, render(Page("T", answer, (section,)))


@pytest.mark.parametrize(
    "name, words",
    [
        ("tiny", ["Victory points by round", "Money in million by round", "Discs in hand by round"]),
        ("carcassonne", ["Points by turn", "Followers in hand by turn"]),
        ("eurotunnel", ["Supply centres by year"]),
    ],
)
def test_the_page_charts_the_course_and_says_how_often_the_lead_changes(name: str, words: list[str]) -> None:
    section, html = page_of(name, 40)
    charts = section.items[:-1]
    assert [chart.title.split(" (")[0] for chart in charts] == words  # type: ignore[union-attr]
    assert "changes hands" in section.lead[0] and section.items[-1].key == "lead-changes"  # type: ignore[union-attr]
    for chart in charts:
        assert isinstance(chart, Chart) and chart.says in html
        assert min(row[1] for row in chart.data.rows) >= 30 and chart.data.rows[0][1] == 40  # type: ignore[type-var]
        assert "games that get there" in chart.svg and "middle half" in chart.reading
        assert not re.search(r"#[0-9a-f]{6}\b", chart.svg)  # all colours are the page's: light or dark


def test_too_few_games_show_no_course() -> None:
    section, html = page_of("tiny", 29)
    assert section.missing == "29 games are too few for a claim" and not section.items and "<svg" not in html


def test_a_game_without_series_shows_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert plain.TABLES.series is None
    without = {"tunnel_1987": replace(GAME_TABLES["tunnel_1987"], series=None)}
    monkeypatch.setitem(course.__globals__, "GAME_TABLES", without)
    section, html = page_of("tiny", 40)
    assert "declares nothing" in section.missing and not section.items and "<svg" not in html
