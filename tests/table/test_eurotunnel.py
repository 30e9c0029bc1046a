"""Eurotunnel Diplomacy at the table, as the server answers: drafts, phases, what is told, undo, the end, replays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.rooms import phase_room
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games.eurotunnel.faces.table import draw, moves
from channel_tunnel_env.games.eurotunnel.game import Game
from channel_tunnel_env.games.eurotunnel.spec import SEATS
from tests.table.helpers import Tab, check_ways, compile_agents, open_table, refused

SHORT = {"base": "eurotunnel", "name": "short", "title": "Two years", "max_year": 1902}


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Agents have little patience at the table."""
    compile_agents("eurotunnel", "random", "hold", "lively", "dumb", "dumb_tunnel")


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    """A client of a table with Eurotunnel Diplomacy."""
    client = open_table(tmp_path / "table", Offers.of(["eurotunnel"]))
    client.rooms.offers.rulesets["short"] = load_ruleset(SHORT)
    return client


def seats_of(rival: str, *people: str) -> dict[str, str]:
    return dict.fromkeys(SEATS, rival) | dict.fromkeys(people, "person")


def new_tab(client: TestClient, rival: str = "dumb", *people: str, **request: Any) -> Tab:
    seats = seats_of(rival, *(people or ("france",)))
    return Tab.new(client, **{"ruleset": "short", "seed": 5, "seats": seats, **request})


def write(tab: Tab, key: str, action: str, given: bool = True) -> dict[str, Any]:
    return tab.change("write", asked=key, action=action, given=given)


def written(view: dict[str, Any]) -> list[str]:
    return [row["words"] for row in view["draft"]["rows"]]


def read_on(tab: Tab) -> dict[str, Any]:
    """Send what is written, whatever is missing chosen first, and let the phase be read."""
    view = tab.view()
    while view["may_play"] and view["draft"]["missing"]:
        open_keys = {row["key"] for row in view["draft"]["rows"] if not row["words"]} | {""}
        move = next(move for move in view["moves"] if move["asked"] in open_keys)
        view = write(tab, move["asked"], move["action"])
    if view["may_play"]:
        view = tab.change("send")
    while view["waits_for_agent"] and not view["may_play"]:
        view = tab.change("step")
        if view["may_play"] or view["over"]:
            break
    return view


# --- drafts ---------------------------------------------------------------------------------------


def test_orders_are_written_changed_and_taken_back_until_they_are_sent(client) -> None:
    tab = new_tab(client)
    view = tab.view()
    assert [row["key"] for row in view["draft"]["rows"]] == ["F BRE", "A MAR", "A PAR"]
    assert 'aria-label="Paris, supply centre, owned by France, army of France"' in view["svg"]
    assert written(view) == ["", "", ""] and not view["draft"]["missing"]
    assert written(write(tab, "A PAR", "* - BUR")) == ["", "", "A PAR - BUR"]
    assert written(write(tab, "F BRE", "* - MAO")) == ["F BRE - MAO", "", "A PAR - BUR"]
    assert written(write(tab, "A PAR", "* S MAR - BUR"))[2] == "A PAR S A MAR - BUR"
    assert written(tab.change("undo"))[2] == "A PAR - BUR"
    view = write(tab, "F BRE", "", given=False)
    assert written(view) == ["", "", "A PAR - BUR"] and view["ply"] == view["plies"] == 0
    client.rooms._awake.clear()
    assert written(tab.view()) == ["", "", "A PAR - BUR"], "drafts are kept on disk"
    view = read_on(tab)
    assert view["question"] == "Fall 1901: orders" and view["plies"] == 1
    mine = {words: result for seat, words, result in view["phases"][0]["lines"] if seat == "france"}
    assert list(mine) == ["F BRE H", "A MAR H", "A PAR - BUR"]


def test_orders_are_typed_and_lines_that_are_none_are_named(client) -> None:
    tab = new_tab(client)
    text = "a par-bur, F BRE \N{RIGHTWARDS ARROW} Mid-Atlantic\nA MAR - XYZ; A VIE H\nA PAR - MUN"
    view = tab.change("orders", text=text)
    assert written(view) == ["F BRE - MAO", "", "A PAR - BUR"]
    assert [(line["line"], line["why"].partition(" (")[0]) for line in view["unread"]] == [
        ("A MAR - XYZ", "no place 'XYZ'"),
        ("A VIE H", "A VIE is AUSTRIA's"),
        ("A PAR - MUN", "no border that the unit can cross leads there"),
    ]
    again = tab.change("orders", text="France: supports nothing")
    assert written(again) == written(view) and len(again["unread"]) == 1
    assert written(tab.change("orders", text="par s Mar to Burgundy"))[2] == "A PAR S A MAR - BUR"
    assert written(tab.change("undo"))[2] == "A PAR - BUR"
    many = tab.post("orders", version=tab.view()["version"], text="A PAR H\n" * 41)
    assert "40 are read at once" in refused(many, 400)
    many = tab.post("orders", version=tab.view()["version"], text="A PAR\n" * 501)
    assert "more than 500" in refused(many, 400)
    stranger = tab.holding()
    assert refused(stranger.post("orders", version=stranger.view()["version"], text="A PAR H"), 403)
    assert written(tab.view())[2] == "A PAR - BUR"


def test_what_is_typed_under_another_powers_name_is_refused(client) -> None:
    """A heading is understood as in a text of all orders, and nothing below it is taken for the seat's own."""
    tab = new_tab(client)
    view = tab.change("orders", text="Orders for Austria:\nH\nA PAR H\n**France**\nF BRE H")
    assert written(view) == ["F BRE H", "", ""]
    assert {line["why"] for line in view["unread"]} == {"it is an order of AUSTRIA"}
    assert [line["line"] for line in view["unread"]] == ["AUSTRIA: H", "AUSTRIA: A PAR H"]


def test_of_two_tunnels_that_are_typed_the_second_is_refused(client) -> None:
    tab = new_tab(client)
    digs = {m["asked"]: m["action"] for m in tab.view()["moves"] if " BT " in m["action"]}
    lines = [f"{unit} {action[2:]}" for unit, action in sorted(digs.items())]
    view = tab.change("orders", text=", ".join(lines))
    assert written(view)[1] == lines[0] and not written(view)[2]
    assert "as much as it may" in view["unread"][0]["why"]


def test_a_phase_of_six_agents_takes_one_request(client) -> None:
    tab = new_tab(client)
    view = tab.change("send")
    assert view["waits_for_agent"] and not view["may_play"] and view["draft"]["sent"]
    view = tab.change("step")
    assert view["may_play"] and view["plies"] == 1 and len(view["phases"][0]["lines"]) == 22


def test_an_answer_that_another_one_makes_illegal_counts_as_not_written(client) -> None:
    tab = new_tab(client)
    dig = {m["asked"]: m["action"] for m in tab.view()["moves"] if " BT " in m["action"]}
    assert set(dig) == {"A MAR", "A PAR"}
    assert written(write(tab, "A PAR", dig["A PAR"]))[2] == f"A PAR {dig['A PAR'][2:]}"
    view = write(tab, "A MAR", dig["A MAR"])
    assert written(view)[1] and written(view)[2] == "", "one tunnel a turn"
    answer = tab.post("write", version=view["version"], asked="A PAR", action=dig["A PAR"])
    assert "as much as it may" in refused(answer, 409)


def test_what_cannot_be_written_is_refused_and_changes_nothing(client) -> None:
    tab = new_tab(client)
    view = tab.view()

    def refusal(status: int, **body: Any) -> str:
        answer = tab.post("write", **{"version": view["version"], "asked": "A PAR", **body})
        return refused(answer, status)

    assert "border" in refusal(409, action="* - MOS")
    assert "unknown action" in refusal(409, action="* - XYZ")
    assert "unknown action" in refusal(409, action="")
    assert "this seat is not asked" in refusal(409, asked="A LVP", action="* H")
    assert "version" in refusal(409, version=view["version"] + 1, action="* H")
    assert refusal(400, action=7)
    assert refused(tab.holding().post("write", version=1000, asked="A PAR", action="* H"), 403)
    assert refused(tab.post("play", version=view["version"], action="* H"), 403)
    assert tab.view() == view
    tab.change("send")
    version = tab.view()["version"]
    assert refused(tab.post("write", version=version, asked="A PAR", action="* H"), 403)
    assert refused(tab.post("send", version=version), 403)


def test_why_a_click_is_no_order(client) -> None:
    tab = new_tab(client)

    def why(*clicks: str) -> str:
        answer = tab.post("why", version=tab.view()["version"], clicks=list(clicks))
        return answer.json()["why"]

    assert why("PAR", "MOS") == "A PAR - MOS: no border that the unit can cross leads there."
    assert "at sea" in why("PAR", "ENG")
    assert "A PAR does not reach WAL, so" in why("PAR", "button:Support", "LON", "WAL")
    assert "A PAR does not reach LON, so" in why("PAR", "button:Support", "LON", "LON")
    first = "Click a unit of yours first, such as A PAR, and then where it goes."
    assert why("LON") == why("button:Support", "LON", "WAL") == first
    assert "no answer here" in why("nonsense") and why("button:<b>")


def test_a_winter_is_answered_in_any_order_and_what_is_left_is_waived(client) -> None:
    position = {
        "phase": "W1901A",
        "units": [{"power": "FRANCE", "type": "A", "loc": "SPA"}, {"power": "TURKEY", "type": "A", "loc": "CON"}],
        "centres": {"FRANCE": ["PAR", "MAR", "BRE", "SPA"], "TURKEY": ["CON"]},
    }
    game = Game.from_position(position, load_ruleset(SHORT))
    room = client.rooms.found(game, seats_of("hold", "france"), False)
    tab = Tab(client, room.key, room.tokens)
    assert tab.view()["draft"]["more"] == "3 units to build"
    write(tab, "", "F BRE B")
    view = write(tab, "", "A PAR B")
    assert [choice["action"] for choice in view["draft"]["chosen"]] == ["A PAR B", "F BRE B"]
    view = write(tab, "", "F BRE B", given=False)
    assert [choice["action"] for choice in view["draft"]["chosen"]] == ["A PAR B"]
    view = read_on(tab)
    assert view["question"] == "Spring 1902: orders"
    assert [row["key"] for row in view["draft"]["rows"]] == ["A PAR", "A SPA"]
    client.rooms._awake.clear()
    assert tab.view()["svg"] == view["svg"], "read back from its file"


def test_permissions_are_written_with_the_orders(client) -> None:
    position = {
        "phase": "S1901M",
        "units": [{"power": "FRANCE", "type": "A", "loc": "PIC"}, {"power": "ENGLAND", "type": "A", "loc": "YOR"}],
        "centres": {"FRANCE": ["PAR"], "ENGLAND": ["LON"]},
        "tunnels": [{"owner": "FRANCE", "ends": ["LON", "PIC"], "state": "hidden"}],
    }
    game = Game.from_position(position, load_ruleset(SHORT))
    room = client.rooms.found(game, seats_of("hold", "france", "england"), False)
    tab = Tab(client, room.key, room.tokens)
    france, england = tab.holding("france", "host"), tab.holding("england")
    assert france.view() and england.view()["draft"]["more"] == "", "both are here"
    before = england.get().content
    view = write(france, "", "PERMIT 0 ENGLAND")
    assert view["draft"]["chosen"][0]["words"] == "Let England use the tunnel LON - PIC"
    write(france, "A PIC", "* ~ LON")
    assert england.get().content == before, "what others write is not seen"
    england.change("send")
    france.change("send")
    view = france.change("step")
    assert view["phases"][0]["notes"] == ["France's tunnel LON - PIC is open."]
    assert view["phases"][0]["secret"] == ["PERMIT 0 ENGLAND"]
    assert england.view()["phases"][0]["secret"] == []


# --- moves in words and clicks --------------------------------------------------------------------


@pytest.mark.parametrize("changes", [{}, {"rulebook": "datc", "draw_vote": True}])
def test_every_answer_has_words_and_clicks_of_its_own(changes) -> None:
    game = Game({"base": "eurotunnel", "name": "x", "max_year": 1903, **changes}, 1)
    rng = np.random.default_rng(2)
    html = draw(game, "all", "table")
    while not game.is_over:
        check_ways(game, moves(game), html)
        game.play(int(rng.choice(game.legal_ids())))


# --- whole games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rival", ["lively", "dumb_tunnel"])
def test_a_whole_game_ends_in_words_and_is_kept_as_a_record(client, rival) -> None:
    tab = new_tab(client, rival)
    view = tab.view()
    for _ in range(30):
        if view["over"]:
            break
        view = read_on(tab)
    assert view["over"] and view["ending"]["title"].startswith(("You have ", "You lost"))
    assert view["ending"]["why"] == "The game stops after 1902."
    assert view["ending"]["points"].startswith("Shares: ")
    assert sum(points["total"] for points in view["scores"].values()) <= 34
    record = tab.get("record")
    replay = Tab.at(client, client.post("/api/records", json={"text": record.text}))
    shown = replay.view(ply=view["plies"])
    assert shown["replay"] and shown["plies"] == view["plies"] < 12 < len(record.json()["actions"])
    headings = [phase["heading"] for phase in shown["phases"]]
    assert headings[:2] == ["Spring 1901", "Fall 1901"] and headings[-1] == "Fall 1902"
    assert [phase["name"] for phase in replay.view(ply=1)["phases"]] == ["S1901M"]
    assert Tab.at(client, tab.post("rematch")).view()["seats"] == view["seats"]


def test_agents_alone_are_watched_phase_by_phase(client) -> None:
    tab = Tab.new(client, ruleset="short", seed=1, seats=seats_of("lively"), open=True)
    view, seen = tab.view(), []
    while not view["over"]:
        assert view["waits_for_agent"] and view["plies"] == len(seen)
        seen.append(view["question"])
        view = tab.change("step")
    assert seen[:2] == ["Spring 1901: orders", "Fall 1901: orders"] and len(seen) <= 10


# --- undo -----------------------------------------------------------------------------------------


def test_against_agents_a_phase_is_taken_back_and_its_orders_are_a_draft_again(client) -> None:
    tab = new_tab(client)
    first = write(tab, "A PAR", "* - BUR")
    read_on(tab)
    again = tab.change("undo")
    assert again["plies"] == 0 and written(again) == ["F BRE H", "A MAR H", "A PAR - BUR"]
    assert again["moves"] == first["moves"] and not again["draft"]["sent"]
    read_on(tab)
    assert tab.change("restart")["plies"] == 0


def test_among_people_orders_that_were_read_stay_read(client) -> None:
    seats = dict.fromkeys(SEATS, "person")
    tab = Tab.new(client, ruleset="short", seed=1, seats=seats)
    for _ in SEATS:
        view = tab.change("send")
    assert view["waits_for_agent"]
    view = tab.change("step")
    assert "orders have been read" in refused(tab.post("undo", version=view["version"]), 409)


def test_a_sent_draft_is_taken_back_while_others_write(client) -> None:
    host = new_tab(client, "dumb", "france", "england")
    france, england = host.holding("france"), host.holding("england")
    write(france, "A PAR", "* - BUR")
    sent = france.change("send")
    assert sent["draft"]["sent"] and sent["draft"]["can_undo"] and not sent["may_play"]
    back = france.change("undo")
    assert written(back)[2] == "A PAR - BUR" and back["may_play"] and not back["draft"]["sent"]
    assert written(write(france, "A PAR", "* - PIC"))[2] == "A PAR - PIC"
    france.change("send")
    assert england.change("send")["waits_for_agent"]
    # Everybody has sent: the phase is about to be read, and a guest takes nothing back.
    view = france.view()
    assert not view["draft"]["can_undo"]
    refused(france.post("undo", version=view["version"]), 403)
    view = host.change("step")
    assert ["france", "A PAR - PIC"] in [line[:2] for line in view["phases"][0]["lines"]]


def test_a_draft_that_is_sent_and_taken_back_without_end_stays_sent(client, monkeypatch) -> None:
    monkeypatch.setattr(phase_room, "_MOST_CHANGES", 7)
    host = new_tab(client, "dumb", "france", "england")
    france = host.holding("france")
    for _ in range(2):
        france.change("send")
        france.change("undo")
    write(france, "A PAR", "* - BUR")
    view = france.change("send")
    told = refused(france.post("undo", version=view["version"]), 409)
    assert "this draft was changed too often: it stays sent" in told
    assert france.view()["draft"]["sent"]


def test_what_others_send_makes_no_page_stale_that_writes(client) -> None:
    host = new_tab(client, "dumb", "france", "england", "italy")
    france, england, italy = (host.holding(seat) for seat in ("france", "england", "italy"))
    shown = england.view()["version"]
    france.change("send")
    france.change("undo")
    france.change("send")
    assert england.post("why", version=shown, clicks=["unit:LON"]).status_code == 200
    answer = england.post("write", version=shown, asked="F LON", action="* - NTH")
    assert answer.status_code == 200 and answer.json()["version"] > shown
    # What the tab itself has written since, it must have seen; and a phase that was read is another one.
    assert "version" in refused(england.post("send", version=shown), 409)
    shown = answer.json()["version"]
    italy.change("send")
    assert england.post("undo", version=shown).json()["draft"]["can_undo"] is False
    shown = england.change("send")["version"]
    host.change("step")
    assert "version" in refused(england.post("send", version=shown), 409)


def test_taking_back_shows_nobody_what_was_written(client) -> None:
    host = new_tab(client, "dumb", "france", "england")
    france, england = host.holding("france"), host.holding("england")
    assert france.view()["here"] == ["france"]
    before = england.view()
    write(france, "A PAR", "* - BUR")
    france.change("send")
    france.change("undo")
    after = england.view()
    assert after["version"] > before["version"]
    assert {**after, "version": 0} == {**before, "version": 0}


def test_a_position_is_neither_offered_nor_taken(client) -> None:
    """It would not hold what is written in the running phase."""
    offered = {one["name"]: one for one in client.get("/api/offers").json()["rulesets"]}
    assert "positions" not in offered["eurotunnel"]["extras"]
    text = json.dumps(Game("eurotunnel", 1).to_position())
    answer = client.post("/api/games", json={"position": text})
    assert "no positions at this table" in refused(answer, 404)
    tab = new_tab(client)
    assert refused(tab.get("position"), 404) == refused(tab.post("fork", ply=0), 404)


def test_a_draft_on_disk_that_is_broken_is_told_in_a_sentence(client) -> None:
    tab = new_tab(client)
    write(tab, "A PAR", "* - BUR")
    whole = tab.file.read_text()
    for broken in (whole.replace('"* - BUR"', '"* - XYZ"'), whole.replace('"edits"', '"edit"')):
        assert broken != whole
        tab.file.write_text(broken)
        client.rooms._awake.clear()
        assert "broken: a draft" in refused(tab.get(), 410)


def test_nobody_sits_at_an_absent_power(client) -> None:
    rules = load_ruleset({**SHORT, "name": "six", "absent": ["AUSTRIA"]})
    client.rooms.offers.rulesets["six"] = rules
    (offered,) = [each for each in client.rooms.offers.to_dict()["rulesets"] if each["name"] == "six"]
    assert [*offered["sides"]] == [seat for seat in SEATS if seat != "austria"]
    with pytest.raises(TableError, match=r"seats\.austria: this seat is empty under these rules"):
        client.rooms.found(Game(rules), {"austria": "person"}, False)
    room = client.rooms.found(Game(rules), {}, False)
    assert [seat for seat, holder in room.seats.items() if holder == "person"] == ["england"]
