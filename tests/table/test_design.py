"""The designer's page: forms, drafts, versions and reports take only what the schema takes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from typing import Any

import pytest
from starlette.testclient import TestClient

from channel_tunnel_agents.table.design import reports
from channel_tunnel_agents.table.design.changes import changes_of, make_draft
from channel_tunnel_agents.table.design.form import RULING, fields_of, form_of
from channel_tunnel_agents.table.design.game import designed, plain_label
from channel_tunnel_agents.table.design.workshop import bases_by_game
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.serve import make_workshop
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.faces.plain_words import plain_name
from channel_tunnel_env.faces.registry import changes_in_words
from channel_tunnel_env.rulesets.settings import settings
from tests.agents.test_workers import is_alive
from tests.table.helpers import PATIENCE, ROOT, Tab, at_once, open_desk, open_table, refused, wait_until

HAND = {"discs.hand": 11}
KINDS = ("number", "numbers", "words", "several", "choice", "switch", "spaces")


def post(desk: TestClient, route: str, /, **body: Any) -> Any:
    return desk.post(f"/api/design/{route}", json=body)


# --- the form -------------------------------------------------------------------------------------


EVERY_BASE = [base for bases in bases_by_game().values() for base in bases]
NO_FIELD = re.compile(
    r"deck\.(size|influence_cards)|tiles\.\w+\.(?!count).*"
)  # counts of the cards, which the form neither adds nor removes, and the pictures of tiles


@pytest.mark.parametrize("name", EVERY_BASE)
def test_every_figure_has_a_field_with_its_value_source_and_range(name: str) -> None:
    base = load_ruleset(name)
    fields = fields_of(base)
    for setting in settings(base):
        if NO_FIELD.fullmatch(setting.key):
            continue
        own = [f for key, f in fields.items() if f"{key}.".startswith(f"{setting.key}.")]
        assert own, setting.key
        assert {(f.source, f.why) for f in own} == {(setting.provenance.source, RULING.sub("", setting.provenance.why))}
    for card in base.plain().get("deck", {}).get("cards", []):
        assert fields[f"deck.cards.{card['card']}.points"].value == card["points"]
    for field in fields.values():
        assert "_" not in field.label + field.sentence + field.unit, field.key
        assert not re.search(r"\b[A-D]\d\d\b", field.why), field.key
        assert not re.search(r"\b(null|true|false)\b", f"{field.sentence} {field.why}", re.I), field.key
        assert field.kind != "several" or field.limits["options"]
        if field.kind in ("number", "numbers"):
            assert field.limits["min"] < field.limits["max"], field.key
        assert field.kind in KINDS, field.key


OF_PLAYERS = {"players", "tunnels", "discs.hand", "deviation.cards", "extra_finance", "followers"}
"""Keys that are a player's words for what they are."""


@pytest.mark.parametrize("name", EVERY_BASE)
def test_every_figure_and_every_value_has_a_players_words(name: str) -> None:
    """A key that is cut at its dots and underscores is no name, and neither is a word that only the file has."""
    base = load_ruleset(name)
    fields = fields_of(base)
    keys = [key for key in fields if not key.startswith("deck.cards.")]
    raw = re.compile(r"_|\b(sos|dss|datc|auto|null|meeple|centred|soft|strict|[A-Z]{4,})\b")
    for key in keys:
        last = key.rpartition(".")[2]
        named = key in OF_PLAYERS or last in base.seats or fields[key].label.lower() != plain_label(last).lower()
        assert named, key
        told = [fields[key].label, fields[key].sentence, fields[key].why, *fields[key].limits.get("names", {}).values()]
        assert not [text for text in told if raw.search(text)], key
    for key, field in fields.items():
        if field.kind in ("choice", "several", "spaces"):
            assert {*field.limits["names"]} == {str(each) for each in field.limits["options"]}, key
        values = field.limits["options"] if field.kind == "choice" else [not field.value] * (field.kind == "switch")
        for value in values:
            changed = base.with_values({key: value}) if key in keys and key not in TIED else base
            for line in changes_in_words(base, changed):
                assert not raw.search(line) and (key in OF_PLAYERS or not line.lower().startswith(plain_name(key))), (
                    line
                )


TIED = {"start_tile"}  # not every tile may begin


def test_the_form_says_what_a_figure_means_and_in_which_unit() -> None:
    fields = fields_of(load_ruleset("standard"))
    assert fields["discs.hand"].sentence == "Players draw up to 10 discs."
    assert fields["barriers.france.a"].unit == "million"
    assert fields["barriers.france.a"].label == "France, track A"
    assert fields["benefits.britain.b"].limits["last"] == 5
    assert form_of(load_ruleset("tiny"))["cards"][0]["name"] == "European influence (Belgium)"


# --- drafts ---------------------------------------------------------------------------------------

CHANGES = {
    "discs.hand": 11,
    "discs.keep_limit": 3,
    "rubble.tokens.blue": 3,
    "rubble.tokens.white": 5,
    "deviation.limit": 3,
    "deviation.penalties": [0, 1, 3, 6],
    "benefits.france.a": {"1": "peek", "2": "storage"},
    "deck.cards.exchange_2.points": 3,
    "deck.cards.exchange_2.cost": "place1",
    "switches.null_actions": True,
    "switches.stalemate_result": "draw",
}


def test_a_draft_changes_its_fields_and_nothing_else_and_reads_back() -> None:
    base = load_ruleset("standard")
    draft = make_draft(base, "mine", CHANGES | {"discs.per_colour": 5})
    assert draft.changes == CHANGES, "a value of the base is no change"
    assert draft.ruleset.data.benefits.france.a == {1: "peek", 2: "storage"}
    assert draft.ruleset.name == "mine"
    same = {key for key in base.flat if key in draft.ruleset.flat}
    changed = {k for k in same if base.flat[k] != draft.ruleset.flat[k]} - {"name", "title"}
    for key in changed:
        assert any(f"{key}.".startswith(f"{field}.") for field in CHANGES), key
    assert changes_of(base, draft.ruleset) == CHANGES
    assert make_draft(base, "mine", {}).ruleset.digest == base.digest


FORGED = [
    ("discs.hand", 99, "discs.hand: 99: allowed: whole numbers 1..25"),
    ("discs.hand", "10", "discs.hand: '10': allowed: whole numbers 1..25"),
    ("discs.hand", True, "discs.hand: True: allowed: whole numbers 1..25"),
    ("discs.hand", 10.5, "discs.hand: 10.5: allowed: whole numbers 1..25"),
    ("discs.hand", None, "discs.hand: None: allowed: whole numbers 1..25"),
    ("discs.hand", {"value": 9, "source": "rulebook"}, "allowed: a plain value"),
    ("discs.hnad", 3, "discs.hnad: unknown field; did you mean 'discs.hand'?"),
    ("name", "standard", "name: unknown field"),
    ("base", "/etc/passwd", "base: unknown field"),
    ("deck.cards.exchange_2.points", 1000, "exchange_2.points: 1000: allowed: whole numbers -20..20"),
    ("deck.cards.exchange_2.cost", "gratis", "allowed: free, discard1, place1, place1or2"),
    ("deck.cards", [], "deck.cards: unknown field"),
    ("deviation.penalties", [0, 1], "deviation.penalties: [0, 1]: 5 levels, 0 to the limit 4"),
    ("deviation.cards", ["pink3"], "deviation.cards.0: 'pink3': allowed: text of the form"),
    ("benefits.france.a", {"1": "gold"}, "allowed: peek, extra_disc, storage"),
    ("benefits.france.a", {"x": "peek"}, "allowed: space numbers with peek, extra_disc, storage"),
    ("benefits.france.a", [1], "allowed: space numbers with peek, extra_disc, storage"),
    ("benefits.france.a", {"1": {"value": "peek"}}, "allowed: space numbers with peek"),
    ("deviation.penalties", [{"value": 0}, 1, 2, 3, 4], "allowed: whole numbers 0..40"),
    ("benefits.france.a", {"7": "peek"}, "a benefit lies on a space of 1..5"),
    ("rubble.tokens.blue", 5, "the tokens must add up to 20"),
    ("switches.null_actions", 1, "switches.null_actions: 1: allowed: true, false"),
]


@pytest.mark.parametrize(
    ("route", "field", "value", "words"),
    [("versions", *forged) for forged in FORGED]
    + [(route, *forged) for route in ("play", "reports") for forged in FORGED[::8]],
)
def test_a_forged_value_is_refused_with_its_reason_and_nothing_changes(desk, route, field, value, words) -> None:
    answer = post(desk, route, name="mine", changes={"discs.per_colour": 4, field: value})
    assert answer.status_code == 400, answer.text
    content = answer.json()
    assert content["error"].startswith("mine.yaml: ") and words in content["error"]
    assert any(words in problem for problem in content["fields"].values())
    assert (
        field not in fields_of(load_ruleset("standard"))
        or field in content["fields"]
        or (field.startswith("rubble.tokens"))
    )
    found = desk.workshop.to_dict()
    assert found["versions"] == [] and found["reports"] == [] and len(desk.rooms) == 0


IN_WORDS = [
    ("discs.hand", 999, "discs.hand", "999 is not allowed: a whole number from 1 to 25."),
    ("discs.keep_limit", 99, "discs.keep_limit", "or nothing."),
    ("deck.cards.exchange_2.cost", "gratis", "deck.cards.exchange_2.cost", "\u201cgratis\u201d"),
    ("track_points.britain.a", [0, 1, 2, 99, 6, 9], "track_points.britain.a", "99 is not allowed at"),
    ("rubble.tokens.blue", 5, "rubble.tokens.blue", "the tokens must add up to 20"),
    ("barriers.britain.a", [1], "barriers.britain.a", "one price for each of barrier spaces"),
]


@pytest.mark.parametrize(("field", "value", "at", "words"), IN_WORDS)
def test_what_is_wrong_is_told_in_the_words_of_the_form(desk, field, value, at, words) -> None:
    """Asking what a draft is refuses nothing: the answer says which fields are not allowed."""
    answer = post(desk, "check", changes={field: value})
    assert answer.status_code == 200
    wrong = answer.json()["refused"]
    assert words in wrong[at] and wrong[at].endswith(".")
    assert not any(key in text for text in wrong.values() for key in ("..", "discs.", "_"))


def test_a_field_that_the_form_has_not_is_refused_as_ever(desk) -> None:
    answer = post(desk, "check", changes={"discs.hnad": 3})
    assert answer.status_code == 400 and "unknown field" in answer.json()["fields"]["discs.hnad"]


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"base": "../standard"}, "base: '../standard': allowed: agenda, standard, tiny, carc"),
        ({"base": "checkers"}, "allowed: agenda, standard, tiny, carcassonne, eurotunnel"),
        ({"name": "../mine"}, "name: '../mine': allowed: up to 40 letters"),
        ({"name": "standard"}, "take another name"),
        ({"name": ".mine"}, "allowed: up to 40 letters"),
        ({"changes": [1]}, "changes: "),
        ({"changes": {str(i): i for i in range(500)}}, "changes: "),
        ({"more": 1}, "more: "),
    ],
)
def test_a_forged_wish_is_refused(desk, wish: dict[str, Any], words: str) -> None:
    for route in ("check", "versions", "play", "reports"):
        body = {"name": "mine", "changes": HAND} | wish
        assert words in refused(post(desk, route, **body), 400)
    assert desk.workshop.versions.names() == []


def test_a_draft_is_told_in_words(desk) -> None:
    told = post(desk, "check", changes=HAND).json()
    assert told["told"] == ["Players draw up to 11 discs instead of 10."]
    assert "hand: 11" in told["file"]


# --- versions -------------------------------------------------------------------------------------


def test_a_version_is_a_ruleset_file_that_is_listed_loaded_and_deleted(desk) -> None:
    assert post(desk, "versions", name="mine", changes=CHANGES).status_code == 201
    file = desk.workshop.versions.folder / "mine.yaml"
    assert load_ruleset(file).digest == make_draft(load_ruleset("standard"), "x", CHANGES).ruleset.digest
    (kept,) = desk.get("/api/design").json()["versions"]
    assert kept["name"] == "mine" and kept["at"]
    loaded = desk.get("/api/design/versions/mine").json()
    assert loaded.pop("state")
    assert loaded == {"name": "mine", "base": "standard", "changes": CHANGES, "note": ""}
    assert post(desk, "versions/mine/delete").json() == {"versions": []}
    assert not file.exists()
    assert "no version" in refused(desk.get("/api/design/versions/mine"), 404)
    assert refused(post(desk, "versions/mine/delete"), 404)


def test_a_version_is_replaced_only_if_that_is_meant(desk) -> None:
    post(desk, "versions", name="mine", changes=HAND)
    other = {"discs.hand": 12}
    assert "already" in refused(post(desk, "versions", name="mine", changes=other), 409)
    assert desk.get("/api/design/versions/mine").json()["changes"] == HAND
    assert post(desk, "versions", name="mine", changes=other, replace=True).status_code == 201
    assert desk.get("/api/design/versions/mine").json()["changes"] == other


def test_of_versions_begun_at_once_under_one_name_one_is_kept_and_answered(desk) -> None:
    kept = desk.workshop.versions
    for number in range(30):
        name = f"mine-{number}"
        refusals = at_once(4, lambda i, name=name: kept.save(name, f"content {i}", False))
        (saved,) = [i for i, refusal in enumerate(refusals) if refusal is None]
        assert {refusal.status for refusal in refusals if refusal} == {409}
        assert (kept.folder / f"{name}.yaml").read_text() == f"content {saved}"
    assert len(kept.names()) == 30 and not list(kept.folder.rglob("*.part"))


def test_a_version_that_cannot_be_written_leaves_the_old_one(desk, disk_full_for) -> None:
    post(desk, "versions", name="mine", changes=HAND)
    with disk_full_for("mine.yaml"):
        answer = post(desk, "versions", name="mine", changes={"discs.hand": 12}, replace=True)
    assert "No space left" in refused(answer, 503)
    assert desk.get("/api/design/versions/mine").json()["changes"] == HAND


def test_a_file_that_was_changed_by_hand_is_read_or_refused(desk) -> None:
    folder = desk.workshop.versions.folder
    (folder / "odd.yaml").write_text("base: standard\ndiscs: {hand: 99}\n")
    assert "odd.yaml: " in refused(desk.get("/api/design/versions/odd"), 410)
    (folder / "odd.yaml").write_text("base: standard\ndeck: {cards: {exchange_1: {name: Swap}}}\n")
    assert "more than the form shows" in refused(desk.get("/api/design/versions/odd"), 409)
    (folder / "odd.yaml").write_text("base: standard\ndiscs: {hand: 9}\n")
    assert desk.get("/api/design/versions/odd").json()["changes"] == {"discs.hand": 9}


# --- other games -----------------------------------------------------------------------------------

EVERY_POWER = ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]
OTHERS: dict[str, dict[str, Any]] = {
    "carcassonne": {"followers": 6, "small_city": 2, "tiles.A.count": 3, "start_tile": "E"},
    "eurotunnel": {"absent": ["ITALY"], "rulebook": "datc", "max_year": 1905},
}
TOLD = {"carcassonne": "Tiles, tile A: 3 instead of 2.", "eurotunnel": "Last year: 1905 instead of 1920."}


@pytest.mark.parametrize(("base", "changes"), OTHERS.items())
def test_a_draft_of_another_game_is_told_kept_and_loaded(desk, base, changes) -> None:
    form = desk.get(f"/api/design/form?base={base}").json()
    rules = load_ruleset(base)
    assert form["game"] == rules.spec.name and form["cards"] == []
    assert [seat["key"] for seat in form["seats"]] == [*rules.seats]
    assert form["levels"] == desk.rooms.offers.levels_of(base)
    found = post(desk, "check", base=base, changes=changes).json()
    assert found["refused"] == {} and len(found["told"]) == len(changes)
    assert TOLD[base] in found["told"] and not [line for line in found["told"] if "_" in line]
    assert post(desk, "versions", base=base, name="other", changes=changes).status_code == 201
    loaded = desk.get("/api/design/versions/other").json()
    assert (loaded["base"], loaded["changes"]) == (base, changes)


def test_where_more_people_play_there_are_as_many_seats_and_all_others_are_rivals(desk) -> None:
    wish = {"base": "carcassonne", "name": "four", "changes": {"players": 4}}
    seats = [seat["key"] for seat in post(desk, "check", **wish).json()["seats"]]
    assert seats == [f"player_{i}" for i in range(4)]
    answer = post(desk, "play", **wish, side="player_2", rival="points").json()
    holders = desk.rooms.get(answer["key"]).seats
    assert holders == {seat: "person" if seat == "player_2" else "points" for seat in seats}
    assert "side: player_4: allowed: player_0" in refused(post(desk, "play", **wish, side="player_4"), 400)


def test_a_power_that_nobody_plays_is_no_seat_to_choose(desk) -> None:
    wish = {"base": "eurotunnel", "name": "six", "changes": {"absent": ["AUSTRIA"]}}
    seats = [seat["key"] for seat in post(desk, "check", **wish).json()["seats"]]
    assert len(seats) == 6 and "austria" not in seats
    answer = post(desk, "play", **wish, rival="hold").json()
    assert desk.rooms.get(answer["key"]).seats["england"] == "person"
    assert "side: austria: allowed: england" in refused(post(desk, "play", **wish, side="austria"), 400)


@pytest.mark.parametrize(
    ("base", "changes", "words"),
    [
        ("carcassonne", {"players": 9}, "9 is not allowed: a whole number from 2 to 6."),
        ("carcassonne", {"small_city": 3}, "3 is not allowed: 2, 4."),
        ("carcassonne", {"start_tile": "ZZ"}, "\u201cZZ\u201d is not allowed: a type of which there is a tile."),
        ("eurotunnel", {"max_year": 1899}, "1899 is not allowed: a whole number from 1901 to 9999."),
        ("eurotunnel", {"absent": EVERY_POWER}, "At least one power plays."),
    ],
)
def test_what_is_wrong_of_another_game_is_told_at_its_field(desk, base, changes, words) -> None:
    assert post(desk, "check", base=base, changes=changes).json()["refused"] == {next(iter(changes)): words}


@pytest.mark.parametrize(
    ("base", "changes", "agents"),
    [
        ("carcassonne", {}, ["random", "greedy", "club"]),
        ("carcassonne", {"followers": 5}, ["random", "greedy", "adept"]),
        ("eurotunnel", {"max_year": 1902}, ["random", "dumb"]),
    ],
)
def test_a_report_of_another_game_is_played_by_its_own_players(desk, monkeypatch, base, changes, agents) -> None:
    begun: list[Any] = []
    start = desk.workshop.reports.start
    monkeypatch.setattr(desk.workshop.reports, "start", lambda *args: begun.append(args) or start(*args))
    answer = post(desk, "reports", base=base, name="other", changes=changes)
    assert answer.status_code == 201 and [*begun[0][0].players] == agents
    wait_for(desk, answer.json()["key"], over)
    assert "players: search: allowed: best, scripted" in refused(
        post(desk, "reports", base=base, name="other", changes=changes, players="search"), 400
    )


# --- playing --------------------------------------------------------------------------------------


def test_a_draft_is_played_at_the_table_and_kept_with_its_rules(desk, tmp_path) -> None:
    answer = post(desk, "play", name="mine", changes=HAND, side="france", rival="random")
    assert answer.status_code == 201 and set(answer.json()) == {"key", "tokens"}
    assert set(answer.json()["tokens"]) == {"host", "france"}, "nobody else's secret"
    tab = Tab(desk, answer.json()["key"], answer.json()["tokens"])
    view = tab.view()
    assert view["title"] == "mine: changed from standard" and view["viewer"] == "france"
    again = Tab(open_table(tmp_path / "table"), tab.key, tab.tokens)
    assert again.client.rooms.get(tab.key).game.ruleset.data.discs.hand == 11
    assert "not offered" in refused(post(desk, "play", changes=HAND, rival="os:system"), 400)


def test_where_no_agent_reads_the_rules_a_draft_is_played_by_the_scripted_player(tmp_path) -> None:
    few = Offers(Offers.of().rulesets, ("random", "heuristic"))
    desk = open_desk(tmp_path, few)
    key = post(desk, "play", name="mine", changes=HAND).json()["key"]
    assert desk.rooms.get(key).seats == {"britain": "person", "france": "heuristic"}


def test_the_best_player_that_fits_is_told_and_plays(desk) -> None:
    """Unchanged rules are played by who was trained for them, changed ones by who reads them."""
    for changes, agent, name in (({}, "master", "Master"), (HAND, "adept", "Adept")):
        best = post(desk, "check", changes=changes).json()["best"]
        assert (best["agent"], best["name"]) == (agent, name)
        key = post(desk, "play", name="mine", changes=changes).json()["key"]
        assert desk.rooms.get(key).seats == {"britain": "person", "france": agent}


# --- reports --------------------------------------------------------------------------------------


def wait_for(desk: TestClient, key: str, done: Any, of: str = "reports/") -> dict[str, Any]:
    """A report, or another job of the page, once it is so."""
    found: dict[str, Any] = wait_until(lambda: done(job := desk.get(f"/api/design/{of}{key}").json()) and job)
    return found


def over(report: dict[str, Any]) -> bool:
    return report["state"] != "running"


def test_a_report_is_made_read_and_deleted(desk) -> None:
    key = report_of(desk, name="mine", changes=HAND, deals=100)["key"]
    (listed,) = desk.get("/api/design").json()["reports"]
    assert (listed["name"], listed["deals"], listed["base"]) == ("mine", 100, "standard")
    rules = desk.workshop.reports.folder / key / "mine.yaml"
    assert load_ruleset(rules).data.discs.hand == 11
    page = desk.get(f"/api/design/reports/{key}/page")
    assert page.text == "<title>report</title>"
    policy = page.headers["content-security-policy"]
    assert "sandbox allow-scripts" in policy and "allow-same-origin" not in policy
    assert "connect-src" not in policy and page.headers["x-frame-options"] == "SAMEORIGIN"
    assert desk.get("/").headers["x-frame-options"] == "DENY"
    assert post(desk, f"reports/{key}/delete").json() == {"reports": []}
    assert refused(desk.get(f"/api/design/reports/{key}"), 404)


def test_a_report_is_read_while_it_is_made_and_never_taken_for_a_finished_one(desk, tmp_path) -> None:
    key = post(desk, "reports", name="grows", changes=HAND).json()["key"]
    report = wait_for(desk, key, lambda report: report["written"])
    assert report["state"] == "running"
    assert "as far as known" in desk.get(f"/api/design/reports/{key}/page").text
    desk.workshop.close()
    (again,) = open_desk(tmp_path / "table").get("/api/design").json()["reports"]
    assert (again["key"], again["state"]) == (key, "cancelled") and again["written"]


def test_a_finished_report_is_finished_for_the_next_server_as_well(desk, tmp_path) -> None:
    report_of(desk, name="mine", changes=HAND)
    (again,) = open_desk(tmp_path / "table").get("/api/design").json()["reports"]
    assert again["state"] == "done" and again["written"]


def test_a_report_shows_its_progress_and_is_cancelled(desk) -> None:
    key = post(desk, "reports", name="slow", changes=HAND).json()["key"]
    report = wait_for(desk, key, lambda report: report["progress"])
    assert report["progress"] == {"stage": "games", "done": 3, "total": 10, "left": 4.2}
    assert "wait for it" in refused(post(desk, "reports", name="mine", changes=HAND), 409)
    assert "no page yet" in refused(desk.get(f"/api/design/reports/{key}/page"), 404)
    assert post(desk, f"reports/{key}/cancel").json()["state"] == "cancelled"
    assert desk.workshop.reports._running._process.poll() is not None, "the process is gone"
    assert "not being made" in refused(post(desk, f"reports/{key}/cancel"), 409)
    assert post(desk, "reports", name="mine", changes=HAND).status_code == 201


def test_every_choice_of_players_names_them_itself() -> None:
    """A quick report that chooses its players leaves out those that search, so a choice of none would promise too much."""
    for name in (name for names in bases_by_game().values() for name in names):
        offered = designed(load_ruleset(name)).report_players
        assert all(choice.agents for choice in offered)
        assert len({choice.agents for choice in offered}) == len(offered)


@pytest.mark.parametrize(
    ("choice", "agents"),
    [
        ({}, ["--agents", "random", "heuristic", "adept"]),
        ({"players": "scripted"}, ["--agents", "random", "heuristic"]),
    ],
)
def test_a_report_is_played_by_whom_was_chosen_first_of_all_by_the_best(desk, choice, agents) -> None:
    offered = [one["key"] for one in desk.get("/api/design/form").json()["players"]]
    assert offered == ["best", "scripted"]
    post(desk, "reports", name="mine", changes=HAND, **choice)
    words = desk.workshop.reports._running._process.args
    assert words[words.index(".") + 1 :] == ["--decisions", "0", *agents]
    assert "players" in refused(post(desk, "reports", changes=HAND, players="os:system"), 400)


def test_a_report_is_made_again_on_more_deals_and_training_by_the_same_players_beside_the_finished_one(desk) -> None:
    key = report_of(desk, name="mine", changes=HAND, players="scripted")["key"]
    more = post(desk, f"reports/{key}/again", deals=6600, decisions=1_200_000)
    assert more.status_code == 201
    words = desk.workshop.reports._running._process.args
    assert (words[words.index("--deals") + 1], words[words.index("--decisions") + 1]) == ("6600", "1200000")
    assert words[words.index("--agents") :] == ["--agents", "random", "heuristic"]
    made = wait_for(desk, more.json()["key"], over)
    assert (made["name"], made["base"], made["deals"], made["decisions"]) == ("mine", "standard", 6600, 1_200_000)
    assert desk.get(f"/api/design/reports/{key}").json()["decisions"] == 0
    rules = desk.workshop.reports.folder / made["key"] / "mine.yaml"
    assert load_ruleset(rules).data.discs.hand == 11
    for wrong in ({}, {"deals": 0}, {"deals": 10**6}, {"deals": "6600"}, {"deals": 50, "decisions": -1}):
        assert post(desk, f"reports/{key}/again", **wrong).status_code == 400
    assert post(desk, "reports/ffffffffffff/again", deals=50).status_code == 404


TWELVE = {"discs.hand": 12}


def report_of(desk: TestClient, **wish: Any) -> dict[str, Any]:
    """A report of a draft, as the list has it."""
    key = post(desk, "reports", **wish).json()["key"]
    assert wait_for(desk, key, over)["state"] == "done"
    return next(one for one in desk.get("/api/design").json()["reports"] if one["key"] == key)


def told_of(report: dict[str, Any]) -> tuple[str, str, bool]:
    return report["name"], report["of"], report["saved"]


def test_a_report_has_the_name_of_a_version_only_if_these_are_its_rules(desk) -> None:
    mine = {"name": "mine", "changes": HAND, "note": "more discs"}
    assert told_of(report_of(desk, **mine)) == ("mine", "", False), "nothing of that name is saved yet"
    post(desk, "versions", **mine)
    assert told_of(report_of(desk, **mine)) == ("mine", "", True)
    assert told_of(report_of(desk, **mine | {"note": "other words"})) == ("mine", "", True)
    changed = report_of(desk, **mine | {"changes": TWELVE})
    assert told_of(changed) == ("mine-unsaved", "mine", False)
    rules = desk.workshop.reports.folder / changed["key"] / "mine-unsaved.yaml"
    assert load_ruleset(rules).name == "mine-unsaved" and load_ruleset(rules).data.discs.hand == 12
    taken_up = post(desk, f"reports/{changed['key']}/turn", key="discs.hand", value=9).json()
    assert (taken_up["name"], taken_up["changes"]) == ("mine", {"discs.hand": 9})


@pytest.mark.parametrize("base", ["agenda", "carcassonne", "eurotunnel"])
def test_a_report_on_another_base_is_none_of_the_version_of_that_name(desk, base) -> None:
    post(desk, "versions", name="mine", changes=HAND)
    report = report_of(desk, name="mine", base=base, changes={}, players="scripted")
    assert told_of(report) == (f"{base}-unsaved", base, False)


def test_a_report_that_is_made_again_keeps_the_name_of_its_rules(desk) -> None:
    post(desk, "versions", name="mine", changes=HAND)
    key = report_of(desk, name="mine", changes=HAND)["key"]
    post(desk, "versions", name="mine", changes=TWELVE, replace=True)
    again = post(desk, f"reports/{key}/again", deals=200).json()["key"]
    assert told_of(wait_for(desk, again, over)) == ("mine", "", True)
    assert told_of(report_of(desk, name="mine", changes=HAND)) == ("mine-unsaved", "mine", False)


def test_a_report_says_that_its_version_has_other_rules_since(desk) -> None:
    """Another note is no other version, and neither is a version that is broken or gone."""
    post(desk, "versions", name="mine", changes=HAND)
    key = report_of(desk, name="mine", changes=HAND)["key"]

    def ages() -> list[bool]:
        told = [*desk.get("/api/design").json()["reports"], desk.get(f"/api/design/reports/{key}").json()]
        return [one["older"] for one in told]

    for changes, older in ((HAND, False), (TWELVE, True), (HAND, False)):
        post(desk, "versions", name="mine", changes=changes, note=str(older), replace=True)
        assert ages() == [older, older], changes
    assert report_of(desk, name="other", changes=TWELVE)["older"] is False
    desk.workshop.versions.file("mine").write_text("base: standard\nname: [")
    assert not any(ages())
    assert report_of(desk, name="mine", changes=HAND)["of"] == "standard", "a broken file lends its name to nothing"


def test_the_name_of_unsaved_changes_is_no_versions_name(desk) -> None:
    long = "m" * 40
    for name in ("mine", "mine-unsaved", long):
        post(desk, "versions", name=name, changes=HAND)
    assert told_of(report_of(desk, name="mine", changes=TWELVE)) == ("mine-unsaved-2", "mine", False)
    report = report_of(desk, name=long, changes=TWELVE)
    assert report["name"].endswith("-unsaved") and len(report["name"]) == 40
    assert report["of"] == long


def test_a_game_has_the_name_of_a_version_only_if_these_are_its_rules(desk) -> None:
    post(desk, "versions", name="mine", changes=HAND)
    for changes, name in ((HAND, "mine"), (TWELVE, "mine-unsaved")):
        found = post(desk, "play", name="mine", changes=changes).json()
        title = Tab(desk, found["key"], found["tokens"]).view()["title"]
        assert title == f"{name}: changed from standard"


def test_of_reports_of_one_minute_the_latest_is_listed_first(desk) -> None:
    keys = [report_of(desk, name=f"one-{number}", changes=HAND, deals=100)["key"] for number in range(5)]
    listed = desk.get("/api/design").json()["reports"]
    assert [one["key"] for one in listed] == keys[::-1]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", one["at"]) for one in listed)


def kept_report(desk: TestClient, file: str, key: str = "0123456789ab") -> str:
    """A report that was made before, by its rules alone; returns its key."""
    place = desk.workshop.reports.folder / key
    place.mkdir()
    about = {"name": "mine", "base": "standard", "deals": 50, "begun": 1}
    (place / "about.json").write_text(json.dumps(about))
    (place / "mine.yaml").write_text(file)
    return key


@pytest.mark.parametrize(
    ("key", "value", "changes", "field"),
    [
        ("discs.keep_limit", 4, {"discs.hand": 11, "discs.keep_limit": 4}, "discs.keep_limit"),
        ("discs.hand", 10, {}, "discs.hand"),
        ("barriers.france.a.0", 4, {"discs.hand": 11, "barriers.france.a": [4]}, "barriers.france.a"),
        ("barriers.france.a", [4], {"discs.hand": 11, "barriers.france.a": [4]}, "barriers.france.a"),
    ],
)
def test_a_change_that_a_report_offers_opens_as_a_draft(desk, key, value, changes, field) -> None:
    report = kept_report(desk, "base: tiny\nname: mine\ndiscs: {hand: 11}\n")
    found = post(desk, f"reports/{report}/turn", key=key, value=value).json()
    assert (found["base"], found["name"], found["field"]) == ("tiny", "mine", field)
    assert found["changes"] == changes and found["told"]


@pytest.mark.parametrize(
    "wish",
    [
        {"key": "discs.hand", "value": 999},
        {"key": "discs.nothing", "value": 3},
        {"key": "discs.hand", "value": [3]},
        {"key": "barriers.france.a", "value": [3, "x"]},
        {"key": "name", "value": "x"},
        {"key": "discs.hand"},
    ],
)
def test_a_change_that_the_rules_do_not_take_is_refused(desk, wish) -> None:
    report = kept_report(desk, "base: tiny\nname: mine\ndiscs: {hand: 11}\n")
    assert post(desk, f"reports/{report}/turn", **wish).status_code == 400
    assert post(desk, "reports/ffffffffffff/turn", key="discs.hand", value=9).status_code == 404


def test_of_reports_begun_at_once_one_is_made(desk) -> None:
    made = desk.workshop.reports
    for _ in range(3):
        refusals = at_once(8, lambda i: made.start(reports.About("slow", "standard", 50), ""))
        assert refusals.count(None) == 1
        assert {refusal.status for refusal in refusals if refusal} == {409}
        (report,) = made.list()
        assert report["state"] == "running"
        process = made._running._process
        made.delete(report["key"])
        assert process.poll() is not None and made.list() == []


def test_a_report_that_has_ended_keeps_its_state_while_another_is_made_until_the_workshop_closes(desk) -> None:
    broken = post(desk, "reports", name="broken", changes=HAND).json()["key"]
    assert wait_for(desk, broken, over)["error"] == "report: no such agent"
    slow = post(desk, "reports", name="slow", changes=HAND).json()["key"]
    states = {one["key"]: one["state"] for one in desk.get("/api/design").json()["reports"]}
    assert states == {broken: "failed", slow: "running"}
    post(desk, f"reports/{broken}/delete")
    assert desk.get(f"/api/design/reports/{slow}").json()["state"] == "running"
    running = desk.workshop.reports._running
    desk.workshop.close()
    assert running._process.wait(PATIENCE) != 0


SERVER = """
import pathlib, sys, time
from channel_tunnel_agents.table.design import reports
reports.COMMAND = (sys.executable, "-c", sys.argv[2])
made = reports.Reports(pathlib.Path(sys.argv[1]))
made.start(reports.About("mine", "standard", 50), "")
stop = time.monotonic() + float(sys.argv[3])
while not (made.folder / "pids").exists() and time.monotonic() < stop:
    time.sleep(0.01)
print("begun", flush=True)
time.sleep(600)
"""
SILENT = f"""
import os, pathlib, subprocess, sys, time
import channel_tunnel_env.__main__ as command

def work(words):
    worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    part = pathlib.Path("pids")
    part.write_text(f"{{os.getpid()}} {{worker.pid}}")
    part.rename("../pids")
    time.sleep(600)

command.main = work
{reports.COMMAND[-1]}
"""


@pytest.mark.heavy
def test_a_report_that_says_nothing_ends_with_its_killed_server(tmp_path) -> None:
    words = [sys.executable, "-c", SERVER, str(tmp_path), SILENT, str(PATIENCE)]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, cwd=ROOT)
    assert server.stdout is not None and server.stdout.readline() == b"begun\n"
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert all(map(is_alive, pids))
    server.kill()
    server.communicate()
    try:
        wait_until(lambda: not any(map(is_alive, pids)))
    finally:
        for pid in filter(is_alive, pids):
            os.kill(pid, signal.SIGKILL)


def test_a_report_whose_file_was_changed_by_hand_is_listed(desk) -> None:
    folder = desk.workshop.reports.folder
    for number, about in enumerate(
        [f'{{"begun": {10**400}}}', '{"key": "..", "state": "running", "begun": "2026"}', '{"deals": [1]}', "[]", "{"]
    ):
        place = folder / f"{number:012x}"
        place.mkdir()
        (place / "about.json").write_text(about)
    (folder / ("f" * 12)).write_text("no folder")
    listed = desk.get("/api/design").json()["reports"]
    assert len(listed) == 5
    for one in listed:
        assert one["name"] == "?" and one["state"] == "cancelled" and one["at"] == ""
        assert desk.get(f"/api/design/reports/{one['key']}").json() == one


@pytest.mark.parametrize("key", ["..", "x" * 12, "0" * 12, "%2e%2e%2frooms"])
def test_no_other_folder_is_a_report(desk, key: str) -> None:
    assert desk.get(f"/api/design/reports/{key}/page").status_code == 404
    assert post(desk, f"reports/{key}/delete").status_code in (404, 405)


# --- where it is ----------------------------------------------------------------------------------


def test_the_page_is_only_on_a_server_that_no_other_machine_reaches(tmp_path, client) -> None:
    assert make_workshop(tmp_path, "127.0.0.1", ()) is not None
    assert make_workshop(tmp_path, "0.0.0.0", ()) is None
    assert make_workshop(tmp_path, "127.0.0.1", ("table.example",)) is None
    assert client.get("/design").status_code == 404
    assert client.get("/api/offers").json()["design"] is False


def test_the_page_may_frame_its_own_reports_alone(desk) -> None:
    answer = desk.get("/design")
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"].endswith("frame-src 'self'")
    assert desk.get("/api/offers").json()["design"] is True
