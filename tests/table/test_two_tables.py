"""Two tables on one folder: each goes on where the other left a game, and no answered move is written over."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.room import Room
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_env.records.record import read_records
from tests.table.helpers import PEOPLE, Tab, at_once, open_table, refused

Pair = tuple[Tab, Tab]


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """A game as two tables know it, both after three decisions."""
    return at_two_tables(tmp_path)


def at_two_tables(folder: Path, **request: object) -> Pair:
    one, other = open_table(folder), open_table(folder)
    tab = Tab.new(one, ruleset="tiny", seed=4, seats=PEOPLE, **request)
    tab.play_on(3)
    there = Tab(other, tab.key, tab.tokens)
    assert there.view() == tab.view()
    return tab, there


def room_of(tab: Tab) -> Room:
    """The room as the tab's table has it in memory."""
    room = tab.client.rooms._awake[tab.key]
    assert isinstance(room, Room)
    return room


def kept(tab: Tab) -> list[str]:
    """The decisions on disk."""
    return json.loads(tab.file.read_text())["record"]["actions"]


def test_each_table_sees_what_was_played_at_the_other(pair) -> None:
    one, other = pair
    for here, there in (pair, pair[::-1], pair):
        after = here.play_on(1)
        assert there.view() == after
    assert one.view()["ply"] == 6 and len(kept(other)) == 6


def test_what_is_asked_for_a_version_that_was_left_meanwhile_is_refused(pair) -> None:
    one, other = pair
    shown = other.view()
    one.play_on(1)
    move = shown["moves"][0]["action"]
    assert "version" in refused(other.post("play", version=shown["version"], action=move), 409)
    assert other.view() == one.view()


CHANGES: dict[str, Callable[[Room], object]] = {
    "play": lambda room: room.play(room.game.legal_actions()[0]),
    "undo": Room.undo,
    "restart": Room.restart,
    "open": Room.lay_open,
    "name": lambda room: room.call("france", "Mary"),
    "resign": lambda room: room.resign("france", "random"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_a_game_that_changed_on_disk_is_refused_and_nothing_is_lost(tmp_path, change) -> None:
    """As where both tables write at the same moment."""
    is_open = change in ("undo", "restart")
    one, other = at_two_tables(tmp_path, open=is_open)
    room = room_of(other)
    while one.play_on(1)["ply"] < 6:
        pass
    before, people, now = len(room.log), dict(room.people), kept(one)
    with pytest.raises(TableError, match="by another table") as told:
        CHANGES[change](room)
    assert told.value.status == 409 and "\n" not in told.value.sentence
    assert len(room.log) == before and room.people == people and not room.is_over
    assert kept(one) == now and room.open == is_open
    assert other.view() == one.view(), "and then both show the same"
    assert other.play_on(1)["ply"] == 7


def test_the_last_move_that_comes_second_writes_no_record(tmp_path) -> None:
    one, other = open_table(tmp_path), open_table(tmp_path)
    tab = Tab.new(one, ruleset="tiny", seed=1, seats=PEOPLE)
    plies = tab.play_on(500)["plies"]
    (tmp_path / "records.jsonl").unlink()
    tab = Tab.new(one, ruleset="tiny", seed=1, seats=PEOPLE)
    tab.play_on(plies - 1)
    there = Tab(other, tab.key, tab.tokens)
    there.view()
    room = room_of(there)
    assert tab.play_on(1)["over"]
    with pytest.raises(TableError, match="by another table"):
        room.play(room.game.legal_actions()[0])
    assert len(list(read_records(tmp_path / "records.jsonl"))) == 1


def test_of_many_moves_at_once_every_answered_one_is_on_disk(tmp_path) -> None:
    tables = [Rooms(Offers.of(), tmp_path) for _ in range(4)]
    client = TestClient(open_table(tmp_path).app, base_url="http://127.0.0.1:8000")
    key = Tab.new(client, ruleset="standard", seed=4, seats=PEOPLE).key
    for table in tables:
        table.get(key)
    answered, refusals = [], []

    def play(number: int) -> None:
        for _ in range(25):
            room = tables[number].get(key)
            try:
                room.play(room.game.legal_actions()[0])
            except TableError as error:
                refusals.append(error.sentence)
            else:
                answered.append(room.game.actions[-1])

    at_once(len(tables), play)
    assert len(answered) + len(refusals) == 100 and len(answered) >= 25
    assert all("by another table" in why for why in refusals)
    room = Rooms(Offers.of(), tmp_path).get(key)
    assert sorted(room.game.actions) == sorted(answered)


def test_a_game_whose_file_was_removed_is_written_again(pair) -> None:
    """What is in memory is not given up."""
    one, _ = pair
    one.file.unlink()
    assert one.play_on(1)["ply"] == 4 and len(kept(one)) == 4


@pytest.mark.parametrize("end", [0, 4, 30, 60, 200, -1])
def test_a_game_whose_file_was_damaged_is_written_again(pair, end) -> None:
    one, _ = pair
    one.file.write_bytes(one.file.read_bytes()[:end])
    assert one.play_on(1)["ply"] == 4 and len(kept(one)) == 4


def test_a_file_that_somebody_has_laid_out_anew_is_read(pair) -> None:
    one, other = pair
    one.file.write_text(json.dumps(json.loads(one.file.read_text()), indent=1))
    third = Tab(open_table(one.file.parents[1]), one.key, one.tokens)
    assert third.view() == one.view() == other.view()
    assert third.play_on(1)["ply"] == 4 and one.view()["ply"] == 4


def test_a_game_that_was_put_back_by_hand_is_the_one_that_goes_on(pair) -> None:
    one, _ = pair
    saved, before = one.file.read_bytes(), one.view()
    one.play_on(3)
    one.file.write_bytes(saved)
    assert one.view() == before
    assert one.play_on(1)["ply"] == 4


def test_drafts_of_a_phase_are_seen_at_both_tables(tmp_path) -> None:
    one, other = open_table(tmp_path), open_table(tmp_path)
    tab = Tab.new(one, ruleset="eurotunnel", seats={"austria": "person", "france": "person"})
    there = Tab(other, tab.key, tab.tokens).holding("france")
    there.view()
    room = room_of(there)
    tab.holding("austria").change("send")
    with pytest.raises(TableError, match="by another table"):
        room.send("france")
    assert there.change("send")["draft"]["sent"]
    assert tab.view()["waits_for_agent"]


@pytest.mark.parametrize("why", ["another table", "No space"])
def test_a_rematch_that_cannot_be_written_down_is_none(pair, disk_full_for, why) -> None:
    one, other = pair
    room, rooms = room_of(other), other.client.rooms
    games = len(rooms.storage.keys())
    if why == "another table":
        one.play_on(1)
        with pytest.raises(TableError, match=why):
            rooms.rematch(room)
    else:
        with disk_full_for(other.key), pytest.raises(TableError, match=why):
            rooms.rematch(room)
    assert room.next == "" and len(rooms.storage.keys()) == games and len(rooms) == 1
    assert other.post("rematch").status_code == 201


def test_who_watches_is_still_counted_after_a_move_at_the_other_table(pair) -> None:
    one, other = pair
    stranger = other.holding()
    stranger.get(watcher="0" * 16, called="Mary")
    one.play_on(1)
    assert other.view()["watching"] == ["Mary"]
