"""A report for more than two seats: the seats, the levers, the change, skill, and how games end."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from channel_tunnel_agents.balance.changing.levers import find_levers, measure_levers
from channel_tunnel_agents.balance.empirical.meetings import measure_meetings
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.balance.report import build, levers, meetings
from channel_tunnel_agents.balance.report.game import reported
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_env import load_ruleset
from tests.agents.balance.report.test_plain import STATISTICS, plain_part

FOUR = "base: carcassonne\nname: four\nplayers: 4\nfollowers: 6\n"
SHORT = "base: eurotunnel\nname: short\nmax_year: 1902\npermissions: false\n"
SIX = "base: eurotunnel\nname: six\nabsent: [ITALY]\nmax_year: 1901\nlimit_score: centres\n"
RULES = {"four.yaml": FOUR, "short.yaml": SHORT, "six.yaml": SIX}
AGENTS = {"four.yaml": ("random", "points"), "short.yaml": ("hold", "lively"), "six.yaml": ("hold", "lively")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables")
    for name, text in RULES.items():
        (path / name).write_text(text)
    return path


def report(folder: Path, rules: str, out: str, *more: str) -> dict[str, Any]:
    words = ["report", "--ruleset", str(folder / rules), "--agents", *AGENTS[rules]]
    words += ["--deals", "30", "--levers", "6", "--workers", "1", "--out", str(folder / out)]
    with pytest.MonkeyPatch.context() as patch:
        for measured in (levers, meetings):  # there are many levers
            patch.setattr(measured, "FEWEST", 6)
        assert evaluate.main([*words, *more]) == 0
    found: dict[str, Any] = json.loads((folder / out / build.JSON).read_text())
    return found


@pytest.fixture(scope="module", params=["four.yaml", pytest.param("short.yaml", marks=pytest.mark.heavy)])
def found(request: pytest.FixtureRequest, folder: Path) -> dict[str, Any]:
    rules = request.param
    return report(folder, rules, f"r-{rules}") | {"rules": rules, "folder": folder}


def test_the_page_answers_what_a_designer_asks(found: dict[str, Any]) -> None:
    game = reported(load_ruleset(str(found["folder"] / found["rules"])))
    assert [*found["sections"]] == [*game.sections, "provenance"]
    assert not any("missing" in section for section in found["sections"].values())
    assert [each for each in found["front"] if each != "drawn"] == ["changes", "beside", "levers", "unknown"]
    assert found["plain"]["careful"][0].startswith("A scripted player judges these rules")
    said = " ".join(found["plain"]["sentences"])
    assert ("the fourth seat has 18 turns and the others 19" in said) == (found["rules"] == "four.yaml")
    assert len(found["front"]["levers"]["data"]["levers"]["rows"]) == 3
    page = (found["folder"] / f"r-{found['rules']}" / build.HTML).read_text()
    assert not STATISTICS.search(plain_part(page)) and len(found["plain"]["levels"]) == 2
    assert page.count('class="pile"') == len(found["front"]["beside"]["data"]["beside-chart"]["rows"])
    assert page.count("<svg role=") >= 4 and "both seats" not in page
    assert not re.search(r"\bnan\b", page)


def test_the_shares_add_up_and_are_those_of_the_games(found: dict[str, Any]) -> None:
    rows = found["front"]["beside"]["data"]["beside-chart"]["rows"]
    assert sum(row[1] for row in rows) == pytest.approx(1)
    (*_, strongest) = found["seats"]
    assert [each["value"] for each in strongest["here"]["seats"].values()] == [row[1] for row in rows]


def test_the_change_is_that_against_the_base_for_as_many_seats(found: dict[str, Any]) -> None:
    beside = found["front"]["beside"]["data"]["beside"]
    assert "change" in beside["columns"] and "how sure?" in beside["columns"]
    changes = " ".join(found["front"]["changes"]["notes"])
    assert ("Followers" in changes) == (found["rules"] == "four.yaml")
    assert "layers" not in changes


# --- the measurements ----------------------------------------------------------------------------


def test_the_better_player_has_more_alone_and_the_worse_less() -> None:
    three = load_ruleset("carcassonne").with_values({"players": 3}, "three")
    met = measure_meetings(("random", "points"), three, 30, 5, workers=1)
    shares = {meeting.agent: meeting.share for meeting in met.meetings}
    assert shares["points"].low > 1 / 3 > shares["random"].high
    assert met.strength["points"] > 0 > met.strength["random"]
    assert all(meeting.share.n == 30 and len(meeting.by_seat) == 3 for meeting in met.meetings)
    alone = [np.mean([each.value for each in meeting.by_seat]) for meeting in met.meetings]
    assert alone == pytest.approx([meeting.share.value for meeting in met.meetings])


def test_a_lever_of_a_table_moves_the_lead_of_the_best_seat_over_the_worst() -> None:
    short = load_ruleset("eurotunnel").with_values({"max_year": 1902}, "short")
    found = measure_levers("lively", short, -1, 30, 40, 3, workers=1, between=(5, 0))
    again = measure_levers("lively", short, -1, 30, 40, 3, workers=2, between=(5, 0))
    assert found == again
    for lever in found.chosen:
        assert -1 <= lever.share.low <= lever.share.value <= lever.share.high <= 1
        assert lever.gap is not None and 0 <= lever.gap.low <= lever.gap.value <= lever.gap.high


def test_levers_are_those_that_do_something_at_that_table() -> None:
    rules = load_ruleset("carcassonne")
    for players, sets in ((2, {"token_sets_two"}), (3, {"token_sets_three"}), (4, set())):
        keys = {key for point in find_levers(rules.with_values({"players": players}, "x")) for key in point.changes}
        assert {key for key in keys if key.startswith("token_sets")} == sets


@pytest.mark.parametrize(
    ("players", "words"),
    [
        (3, "75 tiles are drawn, so that every seat has 25 turns; the third seat has the last tile;"),
        (4, "the fourth seat has 18 turns and the others 19; the third seat has the last tile;"),
        (
            6,
            "the fourth seat, the fifth seat and the sixth seat have 12 turns and the others 13; the third seat has the last",
        ),
    ],
)
def test_carcassonne_says_who_has_how_many_turns_and_offers_a_tile_more_or_fewer(players: int, words: str) -> None:
    rules = load_ruleset("carcassonne").with_values({"players": players}, "x")
    assert words in reported(rules).seats_note(rules)
    (one,) = {sum(kind.count for kind in rules.data.tile_types())}
    sizes = {sum(k.count for k in point.ruleset.data.tile_types()) for point in find_levers(rules)}
    assert sizes == {one - 1, one, one + 1}


def test_the_base_has_as_many_seats_and_is_none_if_nothing_else_is_changed(folder: Path) -> None:
    settings = ReportSettings(str(folder / "four.yaml"))
    base = settings.base_rules
    assert base is not None and base.data.players == 4 and base.data.followers == 7
    assert settings.tournament().mirror


# --- seats that nobody plays, and seats that are all alike ------------------------------------------


def job(shares: np.ndarray, ruleset: Any, judged: Any = None) -> Any:
    results = SimpleNamespace(
        seats=ruleset.seats,
        ruleset=ruleset,
        tournament=SimpleNamespace(agents=("one",)),
        matches={(0,) * len(ruleset.seats): SimpleNamespace(shares=shares)},
    )
    settings = SimpleNamespace(judged=judged, seed=0)
    return SimpleNamespace(results=results, ruleset=ruleset, agent="one", settings=settings)


def test_the_lead_is_of_one_seat_over_another_even_where_all_are_alike() -> None:
    seven = load_ruleset("eurotunnel")
    lean, between = levers.lean_of(job(np.full((40, 7), 1 / 7), seven))
    assert between is not None and between[0] != between[1] and not lean


def test_a_seat_that_nobody_plays_is_neither_the_best_nor_the_worst() -> None:
    six = load_ruleset({"base": "eurotunnel", "absent": ["ITALY"]})
    italy = six.seats.index("italy")
    for share in (0.0, 0.7):
        shares = np.full((40, 7), (1 - share) / 6)
        shares[:, italy] = share
        lean, between = levers.lean_of(job(shares, six))
        assert between is not None and italy not in between and not lean
    met = measure_meetings(("hold", "lively"), six.with_values({"max_year": 1901}), 2, 1, workers=1)
    assert all(len(meeting.by_seat) == 6 for meeting in met.meetings)


def test_one_seat_alone_is_not_measured() -> None:
    others = [seat.upper() for seat in load_ruleset("eurotunnel").seats if seat != "france"]
    lonely = load_ruleset({"base": "eurotunnel", "absent": others})
    with pytest.raises(AgentError, match="only france is played; what is measured takes two"):
        measures_of(lonely)


@pytest.mark.heavy
def test_the_page_asks_only_about_powers_that_somebody_plays(folder: Path) -> None:
    found = report(folder, "six.yaml", "six", "--levers", "0")
    rows = {row[0]: row[1] for row in found["front"]["beside"]["data"]["beside-chart"]["rows"]}
    assert len(rows) == 6 and "Italy" not in rows and sum(rows.values()) < 1
    said = " ".join(found["plain"]["sentences"])
    assert "Nobody plays Italy; what" in said and "Italy" not in said.replace("plays Italy", "")
