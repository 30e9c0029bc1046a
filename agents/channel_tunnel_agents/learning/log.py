"""The log of a run: progress.csv and TensorBoard events; a failed write is one line of error."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

from stable_baselines3.common.logger import Logger, make_output_format

KINDS = ("csv", "tensorboard")


class RunLogger(Logger):
    """SB3's logger, with errors that name the folder.

    Args:
        folder: the run's folder.
        suffix: suffix of the file names, such as "-from-4096" for a resumed run.
    """

    def __init__(self, folder: Path, suffix: str) -> None:
        super().__init__(str(folder), [])
        try:
            for kind in KINDS:
                self.output_formats.append(make_output_format(kind, str(folder), suffix))
        except OSError as error:
            raise self._failed(error) from None

    def dump(self, step: int = 0) -> None:
        """Write a row.

        Raises:
            OSError: no space or no permission; the log is closed.
        """
        try:
            super().dump(step)
        except OSError as error:
            raise self._failed(error) from None

    def _failed(self, error: OSError) -> OSError:
        self.close()
        why = error.strerror or str(error)
        return OSError(error.errno, f"{self.dir}: the log could not be written: {why}")

    def close(self) -> None:
        """Close the files; what does not fit on a full disk is lost."""
        for output in self.output_formats:
            with contextlib.suppress(OSError):
                output.close()


@contextlib.contextmanager
def quiet_writers() -> Iterator[None]:
    """Silence TensorBoard's writer thread, whose errors are raised in this thread as well."""
    before = threading.excepthook

    def only_others(error: threading.ExceptHookArgs) -> None:
        if not isinstance(error.exc_value, OSError):
            before(error)

    threading.excepthook = only_others
    try:
        yield
    finally:
        threading.excepthook = before
