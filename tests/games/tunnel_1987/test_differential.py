"""The engine and the naive oracle play the same games on the same luck and agree on everything."""

from __future__ import annotations

import random
from typing import Any

import pytest

from channel_tunnel_env import load_ruleset
from tests.games.tunnel_1987.oracle import Oracle
from tests.random_games import turned
from tests.seeds import seeds
from tests.snapshots import LoggedGame, snapshot


def play_both(ruleset, seed: int, greedy: bool) -> str:
    """One game, compared at every decision; returns how it ended."""
    engine = LoggedGame(ruleset, seed)
    oracle = Oracle(ruleset.plain(), engine.chance)
    rng = random.Random(seed)
    while True:
        assert not engine.chance.queue, "the oracle left luck unused"
        legal = engine.game.legal_ids()
        assert legal == oracle.legal()
        ours, theirs = snapshot(engine.game), oracle.snapshot()
        assert ours == theirs
        scores = dict(zip(("britain", "france"), oracle.scores(), strict=True))
        assert engine.game.scores() == scores
        if oracle.over:
            return engine.game.end_cause
        useful = [a for a in legal if a not in (50, 132, 145)] if greedy else legal
        action = rng.choice(useful or legal)
        engine.play(action)
        oracle.play(action)


@seeds(12, 60)
@pytest.mark.parametrize("greedy", [False, True])
@pytest.mark.parametrize("name", ["standard", "agenda", "tiny"])
def test_engine_equals_oracle(name: str, greedy: bool, seeds: range) -> None:
    """Every field, the legal set and the scores, at every decision of random games."""
    ruleset = load_ruleset(name)
    causes = {play_both(ruleset, seed, greedy) for seed in seeds}
    assert {"centre", "deviation"} & causes


@seeds(4, 25)
@pytest.mark.parametrize(("switch", "value"), turned())
@pytest.mark.parametrize("name", ["agenda", "tiny"])
def test_engine_equals_oracle_under_each_switch(name: str, switch: str, value: Any, seeds: range) -> None:
    """The same with one ruling turned."""
    changes = {f"switches.{switch}": value, "agenda.enabled": True}
    ruleset = load_ruleset(name).with_values(changes)
    for seed in seeds:
        play_both(ruleset, seed, greedy=seed % 2 == 0)


@seeds(6, 25)
@pytest.mark.parametrize("name", ["agenda", "tiny"])
def test_engine_equals_oracle_with_a_head_start_and_other_points(name: str, seeds: range) -> None:
    """Every figure of the scoring is more, each by another number."""
    changes = {
        "head_start.allowance.france": 2,
        "head_start.first_discs.britain": 4,
        "head_start.first_discs.france": -3,
        "head_start.money_cards.britain": 2,
        "head_start.money_cards.france": 1,
        "head_start.points.france": -2,
    }
    ruleset = load_ruleset(name)
    for seed in seeds:
        rng = random.Random(seed)
        more = {key: n + rng.randint(1, 4) for key, n in ruleset.flat.items() if key.startswith("scoring.")}
        play_both(ruleset.with_values(changes | more), seed, greedy=seed % 2 == 0)
