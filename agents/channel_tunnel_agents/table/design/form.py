"""The fields of a form: every figure of a ruleset with its value, range, unit and source.

Kinds of fields, and the JSON of their values:

    number   a whole number; null where `nullable`
    numbers  a list of whole numbers
    words    a list of words of the form `pattern`
    choice   one of `options`
    switch   true or false
    spaces   {space: one of `options`}, the other spaces have nothing
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.tunnel_1987.board.words import plain, title
from channel_tunnel_env.games.tunnel_1987.engine.constants import SEATS
from channel_tunnel_env.games.tunnel_1987.rule_changes import CARDS, UNSAID, figure_in_words
from channel_tunnel_env.games.tunnel_1987.ruleset import RulesetData
from channel_tunnel_env.rulesets.overlay import NAMING_KEYS
from channel_tunnel_env.rulesets.ruleset import Provenance
from channel_tunnel_env.rulesets.settings import CARD_COLUMNS, words

FIXED_COLUMNS = ("card", "kind", "name")  # what a card is; another card is another file
UNITS = (
    (r"barriers\..*|extra_finance|.*\.money", "million"),
    (r"discs\..*", "discs"),
    (r"route\..*|storage\..*", "spaces"),
    (r"barrier_spaces\..*", "spaces behind the barriers"),
    (r"rubble\..*", "tokens"),
    (r"track_points\..*", "points, space by space from 0"),
    (r"deviation\.penalties", "points lost, level by level from 0"),
    (r"deviation\.limit", "levels"),
    (r"deviation\..*", "cards"),
    (r"scoring\.european_speech_per", "influence cards"),
    (r"scoring\.topographical_analysis", "points, by number of colours from 0"),
    (r"scoring\..*|agenda\.points\..*|.*\.points", "points"),
    (r"limits\..*", "rounds"),
)
NOTHING = Provenance("house")


@dataclass(frozen=True)
class Field:
    """A field of the form; `value` is that of the base."""

    key: str
    label: str
    kind: str
    value: Any
    unit: str = ""
    sentence: str = ""
    source: str = ""
    why: str = ""
    limits: dict[str, Any] = field(default_factory=dict)


def form_of(base: Ruleset) -> dict[str, Any]:
    """The form of a ruleset: sections of fields, and the cards as a table."""
    fields = fields_of(base)
    sections: dict[str, list[dict[str, Any]]] = {}
    cards: dict[str, dict[str, Any]] = {}
    for found in fields.values():
        if found.key.startswith(f"{CARDS}."):
            cards.setdefault(found.key.split(".")[2], {})[found.key.split(".")[3]] = asdict(found)
        else:
            sections.setdefault(found.key.split(".")[0], []).append(asdict(found))
    names = {card.card: card.name for card in base.data.deck.cards}
    return {
        "base": base.name,
        "title": base.data.title,
        "sections": [
            {"key": key, "title": words(key), "fields": found} for key, found in sections.items()
        ],
        "cards": [{"card": key, "name": names[key], "fields": row} for key, row in cards.items()],
    }


def fields_of(base: Ruleset) -> dict[str, Field]:
    """Every field of a ruleset's form, by key, in the order of the file."""
    return {found.key: found for found in _walk("", _schema(), base.plain(), base)}


@cache
def _schema() -> dict[str, Any]:
    return RulesetData.model_json_schema()


def _resolve(node: dict[str, Any]) -> dict[str, Any]:
    return _schema()["$defs"][node["$ref"].split("/")[-1]] if "$ref" in node else node


def _walk(key: str, node: dict[str, Any], value: Any, base: Ruleset) -> Iterator[Field]:
    node = _resolve(node)
    if key in NAMING_KEYS or key in UNSAID:
        return
    if key == CARDS:
        columns = _resolve(node["items"])["properties"]
        for card in value:
            for column in CARD_COLUMNS:
                if column not in FIXED_COLUMNS:
                    inner = f"{CARDS}.{card['card']}.{column}"
                    yield _field(inner, columns[column], card[column], base)
    elif "properties" in node:
        for name in value:
            inner = node["properties"][name]
            yield from _walk(f"{key}.{name}" if key else name, inner, value[name], base)
    else:
        yield _field(key, node, value, base)


def _field(key: str, node: dict[str, Any], value: Any, base: Ruleset) -> Field:
    kind, limits = _kind(node)
    if kind == "spaces":
        limits["last"] = _last_space(key, base)
    told = _provenance(key, base)
    unit = next((unit for pattern, unit in UNITS if re.fullmatch(pattern, key)), "")
    sentence = "" if key.startswith(CARDS) else figure_in_words(key, value)
    shown = {str(k): v for k, v in value.items()} if isinstance(value, dict) else value
    return Field(key, _label(key), kind, shown, unit, sentence, told.source, told.why, limits)


def _last_space(key: str, base: Ruleset) -> int:
    """The last space of the track that a key of benefits names."""
    _, side, track = key.split(".")
    return len(getattr(getattr(base.data.track_points, side), track)) - 1


def _kind(node: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The kind of a figure, and what its schema allows."""
    if "anyOf" in node:
        inner = next(one for one in node["anyOf"] if one.get("type") != "null")
        kind, limits = _kind(inner)
        return kind, limits | {"nullable": True}
    if "enum" in node:
        return "choice", {"options": node["enum"]}
    match node["type"]:
        case "boolean":
            return "switch", {}
        case "array":
            kind, limits = _kind(node["items"])
            sizes = {"least": node.get("minItems", 0), "most": node.get("maxItems", 99)}
            return ("numbers" if kind == "number" else "words"), limits | sizes
        case "object":
            return "spaces", _kind(node["additionalProperties"])[1]
        case "string":
            return "word", {"pattern": node.get("pattern", "")}
    return "number", {"min": node["minimum"], "max": node["maximum"]}


def _provenance(key: str, base: Ruleset) -> Provenance:
    """Where a figure comes from; a card's column and a list have one source as a whole."""
    parts = key.split(".")
    wholes = [".".join(parts[:end]) for end in range(len(parts), 0, -1)]
    column = f"{CARDS}.*.{parts[-1]}"
    keys = [key, column] if key.startswith(f"{CARDS}.") else wholes
    return next((base.provenance[k] for k in keys if k in base.provenance), NOTHING)


def _label(key: str) -> str:
    """The end of a key in words: "France, track a"."""
    first, *rest = key.split(".")
    parts = rest or [first]
    told = [
        title(part) if part in SEATS else f"track {part}" if part in ("a", "b") else plain(part)
        for part in parts
    ]
    label = ", ".join(told)
    return label[0].upper() + label[1:]
