"""Writing files so that they are never left half-written."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

CUT = ".cut"  # suffix of the file that receives a cut-off last line
PRIVATE = 0o600  # the mode of a file that only its owner may read


def write_whole(path: Path, content: bytes, keep: Path | None = None, mode: int = 0o666) -> None:
    """Write a file atomically: the result is either the old file or the whole new one.

    Args:
        keep: the path that the old file is moved to, if there is one.
        mode: permissions of a new file, before the umask.

    Raises:
        OSError: no room or no permission; nothing has changed.
    """
    temporary = path.with_name(path.name + ".part")
    try:
        temporary.unlink(missing_ok=True)  # one left by a killed process may have another mode
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            _write_all(descriptor, content)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        why = error.strerror or str(error)
        raise OSError(
            error.errno, f"{path} ({len(content):,} bytes) not written: {why}; nothing has changed"
        ) from None
    if keep is not None and path.exists():
        path.replace(keep)
    temporary.replace(path)


def append_lines(
    path: Path, lines: Iterable[bytes], is_whole: Callable[[bytes], object] | None = None
) -> int:
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
