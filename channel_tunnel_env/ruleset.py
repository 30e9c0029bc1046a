"""Rulesets: read, lay over their base, validate, name and digest.

    rulesets/*.yaml -> load_ruleset -> Ruleset (plain values + where each comes from)

A designer's file is an overlay: `base:` plus only what it changes.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from channel_tunnel_env.errors import RulesetError
from channel_tunnel_env.ruleset_schema import RulesetData, check_consistency

RULESET_FOLDER = Path(__file__).parent / "rulesets"
SOURCES = ("rulebook", "review", "reconstructed", "house")
FIGURE_KEYS = {"value", "source", "why"}
# Keys that describe the file or the game's name, not its rules: another title is the same game.
NAMING_KEYS = ("name", "title")


@dataclass(frozen=True)
class Provenance:
    """Where a figure comes from."""

    source: str
    why: str = ""


@dataclass(frozen=True, eq=False)
class Ruleset:
    """One complete, valid set of rules.

    Attributes:
        data: every value, typed.
        provenance: dotted key -> where that figure comes from.
    """

    data: RulesetData
    provenance: dict[str, Provenance] = field(repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and self.data == other.data

    def __hash__(self) -> int:
        return hash((self.name, self.digest))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.plain(), self.provenance)

    def __deepcopy__(self, memo: dict[int, Any]) -> Ruleset:
        return self

    @property
    def name(self) -> str:
        """The ruleset's short name."""
        return str(self.data.name)

    def plain(self) -> dict[str, Any]:
        """Every value as plain dicts, lists and numbers, in the shape of the YAML file."""
        return self.data.model_dump()

    @cached_property
    def digest(self) -> str:
        """16 hex digits that change when any rule changes, and not with the name or the comments."""
        rules = {k: v for k, v in self.plain().items() if k not in NAMING_KEYS}
        text = json.dumps(rules, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @cached_property
    def card_keys(self) -> list[str]:
        """Card keys by card id."""
        return [card.card for card in self.data.deck.cards]

    @cached_property
    def flat(self) -> dict[str, Any]:
        """Dotted key -> value, lists and cards opened (`barriers.france.a.0`)."""
        return dict(_flatten(self.plain()))

    def with_values(self, changes: dict[str, Any], name: str | None = None) -> Ruleset:
        """This ruleset with some dotted keys set, validated anew.

        Raises:
            RulesetError: an unknown key or a value out of range.
        """
        plain = self.plain()
        problems = [
            f"{key}: unknown key{_nearest(key, self.flat)}"
            for key in changes
            if key not in self.flat
        ]
        if problems:
            raise RulesetError(self.name, problems)
        for key, value in changes.items():
            _set_dotted(plain, key, value)
        plain["name"] = name or plain["name"]
        provenance = self.provenance | {key: Provenance("house") for key in changes}
        return _validate(plain, provenance, self.name)


def load_ruleset(ruleset: str | Path | Ruleset | dict[str, Any] = "standard") -> Ruleset:
    """A ruleset by name ("standard", "agenda", "tiny"), by YAML file, or from an overlay as a dict.

    Raises:
        RulesetError: names the file and, for every error, key, value and what is allowed.
    """
    if isinstance(ruleset, Ruleset):
        return ruleset
    if isinstance(ruleset, dict):
        return _load(ruleset, "ruleset", RULESET_FOLDER, ())
    if ruleset in builtin_rulesets():
        return _load_builtin(str(ruleset))
    path = _find(ruleset, Path.cwd())
    return _load(_read_yaml(path), str(path), path.parent, (path,))


@cache
def _load_builtin(name: str) -> Ruleset:
    path = RULESET_FOLDER / f"{name}.yaml"
    return _load(_read_yaml(path), str(path), path.parent, (path,))


def _load(content: dict[str, Any], where: str, folder: Path, seen: tuple[Path, ...]) -> Ruleset:
    problems: list[str] = []
    plain, provenance = _resolve(content, where, folder, seen, problems)
    return _validate(plain, provenance, where, problems)


def builtin_rulesets() -> list[str]:
    """Names of the rulesets that come with the package."""
    return sorted(path.stem for path in RULESET_FOLDER.glob("*.yaml"))


def file_schema() -> dict[str, Any]:
    """JSON Schema of a ruleset file, for completion in editors.

    Every figure may stand bare or as {value, source, why}; an overlay leaves out what it keeps.
    """
    schema = RulesetData.model_json_schema()
    for definition in [schema, *schema["$defs"].values()]:
        definition.pop("required", None)
        for key, value in definition.get("properties", {}).items():
            section = "$ref" in value and not value["$ref"].endswith("/PerColour")
            if not section and key not in (*NAMING_KEYS, "card", "kind"):
                definition["properties"][key] = {"anyOf": [value, _figure_schema(value)]}
    deck = schema["$defs"]["Deck"]["properties"]
    by_key = {"type": "object", "additionalProperties": {"$ref": "#/$defs/Card"}}
    deck["cards"] = {"anyOf": [deck["cards"], by_key]}
    deck["columns"] = {"type": "object", "description": "where each column of the cards comes from"}
    schema["properties"]["base"] = {"type": "string", "description": "the ruleset to start from"}
    schema["title"] = "channel_tunnel_env ruleset"
    return schema


def _figure_schema(value: dict[str, Any]) -> dict[str, Any]:
    properties = {"value": value, "source": {"enum": list(SOURCES)}, "why": {"type": "string"}}
    return {
        "type": "object",
        "properties": properties,
        "required": ["value"],
        "additionalProperties": False,
    }


# --- reading and overlaying ---------------------------------------------------------------------


def _find(name: str | Path, folder: Path) -> Path:
    builtin = RULESET_FOLDER / f"{name}.yaml"
    if str(name) in builtin_rulesets():
        return builtin
    path = folder / name
    if path.is_file():
        return path
    hint = _nearest(str(name), builtin_rulesets())
    raise RulesetError(
        str(name), [f"no such file, and no ruleset of that name{hint}; known: {builtin_rulesets()}"]
    )


def _read_yaml(path: Path) -> dict[str, Any]:
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise RulesetError(str(path), [f"not valid YAML: {' '.join(str(error).split())}"]) from None
    if not isinstance(content, dict):
        raise RulesetError(str(path), ["a ruleset file is a mapping of keys to values"])
    return content


def _resolve(
    overlay: dict[str, Any],
    where: str,
    folder: Path,
    seen: tuple[Path, ...],
    problems: list[str],
) -> tuple[dict[str, Any], dict[str, Provenance]]:
    """The overlay on its base, as plain values and provenance; adds to `problems`."""
    overlay = dict(overlay)
    base = overlay.pop("base", None)
    plain: dict[str, Any] = {}
    provenance: dict[str, Provenance] = {}
    if base is not None:
        try:
            path = _find(base, folder)
        except RulesetError as error:
            raise RulesetError(where, [f"base: {error.problems[0]}"]) from None
        if path in seen:
            raise RulesetError(where, [f"base: {base}: its bases form a circle"])
        content = _read_yaml(path)
        plain, provenance = _resolve(content, str(path), path.parent, (*seen, path), problems)
    return _merge(plain, overlay, "", provenance, problems), provenance


def _merge(
    base: Any, over: Any, key: str, provenance: dict[str, Provenance], problems: list[str]
) -> Any:
    """`over` laid on `base`; figures are unwrapped and their provenance kept."""
    if isinstance(over, dict) and "value" in over:
        unknown = set(over) - FIGURE_KEYS
        if unknown:
            problems.append(
                f"{key}: unknown key {sorted(unknown)}; a figure has value, source, why"
            )
        source = over.get("source", "house")
        if source not in SOURCES:
            problems.append(f"{key}.source: {source!r}: allowed: {', '.join(SOURCES)}")
        provenance[key] = Provenance(str(source), str(over.get("why", "")))
        return over["value"]
    if key == "deck.cards" and isinstance(over, dict) and isinstance(base, list):
        return _merge_cards(base, over, provenance, problems)
    if (
        isinstance(over, dict)
        and (isinstance(base, dict) or base is None)
        and key not in provenance
    ):
        result = dict(base or {})
        for name, value in over.items():
            inner = f"{key}.{name}" if key else str(name)
            if inner == "deck.columns":
                for column, note in value.items():
                    provenance[f"deck.cards.*.{column}"] = Provenance(**note)
            else:
                result[name] = _merge(result.get(name), value, inner, provenance, problems)
        return result
    told_by_columns = key == "deck.cards" and base is None
    if key not in NAMING_KEYS and not told_by_columns:
        provenance[key] = Provenance("house")
    return over


def _merge_cards(
    base: list[dict[str, Any]],
    over: dict[str, Any],
    provenance: dict[str, Provenance],
    problems: list[str],
) -> list[dict[str, Any]]:
    """Cards changed by key: `deck: {cards: {influence_spain: {points: 3}}}`."""
    cards = [dict(card) for card in base]
    by_key = {card["card"]: card for card in cards}
    for name, changes in over.items():
        if name not in by_key:
            problems.append(f"deck.cards.{name}: unknown card{_nearest(name, by_key)}")
            continue
        if not isinstance(changes, dict):
            problems.append(f"deck.cards.{name}: {changes!r}: a mapping of the figures to change")
            continue
        for column, value in changes.items():
            where = f"deck.cards.{name}.{column}"
            by_key[name][column] = _merge(None, value, where, provenance, problems)
    return cards


# --- validation ---------------------------------------------------------------------------------


def _validate(
    plain: dict[str, Any],
    provenance: dict[str, Provenance],
    where: str,
    problems: Sequence[str] = (),
) -> Ruleset:
    """The ruleset, unless it or its reading (`problems`) shows errors: then all of them at once."""
    try:
        data = RulesetData.model_validate(plain)
    except ValidationError as error:
        found = [_describe(item, plain) for item in error.errors()]
        raise RulesetError(where, [*problems, *found]) from None
    problems = [*problems]
    problems += [f"{key}: {value!r}: {rule}" for key, value, rule in check_consistency(data)]
    if problems:
        raise RulesetError(where, problems)
    return Ruleset(data, provenance)


def _restore(plain: dict[str, Any], provenance: dict[str, Provenance]) -> Ruleset:
    return _validate(plain, provenance, str(plain["name"]))


def _describe(item: Any, plain: dict[str, Any]) -> str:
    """One line of a validation error: key, value, allowed range or nearest known key."""
    loc = [part for part in item["loc"] if part not in ("[key]", "int", "none")]
    key = ".".join(_card_name(loc, plain, i) for i, _ in enumerate(loc))
    if item["type"] == "extra_forbidden":
        return f"{key}: unknown key{_nearest(str(loc[-1]), _known_keys(loc[:-1]))}"
    if item["type"] == "missing":
        return (
            f"{key}: missing; a file without `base:` states every figure, and in an overlay a mapping "
            "such as rubble.tokens replaces the whole figure"
        )
    return f"{key}: {item['input']!r}: {_allowed(loc) or item['msg']}"


def _card_name(loc: list[Any], plain: dict[str, Any], i: int) -> str:
    if i == 2 and loc[:2] == ["deck", "cards"] and isinstance(loc[2], int):
        return str(plain["deck"]["cards"][loc[2]].get("card", loc[2]))
    return str(loc[i])


def _schema_at(loc: list[Any], model: type[BaseModel] = RulesetData) -> dict[str, Any]:
    """The JSON Schema that stands at a place of the file."""
    root = model.model_json_schema()
    node: dict[str, Any] = root
    for part in loc:
        if "$ref" in node:
            node = root["$defs"][node["$ref"].split("/")[-1]]
        if "anyOf" in node:
            node = node["anyOf"][0]
        if isinstance(part, int) and "items" in node:
            node = node["items"]
        else:
            node = node.get("properties", {}).get(part) or node.get("additionalProperties") or {}
    return root["$defs"][node["$ref"].split("/")[-1]] if "$ref" in node else node


def _known_keys(loc: list[Any], model: type[BaseModel] = RulesetData) -> list[str]:
    return list(_schema_at(loc, model).get("properties", {}))


def _allowed(loc: list[Any], model: type[BaseModel] = RulesetData) -> str:
    """The allowed values of a figure in words, or "" where its schema gives none."""
    node = _schema_at(loc, model)
    node = node["anyOf"][0] if "anyOf" in node else node
    if "enum" in node:
        return "allowed: " + ", ".join(map(str, node["enum"]))
    if "minimum" in node and "maximum" in node:
        return f"allowed: whole numbers {node['minimum']}..{node['maximum']}"
    if "properties" in node:
        return f"allowed: a mapping with the keys {', '.join(node['properties'])}"
    if "pattern" in node:
        return f"allowed: text of the form {node['pattern']}"
    return {"boolean": "allowed: true, false", "string": "allowed: text"}.get(
        node.get("type", ""), ""
    )


def _nearest(word: str, known: Any) -> str:
    match = difflib.get_close_matches(word, [str(k) for k in known], 1, 0.5)
    return f"; did you mean {match[0]!r}?" if match else ""


# --- dotted keys --------------------------------------------------------------------------------


def _flatten(node: Any, prefix: str = "") -> list[tuple[str, Any]]:
    if isinstance(node, dict):
        items = [(str(k), v) for k, v in node.items()]
    elif isinstance(node, list):
        items = [(str(v["card"]) if isinstance(v, dict) else str(i), v) for i, v in enumerate(node)]
    else:
        return [(prefix, node)]
    return [pair for k, v in items for pair in _flatten(v, f"{prefix}.{k}" if prefix else k)]


def _set_dotted(node: Any, key: str, value: Any) -> None:
    head, _, rest = key.partition(".")
    if isinstance(node, list):
        names = [v["card"] if isinstance(v, dict) else str(i) for i, v in enumerate(node)]
        slot: Any = names.index(head)
    else:
        slot = head if head in node else int(head)
    if rest:
        _set_dotted(node[slot], rest, value)
    else:
        node[slot] = value
