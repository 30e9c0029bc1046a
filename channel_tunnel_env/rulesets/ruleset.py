"""Rulesets: read files, merge them over their base, validate, name and digest.

    rulesets/*.yaml -> load_ruleset -> Ruleset (plain values + the source of each)

A designer's file is an overlay: `base:` plus only the values that it changes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.errors import RulesetError
from channel_tunnel_env.games import BUILT_IN, DEFAULT_GAME, find_game, game_names, is_game, plugin_cache
from channel_tunnel_env.outside.documents import describe_errors, quote, shorten, written_number
from channel_tunnel_env.outside.hints import allowed_words, did_you_mean, known_keys, list_words
from channel_tunnel_env.rulesets.overlay import (
    NAMING_KEYS,
    RULESET_FOLDER,
    SOURCES,
    Overlay,
    Provenance,
    builtin_file,
    builtin_rulesets,
    changed_name,
    changed_title,
    find_ruleset,
)

__all__ = [
    "RULESET_FOLDER",
    "SOURCES",
    "AnyRuleset",
    "Provenance",
    "Ruleset",
    "builtin_file",
    "builtin_rulesets",
    "file_schema",
    "load_ruleset",
]


@dataclass(frozen=True)
class Ruleset:
    """One complete, valid set of rules; equal to another whose values, names and sources are the same.

    Attributes:
        data: every value, as the game's own model (`RulesetData` of the 1987 game).
        provenance: dotted key -> where that figure comes from.
    """

    data: Any
    provenance: dict[str, Provenance] = field(repr=False)

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

    @property
    def spec(self) -> GameSpec:
        """The game whose rules these are."""
        return find_game(str(self.data.game))

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, in order."""
        return self.spec.seats.names(self)

    @property
    def played_seats(self) -> tuple[str, ...]:
        """The names of the seats that somebody plays, in order: without Eurotunnel's absent powers."""
        played = self.spec.seats.played
        return self.seats if played is None else played(self)

    @property
    def played_places(self) -> list[int]:
        """The places of `played_seats` among `seats`."""
        return [self.seats.index(seat) for seat in self.played_seats]

    @property
    def num_seats(self) -> int:
        """How many seats there are."""
        return len(self.seats)

    def plain(self) -> dict[str, Any]:
        """Every value in the shape of the YAML file.

        Returns:
            Plain dicts, lists, numbers and words, by key; a fresh copy.
        """
        values: dict[str, Any] = self.data.model_dump(exclude={"game"} if self.data.game == DEFAULT_GAME else None)
        return values

    @cached_property
    def digest(self) -> str:
        """16 hex digits that change when any rule changes, but not with names, titles or comments.

        The game counts for those that other distributions bring; those of this package have no figures in common.
        A card counts with the name that its key suggests. A figure with a default counts only if it
        differs from the default.
        """
        rules = self._rules()
        for card in rules.get("deck", {}).get("cards", ()):
            card["name"] = _plain_name(card["card"])
        return _digest(rules)

    def _rules(self) -> dict[str, Any]:
        """The values that the digest covers."""
        values: dict[str, Any] = self.data.model_dump(exclude=set(NAMING_KEYS), exclude_defaults=True)
        game = self.data.game
        return values if game in BUILT_IN else values | {"game": game}

    @property
    def card_keys(self) -> list[str]:
        """Card keys by card id."""
        return [card.card for card in self.data.deck.cards]

    @property
    def flat(self) -> dict[str, Any]:
        """Dotted key -> value, including list items and cards (`barriers.france.a.0`)."""
        return self._flat.copy()

    @cached_property
    def _flat(self) -> dict[str, Any]:
        return {key: value for key, value in _nodes(self.plain()) if not isinstance(value, dict | list)}

    def with_values(self, changes: dict[str, Any], name: str | None = None) -> Ruleset:
        """A validated copy with some values changed; its title names the ruleset it was made from.

        Args:
            changes: values by dotted key; a list is set as a whole (`absent`) or item by item (`deck.cards.0.cost`).
            name: of the copy; None: one made from this ruleset's.

        Returns:
            A new ruleset; this one is not changed.

        Raises:
            RulesetError: an unknown key or a value out of range.
        """
        plain = self.plain()
        known = {**self.flat, **{key: value for key, value in _nodes(plain) if isinstance(value, list)}}
        problems = [f"{key}: unknown key{did_you_mean(key, known)}" for key in changes if key not in known]
        problems += [
            f"{key}: {whole} is set as a whole" for key in changes for whole in changes if key.startswith(f"{whole}.")
        ]
        if problems:
            raise RulesetError(self.name, problems)
        for key, value in changes.items():
            _set_dotted(plain, key, value)
        plain["name"] = name or (changed_name(self.name) if changes else self.name)
        if changes:
            plain["title"] = changed_title(plain["name"], self.name)
        provenance = self.provenance | {key: Provenance("house") for key in changes}
        return _validate(plain, provenance, self.name)


AnyRuleset = str | Path | Ruleset | dict[str, Any]  # a name, a YAML path, an overlay


def load_ruleset(ruleset: AnyRuleset = "standard", *, game: str | None = None) -> Ruleset:
    """Load a ruleset by name ("standard", "carcassonne" ...), from a YAML file or an overlay dict.

    Args:
        ruleset: a name, a path, a dict as a YAML file holds it, or a Ruleset, which is returned as it is. Its `game:`
            says which game it is for; without one it is 1987 Channel Tunnel.
        game: the only game that is accepted, such as "carcassonne"; None: any.

    Returns:
        The complete, valid ruleset.

    Raises:
        RulesetError: invalid, or of another game; names the file and, for every error, key, value and what is
            allowed.
        PluginError: of a game that another distribution brings and that does not work.
    """
    loaded = _read_any(ruleset)
    if game is not None and loaded.spec.name != game:
        problem = f"game: {loaded.spec.name}: allowed here: {game}"
        raise RulesetError(loaded.name, [problem])
    return loaded


def _read_any(ruleset: AnyRuleset) -> Ruleset:
    if isinstance(ruleset, Ruleset):
        return ruleset
    if isinstance(ruleset, dict):
        return _load(Overlay.of(ruleset))
    builtin = builtin_file(ruleset)
    if builtin is not None:
        return _load_builtin(builtin)
    return _load(Overlay.read(find_ruleset(ruleset, Path.cwd())))


@plugin_cache
def _load_builtin(path: Path) -> Ruleset:
    return _load(Overlay.read(path))


def _load(overlay: Overlay) -> Ruleset:
    return _validate(overlay.plain, overlay.provenance, overlay.where, overlay.problems, overlay.locate)


def _digest(rules: dict[str, Any]) -> str:
    text = json.dumps(rules, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _plain_name(key: str) -> str:
    """The name that a card's key suggests, which is the name in the built-in rulesets."""
    words = key.replace("_", " ")
    kind, _, country = words.partition(" ")
    if kind == "influence":
        return f"European influence ({country.title()})"
    return words.capitalize()


def file_schema(game: str = DEFAULT_GAME) -> dict[str, Any]:
    """JSON Schema of a ruleset file, for completion in editors.

    Every figure may be a bare value or {value, source, why}; an overlay omits what it keeps.
    """
    schema = find_game(game).rules.model.model_json_schema()
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
    return {"type": "object", "properties": properties, "required": ["value"], "additionalProperties": False}


# --- validation ---------------------------------------------------------------------------------


def _validate(
    plain: dict[str, Any],
    provenance: dict[str, Provenance],
    where: str,
    problems: Sequence[str] = (),
    locate: Callable[[Sequence[str]], str] = lambda _: "",
) -> Ruleset:
    """The ruleset; if it or its reading (`problems`) has errors, raises all of them at once.

    `locate` gives the position of a key, as the beginning of a message.
    """
    # A file may hold a single figure instead of keys; the model then says what is expected.
    game = plain.get("game", DEFAULT_GAME) if isinstance(plain, dict) else DEFAULT_GAME
    if not is_game(game):
        known = f"allowed: {', '.join(game_names())}"
        raise RulesetError(where, [*problems, f"{locate(['game'])}game: {quote(game)}: {known}"])
    spec = find_game(game)
    if isinstance(plain, dict) and (forgotten := _forgotten_base(plain, spec)):
        raise RulesetError(where, [*problems, forgotten])
    try:
        data = spec.rules.model.model_validate(plain)
    except ValidationError as error:
        found = describe_errors(error, lambda item: _describe(item, plain, locate, spec))
        raise RulesetError(where, [*problems, *found]) from None
    problems = [*problems]
    problems += [
        f"{locate(key.split('.'))}{key}: {quote(value)}: {rule}"
        for key, value, rule in spec.rules.check_consistency(data)
    ]
    if problems:
        raise RulesetError(where, problems)
    return Ruleset(data, provenance)


def _restore(plain: dict[str, Any], provenance: dict[str, Provenance]) -> Ruleset:
    return _validate(plain, provenance, str(plain["name"]))


def _forgotten_base(plain: dict[str, Any], spec: GameSpec) -> str:
    """What is wrong with a file that states fewer figures than it lacks: it was meant as an overlay."""
    sections = [
        key for key, figure in spec.rules.model.model_fields.items() if figure.is_required() and key not in NAMING_KEYS
    ]
    missing = [key for key in sections if key not in plain]
    if 2 * len(missing) <= len(sections):
        return ""
    games = [spec.name] if "game" in plain else game_names()
    bases = [name for game in games for name in builtin_rulesets(game)]
    return (
        f"no base: to change a few figures, begin with a line `base: NAME` ({', '.join(bases)}); "
        f"a file without it states every figure, and here {len(missing)} of {len(sections)} are missing"
    )


def _describe(item: Any, plain: dict[str, Any], locate: Callable[[Sequence[str]], str], spec: GameSpec) -> str:
    """A validation error as one line: position, key, value, allowed range or nearest known key."""
    loc = [part for part in item["loc"] if part not in ("[key]", "int", "none")]
    names = [_card_name(loc, plain, i) for i, _ in enumerate(loc)]
    key = locate(names) + ".".join(names)
    if item["type"] == "extra_forbidden":
        return f"{key}: unknown key{did_you_mean(loc[-1], known_keys(loc[:-1], spec.rules.model))}"
    if item["type"] == "missing":
        return (
            f"{key}: missing; a file without `base:` states every figure, a new entry all of its own, "
            "and a mapping that is one figure replaces the whole figure"
        )
    words_at = list_words if item["type"] == "list_type" else allowed_words
    words = words_at(loc, spec.rules.model) or item["msg"]
    if item["type"] == "int_type" and _is_quoted_number(item["input"]):
        words += ", without quotes"
    return f"{key}: {quote(item['input'])}: {words}"


def _is_quoted_number(value: Any) -> bool:
    return isinstance(value, str) and written_number(value) is not None


def _card_name(loc: list[Any], plain: dict[str, Any], i: int) -> str:
    if i == 2 and loc[:2] == ["deck", "cards"] and isinstance(loc[2], int):
        card = plain["deck"]["cards"][loc[2]]
        key = card.get("card") if isinstance(card, dict) else None
        return shorten(key if isinstance(key, str) else loc[2])
    return shorten(loc[i])


# --- dotted keys --------------------------------------------------------------------------------


def _nodes(node: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every value by its dotted key, mappings and lists before what they hold."""
    yield prefix, node
    if isinstance(node, dict | list):
        names = node if isinstance(node, dict) else _names(node)
        for name, value in zip(names, node.values() if isinstance(node, dict) else node, strict=True):
            yield from _nodes(value, f"{prefix}.{name}" if prefix else str(name))


def _names(items: list[Any]) -> list[str]:
    """Parts of dotted keys for the items of a list: a card's key, or else the place."""
    return [str(v["card"]) if isinstance(v, dict) and "card" in v else str(i) for i, v in enumerate(items)]


def _set_dotted(node: Any, key: str, value: Any) -> None:
    head, _, rest = key.partition(".")
    if isinstance(node, list):
        slot: Any = _names(node).index(head)
    else:
        slot = head if head in node else int(head)
    if rest:
        _set_dotted(node[slot], rest, value)
    else:
        node[slot] = value
