"""Ruleset files: finding them, reading them, and merging them over their bases as plain values.

`ruleset` validates the result. Every error names the position of its key in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from channel_tunnel_env.errors import DocumentError, RulesetError
from channel_tunnel_env.games import DEFAULT_GAME, plugin_cache, ruleset_folder, ruleset_folders
from channel_tunnel_env.outside.documents import (
    Document,
    TextPlace,
    check_plain,
    quote,
    read_yaml,
    shorten,
    written_number,
)
from channel_tunnel_env.outside.hints import did_you_mean, or_known

RULESET_FOLDER = ruleset_folder(DEFAULT_GAME)
SOURCES = ("rulebook", "review", "reconstructed", "house")
FIGURE_KEYS = ("value", "source", "why")
# Keys that name the ruleset and its game, which are no figures: a new title is the same game.
NAMING_KEYS = ("game", "name", "title")
MOST_BASES = 20
CARDS = "deck.cards"
# Where a file says of each column of a table where its figures come from -> the table.
COLUMNS = {"deck.columns": CARDS, "tiles.columns": "tiles"}


@dataclass(frozen=True)
class Provenance:
    """Where a value comes from.

    Attributes:
        source: one of "rulebook", "review", "reconstructed", "house".
        why: a reason in words; "" if there is none.
    """

    source: str
    why: str = ""


def builtin_rulesets(game: str = DEFAULT_GAME) -> list[str]:
    """Names of a game's built-in rulesets."""
    return list(_builtin_names(ruleset_folder(game)))


@plugin_cache
def _builtin_names(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder.glob("*.yaml")))


def builtin_file(name: str | Path) -> Path | None:
    """The file of a built-in ruleset of any game; None if no ruleset has that name."""
    for folder in ruleset_folders().values():
        if str(name) in _builtin_names(folder):
            return folder / f"{name}.yaml"
    return None


def find_ruleset(name: str | Path, folder: Path) -> Path:
    """The file of a built-in ruleset, or a file by its path relative to `folder`.

    Raises:
        RulesetError: there is no such file.
    """
    builtin = builtin_file(name)
    if builtin is not None:
        return builtin
    path = folder / name
    if _is_file(path):
        return path
    known = [name for game in ruleset_folders() for name in builtin_rulesets(game)]
    near = [file.name for file in folder.glob("*.y*ml") if file.stem == Path(name).stem]
    hint = f"; did you mean {near[0]!r}? Known: {', '.join(known)}" if near else or_known(name, known)
    raise RulesetError(_short(name), [f"no such file, and no ruleset of that name{hint}"])


def base_of(name: str | Path) -> str | None:
    """What a ruleset is laid over: a built-in name or a path; None if it states every figure itself.

    Raises:
        RulesetError: there is no such ruleset, or its file or its base cannot be read.
    """
    path = find_ruleset(name, Path.cwd())
    base = _read(path).content.get("base")
    if base is None:
        return None
    name = str(base)
    return name if builtin_file(name) else str(find_ruleset(name, path.parent))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long for a file name, or contains a null character
        return False


def _short(name: str | Path) -> str:
    text = quote(str(name))
    return str(name) if text == repr(str(name)) else text


@dataclass
class Overlay:
    """A file's values merged over those of its bases.

    Attributes:
        where: the file, for messages.
        plain: the values, not validated yet.
        provenance: dotted key -> where that figure comes from.
        problems: one line per error found so far.
    """

    where: str
    plain: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, Provenance] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    _origins: dict[str, Document] = field(default_factory=dict)
    _told: dict[str, Document] = field(default_factory=dict)  # column of a table -> who says its source

    @classmethod
    def read(cls, path: Path) -> Overlay:
        """Read an overlay from a file.

        Raises:
            RulesetError: the file or a base cannot be read.
        """
        overlay = cls(str(path))
        overlay._lay(_read(path), (path,))
        return overlay

    @classmethod
    def of(cls, content: dict[str, Any]) -> Overlay:
        """Make an overlay from values; a base is looked up in the folder of the built-in rulesets.

        Numbers as keys may be text, as in JSON, which has no others: a track's spaces are numbered.

        Raises:
            RulesetError: more values or deeper nesting than a file may have, or a base cannot be
                read.
        """
        where = "ruleset"
        try:
            check_plain(content, where)
        except DocumentError as error:
            raise RulesetError(where, [error.problem]) from None
        overlay = cls(where)
        overlay._lay(Document(_with_number_keys(content), where), ())
        return overlay

    def locate(self, key: Sequence[str]) -> str:
        """The position of a key's figure, as the beginning of a message; "" if from no file."""
        for end in range(len(key), 0, -1):
            document = self._origins.get(".".join(key[:end]))
            if document is not None:
                return self._at(document, key)
        return ""

    # --- reading --------------------------------------------------------------------------------

    def _lay(self, document: Document, seen: tuple[Path, ...]) -> None:
        """Merge a file's values over those of its base, which is read first."""
        overlay = dict(document.content)
        base = overlay.pop("base", None)
        if base is not None:
            folder = seen[-1].parent if seen else RULESET_FOLDER
            path = self._find_base(base, document, folder, seen)
            self._lay(_read(path), (*seen, path))
        below = self.plain.get("name")  # of the base
        overlay.setdefault("name", _default_name(seen[-1].stem if seen else None, below))
        overlay.setdefault("title", changed_title(overlay["name"], below))
        self.plain = self._merge(self.plain, overlay, "", document)

    def _find_base(self, base: Any, document: Document, folder: Path, seen: tuple[Path, ...]) -> Path:
        place = self._at(document, ["base"])
        if not isinstance(base, str):
            problem = f"{quote(base)}: allowed: a ruleset's name or a file in the same folder"
        elif len(seen) >= MOST_BASES:
            problem = f"{quote(base)}: more than {MOST_BASES} files on top of each other"
        else:
            try:
                path = find_ruleset(base, folder)
            except RulesetError as error:
                problem = f"{quote(base)}: {error.problems[0]}"
            else:
                if path not in seen:
                    return path
                problem = f"{quote(base)}: its bases form a cycle"
        raise RulesetError(self.where, [f"{place}base: {problem}"])

    # --- overlaying -----------------------------------------------------------------------------

    def _merge(self, base: Any, over: Any, key: str, document: Document) -> Any:
        """`over` merged over `base`; figures are unwrapped and their provenance is kept."""
        if isinstance(over, dict) and "value" in over:
            self._origins[key] = document
            self.provenance[key] = self._note(over, key, document)
            return over["value"]
        if key == CARDS and isinstance(over, dict) and isinstance(base, list):
            return self._merge_cards(base, over, document)
        if isinstance(over, dict) and (isinstance(base, dict) or base is None) and key not in self.provenance:
            return self._merge_section(base or {}, over, key, document)
        self._origins[key] = document
        told_by_columns = base is None and (key == CARDS or self._told.get(any_row(key)) is document)
        if key not in NAMING_KEYS and not told_by_columns:
            self.provenance[key] = Provenance("house")
        return over

    def _merge_section(
        self, base: dict[str, Any], over: dict[Any, Any], key: str, document: Document
    ) -> dict[str, Any]:
        result = dict(base)
        if key:
            self._origins.setdefault(key, document)
        inner = {name: f"{key}.{name}" if key else str(name) for name in over}
        for name in sorted(over, key=lambda name: inner[name] not in COLUMNS):  # columns first
            if inner[name] in COLUMNS:
                self._read_columns(inner[name], over[name], document)
            else:
                result[name] = self._merge(result.get(name), over[name], inner[name], document)
        return result

    def _merge_cards(self, base: list[Any], over: dict[Any, Any], document: Document) -> list[Any]:
        """Change cards by key: `deck: {cards: {influence_spain: {points: 3}}}`."""
        cards = [dict(card) if isinstance(card, dict) else card for card in base]
        by_key = {str(card.get("card")): card for card in cards if isinstance(card, dict)}
        for name, changes in over.items():
            key = f"{CARDS}.{name}"
            if name not in by_key:
                self._complain(document, key, f"unknown card{did_you_mean(name, by_key)}")
                continue
            if not isinstance(changes, dict):
                self._complain(document, key, f"{quote(changes)}: a mapping of the figures to change")
                continue
            for column, value in changes.items():
                by_key[name][column] = self._merge(None, value, f"{key}.{column}", document)
        return cards

    def _read_columns(self, where: str, columns: Any, document: Document) -> None:
        """Where each column of a table comes from."""
        if not isinstance(columns, dict):
            wanted = "a mapping of columns to source and why"
            self._complain(document, where, f"{quote(columns)}: allowed: {wanted}")
            return
        for column, note in columns.items():
            key = f"{where}.{column}"
            if isinstance(note, dict):
                row = f"{COLUMNS[where]}.*.{column}"
                self.provenance[row] = self._note(note, key, document)
                self._told[row] = document
            else:
                self._complain(document, key, f"{quote(note)}: allowed: source and why")

    def _note(self, figure: dict[Any, Any], key: str, document: Document) -> Provenance:
        """Source and reason of a figure."""
        unknown = [name for name in figure if name not in FIGURE_KEYS]
        if unknown:
            problem = f"unknown key {quote(unknown)}; a figure has value, source, why"
            self._complain(document, key, problem)
        source, why = figure.get("source", "house"), figure.get("why", "")
        if source not in SOURCES:
            problem = f"{quote(source)}: allowed: {', '.join(SOURCES)}"
            self._complain(document, f"{key}.source", problem)
        if not isinstance(why, str):
            self._complain(document, f"{key}.why", f"{quote(why)}: allowed: text")
        return Provenance(str(source)[:100], why if isinstance(why, str) else "")

    # --- places ---------------------------------------------------------------------------------

    def _complain(self, document: Document, key: str, problem: str) -> None:
        self.problems.append(f"{self._at(document, key.split('.'))}{shorten(key)}: {problem}")

    def _at(self, document: Document, key: Iterable[str]) -> str:
        place = _place_of(document, key)
        if place is None:
            return ""
        other = "" if document.where == self.where else f" of {Path(document.where).name}"
        return f"{place}{other}: "


def any_row(key: str) -> str:
    """The key of a figure in a table with its row left open: "tiles.*.count" for "tiles.D.count"."""
    return re.sub(r"\.[^.]+(\.[^.]+)$", r".*\1", key)


def _read(path: Path) -> Document:
    try:
        document = read_yaml(path)
        return replace(document, content=document.mapping("a ruleset file"))
    except DocumentError as error:
        raise RulesetError(str(path), [error.problem]) from None


def changed_name(base: str) -> str:
    """The default name of a changed ruleset."""
    return f"{base.removesuffix('-changed')}-changed"


def changed_title(name: Any, base: Any) -> str:
    """The default title of a ruleset."""
    return str(name) if base is None else f"{name}: changed from {base}"


def _default_name(stem: str | None, base: Any) -> str:
    """The default name of a ruleset: that of its file, else its base's with a mark."""
    if stem is None:
        return changed_name(str(base)) if base else "ruleset"
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", stem).strip("-_.") or "ruleset"
    return changed_name(name) if builtin_file(name) else name


def _place_of(document: Document, key: Iterable[str]) -> TextPlace | None:
    """The position of a dotted key in a file, or of its longest existing prefix."""
    node, path = document.content, []
    for part in key:
        step = _step(node, part)
        if step is None and isinstance(node, dict) and "value" in node:
            node = node["value"]
            path.append("value")
            step = _step(node, part)
        if step is None:
            break
        node = node[step]
        path.append(step)
    return document.place(path)


def _step(node: Any, part: str) -> Any:
    """The key or index for one part of a dotted key; cards are named by their key."""
    if isinstance(node, dict):
        return next((name for name in node if str(name) == part), None)
    if isinstance(node, list):
        names = [card.get("card") if isinstance(card, dict) else None for card in node]
        if part in names:
            return names.index(part)
        index = written_number(part)
        return index if index is not None and index < len(node) else None
    return None


def _with_number_keys(node: Any) -> Any:
    """Text keys as the numbers that they write, unless the number is a key as well, which is one too many."""
    if isinstance(node, dict):
        return {_number_key(key, node): _with_number_keys(value) for key, value in node.items()}
    return [_with_number_keys(value) for value in node] if isinstance(node, list) else node


def _number_key(key: Any, node: dict[Any, Any]) -> Any:
    number = written_number(key) if isinstance(key, str) else None
    return key if number is None or number in node else number
