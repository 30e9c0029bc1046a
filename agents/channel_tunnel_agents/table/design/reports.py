"""Balance reports of drafts, each in a process of its own; one runs at a time.

    FOLDER/ID/NAME.yaml     the rules that it is about
    FOLDER/ID/about.json     its name, base, number of deals and players, whose unsaved changes it is of
                            about, whether it is finished, and what that took
    FOLDER/ID/report.html    once its games are played; it grows until it is finished

It ends with the server; see `jobs`.
Every method may be called from several threads at once.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from channel_tunnel_agents.table.design.jobs import CANCELLED, DONE, RUNNING, BackgroundCommand, command_of
from channel_tunnel_agents.table.design.versions import minute_of, text_of
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside.documents import need_mapping, read_json
from channel_tunnel_env.outside.files import write_whole

KEY = re.compile(r"[0-9a-f]{12}")
MOST = 100  # kept; each takes about two megabytes
ABOUT, PAGE, DATA = "about.json", "report.html", "report.json"
COMMAND = command_of()


class About(NamedTuple):
    """What a report is about: the name and the base of its rules, its number of deals, and who plays.

    No players are those that the report chooses itself. `of` and `saved` are those of `versions.DraftName`; `changes` says
    what is changed against the base. Policies are trained for so many `decisions` first.
    """

    name: str
    base: str
    deals: int
    players: Sequence[str] = ()
    of: str = ""
    saved: bool = False
    changes: Sequence[str] = ()
    decisions: int = 0

    @classmethod
    def of_report(cls, told: Mapping[str, Any], **other: int) -> About:
        """What another report on the same rules is about."""
        return cls(**{name: told[name] for name in cls._fields} | other)


UNKNOWN = {**About("?", "?", 0, [], changes=[])._asdict(), "begun": 0, "took": 0, "finished": True}
"""The fields of ABOUT, with what is shown where they cannot be read."""


class Reports:
    """The reports in a folder.

    Raises:
        OSError: the folder cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._running: BackgroundCommand | None = None  # the latest
        self._made: dict[str, BackgroundCommand] = {}  # since the server began, by key
        self._lock = threading.Lock()  # held while a report begins or is deleted

    def start(self, about: About, file: str) -> str:
        """Begin a report; returns its key.

        Args:
            file: the overlay file of the rules.

        Raises:
            TableError: another one runs, there are too many, or no room on the disk.
        """
        with self._lock:
            self._check_free()
            if len(self.list()) >= MOST:
                raise TableError(409, f"there are {MOST} reports; delete one first")
            key = secrets.token_hex(6)
            self._running = self._made[key] = self._begin(key, about, file)
            return key

    def go_on(self, key: str) -> None:
        """Take a report up again that was stopped: the games and measurements that it has are not made again."""
        with self._lock:
            self._check_free()
            file, told = text_of(self.rules(key)), self.look(key)
            if told["state"] == DONE:
                raise TableError(409, "this report is finished")
            self._running = self._made[key] = self._begin(key, About.of_report(told), file)

    def _check_free(self) -> None:
        if self._running is not None and self._running.state == RUNNING:
            raise TableError(409, "a report is being made; wait for it or cancel it")

    def _begin(self, key: str, about: About, file: str) -> BackgroundCommand:
        """A report that has just begun, or goes on, in a folder of its own."""
        place = self.folder / key
        is_new = not place.exists()
        rules = f"{about.name}.yaml"
        words = ["report", "--ruleset", rules, "--quick", "--deals", str(about.deals), "--out", "."]
        words += ["--decisions", str(about.decisions)]  # 0 unless the designer wants it; see also `tunings`
        words += ["--agents", *about.players] if about.players else []
        told = {**about._asdict(), "begun": time.time_ns() // 1_000_000}  # milliseconds: several may begin in a minute

        def finish(worked: float) -> None:
            _write_about(place, told | {"took": round(worked)})

        try:
            place.mkdir(exist_ok=True)
            write_whole(place / rules, file.encode())
            _write_about(place, told | {"finished": False})
            return BackgroundCommand(COMMAND, words, place, finish)
        except OSError as error:
            if is_new:
                shutil.rmtree(place, ignore_errors=True)
            why = os.strerror(error.errno) if error.errno else "disk error"
            raise TableError(503, f"the report cannot be started: {why}") from None

    def list(self) -> list[dict[str, Any]]:
        """All reports, the latest first: key, name, base, deals, players, of, saved, changes, decisions, when it has `begun` in milliseconds
        and `at` which minute, state, and the seconds that its games and measurements `took`."""
        found = []
        for path in self.folder.iterdir():
            with contextlib.suppress(TableError):  # no report, or deleted at this moment
                found.append(self.look(path.name))
        return sorted(found, key=lambda one: (one["begun"], one["key"]), reverse=True)

    def look(self, key: str) -> dict[str, Any]:
        """One report, with its progress if it runs; `written` changes whenever its page does, 0 while there is none."""
        place = self._place(key)
        told = {"key": key, **_read_about(place / ABOUT)}
        is_finished = told.pop("finished")
        told["at"] = minute_of(told["begun"] // 1000) if told["begun"] else ""
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
        """The page of a report, of one that runs as far as it is known."""
        path = self._place(key) / PAGE
        if not path.is_file():
            raise TableError(404, "this report has no page yet")
        return path

    def rules(self, key: str) -> Path:
        """The ruleset file of a report, even if the report failed."""
        place = self._place(key)
        path = place / f"{_read_about(place / ABOUT)['name']}.yaml"
        if not path.is_file():
            raise TableError(410, "the rules of this report are gone")
        return path

    def start_again(self, key: str, deals: int, decisions: int = 0) -> str:
        """Begin a report on the same rules, on another number of deals or after training; returns its key."""
        file, told = text_of(self.rules(key)), self.look(key)
        return self.start(About.of_report(told, deals=deals, decisions=decisions), file)

    def cancel(self, key: str) -> None:
        """Stop a report that runs."""
        self._place(key)
        made = self._made.get(key)
        if made is None or not made.cancel():
            raise TableError(409, "this report is not being made")

    def delete(self, key: str) -> None:
        """Delete a report; one that runs is cancelled first."""
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
