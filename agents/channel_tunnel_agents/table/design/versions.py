"""Versions of a ruleset: named overlay files in a folder, and every state in which each was ever saved.

    FOLDER/NAME.yaml                  as it was saved last
    FOLDER/earlier/NAME/00001.yaml    every saving, the last one included

Each file is written whole or not at all, and a saving gets a number of its own before it becomes the version: whoever
saves at once, in whatever process, loses nothing. The files are ordinary ruleset files:
`channel-tunnel report --ruleset FOLDER/NAME.yaml`.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import time
from pathlib import Path
from typing import NamedTuple

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env import Ruleset, RulesetError
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside.documents import need_mapping, read_yaml
from channel_tunnel_env.outside.files import clear_parts, write_whole
from channel_tunnel_env.rulesets.overlay import base_of
from channel_tunnel_env.rulesets.ruleset import builtin_file, load_ruleset

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
LONGEST = 40  # letters of a name
MOST = 500
EARLIER = "earlier"
SAVING = "{:05}.yaml"
MOST_SAVINGS = 2000  # of one version
COPIES = 999  # of one name


class Saving(NamedTuple):
    """A state of a version: its number, from 1, when it was saved, and whether it is the version now."""

    number: int
    at: str
    is_now: bool


class Versions:
    """The versions in a folder.

    Raises:
        OSError: the folder cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        for place in (folder, *(folder / EARLIER).glob("*")):
            clear_parts(place)

    def names(self) -> list[str]:
        """All names, the latest version first."""
        files = [path for path in self.folder.glob("*.yaml") if NAME.fullmatch(path.stem)]
        return [path.stem for path in sorted(files, key=_age)]

    def at(self, name: str) -> str:
        """When a version was saved."""
        return _when(self._existing(name))

    def base(self, name: str) -> str:
        """The name of a version's base; "" if its file is broken."""
        try:
            return str(base_of(self._existing(name)) or "")
        except (RulesetError, OSError):
            return ""

    def title(self, name: str) -> str:
        """The title in a version's file; "" if it has none or is broken."""
        try:
            content = need_mapping(read_yaml(self._existing(name)).content, name)
        except (DocumentError, OSError):
            return ""
        return str(content.get("title", ""))

    def free_name(self, wanted: str) -> str:
        """A name that no version has, as near to the wanted one as can be.

        Raises:
            TableError: there is none.
        """
        plain = re.sub(r"[^A-Za-z0-9_-]+", "-", wanted).strip("-_")[:LONGEST] or "version"
        for number in itertools.chain([1], range(2, COPIES)):
            end = "" if number == 1 else f"-{number}"
            name = f"{plain[: LONGEST - len(end)]}{end}"
            if builtin_file(name) is None and not self._path(name).exists():
                return name
        raise TableError(409, f"there are too many versions named {plain}")

    def save(self, name: str, file: str, replace: bool) -> int:
        """Keep a version; returns the number of this saving.

        Args:
            file: its overlay file.
            replace: whether there may be a version of this name; it can be gone back to.

        Raises:
            TableError: a name that cannot be used or is taken, or no room; nothing has changed.
        """
        path = self._path(name)
        if not path.exists() and len(self.names()) >= MOST:
            raise TableError(409, f"there are {MOST} versions; delete one first")
        content = file.encode()
        try:
            if not replace:
                return self._begin(path, content)
            self._keep_unnumbered(name)
            number = self._number(name, content)
            write_whole(path, content)
            return number
        except FileExistsError:
            raise TableError(
                409, f"there is a version {name!r} already; save it again to replace it"
            ) from None
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else "disk error"
            raise TableError(
                503, f"{path.name} is not written, nothing was changed: {why}"
            ) from None

    def savings(self, name: str) -> list[Saving]:
        """Every state of a version, the latest first; the one that it has now only once.

        Raises:
            TableError: there is no such version.
        """
        now = _content(self._existing(name))
        found, is_there = [], False
        for number, path in sorted(self._numbered(name).items(), reverse=True):
            is_now = not is_there and _content(path) == now
            is_there |= is_now
            found.append(Saving(number, _when(path), is_now))
        return found

    def load(self, name: str, number: int | None = None) -> tuple[str, Ruleset]:
        """The name of a version's base, and its ruleset.

        Args:
            number: of a saving; None: as the version is now.

        Raises:
            TableError: there is none, or its file is broken; the sentence says where.
        """
        return read_rules(self.file(name, number))

    def file(self, name: str, number: int | None = None) -> Path:
        """The file of a version, or of one of its savings.

        Raises:
            TableError: there is none.
        """
        path = self._existing(name)
        if number is None:
            return path
        found = self._numbered(name).get(number)
        if found is None:
            raise TableError(404, f"there is no saving {number} of {name!r} here")
        return found

    def go_back(self, name: str, number: int) -> int:
        """Make an earlier state the version again; returns the number of this saving.

        Raises:
            TableError: there is none, or no room; nothing has changed.
        """
        return self.save(name, self.file(name, number).read_text(encoding="utf-8"), True)

    def delete(self, name: str) -> None:
        """Delete a version with its earlier states.

        Raises:
            TableError: there is none, or it cannot be deleted.
        """
        path = self._existing(name)
        try:
            path.unlink()
            shutil.rmtree(self._place(name), ignore_errors=True)
        except OSError as error:
            raise TableError(503, f"{path.name} is not deleted: {error.strerror}") from None

    def _begin(self, path: Path, content: bytes) -> int:
        """Write a new version and number it; neither if either fails."""
        write_whole(path, content, is_new=True)
        try:
            return self._number(path.stem, content)
        except (OSError, TableError):
            path.unlink(missing_ok=True)
            raise

    def _keep_unnumbered(self, name: str) -> None:
        """Number what the version is now, if it is none of its savings: a file from before, or changed by hand."""
        now = _content(self._path(name))
        if now and not any(_content(path) == now for path in self._numbered(name).values()):
            self._number(name, now)

    def _number(self, name: str, content: bytes) -> int:
        """Keep a state under the next free number."""
        place = self._place(name)
        place.mkdir(parents=True, exist_ok=True)
        for number in range(max(self._numbered(name), default=0) + 1, MOST_SAVINGS):
            try:
                write_whole(place / SAVING.format(number), content, is_new=True)
            except FileExistsError:  # somebody else's saving
                continue
            return number
        raise TableError(409, f"{name!r} was saved {MOST_SAVINGS} times; save it under a new name")

    def _numbered(self, name: str) -> dict[int, Path]:
        return {
            int(path.stem): path
            for path in self._place(name).glob("*.yaml")
            if path.stem.isdecimal()
        }

    def _place(self, name: str) -> Path:
        return self.folder / EARLIER / check_name(name)

    def _path(self, name: str) -> Path:
        return self.folder / f"{check_name(name)}.yaml"

    def _existing(self, name: str) -> Path:
        path = self._path(name)
        if not path.is_file():
            raise TableError(404, f"there is no version {name!r} here")
        return path


def read_rules(path: Path) -> tuple[str, Ruleset]:
    """The name of the base of a ruleset file, and the ruleset.

    Raises:
        TableError: the file is broken; the sentence says where.
    """
    try:
        return str(base_of(path)), load_ruleset(path)
    except RulesetError as error:
        raise TableError(410, f"{path.name}: {error.problems[0]}") from None
    except OSError as error:
        raise TableError(503, f"{path.name} cannot be read: {error.strerror}") from None


def check_name(name: str) -> str:
    """A name for a version.

    Raises:
        TableError: it cannot be one.
    """
    if not NAME.fullmatch(name):
        raise TableError(
            400,
            f"name: {name[:60]!r}: allowed: up to 40 letters, digits, - and _, a letter or digit first",
        )
    if builtin_file(name) is not None:
        raise TableError(
            400, f"name: {name!r}: that is a ruleset of the package; take another name"
        )
    return name


def _content(path: Path) -> bytes:
    """What is in a file; nothing if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _when(path: Path) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
    except OSError:
        return ""


def _age(path: Path) -> tuple[float, str]:
    try:
        return -path.stat().st_mtime, path.stem
    except OSError:
        return 0.0, path.stem
