"""A report grows: its page is readable after the first games, says what is still open, and is never half-written."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from channel_tunnel_agents.balance.judging import Judged
from channel_tunnel_agents.balance.report import build, growing
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.growing import CUT, OPEN, OTHER_GAMES, POLICIES
from channel_tunnel_agents.balance.report.measurements import Measurement
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.matches import tournament
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.entry import STOPPED
from channel_tunnel_env.outside.progress import Stage
from tests.agents.balance.helpers import judged_of, trained

SKIPPED = ("cards", "restricted")
RULES = {
    "tunnel_1987": ("tiny", ("random", "heuristic", "racer")),
    "carcassonne": ("carcassonne", ("random", "points", "greedy")),
}

GAMES = [game if game == "tunnel_1987" else pytest.param(game, marks=pytest.mark.heavy) for game in RULES]


def words_of(out: Path, game: str = "tunnel_1987", skip: tuple[str, ...] = SKIPPED) -> list[str]:
    rules, agents = RULES[game]
    skipped = skip if game == "tunnel_1987" else ("tension",)
    words = ["report", "--ruleset", rules, "--agents", *agents, "--deals", "40", "--levers", "0"]
    words += ["--quick", "--workers", "1", "--out", str(out)]
    return [*words, *(["--skip", *skipped] if skipped else [])]


def report(*given: Any, **more: Any) -> int:
    return evaluate.main(words_of(*given, **more))


class Pages(list):
    """What was written, page by page: (html, json)."""

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        write = build.Writer.write

        def noted(writer: build.Writer, known: Any, stopped: bool = False) -> None:
            write(writer, known, stopped)
            assert writer.written is not None
            html, data = writer.written.html, writer.written.json
            self.append((html.read_text("utf-8"), json.loads(data.read_text("utf-8"))))

        patch.setattr(build.Writer, "write", noted)


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> Pages:
    found = Pages()
    found.watch(monkeypatch)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("growing")


@pytest.fixture(scope="module", params=GAMES)
def grown(request: pytest.FixtureRequest, folder: Path) -> Pages:
    pages = Pages()
    with pytest.MonkeyPatch.context() as patch:
        pages.watch(patch)
        assert report(folder / request.param, request.param) == 0
    return pages


def test_the_page_can_be_read_once_the_games_are_played(grown: Pages) -> None:
    html, data = grown[0]
    assert data["plain"]["answer"] in ("yes", "no", "not settled")
    assert html.rstrip().endswith("</html>") and "This page is growing" in html
    assert data["sections"]["sides"]["data"]


def test_the_page_names_what_is_still_open(grown: Pages) -> None:
    still_open = [data["open"] for _, data in grown]
    assert len(still_open[0]) >= 3 and still_open[-1] == []
    assert still_open == [still_open[0][i:] for i in range(len(still_open[0]) + 1)]
    for html, data in grown[:-1]:
        assert all(name in html for name in data["open"]) and OPEN in html
        assert "Done: 360 games" in html


def test_a_complete_page_says_nothing_of_its_growth(grown: Pages) -> None:
    html, data = grown[-1]
    assert "page is growing" not in html and OPEN not in html
    assert not data["stopped"]


@pytest.mark.heavy
@pytest.mark.parametrize("game", GAMES)
def test_a_grown_page_is_the_page_written_at_once(game: str, folder: Path, request: pytest.FixtureRequest) -> None:
    report(folder / game, game)
    pages = request.getfixturevalue("pages")
    grown = (folder / game / build.HTML).read_text("utf-8")
    assert report(folder / game, game) == 0
    assert [html for html, _ in pages] == [grown]


@pytest.mark.heavy
def test_a_stopped_report_is_true_says_so_and_goes_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    if not (folder / "tunnel_1987" / build.JSON).exists():
        report(folder / "tunnel_1987")
    whole = json.loads((folder / "tunnel_1987" / build.JSON).read_text("utf-8"))
    take = growing.take

    def stop_at_tension(measure: Any, *given: Any) -> Any:
        if measure.name == "tension":
            raise KeyboardInterrupt
        return take(measure, *given)

    monkeypatch.setattr(growing, "take", stop_at_tension)
    assert report(tmp_path) == STOPPED
    assert "holds what was found so far" in " ".join(capsys.readouterr().out.split())
    html = (tmp_path / build.HTML).read_text("utf-8")
    cut = json.loads((tmp_path / build.JSON).read_text("utf-8"))
    assert "stopped before its end" in html and "page is growing" not in html
    assert cut["stopped"] and cut["open"] == ["tension", "openings"]
    assert cut["plain"] == whole["plain"]
    assert cut["sections"]["luck"] == whole["sections"]["luck"]
    assert cut["sections"]["tension"]["missing"] == CUT and OPEN not in html
    monkeypatch.setattr(growing, "take", take)
    assert report(tmp_path) == 0
    assert json.loads((tmp_path / build.JSON).read_text("utf-8"))["sections"].keys()
    assert "stopped before" not in (tmp_path / build.HTML).read_text("utf-8")


@pytest.mark.heavy
def test_a_long_report_has_a_page_before_all_games_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages: Pages
) -> None:
    monkeypatch.setattr(tournament, "PART", 20)
    monkeypatch.setattr(tournament, "FIRST_DEALS", 20)
    assert report(tmp_path) == 0
    (early, first), (_, then) = pages[:2]
    assert first["open"] == ["the other games", "games on standard", *then["open"]]
    assert "Done: 180 games." in early and "from 180 games" in early
    facts = dict(first["sections"]["provenance"]["data"]["provenance"]["rows"])
    assert (facts["games in the tournament"], facts["deals of each pairing"]) == ("180", "20")
    rows = first["sections"]["provenance"]["data"]["agents"]["rows"]
    assert {row[2] for row in rows} == {20}
    assert "from 360 games" in pages[-1][0] and len(pages) == len(then["open"]) + 2


def test_a_report_stopped_amid_its_games_leaves_what_the_first_ones_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages: Pages
) -> None:
    monkeypatch.setattr(tournament, "PART", 30)
    monkeypatch.setattr(tournament, "FIRST_DEALS", 30)
    play, parts = tournament.play_part, []

    def stop_late(part: Any) -> Any:
        if len(parts) == 17:
            raise KeyboardInterrupt
        parts.append(part)
        return play(part)

    monkeypatch.setattr(tournament, "play_part", stop_late)
    assert report(tmp_path, skip=()) == STOPPED
    assert [part.first for part in parts] == [0] * 9 + [30] * 8
    (_, early), (_, cut) = pages
    shown = {key: section["data"] for key, section in early["sections"].items()}
    assert {key: section["data"] for key, section in cut["sections"].items()} == shown
    assert shown["cards"] and shown["actions"]
    assert cut["stopped"] and cut["open"][0] == "the other games"
    assert "stopped before its end" in (tmp_path / build.HTML).read_text("utf-8")
    played = cut["sections"]["provenance"]["data"]["agents"]["rows"]
    assert {row[2] for row in played} == {30}


KILLED = """
import os, signal, sys
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.matches import tournament
replace, pages = os.replace, []
def kill_at_the_second_page(source, target):
    if str(target).endswith("report.html"):
        pages.append(target)
        if len(pages) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
    replace(source, target)
os.replace = kill_at_the_second_page
evaluate.main(sys.argv[1:])
"""


@pytest.mark.heavy
def test_a_killed_report_leaves_the_last_page_whole(tmp_path: Path) -> None:
    run = subprocess.run([sys.executable, "-c", KILLED, *words_of(tmp_path)], capture_output=True, check=False)
    assert run.returncode == -signal.SIGKILL, run.stderr
    html = (tmp_path / build.HTML).read_text("utf-8")
    assert html.rstrip().endswith("</html>") and "This page is growing" in html
    assert "If its report has ended" in html and "goes on from here" in html
    json.loads((tmp_path / build.JSON).read_text("utf-8"))


def test_of_more_than_two_seats_the_strongest_is_measured_once_it_is_known_who_that_is(tmp_path: Path) -> None:
    """Nothing that depends on it is looked up or made before the agents have met; a second report makes nothing again."""
    rules = load_ruleset("eurotunnel")
    results: Any = SimpleNamespace(
        seats=rules.seats, ruleset=rules, tournament=SimpleNamespace(agents=("dumb", "hold"))
    )
    results.searching = frozenset()
    known = Evidence(ReportSettings("eurotunnel", levers=0), results, {}, {}, {}, "")
    made: list[str] = []

    def job(now: Evidence) -> Any:
        return SimpleNamespace(agent=now.agent, agent_digest=None, ruleset=rules, seed=1, settings=now.settings)

    def stage(name: str, found: Any) -> growing.MeasuringStage:
        def run(job: Any, advance: Any) -> Any:
            made.append(f"{name} {job.agent}")
            return found

        return growing.MeasuringStage(Measurement(name, name, lambda job: {}, lambda job: 0, run), job, tmp_path)

    stages = [stage("meetings", {"meetings": [], "strength": {"dumb": 1, "hold": -1}}), stage("levers", [])]
    begin: Any = lambda title, total: lambda done: None  # noqa: E731
    for _ in range(2):
        *_, last = growing.grow(known, stages, begin)
        assert made == ["meetings hold", "levers dumb"]
        assert last.strongest == "dumb" and not last.open


def written(out: Path, judging: Any) -> build.Written:
    """A whole report whose policies are trained by somebody else."""
    settings = ReportSettings(
        "tiny", ("random", "adept"), 30, levers=0, decisions=1_000, skip=(*SKIPPED, "openings", "tension")
    )
    return build.write_report(settings, out, lambda name, total: Stage(name, total), 1, print, judging)


def test_while_policies_are_trained_a_page_stands_already_and_says_so(tmp_path: Path, pages: Pages) -> None:
    rules = load_ruleset("tiny")

    def judging() -> Any:
        yield judged_of(rules, [[0.5, 0.4], [0.6, 0.5]])
        html, data = pages[0]
        assert data["open"][0] == POLICIES and POLICIES in html and "page is growing" in html
        assert data["judged"]["seats"][0]["share"]["value"] == 0.5 and data["plain"]["sentences"]
        yield judged_of(rules, [[0.5, 0.3], [0.7, 0.6]])
        assert pages[1][1]["judged"]["seats"][0]["share"]["value"] == pytest.approx(0.6)
        assert len(pages) == 2 and pages[1][1]["open"][0] == POLICIES

    written(tmp_path / "new", judging())
    assert all(POLICIES not in data["open"] for _, data in pages[2:]) and pages[-1][1]["open"] == []
    assert pages[-1][1]["judged"] == pages[1][1]["judged"]
    top = pages[-1][1]["front"]["beside"]["data"]["beside"]["rows"][0]
    assert top[0] == "Britain wins (good players)" and top[1] == pytest.approx(0.6)


def test_a_report_stopped_while_policies_are_trained_leaves_what_its_first_games_say(tmp_path: Path) -> None:
    def judging() -> Any:
        yield judged_of(load_ruleset("tiny"), [[0.5, 0.4], [0.6, 0.5]])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        written(tmp_path, judging())
    cut = json.loads((tmp_path / build.JSON).read_text("utf-8"))
    assert cut["stopped"] and cut["open"][:2] == [POLICIES, OTHER_GAMES]
    html = (tmp_path / build.HTML).read_text("utf-8")
    assert "stopped before its end" in html and "The answer rests on games of" in html


def test_a_report_whose_policies_are_trained_already_writes_over_no_finished_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages: Pages
) -> None:
    rules = load_ruleset("tiny")
    names = trained(rules), trained(rules, 2), trained(rules, rivals=("adept",))
    done = judged_of(rules, [[0.5] * 5] * 5, names)
    assert not done.is_short
    monkeypatch.setattr(Judged, "plays_for", lambda judged, agents: tuple(agents))
    written(tmp_path, [done])
    assert all(POLICIES not in data["open"] for _, data in pages)
