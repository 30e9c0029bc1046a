"""The ruleset as a designer meets it: overlays, sources, errors, what differs."""

from __future__ import annotations

from pathlib import Path

import pytest

from channel_tunnel_env import RulesetError, load_ruleset
from channel_tunnel_env.cli.rules import rules
from channel_tunnel_env.faces.registry import changes_in_words

from .arena import ruleset_with


@pytest.mark.parametrize("tunnels", range(5))
def test_a_power_may_have_no_tunnels_to_four(tunnels: int) -> None:
    ruleset = ruleset_with(tunnels_per_power=tunnels)
    assert ruleset.spec.rules.make_tables([ruleset])["tunnels_per_power"][0] == tunnels


def test_a_file_changes_what_it_names_and_counts_as_another_game(tmp_path: Path) -> None:
    path = tmp_path / "short.yaml"
    path.write_text("base: eurotunnel\nmax_year: 1905\nabsent: [ITALY]\n", "utf-8")
    ruleset, standard = load_ruleset(path), load_ruleset("eurotunnel")
    assert ruleset.name == "short" and ruleset.data.absent == ["ITALY"]
    assert ruleset.data.rulebook == "1971" and ruleset.digest != standard.digest
    assert ruleset_with(title="Another").digest == standard.digest


def test_a_list_is_set_as_a_whole_as_in_a_file() -> None:
    standard = load_ruleset("eurotunnel")
    without = standard.with_values({"absent": ["ITALY", "TURKEY"]})
    assert without.data.absent == ["ITALY", "TURKEY"]
    assert without.digest == ruleset_with(absent=["ITALY", "TURKEY"]).digest
    assert without.with_values({"absent": []}).digest == standard.digest
    assert without.with_values({"absent.1": "FRANCE"}).data.absent == ["FRANCE", "ITALY"]
    for changes, words in (
        ({"absent": ["SPAIN"]}, "absent.0: 'SPAIN'"),
        ({"absent": "ITALY"}, "absent: 'ITALY'"),
        ({"abzent": []}, "abzent: unknown key; did you mean 'absent'"),
        ({"absent": [], "absent.0": "ITALY"}, "absent.0: absent is set as a whole"),
    ):
        with pytest.raises(RulesetError, match=words):
            without.with_values(changes)


BAD = {
    "rulebook: '1982': allowed: \"1971\", datc": {"rulebook": "1982"},
    "tunnels_per_power: 5: allowed: whole numbers 0..4": {"tunnels_per_power": 5},
    "max_year: 1900: allowed: whole numbers 1901..9999": {"max_year": 1900},
    "limit_score: 'most': allowed: sos, dss, centres, pieces": {"limit_score": "most"},
    "absent.0: 'SPAIN'": {"absent": ["SPAIN"]},
    "absent: .*: a power is named once": {"absent": ["ITALY", "ITALY"]},
    "draw_vote: 'perhaps': allowed: true, false": {"draw_vote": "perhaps"},
    "tunels: unknown key": {"tunels": True},
}


@pytest.mark.parametrize("words", BAD)
def test_what_is_wrong_is_said_with_what_is_allowed(words: str) -> None:
    with pytest.raises(RulesetError, match=words) as refused:
        ruleset_with(**BAD[words])
    assert len(refused.value.problems) == 1


def test_absent_powers_have_their_names_in_words() -> None:
    six = ruleset_with(absent=["ITALY", "TURKEY"])
    told = changes_in_words(load_ruleset("eurotunnel"), six)
    assert told == ["Powers that nobody plays: Italy, Turkey instead of none."]


def test_somebody_must_play() -> None:
    powers = ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]
    with pytest.raises(RulesetError, match="at least one power plays"):
        ruleset_with(absent=powers)


def test_the_command_shows_the_rules_and_what_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rules("eurotunnel") == 0
    said = capsys.readouterr().out
    assert "Eurotunnel Diplomacy" in said and "limit_score" in said.replace(" ", "_")
    path = tmp_path / "base.yaml"
    path.write_text("base: eurotunnel\ntunnels_per_power: 0\n", "utf-8")
    assert rules(str(path), diff="eurotunnel") == 0
    said = capsys.readouterr().out
    assert "tunnels_per_power" in said and "4" in said
    with pytest.raises(RulesetError, match="game: eurotunnel: allowed here: tunnel_1987"):
        rules("eurotunnel", diff="standard")
