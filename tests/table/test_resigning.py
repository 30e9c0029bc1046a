"""A game that is given up ends there, in every game, on the page, in its file and in its replay."""

from __future__ import annotations

import json

import pytest

from channel_tunnel_env import Game, RecordError
from channel_tunnel_env.cli import main
from channel_tunnel_env.records.record import read_records
from tests.table.helpers import PEOPLE, Tab, open_table, refused

TWO = {"tiny": {"britain": "person", "france": "random"}, "carcassonne": {"player_0": "person", "player_1": "random"}}
ALONE = TWO | {"eurotunnel": {"france": "person"}}
FIRST = {"tiny": "britain", "carcassonne": "player_0", "eurotunnel": "france"}


def begin(client, ruleset: str, seats: dict[str, str] | None = None) -> Tab:
    holders = seats or ALONE[ruleset]
    if ruleset == "eurotunnel":
        powers = ("austria", "england", "france", "germany", "italy", "russia", "turkey")
        holders = dict.fromkeys(powers, "hold") | holders
    tab = Tab.new(client, ruleset=ruleset, seed=3, seats=holders)
    if ruleset != "eurotunnel":
        tab.play_on(3)
        while not tab.view()["may_play"]:
            tab.play_on(1)
    return tab


def resign(tab: Tab, side: str) -> dict:
    answer = tab.post("resign", side=side)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("ruleset", ALONE)
def test_a_resigned_game_is_over_and_shows_everything(client, ruleset) -> None:
    tab = begin(client, ruleset)
    plies = tab.view()["plies"]
    view = resign(tab, FIRST[ruleset])
    assert view["over"] and view["plies"] == plies and not view["may_play"]
    assert not view["waits_for_agent"] and "all" in view["viewers"]
    assert view["ending"]["title"] == "You resigned" and "resigned" in view["question"]
    assert tab.holding().view()["ending"]["title"].endswith("resigned")


@pytest.mark.parametrize("ruleset", ALONE)
def test_the_record_says_who_resigned_and_its_replay_ends_there(client, tmp_path, ruleset, capsys) -> None:
    tab = begin(client, ruleset)
    actions = resign(tab, FIRST[ruleset])["plies"]
    record = json.loads(tab.get("record").text)
    assert record["resigned"] == FIRST[ruleset] and len(record["actions"]) == actions
    (kept,) = read_records(path := tmp_path / "table" / "records.jsonl")
    assert main(["replay", str(path)]) == 0 and " resigned\n" in capsys.readouterr().out
    assert kept == record and Game.from_record(kept).actions == record["actions"]
    opened = client.post("/api/records", json={"text": json.dumps(record)}).json()
    shown = Tab(client, opened["key"], {})
    last = shown.view(ply=actions)
    assert last["over"] and last["plies"] == actions and "resigned" in last["question"]
    if actions:
        assert not shown.view(ply=actions - 1)["over"], "and not before"


def test_a_record_of_somebody_who_has_no_seat_is_refused(client) -> None:
    tab = begin(client, "tiny")
    resign(tab, "britain")
    record = json.loads(tab.get("record").text) | {"resigned": "spain"}
    with pytest.raises(RecordError, match=r"resigned: 'spain': allowed: "):
        Game.from_record(record)
    assert "spain" in refused(client.post("/api/records", json={"text": json.dumps(record)}), 400)


@pytest.mark.parametrize("ruleset", ALONE)
def test_a_resigned_game_stays_so_and_takes_no_move(client, tmp_path, ruleset) -> None:
    tab = begin(client, ruleset)
    before = tab.view()
    move = before["moves"][0]
    resign(tab, FIRST[ruleset])
    for other in (tab, Tab(open_table(tmp_path / "table"), tab.key, tab.tokens)):
        version = other.view()["version"]
        asked = move.get("asked", "")
        answers = [
            other.post("play", version=version, action=move["action"]),
            other.post("write", version=version, asked=asked, action=move["action"]),
            other.post("step", version=version),
            other.post("resign", side=FIRST[ruleset]),
        ]
        for answer in answers:
            assert "\n" not in refused(answer, answer.status_code)
            assert answer.status_code in (403, 409)
            assert "the game is over: " in answer.json()["error"]
        assert other.view()["over"] and other.view()["plies"] == before["plies"]


def test_of_two_who_resign_at_once_the_first_has(client) -> None:
    tab = begin(client, "tiny", PEOPLE)
    assert resign(tab.holding("france"), "france")["ending"]["title"] == "You resigned"
    words = refused(tab.holding("britain").post("resign", side="britain"), 409)
    assert words == "the game is over: France resigned: Britain wins"
    assert tab.holding("britain").view()["ending"]["title"] == "You won: France resigned"


def test_a_resignation_may_be_taken_back_alone_and_not_between_people(client) -> None:
    tab = begin(client, "tiny")
    before = tab.view()
    resign(tab, "britain")
    again = tab.change("undo")
    assert not again["over"] and again["plies"] == before["plies"]
    pair = begin(client, "tiny", PEOPLE)
    resign(pair, "france")
    words = refused(pair.post("undo", version=pair.view()["version"]), 409)
    assert "cannot be taken back" in words


@pytest.mark.parametrize(("ruleset", "side"), [("carcassonne", "player_0"), ("eurotunnel", "france")])
def test_where_others_play_on_the_beginner_takes_the_seat(client, ruleset, side) -> None:
    """Of three or more a person's leaving does not end the game of the others (Eurotunnel 8.4: civil disorder)."""
    other = {"carcassonne": "player_2", "eurotunnel": "england"}[ruleset]
    seats = {side: "person", other: "person"}
    holders = seats if ruleset == "eurotunnel" else seats | {"player_1": "random"}
    more = {} if ruleset == "eurotunnel" else {"players": 3}
    if ruleset == "eurotunnel":
        holders = begin(client, ruleset, seats).view()["seats"]
    tab = Tab.new(client, ruleset=ruleset, seed=3, seats=holders, **more)
    view = resign(tab.holding(side), side)
    assert not view["over"] and not view["may_play"]
    assert view["seats"][side] == {"carcassonne": "random", "eurotunnel": "hold"}[ruleset]
    assert tab.holding(other).view()["viewers"] == [other, "public"], "and nothing is shown"
    last = resign(tab.holding(other), other)
    assert last["over"]


def test_what_cannot_be_written_is_not_resigned(client, disk_full_for) -> None:
    tab = begin(client, "tiny")
    with disk_full_for(tab.key):
        assert refused(tab.post("resign", side="britain"), 503)
    assert not tab.view()["over"]


def test_a_finished_game_is_written_to_the_records_once(client) -> None:
    tab = begin(client, "tiny", PEOPLE)
    resign(tab, "france")
    tab.file.unlink()
    assert tab.post("name", side="britain", called="Ann").status_code == 200
    assert len(client.rooms.storage.records.read_text().splitlines()) == 1
