"""Every section of the observation means what it says, for both viewers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import Game, RulesetError
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.observation import SECTION_BY_NAME, SECTIONS
from channel_tunnel_env.games.tunnel_1987.engine.tables import make_tables
from tests.games.tunnel_1987.naive_observation import NaiveObservation
from tests.games.tunnel_1987.positions import position
from tests.random_games import SWITCHES, builtin, changed, walk
from tests.seeds import seeds

POSITION = """
round: 5
to_play: britain
first_player: france
passed: []
spaces: {plan_tunnel: {yellow: 2}, slot_1: {white: 1}}
display: [influence_italy, heavy_machinery, political_duel]
discard: [influence_greece, new_workers_1]
deviation_discard: [red-1, green0, none-2]
britain:
  discs: {blue: 1, orange: 3}
  tbm: 2
  route: [yellow, black, "?white", "?blue"]
  storage: [yellow]
  deviation: 3
  technology: [1, 2]
  money: [influence_spain, influence_belgium]
  cards:
    - {card: control_room_1, rubble: [yellow], used: true}
    - {card: extra_finance_1, rubble: [white], used: false}
    - {card: influence_denmark}
  peeked: [[britain, 4], [france, 3]]
france:
  discs: {black: 2, white: 2}
  tbm: 1
  route: [orange, "?", "?orange"]
  storage: [white]
  deviation: 1
  technology: [3, 0]
  money: [influence_portugal]
  cards:
    - {card: topographical_analysis_1, rubble: [black]}
    - {card: media_relations}
    - {card: new_materials, rubble: []}
  peeked: [[britain, 5]]
"""


def see(game: Game, name: str, viewer: str = "britain") -> list[float]:
    """A section of what a seat sees."""
    return [round(float(x), 5) for x in game.observation(viewer)[SECTION_BY_NAME[name].slice]]


def third(n: float, of: float) -> float:
    return round(n / of, 5)


def assert_as_naive(game: Game) -> None:
    for viewer in ("britain", "france"):
        naive = NaiveObservation(game, viewer).sections()
        assert set(naive) == set(SECTION_BY_NAME)
        seen = game.observation(viewer)
        if np.abs(np.concatenate([naive[s.name] for s in SECTIONS]) - seen).max() < 1e-6:
            continue
        for name, wanted in naive.items():
            assert seen[SECTION_BY_NAME[name].slice].tolist() == pytest.approx(wanted), name


# --- the whole vector, twice ----------------------------------------------------------------------


@seeds(2, 6)
@pytest.mark.parametrize(
    "base, changes",
    [
        ("standard", {}),
        ("agenda", {}),
        ("tiny", {}),
        ("agenda", {"switches.facedown_observation": "hidden", "switches.auto_forced": False}),
        ("agenda", {"switches.new_card_usable_same_action": True, "extra_finance": 1}),
        ("standard", {"switches.technology_without_move": "always", "discs.per_colour": 3}),
        ("agenda", {"switches.supervision_mode": "soft", "deviation.water_draws.france": 3}),
        ("tiny", {"switches.null_actions": True, "switches.final_tunnel_deviation_check": True}),
    ],
)
def test_every_section_equals_a_slow_second_computation(base: str, changes: dict[str, Any], seeds: range) -> None:
    """Inside turns too, and at the end of random games, for both viewers."""
    rules, phases = changed(base, changes), set()
    for seed in seeds:
        game = Game(rules, seed)
        for ply in walk(game, seed, eager=seed % 4 != 0):
            if ply % 4 == seed % 4 or game.phase not in ("turn", "keep"):
                assert_as_naive(game)
            phases.add(str(game.phase))
    assert len(phases) > 8


@pytest.mark.parametrize("ruleset", ["standard", "agenda"])
def test_the_hand_made_position_agrees_too(ruleset: str) -> None:
    assert_as_naive(position(POSITION, ruleset))
    assert_as_naive(position(POSITION, ruleset, facedown_observation="hidden"))


# --- by hand --------------------------------------------------------------------------------------


def test_what_is_ones_own() -> None:
    game = position(POSITION)
    assert see(game, "to_move") == [1] and see(game, "to_move", "france") == [0]
    assert see(game, "side") == [0] and see(game, "side", "france") == [1]
    assert see(game, "first_player") == [0] and see(game, "first_player", "france") == [1]
    assert see(game, "own_discs")[:5] == [1, 0, 0, 0, 0]
    assert see(game, "own_discs")[10:15] == [1, 1, 1, 0, 0]
    # Britain's track a is at 1; b at 2, a storage space. France's a is at 3, an extra disc.
    totals = [third(n, 15) for n in (4, 4, 10, 11)]
    assert see(game, "disc_totals") == totals
    assert see(game, "own_tracks") == [1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    assert see(game, "storage_room") == [third(2, 3), third(2, 3), 0.75, 0.75]
    assert see(game, "own_deviation") == [1, 1, 1, 0, 0, 0, 0]
    # Only -2 loses at 3, and it is drawn; at 1 nothing loses.
    assert see(game, "deviation_risk") == [0, 0]
    # Britain: a barrier of 1 before a2, of 2 before b3, with 3 million and an Extra finance.
    # France: a barrier of 4 before a4 that its 2 million do not pay, none before b1.
    assert see(game, "barriers") == [0.125, 1, 0.25, 1, 0.5, 0, 0, 1]
    assert see(game, "purse") == [0.25, third(2, 12), 0.5, 0]
    assert see(game, "money") == [0.125, 0.125, 0, 0, 0.125, 0]
    assert see(game, "storage") == [0, 0, 0, third(1, 3), 0, 0, 0, 0, 0, third(1, 3)]
    assert see(game, "topographical") == [0] * 5 + [0, 1, 0, 0, 0]
    assert see(game, "own_cards") == [0.1, 0, 0, 0, 0, 0.15]
    assert see(game, "rival_cards") == [0, 0, 0, 0.2, 0.2, 0.15]


def test_the_risk_is_the_share_of_losing_cards() -> None:
    game = position("britain: {deviation: 4}\nfrance: {deviation: 3}")
    assert see(game, "deviation_risk") == [third(5, 9), third(1, 9)]
    assert see(game, "deviation_risk", "france") == [third(1, 9), third(5, 9)]


# --- who would win if the game ended --------------------------------------------------------------


def test_before_the_last_tunnel_the_lead_at_the_centre_names_the_winner() -> None:
    winners = set()
    for seed in range(40):
        game, seen = Game("standard", seed), {}
        for _ in walk(game, seed, eager=True):
            if not game.is_over:
                seen = {side: see(game, "lead_at_centre", side) for side in ("britain", "france")}
        if game.end_cause == "centre":
            reacher = "britain" if game.to_position()["britain"]["tbm"] == 9 else "france"
            at_least_none = seen[reacher][7]
            assert (game.winner == reacher) == (at_least_none == 1), seed
            winners.add(game.winner == reacher)
    assert winners == {True, False}


# --- what could come next -------------------------------------------------------------------------


def test_water_risks_what_its_two_cards_risk() -> None:
    """At level 2 no single card loses, but -2 and -1 together do: 2 x 4/72."""
    last = position("britain: {deviation: 2, tbm: 8, route: [blue]}")
    assert see(last, "tunnel_risk")[::2] == [0, 0]  # nothing is drawn at the centre
    game = position("britain: {deviation: 2, route: [blue, '?']}")
    assert see(game, "deviation_risk") == [0, 0]
    assert see(game, "tunnel_risk") == [third(1, 9), 0, third(1, 9), 0]
    assert see(game, "tunnel_risk", "france") == [0, third(1, 9), 0, third(1, 9)]


def test_a_reshuffle_between_two_cards_counts() -> None:
    """Eight cards left, red-1 drawn: red0 would bring all back. (-1 first) 3/8 x 1/7, (-2 first) 1/8 x 3/7."""
    text = "britain: {deviation: 2, route: [blue, '?']}\ndeviation_discard: [red-1]"
    assert see(position(text), "tunnel_risk")[0] == third(6, 56)
    text = "britain: {deviation: 3, route: [blue, '?']}\ndeviation_discard: [red-1]"
    # Room 1: -2 first loses; 0 first (g, y, p), then -2; red0, then -2 of nine; -1 first, then any but a 0.
    chance = 1 / 8 + 3 / 8 * 1 / 7 + 1 / 8 * 1 / 9 + 3 / 8 * 3 / 7
    assert see(position(text), "tunnel_risk")[0] == round(chance, 5)


def test_a_token_that_is_not_known_risks_the_mean_of_what_it_may_be() -> None:
    game = position("britain: {deviation: 4, tbm: 1, route: ['?blue', '?white']}\nfrance: {tbm: 1, route: ['?']}")
    own, _, water, _ = see(game, "tunnel_risk")
    unseen = see(game, "unseen_tokens")
    share = unseen[0] / sum(unseen)
    assert own == pytest.approx(share * water + (1 - share) * 5 / 9, abs=1e-4)


def test_the_rivals_placements_are_its_turn_after_a_pass() -> None:
    compared = 0
    for seed in range(12):
        game = Game("standard", seed)
        for _ in walk(game, seed, eager=True):
            if game.phase != "turn" or game.state.passed.any():
                continue
            passed, mover = game.clone(), str(game.to_play)
            promised = see(passed, "rival_placements", mover)
            passed.play("pass")
            while passed.phase == "keep":
                passed.play(int(passed.mask.nonzero()[0][-1]))
            if passed.phase == "turn" and passed.round == game.round:
                assert passed.mask[:50].astype(float).tolist() == promised
                compared += 1
    assert compared > 50


def test_a_tunnel_that_ends_the_game_is_seen_from_both_sides() -> None:
    text = """
to_play: britain
display: [influence_belgium, influence_denmark, influence_greece]
britain: {discs: {black: 3}, tbm: 7, route: [yellow, '?'], storage: []}
france: {discs: {white: 2, orange: 1}, tbm: 8, route: [orange], storage: []}
"""
    game = position(text)
    assert see(game, "tunnel_next") == [0, 0, 0, 1, 1, 1]  # Britain has nothing left to pay with
    assert see(game, "tunnel_next", "france") == [1, 1, 1, 0, 0, 0]
    behind = position(
        text.replace("tbm: 7, route: [yellow, '?']", "tbm: 8, route: [yellow]").replace(
            "britain: {", "britain: {technology: [5, 0], "
        )
    )
    assert see(behind, "tunnel_next", "france") == [1, 1, 0, 0, 0, 0]  # nine points behind


def test_a_stack_too_high_for_the_other_closes_a_space() -> None:
    game = position(
        """
to_play: britain
spaces: {finance_technology: {blue: 2}}
display: [influence_belgium, influence_denmark, influence_greece]
britain: {discs: {black: 3, white: 1}}
france: {discs: {yellow: 2, orange: 1}}
"""
    )
    # Three black discs shut France's two out wherever France could place; nobody's two can shut out three.
    places = np.reshape(see(game, "rival_placements"), (5, 10)).any(axis=1)
    assert see(game, "closing") == [float(open_now) for open_now in places] + [0.0] * 5
    assert not places[1] and places[0]


# --- the rules ------------------------------------------------------------------------------------


NOT_AMONG_THE_RULES = {"head_start.first_discs", "head_start.money_cards", "head_start.points"}
"""Figures, without a side, that no rule section shows: a seat sees what it has of them in play, or need not see them."""


def test_every_figure_of_a_ruleset_that_play_depends_on_is_seen() -> None:
    """Change one figure at a time: some rule section changes. Names and checks of lists are no rules."""
    rules = builtin("agenda")
    before = make_tables([rules])[0].seen
    unseen, compared = [], 0
    for key, value in rules.flat.items():
        other = _another(key, value)
        if other is None or (key.startswith("deck.cards.") and ".political_duel." not in key):
            continue
        try:
            after = make_tables([rules.with_values({key: other})])[0].seen
        except RulesetError:  # checked against another figure, which is seen for it
            continue
        compared += 1
        unseen += [key] if np.array_equal(after, before) else []
    found = {key.removesuffix(".britain").removesuffix(".france") for key in unseen}
    assert found == NOT_AMONG_THE_RULES and compared > 80, compared


@pytest.mark.parametrize(
    ("key", "section"), [("points", "score"), ("first_discs", "disc_totals"), ("money_cards", "money")]
)
def test_a_head_start_is_seen_in_what_a_seat_has(key: str, section: str) -> None:
    rules = builtin("agenda").with_values({f"head_start.{key}.britain": 1})
    assert see(Game(rules, 1), section) != see(Game("agenda", 1), section)


CHOICES = {**SWITCHES, "kind": c.CARD_KINDS, "cost": c.COSTS, "secondary": c.ACTION_KINDS[:4]}


def _another(key: str, value: Any) -> Any:
    """Another value of a figure; None for a name."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    words = CHOICES.get(key.rsplit(".", 1)[-1], ())
    return next((word for word in words if word != value), None)


# --- hidden tokens --------------------------------------------------------------------------------


def colours_seen(game: Game, name: str, viewer: str) -> list[str | None]:
    row = np.reshape(see(game, name, viewer), (9, 6))
    return [c.COLOURS[int(np.argmax(r[:5]))] if r[:5].any() else None for r in row]


def test_peeked_tokens_appear_only_for_the_peeker() -> None:
    """Britain looked at its own space 4 and at France's 3; France at Britain's 5."""
    game, none = position(POSITION), None
    own = ["yellow", "black", "white", none, none, none, none, none, none]
    assert colours_seen(game, "own_route", "britain") == own
    rival = ["orange", none, "orange", none, none, none, none, none, none]
    assert colours_seen(game, "rival_route", "britain") == rival
    assert colours_seen(game, "own_route", "france") == ["orange"] + [none] * 8
    theirs = ["yellow", "black", none, "blue", none, none, none, none, none]
    assert colours_seen(game, "rival_route", "france") == theirs


def test_hidden_face_down_cards_take_their_points_from_the_rivals_sight() -> None:
    """The owner knows its spent cards; the rival sees their points only where they are public."""
    for switch, points in (("visible", 0), ("hidden", 1)):  # new_materials prints 1
        game = position(POSITION, facedown_observation=switch)
        totals = {side: score["total"] for side, score in game.scores().items()}
        britain, france = totals["britain"], totals["france"]
        shown = [max(n, 0) for n in (britain, france - points)]
        lead = 30 + britain - (france - points)
        assert see(game, "score") == [third(n, 60) for n in (*shown, lead)]
        shown = [max(n, 0) for n in (france, britain)]
        lead = 30 + france - britain
        assert see(game, "score", "france") == [third(n, 60) for n in (*shown, lead)]
