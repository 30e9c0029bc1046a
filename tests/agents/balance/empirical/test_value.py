"""The value of an empirical game, its bracket, and how sure the value is."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from channel_tunnel_agents.balance.empirical.payoffs import Payoffs, casts, play_payoffs
from channel_tunnel_agents.balance.empirical.value import PolicyError, solve_game, solve_many, solve_two
from channel_tunnel_agents.balance.empirical.verdict import unwon
from channel_tunnel_env import load_ruleset

NO_ERROR = PolicyError(0.0, 0.0)


def two_seats(means: np.ndarray, deals: int, rng: np.random.Generator) -> Payoffs:
    """Wins and losses drawn around the first seat's chances; every cell of a deal shares its luck."""
    luck = rng.random(deals)
    policies = len(means)
    shares = {}
    for p, q in product(range(policies), repeat=2):
        first = (luck < means[p, q]).astype(float)
        shares[p, q] = np.stack([first, 1 - first], axis=1)
    names = tuple(f"p{k}" for k in range(policies))
    return Payoffs(names, ("a", "b"), shares, dict.fromkeys(shares, 0.0), 0)


@pytest.mark.parametrize("seed", range(20))
def test_nobody_gains_by_leaving_an_equilibrium(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = rng.integers(1, 9)
    game = rng.random((size, size))
    found = solve_two(game)
    rows, columns = found.mixtures
    value = rows @ game @ columns
    assert found.gains.max() < 1e-9
    assert (game @ columns).max() <= value + 1e-9
    assert (rows @ game).min() >= value - 1e-9


def test_at_a_larger_table_all_play_what_leaves_one_seat_the_least_to_gain() -> None:
    own = np.zeros((3, 2, 2))
    own[:, 0, 0], own[:, 1, 0] = ([0.2, 0.3, 0.5], [0.4, 0.3, 0.5])  # the first seat gains .2 by leaving
    own[:, 1, 1], own[:, 0, 1] = [0.3, 0.3, 0.4], [0.3, 0.35, 0.3]  # the second seat .05
    found = solve_many(own)
    assert found.support(0) == [1]
    np.testing.assert_allclose(found.gains, [0.0, 0.05, 0.0])


def test_an_answer_opens_the_bracket_and_then_moves_the_value() -> None:
    """Two policies for which the game is even; a third beats them in the first seat by ten points."""
    means = np.full((3, 3), 0.5)
    means[2, :2] = 0.6
    payoffs = two_seats(means, 20_000, np.random.default_rng(1))
    first, second = solve_game(payoffs, {"p2"}, NO_ERROR).seats
    assert first.bracket == pytest.approx((0.5, 0.6), abs=0.01)
    assert second.bracket == pytest.approx((0.4, 0.5), abs=0.01)
    assert first.share.value == pytest.approx(0.5, abs=0.01), "the second seat plays the answer too"
    means[2, 2] = 0.7
    first, _ = solve_game(two_seats(means, 20_000, np.random.default_rng(1)), {"p2"}, NO_ERROR).seats
    assert first.share.value == pytest.approx(0.6, abs=0.01)
    assert first.bracket[0] <= first.share.value <= first.bracket[1] + 1e-9


def test_the_value_lies_in_the_bracket_whatever_the_game() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        means = rng.random((5, 5))
        first, second = solve_game(two_seats(means, 500, rng), {"p3", "p4"}, NO_ERROR).seats
        assert first.bracket[0] - 1e-9 <= first.share.value <= first.bracket[1] + 1e-9
        assert second.share.value == pytest.approx(1 - first.share.value)


def test_of_two_hundred_intervals_ninety_five_in_a_hundred_hold_the_value() -> None:
    """With no error of the policies, the interval is that of the deals, the choice of the mixture included."""
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(200):
        means = 0.5 + 0.1 * rng.standard_normal((4, 4)).clip(-3, 3)
        rows, columns = solve_two(means).mixtures
        share = solve_game(two_seats(means, 1_000, rng), (), NO_ERROR).seats[0].share
        held += share.low <= rows @ means @ columns <= share.high
    assert 181 <= held <= 198


def test_the_error_of_the_policies_widens_the_interval() -> None:
    payoffs = two_seats(np.full((2, 2), 0.5), 1_000, np.random.default_rng(1))
    seat = solve_game(payoffs, (), PolicyError(0.03, 1.0)).seats[0]
    assert seat.policy_error == pytest.approx(0.03)
    assert seat.share.high - seat.share.value > 1.96 * 0.03
    assert seat.policy_error > seat.deals_error


def test_a_game_of_answers_alone_is_refused() -> None:
    payoffs = two_seats(np.full((1, 1), 0.5), 10, np.random.default_rng(1))
    with pytest.raises(ValueError, match="no answer to the others"):
        solve_game(payoffs, {"p0"}, NO_ERROR)


def test_every_table_is_played_once() -> None:
    assert len([*casts(3, 2)]) == 9
    assert len([*casts(2, 4)]) == 2 + 2 * 4
    found = play_payoffs(["random", "heuristic"], load_ruleset("tiny"), 300, 5, workers=1)
    assert found.own()[0, 1, 0] > 0.8, "the scripted player beats chance"


def test_a_policy_that_joins_adds_its_games_and_changes_no_other() -> None:
    ruleset, games = load_ruleset("tiny"), []
    one = play_payoffs(["heuristic"], ruleset, 64, 5, workers=1)
    both = play_payoffs(["random", "heuristic"], ruleset, 64, 5, workers=1, progress=games.append, known=one)
    assert sum(games) == 3 * 64
    whole = play_payoffs(["random", "heuristic"], ruleset, 64, 5, workers=1)
    for cast, shares in whole.shares.items():
        np.testing.assert_array_equal(shares, both.shares[cast])


def test_a_game_that_a_seat_wins_which_nobody_plays_is_won() -> None:
    assert unwon(np.array([[1, 0], [0.5, 0.5], [0, 0], [0, 1]])) == 0.25
