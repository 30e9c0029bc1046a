"""Rulesets: what an overlay means, and what a wrong file is told."""

from __future__ import annotations

import copy
import json
import pickle

import jsonschema
import pytest
import yaml

from channel_tunnel_env import RulesetError, load_ruleset
from channel_tunnel_env.ruleset import RULESET_FOLDER, SOURCES, builtin_rulesets, file_schema


def errors_of(overlay) -> str:
    with pytest.raises(RulesetError) as caught:
        load_ruleset(overlay)
    return str(caught.value)


@pytest.mark.parametrize("name", builtin_rulesets())
def test_builtin_rulesets_load_and_survive_copies(name: str) -> None:
    rules = load_ruleset(name)
    assert rules.name == name
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert copy.deepcopy(rules) is rules


def test_every_figure_of_the_standard_ruleset_has_a_source_and_a_reason() -> None:
    rules = load_ruleset("standard")
    for key, provenance in rules.provenance.items():
        assert provenance.source in SOURCES[:3], key
        assert provenance.why, key
    cards = {f"deck.cards.*.{c}" for c in ("card", "points", "cost", "money", "secondary")}
    assert cards <= set(rules.provenance)


def test_inventory_of_the_box() -> None:
    """33 cards, 9 deviation cards, 6 agenda cards, 20 tokens, 25 discs (rules 1.1)."""
    data = load_ruleset("standard").data
    assert len(data.deck.cards) == 33
    assert sum(card.kind == "european_influence" for card in data.deck.cards) == 10
    assert len(data.deviation.cards) == 9
    assert len(data.agenda.points.model_dump()) == 6
    assert sum(data.rubble.tokens.model_dump().values()) == 20
    assert sum(data.rubble.agenda_symbols.model_dump().values()) == 5
    assert 5 * data.discs.per_colour == 25


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
    assert changed == {"name", "discs.hand", "deck.cards.influence_spain.points"}
    assert mine.provenance["discs.hand"].source == "house"
    assert mine.provenance["route.length"] == base.provenance["route.length"]
    assert mine.digest != base.digest


def test_the_digest_is_of_the_rules_not_of_their_name() -> None:
    base = load_ruleset("standard")
    assert load_ruleset({"base": "standard", "name": "twin", "title": "Twin"}).digest == base.digest
    assert base.with_values({"extra_finance": 4}).digest != base.digest


def test_all_errors_come_at_once_with_key_value_and_what_is_allowed() -> None:
    text = errors_of(
        {
            "base": "standard",
            "route": {"lenght": 3, "length": 12},
            "limits": {"max_rounds": "x"},
            "switches": {"stalemate_result": "flip"},
            "benefits": {"france": {"a": {1: "fly"}}},
            "deck": {
                "cards": {"influence_spian": {"points": 3}, "influence_italy": {"points": 300}}
            },
            "discs": {"hand": {"value": 10, "sauce": "me"}},
        }
    )
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
        (
            {"barrier_spaces": {"france": {"a": [2, 6]}}},
            "barrier_spaces.france.a: 6: a barrier stands",
        ),
        ({"barriers": {"france": {"a": [2]}}}, "barriers.france.a: [2]: one price for each"),
        ({"deck": {"cards": {"heavy_machinery": {"cost": "free"}}}}, "(rules A40)"),
        ({"deck": {"cards": {"topographical_analysis_1": {"cost": "place1or2"}}}}, "needs place1"),
        (
            {"deck": {"cards": {"influence_spain": {"money": 4}}}},
            "money: 4: allowed: whole numbers 1..3",
        ),
        ({"deviation": {"cards": ["red0", "none-2"]}}, "one colour at least twice"),
        ({"storage": {"france": 6, "britain": 6}}, "with technology at most 6"),
        ({"rubble": {"tokens": {"blue": 6}}}, "replaces the whole figure"),
        ({"discs": 9}, "discs: 9: allowed: a mapping with the keys per_colour, hand, keep_limit"),
        ({"discs": {"hand": True}}, "discs.hand: True: allowed: whole numbers 1..25"),
    ],
)
def test_inconsistent_rulesets_are_refused(overlay, message: str) -> None:
    assert message in errors_of({"base": "standard", **overlay})


def test_a_deck_that_cannot_take_the_rubble_is_refused() -> None:
    """Rules A58."""
    cards = load_ruleset("standard").plain()["deck"]["cards"]
    free = [card | {"cost": "free"} for card in cards if card["kind"] == "european_influence"]
    text = errors_of({"base": "standard", "deck": {"size": 10, "cards": free}})
    assert "(rules A58)" in text


def test_files_are_named_in_errors(tmp_path) -> None:
    path = tmp_path / "my.yaml"
    path.write_text("base: standard\nroute: {length: 99}\n")
    with pytest.raises(RulesetError, match=r"my\.yaml: route\.length: 99"):
        load_ruleset(path)
    path.write_text("base: [\n")
    with pytest.raises(RulesetError, match=r"my\.yaml: not valid YAML"):
        load_ruleset(path)
    path.write_text("- 1\n")
    with pytest.raises(RulesetError, match="a ruleset file is a mapping"):
        load_ruleset(path)
    path.write_text("base: standrd\n")
    with pytest.raises(RulesetError, match="did you mean 'standard'"):
        load_ruleset(path)
    with pytest.raises(RulesetError, match="did you mean 'tiny'"):
        load_ruleset("tinny")


def test_bases_in_a_circle_are_refused(tmp_path) -> None:
    for one, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{one}.yaml").write_text(f"base: {other}.yaml\n")
    with pytest.raises(RulesetError, match="circle"):
        load_ruleset(tmp_path / "a.yaml")


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
