"""The rulebook: whole, searchable, and with the figures of the ruleset in play."""

from __future__ import annotations

import re
from typing import Any

import pytest

from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games.tunnel_1987 import rule_table
from channel_tunnel_env.games.tunnel_1987.faces.rulebook import SOURCE, rulebook
from channel_tunnel_env.games.tunnel_1987.rule_words import figures


def words_of(book: tuple[dict[str, Any], ...]) -> str:
    parts = [s["title"] for s in book]
    for section in book:
        for block in section["blocks"]:
            parts += block.get("items", []) or [block["text"]]
    return "\n".join(parts)


@pytest.mark.parametrize("name", ["standard", "agenda", "tiny"])
def test_every_section_has_an_anchor_and_every_link_a_section(name: str) -> None:
    book = rulebook(load_ruleset(name))
    keys = [section["key"] for section in book]
    assert len(set(keys)) == len(keys) >= 15
    text = words_of(book)
    assert set(re.findall(r"\]\(#(\w+)\)", text)) <= set(keys)
    assert not re.search(r"[{}_]", text)
    assert all(section["blocks"] for section in book)


def test_the_agenda_is_told_only_where_it_is_played() -> None:
    keys = [[s["key"] for s in rulebook(load_ruleset(name))] for name in ("standard", "agenda")]
    assert "agenda" not in keys[0] and "agenda" in keys[1]


def test_figures_are_those_of_the_ruleset() -> None:
    base = load_ruleset("agenda")
    changed = base.with_values(
        {
            **{f"deviation.penalties.{i}": n for i, n in enumerate((0, 2, 3, 5, 8))},
            "scoring.centre_bonus": 6,
            "scoring.political_duel": 7,
            "barriers.france.a.0": 9,
            "storage.france": 4,
            "agenda.points.repairs": 5,
            "switches.first_player_card": "last_to_pass",
            "switches.final_tunnel_deviation_check": True,
            "switches.stalemate_result": "draw",
            "switches.technology_without_move": "when_blocked",
            "switches.null_actions": True,
            "discs.keep_limit": 3,
        },
        "mine",
    )
    old, new = words_of(rulebook(base)), words_of(rulebook(changed))
    for words in (
        "0, 2, 3, 5, 8 points",
        "gets 6 points",
        "7 points each",
        "9 M before space 2",
        "4 in France",
        "**Repairs**, 5 points",
        "The last to pass",
        "on the last space, too",
        "This is a draw",
        "you may still spend money",
        "only Tunnel must be possible",
        "at most 3 in all",
    ):
        assert words in new and words not in old, words


def test_no_figure_is_written_twice() -> None:
    """The text has no number of the game; only card costs and structure are digits."""
    source = SOURCE.read_text(encoding="utf-8")
    digits = {line for line in source.splitlines() if re.search(r"\d", line.lstrip("#- "))}
    allowed = ("**Discard 1**", "**Place 1**", "**Place 1-2**", "0 to 5 different", "from 0 to")
    assert all(any(words in line for words in allowed) for line in digits), digits
    tables = (rule_table.RULES, rule_table.SIDE_RULES, rule_table.ABILITIES, rule_table.AGENDA)
    texts = [source, str(rule_table.SUMMARY), *map(str, tables)]
    ruleset = load_ruleset("standard")
    used = set(re.findall(r"\{(\w+)\}", "\n".join(texts))) - set(ruleset.plain())
    assert used == set(figures(ruleset))
