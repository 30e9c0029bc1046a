"""A changed ruleset as the overlay file a designer would write: its base and only what differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from channel_tunnel_env import Ruleset
from channel_tunnel_env.rulesets.ruleset import builtin_file

CARDS = "deck.cards"  # the one list that an overlay can change in parts, by card


def base_name(ruleset: str) -> str:
    """What to write after `base:` so that the file can be moved: a name, or a full path."""
    return ruleset if builtin_file(ruleset) is not None else str(Path(ruleset).resolve())


def make_overlay(base: str, before: Ruleset, after: Ruleset, keys: Iterable[str]) -> dict[str, Any]:
    """The overlay that turns `before` into `after`.

    Args:
        base: what to write after `base:`.
        keys: dotted keys where they differ.
    """
    overlay: dict[str, Any] = {"base": base, "name": after.name}
    plain = after.plain()
    for key in keys:
        parts = _figure(key, before)
        node = overlay
        for part in parts[:-1]:
            node = node.setdefault(part, {})
        node[parts[-1]] = _value(plain, parts)
    return overlay


def dump_ruleset(ruleset: Ruleset) -> str:
    """Every figure of a ruleset as a file."""
    return yaml.safe_dump(ruleset.plain(), sort_keys=False)


def dump_overlay(overlay: Mapping[str, Any], comments: Iterable[str] = ()) -> str:
    """The overlay as YAML, comments first."""
    text = yaml.safe_dump(dict(overlay), sort_keys=False, default_flow_style=None, width=100)
    return "".join(f"# {line}\n" for line in comments) + str(text)


def _figure(key: str, ruleset: Ruleset) -> list[str]:
    """The parts of the shortest key that is one setting; a list or colour table is written
    whole."""
    parts = key.split(".")
    for end in range(1, len(parts)):
        prefix = ".".join(parts[:end])
        if prefix != CARDS and prefix in ruleset.provenance:
            return parts[:end]
    return parts


def _value(plain: Any, parts: list[str]) -> Any:
    node = plain
    for part in parts:
        if isinstance(node, list):  # the cards
            node = next(card for card in node if card["card"] == part)
        else:
            node = node[part]
    return node
