"""Versions of a ruleset: named overlay files in a folder, `FOLDER/NAME.yaml`.

Each file is written whole or not at all, and one that somebody else has saved meanwhile is not written over unasked. The
files are ordinary ruleset files: `channel-tunnel report --ruleset FOLDER/NAME.yaml`. Outside the page a draft is called by a version only
while it has that version's rules.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from pathlib import Path
from typing import NamedTuple

from channel_tunnel_agents.table.design.changes import RulesetDraft, differing
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env import Ruleset, RulesetError
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside.documents import WRITTEN, need_mapping, read_yaml
from channel_tunnel_env.outside.files import clear_parts, folder_lock, read_whole, write_whole
from channel_tunnel_env.rulesets.overlay import base_of
from channel_tunnel_env.rulesets.ruleset import builtin_file, load_ruleset

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
LONGEST = 40  # letters of a name
MOST = 500
COPIES = 999  # of one name
UNSAVED = "-unsaved"  # end of the name of rules that are not, or no longer, those of a version


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

    def at(self, name: str) -> str:
        """When a version was saved."""
        path = self.file(name)
        try:
            return minute_of(path.stat().st_mtime)
        except OSError:
            return ""

    def base(self, name: str) -> str:
        """The name of a version's base; "" if its file is broken."""
        try:
            return str(base_of(self.file(name)) or "")
        except (RulesetError, OSError):
            return ""

    def title(self, name: str) -> str:
        """The title in a version's file; "" if it has none or is broken."""
        try:
            content = need_mapping(read_yaml(self.file(name)).content, name)
        except (DocumentError, OSError):
            return ""
        return str(content.get("title", ""))

    def free_name(self, wanted: str) -> str:
        """A name that no version has, as near to the wanted one as can be."""
        plain = re.sub(r"[^A-Za-z0-9_-]+", "-", wanted).strip("-_")[:LONGEST] or "version"
        for number in range(1, COPIES):
            end = "" if number == 1 else f"-{number}"
            name = f"{plain[: LONGEST - len(end)]}{end}"
            if builtin_file(name) is None and not self._path(name).exists():
                return name
        raise TableError(409, f"there are too many versions named {plain}")

    def save(self, name: str, file: str, replace: bool, seen: str | None = None) -> str:
        """Keep a version; returns its state.

        Args:
            file: its overlay file.
            replace: whether there may be a version of this name.
            seen: the state that it was opened in; None: any.

        Raises:
            TableError: a name that cannot be used or is taken, saved by somebody else since then, or no room; nothing has
                changed.
        """
        path, content = self._path(name), file.encode()
        try:
            with folder_lock(self.folder):
                if not path.exists() and len(self.names()) >= MOST:
                    raise TableError(409, f"there are {MOST} versions; delete one first")
                if replace and seen is not None and path.exists() and self.state(name) != seen:
                    raise TableError(
                        409,
                        f"somebody else has saved {name!r} since you opened it; save it again to replace that, or take another name",
                    )
                write_whole(path, content, is_new=not replace)
            return _state_of(content)
        except FileExistsError:
            raise TableError(409, f"there is a version {name!r} already; save it again to replace it") from None
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else "disk error"
            raise TableError(503, f"{path.name} is not written, nothing was changed: {why}") from None

    def state(self, name: str) -> str:
        """What changes with every saving that changes something."""
        return _state_of(_content_of(self.file(name)))

    def load(self, name: str) -> tuple[str, Ruleset]:
        """The name of a version's base, and its ruleset."""
        return read_rules(self.file(name))

    def file(self, name: str) -> Path:
        """The file of a version."""
        path = self._path(name)
        if not path.is_file():
            raise TableError(404, f"there is no version {name!r} here")
        return path

    def text(self, name: str) -> str:
        """What is in the file of a version."""
        return text_of(self.file(name))

    def delete(self, name: str) -> None:
        """Delete a version."""
        path = self.file(name)
        try:
            path.unlink()
        except OSError as error:
            raise TableError(503, f"{path.name} is not deleted: {error.strerror}") from None

    def _path(self, name: str) -> Path:
        return self.folder / f"{check_name(name)}.yaml"


def read_rules(path: Path) -> tuple[str, Ruleset]:
    """The name of the base of a ruleset file, and the ruleset."""
    try:
        return str(base_of(path)), load_ruleset(path)
    except RulesetError as error:
        raise TableError(410, f"{path.name}: {error.problems[0]}") from None
    except OSError as error:
        raise TableError(503, f"{path.name} cannot be read: {error.strerror}") from None


def check_name(name: str) -> str:
    """A name for a version."""
    if not NAME.fullmatch(name):
        raise TableError(
            400, f"name: {name[:60]!r}: allowed: up to 40 letters, digits, - and _, a letter or digit first"
        )
    if builtin_file(name) is not None:
        raise TableError(400, f"name: {name!r}: that is a ruleset of the package; take another name")
    return name


class DraftName(NamedTuple):
    """The name of a draft's rules.

    Attributes:
        name: of the ruleset and its file.
        of: the version or the base whose unsaved changes they are; "" where the name says it all.
        saved: whether a version has these rules.
    """

    name: str
    of: str = ""
    saved: bool = False


def name_of_draft(versions: Versions, name: str, base: str, draft: RulesetDraft) -> DraftName:
    """What a draft is called, if somebody has typed a name for it.

    A name that no version has says nothing wrong.
    """
    if name not in versions.names():
        return DraftName(name)
    if versions.base(name) != base:
        return _unsaved(versions, base)
    return DraftName(name, "", True) if _has(versions, name, draft) else _unsaved(versions, name)


def _unsaved(versions: Versions, of: str) -> DraftName:
    return DraftName(versions.free_name(f"{of[: LONGEST - len(UNSAVED)]}{UNSAVED}"), of)


def _has(versions: Versions, name: str, draft: RulesetDraft) -> bool:
    """Whether a version has a draft's rules."""
    try:
        return not differing(versions.load(name)[1], draft.ruleset)
    except TableError:  # its file is broken
        return False


def text_of(path: Path) -> str:
    """What is in a ruleset file."""
    try:
        return _content_of(path).decode()
    except UnicodeDecodeError:
        raise TableError(410, f"{path.name}: not UTF-8") from None


def _content_of(path: Path) -> bytes:
    try:
        return read_whole(path, WRITTEN.size)
    except DocumentError as error:
        raise TableError(410, f"{path.name}: {error.problem}") from None
    except OSError as error:
        raise TableError(503, f"{path.name} cannot be read: {error.strerror}") from None


def _state_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def minute_of(seconds: float) -> str:
    """A moment as people write it here; an empty one if no calendar has it."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (OverflowError, ValueError, OSError):
        return ""


def _age(path: Path) -> tuple[float, str]:
    try:
        return -path.stat().st_mtime, path.stem
    except OSError:
        return 0.0, path.stem
