"""A ruleset in sentences: what it changes, with both values of every figure; and each rule in the right number."""

from __future__ import annotations

import re

import pytest

from channel_tunnel_env import RulesetError, load_ruleset
from channel_tunnel_env.cli.rules import rules
from channel_tunnel_env.games.tunnel_1987.faces.rulebook import rulebook
from channel_tunnel_env.games.tunnel_1987.rule_words import changes_in_words, figure_in_words, in_words, rule_sentences
from channel_tunnel_env.rulesets.overlay import base_of

STANDARD = load_ruleset("standard")
UNSAID = ("deck.size", "deck.influence_cards")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"barriers.france.a.0": 4}, "France's first barrier on track A costs 4 million instead of 2."),
        ({"storage.britain": 3}, "Britain starts with 3 storage spaces instead of 2."),
        ({"track_points.britain.b.5": 8}, "Space 5 of Britain's track B brings 8 points instead of 9."),
        ({"scoring.political_duel": 4}, "Political duel brings 4 points instead of 3."),
        (
            {"deck.cards.exchange_2.points": 3, "deck.cards.exchange_2.cost": "place1"},
            "Exchange 2 brings 3 points instead of 1, and costs “place 1” instead of “place 1-2”.",
        ),
        ({"storage.france": 1}, "France starts with 1 storage space instead of 3."),
        ({"agenda.enabled": True}, "The Agenda expansion is on instead of off."),
        ({"discs.keep_limit": 4}, "The most discs a player keeps on passing is 4 instead of the allowance."),
        ({"rubble.agenda_symbols.blue": 0}, "The agenda symbol is on 0 blue tokens instead of 1."),
        ({"switches.hand_cap": "always"}, "The limit of a hand holds always instead of only while drawing."),
    ],
)
def test_a_change_is_told_as_a_player_knows_the_rule(changes, sentence) -> None:
    assert changes_in_words(STANDARD, STANDARD.with_values(changes)) == [sentence]


def test_every_number_that_can_change_alone_is_told_with_both_values() -> None:
    told = 0
    for key, value in STANDARD.flat.items():
        if type(value) is not int or key in UNSAID:
            continue
        try:
            other = STANDARD.with_values({key: value + 1})
        except RulesetError:
            continue
        (sentence,) = changes_in_words(STANDARD, other)
        assert str(value) in sentence and str(value + 1) in sentence, sentence
        told += 1
    assert told > 100


def test_the_same_game_under_another_name_changes_nothing() -> None:
    assert changes_in_words(STANDARD, STANDARD.with_values({}, name="copy")) == []


def test_cards_left_out_and_added_are_named() -> None:
    tiny = load_ruleset("tiny")
    gone = next(line for line in changes_in_words(STANDARD, tiny) if "left out" in line)
    assert gone.startswith("23 cards are left out: European influence (Denmark), ")
    assert gone.endswith("and 17 more.")
    assert any(line.startswith("23 cards are added: ") for line in changes_in_words(tiny, STANDARD))


def test_the_base_of_a_ruleset_is_what_its_file_names(tmp_path) -> None:
    (tmp_path / "one.yaml").write_text("base: tiny\n")
    (tmp_path / "two.yaml").write_text("base: one.yaml\n")
    assert base_of(tmp_path / "one.yaml") == "tiny"
    assert base_of(tmp_path / "two.yaml") == str(tmp_path / "one.yaml")
    assert base_of("agenda") == "standard" and base_of("standard") is None


def test_the_command_tells_the_changes_before_the_table(tmp_path, capsys) -> None:
    (tmp_path / "my.yaml").write_text("base: standard\nstorage: {britain: 3}\n")
    assert rules(str(tmp_path / "my.yaml"), "standard") == 0
    said = capsys.readouterr().out
    sentence = "Britain starts with 3 storage spaces instead of 2."
    assert said.index(sentence) < said.index("storage.britain")


def test_a_figure_says_what_it_means() -> None:
    assert figure_in_words("storage.france", 1) == "France starts with 1 storage space."
    assert figure_in_words("benefits.france.a", {1: "peek"}).startswith("Space 1 of France's track A")
    told = figure_in_words("deviation.penalties", [0, 1])
    assert told == "Deviation costs 0, 1 points at the end, level by level."
    assert figure_in_words("switches.auto_forced", True) == "Skipping decisions with one answer is on."


def test_one_thing_is_said_in_the_singular() -> None:
    """On the designer's page every figure stands as a sentence."""
    told = figure_in_words("rubble.agenda_symbols.blue", 1)
    assert told == "The agenda symbol is on 1 blue token."
    assert figure_in_words("rubble.tokens.blue", 1) == "The rubble has 1 blue token."
    assert figure_in_words("discs.per_colour", 1) == "Each colour has 1 disc."


def test_one_of_a_thing_is_said_in_the_singular_wherever_a_rule_is_said() -> None:
    ones = load_ruleset("agenda").with_values(
        {
            "scoring.centre_bonus": 1,
            "scoring.political_duel": 1,
            "scoring.media_relations": 1,
            "storage.britain": 1,
            "storage.france": 1,
            "deviation.water_draws.britain": 1,
            "limits.max_empty_rounds": 1,
            "head_start.points.france": 1,
            "head_start.allowance.france": 1,
        }
    )
    said = [*in_words(ones), *(rule["text"] for rule in rule_sentences(ones).values())]
    for section in rulebook(ones):
        for block in section["blocks"]:
            said += block.get("items") or [block["text"]]
    wrong = re.compile(r"(?<![-,+\d] )(?<![-+\d])1 (?:[a-z]+ )?(?:points|spaces|discs|cards|tokens|rounds)\b")
    assert [text for text in said if wrong.search(text)] == []
    assert any("+1 to its points at the end" in text for text in said)
