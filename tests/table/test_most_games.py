"""A table keeps a bounded number of games: the oldest finished ones go first, and no open game of a person goes at all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from channel_tunnel_agents.table.rooms import storage
from channel_tunnel_env.records.record import read_records
from tests.table.helpers import PEOPLE, Tab, open_desk, open_table, refused

AGENTS = {"britain": "random", "france": "random"}


@pytest.fixture
def full_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., TestClient]:
    """A table that keeps so many games, or bytes of games."""

    def open_full(most: int = storage.MOST_KEPT, most_bytes: int = storage.MOST_BYTES) -> TestClient:
        monkeypatch.setattr(storage, "MOST_KEPT", most)
        monkeypatch.setattr(storage, "MOST_BYTES", most_bytes)
        return open_table(tmp_path)

    return open_full


def aged(tab: Tab, days: int) -> Tab:
    """The same tab, its game's file as old as if nobody had touched it for days."""
    then = tab.file.stat().st_mtime - 86_400 * days
    os.utime(tab.file, (then, then))
    return tab


def finished(client: TestClient, days: int) -> Tab:
    tab = Tab.new(client, ruleset="tiny", seed=1, seats=PEOPLE)
    assert tab.post("resign", side="france").status_code == 200
    return aged(tab, days)


def begun(client: TestClient, days: int, seats: dict[str, str] = PEOPLE) -> Tab:
    return aged(Tab.new(client, ruleset="tiny", seed=1, seats=seats), days)


def test_the_oldest_finished_game_makes_room_for_a_new_one(tmp_path, full_at) -> None:
    client = full_at(4)
    old, older, newer = (finished(client, days) for days in (2, 3, 1))
    mine = begun(client, 9)
    for gone in (older, old, newer):
        kept = set(client.rooms.storage.keys())
        new = begun(client, 0)
        assert set(client.rooms.storage.keys()) == kept - {gone.key} | {new.key}
    assert mine.view()["plies"] == 0 and len(client.rooms.storage.keys()) == 4
    records = list(read_records(tmp_path / "records.jsonl"))
    assert len(records) == 3, "their records stay"


def test_where_only_open_games_of_people_are_left_a_new_one_is_refused(tmp_path, full_at) -> None:
    client = full_at(3)
    tabs = [begun(client, days) for days in (1, 2, 3)]
    before = [tab.view() for tab in tabs]
    files = sorted(path.name for path in tmp_path.rglob("*"))
    made = [
        client.post("/api/games", json={"ruleset": "tiny"}),
        client.post("/api/lesson", json={}),
        tabs[0].post("rematch"),
        tabs[0].post("fork", ply=0, luck="anew"),
    ]
    for answer in made:
        sentence = refused(answer, 503)
        assert "at most 3 games" in sentence and "\n" not in sentence
        assert str(tmp_path) not in sentence, "a tab learns nothing of this machine"
    assert [tab.view() for tab in tabs] == before
    assert sorted(path.name for path in tmp_path.rglob("*")) == files
    assert tabs[0].play_on(3)["ply"] == 3, "those that are here go on"
    assert tabs[1].post("resign", side="france").status_code == 200
    assert Tab.new(client, ruleset="tiny"), "there is room again"
    assert tabs[1].key not in client.rooms.storage.keys()  # noqa: SIM118


def test_games_of_agents_alone_go_after_the_finished_ones(full_at) -> None:
    client = full_at(3)
    watched, over, mine = begun(client, 5, AGENTS), finished(client, 1), begun(client, 9)
    for gone in (over, watched):
        begun(client, 0)
        assert gone.key not in client.rooms.storage.keys()  # noqa: SIM118 - no dict
    assert mine.view()["plies"] == 0


def test_all_games_together_have_a_bounded_size(tmp_path, full_at) -> None:
    client = open_table(tmp_path)
    tabs = [finished(client, days) for days in (3, 2, 1)]
    size = sum(path.stat().st_size for path in client.rooms.storage.rooms.iterdir())
    client = full_at(most_bytes=size)
    begun(client, 0)
    assert tabs[0].key not in client.rooms.storage.keys()  # noqa: SIM118
    assert sum(path.stat().st_size for path in client.rooms.storage.rooms.iterdir()) <= size


def test_a_game_that_was_taken_back_from_its_end_is_open_again(full_at) -> None:
    client = full_at(2)
    tab = begun(client, 0, {"britain": "person", "france": "random"})
    assert tab.post("resign", side="britain").status_code == 200
    tab.change("undo")
    aged(tab, 5)
    other = finished(client, 1)
    begun(client, 0)
    assert tab.key in client.rooms.storage.keys()  # noqa: SIM118
    assert other.key not in client.rooms.storage.keys()  # noqa: SIM118


def test_a_file_that_is_none_of_ours_is_not_removed(full_at) -> None:
    client = full_at(2)
    finished(client, 1)
    place = client.rooms.storage.rooms
    broken, foreign = place / "0123456789ab.json", place / "notes.json"
    broken.write_text('{"format":1,"stamp":')
    foreign.write_text("{}")
    begun(client, 0)
    assert broken.exists() and foreign.exists() and len(client.rooms.storage.keys()) == 2


def test_what_another_table_keeps_in_the_folder_counts(full_at) -> None:
    one, other = (full_at(3) for _ in range(2))
    for _ in range(4):
        finished(one, 1)
        finished(other, 1)
    assert len(one.rooms.storage.keys()) == 3


def test_a_game_of_the_designers_page_counts_as_well(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(storage, "MOST_KEPT", 2)
    client = open_desk(tmp_path)
    gone = finished(client, 1)
    begun(client, 0)
    assert client.post("/api/design/play", json={"changes": {}}).status_code == 201
    assert gone.key not in client.rooms.storage.keys()  # noqa: SIM118
    assert refused(client.post("/api/design/play", json={"changes": {}}), 503)


def test_records_of_finished_games_have_a_bounded_size_and_the_oldest_go(tmp_path, monkeypatch) -> None:
    client = open_table(tmp_path)
    finished(client, 0)
    path = tmp_path / "records.jsonl"
    monkeypatch.setattr(storage, "MOST_RECORDS", 3 * path.stat().st_size)
    for number in range(20):
        tab = Tab.new(client, ruleset="tiny", seed=100 + number, seats=PEOPLE)
        assert tab.post("resign", side="france").status_code == 200
    earlier = tmp_path / "records-earlier.jsonl"
    assert sum(p.stat().st_size for p in (path, earlier)) <= 8 * path.stat().st_size
    assert path.stat().st_size <= 4 * storage.MOST_RECORDS // 3
    seeds = [json.loads(line)["seed"] for p in (earlier, path) for line in p.read_text().splitlines()]
    assert seeds == sorted(seeds) and seeds[-1] == 119 and len(seeds) >= 3


def test_the_guarantees_say_the_limits() -> None:
    text = (Path(__file__).parents[2] / "docs" / "reference" / "guarantees.md").read_text(encoding="utf-8")
    assert f"games on disk | {storage.MOST_KEPT:,}, and {storage.MOST_BYTES // 1_000_000:,} MB" in text
    assert f"finished games | {storage.MOST_RECORDS // 1_000_000:,} MB" in text
