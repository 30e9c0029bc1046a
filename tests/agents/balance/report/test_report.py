"""`evaluate.py report`: one file, every section, the same numbers everywhere, and no claims from few games."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from matplotlib.axes import Axes

from channel_tunnel_agents import AgentError
from channel_tunnel_agents.balance.measuring.variance import LEAST_DEALS_OF_SHARES
from channel_tunnel_agents.balance.players.training import TrainingTask, in_short
from channel_tunnel_agents.balance.report import build
from channel_tunnel_agents.balance.report.drawing import INK, draw, legend_above, stacked
from channel_tunnel_agents.balance.report.measurements import Job, Measurement, look_up, take
from channel_tunnel_agents.balance.report.numbers import MINUS, TOO_FEW, Number
from channel_tunnel_agents.balance.report.page import Data, PageSection, Table, Words, with_short_names
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.balance.report.tension import _games
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.games.tunnel_1987.report import GAME
from channel_tunnel_agents.games.tunnel_1987.report.economy import LOOKS, SOURCE_NAMES
from channel_tunnel_agents.games.tunnel_1987.report.health import can_score, switched_off
from channel_tunnel_agents.matches import tournament
from channel_tunnel_agents.statistics import rate_of
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine.scoring import SCORE_SOURCES
from tests.agents.balance.helpers import judged_of

AGENTS = ("random", "heuristic", "racer")
DEALS = 60
MEASURED = ("luck", "tension", "cards", "restricted", "openings")
VOID = {"meta", "br", "hr", "img", "link", "input"}


def run(*words: str) -> int:
    rules = [] if "--ruleset" in words else ["--ruleset", "tiny"]
    return evaluate.main(["report", *rules, "--workers", "1", *words])


def run_games_only(out: Path) -> int:
    return run("--agents", *AGENTS, "--deals", str(DEALS), "--out", str(out), "--skip", *MEASURED)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A report on the games alone: what is measured beside them has tests of its own."""
    out = tmp_path_factory.mktemp("report")
    assert run_games_only(out) == 0
    return out


@pytest.fixture(scope="module")
def html(folder) -> str:
    return (folder / build.HTML).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def data(folder) -> dict:
    return json.loads((folder / build.JSON).read_text(encoding="utf-8"))


class Reader(HTMLParser):
    """Tags that are closed as they were opened, ids, and what attributes refer to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "srcset", "action"):
                self.references.append(value)

    def handle_startendtag(self, tag, attrs) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes <{self.open[-1:]}>"
        self.open.pop()


def test_the_page_loads_nothing_from_a_network(html) -> None:
    assert "http:" not in html and "https:" not in html and "//cdn" not in html
    references = Reader(html).references
    assert references and all(r.startswith(("#", "data:")) for r in references)
    assert "@import" not in html and not re.search(r"url\((?!#)", html)


def test_the_page_is_well_formed_and_its_ids_are_unique(html) -> None:
    reader = Reader(html)
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids))
    inner = {r[1:] for r in reader.references if r.startswith("#")}
    assert inner <= set(reader.ids)


def test_every_section_is_there_in_the_page_and_in_the_data(html, data) -> None:
    ids = Reader(html).ids
    assert [i for i in ids if i in GAME.sections] == list(GAME.sections)
    assert {"plain", "how-we-know", "provenance"} <= set(ids)
    assert list(data["sections"]) == [*GAME.sections, "provenance"]
    for key, (title, _) in GAME.sections.items():
        assert data["sections"][key]["title"] == title


def test_a_section_left_out_says_so(html, data) -> None:
    for key in MEASURED:
        assert data["sections"][key]["missing"] == "left out by --skip"
    assert html.count("left out by --skip") >= len(MEASURED)


def test_the_shares_are_read_from_the_games(folder, data) -> None:
    games = pd.read_parquet(folder / "plans" / data["plan"] / "games")
    rows = {row[0]: row[1:] for row in data["sections"]["sides"]["data"]["side-table"]["rows"]}
    for agent in AGENTS:
        own = games[(games["britain"] == agent) & (games["france"] == agent)]
        wins = int((own["winner"] == "britain").sum())
        rate = rate_of(wins, DEALS)
        assert rows[agent][0] == wins / DEALS
        assert rows[agent][1:3] == pytest.approx([rate.low, rate.high])


@pytest.mark.heavy
def test_an_edited_ruleset_is_reported_anew_and_its_older_games_are_kept(tmp_path, capsys) -> None:
    rules = tmp_path / "my.yaml"
    words = ["report", "--ruleset", str(rules), "--agents", "random", "racer", "--deals", "30"]
    words += ["--out", str(tmp_path / "r"), "--skip", *MEASURED]
    digests = []
    for bonus, told in ((3, False), (4, True), (3, False)):
        rules.write_text(f"base: tiny\nname: my\nscoring: {{centre_bonus: {bonus}}}\n")
        assert evaluate.main(words) == 0
        said = capsys.readouterr().out
        assert ("older plans stay" in said) == told
        digests.append(json.loads((tmp_path / "r" / build.JSON).read_text())["digest"])
    assert digests[0] == digests[2] != digests[1]
    assert len(list((tmp_path / "r" / "plans").iterdir())) == 2


def test_an_agent_is_asked_whether_it_searches_whatever_its_name() -> None:
    agents = ("random", "frozen:ismcts:9", "club-puct", "frozen:rookie-search@5ms")
    tournament = ReportSettings(agents=agents).tournament()
    assert set(tournament.limits) == {*agents[1:]}
    assert tournament.deals_at((0, 0)) == 20 * tournament.deals_at((0, 2)) == 2000


def test_every_chart_and_table_carries_its_data(html, data) -> None:
    links = re.findall(r'download="([^"]+)\.csv" href="data:text/csv;charset=utf-8;base64,([^"]+)"', html)
    files = {name: list(csv.reader(io.StringIO(base64.b64decode(d).decode()))) for name, d in links}
    sections = [*data["sections"].values(), *data["front"].values()]
    tables = {k: t for s in sections for k, t in s["data"].items()}
    assert set(files) == set(tables) and len(files) > 10
    for name, table in tables.items():
        assert files[name][0] == table["columns"]
        assert len(files[name]) == 1 + len(table["rows"])
    assert html.count("<svg") >= 6


def test_no_cell_of_a_file_is_taken_for_a_formula() -> None:
    cells = ("=1+1", "+a", "-2+3", "@sum", " =a", "-2", "+1.5", "a=b", "two\nlines", -3, None)
    text = base64.b64decode(Data(("=head",), tuple((cell,) for cell in cells)).csv_uri.split(",")[1]).decode()
    safe = ["'=1+1", "'+a", "'-2+3", "'@sum", "' =a", "-2", "+1.5", "a=b", "two lines", "-3", '""']
    assert text.split("\n") == ["'=head", *safe, ""]


def test_what_was_played_is_not_played_again_and_gives_the_same_page(folder, html, monkeypatch) -> None:
    def no_games(part):
        raise AssertionError(f"{part} is there already")

    monkeypatch.setattr(tournament, "play_part", no_games)
    assert run_games_only(folder) == 0
    assert (folder / build.HTML).read_text(encoding="utf-8") == html


def test_the_provenance_names_rules_agents_and_command(data) -> None:
    facts = dict(data["sections"]["provenance"]["data"]["provenance"]["rows"])
    ruleset = load_ruleset("tiny")
    assert facts["ruleset digest"] == ruleset.digest == data["digest"]
    assert facts["command"] == data["command"]
    assert data["command"].startswith("channel-tunnel report --ruleset tiny --agents random")
    differences = data["sections"]["provenance"]["data"]["rules"]["rows"]
    assert ["route, length", "9", "4"] in differences


def test_below_thirty_deals_the_page_makes_no_claim(tmp_path, capsys) -> None:
    words = ["--agents", "random", "heuristic", "--deals", "12", "--out", str(tmp_path)]
    assert run(*words, "--skip", *MEASURED) == 0
    page = (tmp_path / build.HTML).read_text(encoding="utf-8")
    plain = json.loads((tmp_path / build.JSON).read_text(encoding="utf-8"))["plain"]
    assert plain["answer"] == TOO_FEW and "too few games (n&nbsp;12)" in page
    assert not re.search(r"\d %", " ".join(plain["sentences"]))
    assert '<span class="value">' not in page
    told = " ".join(capsys.readouterr().out.split())
    assert " ".join((plain["headline"], *plain["sentences"])) in told and "Too few games" in plain["headline"]


def test_an_unknown_section_agent_or_ruleset_is_refused_before_any_game(tmp_path, capsys) -> None:
    for words, hint in (
        (["--skip", "card"], "did you mean 'cards'"),
        (["--agents", "random", "heuristik"], "did you mean 'heuristic'"),
        (["--ruleset", "standart"], "standard"),
        (["--deals", "1"], "at least 2"),
    ):
        assert run("--out", str(tmp_path / "out"), *words) == 2
        message = capsys.readouterr().err
        assert hint in message and len(message.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_names_with_markup_are_shown_and_not_obeyed(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(build, "stages_of", lambda *given: ())
    path = tmp_path / "odd.yaml"
    title = "Odd <script>alert(1)</script> & $\\alpha$"
    cards = load_ruleset("tiny").plain()["deck"]["cards"]
    cards[0]["name"] = "<b>Bold</b> $x^2$"
    path.write_text(yaml.safe_dump({"base": "tiny", "name": "odd", "title": title, "deck": {"cards": cards}}))
    out = tmp_path / "out"
    words = ["--ruleset", str(path), "--agents", "random", "heuristic", "--deals", "40"]
    assert run(*words, "--out", str(out), "--skip", *(s for s in GAME.sections if s not in ("cards", "health"))) == 0
    page = (out / build.HTML).read_text(encoding="utf-8")
    assert "<script>alert" not in page and "<b>Bold" not in page
    assert "&lt;script&gt;alert(1)" in page and "&lt;b&gt;Bold&lt;/b&gt; $x^2$" in page
    assert Reader(page).open == []


# --- rule health ----------------------------------------------------------------------------------


def test_what_a_ruleset_switches_off_is_no_dead_rule(data) -> None:
    rows = dict(data["sections"]["health"]["data"]["unused"]["rows"])
    never = rows["actions ever legal"].split(", ")
    assert not {"agenda keep", "agenda discard", "use control_room_5", "peek own 4"} & set(never)
    assert not {"agenda cards", "European speech", "head start"} & {*rows["sources of points"].split(", ")}
    assert {*SOURCE_NAMES} == {*LOOKS} == {*SCORE_SOURCES}, "or a chart and its sentence leave points out"
    assert switched_off(load_ruleset("standard")) == {"agenda keep", "agenda discard"}
    fewer = switched_off(load_ruleset("agenda").with_values({"discs.per_colour": 4}))
    assert len(fewer) == 5 and all(name.startswith("keep 5") for name in fewer)
    assert not can_score(load_ruleset("standard").with_values({"scoring.media_relations": 0}), "media_relations")


# --- the course of games --------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "winner"), [(1.0, "Britain wins"), (0.0, "France wins")])
def test_the_curve_of_a_game_ends_at_its_result(points, winner) -> None:
    chance = [0.5, 0.3, 0.2 if points else 0.8]
    game = {"why": "w", "seed": 1, "points": points, "chance": chance, "lead": [0.0] * 3, "record": {}}
    (chart,) = _games({"chosen": {"dramatic": game}}, GAME)
    assert winner in chart.title
    assert chart.data.rows[-1] == ("result", points, None)
    assert f"{chance[-1]:.0%}".replace("%", " %") in chart.reading


# --- default agents -------------------------------------------------------------------------------


def test_the_player_that_reads_the_rules_plays_for_policies_that_were_not_trained_for_them() -> None:
    for quick in (False, True):
        assert ReportSettings("tiny", quick=quick).tournament().agents == ("random", "heuristic", "adept")


def test_of_the_shipped_policies_those_play_that_were_trained_for_these_rules() -> None:
    assert ReportSettings("standard").tournament().agents[-1] == "master"
    assert len(ReportSettings("standard", quick=True).tournament().agents) == 3
    agents = ReportSettings("agenda", quick=True).tournament().agents
    assert agents == ("random", "heuristic", "master")


# --- measurements ---------------------------------------------------------------------------------


@pytest.fixture
def job(tmp_path) -> Job:
    plan = tournament.Tournament(("random", "heuristic"), 4, ruleset="tiny")
    results = tournament.play_tournament(plan)
    return Job(ReportSettings("tiny", deals=4), results.ruleset, "heuristic", None, results, 1)


def begin(stage: str, total: int):
    return lambda ended: None


def fake(calls: list[int], number: int = 1, slow: bool = False) -> Measurement:
    def measure(job, advance):
        calls.append(number)
        return {"mean": np.float64(0.5), "none": np.nan, "pair": (np.int64(1), 2)}

    return Measurement("fake", "cards", lambda job: {"n": number}, lambda job: 1, measure, slow)


def measure(job, folder, wanted, say=print):
    """Results by name, and for the others the reason why they were left out."""
    taken = look_up(wanted, job, folder, say) or take(wanted, job, folder, begin)
    return ({}, {wanted.name: taken.missing}) if taken.missing else ({wanted.name: taken.result}, {})


def test_a_measurement_is_kept_until_its_settings_change(job, tmp_path) -> None:
    calls: list[int] = []
    for number in (1, 1, 2):
        found, missing = measure(job, tmp_path, fake(calls, number))
        assert found == {"fake": {"mean": 0.5, "none": None, "pair": [1, 2]}} and not missing
    assert calls == [1, 2]


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (lambda text: text[:20], "cut or broken (.*); measured again"),
        (lambda text: text.replace("0.5", "0.6"), "changed since it was written; measured again"),
    ],
)
def test_a_cut_or_changed_measurement_is_named_and_made_again(job, tmp_path, harm, why) -> None:
    calls: list[int] = []
    said: list[str] = []
    wanted = fake(calls)
    measure(job, tmp_path, wanted)
    path = tmp_path / "measures" / "fake.json"
    path.write_text(harm(path.read_text()))
    found, _ = measure(job, tmp_path, wanted, said.append)
    assert calls == [1, 1] and found["fake"]["mean"] == 0.5
    (line,) = said
    assert re.fullmatch(f"{re.escape(str(path))}: {why}", line)


def test_a_quick_report_leaves_the_slow_measurements_out(job, tmp_path) -> None:
    calls: list[int] = []
    quick = Job(ReportSettings("tiny", quick=True), *list(vars(job).values())[1:])
    found, missing = measure(quick, tmp_path, fake(calls, slow=True))
    assert not calls and not found and "without --quick" in missing["fake"]


def test_a_measurement_that_cannot_be_made_does_not_stop_the_report(job, tmp_path) -> None:
    def refuse(job, advance):
        raise AgentError("agent 'ismcts:9': it searches")

    refused = Measurement("fake", "cards", lambda job: {}, lambda job: 1, refuse)
    found, missing = measure(job, tmp_path, refused)
    assert not found and missing == {"fake": "not measured: agent 'ismcts:9': it searches"}


# --- the page -------------------------------------------------------------------------------------


def test_numbers_of_few_deals_are_not_shown_but_kept_in_the_data() -> None:
    few = Number(0.5, 0.2, 0.8, 29, "share")
    enough = Number(0.5, 0.4, 0.6, 30, "share")
    assert (few.text, few.interval) == (TOO_FEW, "")
    assert str(enough) == "50.0 % [40.0, 60.0]"
    assert not Number(1.0, 0.5, 2.0, 29).excludes_zero
    columns, rows = Data(("a", "b"), (("x", few), ("y", enough))).flat()
    assert columns == ["a", "b", "b: low", "b: high", "b: n"]
    assert rows[0] == ["x", 0.5, 0.2, 0.8, 29]


def test_signs_are_shown_and_zero_has_none_to_its_left() -> None:
    assert str(Number(-0.123, -0.2, -0.0001, 99, "change")) == "-12.3 pp [-20.0, 0.0]".replace("-", MINUS)
    assert Number(-0.01, -1.0, 1.0, 99, "signed").text == "+0.0"


def test_a_page_with_frozen_policies_says_so_loudly(tmp_path, html, capsys) -> None:
    words = ["--agents", "random", "frozen:racer", "--deals", "30", "--out", str(tmp_path / "f")]
    assert run(*words, "--base", "none", "--skip", *MEASURED) == 0
    assert capsys.readouterr().out.count("Careful: racer learnt other rules and plays as if nothing were changed.") == 1
    assert 'class="careful"' in (tmp_path / "f" / build.HTML).read_text(encoding="utf-8")
    assert 'class="careful"' not in html


@pytest.mark.heavy
def test_a_whole_report_measures_every_section(tmp_path) -> None:
    words = ["--agents", "random", "racer", "--deals", str(DEALS), "--out", str(tmp_path / "r")]
    assert run(*words, "--levers", "30", "--base", "none") == 0
    data = json.loads((tmp_path / "r" / build.JSON).read_text(encoding="utf-8"))
    text = {key: json.dumps(section) for key, section in data["sections"].items()}
    assert set(text) == {*GAME.sections, "provenance"}
    assert not any("not measured" in section for section in text.values())
    assert len(data["front"]["levers"]["data"]["levers"]["rows"]) == 3
    for name in ("card_effects", "levers", "restrictions", "luck", "tension", "openings"):
        path = tmp_path / "r" / "plans" / data["plan"] / "measures" / f"{name}.json"
        assert path.is_file()
    page = (tmp_path / "r" / build.HTML).read_text(encoding="utf-8")
    Reader(page)
    assert DEALS < LEAST_DEALS_OF_SHARES and "a little too narrow" in page


def test_for_the_verdict_only_no_page_is_written(monkeypatch, tmp_path, capsys) -> None:
    judged = judged_of(load_ruleset("tiny"), [[0.5, 0.5], [0.5, 0.5]])
    monkeypatch.setattr(evaluate, "judge", lambda *given, **more: iter([judged]))
    monkeypatch.chdir(tmp_path)
    assert run("--verdict", "--quick") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said.endswith("needs torch: channel-tunnel report tiny --verdict --decisions 600000")
    assert run("--verdict", "--agents", "random", "heuristic") == 2
    assert capsys.readouterr().err.startswith("channel-tunnel: --verdict: none of the players reads the rules")
    assert not [*tmp_path.iterdir()]


def test_the_letters_of_a_chart_have_twelve_pixels_on_a_phone() -> None:
    """Where a chart is 364 pixels wide; a long legend leaves the axes their width and stays within the drawing."""
    names = ["France, rival off course", "Britain, rival off course", "other ends"]

    def paint(axis: Axes) -> None:
        stacked(axis, ["heuristic"], {name: [0.3] for name in names}, [(INK, "")] * 3)
        legend_above(axis)
        frames.append(axis)

    frames: list[Axes] = []
    drawn = draw("k", paint)
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', drawn)[1])
    sizes = [float(size) for size in re.findall(r"font-size: ([\d.]+)px", drawn)]
    assert all(name in drawn for name in names) and min(sizes) * 364 / width >= 12
    (legend,) = frames[0].figure.legends
    assert legend.get_window_extent().x1 <= frames[0].figure.bbox.x1
    assert frames[0].get_window_extent().width > 0.7 * frames[0].figure.bbox.width


def test_a_trained_policys_name_is_short_where_people_read_and_whole_where_commands_take_it() -> None:
    name = TrainingTask("adept", load_ruleset("tiny"), 1000, 2).name
    assert in_short(TrainingTask("adept", load_ruleset("tiny"), 1000, 3, ("random",)).name) == "Best response 3"
    assert in_short(name.replace("tuned:", "tuned-search:")) == "Trained policy 2 (search)"
    words = Words((f"{name} plays.",), command=f"channel-tunnel sweep --agent {name}")
    table = Table("t", f"Games of {name}", Data((name,), ((name, 1, None),)))
    section = with_short_names(PageSection("s", "S", (), (words, table)))
    assert name not in str(replace(section, items=section.items[1:])) and "Games of Trained policy 2" in str(section)
    assert section.items[0] == Words(("Trained policy 2 plays.",), command=words.command)
    drawn = draw("k", lambda axis: (axis.plot([0], [0], label=name), axis.set_yticks([0], [name]), axis.legend()))
    assert name not in drawn and drawn.count("Trained policy 2") == 2
