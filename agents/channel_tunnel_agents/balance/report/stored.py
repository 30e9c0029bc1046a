"""A page as a small file: what it says and its drawings, without the games, from which it is painted again.

    python -m channel_tunnel_agents.balance.report.stored docs/reports build/reports    # paint all of a folder

The sample reports of the site are kept so. `write_report` gives the page of a folder that holds a report's games, which
takes seconds; `keep_page` stores it.
"""

from __future__ import annotations

import gzip
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any

from channel_tunnel_agents.balance.report import page as parts
from channel_tunnel_agents.balance.report.numbers import Number, known
from channel_tunnel_agents.balance.report.page import Page
from channel_tunnel_agents.balance.report.plain.parts import Bar, ChangeToTry, Coins, OnceMore, PlainAnswer
from channel_tunnel_agents.balance.report.render import render
from channel_tunnel_env import VersionError
from channel_tunnel_env.outside.documents import need_mapping, parse_json, quote
from channel_tunnel_env.outside.files import KEPT_BYTES, read_gzip, write_whole

VERSION = 3
"""Raised when the parts of a page change so that stored ones cannot be read."""
SUFFIX = ".json.gz"
IS = "is"  # names the part that a mapping stands for
_ITEMS = (parts.Table, parts.Chart, parts.Words, parts.Tree, parts.Gallery)
_PARTS: Mapping[str, type] = {item.kind: item for item in _ITEMS} | {
    "page": Page,
    "section": parts.PageSection,
    "data": parts.Data,
    "download": parts.Download,
    "branch": parts.Branch,
    "drawing": parts.Drawing,
    "number": Number,
    "plain": PlainAnswer,
    "coins": Coins,
    "bar": Bar,
    "try": ChangeToTry,
    "more": OnceMore,
}
_NAMES = {part: name for name, part in _PARTS.items()}


def keep_page(page: Page, path: Path) -> None:
    """Store a page; the same page gives the same bytes.

    Raises:
        OSError: no space or no permission.
    """
    content = {"version": VERSION, "page": _packed(page)}
    text = json.dumps(content, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    write_whole(path, gzip.compress(text.encode(), mtime=0))


def kept_page(path: Path) -> Page:
    """Read a stored page.

    Raises:
        VersionError: it was stored by another version of this module, or is no page.
        DocumentError: it was not stored here.
        OSError: no such file.
    """
    where = str(path)
    content = need_mapping(parse_json(read_gzip(path, KEPT_BYTES), where), where)
    if content.get("version") != VERSION:
        raise VersionError(f"{path}: version {quote(content.get('version'))} of stored pages; this is {VERSION}")
    try:
        page = _unpacked(content.get("page"))
    except (TypeError, KeyError) as error:  # a part of other fields
        raise VersionError(f"{path}: not a stored page: {error}") from None
    if not isinstance(page, Page):
        raise VersionError(f"{path}: not a stored page: {quote(content.get('page'))}")
    return page


def paint_pages(folder: Path) -> dict[str, str]:
    """Every page of a folder as HTML, by the name of its file."""
    return {
        f"report-{path.name.removesuffix(SUFFIX)}.html": render(kept_page(path))
        for path in sorted(folder.glob(f"*{SUFFIX}"))
    }


def _packed(value: Any) -> Any:
    """As JSON values; a part without the fields that are as usual."""
    if is_dataclass(value) and not isinstance(value, type):
        own = {field.name: getattr(value, field.name) for field in fields(value)}
        usual = {field.name: field.default for field in fields(value)}
        kept = {k: _packed(v) for k, v in own.items() if usual[k] is MISSING or bool(v != usual[k])}
        return {IS: _NAMES[type(value)], **kept}
    if isinstance(value, Mapping):
        return {key: _packed(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_packed(each) for each in value]
    return known(value)


def _unpacked(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_unpacked(each) for each in value)
    if not isinstance(value, dict):
        return value
    part = _PARTS.get(str(value.get(IS)))
    if part is None:
        return {key: _unpacked(each) for key, each in value.items()}
    as_it_is = {"content"} if part is parts.Download else set()  # a file of its own, such as a record
    own = {k: each if k in as_it_is else _unpacked(each) for k, each in value.items() if k != IS}
    if part is Number:
        own |= {end: math.nan for end in ("value", "low", "high") if own[end] is None}
    return part(**own)


def main(words: list[str]) -> int:
    """Paint the pages of a folder into another."""
    source, out = map(Path, words)
    out.mkdir(parents=True, exist_ok=True)
    for name, text in paint_pages(source).items():
        write_whole(out / name, text.encode())
        print(out / name)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
