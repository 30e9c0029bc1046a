"""Comparisons and gates: what is there is found, what is not is not claimed."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from channel_tunnel_agents.balance.changing import compare as comparing
from channel_tunnel_agents.balance.changing.compare import Difference, compare, two_sides
from channel_tunnel_agents.balance.changing.targets import Check, is_missed
from channel_tunnel_agents.balance.measuring.measure import Measure, column, find_measures
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.games.tunnel_1987.measures import MEASURES, DiscCount, card_measures, with_cards
from channel_tunnel_agents.matches.arena import by_seat, play_out
from channel_tunnel_agents.matches.rating import fit
from channel_tunnel_agents.matches.tournament import Tournament, play_tournament
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_env import BatchGame, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES

TINY = load_ruleset("tiny")


def games_of(ruleset, deals: int, seed: int = 1, agent: str = "random") -> pd.DataFrame:
    tournament = Tournament((agent,), deals, seed, ruleset, mirror=True)
    return play_tournament(tournament, workers=1).store.read("games")


def compare_all(one: pd.DataFrame, other: pd.DataFrame) -> list[Difference]:
    return compare(one, other, list(MEASURES.values()))


# --- known truth ----------------------------------------------------------------------------------


@pytest.mark.heavy
def test_without_a_difference_nothing_is_significant_in_95_of_100_comparisons() -> None:
    """Other deals of the same rules: every measure differs by luck, and Holm must see that."""
    games = games_of(TINY, 200 * 60, seed=3)
    parts = [games[60 * k : 60 * k + 60].assign(deal=range(60)) for k in range(200)]
    silent = sum(not any(d.is_significant for d in compare_all(parts[2 * k], parts[2 * k + 1])) for k in range(100))
    assert silent >= 95


def test_a_planted_change_is_found_with_an_interval_that_holds_it() -> None:
    """Five points more for the centre: that much more for whoever reaches it, in the same games."""
    richer = TINY.with_values({"scoring.centre_bonus": TINY.flat["scoring.centre_bonus"] + 5})
    found = {
        d.measure.name: d for d in compare_all(games_of(TINY, 300, agent="racer"), games_of(richer, 300, agent="racer"))
    }
    both = found["points_centre_britain"].change.value + found["points_centre_france"].change.value
    reached = found["end_centre"].other
    assert found["points_centre_britain"].is_significant and found["points_centre_france"].is_significant
    assert both == pytest.approx(5 * reached.value, abs=0.3)
    assert not found["rounds"].is_significant or found["rounds"].change.value == 0


@pytest.mark.heavy
def test_intervals_hold_the_truth_in_93_to_97_of_100_tournaments() -> None:
    """1000 tournaments of three agents, 60 deals that share luck, side term and strength known."""
    rng = np.random.default_rng(8)
    strengths, side, held = np.array([0.0, 0.4, 0.9]), -0.3, {"side": 0, "strength": 0}
    pairings = [(i, j) for i in range(3) for j in range(3)]
    luck = rng.uniform(size=(1000, 60))
    for deal_luck in luck:
        # A deal's luck is shared by a coin's share of the pairings, so each game alone is fair.
        outcomes = {}
        for i, j in pairings:
            chance = 1 / (1 + np.exp(-(strengths[i] - strengths[j] + side)))
            own = np.where(rng.uniform(size=60) < 0.5, deal_luck, rng.uniform(size=60))
            outcomes[i, j] = (own < chance).astype(float)
        rating = fit(outcomes)
        for name, found, truth in (("side", rating.side, side), ("strength", rating.strength(2), strengths[2])):
            held[name] += found.low < truth * 400 / np.log(10) < found.high
    assert all(930 <= count <= 970 for count in held.values()), held


# --- measures and sides ---------------------------------------------------------------------------


@pytest.mark.parametrize("planted", [0.0, 0.11])
def test_a_sentence_and_its_row_are_equally_sure(planted: float) -> None:
    """The share of wins among twenty measures that never change: corrected with all of them, in both."""
    won = MEASURES["britain_wins"]
    noise = [Measure(f"n{k}", f"n{k}", "points", column(f"n{k}")) for k in range(20)]
    seen = []
    for seed in range(60):
        random = np.random.default_rng(seed)
        one, other = (
            pd.DataFrame(random.normal(size=(300, 20)), columns=[m.name for m in noise]).assign(
                deal=range(300), britain_points=(random.random(300) < 0.5 + more).astype(float)
            )
            for more in (0.0, planted)
        )
        found = compare(one, other, [won, *noise])
        (sentence,) = comparing.side_sentences({"adept": found}, "a", "b")
        sheet = comparing.comparison_sheet(found, "a", "b", "adept")
        (row,) = [row for row in sheet.rows if row[0] == won.title] or [("", "no")]
        assert ("surely" in sentence) == (row[-1] == "yes"), (sentence, row)
        seen.append("surely" in sentence)
    assert any(seen) == bool(planted)


def test_every_measure_reads_a_games_table() -> None:
    games = games_of(TINY, 40)
    for measure in MEASURES.values():
        found = measure.estimate(games)
        assert found.low <= found.value <= found.high, measure.name
        if measure.unit == "share":
            assert found.low >= 0 and found.high <= 1
    with pytest.raises(AgentError, match="did you mean 'britain_wins'"):
        find_measures(["britain_win"], MEASURES)


def test_only_deals_that_both_have_are_compared() -> None:
    one, other = games_of(TINY, 50, agent="racer"), games_of(TINY, 40, agent="racer")
    found = compare_all(one, other.sample(frac=1, random_state=1))
    assert found[0].deals == 40
    assert all(d.differing == 0 for d in found)


def test_what_is_compared_is_told_from_the_names() -> None:
    assert [t.ruleset for t in two_sides("tiny", "agenda", ("random",), "-", 9, 1).values()] == ["tiny", "agenda"]
    agents = two_sides("random", "racer", ("-",), "tiny", 9, 1)
    assert [t.agents for t in agents.values()] == [("random",), ("racer",)]
    with pytest.raises(AgentError, match="'tiny' is a ruleset and 'random' is not"):
        two_sides("random", "tiny", ("-",), "tiny", 9, 1)
    with pytest.raises(AgentError, match="given twice"):
        two_sides("tiny", "tiny", ("-",), "tiny", 9, 1)
    for deals in (-1, 0, 1):
        with pytest.raises(AgentError, match=f"deals: {deals}; at least 2 are needed"):
            two_sides("tiny", "agenda", ("random",), "-", deals, 1)


# --- single cards and discs -------------------------------------------------------------------------


def test_the_discs_laid_are_counted_by_game_side_and_colour() -> None:
    batch = BatchGame(30, TINY)
    batch.reset(seeds=range(30))
    count, told = DiscCount(batch), np.zeros((30, 2, len(c.COLOURS)), int)

    def tell(rows, actions) -> None:
        for row in rows:
            verb, *words = ACTION_NAMES[actions[row]].split()
            if verb == "place":
                seat, colour = batch.to_play[row], c.COLOURS.index(words[0])
                told[row, seat, colour] += batch.states[row]["discs"][seat, colour]

    agent = make_agent("random", TINY, 3)
    play_out(batch, by_seat(batch, agent, agent), count, tell)
    assert np.array_equal(count.laid, told) and told.sum() > 300
    columns = count.of_games()
    assert len(columns) == 10
    assert np.array_equal(columns["laid_orange_france"], told[:, 1, c.COLOURS.index("orange")])
    assert all(name in MEASURES for name in columns)


def test_what_becomes_of_a_single_card_is_a_measure() -> None:
    cards = pd.DataFrame(
        {
            "deal": [0, 0, 1, 2],
            "card": ["a", "b", "a", "a"],
            "developed_by": ["britain", None, "france", None],
            "financed_britain": [0, 1, 0, 1],
            "financed_france": [0, 1, 0, 0],
        }
    )
    games = with_cards(pd.DataFrame({"deal": [2, 0, 1, 3]}), cards, ["a", "b"])
    found = {m.name: m.of(games).tolist() for m in card_measures({"a": "Card A", "b": "Card B"})}
    assert found["developed_a_britain"] == [0, 1, 0, 0]
    assert found["developed_a_france"] == [0, 0, 1, 0]
    assert found["money_a"] == [1, 0, 0, 0] and found["money_b"] == [0, 2, 0, 0]


# --- commands -------------------------------------------------------------------------------------


def test_compare_begins_with_the_rules_and_the_sides_in_a_sentence_and_writes_what_it_shows(tmp_path, capsys) -> None:
    (tmp_path / "b.yaml").write_text("base: tiny\nname: b\nstorage: {britain: 4}\n")
    command = ["compare", "tiny", str(tmp_path / "b.yaml"), "--deals", "40"]
    agents = ["--agent", "racer", "--agent", "random"]
    assert evaluate.main([*command, *agents, "--out", str(tmp_path / "out")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    parts = (
        "What b changes in tiny: - Britain starts with 4 storage spaces instead of 2.",
        "Britain's share of wins, the same deals",
        "Played by racer, Britain wins ",
        "Played by random, Britain wins ",
        "- racer: told the numbers of these rules",
        "- random: plays by chance",
        "less tiny, the same deals (racer)",
    )
    places = [shown.index(part) for part in parts]
    assert places == sorted(places)
    data = json.loads((tmp_path / "out" / "compare.json").read_text())
    assert data["changes"] == ["Britain starts with 4 storage spaces instead of 2."]
    own = [m["significant"] for m in data["measures"] if m["agent"] == "racer"]
    assert any(own) and f"{sum(own)} of {len(own)} measures differ" in shown
    assert (tmp_path / "out" / "tiny" / "games").is_dir()
    assert len(data["sentences"]) == 2 and {m["agent"] for m in data["measures"]} == {"racer", "random"}
    names = {m["name"] for m in data["measures"]}
    assert {"developed_extra_finance_1_britain", "money_heavy_machinery", "laid_blue_france"} <= names


def test_two_agents_are_compared_without_a_change_of_rules(capsys) -> None:
    words = ["compare", "random", "racer", "--ruleset", "tiny", "--deals", "40"]
    assert evaluate.main(words) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "changes" not in shown.split("measure")[0]
    assert "if random plays both sides, and " in shown


def test_rulesets_that_play_the_same_are_said_to_be_identical(tmp_path, capsys) -> None:
    (tmp_path / "b.yaml").write_text("base: tiny\nname: b\n")
    command = ["compare", "tiny", str(tmp_path / "b.yaml"), "--agent", "random", "--deals", "20"]
    assert evaluate.main(command) == 0
    assert "Identical on every deal: 20 deals" in capsys.readouterr().out


def test_a_policy_of_another_ruleset_is_refused_or_plays_with_a_loud_label(tmp_path, capsys) -> None:
    (tmp_path / "b.yaml").write_text("base: standard\nname: b\nscoring: {centre_bonus: 3}\n")
    command = ["compare", "standard", str(tmp_path / "b.yaml"), "--deals", "4", "--out", str(tmp_path / "out")]
    assert evaluate.main([*command, "--agent", "rookie"]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "made for ruleset digest" in told and "frozen:rookie" in told
    assert not (tmp_path / "out").exists(), "refused before any game"
    assert evaluate.main([*command, "--agent", "frozen:rookie"]) == 0
    assert "FROZEN" in capsys.readouterr().out


@pytest.mark.parametrize(
    "bounds, more, status", [("[0.0, 1.0]", [], 0), ("[0.9, 1.0]", [], 1), ("[0.49, 0.51]", ["--strict"], 1)]
)
def test_a_gate_fails_where_a_target_is_missed(bounds, more, status, tmp_path, capsys) -> None:
    path = tmp_path / "targets.yaml"
    path.write_text(f"agent: random\ndeals: 60\ntargets: {{britain_wins: {bounds}}}\n")
    assert evaluate.main(["gate", str(path), "--ruleset", "tiny", *more]) == status
    shown = capsys.readouterr().out
    assert ("Missed: britain_wins." in shown) == bool(status)


def test_a_target_near_its_bound_is_not_settled_and_strict_gates_refuse_it() -> None:
    near = Check("rounds", 5.0, 7.0, Estimate(6.9, 6.7, 7.1), 100)
    assert near.status == "not settled" and near.is_inside and near.distance == 0
    assert not is_missed(near) and is_missed(near, strict=True)
    far = Check("rounds", None, 5.0, Estimate(6.0, 5.5, 6.5), 100)
    assert far.status == "missed" and far.distance == 1.0 and is_missed(far)
