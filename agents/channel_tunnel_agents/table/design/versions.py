"""Versions of a ruleset: one overlay file per name in a folder, written whole or not at all.

The files are ordinary ruleset files: `channel-tunnel report --ruleset FOLDER/NAME.yaml`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env import Ruleset, RulesetError
from channel_tunnel_env.outside.files import clear_parts, write_whole
from channel_tunnel_env.rulesets.overlay import base_of
from channel_tunnel_env.rulesets.ruleset import builtin_file, load_ruleset

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
MOST = 500


class Versions:
    """The versions in a folder.

    Raises:
        OSError: the folder cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        clear_parts(folder)

    def names(self) -> list[str]:
        """All names, the latest version first."""
        files = [path for path in self.folder.glob("*.yaml") if NAME.fullmatch(path.stem)]
        return [path.stem for path in sorted(files, key=_age)]

    def save(self, name: str, file: str, replace: bool) -> None:
        """Keep a version.

        Args:
            file: its overlay file.
            replace: whether a version of this name may be replaced.

        Raises:
            TableError: a name that cannot be used or is taken, or no room; nothing has changed.
        """
        path = self._path(name)
        if not path.exists() and len(self.names()) >= MOST:
            raise TableError(409, f"there are {MOST} versions; delete one first")
        try:
            write_whole(path, file.encode(), is_new=not replace)
        except FileExistsError:
            raise TableError(
                409, f"there is a version {name!r} already; save it again to replace it"
            ) from None
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else "disk error"
            raise TableError(
                503, f"{path.name} is not written, nothing was changed: {why}"
            ) from None

    def load(self, name: str) -> tuple[str, Ruleset]:
        """The name of a version's base, and its ruleset.

        Raises:
            TableError: there is none, or its file is broken; the sentence says where.
        """
        return read_rules(self._existing(name))

    def delete(self, name: str) -> None:
        """Delete a version.

        Raises:
            TableError: there is none, or it cannot be deleted.
        """
        path = self._existing(name)
        try:
            path.unlink()
        except OSError as error:
            raise TableError(503, f"{path.name} is not deleted: {error.strerror}") from None

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


def _age(path: Path) -> tuple[float, str]:
    try:
        return -path.stat().st_mtime, path.stem
    except OSError:
        return 0.0, path.stem
