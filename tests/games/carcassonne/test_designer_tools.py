"""`tune`, `gate`, levers, tension and luck of Carcassonne: planted effects are found, true nulls are not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from channel_tunnel_agents import AgentError
from channel_tunnel_agents.balance.changing import levers
from channel_tunnel_agents.balance.changing.levers import LEVERS, find_levers, measure_levers
from channel_tunnel_agents.balance.changing.sweep import Sweep, plan_sweep
from channel_tunnel_agents.balance.changing.targets import TargetError, load_targets
from channel_tunnel_agents.balance.measuring.game import MEASURED, STEP, measured_game
from channel_tunnel_agents.balance.measuring.judges import make_judge
from channel_tunnel_agents.balance.measuring.luck import (
    GAMES,
    PARTS,
    deck_spread,
    measure_deck_luck,
    measure_luck,
    shuffle_the_rest,
)
from channel_tunnel_agents.balance.measuring.tension import watch_games
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.games.carcassonne.measures import MEASURES
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import BatchGame, Game, load_ruleset
from tests.games.carcassonne.records import ruleset_with

RULES = load_ruleset("carcassonne")
STANDARD = load_ruleset("standard")
# Seven tiles are drawn, so the first seat has a turn more; with one cloister less or more both have as many.
FEW_TILES = {name: {"count": 0} for name, t in RULES.data.tiles.items() if t.expansion is None}
FEW_TILES |= {"D": {"count": 1}, "B": {"count": 3}, "U": {"count": 4}}
FEW = ruleset_with(name="few", tunnel=False, tiles=FEW_TILES)
EXAMPLE = Path(__file__).parents[3] / "configs" / "evaluate" / "carcassonne.yaml"


# --- targets and the gate -------------------------------------------------------------------------


def _targets(folder: Path, text: str) -> str:
    path = folder / "targets.yaml"
    path.write_text(text)
    return str(path)


def test_the_example_of_targets_is_of_this_game_alone_and_who_is_not_named_is_the_games_own_player(tmp_path) -> None:
    found = load_targets(EXAMPLE, "carcassonne")
    assert found.agent == "greedy" and "first_seat_wins" in found.targets
    with pytest.raises(TargetError, match="'first_seat_wins': unknown in this game; it belongs to"):
        load_targets(EXAMPLE)
    path = Path(_targets(tmp_path, "targets: {turns: [1, null]}\n"))
    assert load_targets(path, "carcassonne").agent == "greedy"
    path.write_text("targets: {rounds: [1, null]}\n")
    assert load_targets(path).agent == "heuristic"


THREE = "base: carcassonne\nname: three\nplayers: 3\n"


def test_a_table_of_three_is_held_to_the_gap_between_its_seats(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # wide enough that no name is folded
    (tmp_path / "three.yaml").write_text(THREE)
    rules = ["--ruleset", str(tmp_path / "three.yaml"), "--workers", "1"]
    path = _targets(
        tmp_path, "agent: random\ndeals: 30\ntargets: {seat_gap: [null, 0.9], share_player_2: [0.1, 0.9]}\n"
    )
    assert evaluate.main(["gate", path, *rules]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "the best seat's share of the win less the worst seat's at most 90 %" in shown
    out = str(tmp_path / "out")
    words = ["tune", "--targets", path, "--param", "followers=6,7", "--deals", "30", "--out", out]
    assert evaluate.main([*words, *rules]) == 0
    found = json.loads((tmp_path / "out" / "tune.json").read_text())
    assert "seat_gap" in str(found)


@pytest.mark.parametrize(
    ("rules", "text", "param", "reason"),
    [
        ("carcassonne", "targets: {rounds: [1, 2]}", "followers=5", "it belongs to tunnel_1987"),
        ("standard", "targets: {tunnels: [1, 2]}", "extra_finance=1", "it belongs to carcassonne"),
        ("carcassonne", "targets: {tunels: [1, 2]}", "followers=5", "did you mean 'tunnels'"),
        ("carcassonne", "targets: {turns: [null, null]}", "followers=5", "at least one bound"),
        ("three.yaml", "targets: {margin: [1, 2]}", "followers=5", "it belongs to"),
        ("eurotunnel", "targets: {seat_gap: [2, 1]}", "followers=5", "from 2 is above to 1"),
        ("carcassonne", "agent: heuristic\ntargets: {turns: [1, 2]}", "followers=5", "heuristic"),
        ("carcassonne", "targets: {turns: [1, 2]}", "extra_finance=1", "no such key in carcassonne"),
        ("carcassonne", "agent: random\ntargets: {turns: [1, 2]}", "players=3", "3 seats, and"),
        ("carcassonne", "targets: {turns: [1, 2]}", "followers=0..3", "followers=0: refused"),
    ],
)
def test_what_does_not_fit_is_answered_in_a_line(rules, text, param, reason, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("three.yaml").write_text(THREE)
    path = _targets(tmp_path, text)
    asked = [["tune", "--targets", path, "--param", param, "--out", "out", "--deals", "30"]]
    if param == "followers=5" or ("extra" in param and rules == "standard"):  # not about the lever
        asked.append(["gate", path])
    for words in asked:
        assert evaluate.main([*words, "--ruleset", rules, "--workers", "1"]) == 2
        shown = capsys.readouterr().err
        assert reason in " ".join(shown.split())
        assert len(shown.strip().splitlines()) == 1
    assert not list(tmp_path.rglob("*.parquet"))


# --- tune -----------------------------------------------------------------------------------------


def test_a_planted_number_is_found_and_proved(tmp_path, capsys) -> None:
    """Incomplete cloisters bring some 3.6 points a game; of these numbers only the largest brings enough."""
    text = "agent: random\ndeals: 60\ntargets: {points_cloister: [16, 50], points_road: [0, null]}\n"
    words = ["tune", "--targets", _targets(tmp_path, text), "--ruleset", "carcassonne"]
    words += ["--param", "points.cloister_open=1,2,8", "--deals", "30", "--workers", "1"]
    assert evaluate.main([*words, "--out", str(tmp_path / "out")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Best: points.cloister_open 1 -> 8." in shown and "All targets are met" in shown
    found = json.loads((tmp_path / "out" / "tune.json").read_text())
    assert found["status"] == "met" and found["checks"]["base"][0]["status"] == "missed"
    assert {change["measure"] for change in found["changes"]} >= {"first_seat_wins", "score"}
    loaded = load_ruleset(tmp_path / "out" / "best.yaml")
    assert loaded.spec is RULES.spec and loaded.flat["points.cloister_open"] == 8


# --- levers ---------------------------------------------------------------------------------------


def test_every_lever_is_one_figure_of_its_own_game() -> None:
    for ruleset in (RULES, STANDARD):
        own = measured_game(ruleset).levers
        for pattern in LEVERS:
            fits = any(re.fullmatch(pattern, key) for key in ruleset.flat)
            assert fits == (pattern in own), pattern
    points = find_levers(RULES)
    assert all(len(point.changes) == 1 for point in points)
    assert len({point.ruleset.digest for point in points}) == len(points)
    tried = {key: [p.changes[key] for p in points if key in p.changes] for key in RULES.flat}
    assert tried["followers"] == [6, 8] and tried["points.cloister"] == [6, 12]
    assert tried["token_sets_two"] == [2] and tried["small_city"] == [2]
    assert tried["tunnel_variant"] == ["follower", "steal", "paired", "no_block"]
    assert tried["robber_baron"] == [True] and not tried["players"] and not tried["table"]


def test_figures_that_a_switch_leaves_idle_are_not_turned() -> None:
    def keys(**switches: object) -> set[str]:
        return {key for point in find_levers(ruleset_with(**switches)) for key in point.changes}

    assert "points.farm" in keys() and "points.farm_first" not in keys()
    assert "points.farm_first" in keys(farm_scoring="first")
    assert "points.farm" not in keys(farm_scoring="none")
    assert not {"token_sets_two", "token_window", "tunnel_variant"} & keys(tunnel=False)


def test_a_planted_lever_is_found_and_a_true_null_is_none(monkeypatch) -> None:
    """One cloister less takes the first seat's extra turn; the others change nothing in these games."""
    nulls = ("token_sets_three", r"points\.shield", r"points\.city")
    monkeypatch.setattr(levers, "LEVERS", dict.fromkeys((r"tiles\.B\.count", *nulls), STEP))
    first, *rest = measure_levers("points", FEW, -1, 40, 150, 1, workers=1).chosen
    assert (first.key, first.base, first.is_significant) == ("tiles.B.count", 3, True)
    assert first.change.high < -0.3 and first.deals == 150
    assert len(rest) == 2
    for lever in rest:
        assert lever.change.value == 0 and lever.p_holm == 1 and not lever.is_significant
        assert set(lever.effects) == {"score", "distance"}
        assert all(effect.value == 0 for effect in lever.effects.values())


@pytest.mark.parametrize(
    ("key", "value", "values"),
    [
        ("points.cloister", 12, "12..18:3"),
        ("points.cloister", 6, "0..6:3"),
        ("followers", 8, "8..10"),
        ("tunnel_variant", "steal", "steal"),
        ("robber_baron", True, "true"),
    ],
)
def test_the_command_of_a_lever_is_a_sweep_that_can_be_started(key, value, values) -> None:
    assert levers.values_to_try(RULES, key, value) == values
    plan_sweep(Sweep((f"{key}={values}",), "carcassonne", "greedy", 2))


# --- luck -----------------------------------------------------------------------------------------


def test_the_parts_of_a_deck_have_the_shares_of_what_they_settle() -> None:
    """Variances 1 : 4 : 0 : 4 of four parts that add up, and an agent without dice."""
    rng, weights = np.random.default_rng(3), np.array([1, 2, 0, 2])
    a, b = rng.normal(size=(2, PARTS, 4000))
    new = rng.normal(size=(PARTS - 1, PARTS, 4000))
    kept = [np.where(np.arange(PARTS)[:, None] <= k, a, new[k]) for k in range(PARTS - 1)]
    found = deck_spread(np.array([weights @ x for x in (a, b, b, *kept)]))
    for part, truth in zip(found.parts, np.array([1, 4, 0, 4]) / 9, strict=True):
        assert part.share.low <= truth <= part.share.high
        assert part.share.value == pytest.approx(truth, abs=0.06)
    assert sum(part.share.value for part in found.parts) == pytest.approx(1)
    assert (found.agents.value, found.parts[-1].by_then.value) == (0, 1)


def test_dice_are_no_luck_of_the_deck() -> None:
    found = deck_spread(np.random.default_rng(4).normal(size=(GAMES, 2000)))
    assert found.agents.low <= 1 <= found.agents.high
    assert all(part.by_then.low <= 0 <= part.by_then.high for part in found.parts)


def test_without_any_variance_the_deck_has_no_share() -> None:
    found = deck_spread(np.ones((GAMES, 10)))
    assert found.variance.value == 0 and np.isnan(found.parts[0].share.value)


def test_what_lies_behind_a_part_is_dealt_anew_and_nothing_else() -> None:
    batch = BatchGame(2 * (PARTS - 1), "carcassonne", observe=False)
    batch.reset(seeds=np.tile([5, 6], PARTS - 1))
    before = batch.records.copy().reshape(PARTS - 1, 2)
    states = before.copy()
    deck = MEASURED["carcassonne"].deck
    assert deck is not None
    shuffle_the_rest(states, deck, np.array([7, 8]))
    size = int(before["deck_size"][0, 0])
    for number, (old, new) in enumerate(zip(before["deck"], states["deck"], strict=True), 1):
        kept = number * size // PARTS
        assert (old[:, :kept] == new[:, :kept]).all() and (old != new).any()
        assert (np.sort(old, axis=1) == np.sort(new, axis=1)).all()
    others = [name for name in before.dtype.names or () if name != "deck"]
    assert all((states[name] == before[name]).all() for name in others)
    batch.restore(states.ravel())


def test_the_deck_decides_all_that_players_without_dice_do_not() -> None:
    seen: list[int] = []
    found = measure_deck_luck("points", FEW, 20, 3, workers=1, progress=seen.append)
    assert found.margin.agents.value == 0 and found.margin.parts[-1].by_then.value == 1
    assert sum(seen) == found.games == 20 * GAMES
    by_source = measure_luck("points", FEW, 20, 3, workers=1).margin
    assert [(s.name, s.alone.value) for s in by_source.sources] == [("deck", 1)]


def test_a_game_of_more_sources_has_no_luck_of_the_deck() -> None:
    with pytest.raises(AgentError, match="tunnel_1987 has luck of 5 sources"):
        measure_deck_luck("random", STANDARD, 10, 1)
    with pytest.raises(AgentError, match="deals 1: 2 or more is needed"):
        measure_deck_luck("random", RULES, 1, 1)


# --- tension --------------------------------------------------------------------------------------


def test_a_game_is_watched_turn_by_turn_in_points_scored_so_far() -> None:
    found = watch_games("random", "score", RULES, 12, 2, workers=1)
    traces = found.traces
    for row in (0, 7):
        game = Game.from_record(traces.record(row, RULES))
        assert game.is_over and game.seed == traces.seeds[row]
        turns = int(traces.turns[row])
        assert traces.round[row, :turns].tolist() == sorted(set(traces.round[row, :turns]))
        assert abs(turns - game.turn) <= 1  # a turn without any choice has no note
    assert (traces.lead[:, 0] == 0).all() and np.nanmax(np.abs(traces.lead)) > 3
    assert [row.round for row in found.snowball][:3] == [1, 6, 11]
    assert {row.least for row in found.deficits} <= {1, 6, 11, 21, 31}


def test_the_value_of_a_policy_is_the_first_seats_chance() -> None:
    """Its values take the view of the seat to move."""
    batch = BatchGame(6, RULES, 1)
    policy = make_agent("club", RULES)
    judge = make_judge("club", RULES)
    for seat in (0, 1):
        while (batch.to_play != seat).any():
            batch.step(batch.masks.argmax(axis=1))
        rows = np.array([1, 4])
        value = policy.think(batch.observations[rows], batch.masks[rows])[1]  # type: ignore[union-attr]
        wanted = (1 + value) / 2 if seat == 0 else (1 - value) / 2
        assert judge(batch, rows) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("judge", "words"),
    [("greedy", "judge 'greedy': expected a policy such as club, rollout:N"), ("rollout:4:greedy", "it searches")],
)
def test_what_is_no_judge_is_refused_before_a_game(judge: str, words: str) -> None:
    with pytest.raises(AgentError, match=words):
        watch_games("random", judge, RULES, 10, 1)


def test_games_of_three_are_not_watched() -> None:
    three = ruleset_with(players=3)
    for measure in (
        lambda: watch_games("random", "score", three, 4, 1),
        lambda: measure_levers("random", three, 0, 4, 4, 1),
        lambda: measure_deck_luck("random", three, 4, 1),
    ):
        with pytest.raises(AgentError, match="3 seats; a match is between two agents"):
            measure()


def test_every_measure_can_be_a_target(tmp_path) -> None:
    lines = "".join(f"  {name}: [0, null]\n" for name in MEASURES)
    path = Path(_targets(tmp_path, f"targets:\n{lines}"))
    assert [*load_targets(path, "carcassonne").targets] == [*MEASURES]
