"""The fields of a form: every figure of a ruleset with its value, range, unit and source.

Kinds of fields, and the JSON of their values:

    number   a whole number; null where `nullable`
    numbers  a list of whole numbers
    words    a list of words of the form `pattern`
    several  a list of some of `options`
    choice   one of `options`; `names` says what they are called
    switch   true or false
    spaces   {space: one of `options`}, the other spaces have nothing
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

from channel_tunnel_agents.table.design.game import designed, plain_words
from channel_tunnel_env import Ruleset
from channel_tunnel_env.faces.registry import words_of
from channel_tunnel_env.games import find_game
from channel_tunnel_env.rulesets.overlay import CARDS, NAMING_KEYS, any_row
from channel_tunnel_env.rulesets.ruleset import Provenance
from channel_tunnel_env.rulesets.settings import CARD_COLUMNS, words

FIXED_COLUMNS = ("card", "kind", "name")  # what a card is; another card is another file
NOTHING = Provenance("house")
WHOLE = "game"
"""The section of figures outside the file's sections."""
RULING = re.compile(r" \([A-D]\d\d(?: to [A-D]\d\d)?\)")
"""The number of a ruling in a note: for readers of the rules' documents."""


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
    sections = _with_the_whole(sections)
    names = {card["card"]: card["name"] for card in base.plain().get("deck", {}).get("cards", [])}
    return {
        "base": base.name,
        "game": base.spec.name,
        "title": base.data.title,
        "sections": [
            {"key": key, "title": "The game" if key == WHOLE else words(key), "fields": found}
            for key, found in sections.items()
        ],
        "cards": [{"card": key, "name": names[key], "fields": row} for key, row in cards.items()],
    }


def _with_the_whole(sections: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Collect figures that are the only ones of their sections in one section, which comes first; a single one stays."""
    alone = [key for key, found in sections.items() if [each["key"] for each in found] == [key]]
    if len(alone) < 2:
        return sections
    whole = [field for key in alone for field in sections[key]]
    return {WHOLE: whole, **{key: found for key, found in sections.items() if key not in alone}}


def fields_of(base: Ruleset) -> dict[str, Field]:
    """Every field of a ruleset's form, by key, in the order of the file."""
    schema = _schema(base.spec.name)
    return {found.key: found for found in _walk("", schema, base.plain(), base)}


@cache
def _schema(game: str) -> dict[str, Any]:
    return find_game(game).rules.model.model_json_schema()


def _resolve(node: dict[str, Any], base: Ruleset) -> dict[str, Any]:
    if "$ref" not in node:
        return node
    found: dict[str, Any] = _schema(base.spec.name)["$defs"][node["$ref"].split("/")[-1]]
    return found


def _walk(key: str, node: dict[str, Any], value: Any, base: Ruleset) -> Iterator[Field]:
    node = _resolve(node, base)
    if key in NAMING_KEYS or any(re.fullmatch(each, key) for each in designed(base).unsaid):
        return
    row = _resolve(node.get("additionalProperties") or {}, base)
    if key == CARDS:
        columns = _resolve(node["items"], base)["properties"]
        for card in value:
            for column in CARD_COLUMNS:
                if column not in FIXED_COLUMNS:
                    inner = f"{CARDS}.{card['card']}.{column}"
                    yield _field(inner, columns[column], card[column], base)
    elif "properties" in node:
        for name in value:
            inner = node["properties"][name]
            yield from _walk(f"{key}.{name}" if key else name, inner, value[name], base)
    elif "properties" in row:
        for name in value:
            yield from _walk(f"{key}.{name}", row, value[name], base)
    else:
        yield _field(key, node, value, base)


def _field(key: str, node: dict[str, Any], value: Any, base: Ruleset) -> Field:
    game = designed(base)
    kind, limits = _kind(node)
    if key in game.choices:
        kind, limits = "choice", {"options": game.choices[key](base)}
    if kind == "spaces":
        limits["last"] = _last_space(key, base)
    if "options" in limits:
        called = next((each for pattern, each in game.values.items() if re.fullmatch(pattern, key)), {})
        limits = limits | {"names": {str(o): called.get(str(o), plain_words(str(o))) for o in limits["options"]}}
    told = _provenance(key, base)
    unit = next((unit for pattern, unit in game.units if re.fullmatch(pattern, key)), "")
    of_rules = "" if key.startswith(CARDS) else words_of(base.spec).figure_in_words(key, value)
    sentence = of_rules or game.sentence(key, value, base)
    shown = {str(k): v for k, v in value.items()} if isinstance(value, dict) else value
    return Field(key, game.label(key), kind, shown, unit, sentence, told.source, RULING.sub("", told.why), limits)


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
            if kind == "choice":
                return "several", limits
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
    keys = [key, column] if key.startswith(f"{CARDS}.") else [*wholes, any_row(key)]
    return next((base.provenance[k] for k in keys if k in base.provenance), NOTHING)
