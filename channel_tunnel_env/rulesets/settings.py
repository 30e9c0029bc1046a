"""A ruleset value by value, with its sources, and what differs between two; of any game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from channel_tunnel_env.rulesets.overlay import NAMING_KEYS, any_row
from channel_tunnel_env.rulesets.ruleset import Provenance, Ruleset

_UNKNOWN = Provenance("house")
CARD_COLUMNS = ("card", "kind", "points", "cost", "money", "secondary")
"""The figures of a card, of a ruleset with a deck of them."""


@dataclass(frozen=True)
class Setting:
    """One value of a ruleset, and where it comes from."""

    key: str
    value: Any
    provenance: Provenance

    @property
    def section(self) -> str:
        """The first word of the key."""
        return self.key.split(".")[0]

    @property
    def text(self) -> str:
        """The value as YAML would show it on one line."""
        return show(self.value)


def settings(ruleset: Ruleset) -> Iterator[Setting]:
    """Every value except those of the cards, in the order and grouping of the file."""
    yield from _walk("", ruleset.plain(), ruleset.provenance)


def _walk(key: str, node: Any, provenance: dict[str, Provenance]) -> Iterator[Setting]:
    if key in (*NAMING_KEYS, "deck.cards"):
        return
    if isinstance(node, dict) and key not in provenance:
        for name, value in node.items():
            yield from _walk(f"{key}.{name}" if key else str(name), value, provenance)
    else:
        found = provenance.get(key) or provenance.get(any_row(key), _UNKNOWN)
        yield Setting(key, node, found)


def show(value: Any) -> str:
    """A value as a YAML file would hold it, on one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "null"
    if isinstance(value, list):
        items = (f"{{{show(item)}}}" if isinstance(item, dict) else show(item) for item in value)
        return f"[{', '.join(items)}]"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {show(inner)}" for key, inner in value.items()) or "none"
    return str(value)


def words(section: str) -> str:
    """A key of the file as a heading."""
    return section.replace("_", " ").capitalize()


def differences(base: Ruleset, other: Ruleset) -> list[tuple[str, str, str]]:
    """(key, value in base, value in other) of every value that differs; "-" if there is none."""
    old, new = base.flat, other.flat
    keys = [key for key in [*old, *(k for k in new if k not in old)] if key not in ("name", "title")]
    return [
        (key, show(old[key]) if key in old else "-", show(new[key]) if key in new else "-")
        for key in keys
        if key not in old or key not in new or old[key] != new[key]
    ]
