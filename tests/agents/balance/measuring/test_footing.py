"""How a learned player fares against the scripted one on the very rules that are judged."""

from __future__ import annotations

import json

import pytest

from channel_tunnel_agents.balance.measuring.footing import (
    LEAST_SHARE,
    Footing,
    footing_lines,
    footing_of_games,
    measure_footings,
    weak_lines,
)
from channel_tunnel_agents.balance.report import build
from channel_tunnel_agents.commands.evaluate import main
from channel_tunnel_agents.games.tunnel_1987.report import SECTIONS
from channel_tunnel_agents.matches.tournament import Tournament, play_tournament
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_env import load_ruleset

TINY = load_ruleset("tiny")
MINE = "base: tiny\nname: mine\nstorage: {britain: 3}\n"


def footing(share: float, deals: int = 100) -> Footing:
    return Footing("adept", "heuristic", "mine", Estimate(share, share - 0.07, share + 0.07), deals)


def test_the_line_names_both_players_the_rules_the_share_and_what_it_rests_on() -> None:
    assert footing_lines([footing(0.71)]) == [
        "On mine adept wins 71.0 % [64.0, 78.0] of its games against heuristic, the scripted player "
        "(100 deals, seats swapped)."
    ]


def test_a_learned_player_below_60_per_cent_is_warned_of() -> None:
    assert LEAST_SHARE == 0.6
    assert weak_lines([footing(0.60)]) == []
    (line,) = weak_lines([footing(0.599)])
    assert "adept" in line and "heuristic" in line and "mine" in line and "60 %" in line


def test_too_few_deals_give_a_line_without_a_claim_and_no_warning() -> None:
    few = footing(0.2, deals=29)
    assert footing_lines([few]) == ["How adept fares against heuristic on mine cannot be said: 29 deals are too few."]
    assert weak_lines([few]) == []


def test_both_seats_are_played_on_the_same_deals_and_again_on_the_same_seeds() -> None:
    (found,) = measure_footings([("random", TINY)], deals=30, workers=1)
    assert (found.learner, found.scripted, found.ruleset) == ("random", "heuristic", "tiny")
    assert found.deals == 30 and found.is_weak and found.share.value < 0.3
    assert measure_footings([("random", TINY)], deals=30, workers=1) == [found]
    (half,) = measure_footings([("heuristic", TINY)], deals=30, workers=1)
    assert half.share.low < 0.5 < half.share.high


def test_a_tournament_that_has_both_players_answers_without_further_games() -> None:
    results = play_tournament(Tournament(("heuristic", "random"), 40, 3, TINY), workers=1)
    found = footing_of_games(results, "random")
    assert found is not None and found.deals == 40
    assert found.share.value == results.pair(1, 0).both.value
    alone = play_tournament(Tournament(("racer", "random"), 4, 3, TINY), workers=1)
    assert footing_of_games(alone, "random") is None


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(MINE, encoding="utf-8")
    return path


def test_compare_says_it_of_both_rulesets_and_warns(mine, tmp_path, capsys) -> None:
    words = ["compare", "tiny", str(mine), "--agent", "frozen:rookie", "--deals", "30"]
    assert main([*words, "--workers", "1", "--out", str(tmp_path / "out")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    found = json.loads((tmp_path / "out" / "compare.json").read_text())["footing"]
    assert [each["ruleset"] for each in found] == ["tiny", "mine"]
    for each in found:
        assert f"On {each['ruleset']} frozen:rookie wins" in shown
        assert each["weak"] == (each["share"]["value"] < LEAST_SHARE)
        assert each["weak"] == (f"Warning: on {each['ruleset']} frozen:rookie" in shown)


def test_compare_says_it_of_two_rulesets_of_one_name(mine, tmp_path, capsys) -> None:
    other = tmp_path / "later.yaml"
    other.write_text(MINE.replace("britain: 3", "britain: 1"), encoding="utf-8")
    words = ["compare", str(mine), str(other), "--agent", "frozen:rookie", "--deals", "30"]
    assert main([*words, "--workers", "1", "--out", str(tmp_path / "out")]) == 0
    found = json.loads((tmp_path / "out" / "compare.json").read_text())["footing"]
    assert [each["ruleset"] for each in found] == ["mine", "mine"]


def test_compare_of_players_that_learnt_nothing_says_nothing(mine, capsys) -> None:
    words = ["compare", "tiny", str(mine), "--agent", "racer", "--deals", "30", "--workers", "1"]
    assert main(words) == 0
    assert "scripted player" not in capsys.readouterr().out


@pytest.mark.parametrize("others", [("random",), ("heuristic",)])
def test_a_report_says_it_on_its_first_page_whether_or_not_the_scripted_player_takes_part(
    others, mine, tmp_path
) -> None:
    words = ["report", "--ruleset", str(mine), "--agents", *others, "frozen:rookie", "--base", "none"]
    words += ["--deals", "30", "--levers", "0", "--skip", *SECTIONS, "--workers", "1"]
    assert main([*words, "--out", str(tmp_path / "r")]) == 0
    data = json.loads((tmp_path / "r" / build.JSON).read_text())
    (found,) = data["footing"]
    told = json.dumps(data["front"]["unknown"])
    assert "On mine frozen:rookie wins" in told and "against heuristic, the scripted player" in told
    assert found["weak"] == ("wins fewer than 60 %" in data["warning"])
    assert found["weak"] == (found["share"]["value"] < LEAST_SHARE)
    measured = [*(tmp_path / "r" / "plans").glob("*/measures/against_the_scripted_player.json")]
    assert bool(measured) == (others == ("random",))  # else the page's own games tell
