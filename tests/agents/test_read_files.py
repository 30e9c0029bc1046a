"""Whatever reads a file of ours again refuses a device in its place, and what is too large, in words of ours."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from channel_tunnel_agents.balance.report.measurements import known_file, read_known
from channel_tunnel_agents.balance.report.stored import VERSION, kept_page
from channel_tunnel_agents.cluster.ray_parallel import pack
from channel_tunnel_agents.learning.run_curve import read_ladder
from channel_tunnel_agents.players.policy.card import digest_of
from channel_tunnel_agents.table.design.versions import text_of
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.requests import OpenRecord
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_agents.table.rooms.storage import _head
from channel_tunnel_env import ChannelTunnelError, VersionError
from channel_tunnel_env.cli.adjudicate import orders_in
from channel_tunnel_env.drawing.crop import main as crop
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.records.record import read_records

SETTINGS = {"deals": 1}


def of_the_command_line(path: Path) -> Any:
    offers = Offers({}, (), {"games.jsonl": path})
    return Rooms(offers, path.parent / "table").read_record(OpenRecord(file="games.jsonl"))


def of_the_measures(path: Path) -> Any:
    known_file("x", SETTINGS, path.parent).symlink_to(path)
    return read_known("x", SETTINGS, path.parent)


def linked(name: str, read: Callable[[Path], Any]) -> Callable[[Path], Any]:
    """Reads a folder in which the file has this name."""
    return lambda path: (path.with_name(name).symlink_to(path), read(path.parent))


READERS: dict[str, Callable[[Path], Any]] = {
    "records": lambda path: [*read_records(path)],
    "written orders": orders_in,
    "a stored page": kept_page,
    "a known measure": of_the_measures,
    "the digest of a policy": lambda path: digest_of([path]),
    "a policy for another machine": linked("france.safetensors", lambda folder: pack(str(folder))),
    "the log of a run": linked("progress.csv", read_ladder),
    "a version of the designer's page": text_of,
    "a record file of the table": of_the_command_line,
    "what the table is offered": lambda path: Offers.of(records=[path]),
    "a drawing": lambda path: crop(str(path), str(path.parent / "out"), "0", "0", "1", "1"),
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_device_in_the_place_of_a_file_is_refused(read: Callable[[Path], Any], tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.symlink_to("/dev/null")
    with pytest.raises((ChannelTunnelError, TableError), match="a device"):
        read(path)


def test_a_device_among_games_is_none_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.symlink_to("/dev/zero")
    assert _head(path) == {"stamp": "", "state": "", "players": ""}


@pytest.mark.parametrize("content", [b"", b"x" * 100, b"\xff" * 100])
def test_what_was_not_stored_here_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "page.json.gz"
    path.write_bytes(content)
    with pytest.raises(ChannelTunnelError, match=r"page.json.gz: not what gzip packs"):
        kept_page(path)


@pytest.mark.parametrize("page", [None, 7, [], {}, {"is": "page"}, {"is": "page", "x": 1}])
def test_what_is_no_page_is_refused_by_name(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.json.gz"
    path.write_bytes(gzip.compress(json.dumps({"version": VERSION, "page": page}).encode()))
    with pytest.raises(VersionError, match=r"page.json.gz: not a stored page"):
        kept_page(path)


@pytest.mark.parametrize("content", [b"x", b"\xff\xfe\x00", b"a\n1,2\n1,2,3\n", b'"'])
def test_what_is_no_log_of_a_run_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "progress.csv").write_bytes(content)
    with pytest.raises(DocumentError, match=r"progress.csv: not the log of a run: "):
        read_ladder(tmp_path)
