"""Commands that run in the background, each in a process of its own, with their progress.

The process ends with the server (see `job_process`). Its progress goes to a pipe that the server reads.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from channel_tunnel_agents.names import TUNED_HOME, TUNED_RUNS
from channel_tunnel_agents.table.errors import TableError, one_line
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.outside.progress import FORMAT, JSON

RUNNING, DONE, FAILED, CANCELLED = "running", "done", "failed", "cancelled"
MODULE = "channel_tunnel_agents.table.design.job_process"
END_SECONDS = 5.0  # for a cancelled process to end
POLL_SECONDS = 0.01  # between looks at a process that has closed its output


def command_of(grace: float = 0.0) -> tuple[str, ...]:
    """What runs a job, whose words follow; see `job_process.main`."""
    return sys.executable, "-c", f"from {MODULE} import main; main({grace or ''})"


class BackgroundCommand:
    """A command's process, and how far it is.

    Args:
        command: the program that takes the words.
        words: of `channel-tunnel`.
        folder: in which it works.
        finish: called once it has ended well, with the seconds since it had done its first step: what comes before, such as
            compiling, another command of more steps need not do again.
    """

    def __init__(
        self,
        command: Sequence[str],
        words: Sequence[str],
        folder: Path,
        finish: Callable[[float], object] = lambda worked: None,
    ) -> None:
        self._finish = finish
        self.state = RUNNING
        self.is_stopping = False
        self.error = ""
        self.progress: dict[str, Any] = {}
        self.begun = time.monotonic()
        self._stepped: float | None = None  # when the first step was done
        self.seconds = 0.0
        self._lock = threading.Lock()  # held where the state changes and where the process is reaped
        self._process = subprocess.Popen(
            [*command, *words],
            stdin=subprocess.PIPE,  # closes with this process, and so ends the other
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            cwd=folder,
            start_new_session=True,  # so that all its processes can be ended together
            env={
                **os.environ,
                FORMAT: JSON,
                TUNED_HOME: str(TUNED_RUNS.resolve()),  # it works in another folder
                "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path)),
            },
        )
        self._reader = threading.Thread(target=self._read, name="job", daemon=True)
        self._reader.start()

    def to_dict(self) -> dict[str, Any]:
        """The state of the job, JSON-serialisable."""
        seconds = time.monotonic() - self.begun if self.state == RUNNING else self.seconds
        told = {"state": self.state, "stopping": self.is_stopping, "seconds": round(seconds, 1), "error": self.error}
        return told | {"progress": self.progress}

    def stop(self) -> bool:
        """Ask the process to end and to keep what it has; whether it was running."""
        with self._lock:
            if self.state != RUNNING:
                return False
            if not self.is_stopping:  # a second signal would end it at once
                self.is_stopping = True
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self._process.pid, signal.SIGTERM)
            return True

    def cancel(self) -> bool:
        """End the process and those that it started, at once; whether it was running."""
        with self._lock:
            if self.state != RUNNING:
                return False
            self.state = CANCELLED
            # Not reaped yet, so this is still the number of its group.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self.wait(END_SECONDS)
        return True

    def wait(self, seconds: float) -> None:
        """Wait until it has ended, but no longer than some seconds."""
        self._reader.join(seconds)

    def _read(self) -> None:
        """Follow the progress until the process ends."""
        assert self._process.stderr is not None and self._process.stdin is not None
        last = ""
        with self._process.stderr, self._process.stdin:
            for line in self._process.stderr:
                told = _progress(line)
                if told is None:
                    last = line.strip() or last
                elif "stage" in told:
                    if self._stepped is None and told.get("done"):
                        self._stepped = time.monotonic()
                    self.progress = told
            while not self._has_ended(last):
                time.sleep(POLL_SECONDS)

    def _has_ended(self, last: str) -> bool:
        """Reap the process if it has ended, and note how; `last` is the last line that it printed."""
        with self._lock:
            status = self._process.poll()
            if status is None:
                return False
            self.seconds = time.monotonic() - self.begun
            if self.state != RUNNING:  # cancelled
                return True
            if status == 0:
                with contextlib.suppress(OSError):  # deleted at this moment, or no room
                    self._finish(time.monotonic() - (self._stepped or self.begun))
                self.state = DONE
            elif self.is_stopping:
                self.state = CANCELLED
            else:
                self.error, self.state = one_line(last or f"it ended with status {status}"), FAILED
            return True


class OneAtATime:
    """The latest of some commands, in a folder that goes as the next one begins. `lock` is held while one begins.

    Args:
        what: they do, such as "the training".
        idle: that none runs, such as "no policy is being trained".
        grace: seconds in which one may keep what it has when the server ends.
    """

    def __init__(self, what: str, idle: str, grace: float = 0.0) -> None:
        self._what, self._idle, self._grace = what, idle, grace
        self.lock = threading.Lock()
        self.job: BackgroundCommand | None = None
        self.place = Path()
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def begin(self, command: Sequence[str], words: Sequence[str], files: Mapping[str, str]) -> None:
        """Begin the next one; its files lie in its folder."""
        self._clear()
        try:
            self._folder = tempfile.TemporaryDirectory()
            self.place = Path(self._folder.name)
            for name, text in files.items():
                write_whole(self.place / name, text.encode())
            self.job = BackgroundCommand(command, words, self.place)
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else "disk error"
            raise TableError(503, f"{self._what} cannot be started: {why}") from None

    def stop(self) -> None:
        """Ask the one that runs to end and to keep what it has."""
        if self.job is None or not self.job.stop():
            raise TableError(409, self._idle)

    def close(self) -> None:
        """Stop what runs, after its grace."""
        with self.lock:
            if self.job is not None:
                if self._grace and self.job.stop():
                    self.job.wait(self._grace)
                self.job.cancel()
            self._clear()

    def _clear(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def _progress(line: str) -> dict[str, Any] | None:
    """A line of `progress.JsonLines`; None if it is something else."""
    try:
        told = json.loads(line)
    except ValueError:
        return None
    return told if isinstance(told, dict) else None
