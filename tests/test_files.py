"""Files are whole or untouched: short writes, full disks, lines that a kill cut off."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from channel_tunnel_env.outside import files
from channel_tunnel_env.outside.files import append_lines, write_whole

LINES = [b"one", b"two"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 kB, where one can be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture
def small_files(request: pytest.FixtureRequest) -> Iterator[int]:
    """Files of this process take no more than so many bytes; what is beyond is written short."""
    most = 40_000
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    yield most
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def short_writes(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """The system takes only so many bytes at once."""
    write = os.write
    monkeypatch.setattr(files.os, "write", lambda to, data: write(to, bytes(data)[:most]))


def test_writing_replaces_a_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"old")
    write_whole(path, b"new content")
    assert path.read_bytes() == b"new content"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_with_secrets_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    (tmp_path / "file.part").touch(mode=0o666)  # left behind by a kill
    write_whole(path, b"secret", mode=files.PRIVATE)
    assert path.stat().st_mode & 0o077 == 0


def test_short_writes_are_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short_writes(monkeypatch, 3)
    write_whole(tmp_path / "whole", b"0123456789")
    append_lines(tmp_path / "lines", [b"0123456789", b"abc"])
    assert (tmp_path / "whole").read_bytes() == b"0123456789"
    assert (tmp_path / "lines").read_bytes() == b"0123456789\nabc\n"


def write_too_much(folder: Path) -> None:
    """Old content stays, lines are whole or absent, and nothing else is left behind."""
    whole, lines = folder / "whole", folder / "lines"
    write_whole(whole, b"old")
    with pytest.raises(
        OSError, match=r"whole \(100,000 bytes\) not written: .*nothing has changed"
    ):
        write_whole(whole, b"x" * 100_000)
    assert whole.read_bytes() == b"old"
    append_lines(lines, LINES)
    with pytest.raises(OSError, match=r"lines: .*; 1 whole lines were appended"):
        append_lines(lines, [b"three", b"x" * 100_000, b"never"])
    assert lines.read_bytes() == b"one\ntwo\nthree\n"
    assert sorted(folder.iterdir()) == [lines, whole]
    append_lines(lines, [b"four"])
    assert lines.read_bytes() == b"one\ntwo\nthree\nfour\n"


def test_a_full_disk_changes_nothing(small_disk: Path) -> None:
    write_too_much(small_disk)


def test_a_limit_on_files_changes_nothing(tmp_path: Path, small_files: int) -> None:
    write_too_much(tmp_path)


def test_a_disk_that_fills_up_within_a_line_cuts_no_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, left = os.write, [12]

    def fill_up(to: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        taken = write(to, bytes(data)[: left[0]])
        left[0] -= taken
        return taken

    monkeypatch.setattr(files.os, "write", fill_up)
    with pytest.raises(OSError, match="No space left on device; 2 whole lines were appended"):
        append_lines(tmp_path / "lines", [*LINES, b"three"])
    assert (tmp_path / "lines").read_bytes() == b"one\ntwo\n"


def test_a_cut_line_is_moved_aside_with_a_word(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"one\n" + b"x" * 100_000)
    with pytest.warns(RuntimeWarning, match=r"cut off; its 100,000 bytes are in lines.cut now"):
        append_lines(path, [b"two"], is_whole=lambda line: False)
    assert path.read_bytes() == b"one\ntwo\n"
    assert (tmp_path / "lines.cut").read_bytes() == b"x" * 100_000 + b"\n"


def test_a_line_that_lacks_only_its_end_gets_it(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"one")
    append_lines(path, [b"two"], is_whole=lambda line: True)
    assert path.read_bytes() == b"one\ntwo\n"
