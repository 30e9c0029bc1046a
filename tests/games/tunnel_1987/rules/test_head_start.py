"""A head start: what a ruleset gives one country more or less of than the rules do."""

from __future__ import annotations

from typing import Any

import pytest

from channel_tunnel_env import Game, RulesetError, load_ruleset
from channel_tunnel_env.faces.registry import changes_in_words
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.rulesets.ruleset import Ruleset
from tests.games.tunnel_1987.positions import end_round, held, side

STANDARD = load_ruleset("standard")


def ahead(**levers: dict[str, int]) -> Ruleset:
    """`ahead(points={"britain": 2})`."""
    changes: dict[str, Any] = {
        f"head_start.{lever}.{who}": value for lever, by_side in levers.items() for who, value in by_side.items()
    }
    return STANDARD.with_values(changes, "ahead")


def test_nothing_changes_without_one() -> None:
    none = ahead(**{lever: dict.fromkeys(c.SEATS, 0) for lever in ("points", "allowance")})
    assert none.digest == STANDARD.digest
    for seed in range(3):
        one, other = Game(none, seed), Game("standard", seed)
        assert one.states.tobytes() == other.states.tobytes()


@pytest.mark.parametrize(
    ("levers", "first", "later"),
    [
        ({"allowance": {"britain": 2, "france": -3}}, [12, 7], [12, 7]),
        ({"first_discs": {"france": 4}}, [10, 14], [10, 10]),  # what was kept of the first is not taken away
    ],
)
def test_discs_of_the_first_round_and_of_the_next(levers: dict[str, Any], first: list[int], later: list[int]) -> None:
    game = Game(ahead(**levers), 1)
    assert [held(game, side) for side in c.SEATS] == first
    end_round(game)
    assert [held(game, side) for side in c.SEATS] == later


def test_money_cards_come_from_the_top_of_the_deck() -> None:
    game = Game(ahead(money_cards={"britain": 1, "france": 2}), 4)
    usual = Game("standard", 4).to_position()
    first = usual["display"] + usual["deck"]
    britain, france = side(game, "britain")["money"], side(game, "france")["money"]
    assert britain == first[:1] and france == first[1:3]
    assert game.to_position()["display"] == first[3:6]
    assert game.states["tally_income"].tolist() == [[0, 0]]  # Finance brought nothing yet


@pytest.mark.parametrize("who", c.SEATS)
def test_points_count_at_every_moment(who: str) -> None:
    game = Game(ahead(points={who: 7}), 2)
    scores, usual = game.scores(), Game("standard", 2).scores()
    for name in c.SEATS:
        more = 7 * (name == who)
        assert scores[name]["head_start"] == more and "head_start" not in usual[name]
        assert scores[name]["total"] == usual[name]["total"] + more


def test_points_decide_a_game() -> None:
    one_round = {"limits.max_rounds": 1}
    even = end_round(Game(STANDARD.with_values(one_round), 1))
    assert even.is_over and even.winner is None
    game = end_round(Game(ahead(points={"france": 1}).with_values(one_round), 1))
    assert game.is_over and game.winner == "france"


@pytest.mark.parametrize(
    ("levers", "told"),
    [
        ({"allowance": {"france": -10}}, "head_start.allowance.france: -10: france would draw up to 0"),
        ({"first_discs": {"britain": 16}}, "head_start.first_discs.britain: 16: britain would draw up to 26"),
        ({"money_cards": {"britain": 6}}, "head_start.money_cards.britain: 6: allowed: whole numbers 0..5"),
        ({"points": {"britain": 41}}, "head_start.points.britain: 41: allowed: whole numbers -20..40"),
    ],
)
def test_one_that_cannot_be_played_is_refused(levers: dict[str, Any], told: str) -> None:
    with pytest.raises(RulesetError, match=told):
        ahead(**levers)


def test_a_deck_that_would_leave_nothing_to_show_is_refused() -> None:
    changes = {"head_start.money_cards.britain": 4, "head_start.money_cards.france": 4}
    with pytest.raises(RulesetError, match=r"head_start.money_cards: 8: the deck of 10 must leave 3"):
        load_ruleset("tiny").with_values(changes)


def test_they_are_told_in_words() -> None:
    told = changes_in_words(STANDARD, ahead(points={"britain": 2}, money_cards={"france": 1}))
    assert told == [
        "France's head start is 1 money card instead of 0.",
        "Britain's head start is 2 points instead of 0.",
    ]
