"""`adjudicate POSITION ORDERS`: a phase of Eurotunnel Diplomacy from a position and written orders."""

from __future__ import annotations

import codecs
import json
import sys
from pathlib import Path
from typing import Annotated, Any

import tyro
import yaml

from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.faces.registry import orders_of
from channel_tunnel_env.faces.terminal import folded_lines
from channel_tunnel_env.outside.documents import WRITTEN
from channel_tunnel_env.outside.files import read_whole
from channel_tunnel_env.records.positions import position_file, position_rules

USUAL = "eurotunnel"
"""The ruleset of a position that names none."""
MOST = WRITTEN.size  # bytes of written orders


def adjudicate(
    position: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="POSITION")],
    orders: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="ORDERS")],
    ruleset: str | None = None,
    out: Path | None = None,
    as_json: bool = False,
) -> int:
    """Adjudicate a phase of Eurotunnel Diplomacy: show what every unit did, and what comes next.

    The exit status is 1 if a line of the orders was refused; the other lines count all the same.

    For example:
        printf 'save spring.yaml\\nquit\\n' | channel-tunnel play eurotunnel
        printf 'FRANCE\\nA PAR - BUR\\n' | channel-tunnel adjudicate spring.yaml -

    Args:
        position: YAML, as `save` in the terminal and `to_position` write it.
        orders: a text, one order in a line, under the name of its power; "-" reads standard input.
        ruleset: replaces the one that the position names; if neither names one, eurotunnel.
        out: write the next position to this file.
        as_json: print everything as one JSON object.
    """
    with position_file(position) as before:
        face = orders_of(position_rules(before, ruleset, usual=USUAL).spec)
        result = face.adjudicate(before, orders_in(orders), ruleset=ruleset)
    if out is not None:
        text = yaml.safe_dump(result["position"], sort_keys=False, allow_unicode=True)
        out.write_text(text, encoding="utf-8")
    if as_json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        print(folded_lines(face.outcome_lines(str(before["phase"]), result)))
    return 1 if result["unread"] else 0


def orders_in(path: Path) -> str:
    """A text in UTF-8, in UTF-16 with its mark, or else in the usual code of Windows.

    Raises:
        DocumentError, OSError: as `read_whole`.
    """
    content: Any = _standard_input() if str(path) == "-" else read_whole(path, MOST, pipes=True)
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return str(content.decode("utf-16", "replace"))
    try:
        return str(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return str(content.decode("cp1252", "replace"))


def _standard_input() -> bytes:
    content = sys.stdin.buffer.read(MOST + 1)
    if len(content) > MOST:
        raise DocumentError("standard input", f"larger than {MOST:,} bytes")
    return content
