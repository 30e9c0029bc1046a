"""`compare` and `sweep` of Carcassonne: the same deals, measures of its own, intervals that hold."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from benchmarks.intervals import SELF_PLAY, Setting, compare_null, cover
from channel_tunnel_agents.balance.changing.compare import compare
from channel_tunnel_agents.balance.changing.sweep import Sweep, Swept, draw, plan_sweep, play_sweep, sheets
from channel_tunnel_agents.balance.measuring.measures import GAME_MEASURES
from channel_tunnel_agents.balance.measuring.significance import is_significant
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.learning import exploit
from channel_tunnel_agents.matches.arena import deal_games, deal_seeds
from channel_tunnel_agents.matches.tournament import Tournament, play_tournament
from channel_tunnel_agents.players.policy.card import make_card
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.network import SeatPolicy
from channel_tunnel_agents.players.policy.saved_policy import save_policies
from channel_tunnel_env import Ruleset, load_ruleset
from tests.games.carcassonne.records import ruleset_with

RULES = load_ruleset("carcassonne")
SMALL = ruleset_with(table=5, name="small-table")
MEASURES = GAME_MEASURES["carcassonne"].known
STUDIED = Setting("random", SMALL, {"points.road": 2}, 2, 60, seed=3)  # keeps its games
VARIANTS = ("follower", "steal", "paired", "no_block")


def games_of(ruleset: Ruleset, deals: int, seed: int = 1, agent: str = "random") -> pd.DataFrame:
    wanted = Tournament((agent,), deals, seed, ruleset, mirror=True)
    return play_tournament(wanted, workers=1).store.read("games")


# --- what is measured -----------------------------------------------------------------------------


def test_every_measure_reads_a_games_table() -> None:
    games = games_of(RULES, 40)
    for measure in MEASURES.values():
        found = measure.estimate(games)
        assert found.low <= found.value <= found.high, measure.name
        if measure.unit == "share":
            assert found.low >= 0 and found.high <= 1
    found = {name: measure.estimate(games).value for name, measure in MEASURES.items()}
    sources = ("city", "road", "cloister", "field")
    assert sum(found[f"points_{source}"] for source in sources) == pytest.approx(found["score"])
    assert found["left"] == pytest.approx(sum(found[f"left_{source}"] for source in sources))
    for name in ("score", "left", "tunnels", "behind_half"):
        both = found[f"{name}_player_0"] + found[f"{name}_player_1"]
        assert both == pytest.approx(found[name]) and both > 0
    assert found["first_tokens"] - found["tunnels"] == pytest.approx(found["half_tunnels"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_is_played_with_the_same_decks(variant: str) -> None:
    seeds = deal_seeds(50, 7)
    decks = [deal_games(seeds, rules).states["deck"] for rules in (RULES, _variant(variant))]
    assert np.array_equal(*decks) and len(np.unique(decks[0], axis=0)) == 50


def _variant(name: str) -> Ruleset:
    return ruleset_with(tunnel_variant=name, name=name)


# --- known truth ----------------------------------------------------------------------------------


def test_a_copy_under_another_name_differs_in_nothing() -> None:
    copy = RULES.with_values({}, name="copy")
    for difference in compare(games_of(RULES, 40), games_of(copy, 40), list(MEASURES.values())):
        assert difference.change.value == 0 and difference.differing == 0
        assert not difference.is_significant


def test_a_planted_change_is_found_with_the_right_size() -> None:
    """Incomplete cloisters are worth twice as much: that many points more, in the same games."""
    richer = RULES.with_values({"points.cloister_open": 2})
    games = [games_of(rules, 100) for rules in (RULES, richer)]
    found = {d.measure.name: d for d in compare(*games, list(MEASURES.values()))}
    for name in ("points_cloister", "points_cloister_player_0", "score"):
        assert found[name].is_significant and found[name].change.value > 0
    assert found["score"].change == found["points_cloister"].change
    assert found["points_cloister"].other.value < 2 * found["points_cloister"].one.value
    unmoved = ("points_road", "points_field", "turns", "tunnels", "behind_half", "left")
    assert all(found[name].differing == 0 for name in unmoved)


@pytest.mark.heavy
def test_the_same_rules_on_other_deals_differ_by_luck_alone() -> None:
    found = cover(pd.DataFrame(compare_null(Setting("random", RULES, {}, 6, 80, seed=7))))
    assert found.alarms is not None and found.alarms.value == 0
    assert found.held.value > 0.92 and found.held.high > 0.95
    assert found.intervals > 200


@pytest.mark.parametrize("study", SELF_PLAY)
def test_every_study_of_self_play_gives_rows(study: str) -> None:
    table = pd.DataFrame(SELF_PLAY[study](STUDIED))
    assert set(table["run"]) == {0, 1} and cover(table).intervals > 0


# --- commands -------------------------------------------------------------------------------------


def _write(folder: Path, text: str) -> str:
    path = folder / "b.yaml"
    path.write_text(text)
    return str(path)


def test_compare_speaks_of_the_seats_and_the_changed_rule(tmp_path, capsys) -> None:
    other = _write(tmp_path, "base: carcassonne\nname: b\ntunnel_variant: follower\n")
    words = ["compare", "carcassonne", other, "--agent", "random", "--agent", "points"]
    words += ["--deals", "2", "--workers", "1", "--out", str(tmp_path / "out")]
    assert evaluate.main(words) == 0
    shown = " ".join(capsys.readouterr().out.split())
    parts = (
        "What b changes in carcassonne: - Who may lay a token where: only on roads with an own follower instead of anybody anywhere.",
        "The first seat's share of wins, the same deals",
        "Played by random, the first seat wins ",
        "Played by points, the first seat wins ",
        "- random: plays by chance",
        "less carcassonne, the same deals (random)",
    )
    places = [shown.index(part) for part in parts]
    assert places == sorted(places)
    assert "ritain" not in shown and "rance" not in shown
    data = json.loads((tmp_path / "out" / "compare.json").read_text())
    assert {measure["name"] for measure in data["measures"]} == set(MEASURES)


THREE = "base: carcassonne\nname: three\nplayers: 3\n"
REPORT = ("report", "--deals", "2", "--workers", "1", "--ruleset")
PLAYERS = ("--agents", "random", "points")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["compare", "carcassonne", "tiny"], "two rulesets of one game are needed"),
        (["compare", "carcassonne", "b.yaml"], "no such file"),
        (["compare", "carcassonne", "three.yaml"], "three: 3 seats, and carcassonne has 2"),
        (["compare", "greedy", "heuristic", "--ruleset", "carcassonne"], "heuristic"),
        (["sweep", "--ruleset", "carcassonne", "--param", "farms=1"], "no such key"),
        (["sweep", "--ruleset", "carcassonne", "--param", "followers=0"], "refused"),
        (["sweep", "--ruleset", "carcassonne", "--param", "players=3"], "3 seats, and carcassonne has 2"),
        (["sweep", "--ruleset", "carcassonne", "--param", "followers=5", "--agent", "heuristic"], "heuristic"),
        (
            [*("sweep", "--ruleset", "carcassonne", "--param", "followers=5"), *("--measures", "britain_wins")],
            "measure 'britain_wins': unknown",
        ),
        ([*REPORT, "eurotunnel", *PLAYERS], "agent 'points' plays the game carcassonne"),
        ([*REPORT, "carcassonne", *PLAYERS, "--base", "three.yaml"], "three: 3 seats, and carcassonne has 2"),
        ([*REPORT, "three.yaml", *PLAYERS, "--skip", "sides"], "known: seats, meetings, points"),
        ([*REPORT, "carcassonne", *PLAYERS, "--skip", "cards"], "known: sides, matrix, points"),
        ([*REPORT, "carcassonne", *PLAYERS, "--base", "standard"], "base standard: game tunnel_1987"),
        ([*REPORT, "carcassonne", "--agents", "random", "heuristic"], "heuristic"),
    ],
)
def test_what_does_not_fit_is_answered_in_a_line(words, reason, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("three.yaml").write_text(THREE)
    assert evaluate.main([*words, "--out", "out"]) == 2
    shown = capsys.readouterr().err
    assert reason in " ".join(shown.split())
    assert len(shown.strip().splitlines()) == 1
    assert not list(tmp_path.rglob("*.parquet"))


def test_rulesets_for_three_are_compared_by_every_seats_share(tmp_path, capsys) -> None:
    other = _write(tmp_path, "base: carcassonne\nname: few\nplayers: 3\nfollowers: 3\n")
    out, three = tmp_path / "out", tmp_path / "three.yaml"
    three.write_text(THREE)
    words = ["compare", str(three), other, "--agent", "random", "--deals", "60"]
    assert evaluate.main([*words, "--workers", "1", "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "Followers: 3 instead of 7" in shown and "first seat wins" not in shown
    data = json.loads((out / "compare.json").read_text())
    found = {measure["name"]: measure for measure in data["measures"]}
    shares = [found[f"share_player_{seat}"]["other"]["value"] for seat in range(3)]
    assert sum(shares) == pytest.approx(1) and max(shares) < 0.6
    assert found["score"]["significant"] and found["score"]["title"] == "final score, all seats"
    assert not data["sentences"]


# --- sweep ----------------------------------------------------------------------------------------


def _play(sweep: Sweep) -> Swept:
    return play_sweep(plan_sweep(sweep), None, 1)


def test_a_sweep_reports_the_games_main_measures_and_sees_fewer_followers() -> None:
    found = _play(Sweep(("followers=4",), "carcassonne", "random", 60))
    assert [m.name for m in found.measures] == list(GAME_MEASURES["carcassonne"].main)
    score = found.table[~found.table["base"]].set_index("measure").loc["score"]
    assert is_significant(score["p_holm"]) and score["value"] < 100
    base, fewer = found.games
    assert score["change"] == pytest.approx(
        fewer[["score_player_0", "score_player_1"]].sum(axis=1).mean()
        - base[["score_player_0", "score_player_1"]].sum(axis=1).mean()
    )


def test_the_variants_are_swept_as_words_beside_the_base() -> None:
    found = _play(Sweep(("tunnel_variant=steal,follower",), "carcassonne", "random", 40))
    cells = [row[0] for row in sheets(found)[0].rows]
    assert cells == ["none (base)", "steal", "follower"]
    svg = draw(found).decode()
    assert all(word in svg for word in ("none", "steal", "follower", "tunnel_variant"))


def test_the_sweep_command_writes_its_command_and_curves(tmp_path) -> None:
    words = ["sweep", "--ruleset", "carcassonne", "--param", "points.farm=3..4", "--agent"]
    words += ["random", "--deals", "10", "--workers", "1", "--out", str(tmp_path)]
    assert evaluate.main(words) == 0
    content = json.loads((tmp_path / "sweep.json").read_text())
    assert "--measures first_seat_wins" in content["command"]
    assert "even sides" in (tmp_path / "sweep.svg").read_text()


# --- learners -------------------------------------------------------------------------------------


@pytest.fixture
def policy(tmp_path) -> str:
    """An untrained policy in a folder."""
    torch.manual_seed(5)
    weights = SeatPolicy(16, 1, "game", FORMS["carcassonne"]).state_dict()
    config = {"config": {"trunk": "shared", "network": "game"}}
    card = make_card(RULES, width=16, depth=1, network="game", **config)
    save_policies(tmp_path / "policy", {"player": weights}, card)
    return f"ppo:{tmp_path / 'policy'}"


@pytest.mark.heavy
def test_a_best_response_is_searched_and_trained(tmp_path, policy, monkeypatch, capsys) -> None:
    monkeypatch.setattr(exploit, "train_response", partial(exploit.train_response, num_games=8, steps=8, batch_size=32))
    monkeypatch.setattr(exploit, "CHOOSING_GAMES", 4)
    words = ["exploit", policy, "--ruleset", "carcassonne", "--deals", "3"]
    assert evaluate.main([*words, "--worlds", "2", "--depth", "1", "--top", "2"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "search, 2 worlds, 1 plies, top 2" in shown and "as player_1 (fair " in shown
    run = ["--method", "training", "--run", str(tmp_path / "run"), "--decisions", "100"]
    assert evaluate.main([*words, *run]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "3 deals per seat" in shown and "as player_0 (fair " in shown
