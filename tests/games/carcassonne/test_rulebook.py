"""The rulebook: whole, searchable, and with the figures and switches of the ruleset in play."""

from __future__ import annotations

import re
import string
from typing import Any

import pytest

from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games.carcassonne.faces.rulebook import SOURCE, figures, rulebook


def book_of(**changes: Any) -> tuple[dict[str, Any], ...]:
    return rulebook(load_ruleset({"base": "carcassonne", "name": "mine", **changes}))


def words_of(book: tuple[dict[str, Any], ...]) -> str:
    parts = [section["title"] for section in book]
    for section in book:
        for block in section["blocks"]:
            parts += block.get("items", []) or [block["text"]]
    return "\n".join(parts)


SWITCHES: list[dict[str, Any]] = [
    {},
    {"tunnel": False},
    {"players": 3},
    {"players": 6, "robber_baron": True},
    {"small_city": 2},
    {"token_window": "before_meeple"},
    *({"farm_scoring": name} for name in ("second", "first", "none")),
    *({"tunnel_variant": name} for name in ("follower", "steal", "paired", "no_block")),
]


@pytest.mark.parametrize("changes", SWITCHES, ids=str)
def test_every_section_has_an_anchor_and_every_link_a_section(changes: dict[str, Any]) -> None:
    book = book_of(**changes)
    keys = [section["key"] for section in book]
    assert len(set(keys)) == len(keys) >= 12
    text = words_of(book)
    assert set(re.findall(r"\]\(#(\w+)\)", text)) <= set(keys)
    assert not re.search(r"[{}_]|  |\bNone\b", text)
    assert all(section["blocks"] for section in book)


def test_every_switch_changes_the_text() -> None:
    texts = [words_of(book_of(**changes)) for changes in SWITCHES]
    assert len(set(texts)) == len(texts)


def test_tunnels_are_told_only_where_they_are_played() -> None:
    with_tunnel, without = words_of(book_of()), words_of(book_of(tunnel=False))
    assert "token" in with_tunnel
    assert not re.search("token|tunnel|mouth", without, re.IGNORECASE)
    assert "**72 tiles**" in without and "**76 tiles**" in with_tunnel


def test_figures_are_those_of_the_ruleset() -> None:
    points = {"road": 3, "city": 4, "shield": 5, "cloister": 11, "farm": 6, "city_open": 7}
    values = {"followers": 5, "players": 3, "token_sets_three": 1, "table": 20, "robber_baron": True}
    old, new = words_of(book_of()), words_of(book_of(points=points, **values))
    for words in (
        "**Road**: 3 points for each tile",
        "4 points for each tile, and 5 points for each shield",
        "**Cloister**: 11 points",
        "6 points for each complete city",
        "**City**: 7 points for each tile",
        "**5 followers**",
        "With 3 players each has 2 tokens of one colour",
        "more than 20 columns",
        "Robber Baron",
    ):
        assert words in new and words not in old, words
    assert "With 2 players each has 2 tokens in each of 3 colours" in old


def test_every_figure_is_used_and_none_is_written_in_the_text() -> None:
    text = SOURCE.read_text(encoding="utf-8")
    used = {name for _, name, _, _ in string.Formatter().parse(text) if name}
    assert used == set(figures(load_ruleset("carcassonne").data))
    assert not re.search(r"\d", text)
