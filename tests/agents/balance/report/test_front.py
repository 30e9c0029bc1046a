"""The first page of a report: what changed, against what, how sure, what to try, what nobody could know."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
import yaml

from channel_tunnel_agents.balance.changing.compare import compare
from channel_tunnel_agents.balance.empirical.verdict import Ends, Fairness, Games
from channel_tunnel_agents.balance.measuring.measure import find_measures
from channel_tunnel_agents.balance.report import build
from channel_tunnel_agents.balance.report.base import find_unfit
from channel_tunnel_agents.balance.report.headline import possible
from channel_tunnel_agents.balance.report.levers import what_it_knows
from channel_tunnel_agents.balance.report.provenance import unknown
from channel_tunnel_agents.balance.report.render import FOLDER as TEMPLATES
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.games.tunnel_1987.measures import MEASURES
from channel_tunnel_agents.games.tunnel_1987.report import GAME
from channel_tunnel_agents.matches import tournament
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_agents.table.web.server import STATIC
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games.tunnel_1987.board.theme import styles_by_class
from tests.agents.balance.report.test_plain import STATISTICS, plain_part

AGENTS = ("random", "racer")
SHOWN = ("sides", "cards")
SKIPPED = tuple(key for key in GAME.sections if key not in SHOWN)
DEALS = 160  # so that a fifth of them are enough for the cards
MINE = """
base: tiny
name: mine
title: Two Points <More>
storage: {britain: 3}
barriers: {france: {a: [4]}}
deck: {cards: {extra_finance_1: {points: 3}}}
"""


def report(rules: Path, out: Path, *more: str, skip: tuple[str, ...] = SKIPPED) -> dict:
    words = ["report", "--ruleset", str(rules), "--agents", *AGENTS, "--deals", str(DEALS)]
    words += ["--skip", *skip, "--workers", "1", "--out", str(out)]
    assert evaluate.main([*words, *more]) == 0
    return json.loads((out / build.JSON).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("front")
    (out / "mine.yaml").write_text(MINE)
    report(out / "mine.yaml", out / "r", "--levers", "30")
    return out


@pytest.fixture(scope="module")
def data(folder) -> dict:
    return json.loads((folder / "r" / build.JSON).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def html(folder) -> str:
    return (folder / "r" / build.HTML).read_text(encoding="utf-8")


def test_the_page_has_the_designers_title_and_begins_with_the_changes(html, data) -> None:
    assert data["title"] == "Two Points <More>" and "<h1>Two Points &lt;More&gt;</h1>" in html
    assert data["base"] == "tiny"
    assert data["front"]["changes"]["notes"] == [
        "Britain starts with 3 storage spaces instead of 2.",
        "France's first barrier on track A costs 4 million instead of 2.",
        "Extra finance 1 brings 3 points instead of 1.",
    ]
    places = [html.index(text) for text in ("<h1>", 'id="front-changes"', 'id="how-we-know"')]
    places += [html.index(f'id="front-{key}"') for key in ("beside", "levers", "drawn", "unknown")]
    assert places == sorted(places) and places[-1] < html.index('id="sides"')


def test_the_page_begins_with_an_answer_in_words(html, data) -> None:
    told = plain_part(html)
    assert not STATISTICS.search(told)
    assert data["plain"]["since"] in told
    assert html.index('id="plain"') < html.index('id="how-we-know"')
    assert [*data["plain"]["levels"]] == ["Beginner", "racer"]
    rules = load_ruleset({"name": "mine", **yaml.safe_load(MINE)})
    for each in data["plain"]["tries"]:
        assert rules.with_values({each["key"]: each["value"]}).flat[each["key"]] == each["value"]
        assert each["told"] in told


def test_everything_below_the_first_page_is_folded(html, data) -> None:
    for key in data["sections"]:
        assert f'<details id="{key}" class="section">' in html
    assert "<details open" not in html


def test_the_base_stands_beside_on_the_same_deals(folder, data) -> None:
    games = pd.read_parquet(folder / "r" / "plans" / data["plan"] / "games")
    (base,) = (folder / "r" / "base" / "plans").iterdir()
    there = pd.read_parquet(base / "games")
    rows = {row[0]: row[1:] for row in data["front"]["beside"]["data"]["beside"]["rows"]}
    for agent in AGENTS:
        own = games[(games["britain"] == agent) & (games["france"] == agent)]
        played = there[there["britain"] == agent]
        assert (own["seed"].to_numpy() == played["seed"].to_numpy()).all()
        (found,) = compare(played, own, find_measures(["britain_wins"], MEASURES))
        here, was, change = (rows[f"Britain wins ({agent})"][i] for i in (0, 4, 8))
        assert (here, was, change) == (found.other.value, found.one.value, found.change.value)
    top = next(iter(rows.values()))  # the strongest agent's
    assert top[7] == top[11] == DEALS
    before, here = f"both sides, Britain wins about {100 * top[4]:.0f} on", f" and {100 * top[0]:.0f} here."
    assert any(before in line and line.endswith(here) for line in data["plain"]["sentences"])


def test_a_cards_change_is_paired_with_the_base(data) -> None:
    rows = data["front"]["drawn"]["data"]["cards-drawn"]["rows"]
    assert len(rows) == len(load_ruleset("tiny").card_keys)
    for row in rows:
        assert row[9] == pytest.approx(row[1] - row[5]) and row[10] <= row[9] <= row[11]


def test_changed_cards_and_places_are_drawn(html) -> None:
    gallery = html[html.index('id="gallery-cards-drawn"') :]
    first = re.search(r'aria-label="([^"]+)"', gallery[gallery.index("<svg") :])
    assert first and first[1].startswith("Extra finance 1: 3 points")
    boards = html[html.index('id="gallery-boards"') : html.index('id="gallery-cards-drawn"')]
    assert boards.count('<rect class="last"') == 2  # Britain's storage, France's track A
    assert boards.count("<svg") == 2 and ".ct-auto .last" in html


def test_a_new_version_of_the_ruleset_plays_its_base_only_once(folder, tmp_path, monkeypatch) -> None:
    played = []
    play = tournament.play_part
    monkeypatch.setattr(tournament, "play_part", lambda part: played.append(part.tournament.mirror) or play(part))
    (folder / "mine.yaml").write_text(MINE + "scoring: {centre_bonus: 3}\n")
    report(folder / "mine.yaml", folder / "r", "--levers", "0", skip=tuple(GAME.sections))
    (folder / "mine.yaml").write_text(MINE)
    assert played and not any(played)


def test_without_a_base_the_page_stands_alone(folder, tmp_path) -> None:
    alone = ("--base", "none", "--levers", "0")
    data = report(folder / "mine.yaml", tmp_path / "r", *alone, skip=tuple(GAME.sections))
    assert data["base"] is None and "changes" not in data["front"]
    assert data["front"]["beside"]["data"]["beside"]["columns"][0:2] == ["figure", "here"]
    assert data["front"]["levers"]["missing"] == "not measured: left out by --levers 0"
    assert not (tmp_path / "r" / "base").exists()
    assert "--base none --levers 0" in data["command"]


def test_the_base_is_what_the_file_is_laid_over_unless_named(folder) -> None:
    mine = str(folder / "mine.yaml")
    assert ReportSettings(mine).base_name == "tiny"
    assert ReportSettings(mine, base="standard").base_name == "standard"
    assert ReportSettings("standard").base_name is None


def test_the_command_of_a_report_trains_no_more_than_the_report_did() -> None:
    words = shlex.split(ReportSettings("tiny", decisions=0).command(Path("out")))
    assert words[words.index("--decisions") + 1] == "0"
    assert "--decisions" not in shlex.split(ReportSettings("tiny").command(Path("out")))


def test_an_agent_that_was_trained_for_other_rules_than_the_base_is_left_out_of_it() -> None:
    tiny = load_ruleset("tiny")
    unfit = find_unfit(("random", "rookie", "frozen:rookie"), tiny)
    assert unfit == {"rookie": "rookie was trained for other rules than tiny"}


# --- words ----------------------------------------------------------------------------------------


def of_two(low: float, high: float, deals: int = 900) -> Fairness:
    first = Estimate((low + high) / 2, low, high)
    return Fairness((first, Estimate(1 - first.value, 1 - high, 1 - low)), Games(("adept",), deals, 0), Ends())


@pytest.mark.parametrize(
    ("low", "high", "known"),
    [
        (0.43, 0.515, "even, or slightly for France"),
        (0.485, 0.56, "even, or slightly for Britain"),
        (0.47, 0.53, "even, or slightly for Britain, or slightly for France"),
        (0.35, 0.51, "even, or slightly or strongly for France"),
        (0.65, 0.71, "strongly for Britain"),
        (0.55, 0.58, "slightly for Britain"),
        (0.49, 0.51, "even"),
    ],
)
def test_what_is_known_is_said_of_both_ends_of_the_interval(low, high, known) -> None:
    assert possible(of_two(low, high), GAME) == known


def test_what_agents_could_not_know_is_told_by_kind_of_agent() -> None:
    evidence = SimpleNamespace(
        agents=("random", "heuristic", "frozen:club", "ismcts:9", "adept"),
        policies={"frozen:club": "aa", "adept": "bb"},
        slow={"ismcts:9"},
        results=SimpleNamespace(reading={"adept"}),
        base=SimpleNamespace(changes=("Britain starts with 3 storage spaces instead of 2.",)),
        settings=SimpleNamespace(ruleset="my rules.yaml"),
        ruleset=load_ruleset("standard").with_values({"extra_finance": 15}, "mine"),
        game=GAME,
    )
    (words,) = unknown(evidence).items
    told = " ".join(words.lines)
    assert "heuristic: told the numbers" in told and "frozen:club: learnt other rules" in told
    assert "ismcts:9: looks ahead" in told and "random:" not in told
    assert "adept: reads the rules" in told and "on mine: extra_finance 15 (1..12)." in told
    assert "could not know this: Britain starts with 3 storage spaces" in told
    assert words.command.endswith("--run runs/mine --ruleset 'my rules.yaml'")


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("adept", "knows the changed rule"),
        ("ismcts:9", "tries its moves by the changed rule"),
        ("club", "was not made for the step"),
    ],
)
def test_what_the_player_of_the_levers_knows_of_a_step_is_told(agent: str, words: str) -> None:
    results = SimpleNamespace(searching={"ismcts:9"}, reading={"adept"})
    assert what_it_knows(SimpleNamespace(results=results), {"agent": agent}) == words


# --- looks ----------------------------------------------------------------------------------------


def test_the_sides_have_one_colour_in_report_table_and_drawing() -> None:
    def sides(sheet: str, first: str = "britain", second: str = "france") -> list[tuple[str, str]]:
        pattern = rf"--{first}: (#\w{{6}}); --{second}: (#\w{{6}});"
        return list(dict.fromkeys(re.findall(pattern, sheet)))

    page = sides((TEMPLATES / "style.css").read_text(encoding="utf-8"), "seat-1", "seat-2")
    table = STATIC / "table.css"
    assert page == sides(table.read_text(encoding="utf-8")) and len(page) == 2
    light = styles_by_class("light")
    assert page[0] == tuple(light[side].removeprefix("fill:") for side in ("britain", "france"))


def test_commands_can_be_copied_whole(html, data) -> None:
    shown = re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", html)
    sweep, train = (unescape(re.sub(r"<[^>]+>", "", each)) for each in shown)
    table = data["front"]["levers"]["data"]["levers"]
    assert table["columns"][-1] == "go on with" and all(row[-1] for row in table["rows"])
    assert " sweep --ruleset " in sweep and " --param LEVER=VALUES " in sweep and " train " in train
