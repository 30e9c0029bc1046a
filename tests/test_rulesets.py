"""Rulesets: what an overlay means, and what a wrong file is told."""

from __future__ import annotations

import copy
import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from channel_tunnel_env import RulesetError, load_ruleset
from channel_tunnel_env.rulesets.ruleset import RULESET_FOLDER, SOURCES, file_schema
from channel_tunnel_env.rulesets.settings import settings
from tests.random_games import EVERY_RULESET


def refused(ruleset: Any) -> RulesetError:
    """What is said of a ruleset that is wrong."""
    with pytest.raises(RulesetError) as caught:
        load_ruleset(ruleset)
    return caught.value


@pytest.fixture
def refused_file(tmp_path: Path) -> Callable[[str], RulesetError]:
    """What is said of the file my.yaml with a text."""

    def refuse(text: str) -> RulesetError:
        (tmp_path / "my.yaml").write_text(text, encoding="utf-8")
        return refused(tmp_path / "my.yaml")

    return refuse


@pytest.mark.parametrize("name", EVERY_RULESET)
def test_builtin_rulesets_load_and_survive_copies(name: str) -> None:
    rules = load_ruleset(name)
    assert rules.name == name
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert copy.deepcopy(rules) is rules


def test_a_ruleset_names_and_counts_its_seats() -> None:
    assert load_ruleset().seats == ("britain", "france")
    seats = {name: load_ruleset(name).num_seats for name in ("carcassonne", "eurotunnel")}
    assert seats == {"carcassonne": 2, "eurotunnel": 7}


@pytest.mark.parametrize("name", [name for name in EVERY_RULESET if name != "tiny"])  # which is of no box
def test_every_figure_of_a_built_in_ruleset_has_a_source_and_a_reason(name: str) -> None:
    figures = {figure.key: figure.provenance for figure in settings(load_ruleset(name)) if figure.key != "game"}
    sources = SOURCES[:3] if name == "standard" else SOURCES
    assert len(figures) > 12
    assert [key for key, said in figures.items() if not said.why or said.source not in sources] == []
    assert {said.source for key, said in figures.items() if key.startswith("tiles.")} <= {"rulebook"}
    cards = {f"deck.cards.*.{c}" for c in ("card", "points", "cost", "money", "secondary")}
    assert name != "standard" or cards <= set(load_ruleset(name).provenance)


def test_an_overlay_changes_what_it_names_and_nothing_else() -> None:
    base = load_ruleset("standard")
    mine = load_ruleset(
        {
            "base": "standard",
            "name": "mine",
            "discs": {"hand": 11},
            "deck": {"cards": {"influence_spain": {"points": 3}}},
        }
    )
    changed = {key for key in base.flat if base.flat[key] != mine.flat[key]}
    assert changed == {"name", "title", "discs.hand", "deck.cards.influence_spain.points"}
    assert mine.provenance["discs.hand"].source == "house"
    assert mine.provenance["route.length"] == base.provenance["route.length"]
    assert mine.digest != base.digest


def test_the_digest_is_of_the_rules_not_of_their_name() -> None:
    base = load_ruleset("standard")
    assert load_ruleset({"base": "standard", "name": "twin", "title": "Twin"}).digest == base.digest
    assert base.with_values({"extra_finance": 4}).digest != base.digest


def test_the_words_on_a_card_are_no_rules() -> None:
    base = load_ruleset("standard")
    renamed = load_ruleset({"base": "standard", "deck": {"cards": {"heavy_machinery": {"name": "Bagger 288"}}}})
    assert renamed.digest == base.digest and renamed != base
    other = {"base": "standard", "deck": {"cards": {"heavy_machinery": {"points": 3}}}}
    assert load_ruleset(other).digest != base.digest


def test_a_ruleset_without_a_name_is_called_after_its_file(tmp_path) -> None:
    def load(name: str, text: str):
        (tmp_path / name).write_text(text)
        return load_ruleset(tmp_path / name)

    mine = load("my rules.yaml", "base: standard\ndiscs: {hand: 11}\n")
    assert (mine.name, mine.data.title) == ("my-rules", "my-rules: changed from standard")
    second = load("second.yaml", "base: my rules.yaml\ndiscs: {hand: 12}\n")
    assert (second.name, second.data.title) == ("second", "second: changed from my-rules")
    assert load("standard.yaml", "base: tiny\ndiscs: {hand: 9}\n").name == "standard-changed"
    assert load("x.yaml", "base: tiny\nname: fast\n").data.title == "fast: changed from tiny"
    assert load("y.yaml", "base: tiny\ntitle: Fast\n").data.title == "Fast"
    changed = load_ruleset({"base": "tiny", "discs": {"hand": 9}})
    assert (changed.name, changed.data.title) == ("tiny-changed", "tiny-changed: changed from tiny")
    changed = mine.with_values({"discs.hand": 9})
    assert changed.name == "my-rules-changed" and "changed from my-rules" in changed.data.title


def test_every_error_names_its_line(refused_file) -> None:
    told = refused_file(
        "base: standard\n"
        "route:\n"
        "  length: {value: 12, wy: x}\n"
        "  lenght: 3\n"
        "deck:\n"
        "  cards:\n"
        "    political_duel: {money: 99}\n"
        "    nobody: {points: 1}\n"
        "benefits: {france: {a: {1: fly}}}\n"
        "discs: 9\n"
        "barriers: {france: {a: {value: [1, 2], source: me}}}\n"
    )
    assert [problem.split(": ")[:2] for problem in told.problems] == [
        ["line 3, column 3", "route.length"],
        ["line 8, column 5", "deck.cards.nobody"],
        ["line 11, column 40", "barriers.france.a.source"],
        ["line 10, column 1", "discs"],
        ["line 3, column 3", "route.length"],
        ["line 4, column 3", "route.lenght"],
        ["line 9, column 25", "benefits.france.a.1"],
        ["line 7, column 22", "deck.cards.political_duel.money"],
    ]
    told = refused_file("base: standard\nroute: {length: 8}\n")
    assert re.search(r"line \d+, column 3 of standard\.yaml: rubble\.tokens", str(told))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("base: standard\nroute: {length: 99}\n", "my.yaml: line 2, column 9: route.length: 99"),
        ("base: [\n", "my.yaml: not valid YAML"),
        ("- 1\n", "a ruleset file must be a mapping"),
        ("base: standrd\n", "did you mean 'standard'"),
        ("base: 3", "line 1, column 1: base: 3: allowed: a ruleset's name or a file"),
        ("base: " + "x" * 5000, "base: 'xxx"),
        ("base: standard\ndeck: {columns: 3}", "line 2, column 8: deck.columns: 3: allowed"),
        ("base: standard\ndeck: {columns: {points: 3}}", "deck.columns.points: 3: allowed"),
        ("base: standard\ndeck: {columns: {points: {a: 3}}}", "deck.columns.points: unknown key"),
        ("base: standard\ndeck: {cards: [3, {card: 4}]}", "deck.cards.0: 3: allowed: a mapping"),
        ("base: standard\nextra_finance: {value: 3, why: [1]}", "extra_finance.why: [1]: allowed"),
        ("base: standard\na: " + "[" * 1100, "nested more than 40 deep"),
        ('base: standard\ntitle: "\\e[2J"', "control characters are not allowed in a text"),
        ("base: standard\nname: 012", "YAML 1.1 and 1.2 read this number differently"),
        ("base: standard\nx: " + "y" * 130_000, "x: unknown key"),
        ("base: standard\nextra_finance: " + "y" * 130_000, "extra_finance: 'yyy"),
    ],
)
def test_odd_files_are_refused_in_few_words(refused_file, text: str, message: str) -> None:
    told = str(refused_file(text))
    assert message in told and len(told) < 3000


def test_errors_are_listed_up_to_a_bound(refused_file) -> None:
    problems = refused_file("base: standard\n" + "".join(f"k{i}: 1\n" for i in range(4000))).problems
    assert len(problems) == 21 and "3,980 more errors" in problems[-1]


@pytest.mark.parametrize(
    ("text", "bases"),
    [
        ("", "(agenda, standard, tiny, carcassonne, eurotunnel)"),
        ("players: 3\ntunnel_variant: steal", "(agenda, standard, tiny, carcassonne, eurotunnel)"),
        ("game: eurotunnel\nname: mine\nmax_year: 1905", "(eurotunnel)"),
    ],
)
def test_a_file_that_forgot_its_base_is_told_so_in_one_line(refused_file, text: str, bases: str) -> None:
    (line,) = refused_file(text).problems
    assert line.startswith("no base:") and f"`base: NAME` {bases};" in line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("base: eurotunnel\nabsent: ITALY", "absent: 'ITALY': allowed: a list [...] of AUSTRIA, "),
        ("base: carcassonne\ntiles: []", "tiles: []: allowed: a mapping"),
        ("base: eurotunnel\nrulebook: 1971", 'rulebook: 1971: allowed: "1971", datc'),
        ('base: carcassonne\nplayers: "3"', "'3': allowed: whole numbers 2..6, without quotes"),
        ("base: carcassonne\npoints:\n\troad: 2", "line 3, column 1: a tab; indent with spaces"),
        (
            'base: carcassonne\ntiles:\n  A:\n    fields: ["0123"]',
            "line 4, column 5: tiles.A.fields: [4, 5, 6, 7]: a half edge beside no city",
        ),
    ],
)
def test_a_usual_mistake_is_told_with_what_to_write_and_where(refused_file, text: str, message: str) -> None:
    (line,) = refused_file(text).problems
    assert message in line and "Input should" not in line


def test_a_long_chain_of_bases_is_refused(tmp_path) -> None:
    for i in range(1499):
        (tmp_path / f"{i}.yaml").write_text(f"base: {i + 1}.yaml\n")
    (tmp_path / "1499.yaml").write_text("base: tiny\n")
    assert "more than 20 files on top of each other" in str(refused(tmp_path / "0.yaml"))
    assert load_ruleset(tmp_path / "1490.yaml").name == "1490"


def test_all_errors_come_at_once_with_key_value_and_what_is_allowed() -> None:
    told = refused(
        {
            "base": "standard",
            "route": {"lenght": 3, "length": 12},
            "limits": {"max_rounds": "x"},
            "switches": {"stalemate_result": "flip"},
            "benefits": {"france": {"a": {1: "fly"}}},
            "deck": {"cards": {"influence_spian": {"points": 3}, "influence_italy": {"points": 300}}},
            "discs": {"hand": {"value": 10, "sauce": "me"}},
        }
    )
    text = str(told)
    for line in (
        "route.lenght: unknown key; did you mean 'length'?",
        "route.length: 12: allowed: whole numbers 1..9",
        "limits.max_rounds: 'x': allowed: whole numbers 1..200",
        "switches.stalemate_result: 'flip': allowed: score, draw",
        "benefits.france.a.1: 'fly': allowed: peek, extra_disc, storage",
        "deck.cards.influence_spian: unknown card; did you mean 'influence_spain'?",
        "deck.cards.influence_italy.points: 300: allowed: whole numbers -20..20",
        "discs.hand: unknown key ['sauce']",
    ):
        assert line in text


@pytest.mark.parametrize(
    ("overlay", "message"),
    [
        ({"route": {"length": 8}}, "rubble.tokens: 20: the tokens must add up to 18"),
        ({"deviation": {"limit": 5}}, "deviation.penalties: [0, 1, 2, 3, 4]: 6 levels"),
        ({"deck": {"size": 32}}, "deck.size: 32: deck.cards lists 33 cards"),
        ({"deck": {"influence_cards": 9}}, "deck.influence_cards: 9: deck.cards lists 10"),
        ({"barrier_spaces": {"france": {"a": [2, 6]}}}, "barrier_spaces.france.a: 6: a barrier stands"),
        ({"barriers": {"france": {"a": [2]}}}, "barriers.france.a: [2]: one price for each"),
        ({"deck": {"cards": {"heavy_machinery": {"cost": "free"}}}}, "(rules A40)"),
        ({"deck": {"cards": {"topographical_analysis_1": {"cost": "place1or2"}}}}, "needs place1"),
        ({"deck": {"cards": {"influence_spain": {"money": 4}}}}, "money: 4: allowed: whole numbers 1..3"),
        ({"deviation": {"cards": ["red0", "none-2"]}}, "one colour at least twice"),
        ({"storage": {"france": 6, "britain": 6}}, "with technology at most 6"),
        ({"rubble": {"tokens": {"blue": 6}}}, "replaces the whole figure"),
        ({"discs": 9}, "discs: 9: allowed: a mapping with the keys per_colour, hand, keep_limit"),
        ({"discs": {"hand": True}}, "discs.hand: True: allowed: whole numbers 1..25"),
    ],
)
def test_inconsistent_rulesets_are_refused(overlay, message: str) -> None:
    assert message in str(refused({"base": "standard", **overlay}))


def test_a_deck_that_cannot_take_the_rubble_is_refused() -> None:
    """Rules A58."""
    cards = load_ruleset("standard").plain()["deck"]["cards"]
    free = [card | {"cost": "free"} for card in cards if card["kind"] == "european_influence"]
    assert "(rules A58)" in str(refused({"base": "standard", "deck": {"size": 10, "cards": free}}))


def test_bases_in_a_circle_are_refused(tmp_path) -> None:
    for one, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{one}.yaml").write_text(f"base: {other}.yaml\n")
    assert "circle" in str(refused(tmp_path / "a.yaml"))


def test_dotted_keys_can_be_set_and_unknown_ones_are_refused() -> None:
    base = load_ruleset("standard")
    changed = base.with_values({"barriers.france.a.0": 1, "benefits.britain.b.2": "peek"})
    assert changed.data.barriers.france.a == [1, 4]
    assert changed.data.benefits.britain.b[2] == "peek"
    with pytest.raises(RulesetError, match=r"did you mean 'barriers\.france\.a\.0'"):
        base.with_values({"barriers.france.a.00": 1})


def test_the_schema_describes_the_shipped_files() -> None:
    schema = json.loads(json.dumps(file_schema()))
    for path in RULESET_FOLDER.glob("*.yaml"):
        jsonschema.validate(json.loads(json.dumps(yaml.safe_load(path.read_text()))), schema)
    overlay = {"base": "standard", "deck": {"cards": {"influence_spain": {"points": 3}}}}
    jsonschema.validate(overlay, schema)
    for wrong in ({"route": {"length": 99}}, {"ruote": {}}, {"discs": {"hand": {"value": "ten"}}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"base": "standard", **wrong}, schema)


@pytest.mark.parametrize("text", ["value: 3", "{value: standard, game: [1]}", "game: [tunnel_1987]"])
def test_a_file_that_is_a_figure_or_names_no_game_is_refused_with_a_word(text: str, refused_file) -> None:
    assert str(refused_file(text))


@pytest.mark.parametrize("ruleset", ["standard", "carcassonne", "eurotunnel"])
def test_values_that_went_through_json_are_the_same_ruleset(ruleset: str) -> None:
    """JSON has only text as keys, and a track's spaces are numbered."""
    rules = load_ruleset(ruleset)
    assert load_ruleset(json.loads(json.dumps(rules.plain()))).digest == rules.digest


def test_a_number_that_is_a_key_twice_is_refused() -> None:
    """As a number and as text, which would be the same key."""
    values = load_ruleset("standard").plain()
    values["benefits"]["france"]["a"]["1"] = values["benefits"]["france"]["a"][1]
    assert "benefits.france.a.1" in str(refused(values))
