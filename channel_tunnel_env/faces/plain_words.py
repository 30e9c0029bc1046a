"""What a ruleset changes, if its game has no words of its own: every figure by its key; and how a game ended."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from channel_tunnel_env.outside.sentences import capital
from channel_tunnel_env.rulesets.ruleset import Ruleset
from channel_tunnel_env.rulesets.settings import show

UNSAID = ("name", "title")


@dataclass(frozen=True)
class NamedFigures:
    """A game's rulesets in words where some figures have a name, and some of their values; the others as their keys.

    Attributes:
        names: key -> name of the figure.
        values: key -> value -> what it is called.
        other: the name of any other figure, from its key.
    """

    names: Mapping[str, str]
    values: Mapping[str, Mapping[str, str]]
    other: Callable[[str], str] = lambda key: plain_name(key)

    def in_words(self, ruleset: Ruleset) -> list[str]:
        """The ruleset in a few sentences: none."""
        return []

    def changes_in_words(self, base: Ruleset, other: Ruleset) -> list[str]:
        """What `other` changes against `base`, a sentence each."""
        lines = figure_changes(base, other, UNSAID, self.line, lambda key: False)
        return [f"{capital(line)}." for line in lines]

    def figure_in_words(self, key: str, value: Any) -> str:
        """What a figure says; "" for a figure without a phrase."""
        return ""

    def line(self, key: str, old: Any, new: Any) -> str:
        """What a figure is now, and what it was."""
        name = self.names.get(key) or self.other(key)
        return f"{name}: {self._said(key, new)} instead of {self._said(key, old)}"

    def _said(self, key: str, value: Any) -> str:
        """A value; of a list each item as it is called."""
        called = self.values.get(key, {})
        if self.values and isinstance(value, list) and value:
            return ", ".join(called.get(str(item)) or plain_value(item) for item in value)
        return called.get(str(value)) or plain_value(value)


def figure_changes(
    base: Ruleset,
    other: Ruleset,
    unsaid: Collection[str],
    line: Callable[[str, Any, Any], str],
    has_phrase: Callable[[str], bool],
) -> list[str]:
    """A line for every figure that differs.

    Args:
        unsaid: keys that are left out.
        line: key, old and new value -> its words.
        has_phrase: whether a key, such as that of an item of a list, has words of its own.
    """
    old, new = dict(_figures(base.plain(), unsaid)), dict(_figures(other.plain(), unsaid))
    keys = [*old, *(key for key in new if key not in old)]
    return [text for key in keys for text in _changed(key, old.get(key), new.get(key), line, has_phrase)]


def plain_name(key: str) -> str:
    """A key in words."""
    return key.replace(".", ", ").replace("_", " ")


def plain_value(value: Any) -> str:
    """A value as a sentence gives it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return show(value).strip("[]") or "none"


PLAIN = NamedFigures({}, {})
"""The words of rulesets of a game that has none of its own."""
in_words, changes_in_words, figure_in_words = PLAIN.in_words, PLAIN.changes_in_words, PLAIN.figure_in_words


def _figures(node: Any, unsaid: Collection[str], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted key -> number, word or list of every figure."""
    if not isinstance(node, dict):
        yield prefix, node
        return
    for name, value in node.items():
        key = f"{prefix}.{name}" if prefix else str(name)
        if key not in unsaid:
            yield from _figures(value, unsaid, key)


def _changed(
    key: str, old: Any, new: Any, line: Callable[[str, Any, Any], str], has_phrase: Callable[[str], bool]
) -> list[str]:
    """The line of a figure; none if it is the same, that of the item if one item of a list differs."""
    if old == new:
        return []
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        items = [i for i in range(len(old)) if old[i] != new[i]]
        if len(items) == 1 and has_phrase(f"{key}.{items[0]}"):
            return [line(f"{key}.{i}", old[i], new[i]) for i in items]
    return [line(key, old, new)]


def result_words(game: Any) -> str:
    """Who won, and the points of every seat."""
    points = ", ".join(f"{seat} {score['total']}" for seat, score in game.scores().items())
    return f"{game.winner or 'nobody alone'} won; {points}"
