"""Files that are never half-written."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, content: bytes, keep: Path | None = None) -> None:
    """Write a file so that it is either the old one or the whole new one.

    Args:
        keep: where the old one goes, if there is one.

    Raises:
        OSError: no room or no permission; nothing has changed.
    """
    temporary = path.with_name(path.name + ".part")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        temporary.unlink(missing_ok=True)
        why = error.strerror or str(error)
        raise OSError(
            error.errno, f"{path} ({len(content):,} bytes) not written: {why}; nothing has changed"
        ) from None
    if keep is not None and path.exists():
        path.replace(keep)
    temporary.replace(path)
