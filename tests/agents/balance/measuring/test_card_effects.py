"""Cards given and withheld: the same deal but for the card, and effects that are known beforehand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from channel_tunnel_agents import AgentError, RandomAgent
from channel_tunnel_agents.base import choose_actions
from channel_tunnel_agents.games.tunnel_1987.card_effects import (
    ARMS,
    BRITAIN_ARM,
    FRANCE_ARM,
    WITHHELD,
    CardEffects,
    deal_arms,
    measure_card_effects,
    totals,
)
from channel_tunnel_agents.matches.arena import deal_seeds, play_out
from channel_tunnel_env import BatchGame, Ruleset, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.invariants import find_faults
from channel_tunnel_env.games.tunnel_1987.engine.observation import SECTION_BY_NAME

STANDARD, TINY = load_ruleset("standard"), load_ruleset("tiny")
DEALS = deal_seeds(12, 3).tolist()
TOKENS = {"free": 0, "discard1": 0, "place1": 1, "place1or2": 2}


def all_arms(ruleset: Ruleset, deals: list[int] = DEALS) -> tuple[BatchGame, np.ndarray]:
    """The batch, and its records as (deals, cards, arms)."""
    cards = range(len(ruleset.card_keys))
    batch = deal_arms(ruleset, cards, deals)
    return batch, batch.states.view(np.ndarray).reshape(len(deals), len(cards), len(ARMS))


def broken(batch: BatchGame) -> set[int]:
    states = batch.states.view(np.ndarray)
    codes = set(find_faults(states, batch.tables))
    return codes - {0}


def planted() -> Ruleset:
    """Two cards in place of two influence cards, both worth nothing, but for the first one's points."""
    deck = TINY.plain()["deck"]
    for card, (key, points) in zip(deck["cards"][1:3], (("treasure", 5), ("nothing", 0)), strict=True):
        card |= {"card": key, "kind": "european_speech", "points": points}
    changed = {"influence_cards": deck["influence_cards"] - 2, "cards": deck["cards"]}
    return load_ruleset({"base": "tiny", "deck": changed, "scoring": {"european_speech": 0}})


@pytest.mark.parametrize("ruleset", ["standard", "agenda", "tiny"])
def test_every_prepared_game_holds_the_invariants_at_its_start_and_at_its_end(ruleset: str) -> None:
    batch, _ = all_arms(load_ruleset(ruleset), DEALS[:6])
    assert not broken(batch)
    agent = RandomAgent(1)
    play_out(batch, lambda rows: choose_actions(agent, batch, rows))
    assert not broken(batch)


def test_withheld_games_are_the_deal_itself_without_the_card() -> None:
    _, arms = all_arms(STANDARD)
    plain = BatchGame(len(DEALS), STANDARD)
    plain.reset(seeds=DEALS)
    changed = {"deck", "deck_size", "slots", "card_shown", "ruleset"}
    for name in set(arms.dtype.names) - changed:
        for card in range(arms.shape[1]):
            assert (arms[:, card, WITHHELD][name] == plain.states[name]).all(), name


def test_the_other_cards_keep_their_order_and_the_next_one_takes_a_slot_left_empty() -> None:
    _, arms = all_arms(STANDARD)
    plain = BatchGame(len(DEALS), STANDARD)
    plain.reset(seeds=DEALS)
    taken_from_display = 0
    for deal, state in enumerate(plain.states.view(np.ndarray)):
        for card in range(arms.shape[1]):
            slots = state["slots"].tolist()
            deck = state["deck"][: state["deck_size"]].tolist()
            if card in slots:
                slots[slots.index(card)] = deck.pop()
                taken_from_display += 1
            else:
                deck.remove(card)
            for arm in arms[deal, card]:
                assert arm["slots"].tolist() == slots
                assert arm["deck"].tolist() == deck + [0] * (40 - len(deck))
    assert taken_from_display == 3 * len(DEALS)


def test_the_arms_of_a_deal_differ_only_in_whose_area_the_card_lies() -> None:
    _, arms = all_arms(STANDARD)
    same = ("rng_key", "rng_counter", "deck", "slots", "bag", "discs", "route_colour", "storage")
    for name in (*same, "deviation_deck", "money", "discard", "out_of_game", "round_no"):
        for arm in (BRITAIN_ARM, FRANCE_ARM):
            assert (arms[:, :, arm][name] == arms[:, :, WITHHELD][name]).all(), name
    bits = 1 << np.arange(arms.shape[1])
    for arm, britain, france in ((0, bits, 0), (1, 0, bits), (2, 0, 0)):
        assert (arms[:, :, arm]["area"][..., 0] == britain).all()
        assert (arms[:, :, arm]["area"][..., 1] == france).all()


def test_a_card_changes_the_start_score_of_its_side_by_exactly_its_points() -> None:
    batch, arms = all_arms(STANDARD)
    points = totals(batch.states.view(np.ndarray), batch.tables).reshape(*arms.shape, 2)
    at_once = {
        "topographical_analysis": STANDARD.data.scoring.topographical_analysis[1],
        "media_relations": STANDARD.data.scoring.media_relations,  # more cards than the rival: 1 to 0
    }
    worth = np.array([card.points + at_once.get(card.kind, 0) for card in STANDARD.data.deck.cards])
    assert (points[:, :, BRITAIN_ARM] - points[:, :, WITHHELD] == worth[:, None] * [1, 0]).all()
    assert (points[:, :, FRANCE_ARM] - points[:, :, WITHHELD] == worth[:, None] * [0, 1]).all()


def test_a_given_ability_is_fully_charged_and_costs_its_side_no_rubble() -> None:
    _, arms = all_arms(STANDARD)
    for i, card in enumerate(STANDARD.data.deck.cards):
        for state in arms[:, i, FRANCE_ARM]:
            assert (state["card_rubble"][i] > 0).sum() == TOKENS[card.cost]
            ability = c.CARD_KINDS.index(card.kind) >= c.FIRST_ABILITY
            assert bool(state["charged"] >> i & 1) == ability
            assert bool(state["charged_twice"] >> i & 1) == (ability and card.cost == c.COSTS[3] == "place1or2")
            assert state["storage"].sum() == 2 * STANDARD.data.rubble.stored_at_start


def test_a_card_of_the_round_start_can_be_used_in_the_first_round() -> None:
    batch, arms = all_arms(STANDARD)
    masks = batch.masks.reshape(*arms.shape, -1)
    for i, card in enumerate(STANDARD.data.deck.cards):
        opens = card.kind in ("new_workers", "exchange")
        for arm in range(len(ARMS)):
            window = opens and arm != WITHHELD
            assert (arms[:, i, arm]["phase"] == c.PHASES.index("window" if window else "turn")).all()
            assert (masks[:, i, arm].sum(axis=1) > 1).all()
            if window:
                assert (arms[:, i, arm]["to_play"] == arm).all()


def test_no_seat_believes_that_the_card_is_still_to_come() -> None:
    batch, arms = all_arms(STANDARD)
    unseen = batch.observations[:, SECTION_BY_NAME["unseen_cards"].slice]
    unseen = unseen.reshape(*arms.shape, -1)
    cards = np.arange(arms.shape[1])
    assert (unseen[:, cards, :, cards] == 0).all()
    assert (unseen.sum(axis=-1) == len(cards) - 3 - 1).all()  # all but the display and the card


def test_where_abilities_are_wasted_the_planted_card_ranks_first() -> None:
    """Random players gain little by abilities, while to a good one some are worth 5 points."""
    found = measure_card_effects("random", planted(), 300, 6, workers=1)
    best, second, *_ = found.ranked
    assert best.key == max(found.cards, key=lambda card: card.margin.value).key == "treasure"
    assert best.both.low > second.both.value and best.britain.low > 0 and best.france.low > 0
    assert best.margin.low > 3 and best.p_holm < 0.001
    nothing = next(card for card in found.cards if card.key == "nothing")
    assert nothing.both.low <= 0 <= nothing.both.high and nothing.p_holm > 0.05
    assert best.n == 300 and found.games == 300 * len(found.cards) * 3


def test_only_the_cards_asked_for_are_played() -> None:
    cards, games = ["nothing", "treasure"], list[int]()
    found = measure(ruleset=planted(), cards=cards, progress=games.append)
    assert [card.key for card in found.cards] == ["treasure", "nothing"]  # in the order of the ids
    assert found.games == sum(games) == 40 * 2 * 3


def test_what_a_card_is_worth_to_both_sides_needs_no_game_without_it() -> None:
    """A player without dice plays the same games with the card, whatever else is played beside them."""
    whole, given = (
        measure_card_effects("frozen:rookie", TINY, 20, 5, workers=1, by_side=by_side) for by_side in (True, False)
    )
    assert 3 * given.games == 2 * whole.games
    for one, other in zip(whole.cards, given.cards, strict=True):
        assert one.both.value == pytest.approx((one.britain.value + one.france.value) / 2)
        assert (other.britain, other.france) == (None, None) and 0 <= one.p <= one.p_holm <= 1
        assert (one.both, one.by_deal, one.p) == (other.both, other.by_deal, other.p)
        assert one.margin.value == other.margin.value


def measure(**changes: Any) -> CardEffects:
    given: dict[str, Any] = {"agent": "random", "ruleset": TINY, "deals": 40, "seed": 1}
    return measure_card_effects(**{**given, "workers": 1, **changes})


def test_a_searching_agent_is_measured_too() -> None:
    found = measure(agent="ismcts:10", deals=2, cards=["heavy_machinery"])
    assert found.cards[0].n == 2


def test_one_deal_gives_a_value_and_no_certainty() -> None:
    card = measure(deals=1, cards=["heavy_machinery"]).cards[0]
    assert np.isfinite(card.both.value)
    assert np.isnan([card.both.low, card.p, card.p_holm]).all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cards": ["heavy_machinry"]}, "no such card; did you mean 'heavy_machinery'"),
        ({"agent": "heuristc"}, "did you mean 'heuristic'"),
        ({"deals": 0}, "deals 0: 1 or more"),
        ({"seed": -1}, "seed -1: seeds are whole numbers"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(changes, message) -> None:
    with pytest.raises(AgentError, match=message) as refused:
        measure(**changes)
    assert "\n" not in str(refused.value)


def test_a_ruleset_without_room_for_further_tokens_is_refused() -> None:
    tokens = {"blue": 5, "black": 5, "orange": 5, "yellow": 5, "white": 4}
    full = load_ruleset(
        {
            "base": "standard",
            "name": "full",
            "rubble": {"tokens": tokens, "stored_at_start": 3},
            "storage": {side: 3 for side in c.SEATS},
        }
    )
    with pytest.raises(AgentError, match="'full' has 24 rubble tokens; expected at most 22"):
        measure(ruleset=full, deals=1)
