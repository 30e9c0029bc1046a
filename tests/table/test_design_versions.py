"""Versions on the designer's page: nobody's saving is written over unasked, files come in and go out whole, any two stand side by side."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from channel_tunnel_agents.table.design import versions
from channel_tunnel_agents.table.design.comparison import Compared, compare
from channel_tunnel_agents.table.design.versions import Versions
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env import load_ruleset
from tests.table.helpers import ROOT, at_once, open_desk, refused
from tests.table.test_design import CHANGES, HAND, OTHERS, post

EVERY_GAME = [("standard", CHANGES), *OTHERS.items()]


def save(desk: TestClient, name: str, **wish: Any) -> dict[str, Any]:
    answer = post(desk, "versions", name=name, **wish)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def load(desk: TestClient, name: str) -> dict[str, Any]:
    found: dict[str, Any] = desk.get(f"/api/design/versions/{name}").json()
    return found


def names(desk: TestClient) -> list[str]:
    return [each["name"] for each in desk.get("/api/design").json()["versions"]]


# --- savings at once --------------------------------------------------------------------------------


def test_a_version_that_somebody_else_has_saved_is_not_written_over_unasked(desk) -> None:
    save(desk, "mine", changes={"discs.hand": 9})
    seen = load(desk, "mine")["state"]
    theirs = save(desk, "mine", changes={"discs.hand": 12}, replace=True, seen=seen)
    mine = {"name": "mine", "changes": {"discs.hand": 7}, "replace": True}
    said = refused(post(desk, "versions", **mine, seen=seen), 409)
    assert said.startswith("somebody else has saved 'mine' since you opened it; save it again")
    assert load(desk, "mine") == {
        "name": "mine", "base": "standard", "note": "",
        "changes": {"discs.hand": 12}, "state": theirs["state"],
    }  # fmt: skip
    save(desk, "mine", changes={"discs.hand": 7}, replace=True)
    assert load(desk, "mine")["changes"] == {"discs.hand": 7}, "asked for once more, it is meant"


def test_of_those_who_save_what_all_have_opened_one_succeeds(desk) -> None:
    save(desk, "mine", changes={"discs.hand": 9})
    kept = desk.workshop.versions
    for round_no in range(10):
        seen = kept.state("mine")
        texts = [f"# {round_no} {i}\nbase: standard\n" for i in range(4)]
        refusals = at_once(4, lambda i, t=texts, s=seen: kept.save("mine", t[i], True, s))
        assert refusals.count(None) == 1
        assert kept.file("mine").read_text() == texts[refusals.index(None)]


SAVER = """
import pathlib, sys
from channel_tunnel_agents.table.design.versions import Versions
from channel_tunnel_agents.table.errors import TableError
kept, done = Versions(pathlib.Path(sys.argv[1])), 0
while done < 20:
    seen, before = kept.state("mine"), kept.file("mine").read_text()
    try:
        kept.save("mine", before + f"# {sys.argv[2]} {done}\\n", True, seen)
        done += 1
    except TableError:
        pass
"""


@pytest.mark.heavy
def test_two_servers_that_save_one_version_at_once_lose_nothing(tmp_path) -> None:
    """Each adds lines to what it has seen; a saving that came between would take some away."""
    kept = Versions(tmp_path)
    kept.save("mine", "# first\n", False)
    both = [subprocess.Popen([sys.executable, "-c", SAVER, str(tmp_path), who], cwd=ROOT) for who in ("one", "other")]
    assert [each.wait(120) for each in both] == [0, 0]
    wanted = {f"# {who} {i}" for who in ("one", "other") for i in range(20)}
    assert sorted(kept.file("mine").read_text().splitlines()) == sorted({"# first", *wanted})


def test_two_that_save_at_once_do_not_exceed_the_most_versions(tmp_path, monkeypatch) -> None:
    """Another one writes its version while this one waits for the folder."""
    folder = Versions(tmp_path)

    @contextmanager
    def after_another(place: Path) -> Iterator[None]:
        (place / "theirs.yaml").write_text("base: standard")
        yield

    monkeypatch.setattr(versions, "MOST", 1)
    monkeypatch.setattr(versions, "folder_lock", after_another)
    with pytest.raises(TableError, match="there are 1 versions; delete one first"):
        folder.save("mine", "base: standard", replace=False)
    assert folder.names() == ["theirs"]


def test_the_next_server_has_the_versions(desk, tmp_path) -> None:
    save(desk, "mine", changes=HAND, note="one disc more")
    again = open_desk(tmp_path / "table")
    assert load(again, "mine") == load(desk, "mine")
    again.workshop.close()


@pytest.mark.parametrize(("base", "changes"), EVERY_GAME)
def test_a_copy_has_the_same_rules_and_note_under_a_name_of_its_own(desk, base, changes) -> None:
    save(desk, "mine", base=base, changes=changes, note="try  this")
    answers = [post(desk, "versions/mine/copy").json() for _ in range(2)]
    assert [each["name"] for each in answers] == ["mine-copy", "mine-copy-2"]
    for each in answers:
        assert (each["base"], each["changes"], each["note"]) == (base, changes, "try this")
    assert sorted(names(desk)) == ["mine", "mine-copy", "mine-copy-2"]


# --- in and out -----------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["file", "share"])
@pytest.mark.parametrize(("base", "changes"), EVERY_GAME)
def test_what_goes_out_comes_in_as_it_was(desk, tmp_path, base, changes, what) -> None:
    """The very bytes, whether the ruleset file was sent or the page that is shared."""
    save(desk, "mine", base=base, changes=changes, note="for Zoé: <b>cheaper</b> & 'odd'")
    sent = desk.get(f"/api/design/versions/mine/{what}")
    assert 'attachment; filename="mine.' in sent.headers["content-disposition"]
    other = open_desk(tmp_path / "other")
    found = post(other, "import", text=sent.text).json()
    assert found["refused"] == [] and found["name"] == "mine" and found["changes"] == changes
    assert found["note"] == "for Zoé: <b>cheaper</b> & 'odd'"
    files = [each.get("/api/design/versions/mine/file").content for each in (desk, other)]
    assert files[0] == files[1]
    assert post(other, "import", text=sent.text).json()["was_here"] is True
    assert names(other) == ["mine"]
    other.workshop.close()


def test_a_file_whose_name_is_taken_takes_nobodys_place(desk) -> None:
    save(desk, "mine", changes=HAND)
    found = post(desk, "import", text="base: standard\nname: mine\ndiscs: {hand: 12}\n").json()
    assert (found["name"], found["changes"]) == ("mine-2", {"discs.hand": 12})
    assert load(desk, "mine")["changes"] == HAND
    named = post(desk, "import", text="base: tiny\nname: standard\n").json()
    assert named["name"] == "standard-2", "a ruleset of the package keeps its name"


def test_a_file_without_a_base_is_taken_for_the_one_that_it_changes_least(desk) -> None:
    whole = (ROOT / "channel_tunnel_env/games/carcassonne/rulesets/carcassonne.yaml").read_text()
    found = post(desk, "import", text=whole).json()
    assert found["refused"] == [] and (found["base"], found["changes"]) == ("carcassonne", {})


REFUSED_FILES = [
    (
        "base: standard\nname: mine\ndiscs:\n  hand: 99\n",
        ["Line 4: Discs, hand: 99 is not allowed: a whole number from 1 to 25."],
    ),
    ("base: standard\ndiscs: {hnad: 9}\n", ["There is no \u201cdiscs, hnad\u201d; did you mean"]),
    ("base: ../../secret.yaml\n", ["Line 1: It is based on \u201c../../secret.yaml\u201d, which is not"]),
    ("discs: {hand: 9}\n", ["Its first line should be like this one: base: standard."]),
    ("game: eurotunnel\nmax_year: 1905\n", ["should be like this one: base: eurotunnel."]),
    ('base: carcassonne\nplayers: "3"\n', ["a whole number from 2 to 6, without quotes."]),
    ("base: eurotunnel\nrulebook: 1971\n", ['1971 is not allowed: "1971", later rule books.']),
    ("hello", ["it has no line such as base: standard."]),
    ("base: [1", ["This is no ruleset file: not valid YAML: line 2"]),
    ("<!doctype html><p>hello", ["only a page that was made with \u201cShare\u201d does"]),
    (
        "base: carcassonne\nfollowers: many\ntiles: {A: {count: -1}}\n",
        ["Line 2: Followers: \u201cmany\u201d is not allowed", "Line 3: Tiles, tile A: -1 is not allowed"],
    ),
    ("base: eurotunnel\nmax_year: 3\n", ["Line 2: Last year: 3 is not allowed: a whole number"]),
    (
        "base: standard\ndeck: {cards: {exchange_1: {name: Swap}}}\n",
        ["It changes what this page has no field for: deck cards exchange 1 name."],
    ),
]


@pytest.mark.parametrize(("text", "words"), REFUSED_FILES)
def test_a_refused_file_says_where_and_why_in_the_words_of_the_form(desk, text, words) -> None:
    answer = post(desk, "import", text=text)
    assert answer.status_code == 200, "a refused file is no failed request"
    lines = answer.json()["refused"]
    assert len(lines) == len(words)
    for line, part in zip(lines, words, strict=True):
        assert part in line and line.endswith((".", "?"))
        assert not re.search(r"\w\.\w+: |\.\.\d|channel_tunnel|/tmp", line), line
    assert names(desk) == []


def test_the_shared_page_is_whole_and_says_what_is_changed(desk) -> None:
    save(desk, "mine", changes=HAND, note="<script>alert(1)</script>")
    page = desk.get("/api/design/versions/mine/share").text
    assert "Players draw up to 11 discs instead of 10." in page
    assert "<script" not in page and "&lt;script&gt;" in page
    assert not re.search(r"(src|href)=\"(?!data:)", page), "it fetches nothing"
    assert "No report has been made of it yet." in page


# --- side by side ---------------------------------------------------------------------------------


def a_report(desk: TestClient, ruleset: str, key: str, seats: Any, **more: Any) -> None:
    """A finished report that says what the seats won."""
    place = desk.workshop.reports.folder / key
    place.mkdir()
    about = {"name": "x", "base": "standard", "deals": 50, "begun": int(key[0], 16)}
    (place / "about.json").write_text(json.dumps(about | {"finished": True}))
    (place / "report.html").write_text("<title>report</title>")
    (place / "report.json").write_text(json.dumps({"digest": ruleset, "seats": seats, **more}))


def won(agent: str, here: float, base: float | None = None) -> dict[str, Any]:
    def shares(first: float | None) -> Any:
        if first is None:
            return None
        seats = zip(("britain", "france"), (first, 1 - first), strict=True)
        return {"deals": 100, "seats": {k: {"value": x, "low": x - 0.05, "high": x + 0.05} for k, x in seats}}

    return {"agent": agent, "name": agent.title(), "here": shares(here), "base": shares(base)}


def sides(desk: TestClient, one: Any, other: Any) -> dict[str, Any]:
    answer = post(desk, "compare", one=one, other=other)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize(("base", "changes"), EVERY_GAME)
def test_two_versions_show_the_rules_that_differ(desk, base, changes) -> None:
    save(desk, "mine", base=base, changes=changes)
    found = sides(desk, {"base": base}, {"version": "mine"})
    assert found["titles"] == [base, "mine"] and len(found["rules"]) == len(changes)
    assert not any(re.search(r"_|\.\w", str(row)) for row in found["rules"])
    assert found["without"] == [f"There is no report on {name} yet." for name in (base, "mine")]
    draft = {"base": base, "name": "draft", "changes": {}}
    assert len(sides(desk, {"version": "mine"}, {"draft": draft})["rules"]) == len(changes)
    assert sides(desk, {"version": "mine"}, {"version": "mine"})["rules"] == []


def test_shares_of_two_reports_stand_side_by_side_for_whoever_played_both(desk) -> None:
    for name, hand in (("one", 11), ("two", 12)):
        save(desk, name, changes={"discs.hand": hand})
    one, two = (desk.workshop.versions.load(name)[1].digest for name in ("one", "two"))
    a_report(desk, one, "1" * 12, [won("random", 0.5), won("master", 0.45)])
    a_report(desk, two, "2" * 12, [won("random", 0.52), won("master", 0.7), won("adept", 0.6)])
    found = sides(desk, {"version": "one"}, {"version": "two"})
    assert [each["name"] for each in found["players"]] == ["Master", "Random"]
    assert found["reports"] == ["1" * 12, "2" * 12]
    britain, france = found["players"][0]["seats"]
    assert (britain["name"], britain["one"]["value"], britain["other"]["value"]) == ("Britain", 0.45, 0.7)
    assert britain["words"] == "about 25 more of 100, very probably 18 to 32"
    assert france["words"] == "about 25 fewer of 100, very probably 18 to 32"
    assert found["players"][1]["seats"][0]["words"] == "may be the same: these games cannot tell"
    assert "Master is the strongest in the report on one, Adept in that on two" in found["without"][0]


def test_a_report_that_played_the_base_serves_a_comparison_with_it(desk) -> None:
    save(desk, "mine", changes=HAND)
    here = desk.workshop.versions.load("mine")[1].digest
    base = load_ruleset("standard").digest
    a_report(desk, here, "1" * 12, [won("adept", 0.6, 0.4)], base_digest=base)
    found = sides(desk, {"base": "standard"}, {"version": "mine"})
    seat = found["players"][0]["seats"][0]
    assert (seat["one"]["value"], seat["other"]["value"]) == (0.4, 0.6)
    assert found["without"] == []


def test_cards_whose_worth_moved_are_drawn_and_those_that_may_not_have_moved_are_not() -> None:
    columns = ["card", "worth here", "worth here: low", "worth here: high"]

    def side(title: str, **worth: float) -> Compared:
        rows = [[name, x, x - 0.05, x + 0.05] for name, x in worth.items()]
        data = {"cards-drawn": {"columns": columns, "rows": rows}}
        report = {"front": {"drawn": {"data": data}}}
        return Compared(title, load_ruleset("standard"), report)

    one = side("one", **{"Exchange 1": 0.0, "Peek 1": 0.1, "Extra finance 1": 0.3})
    other = side("other", **{"Exchange 1": 0.4, "Peek 1": 0.12, "Extra finance 1": 0.1})
    drawn = compare(one, other)["drawn"]
    assert [each["name"] for each in drawn] == ["Exchange 1", "Extra finance 1"]
    assert drawn[0]["svg"].startswith("<svg")
    assert drawn[0]["lines"] == ["worth 40 more wins of 100; was 0"]


def test_cards_and_tiles_that_the_rules_change_are_drawn(desk) -> None:
    save(desk, "cards", changes={"deck.cards.exchange_2.points": 3})
    (card,) = sides(desk, {"base": "standard"}, {"version": "cards"})["drawn"]
    assert (card["name"], card["lines"]) == ("Exchange 2", ["3 points instead of 1 point"])
    save(desk, "tiles", base="carcassonne", changes={"tiles.A.count": 3})
    found = sides(desk, {"base": "carcassonne"}, {"version": "tiles"})
    (tile,) = found["drawn"]
    assert (tile["name"], tile["lines"]) == ("Tile A", ["3 tiles instead of 2 tiles"])
    assert found["style"]


@pytest.mark.parametrize(
    ("one", "status", "words"),
    [
        ({}, 400, "a version, a base or a draft is needed"),
        ({"version": "none"}, 404, "no version"),
        ({"version": "../x"}, 400, "allowed: up to 40 letters"),
        ({"base": "carcassonne"}, 400, "two versions of one game"),
        ({"base": "standard", "more": 1}, 400, "one.more"),
    ],
)
def test_what_cannot_be_compared_is_refused(desk, one, status, words) -> None:
    assert words in refused(post(desk, "compare", one=one, other={"base": "tiny"}), status)


@pytest.mark.parametrize("name", ["..", "%2e%2e%2fx", "none", "a" * 41])
@pytest.mark.parametrize("what", ["file", "share"])
def test_no_other_file_goes_out(desk, tmp_path, name, what) -> None:
    (Path(desk.workshop.versions.folder).parent / "x.yaml").write_text("secret")
    answer = desk.get(f"/api/design/versions/{name}/{what}")
    assert answer.status_code in (400, 404) and "secret" not in answer.text
