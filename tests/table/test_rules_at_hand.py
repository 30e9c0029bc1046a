"""Everything drawn has a rule sentence, and its numbers are those of the ruleset, with their source."""

from __future__ import annotations

import re

import pytest

from channel_tunnel_env import load_ruleset
from channel_tunnel_env.faces.registry import table_of
from channel_tunnel_env.games.tunnel_1987.faces.table import LAYOUTS, draw
from channel_tunnel_env.games.tunnel_1987.rule_words import rule_sentences
from tests.table.helpers import random_game


@pytest.mark.parametrize("name", ["standard", "agenda", "tiny"])
def test_every_rule_key_of_the_drawing_has_a_sentence(name: str) -> None:
    sentences = rule_sentences(load_ruleset(name))
    for seed in range(4):
        game = random_game(name, seed)
        start = type(game)(name, seed)
        for shown in (start, game):
            for layout in LAYOUTS:
                keys = set(re.findall('data-rule="([^"]+)"', draw(shown, "all", layout)))
                assert keys <= set(sentences), keys - set(sentences)
    for key, rule in sentences.items():
        assert rule["title"] and rule["text"].endswith("."), key
        assert "_" not in rule["title"] + rule["text"], key


def test_every_card_and_every_track_space_names_the_source_of_its_numbers() -> None:
    for key, rule in rule_sentences(load_ruleset("standard")).items():
        if key.startswith(("card:", "step:")):
            assert rule["sources"], key
            assert all("rulebook" in s or "re" in s for s in rule["sources"])


def test_a_changed_number_is_told_with_its_new_source() -> None:
    changed = load_ruleset("standard").with_values({"barriers.france.a.0": 7}, "mine")
    rule = rule_sentences(changed)["step:france:a:2"]
    assert "7 M" in rule["text"]
    before = rule_sentences(load_ruleset("standard"))["step:france:a:2"]
    assert "2 M" in before["text"] and before["sources"] != rule["sources"]
    overlay = load_ruleset({"base": "standard", "barriers": {"france": {"a": [7, 4]}}, "name": "his"})
    assert any("set by this ruleset" in s for s in rule_sentences(overlay)["step:france:a:2"]["sources"])


def test_sentences_follow_the_switches() -> None:
    """Soft Supervision and a check on the last space are said where the ruleset has them."""
    base = load_ruleset("agenda")
    turned = base.with_values({"switches.supervision_mode": "soft", "switches.final_tunnel_deviation_check": True})
    old, new = rule_sentences(base), rule_sentences(turned)
    assert "as long as" in new["agenda:supervision"]["text"]
    assert "as long as" not in old["agenda:supervision"]["text"]
    assert "after a deviation check" in new["flag"]["text"]
    assert "without a deviation check" in old["flag"]["text"]


def test_so_do_those_of_the_other_games() -> None:
    small = load_ruleset("carcassonne").with_values({"small_city": 2})
    assert "two tiles: 1 a tile" in table_of(small.spec).rule_sentences(small)["city"]["text"]
    units = load_ruleset("eurotunnel").with_values({"limit_score": "pieces"})
    assert "units are compared" in table_of(units.spec).goal(units)[1]
