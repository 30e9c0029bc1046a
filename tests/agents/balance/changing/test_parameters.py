"""Parameters as typed: their values, their errors, and the rulesets and files they give."""

from __future__ import annotations

import pytest
import yaml

from channel_tunnel_agents.balance.changing.overlay import base_name, dump_overlay, make_overlay
from channel_tunnel_agents.balance.changing.parameters import (
    ParameterError,
    base_point,
    grid,
    make_point,
    read_parameters,
    read_values,
)
from channel_tunnel_env import load_ruleset

STANDARD, TINY = load_ruleset("standard"), load_ruleset("tiny")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1..4", (1, 2, 3, 4)),
        ("-1..1", (-1, 0, 1)),
        ("0..20:5", (0, 5, 10, 15, 20)),
        ("0..9:4", (0, 4, 8)),
        ("3", (3,)),
        ("5,1, 2", (1, 2, 5)),
        ("7..7", (7,)),
    ],
)
def test_values_are_ranges_with_both_ends_steps_or_lists(text: str, values: tuple) -> None:
    assert read_values(text, text) == values


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "none given"),
        ("discs.hand=9 discs.hand=10", "discs.hand: given twice"),
        ("discs.hand", "expected KEY=VALUES, such as barriers"),
        ("discs.hand=", "'' is not a whole number"),
        ("discs.hand=1.5", "'1.5' is not a whole number"),
        ("discs.hand=4..1", "from 4 to 1: no values"),
        ("discs.hand=1..4:0", "steps of 0: no values"),
        ("discs.hand=3,3", "a value is given twice"),
        ("discs.hand=1..1000000000", "1,000,000,000 values; at most 200"),
        ("discs.hnd=3", "no such key in standard; did you mean discs.hand"),
        ("barriers.france.a=3", "no such key in standard; did you mean barriers.france.a.0"),
        ("switches.supervision_mode=1", "supervision_mode=1: refused: .*allowed: strict"),
        ("agenda.enabled=1", "'1': allowed: true, false"),
        ("agenda.enabled=true,true", "a value is given twice"),
        ("name=other", "names the ruleset; only its rules can be varied"),
        ("discs.hand=9..40", r"--param discs.hand=26: refused: discs.hand: 26: allowed: .* 1..25"),
        ("route.length=8..9", "--param route.length=8: refused: rubble.tokens: 20: the tokens"),
    ],
)
def test_a_wrong_parameter_is_refused_in_one_line(words: str, reason: str) -> None:
    with pytest.raises(ParameterError, match=reason) as caught:
        read_parameters(words.split(), STANDARD)
    assert "\n" not in str(caught.value)


def test_a_grid_holds_every_setting_and_knows_its_base() -> None:
    parameters = read_parameters(("discs.hand=9..10", "extra_finance=2..4"), STANDARD)
    points = grid(parameters, STANDARD)
    assert [tuple(point.values.values()) for point in points] == [
        (hand, money) for hand in (9, 10) for money in (2, 3, 4)
    ]
    assert [point.is_base for point in points] == [False] * 4 + [True, False]
    for point in points:
        assert {key: point.ruleset.flat[key] for key in point.values} == point.values
    assert base_point(parameters, STANDARD).ruleset is STANDARD


def test_a_grid_of_more_than_200_settings_is_refused_with_their_number() -> None:
    parameters = read_parameters(("discs.hand=1..25", "extra_finance=1..10"), STANDARD)
    with pytest.raises(ParameterError, match="25 x 10 = 250 settings; at most 200"):
        grid(parameters, STANDARD)


def test_a_number_that_is_not_set_can_be_swept() -> None:
    (parameter,) = read_parameters(("discs.keep_limit=0..2",), STANDARD)
    assert parameter.base is None
    assert base_point([parameter], STANDARD).name == "discs.keep_limit=none"


def test_words_of_a_switch_keep_their_order_and_give_overlays_that_load() -> None:
    rules = load_ruleset("carcassonne")
    words = ("tunnel_variant=steal,follower", "robber_baron=true")
    parameters = read_parameters(words, rules)
    assert [parameter.values for parameter in parameters] == [("steal", "follower"), (True,)]
    assert [parameter.distance(parameter.values[0]) for parameter in parameters] == [1.0, 1.0]
    points = grid(parameters, rules)
    assert [point.name for point in points] == [
        "tunnel_variant=steal, robber_baron=true",
        "tunnel_variant=follower, robber_baron=true",
    ]
    for point in points:
        overlay = make_overlay(base_name("carcassonne"), rules, point.ruleset, point.changes)
        assert overlay["base"] == "carcassonne" and overlay["robber_baron"] is True
        assert load_ruleset(yaml.safe_load(dump_overlay(overlay))).digest == point.ruleset.digest


@pytest.mark.parametrize("base", [STANDARD, TINY], ids=lambda ruleset: ruleset.name)
def test_numbers_of_every_section_changed_gives_an_overlay_that_loads_as_the_same_rules(base) -> None:
    checked = 0
    numbers = [(key, value) for key, value in base.flat.items() if type(value) is int]
    for key, value in numbers[::3]:
        try:
            point = make_point(base, {key: value + 1})
        except ParameterError:
            continue
        overlay = make_overlay(base.name, base, point.ruleset, point.changes)
        assert load_ruleset(yaml.safe_load(dump_overlay(overlay))).digest == point.ruleset.digest
        checked += 1
    assert checked > 20


def test_several_changes_and_a_base_in_another_folder_load_too(tmp_path, monkeypatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "my.yaml").write_text("base: standard\nname: mine\nbarriers: {france: {a: [1, 1]}}\n")
    monkeypatch.chdir(home)
    mine = load_ruleset("my.yaml")
    changes = {"barriers.france.a.0": 3, "barriers.france.a.1": 4, "deck.cards.new_materials.points": 5}
    after = mine.with_values(changes, "other")
    path = tmp_path / "other.yaml"
    path.write_text(dump_overlay(make_overlay(base_name("my.yaml"), mine, after, changes), ["why"]))
    monkeypatch.chdir(tmp_path)
    assert load_ruleset(path).plain() == after.plain()  # its sources say where it was written
    assert path.read_text().startswith("# why\nbase: ")


def test_only_what_differs_is_written() -> None:
    after = STANDARD.with_values({"discs.hand": 9, "barriers.france.a.0": 1}, "other")
    overlay = make_overlay("standard", STANDARD, after, ["discs.hand", "barriers.france.a.0"])
    assert overlay == {"base": "standard", "name": "other", "discs": {"hand": 9}, "barriers": {"france": {"a": [1, 4]}}}
