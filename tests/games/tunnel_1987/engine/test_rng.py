"""Luck: one stream a source, the same decks for the same seed, fair draws, the same everywhere."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import BatchGame, Game
from channel_tunnel_env.core import kernels
from channel_tunnel_env.core.rng import LUCK_WRITE
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.state import new_workspaces
from tests.games.tunnel_1987.elsewhere import digests_elsewhere
from tests.random_games import GOLDEN, MASK, builtin, choose, digests, mix, next_seed

FAIR = 3.1  # standard deviations, passed by one fair die in a thousand; the seeds are fixed


@cache
def deals(games: int = 6000) -> np.ndarray:
    """The records of many fresh games with the Agenda expansion."""
    return BatchGame(games, "agenda", 12345, observe=False).states.copy()


def assert_fair(counts: np.ndarray, expected: np.ndarray | float) -> None:
    """Chi-square, made normal by Wilson and Hilferty's cube root."""
    counts = np.asarray(counts, float)
    expected = np.broadcast_to(expected, counts.shape)
    statistic, free = float(((counts - expected) ** 2 / expected).sum()), counts.size - 1
    deviation = 2 / (9 * free)
    assert ((statistic / free) ** (1 / 3) - (1 - deviation)) / sqrt(deviation) < FAIR, counts


def below(key: int, counter: int, n: int) -> int:
    """A number of a stream, computed a second time."""
    return ((mix((key + counter * GOLDEN) & MASK) >> 32) * n) >> 32


def keys(seed: int) -> list[int]:
    """The streams' keys, computed a second time."""
    base = mix((seed + GOLDEN) & MASK)
    return [mix((base + GOLDEN * (stream + 1)) & MASK) for stream in range(c.NUM_STREAMS)]


# --- streams --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**63 - 1])
def test_every_stream_has_a_key_of_its_own_that_follows_from_the_seed(seed: int) -> None:
    found = [int(k) for k in Game("agenda", seed).state.rng_key]
    assert found == keys(seed) and len(set(found)) == c.NUM_STREAMS


def test_a_shuffle_is_fisher_yates_with_the_numbers_of_its_stream() -> None:
    for seed in range(20):
        game, items = Game("standard", seed), list(range(33))
        for counter, i in enumerate(range(32, 0, -1)):
            j = below(keys(seed)[c.CARD_STREAM], counter, i + 1)
            items[i], items[j] = items[j], items[i]
        assert game.state.slots.tolist() == [items[32], items[31], items[30]]
        assert game.state.deck[:30].tolist() == items[:30]


def test_drawing_from_a_stream_moves_no_other() -> None:
    """Over whole games; and the streams that a decision moved are those whose pile was touched."""
    rng, moved = random.Random(5), Counter()
    for seed in range(12):
        game = Game("agenda", seed)
        while not game.is_over:
            before = game.clone().state
            game.play(choose(game, rng, eager=True))
            after = game.state
            assert after.rng_key.tolist() == before.rng_key.tolist()
            changed = after.rng_counter != before.rng_counter
            moved += Counter(np.flatnonzero(changed).tolist())
            assert not changed[c.RUBBLE_STREAM] and not changed[c.AGENDA_STREAM]
            if changed[c.CARD_STREAM]:
                assert before.discard and before.deck_size < 3
            if changed[c.DEVIATION_STREAM]:
                assert sorted(after.deviation_deck[:9]) == list(range(9))
                assert after.deviation_deck.tolist() != before.deviation_deck.tolist()
            if changed[c.DISC_STREAM]:
                assert after.round_no > before.round_no or game.is_over or before.phase == 1
    assert moved[c.DISC_STREAM] and moved[c.DEVIATION_STREAM] and moved[c.CARD_STREAM]


def test_a_stream_replaced_leaves_the_deals_of_the_others() -> None:
    """The luck decomposes: another key for the discs changes the discs alone."""
    game = Game("agenda", 4)
    streams = game.to_position()["streams"]
    position = game.to_position() | {"streams": streams | {"discs": [99, 0]}}
    other = Game.from_position(position)
    for one in (game, other):
        while not one.is_over and one.round == 1:
            one.play("pass" if "pass" in one.legal_actions() else one.legal_ids()[0])
    assert other.state.discs.tolist() != game.state.discs.tolist()
    for name in ("route_colour", "slots", "deviation_deck", "agenda_deck"):
        assert other.state[name].tolist() == game.state[name].tolist()
    left = min(int(one.state.deck_size) for one in (game, other))
    assert other.state.deck[:left].tolist() == game.state.deck[:left].tolist()


# --- the same seed --------------------------------------------------------------------------------


def test_reshuffled_deviation_orders_come_in_the_same_sequence() -> None:
    """The n-th shuffle of the deviation deck is the same in every game of a seed."""
    for seed in range(4):
        orders: dict[int, list[int]] = {}
        for play in range(12):
            game, rng = Game("standard", seed), random.Random(play)
            while not game.is_over:
                counter = int(game.state.rng_counter[c.DEVIATION_STREAM])
                order = game.state.deviation_deck.tolist()
                assert orders.setdefault(counter, order) == order
                game.play(choose(game, rng, eager=True))
        assert len(orders) > 1


def drawn_discs(game: Game, action: int) -> list[int]:
    """Colours drawn while the action is played, in order."""
    work = new_workspaces(1)
    work["luck_mode"] = LUCK_WRITE
    assert game._run(kernels.PLAY, action, work)
    log, place, found = work["luck"][0], 0, []
    while place < int(work["luck_place"][0]):
        if log[place] == c.DISC_STREAM:
            found.append(int(log[place + 1]))
            place += 2
        else:
            place += 2 + int(log[place + 1])
    return found


def expected_draws(seed: int, round_no: int, seat: int, bag: list[int], count: int) -> list[int]:
    """What a seat's draws of a round must be, from seed, round, seat and bag alone."""
    found, bag = [], list(bag)
    for k in range(count):
        rest = below(keys(seed)[c.DISC_STREAM], (round_no * 2 + seat) * 64 + k, sum(bag))
        colour = next(colour for colour in range(5) if rest < sum(bag[: colour + 1]))
        bag[colour] -= 1
        found.append(colour)
    return found


def draws_of_both(seed: int, state: Any, first: int, bag: list[int], count: int, drawn: list[int]) -> list[int]:
    """The draws of a round start if the seat that draws first takes `count` of them."""
    mine = expected_draws(seed, int(state.round_no), first, bag, count)
    rest = [bag[colour] - mine.count(colour) for colour in range(5)]
    return mine + expected_draws(seed, int(state.round_no), 1 - first, rest, len(drawn) - count)


def test_discs_drawn_at_a_round_start_follow_from_seed_round_seat_and_bag() -> None:
    """Checked against a second computation, in games played in many ways."""
    rounds = 0
    for seed in range(8):
        for play in range(3):
            game, rng = Game("standard", seed), random.Random(play)
            while not game.is_over and game.round < 6:
                before, action = game.clone().state, choose(game, rng)
                drawn = drawn_discs(game, action)
                if game.round == before.round_no or game.is_over:
                    continue
                after, first = game.state, int(game.state.first_player)
                # Everything that was on the table is back in the bag before the draws.
                bag = [int(after.bag[colour]) + drawn.count(colour) for colour in range(5)]
                splits = range(len(drawn) + 1)
                assert drawn in [draws_of_both(seed, after, first, bag, n, drawn) for n in splits]
                rounds += 1
    assert rounds > 30


def test_first_discs_are_the_same_in_every_game_of_a_seed() -> None:
    for seed in range(50):
        game = Game("standard", seed)
        britain = expected_draws(seed, 1, 0, [5] * 5, 10)
        bag = [5 - britain.count(colour) for colour in range(5)]
        france = expected_draws(seed, 1, 1, bag, 10)
        assert game.state.discs.tolist() == [[h.count(colour) for colour in range(5)] for h in (britain, france)]


# --- fairness -------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", range(0, 33, 4))
def test_every_card_is_as_likely_at_every_place_of_the_deck(place: int) -> None:
    """33 is no power of two: a biased `below` would show."""
    states = deals()
    order = np.concatenate([states.deck[:, :30], states.slots[:, ::-1]], axis=1)
    counts = np.bincount(order[:, place], minlength=33)
    assert_fair(counts, len(states) / 33)


def test_every_order_of_the_agenda_is_as_likely() -> None:
    orders = Counter(map(tuple, deals().agenda_deck.tolist()))
    counts = np.array(list(orders.values()) + [0] * (720 - len(orders)))
    assert_fair(counts, len(deals()) / 720)


def test_every_pair_of_deviation_cards_is_as_likely_on_top() -> None:
    pairs = Counter(map(tuple, deals().deviation_deck[:, :2].tolist()))
    assert len(pairs) == 72
    assert_fair(np.array(list(pairs.values())), len(deals()) / 72)


@pytest.mark.parametrize("side", [0, 1])
def test_every_colour_is_as_likely_on_every_space_of_the_route(side: int) -> None:
    for index in range(9):
        counts = np.bincount(deals().route_colour[:, side, index], minlength=5)
        assert_fair(counts, len(deals()) / 5)


@pytest.mark.parametrize("seat", [0, 1])
def test_hands_of_discs_are_drawn_fairly_for_both_seats(seat: int) -> None:
    """Ten of 25, five of a colour: hypergeometric counts of each colour."""
    hyper = np.array([comb(5, k) * comb(20, 10 - k) for k in range(6)]) / comb(25, 10)
    for colour in range(5):
        counts = np.bincount(deals().discs[:, seat, colour], minlength=6)
        assert_fair(counts, hyper * len(deals()))


@pytest.mark.parametrize("a, b", [(c.RUBBLE_STREAM, c.CARD_STREAM), (c.CARD_STREAM, c.DEVIATION_STREAM)])
def test_two_streams_of_a_seed_are_not_correlated(a: int, b: int) -> None:
    """Numbers 0 to 7 of both, over consecutive seeds: all 64 pairs are as likely."""
    counts = np.zeros((8, 8))
    for seed in range(6400):
        key = keys(seed)
        counts[below(key[a], 0, 8), below(key[b], 0, 8)] += 1
    assert_fair(counts.ravel(), 100)


# --- seeds of later games -------------------------------------------------------------------------


def test_the_seeds_of_an_autoreset_row_do_not_come_round() -> None:
    """10,000 steps from three starts, all different and in range."""
    for start in (0, 1, 2**63 - 1):
        seen, seed = set(), start
        for _ in range(10_000):
            assert 0 <= seed < 2**63
            seen.add(seed)
            seed = next_seed(seed)
        assert len(seen) == 10_000


def test_rows_do_not_share_later_seeds() -> None:
    chains = []
    for seed in BatchGame(64, "tiny", 0, observe=False).states.seed.tolist():
        for _ in range(100):
            chains.append(seed)
            seed = next_seed(seed)
    assert len(set(chains)) == 6400


# --- the same everywhere --------------------------------------------------------------------------


@pytest.mark.parametrize("hash_seed", ["1", "777"])
def test_another_process_plays_the_same_games(hash_seed: str) -> None:
    """Nothing depends on the order of sets, on the process or on PYTHONHASHSEED."""
    jobs = [("standard", 3, 1000), ("agenda", 4, 1000), ("tiny", 5, 1000)]
    assert digests_elsewhere(jobs, PYTHONHASHSEED=hash_seed) == [digests(*job) for job in jobs]
    assert all(builtin(name).digest for name, _, _ in jobs)
