"""Balance reports of drafts, each in a process of its own; one runs at a time.

    FOLDER/ID/NAME.yaml     the rules that it is about
    FOLDER/ID/about.json     its name, base and number of deals, and whether it is finished
    FOLDER/ID/report.html    once its games are played; it grows until it is finished

The process ends with the server (see `report_process`). Its progress goes to a pipe that the server reads.
Every method may be called from several threads at once.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.logs import one_line
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside.documents import need_mapping, read_json
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.outside.progress import FORMAT, JSON

KEY = re.compile(r"[0-9a-f]{12}")
MOST = 100  # kept; each takes about two megabytes
ABOUT, PAGE, DATA = "about.json", "report.html", "report.json"
UNKNOWN = {"name": "?", "base": "?", "deals": 0, "at": "", "finished": True}
"""The fields of ABOUT, with what is shown where they cannot be read."""
RUNNING, DONE, FAILED, CANCELLED = "running", "done", "failed", "cancelled"
START = "from channel_tunnel_agents.table.design.report_process import main; main()"
COMMAND = (sys.executable, "-c", START)
END_SECONDS = 5.0  # for a cancelled process to end
POLL_SECONDS = 0.01  # between looks at a process that has closed its output


class About(NamedTuple):
    """What a report is about: the name and the base of its rules, and its number of deals."""

    name: str
    base: str
    deals: int


class Running:
    """A report's process, and how far it is."""

    def __init__(
        self, key: str, folder: Path, words: list[str], finish: Callable[[], object]
    ) -> None:
        self.key = key
        self._finish = finish  # called once it has ended well
        self.state = RUNNING
        self.error = ""
        self.progress: dict[str, Any] = {}
        self.begun = time.monotonic()
        self.seconds = 0.0
        self._lock = (
            threading.Lock()
        )  # held where the state changes and where the process is reaped
        self._process = subprocess.Popen(
            [*COMMAND, *words],
            stdin=subprocess.PIPE,  # closes with this process, and so ends the other
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            cwd=folder,
            start_new_session=True,  # so that all its processes can be ended together
            env={**os.environ, FORMAT: JSON, "PYTHONPATH": _paths()},
        )
        self._reader = threading.Thread(target=self._read, name="report", daemon=True)
        self._reader.start()

    def to_dict(self) -> dict[str, Any]:
        """The state of the report, JSON-serialisable."""
        seconds = time.monotonic() - self.begun if self.state == RUNNING else self.seconds
        told = {"state": self.state, "seconds": round(seconds, 1), "error": self.error}
        return told | {"progress": self.progress}

    def cancel(self) -> bool:
        """End the process and those that it started, at once; whether it was running."""
        with self._lock:
            if self.state != RUNNING:
                return False
            self.state = CANCELLED
            # Not reaped yet, so this is still the number of its group.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._reader.join(END_SECONDS)
        return True

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
                    self.progress = told
            while not self._has_ended(last):
                time.sleep(POLL_SECONDS)

    def _has_ended(self, last: str) -> bool:
        """Reap the process if it has ended, and note how.

        Args:
            last: the last line that it printed.
        """
        with self._lock:
            status = self._process.poll()
            if status is None:
                return False
            self.seconds = time.monotonic() - self.begun
            if self.state == RUNNING:
                self.error = (
                    "" if status == 0 else one_line(last or f"it ended with status {status}")
                )
                if status == 0:
                    with contextlib.suppress(OSError):  # deleted at this moment, or no room
                        self._finish()
                self.state = DONE if status == 0 else FAILED
            return True


class Reports:
    """The reports in a folder.

    Raises:
        OSError: the folder cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._running: Running | None = None  # the latest
        self._made: dict[str, Running] = {}  # since the server began, by key
        self._lock = threading.Lock()  # held while a report begins or is deleted

    def start(self, about: About, file: str, agents: Sequence[str] = ()) -> str:
        """Begin a report; returns its key.

        Args:
            file: the overlay file of the rules.
            agents: who plays; none: whom the report chooses itself.

        Raises:
            TableError: another one runs, there are too many, or no room on the disk.
        """
        with self._lock:
            if self._running is not None and self._running.state == RUNNING:
                raise TableError(409, "a report is being made; wait for it or cancel it")
            if len(self.list()) >= MOST:
                raise TableError(409, f"there are {MOST} reports; delete one first")
            self._running = self._begin(about, file, agents)
            self._made[self._running.key] = self._running
            return self._running.key

    def _begin(self, about: About, file: str, agents: Sequence[str]) -> Running:
        """A report that has just begun, in a folder of its own.

        Raises:
            TableError: no room on the disk.
        """
        key = secrets.token_hex(6)
        place = self.folder / key
        rules = f"{about.name}.yaml"
        words = ["--ruleset", rules, "--quick", "--deals", str(about.deals), "--out", "."]
        words += ["--adapt", "0"]  # to tune a copy would take far longer than the report
        words += ["--agents", *agents] if agents else []
        told = {**about._asdict(), "at": time.strftime("%Y-%m-%d %H:%M")}
        try:
            place.mkdir()
            write_whole(place / rules, file.encode())
            _write_about(place, told | {"finished": False})
            return Running(key, place, words, lambda: _write_about(place, told))
        except OSError as error:
            shutil.rmtree(place, ignore_errors=True)
            why = os.strerror(error.errno) if error.errno else "disk error"
            raise TableError(503, f"the report cannot be started: {why}") from None

    def list(self) -> list[dict[str, Any]]:
        """All reports, the latest first: key, name, base, deals, at, state."""
        found = []
        for path in self.folder.iterdir():
            with contextlib.suppress(TableError):  # no report, or deleted at this moment
                found.append(self.look(path.name))
        return sorted(found, key=lambda one: (one["at"], one["key"]), reverse=True)

    def look(self, key: str) -> dict[str, Any]:
        """One report, with its progress if it runs; `written` changes whenever its page does, 0 while there is none.

        Raises:
            TableError: there is none.
        """
        place = self._place(key)
        told = {"key": key, **_read_about(place / ABOUT)}
        is_finished = told.pop("finished")
        told["written"] = _written(place / PAGE)
        made = self._made.get(key)
        if made is not None:
            return told | made.to_dict()
        return told | {"state": DONE if is_finished and told["written"] else CANCELLED}

    def known(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """What every finished report found, the latest first: its key and its `report.json`."""
        for told in self.list():
            if told["state"] == DONE:
                with contextlib.suppress(OSError, DocumentError):
                    path = self.folder / told["key"] / DATA
                    yield told["key"], need_mapping(read_json(path), DATA)

    def page(self, key: str) -> Path:
        """The page of a report, of one that runs as far as it is known.

        Raises:
            TableError: there is none yet.
        """
        path = self._place(key) / PAGE
        if not path.is_file():
            raise TableError(404, "this report has no page yet")
        return path

    def rules(self, key: str) -> Path:
        """The ruleset file of a report, whatever became of it.

        Raises:
            TableError: there is none.
        """
        place = self._place(key)
        path = place / f"{_read_about(place / ABOUT)['name']}.yaml"
        if not path.is_file():
            raise TableError(410, "the rules of this report are gone")
        return path

    def cancel(self, key: str) -> None:
        """Stop a report that runs.

        Raises:
            TableError: there is none of this key, or it does not run.
        """
        self._place(key)
        made = self._made.get(key)
        if made is None or not made.cancel():
            raise TableError(409, "this report is not being made")

    def delete(self, key: str) -> None:
        """Delete a report; one that runs is cancelled first.

        Raises:
            TableError: there is none of this key.
        """
        place = self._place(key)
        with self._lock:
            made = self._made.pop(key, None)
            if made is not None:
                made.cancel()
            shutil.rmtree(place, ignore_errors=True)

    def close(self) -> None:
        """Stop the report that runs."""
        with self._lock:
            if self._running is not None:
                self._running.cancel()

    def _place(self, key: str) -> Path:
        place = self.folder / key
        if not KEY.fullmatch(key) or not place.is_dir():
            raise TableError(404, "there is no such report here")
        return place


def _write_about(place: Path, told: dict[str, Any]) -> None:
    write_whole(place / ABOUT, json.dumps(told).encode())


def _written(page: Path) -> int:
    """When a page was written, in milliseconds; 0 if there is none."""
    try:
        return page.stat().st_mtime_ns // 1_000_000
    except OSError:
        return 0


def _read_about(path: Path) -> dict[str, Any]:
    """What a report is about; a value that is missing or of another type is replaced."""
    try:
        content = need_mapping(read_json(path), ABOUT)
    except (OSError, DocumentError):
        content = {}
    fits = {key for key, value in UNKNOWN.items() if type(content.get(key)) is type(value)}
    return {key: content[key] if key in fits else UNKNOWN[key] for key in UNKNOWN}


def _progress(line: str) -> dict[str, Any] | None:
    """A line of `progress.JsonLines`; None if it is something else."""
    try:
        told = json.loads(line)
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


def _paths() -> str:
    """Our own search path, for a process in another folder."""
    return os.pathsep.join(map(os.path.abspath, sys.path))
