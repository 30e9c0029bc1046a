"""YAML and JSON input as plain values: all text files that the project reads come through here.

    text -> parse_yaml -> Document (values, and the position of each key)
    text -> parse_json -> values

Both limit size, depth and number of values. Both reject duplicate keys, non-finite numbers and
control characters in texts, and raise only `DocumentError`. In YAML, aliases and tags are rejected,
and so is what version 1.1 reads as a number and version 1.2 as another or as a text (`012`, `1:40`,
`1_0`, `0b11`).
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from reprlib import Repr
from typing import Any, NamedTuple

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside.files import KEPT_BYTES, read_whole
from channel_tunnel_env.outside.terminal import UNPRINTABLE, printable


@dataclass(frozen=True)
class Bounds:
    """How much a document may hold.

    Attributes:
        size: bytes.
        depth: nesting of lists and mappings.
        values: number of keys, numbers, texts, lists and mappings.
    """

    size: int
    depth: int = 40
    values: int = 20_000


WRITTEN = Bounds(1_000_000)
"""For files that people write: a ruleset has 16,000 bytes and 1,000 values."""
LINE = Bounds(4_000_000, values=1_000_000)
"""For one line of a record file: a long game has 20,000 bytes."""
SEAL = "seal"  # key of the seal of what our programs wrote
KEPT = Bounds(KEPT_BYTES, values=20_000_000)
"""For files that this project's programs write for themselves."""


class TextPlace(NamedTuple):
    """A position in a text; line and column count from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


KeyPath = tuple[Any, ...]


@dataclass(frozen=True)
class Document:
    """The content of a YAML text.

    Attributes:
        content: plain values; None if the text is empty.
        where: the file, or a description of the text.
        places: path of keys and list indices from the top -> position of the key or the item.
    """

    content: Any
    where: str
    places: dict[KeyPath, TextPlace] = field(default_factory=dict, repr=False)

    def place(self, path: Sequence[Any]) -> TextPlace | None:
        """The position of a path; if it is missing, that of its longest existing prefix."""
        known = (tuple(path[:end]) for end in range(len(path), 0, -1))
        return next((self.places[part] for part in known if part in self.places), None)

    def mapping(self, what: str = "the file") -> dict[Any, Any]:
        """The content as keys and values; an empty text gives an empty mapping.

        Raises:
            DocumentError: the content is not a mapping.
        """
        return need_mapping({} if self.content is None else self.content, self.where, what)


# --- words for messages and terminals -------------------------------------------------------------

MOST_ERRORS = 20  # shown per document
_MOST_QUOTED = 100  # characters
_DIGITS = 9  # of a number that a name or a key holds
_short = Repr()
_short.maxlevel, _short.maxstring, _short.maxother, _short.maxlong = 3, 70, 70, 40
_short.maxlist = _short.maxtuple = _short.maxdict = _short.maxset = 10


def quote(value: Any) -> str:
    """A value for a message: its repr, shortened before it is built."""
    try:
        text = _short.repr(value)
    except ValueError:  # a whole number of more digits than Python writes
        text = "a huge number"
    return shorten(text)


def shorten(text: Any) -> str:
    """A key or a name for a message, shortened."""
    text = str(text)
    return text if len(text) <= _MOST_QUOTED else f"{text[: _MOST_QUOTED - 3]}..."


def written_number(text: str) -> int | None:
    """A whole number from 0 to 999,999,999 in ASCII digits; None for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS else None


class StrictModel(BaseModel):
    """Base of the models read from files: frozen, strictly typed, rejects unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def describe_errors(error: ValidationError, describe: Callable[[Any], str]) -> list[str]:
    """One line per error of a model, at most `MOST_ERRORS`, then the number of further errors."""
    items = error.errors(include_url=False, include_context=False)
    more = [f"and {len(items) - MOST_ERRORS:,} more errors"] if len(items) > MOST_ERRORS else []
    return [*map(describe, items[:MOST_ERRORS]), *more]


def plain_errors(error: ValidationError, whole: str = "") -> list[str]:
    """`describe_errors` in pydantic's words, each behind the dotted key; `whole` names what has no key."""
    return describe_errors(error, lambda item: f"{'.'.join(map(str, item['loc'])) or whole}: {item['msg']}")


# --- reading --------------------------------------------------------------------------------------


def read_yaml(path: str | Path, bounds: Bounds = WRITTEN) -> Document:
    """Read a YAML file.

    Raises:
        DocumentError: not UTF-8, not YAML, or over the bounds; names file, line and column.
        OSError: the file cannot be read.
    """
    return parse_yaml(read_whole(path, bounds.size, pipes=True), str(path), bounds)


def read_json(path: str | Path, bounds: Bounds = KEPT) -> Any:
    """Read a JSON file.

    Raises:
        DocumentError, OSError: as for `read_yaml`.
    """
    return parse_json(read_whole(path, bounds.size), str(path), bounds)


def parse_yaml(text: str | bytes, where: str, bounds: Bounds = WRITTEN) -> Document:
    """Read a YAML text.

    Args:
        where: what messages call the text: a file, "the position".

    Raises:
        DocumentError: as for `read_yaml`.
    """
    builder = _Builder(where, bounds)
    text = _decode(text, where, bounds)
    try:
        for event in _events(text):
            builder.add(event)
    except DocumentError:
        raise
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise DocumentError(where, f"not valid YAML: {_describe_yaml(error, text)}") from None
    return Document(builder.root, where, builder.places)


def parse_json(text: str | bytes, where: str, bounds: Bounds = KEPT) -> Any:
    """Read a JSON text.

    Raises:
        DocumentError: as for `read_yaml`.
    """
    text = _decode(text, where, bounds)
    try:
        content = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_float=_finite, parse_int=_whole
        )
    except json.JSONDecodeError as error:
        is_line = "\n" not in text.rstrip("\n")
        place = f"column {error.colno}" if is_line else TextPlace(error.lineno, error.colno)
        raise DocumentError(where, f"not valid JSON: {place}: {error.msg}") from None
    except RecursionError:
        raise DocumentError(where, _too_deep(bounds)) from None
    except ValueError as error:
        raise DocumentError(where, f"not valid JSON: {error}") from None
    check_plain(content, where, bounds)
    return content


def seal_of(content: Mapping[str, Any]) -> str:
    """A digest of plain values, of everything but their own seal: 32 hex digits."""
    rest = {key: value for key, value in content.items() if key != SEAL}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()[:32]


def need_mapping(content: Any, where: str, what: str = "the file") -> dict[Any, Any]:
    """The content, which must be keys and values.

    Raises:
        DocumentError: the content is not a mapping.
    """
    if not isinstance(content, dict):
        problem = f"{quote(content)}: {what} must be a mapping of keys to values"
        raise DocumentError(where, problem)
    return content


def check_plain(content: Any, where: str, bounds: Bounds = WRITTEN) -> None:
    """Check bounds and control characters of plain values that do not come from a text.

    Raises:
        DocumentError: too deep, too many values, or control characters in a text.
    """
    level, depth, count = [content], 0, 0
    while level:
        if depth > bounds.depth:
            raise DocumentError(where, _too_deep(bounds))
        inner: list[Any] = []
        for value in level:
            count += 1
            if isinstance(value, dict):
                inner += value
                inner += value.values()
            elif isinstance(value, list | tuple):
                inner += value
            elif isinstance(value, str) and UNPRINTABLE.search(value):
                raise DocumentError(where, f"{quote(value)}: {_NO_CONTROLS}")
        if count + len(inner) > bounds.values:
            raise DocumentError(where, _too_many(bounds))
        level, depth = inner, depth + 1


_NO_CONTROLS = "control characters are not allowed in a text"


def _too_deep(bounds: Bounds) -> str:
    return f"nested more than {bounds.depth} deep"


def _too_many(bounds: Bounds) -> str:
    return f"more than {bounds.values:,} values"


def _decode(text: str | bytes, where: str, bounds: Bounds) -> str:
    if len(text) > bounds.size:
        raise DocumentError(where, f"larger than {bounds.size:,} bytes")
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(where, f"not valid UTF-8: byte {error.start}") from None


# --- JSON -----------------------------------------------------------------------------------------


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"duplicate key {quote(twice)}")
    return content


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is out of range")
    return number


# --- YAML -----------------------------------------------------------------------------------------

# The events of either parser; values are built here, so that the bounds are the same for both.
_LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
_TAGS = yaml.SafeLoader.yaml_implicit_resolvers
# Numbers as both versions of YAML read them.
_DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_REAL = re.compile(r"([-+]?[0-9]+\.[0-9]*|\.[0-9]+)([eE][-+][0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|nan)", re.IGNORECASE)
_MOST_DIGITS = 100
_UNSET = object()


def _events(text: str) -> Iterator[Any]:
    loader = _LOADER(text)
    try:
        while loader.check_event():
            yield loader.get_event()
    finally:
        loader.dispose()


def _place(mark: Any) -> TextPlace:
    return TextPlace(mark.line + 1, mark.column + 1)


def _describe_yaml(error: Exception, text: str) -> str:
    mark = getattr(error, "problem_mark", None)
    if mark and (tab := _tab_before(text, mark)):
        return f"{tab}: a tab; indent with spaces"
    what = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    context = getattr(error, "context", None)
    line = " ".join(f"{context + ', ' if context else ''}{what}".split())
    return printable(f"{_place(mark)}: {line}" if mark else line)


def _tab_before(text: str, mark: Any) -> TextPlace | None:
    """The place of a tab in the indentation of the line where reading stopped."""
    lines = text.split("\n")
    line = lines[mark.line] if mark.line < len(lines) else ""
    column = line[: len(line) - len(line.lstrip())].find("\t")
    return TextPlace(mark.line + 1, column + 1) if column >= 0 else None


class _Open:
    """A list or mapping that is being filled."""

    def __init__(self, path: KeyPath, holder: Any) -> None:
        self.path = path
        self.holder = holder
        self.key: Any = _UNSET


class _Builder:
    """Plain values from the events of a YAML parser, without recursion."""

    def __init__(self, where: str, bounds: Bounds) -> None:
        self.where = where
        self.bounds = bounds
        self.root: Any = None
        self.places: dict[KeyPath, TextPlace] = {}
        self._open: list[_Open] = []
        self._count = 0
        self._documents = 0

    def add(self, event: Any) -> None:
        """Take the next event.

        Raises:
            DocumentError: the event leads to something that is not allowed.
        """
        place = _place(event.start_mark)
        if isinstance(event, yaml.AliasEvent):
            raise self._error(place, f"alias *{event.anchor}: aliases are not allowed; write the values out")
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise self._error(place, "a second document; one is expected")
        elif isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()
        elif isinstance(event, yaml.NodeEvent):
            self._add_node(event, place)

    def _add_node(self, event: Any, place: TextPlace) -> None:
        if event.tag is not None:
            raise self._error(place, f"tag {quote(event.tag)}: YAML tags are not allowed")
        self._count += 1
        if self._count > self.bounds.values:
            raise self._error(place, _too_many(self.bounds))
        if isinstance(event, yaml.ScalarEvent):
            self._attach(self._scalar(event, place), place)
            return
        if len(self._open) >= self.bounds.depth:
            raise self._error(place, _too_deep(self.bounds))
        holder: Any = [] if isinstance(event, yaml.SequenceStartEvent) else {}
        self._open.append(_Open(self._attach(holder, place), holder))

    def _attach(self, value: Any, place: TextPlace) -> KeyPath:
        """Store a value as the next item or value; returns its path."""
        if not self._open:
            self.root = value
            return ()
        into = self._open[-1]
        if isinstance(into.holder, list):
            path = (*into.path, len(into.holder))
            self.places[path] = place
            into.holder.append(value)
        elif into.key is _UNSET:
            path = self._open_key(into, value, place)
        else:
            path = (*into.path, into.key)
            into.holder[into.key] = value
            into.key = _UNSET
        return path

    def _open_key(self, into: _Open, key: Any, place: TextPlace) -> KeyPath:
        if isinstance(key, list | dict):
            raise self._error(place, "a list or mapping as a key: a key must be a text or a number")
        path = (*into.path, key)
        if key in into.holder:
            first = self.places[path]
            raise self._error(place, f"duplicate key {quote(key)}, first in line {first.line}")
        self.places[path] = place
        into.key = key
        return path

    def _scalar(self, event: Any, place: TextPlace) -> Any:
        text = str(event.value)
        if UNPRINTABLE.search(text):
            raise self._error(place, f"{quote(text)}: {_NO_CONTROLS}")
        if not event.implicit[0]:  # in quotes
            return text
        try:
            return _plain_scalar(text)
        except ValueError as error:
            raise self._error(place, f"{quote(text)}: {error}") from None

    def _error(self, place: TextPlace, problem: str) -> DocumentError:
        return DocumentError(self.where, f"{place}: {problem}")


def _plain_scalar(text: str) -> Any:
    """The value of an unquoted scalar; dates stay texts.

    Raises:
        ValueError: a number that is not finite, too long, or read differently by YAML 1.1 and 1.2.
    """
    match _tag(text):
        case "null":
            return None
        case "bool":
            return yaml.SafeLoader.bool_values[text.lower()]
        case "int" | "float":
            return _number(text)
    return text


def _tag(text: str) -> str:
    kinds: Iterable[tuple[str, Any]] = (*_TAGS.get(text[:1], ()), *_TAGS.get(None, ()))
    return next((tag.rpartition(":")[2] for tag, form in kinds if form.match(text)), "str")


def _number(text: str) -> int | float:
    if _DECIMAL.fullmatch(text):
        return _whole(text)
    if _HEXADECIMAL.fullmatch(text):
        return _whole(text, 16)
    if _REAL.fullmatch(text):
        return _finite(text)
    if _NOT_FINITE.fullmatch(text):
        raise ValueError("a number must be finite")
    raise ValueError(
        "YAML 1.1 and 1.2 read this number differently; write it as a decimal without a leading "
        "zero, underscores or colons, or in quotes for a text"
    )


def _whole(text: str, base: int = 10) -> int:
    if len(text) > _MOST_DIGITS:
        raise ValueError(f"a number of more than {_MOST_DIGITS} digits")
    return int(text, base)
