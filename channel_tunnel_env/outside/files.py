"""Reading files within bounds, and writing them so that they are never left half-written.

Every file that is read comes through here: whole by `read_whole`, packed by `read_gzip`, line by line by `read_lines`, into a
digest by `add_file`, and by `open_file` into a library. `tests/test_file_door.py` lists what does not. A file is written beside its place and then moved there. The file beside is `NAME.part`, or `NAME.1.part` and
so on while others write the same file. Its writer holds a lock on it, which ends with the process: one without
a lock was left by a killed process, and the next writer of the same file removes it. Without such
locks it stays, and another number is taken.
"""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import stat
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import Protocol

from channel_tunnel_env.errors import DocumentError

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None  # type: ignore[assignment]

CUT = ".cut"  # suffix of the file that receives a cut-off last line
PART = ".part"  # suffix of what is being written
PRIVATE = 0o600  # the mode of a file that only its owner may read
KEPT_BYTES = 500_000_000
"""The most that a file holds which this project's programs write for themselves."""
_AT_ONCE = 1_000_000  # bytes read: memory is taken for what a file holds, not for its bound


def read_whole(path: str | Path, most: int, pipes: bool = False) -> bytes:
    """The content of a file, of which no more is read than shows that it is too large.

    Args:
        most: bytes.
        pipes: whether a pipe will do, as a shell hands one over for `<(command)`.

    Raises:
        DocumentError: it is a device, a socket or a pipe, or it is larger.
        OSError: it is missing, a folder, or must not be read.
    """
    content = bytearray()
    with open_file(path, pipes) as file:
        while len(content) <= most and (part := file.read(_AT_ONCE)):
            content += part
    if len(content) > most:
        raise DocumentError(str(path), f"larger than {most:,} bytes")
    return bytes(content)


def read_gzip(path: str | Path, most: int) -> bytes:
    """The content of a file that gzip packed; the file and its unpacked content are read no further than shows that it is too large.

    Raises:
        DocumentError: as `read_whole`, or it is not one whole content that gzip packed.
        OSError: as `read_whole`.
    """
    unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16)  # 16: with the head and the checksum of gzip
    try:
        content = unpacking.decompress(read_whole(path, most), most + 1)
    except zlib.error as error:
        raise DocumentError(str(path), f"not what gzip packs: {error}") from None
    if len(content) > most:
        raise DocumentError(str(path), f"larger than {most:,} bytes when it is unpacked")
    if not unpacking.eof or unpacking.unused_data:
        raise DocumentError(str(path), "not what gzip packs: cut off, or more behind its end")
    return content


def read_lines(path: str | Path, most: int) -> Iterator[bytes]:
    """The lines of a file or a pipe, with their ends; one of more than `most` bytes ends it, cut off a byte later.

    Raises:
        DocumentError, OSError: as `open_file`.
    """
    with open_file(path, pipes=True) as file:
        while line := file.readline(most + 1):
            yield line
            if len(line) > most:
                return


class Digest(Protocol):
    """What `hashlib` makes."""

    def update(self, content: bytes, /) -> None: ...


def add_file(digest: Digest, path: str | Path) -> None:
    """Add the content of a file to a digest, piece by piece.

    Raises:
        DocumentError, OSError: as `open_file`.
    """
    with open_file(path) as file:
        while part := file.read(_AT_ONCE):
            digest.update(part)


def open_file(path: str | Path, pipes: bool = False) -> BufferedReader:
    """A file that is open for reading; nothing else is opened, and never waits.

    Raises:
        DocumentError, OSError: as `read_whole`.
    """
    file = open(path, "rb", opener=_open_at_once)  # noqa: SIM115 - the caller closes it
    kind = os.fstat(file.fileno()).st_mode
    if stat.S_ISREG(kind):
        return file
    if pipes and stat.S_ISFIFO(kind):
        os.set_blocking(file.fileno(), True)
        return file
    file.close()
    raise DocumentError(str(path), "a device, a socket or a pipe; a file is expected")


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for somebody who writes into a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def write_whole(path: Path, content: bytes, keep: Path | None = None, is_new: bool = False) -> None:
    """Write a file atomically: the result is either the old file or the whole new one.

    Several threads and processes may write the same file at once: one of the contents remains.

    Args:
        keep: the path that the old file is moved to, if there is one.
        is_new: refuse if the file is there already.

    Raises:
        FileExistsError: it is there already; nothing has changed.
        OSError: no room or no permission; nothing has changed.
    """
    with file_beside(path, content) as part:
        if is_new:
            _move_to_free_place(part, path)
            return
        if keep is not None:
            with suppress(FileNotFoundError):
                path.replace(keep)
        part.replace(path)


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write files that belong together: each is beside its place before the first is moved there.

    Raises:
        OSError: no room or no permission, or a folder in the place of one; nothing has changed.
    """
    with ExitStack() as stack:
        parts = [(path, stack.enter_context(file_beside(path, content))) for path, content in contents.items()]
        for path in contents:
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, f"{path}: it is a folder; nothing has changed")
        for path, part in parts:
            part.replace(path)


@contextmanager
def file_beside(path: Path, content: bytes, mode: int = 0o666) -> Iterator[Path]:
    """Context with a whole file beside its place, for work that comes before `replace` moves it there.

    It is removed if it has not been moved at the end.

    Raises:
        OSError: no room or no permission; nothing has changed.
    """

    def create(part: Path) -> int:
        return os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)

    written = False
    try:
        with _part_of(path, create, Path.unlink) as (part, descriptor):
            _write_all(descriptor, content)
            os.fsync(descriptor)
            written = True
            yield part
    except OSError as error:
        if written:  # an error of the caller's own work
            raise
        why = error.strerror or str(error)
        raise OSError(error.errno, f"{path} ({len(content):,} bytes) not written: {why}; nothing has changed") from None


@contextmanager
def folder_beside(path: Path) -> Iterator[Path]:
    """Context with a new, empty folder beside its place, to be filled and then renamed to it.

    It is removed if it has not been moved at the end.

    Raises:
        OSError: no room or no permission.
    """
    with _part_of(path, _create_folder, shutil.rmtree) as (part, _):
        yield part


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Context that one process at a time enters for a folder; without locks, all do.

    It is for work between a look at a file and its replacement. Other processes may still use the folder.

    Raises:
        OSError: there is no such folder.
    """
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _lock(descriptor, wait=True)
        yield
    finally:
        os.close(descriptor)


def need_place(folder: Path) -> None:
    """Refuse a folder that could not be made or written into, before work is done for it; nothing changes.

    Raises:
        OSError: a file is in its place, or it must not be written into.
    """
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not there.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "it is no folder", str(there))
    if not os.access(there, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "nothing can be written there", str(there))


def clear_parts(folder: Path) -> None:
    """Remove from a folder the files that killed processes left half-written."""
    for part in folder.glob(f"*{PART}"):
        with suppress(OSError):
            _remove_left(part, Path.unlink)


def _create_folder(part: Path) -> int:
    part.mkdir()
    try:
        return os.open(part, os.O_RDONLY)
    except FileNotFoundError:  # taken for a left one already
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None


@contextmanager
def _part_of(path: Path, create: Callable[[Path], int], remove: Callable[[Path], object]) -> Iterator[tuple[Path, int]]:
    """Context with a part of our own, locked, and its descriptor."""
    numbers = itertools.count()
    descriptor = None
    while descriptor is None:
        number = next(numbers)
        part = path.with_name(f"{path.name}.{number}{PART}" if number else path.name + PART)
        descriptor = _claim(part, create, remove)
    try:
        yield part, descriptor
    finally:
        if _is_at(descriptor, part):
            with suppress(OSError):
                remove(part)
        os.close(descriptor)  # the lock ends last: until then no process takes the part for a left one


def _claim(part: Path, create: Callable[[Path], int], remove: Callable[[Path], object]) -> int | None:
    """The locked descriptor of a new part; None if the name is somebody else's."""
    while True:
        try:
            descriptor = create(part)
        except FileExistsError:
            if not _remove_left(part, remove):
                return None
            continue
        _lock(descriptor, wait=True)
        if _is_at(descriptor, part):
            return descriptor
        os.close(descriptor)  # taken for a left one before it was locked


def _remove_left(part: Path, remove: Callable[[Path], object]) -> bool:
    """Remove a part that no process is writing; whether its name is free then."""
    if fcntl is None:
        return False
    try:
        descriptor = os.open(part, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except FileNotFoundError:
        return True
    except OSError:  # another user's, or no file of ours
        return False
    try:
        if not _lock(descriptor, wait=False):
            return False
        if _is_at(descriptor, part):
            remove(part)
    except (IsADirectoryError, NotADirectoryError):
        return False
    finally:
        os.close(descriptor)
    return True


def _lock(descriptor: int, wait: bool) -> bool:
    """Lock a part for as long as it is open; whether it is locked."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:  # somebody else's, or a file system without locks
        return False
    return True


def _is_at(descriptor: int, path: Path) -> bool:
    """Whether an open file or folder still has this path."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except OSError:
        return False


def _move_to_free_place(part: Path, path: Path) -> None:
    """Move a file to a path if there is none."""
    try:
        os.link(part, path)  # unlike a move, it never replaces
    except FileExistsError:
        raise _is_taken(path) from None
    except OSError:  # a file system without links: look first
        if path.exists():
            raise _is_taken(path) from None
        part.replace(path)


def _is_taken(path: Path) -> FileExistsError:
    return FileExistsError(errno.EEXIST, f"{path} is there already; nothing has changed")


def append_lines(path: Path, lines: Iterable[bytes], is_whole: Callable[[bytes], object] | None = None) -> int:
    """Append lines to a file, created if needed; each line is written whole or not at all.

    Args:
        lines: without line ends.
        is_whole: whether a last line without a line end is complete. A line that a kill cut off is
            moved to a separate file, with a RuntimeWarning, so that later lines can be read.

    Returns:
        The number of lines appended.

    Raises:
        OSError: no room or no permission; says how many of the lines are in the file.
    """
    count = 0
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            _end_last_line(path, descriptor, is_whole)
            for line in lines:
                _append_line(descriptor, line)
                count += 1
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        why = error.strerror or str(error)
        raise OSError(error.errno, f"{path}: {why}; {count} whole lines were appended") from None
    return count


def _append_line(descriptor: int, line: bytes) -> None:
    size = os.fstat(descriptor).st_size
    try:
        _write_all(descriptor, line + b"\n")
    except BaseException:
        os.ftruncate(descriptor, size)
        raise


def _write_all(descriptor: int, content: bytes) -> None:
    """Write all bytes; one system call may write fewer, for example on a nearly full disk."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _end_last_line(path: Path, descriptor: int, is_whole: Callable[[bytes], object] | None) -> None:
    size = os.fstat(descriptor).st_size
    tail = _unended_line(descriptor, size)
    if not tail:
        return
    if is_whole is None or is_whole(tail):
        _append_line(descriptor, b"")
        return
    beside = path.with_name(path.name + CUT)
    append_lines(beside, [tail])
    os.ftruncate(descriptor, size - len(tail))
    warnings.warn(
        f"{path}: the last line was cut off; its {len(tail):,} bytes are in {beside.name} now",
        RuntimeWarning,
        stacklevel=4,
    )


def _unended_line(descriptor: int, size: int, step: int = 65536) -> bytes:
    """The bytes after the last line end."""
    tail, start = b"", size
    while start > 0 and b"\n" not in tail:
        begin = max(0, start - step)
        tail = os.pread(descriptor, start - begin, begin) + tail
        start = begin
    return tail.rpartition(b"\n")[2]
