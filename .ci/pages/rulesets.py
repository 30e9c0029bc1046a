"""reference/GAME/rulesets.md: every value of the built-in rulesets, with its range and its source; and the pages and schemas beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import groupby
from typing import Any

from channel_tunnel_agents.balance.measuring.knowledge import known_to_reader
from channel_tunnel_agents.table.design.game import designed
from channel_tunnel_env.faces.registry import changes_in_words, words_of
from channel_tunnel_env.rulesets.ruleset import SOURCES, Ruleset, file_schema
from channel_tunnel_env.rulesets.settings import CARD_COLUMNS, Setting, differences, settings, show, words
from channel_tunnel_env.tracks.card import ScoreCard
from pages import block, example, page, rules_of, rulesets_of, table
from pages.games import GamePages

PIECES = 6  # rows of like pieces, such as tiles, from which on they share a table


def rulesets_page(game: GamePages) -> str:
    """Every value of a game's built-in rulesets."""
    base, *others = rulesets_of(game)
    return page(
        f"{game.title}: rulesets",
        f"Every number and every ruling is data. To change some, write a YAML file that names its base, and give that file "
        f"wherever a command or an environment takes a ruleset. `channel-tunnel rules FILE` shows a ruleset, "
        f"`channel-tunnel rules FILE --diff {base.name}` what it changes.",
        block(_overlay(base, *game.change), "yaml"),
        f"Built-in: {', '.join(f'`{each.name}`' for each in (base, *others))}. The source of a value is one of "
        f"{', '.join(SOURCES)}. A value in your own file gets `house` unless you give its source; `reconstructed` values are "
        "this project's, because the printed one is not known.",
        f"## {base.name}: {base.data.title}",
        "\n".join(words_of(base.spec).in_words(base)),
        *_sections(base),
        *_cards(base),
        *(part for other in others for part in _difference(base, other)),
    )


def _overlay(base: Ruleset, key: str, value: object) -> str:
    """A file that changes one value, which is known to be allowed."""
    base.with_values({key: value})
    nested = [f"{'  ' * depth}{part}:" for depth, part in enumerate(key.split("."))]
    return "\n".join(["name: mine", f"base: {base.name}", *nested]) + f" {value}"


def _sections(base: Ruleset) -> Iterator[str]:
    """A heading and a table for each section; keys without one come first."""
    allowed = Allowed(base.spec.rules.model.model_json_schema(), designed(base).values)
    found = [*settings(base)]
    single = [setting for setting in found if "." not in setting.key]
    if single:
        yield "### Rules"
        yield _table(single, allowed)
    parted = [setting for setting in found if "." in setting.key]
    for section, group in groupby(parted, lambda setting: setting.section):
        yield f"### {words(section)}"
        yield from _pieces_or_table(section, [*group], allowed)


def _pieces_or_table(section: str, group: list[Setting], allowed: Allowed) -> Iterator[str]:
    """One row per value, or one per piece if the section is many pieces of one shape."""
    parts = [setting.key.split(".") for setting in group]
    rows = [*dict.fromkeys(part[1] for part in parts)]
    if len(rows) < PIECES or any(len(part) != 3 for part in parts):
        yield _table(group, allowed)
        return
    columns = [*dict.fromkeys(part[2] for part in parts)]
    values = {setting.key: setting.text for setting in group}
    yield table(
        [f"`{section}.KEY`", *(f"`{column}`" for column in columns)],
        [[row, *(values.get(f"{section}.{row}.{column}", "") for column in columns)] for row in rows],
    )
    first = {setting.key.split(".")[2]: setting for setting in reversed(group)}
    yield "\n".join(
        f"- `{column}`: {_both(allowed(first[column].key))}{first[column].provenance.source}: "
        f"{first[column].provenance.why}"
        for column in columns
    )


def _both(allowed: str) -> str:
    return f"{allowed}; " if allowed else ""


def _table(group: Sequence[Setting], allowed: Allowed) -> str:
    rows = [[f"`{s.key}`", s.text, allowed(s.key), s.provenance.source, s.provenance.why] for s in group]
    return table(["key", "value", "allowed", "source", "why"], rows)


def _cards(base: Ruleset) -> list[str]:
    """The cards of a ruleset with a deck of them."""
    if not hasattr(base.data, "deck"):
        return []
    cards = [[show(getattr(c, column)) for column in CARD_COLUMNS] for c in base.data.deck.cards]
    notes = [
        f"- {column}: {base.provenance[key].source}: {base.provenance[key].why}"
        for column in CARD_COLUMNS
        if (key := f"deck.cards.*.{column}") in base.provenance
    ]
    return ["### Cards", table(list(CARD_COLUMNS), cards), "\n".join(notes)]


def _difference(base: Ruleset, other: Ruleset) -> list[str]:
    rows = [[f"`{k}`", a, b] for k, a, b in differences(base, other)]
    kept = [row for row in rows if row[2] != "-"]
    gone = len(rows) - len(kept)
    said = "\n".join(f"- {line}" for line in changes_in_words(base, other))
    return [
        f"## {other.name}: {other.data.title}",
        f"What differs from `{base.name}`:",
        said,
        table(["key", base.name, other.name], kept),
        f"It leaves out {gone} values of `{base.name}`." if gone else "",
    ]


class Allowed:
    """What a key may be, from the JSON schema of a game's rulesets, and what its words are called to players."""

    def __init__(self, schema: dict[str, Any], called: Mapping[str, Mapping[str, str]]) -> None:
        self._schema = schema
        self._called = called

    def __call__(self, key: str) -> str:
        """A range, a list of words, or "" if the shape says it all."""
        node = self._schema
        for part in key.split("."):
            node = self._resolved(node)
            node = node.get("properties", {}).get(part) or node.get("additionalProperties") or {}
            if not isinstance(node, dict):
                return ""
        node = self._resolved(node)
        names = self._called.get(key, {})
        if "enum" in node and names:
            return ", ".join(f"{o} ({names[o]})" if names.get(o, o) != o else str(o) for o in node["enum"])
        return self._words(node)

    def _resolved(self, node: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in node:
            node = self._schema["$defs"][node["$ref"].rsplit("/", 1)[1]]
        return node

    def _words(self, node: dict[str, Any]) -> str:
        if "enum" in node:
            return ", ".join(str(value) for value in node["enum"])
        if "const" in node:
            return str(node["const"])
        if "anyOf" in node:
            found = [self._words(self._resolved(each)) for each in node["anyOf"]]
            return " or ".join(each for each in found if each)
        if node.get("type") == "boolean":
            return "true, false"
        if node.get("type") == "null":
            return "null"
        if node.get("type") == "array":
            items = self._resolved(node.get("items") or {})
            inner = self._words(items) if items.get("type") != "object" else ""
            return f"a list of {inner}" if inner else ""
        low = node.get("minimum", _next(node.get("exclusiveMinimum"), 1))
        high = node.get("maximum", _next(node.get("exclusiveMaximum"), -1))
        if low is None or high is None:
            return f"{low} or more" if low is not None else ""
        return f"{low} to {high}"


def _next(bound: int | None, step: int) -> int | None:
    return None if bound is None else bound + step


# --- reference/GAME/rules.md: the rulebook of the table, with the numbers of the built-in ruleset -


def rules_page(game: GamePages) -> str:
    """The whole rulebook."""
    rules = rules_of(game)
    book = import_module(f"channel_tunnel_env.games.{game.name}.faces.rulebook").rulebook(rules)
    parts = []
    for section in book:
        parts.append(f'<a id="{section["key"]}"></a>\n\n## {section["title"]}')
        for written in section["blocks"]:
            items = "\n".join(f"- {item}" for item in written.get("items", ()))
            parts.append(items or written["text"])
    return page(
        f"{game.title}: rules",
        f"In our own words, with the numbers of the ruleset `{rules.name}`. The table shows the same text under *Rules*, with "
        "the numbers of the ruleset that is played.",
        *parts,
    )


# --- reference/training-rulesets.md: what training draws, from the space that it draws from -------


OUTSIDE = """
from channel_tunnel_agents.rulesets import SPACES
from channel_tunnel_env import load_ruleset

ruleset = load_ruleset({"base": "standard", "name": "mine", "extra_finance": 14})
print([str(found) for found in SPACES["tunnel_1987"].outside(ruleset)])
"""


def training_rulesets_page() -> str:
    """The draws in words, and the values of every key."""
    known = known_to_reader("tunnel_1987")
    return page(
        "Rulesets that training draws",
        "[`adept`](../explanation/players-that-read-rules.md) of 1987 Channel Tunnel learned from thousands "
        "of rulesets around `standard` and `agenda`, and `drawn_rulesets:` gives your own runs the same "
        f"(`channel_tunnel_agents.rulesets`, version {known.version}). Up to a quarter of the games follow "
        "these two.",
        "Three quarters of the draws take up one or more of twenty themes, each of which moves many numbers "
        "at once as a designer does: tracks scaled, flat or cut, points moved from one source to another, "
        "short and long routes, poor and rich, unequal countries, dead features, all switches. Then a draw "
        "turns 2, 6, 15 or 35 % of the keys. A number goes one step up or down, half of the time two or more; "
        "a word becomes another one. Keys that belong together change as a whole: the route and its tokens, "
        "the places of barriers and benefits, the deviation cards, the playing cards and their costs.",
        table(["key", "drawn values"], [[f"`{key}`", values] for key, values in known.table()]),
        '`SPACES["tunnel_1987"].outside(ruleset)` lists what lies beyond these values, and the commands name it:',
        example(OUTSIDE.strip()),
        "Carcassonne draws from nine keys: `tunnel`, `farm_scoring`, `small_city`, `token_sets_two` (1 to 3), "
        "`token_sets_three` (1 and 2), `token_window`, `tunnel_variant`, `robber_baron` and `followers` (3 to "
        "10).",
    )


# --- the JSON schemas beside the pages: of ruleset files and of score cards -----------------------


def ruleset_schema() -> str:
    """The JSON schema of a ruleset file."""
    return json.dumps(file_schema(), indent=1, sort_keys=True) + "\n"


def card_schema() -> str:
    """The JSON schema of a score card of the benchmark."""
    return json.dumps(ScoreCard.model_json_schema(), indent=1) + "\n"
