"""Files are whole or untouched: short writes, full disks, lines that a kill cut off."""

from __future__ import annotations

import errno
import gzip
import hashlib
import os
import re
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside import files
from channel_tunnel_env.outside.documents import read_json, read_yaml
from channel_tunnel_env.outside.files import (
    add_file,
    append_lines,
    clear_parts,
    folder_beside,
    read_gzip,
    read_lines,
    read_whole,
    write_all,
    write_whole,
)

LINES = [b"one", b"two"]


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_whole(path, 5) == b"12345"
    with pytest.raises(DocumentError, match=r"file: larger than 4 bytes$"):
        read_whole(path, 4)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/null"])
def test_a_link_to_a_device_is_no_file(tmp_path: Path, device: str) -> None:
    if not Path(device).exists():
        pytest.skip(f"no {device} here")
    path = tmp_path / "file.json"
    path.symlink_to(device)
    for read in (lambda: read_whole(path, 10**12), lambda: read_json(path)):
        with pytest.raises(DocumentError, match=r"file.json: a device.* a file is expected$"):
            read()


def test_nobody_waits_for_a_pipe_into_which_nobody_writes(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(DocumentError, match=r"pipe: .* a pipe; a file is expected$"):
        read_json(path)
    assert read_yaml(path).content is None


def test_a_shell_may_hand_over_a_pipe_for_what_people_write() -> None:
    out, into = os.pipe()
    writer = threading.Timer(0.05, lambda: (os.write(into, b"a: 1\n"), os.close(into)))
    writer.start()
    assert read_yaml(f"/dev/fd/{out}").content == {"a": 1}
    writer.join()
    os.close(out)


def test_what_is_packed_is_bounded_when_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "file.gz"
    path.write_bytes(gzip.compress(b"x" * 1000))
    assert read_gzip(path, 1000) == b"x" * 1000
    with pytest.raises(DocumentError, match=r"file.gz: larger than 999 bytes when it is unpacked$"):
        read_gzip(path, 999)
    for broken in (path.read_bytes()[:-1], path.read_bytes() + b"x", b"", b"x" * 100):
        path.write_bytes(broken)
        with pytest.raises(DocumentError, match=r"file.gz: not what gzip packs: "):
            read_gzip(path, 1000)


def test_a_line_that_is_too_long_is_cut_and_the_last(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"one\n" + b"x" * 100 + b"\ntwo")
    assert [*read_lines(path, 100)] == [b"one\n", b"x" * 100 + b"\n"]
    assert [*read_lines(path, 101)] == [b"one\n", b"x" * 100 + b"\n", b"two"]


def test_a_file_is_added_to_a_digest_as_its_content_is(tmp_path: Path) -> None:
    path, digest = tmp_path / "file", hashlib.sha256(b"name")
    path.write_bytes(b"x" * 2_500_000)
    add_file(digest, path)
    assert digest.digest() == hashlib.sha256(b"name" + path.read_bytes()).digest()


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match=re.escape(str(tmp_path))):
        read_whole(tmp_path, 10)


def test_writing_replaces_a_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"old")
    write_whole(path, b"new content")
    assert path.read_bytes() == b"new content"
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_belong_together_come_together_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    with pytest.raises(IsADirectoryError, match="nothing has changed"):
        write_all({tmp_path / name: b"x" for name in "abc"})
    assert [path.name for path in tmp_path.iterdir()] == ["c"]


def test_a_file_with_secrets_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    (tmp_path / "file.part").touch(mode=0o666)  # left behind by a kill
    with files.file_beside(path, b"secret", files.PRIVATE) as part:
        assert part.stat().st_mode & 0o077 == 0


def test_writers_of_one_file_at_once_do_not_meet(tmp_path: Path) -> None:
    path, contents = tmp_path / "file", [bytes([65 + i]) * 50_000 for i in range(8)]
    failed: list[OSError] = []
    together = threading.Barrier(len(contents))

    def write(content: bytes) -> None:
        together.wait()
        try:
            for _ in range(10):
                write_whole(path, content, keep=tmp_path / "before")
        except OSError as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert path.read_bytes() in contents and (tmp_path / "before").read_bytes() in contents
    assert sorted(tmp_path.iterdir()) == [tmp_path / "before", path]


def test_a_new_file_replaces_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_whole(path, b"first", is_new=True)
    with pytest.raises(FileExistsError, match="file is there already; nothing has changed"):
        write_whole(path, b"second", is_new=True)

    def no_links(*about: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(files.os, "link", no_links)  # as on a memory card
    with pytest.raises(FileExistsError):
        write_whole(path, b"third", is_new=True)
    assert path.read_bytes() == b"first"
    write_whole(tmp_path / "other", b"fourth", is_new=True)
    assert (tmp_path / "other").read_bytes() == b"fourth"
    assert sorted(tmp_path.iterdir()) == [path, tmp_path / "other"]


KILLED = """
import os, pathlib, signal, sys
from channel_tunnel_env.outside.files import folder_beside, file_beside

with file_beside(pathlib.Path(sys.argv[1]), b"half"), folder_beside(pathlib.Path(sys.argv[2])) as folder:
    (folder / "weights").touch()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def left_behind(tmp_path: Path) -> tuple[Path, Path]:
    """The paths of a file and a folder that a process was killed over, with what it left of them."""
    file, folder = tmp_path / "file", tmp_path / "checkpoint"
    subprocess.run([sys.executable, "-c", KILLED, file, folder], check=False)
    names = [path.name for path in sorted(tmp_path.iterdir())]
    assert names == ["checkpoint.part", "file.part"]
    return file, folder


def test_the_next_writer_clears_what_a_kill_left(left_behind: tuple[Path, Path]) -> None:
    file, folder = left_behind
    write_whole(file, b"whole")
    with folder_beside(folder) as part:
        assert not list(part.iterdir())
        part.rename(folder)
    assert sorted(file.parent.iterdir()) == [folder, file]


def test_what_kills_left_is_cleared_and_nothing_else(left_behind: tuple[Path, Path]) -> None:
    file, folder = left_behind
    write_whole(file, b"whole")
    with files.file_beside(file, b"in progress") as part, folder_beside(folder) as other:
        assert (part.name, other.name) == ("file.part", "checkpoint.part")
        with files.file_beside(file, b"too") as second, folder_beside(folder) as another:
            assert (second.name, another.name) == ("file.1.part", "checkpoint.1.part")
        (file.parent / "older.part.part").touch()
        clear_parts(file.parent)
        assert sorted(file.parent.iterdir()) == [other, file, part]
    assert list(file.parent.iterdir()) == [file]


def test_what_only_looks_like_a_part_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    (tmp_path / "file.part").symlink_to("nowhere")
    (tmp_path / "file.1.part").mkdir()
    os.mkfifo(tmp_path / "file.2.part")
    write_whole(path, b"whole")
    assert path.read_bytes() == b"whole"
    assert (tmp_path / "file.part").is_symlink() and (tmp_path / "file.1.part").is_dir()


def test_short_writes_are_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(files.os, "write", lambda to, data: write(to, bytes(data)[:3]))  # what the system takes at once
    write_whole(tmp_path / "whole", b"0123456789")
    append_lines(tmp_path / "lines", [b"0123456789", b"abc"])
    assert (tmp_path / "whole").read_bytes() == b"0123456789"
    assert (tmp_path / "lines").read_bytes() == b"0123456789\nabc\n"


@pytest.fixture
def small_files() -> Iterator[None]:
    """Files of this process take no more than 40,000 bytes; what is beyond is cut off, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.usefixtures("small_files")
def test_what_the_system_refuses_changes_nothing(tmp_path: Path) -> None:
    """Old content stays, lines are whole or absent, and nothing else is left behind."""
    whole, lines = tmp_path / "whole", tmp_path / "lines"
    write_whole(whole, b"old")
    with pytest.raises(OSError, match=r"whole \(100,000 bytes\) not written: .*nothing has changed"):
        write_whole(whole, b"x" * 100_000)
    assert whole.read_bytes() == b"old"
    append_lines(lines, LINES)
    with pytest.raises(OSError, match=r"lines: .*; 1 whole lines were appended"):
        append_lines(lines, [b"three", b"x" * 100_000, b"never"])
    assert lines.read_bytes() == b"one\ntwo\nthree\n"
    assert sorted(tmp_path.iterdir()) == [lines, whole]
    append_lines(lines, [b"four"])
    assert lines.read_bytes() == b"one\ntwo\nthree\nfour\n"


def test_a_disk_that_fills_up_within_a_line_cuts_no_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
