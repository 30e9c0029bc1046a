"""Levers: what moves the balance is found, chosen on some deals and reported from others."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_agents import AgentError
from channel_tunnel_agents.balance.changing import levers
from channel_tunnel_agents.balance.changing.levers import (
    Screened,
    find_levers,
    measure_levers,
    sweep_command,
    values_to_try,
)
from channel_tunnel_agents.balance.changing.sweep import Sweep, plan_sweep
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_env import load_ruleset

STANDARD, TINY = load_ruleset("standard"), load_ruleset("tiny")


def test_every_lever_is_one_step_of_one_number_that_the_ruleset_takes() -> None:
    for ruleset in (STANDARD, TINY):
        points = find_levers(ruleset)
        for point in points:
            ((key, value),) = point.changes.items()
            assert abs(value - ruleset.flat[key]) == 1 and value >= 0
        assert len({point.ruleset.digest for point in points}) == len(points)
    keys = {key for point in find_levers(STANDARD) for key in point.changes}
    assert {"barriers.france.a.0", "storage.britain", "deviation.water_draws.france"} <= keys
    assert {"scoring.centre_bonus", "discs.hand", "extra_finance"} <= keys
    of_scoring = {key for key in STANDARD.flat if key.startswith("scoring.") and key.count(".") == 1}
    assert keys & of_scoring == of_scoring - {"scoring.european_speech_per"}
    assert len(keys - of_scoring) == 22


def test_what_a_ruleset_changes_is_taken_back_a_setting_at_a_time() -> None:
    far = {
        "storage": {"france": 5},
        "discs": {"hand": 11},
        "barriers": {"france": {"a": [8, 9]}},
        "benefits": {"britain": {"a": {1: "storage"}}},
    }
    rules = load_ruleset({"base": "standard", "name": "far", **far})
    found = [point.changes for point in find_levers(rules, STANDARD)]
    assert [changes for changes in found if changes not in [point.changes for point in find_levers(rules)]] == [
        {"storage.france": 3},
        {"benefits.britain.a.1": "peek"},
        {"barriers.france.a": [2, 4]},
    ]
    assert found.count({"discs.hand": 10}) == 1, "a step that takes a setting back is tried once"
    assert values_to_try(rules, "barriers.france.a", [2, 4]) == ""


def test_a_ruleset_that_is_its_own_origin_or_another_game_altogether_has_nothing_to_take_back() -> None:
    money = {card: {"money": 1 + STANDARD.flat[f"deck.cards.{card}.money"] % 3} for card in STANDARD.card_keys}
    much = load_ruleset({"base": "standard", "name": "much", "deck": {"cards": money}})
    for rules in (STANDARD, much):
        assert len(find_levers(rules, STANDARD)) == len(find_levers(rules))


def screened(key: str, value: int, low: float, high: float) -> Screened:
    return Screened(key, value, Estimate((low + high) / 2, low, high), 40)


def test_the_surest_effect_the_wanted_way_is_chosen_once_per_number() -> None:
    tried = [
        screened("a", 1, -0.05, 0.05),
        screened("a", 3, 0.01, 0.09),
        screened("b", 1, -0.20, -0.10),
        screened("b", 3, 0.02, 0.03),
        screened("c", 1, 0.00, 0.02),
        screened("d", 3, -0.01, 0.30),
    ]
    assert levers._choose(tried, 1) == [3, 1, 4]
    assert levers._choose(tried, -1) == [2, 4, 0]
    assert levers._choose(tried, 0) == [2, 1, 4]


def test_figures_come_from_deals_that_played_no_part_in_the_choice(monkeypatch) -> None:
    """The choice sees seed 1 only; what is reported of the chosen has seed 2."""
    seeds = []

    def play(agent, rules, deals, seed, workers, progress, between):
        seeds.append((seed, len(rules), deals))
        found = np.zeros((3, len(rules), deals[1] - deals[0]))
        if seed == 1:
            found[0, 1:] = 1.0  # everything seems to help
        return found

    monkeypatch.setattr(levers, "_play", play)
    found = measure_levers("random", TINY, 1, 45, 70, 1)
    every = len(find_levers(TINY))
    rounds = [(every, (0, 15)), (every // 2, (15, 30)), (every // 4, (30, 60))]
    assert seeds == [(1, 1 + count, deals) for count, deals in rounds] + [(2, 4, (0, 70))]
    assert all(row.change.value == 1.0 for row in found.tried)
    assert [lever.change.value for lever in found.chosen] == [0.0] * 3
    assert not any(lever.is_significant for lever in found.chosen)
    assert {lever.deals for lever in found.chosen} == {70}


def test_the_choice_drops_what_promises_least_and_keeps_every_deal_of_the_rest(monkeypatch) -> None:
    """The truth lies in the order of the levers; luck of a deal is larger than what tells neighbours apart."""
    points, luck = find_levers(STANDARD), np.random.default_rng(1)
    worth = {point.ruleset.digest: i / len(points) for i, point in enumerate(points)}
    played = []

    def play(agent, rules, deals, seed, workers, progress, between):
        played.append(len(rules) * (deals[1] - deals[0]))
        truth = [worth.get(each.digest, 0) for each in rules]
        moved = luck.normal(truth, 0.2, (deals[1] - deals[0], len(rules))).T
        return np.stack([np.clip(moved, -1, 1), *np.zeros((2, *moved.shape))])

    monkeypatch.setattr(levers, "_play", play)
    found = measure_levers("random", STANDARD, 1, 90, 70, 1)
    assert sum(played) == levers.games_of_levers(STANDARD, None, 90, 70, 1)
    assert sum(played[:-1]) < 0.7 * 90 * (len(points) + 1)
    stayed = [row.deals for row in found.tried]
    assert sorted(set(stayed)) == [30, 60, 120] and found.deals == 120
    assert set(stayed[-6:]) == {120} and set(stayed[:20]) == {30}
    best = {key for row in found.tried[-8:] for key in [row.key]}
    assert {lever.key for lever in found.chosen} <= best


def test_every_setting_plays_to_the_end_where_few_deals_tell_too_little() -> None:
    assert levers._rounds(27, 100, 1) == levers._rounds(27, 100, -1) == [(27, 0, 34), (13, 34, 67), (6, 67, 134)]
    assert levers._rounds(27, 100, 0) == [(27, 0, 100)]
    assert levers._rounds(9, 600, 0) == [(9, 0, 200), (6, 200, 400), (6, 400, 800)]
    assert levers._rounds(5, 600, 0) == [(5, 0, 200), (5, 200, 400), (5, 400, 800)]


def test_the_chosen_are_told_with_the_largest_gain_first() -> None:
    found = measure_levers("racer", TINY, -1, 60, 150, 3, workers=1)
    gains = [-lever.change.value for lever in found.chosen]
    assert len(gains) == 3 and gains == sorted(gains, reverse=True)
    for lever in found.chosen:
        assert lever.change.low <= lever.change.value <= lever.change.high
        assert lever.p_holm >= lever.p and abs(lever.value - lever.base) == 1


def test_the_games_do_not_depend_on_how_many_settings_share_a_batch() -> None:
    """A setting's own games are those of the ruleset alone, on the same deals."""
    points = find_levers(TINY)[:2]
    rules = [TINY, *(point.ruleset for point in points)]
    together = levers._play("racer", rules, (0, 20), 5, 1, None)
    alone = [levers._play("racer", [each], (0, 20), 5, 1, None)[:, 0] for each in rules]
    assert np.array_equal(together, np.stack(alone, axis=1))


def test_the_command_of_a_lever_is_a_sweep_that_can_be_started(tmp_path) -> None:
    values = values_to_try(STANDARD, "barriers.france.a.0", 3)
    words = sweep_command("standard", "frozen:heuristic")
    assert words.endswith("--param LEVER=VALUES --agent heuristic --deals 2000") and values == "3..5"
    plan_sweep(Sweep((f"barriers.france.a.0={values}",), "standard", "heuristic", 2000))
    assert values_to_try(STANDARD, "scoring.centre_per_rival_token", 0) == "0"


def test_a_ruleset_without_levers_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(levers, "LEVERS", ("nothing",))
    with pytest.raises(AgentError, match="has none of the numbers"):
        measure_levers("random", TINY, 0, 40, 40, 1)
