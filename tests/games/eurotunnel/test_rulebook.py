"""The rulebook: whole, with the figures and switches of the ruleset in play."""

from __future__ import annotations

import re
import string
from typing import Any

import pytest

from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games.eurotunnel.faces.rulebook import SOURCE, figures, rulebook

SWITCHES: list[dict[str, Any]] = [
    {},
    {"tunnels": False},
    {"permissions": False},
    {"tunnels_per_province": 4},
    {"tunnels_per_power": 2, "tunnels_per_turn": 2},
    {"rulebook": "datc"},
    {"draw_vote": True},
    {"absent": ["ITALY", "TURKEY"]},
    {"victory_centres": 20, "max_year": 1910},
    *({"limit_score": name} for name in ("dss", "centres", "pieces")),
]


def words_of(**changes: Any) -> tuple[list[str], str]:
    """Keys, and the whole text."""
    book = rulebook(load_ruleset({"base": "eurotunnel", "name": "mine", **changes}))
    parts = [section["title"] for section in book]
    for section in book:
        assert section["blocks"]
        for block in section["blocks"]:
            parts += block.get("items", []) or [block["text"]]
    return [section["key"] for section in book], "\n".join(parts)


@pytest.mark.parametrize("changes", SWITCHES, ids=str)
def test_every_link_leads_to_a_section(changes: dict[str, Any]) -> None:
    keys, text = words_of(**changes)
    assert len(set(keys)) == len(keys) >= 10
    assert set(re.findall(r"\]\(#(\w+)\)", text)) <= set(keys)
    assert not re.search(r"[{}_]|  | \.", text)


def test_every_switch_changes_the_text() -> None:
    texts = [words_of(**changes)[1] for changes in SWITCHES]
    assert len(set(texts)) == len(texts)


def test_tunnels_and_permissions_are_told_only_where_they_are_played() -> None:
    for changes in ({"tunnels": False}, {"tunnels_per_power": 0}):
        keys, text = words_of(**changes)
        assert "passage" not in keys and "tunnel" not in text.lower()
    keys, text = words_of(permissions=False)
    assert "passage" in keys and "permi" not in text.lower()


def test_figures_are_those_of_the_ruleset() -> None:
    _, old = words_of()
    _, new = words_of(victory_centres=20, max_year=1910, tunnels_per_power=2, absent=["ITALY"])
    assert "owns 18 centres" in old and "owns 20 centres" in new
    assert "Fall of 1920" in old and "Fall of 1910" in new
    assert "**4** in a game" in old and "**2** in a game" in new
    assert "No player holds" not in old and "No player holds Italy." in new
    assert "213 such pairs" in old and "34 supply centres" in old


def test_every_figure_is_used() -> None:
    text = SOURCE.read_text(encoding="utf-8")
    used = {name for _, name, _, _ in string.Formatter().parse(text) if name}
    assert used == set(figures(load_ruleset("eurotunnel").data))
