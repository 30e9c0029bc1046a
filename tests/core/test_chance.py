"""Luck made explicit: every outcome once, with its probability, and only what rules say that they draw."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.core import chance, kernels
from channel_tunnel_env.core.chance import Chance, ChanceError
from channel_tunnel_env.games import find_game

FOUR = {"tunnel": False, **{f"tiles.{kind}.count": 0 for kind in "ABCFGHIJLMNOPQRSTUWX"}}
SMALL = {**FOUR, **{f"tiles.{kind}.count": n for kind, n in (("D", 1), ("E", 1), ("K", 1), ("V", 2))}}


def small() -> Chance:
    return Chance(load_ruleset("carcassonne").with_values(SMALL, "small"))


def test_every_order_of_the_tiles_is_dealt_once() -> None:
    deals = list(small().deals())
    assert len(deals) == math.factorial(4)
    assert sum(p for p, _ in deals) == pytest.approx(1)
    orders = Counter(tuple(position.states["deck"][0, :4].tolist()) for _, position in deals)
    assert len(orders) == 12 and set(orders.values()) == {2}  # two tiles are alike


def test_worlds_keep_what_is_seen_and_deal_the_rest_in_every_way() -> None:
    luck = small()
    _, first = next(luck.deals())
    worlds = [world for _, world in luck.worlds(first, 0)]
    assert len(worlds) == math.factorial(3)
    assert {luck.seen(world, 0) for world in worlds} == {luck.seen(first, 0)}
    assert len({luck.key(world) for world in worlds}) == 3


def test_a_chosen_luck_is_that_of_a_game_dealt_from_a_seed() -> None:
    """Each deal of a seed is one of the outcomes, about as often as its probability says."""
    luck = small()
    shares: Counter[bytes] = Counter()
    for p, position in luck.deals():
        shares[luck.key(position)] += p
    dealt = Counter(
        luck.key(chance.ChancePosition(Game(luck.machine.ruleset, seed).states, 0, ())) for seed in range(600)
    )
    assert dealt.keys() == shares.keys()
    for key, share in shares.items():
        assert dealt[key] / 600 == pytest.approx(share, abs=0.06)


@pytest.mark.parametrize("name", ["tunnel_1987", "carcassonne"])
def test_no_rule_reads_a_field_that_is_said_to_be_unread(name: str) -> None:
    """A game with other tallies goes on as the game without: same choices, same results."""
    spec = find_game(name)
    assert spec.record.unread
    rules = load_ruleset({"tunnel_1987": "tiny", "carcassonne": "carcassonne"}[name])
    luck = Chance(rules)
    rng = np.random.default_rng(3)
    mask = np.ones((1, spec.actions.count), np.int8)
    for seed in range(3):
        game = Game(rules, seed=seed)
        for _ in range(10):
            game.play(int(rng.choice(game.legal_ids())))
        one, other = luck.machine.copy_states(game.states), luck.machine.copy_states(game.states)
        for field in spec.record.unread - {"tally_ability"}:  # it aims a draw, and luck is chosen here
            other[field] = 0
        while not game.is_over:
            action = int(rng.choice(game.legal_ids()))
            game.play(action)
            for states in (one, other):
                mask[0] = 1  # it is written again
                luck.machine.run_game(
                    states, 0, game.tables, kernels.PLAY, action, luck.machine.blank, luck._work, mask
                )
            assert luck.key(chance.ChancePosition(one, 0, ())) == luck.key(chance.ChancePosition(other, 0, ()))


def test_rules_that_draw_past_the_one_door_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    luck = small()

    def dealt(states, *rest):
        states["rng_counter"][0, 0] = 1  # as `below` leaves it
        return 0

    monkeypatch.setattr(luck.machine, "run_game", dealt, raising=False)
    with pytest.raises(ChanceError, match=r"draw luck by core\.rng\.below; luck that is counted through comes from"):
        list(luck.deals())
