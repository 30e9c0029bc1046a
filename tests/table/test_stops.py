"""A full disk, a folder that cannot be written, a kill: nothing is lost but the move that was not answered."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env.cli import main
from channel_tunnel_env.records.record import read_records
from tests.table.helpers import PEOPLE, ROOT, Tab, open_table, refused

FULL = Path("/dev/full")
NOBODY = 65534
KILLS = 15
full_disk = pytest.mark.skipif(not FULL.exists(), reason="a full device is needed: /dev/full")


def lines_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the server printed."""
    return [r.getMessage() for r in caplog.records if r.name == "channel_tunnel_agents.table"]


def test_a_full_disk_stops_the_move_and_nothing_else(tmp_path, caplog, disk_full_for) -> None:
    client = open_table(tmp_path)
    tab = Tab.new(client, ruleset="tiny", seed=1, seats=PEOPLE)
    before = tab.play_on(6)
    move = before["moves"][0]["action"]
    with disk_full_for(tab.key):
        told = refused(tab.post("play", version=before["version"], action=move), 503)
    assert "nothing was changed" in told and "No space left" in told
    assert str(tmp_path) not in told, "a tab learns nothing of this machine"
    assert tab.view() == before
    assert Tab(open_table(tmp_path), tab.key, tab.tokens).view() == before
    assert len(lines_of(caplog)) == 1
    assert tab.change("play", action=move)["ply"] == 7, "there is space again"


@full_disk
def test_a_disk_that_is_full_at_the_last_move_keeps_game_and_record_together(tmp_path) -> None:
    tab = Tab.new(open_table(tmp_path), ruleset="tiny", seed=1, seats=PEOPLE)
    plies = tab.play_on(500)["plies"]
    records = tmp_path / "records.jsonl"
    records.unlink()
    tab = Tab.new(open_table(tmp_path), ruleset="tiny", seed=1, seats=PEOPLE)
    before = tab.play_on(plies - 1)
    assert not before["over"]
    records.symlink_to(FULL)
    move = before["moves"][0]["action"]
    assert refused(tab.post("play", version=before["version"], action=move), 503)
    assert tab.view() == before
    assert Tab(open_table(tmp_path), tab.key, tab.tokens).view() == before
    records.unlink()
    assert tab.change("play", action=move)["over"]
    (record,) = read_records(records)
    assert len(record["actions"]) == plies


@contextlib.contextmanager
def without_rights(folder: Path) -> Iterator[None]:
    """A folder that this process may not write."""
    folder.chmod(0o555)
    is_root = os.geteuid() == 0
    try:
        if is_root:  # whom no mode stops
            os.seteuid(NOBODY)
        yield
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)


def test_a_folder_that_became_read_only_stops_the_move(tmp_path, caplog) -> None:
    client = open_table(tmp_path)
    tab = Tab.new(client, ruleset="tiny", seed=1, seats=PEOPLE)
    before = tab.play_on(6)
    room = client.rooms.get(tab.key)
    with without_rights(tmp_path / "rooms"), pytest.raises(TableError) as refusal:
        room.play(before["moves"][0]["action"])
    assert refusal.value.status == 503 and "Permission denied" in refusal.value.sentence
    assert tab.view() == before and len(lines_of(caplog)) == 1
    assert tab.play_on(1)["ply"] == 7


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path, capsys) -> None:
    (tmp_path / "file").write_text("")
    assert main(["table", "--folder", str(tmp_path / "file" / "table"), "--port", "0"]) == 2
    error = capsys.readouterr().err
    assert "Not a directory" in error and error.count("\n") == 1


@pytest.mark.heavy
def test_kills_at_random_moments_lose_no_move_that_was_answered(tmp_path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.table.killed", str(tmp_path), str(KILLS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    assert len(found) == KILLS
    assert all(told <= kept <= told + 1 for told, kept in found), found
    for record in read_records(tmp_path / "records.jsonl"):
        assert record["result"]["end_cause"]
