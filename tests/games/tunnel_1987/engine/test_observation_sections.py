"""Every section of the observation means what it says, for both viewers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import Game, RulesetError
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE, SECTION_BY_NAME, SECTIONS
from channel_tunnel_env.games.tunnel_1987.engine.tables import make_tables
from tests.games.tunnel_1987.naive_observation import NaiveObservation
from tests.games.tunnel_1987.positions import play, position
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

# Sections that swap places with the viewer, and those whose first half is the viewer's.
PAIRS = ("discs", "cards", "abilities", "tracks", "deviation", "tbm", "placements")
HALVES = (
    "passed",
    "disc_totals",
    "money",
    "purse",
    "topographical",
    "barriers",
    "deviation_risk",
    "route_left",
    "storage",
    "storage_room",
    "agenda_pending",
    "agenda_completed",
    "tunnel_risk",
    "tunnel_next",
    "closing",
    "rule_storage",
    "rule_tracks",
    "rule_water",
)
IN_TWOS = ("disc_totals", "purse", "route_left", "storage_room", "tunnel_risk")  # own, rival twice
SHARED = (
    "phase",
    "round",
    "bag",
    "spaces",
    "display",
    "unseen_cards",
    "deviation_deck",
    "deviation_colours",
    "agenda_unseen",
    "agenda_drawn",
    "used_space",
    "action",
    "last_action",
    "action_slot",
    "placed_rubble",
    "keep",
    "display_points",
    "rule_discs",
    "rule_route",
    "rule_tokens",
    "rule_symbols",
    "rule_deviation",
    "rule_deviation_deck",
    "rule_scoring",
    "rule_topographical",
    "rule_cards",
    "rule_agenda",
    "rule_limits",
    "rule_switches",
)


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


# --- the layout -----------------------------------------------------------------------------------


def test_sections_tile_the_vector_without_gaps() -> None:
    place = 0
    for section in SECTIONS:
        assert section.start == place and section.size == len(section.scales) > 0
        assert section.slice == slice(place, place + section.size)
        assert section.meaning
        assert all(0 < scale <= 1 for scale in section.scales)
        place += section.size
    assert place == OBSERVATION_SIZE == Game(seed=0).observation().size
    assert len(SECTION_BY_NAME) == len(SECTIONS)


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


def test_what_both_share() -> None:
    game = position(POSITION)
    for viewer in ("britain", "france"):
        assert see(game, "phase", viewer) == [float(name == "turn") for name in c.PHASES]
        assert see(game, "round", viewer) == [0.25, 0]
        assert see(game, "spaces", viewer)[:10] == [0, 0, 0, 1, 0, 1, 1, 0, 0, 0]
        assert see(game, "spaces", viewer)[20:30] == [0, 0, 0, 0, 1, 1, 0, 0, 0, 0]
        assert sum(see(game, "spaces", viewer)) == 5
        assert see(game, "deviation_colours", viewer) == [1, 1, 0, 0]
        # 9 cards, three of them drawn: red 0; green -1; both yellows; both purples.
        left = [0.5, 0, 0, 0, 0.5, 0, 0.5, 0.5, 0, 0.5, 0.5, 0, 0, 0, 0]
        assert see(game, "deviation_deck", viewer) == left
        bag = [5 - 1, 5 - 2, 5 - 3, 5 - 2, 5 - 2 - 1]
        assert see(game, "bag", viewer) == [third(n, 5) for n in bag]


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


def test_abilities_show_tokens_and_whether_they_can_be_used() -> None:
    """Used this round: tokens without use; face down: neither."""
    own = see(position(POSITION), "own_abilities")
    kinds = dict(zip(range(11), zip(own[::2], own[1::2], strict=True), strict=True))
    assert kinds[5] == (0.25, 0)  # control_room_1, used
    assert kinds[3] == (0.25, 1)  # extra_finance
    assert sum(own) == 1.5
    assert sum(see(position(POSITION), "rival_abilities")) == 0


@pytest.mark.parametrize("ruleset", ["standard", "agenda"])
def test_the_viewers_swap_own_and_rival(ruleset: str) -> None:
    game = position(POSITION, ruleset)
    for name in PAIRS:
        assert see(game, f"own_{name}") == see(game, f"rival_{name}", "france")
        assert see(game, f"rival_{name}") == see(game, f"own_{name}", "france")
    for name in HALVES:
        seen, size = see(game, name), SECTION_BY_NAME[name].size
        unit = 2 if name in IN_TWOS else size
        swapped = [x for k in range(0, size, unit) for x in seen[k + unit // 2 : k + unit] + seen[k : k + unit // 2]]
        assert swapped == see(game, name, "france"), name
    for name in SHARED:
        assert see(game, name) == see(game, name, "france"), name
    own, rival, lead = see(game, "score")
    assert see(game, "score", "france") == [rival, own, pytest.approx(1 - lead)]
    mine, theirs = see(game, "money_cards"), see(game, "money_cards", "france")
    assert [{0: 0, 0.5: 1, 1: 0.5}[x] for x in mine] == theirs


def test_every_section_is_in_the_swap_test_or_has_a_test_of_its_own() -> None:
    own_tests = {"to_move", "side", "first_player", "score", "money_cards", "turn_flags"}
    own_tests.add("lead_at_centre")
    tokens = {"own_route", "rival_route", "rival_peeks", "unseen_tokens", "unseen_symbols"}
    pairs = {f"{who}_{name}" for who in ("own", "rival") for name in PAIRS}
    assert own_tests | tokens | pairs | set(HALVES) | set(SHARED) == set(SECTION_BY_NAME)


# --- who would win if the game ended --------------------------------------------------------------


def test_the_lead_at_the_centre_counts_the_centres_points() -> None:
    """Britain is 2 behind. At the centre it has 2 points and 1 for each of France's three tokens; France
    would have 2 and 1 for each of Britain's."""
    game = position(POSITION.replace("tbm: 1", "tbm: 6"))
    own, rival = (game.scores()[side]["total"] for side in ("britain", "france"))
    assert own - rival == -2
    lead = see(game, "lead_at_centre")
    assert lead[:16] == [float(k <= 3) for k in range(-7, 9)]
    assert lead[16:] == [0.0] * 16  # far behind


@pytest.mark.parametrize("ruleset", ["standard", "agenda"])
def test_both_seats_see_the_same_lead_at_the_centre(ruleset: str) -> None:
    """At least k for the one is less than 1 - k for the other."""
    for seed in range(5):
        game = Game(ruleset, seed)
        for _ in walk(game, seed, eager=True):
            one, other = see(game, "lead_at_centre"), see(game, "lead_at_centre", "france")
            assert [1 - x for x in other[:15:-1]] == one[:16]
            assert [1 - x for x in other[15::-1]] == one[16:]


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


@pytest.mark.parametrize("ruleset", ["standard", "agenda"])
def test_the_movers_placements_are_the_legal_ones(ruleset: str) -> None:
    for seed in range(5):
        game = Game(ruleset, seed)
        for _ in walk(game, seed, eager=True):
            if game.phase == "turn":
                legal = game.mask[:50].astype(float).tolist()
                assert see(game, "own_placements", str(game.to_play)) == legal


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


def test_the_printed_points_are_exact() -> None:
    rules = builtin("standard").with_values(
        {"deck.cards.influence_spain.points": -3, "deck.cards.exchange_1.points": 12}
    )
    printed = {key: rules.data.deck.cards[i].points for i, key in enumerate(rules.card_keys)}
    for seed in range(40):
        game = Game(rules, seed)
        shown = [printed[key] for key in game.to_position()["display"]]
        assert see(game, "display_points") == [third(n + 20, 40) for n in shown]


# --- the rules ------------------------------------------------------------------------------------


SEEN_IN_PLAY = ("head_start.first_discs", "head_start.money_cards", "head_start.points")


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
    at_once = [key for key in unseen if key.startswith(SEEN_IN_PLAY)]
    assert len(at_once) == 6 and unseen == at_once and compared > 80, compared


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


def test_that_the_rival_peeked_is_seen_but_not_at_what() -> None:
    game = position(POSITION)
    # Seen by Britain: France peeked at Britain's index 5, the fourth token ahead of its TBM at 2.
    assert see(game, "rival_peeks") == [0, 0, 0, 1, 0, 0, 0, 0, 0] + [0] * 9
    # Seen by France: Britain peeked at Britain's index 4 and at France's index 3.
    seen = see(game, "rival_peeks", "france")
    assert seen[:9] == [0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert seen[9:] == [0, 0, 1, 0, 0, 0, 0, 0, 0]


def test_unseen_tokens_are_those_the_viewer_has_not_seen() -> None:
    """Counted from the other end: all tokens less those in sight."""
    game = position(POSITION)
    up = ["yellow", "black", "orange", "yellow", "white"]  # routes and storages
    up += ["yellow", "white", "black"]  # on cards
    up += [colour for colour, n in game.to_position()["out_of_game"].items() for _ in range(n)]
    peeked = {"britain": ["white", "orange"], "france": ["blue"]}
    for viewer, more in peeked.items():
        left = [4 - (up + more).count(colour) for colour in c.COLOURS]
        assert see(game, "unseen_tokens", viewer) == [n / 4 for n in left]
        assert sum(left) == 5 + 7 - len(more)


def test_symbols_show_only_with_the_agenda() -> None:
    text = "britain: {route: [yellow*, '?white*'], peeked: [[britain, 1]]}"
    for ruleset, symbol in (("standard", 0), ("agenda", 1)):
        game = position(text, ruleset)
        assert see(game, "own_route")[:12] == [0, 0, 0, 1, 0, symbol, 0, 0, 0, 0, 1, symbol]
        assert see(game, "rival_route", "france")[6:12] == [0] * 6
        assert sum(see(game, "unseen_symbols", "france")) == sum(see(game, "unseen_symbols")) + (0.5 * symbol)


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


# --- the turn in progress -------------------------------------------------------------------------


def one(name: str, names: tuple[str, ...]) -> list[float]:
    return [float(name == other) for other in names]


def test_a_development_in_progress_shows_its_slot_and_the_rubble_placed() -> None:
    game = position(
        "display: [new_materials, influence_italy, political_duel]\n"
        "britain: {discs: {orange: 3}, storage: [yellow, blue]}\n"
        "france: {storage: []}"
    )
    play(game, "place orange slot_1 develop")
    assert game.phase == "rubble"
    for viewer in ("britain", "france"):
        assert see(game, "action", viewer) == one("develop", c.ACTION_KINDS)
        assert see(game, "action_slot", viewer) == [1, 0, 0]
        assert see(game, "used_space", viewer) == one("slot_1", c.SPACES)
        assert see(game, "placed_rubble", viewer) == [0] * 5
    play(game, "rubble yellow")
    assert game.phase == "rubble"
    for viewer in ("britain", "france"):
        assert see(game, "placed_rubble", viewer) == one("yellow", c.COLOURS)
        assert see(game, "storage", viewer)[3 if viewer == "britain" else 8] == 0


def test_keeping_shows_the_colour_asked_for_and_the_discs_kept() -> None:
    game = position("britain: {discs: {blue: 2, white: 3}}")
    play(game, "pass")
    assert see(game, "keep", "france") == [1, 0, 0, 0, 0, 0]
    play(game, "keep 2 blue")
    assert see(game, "keep", "france") == [0, 0, 0, 0, 1, third(2, 15)]
    assert see(game, "keep") == see(game, "keep", "france")


def test_a_chain_shows_the_action_it_follows_and_the_space_used() -> None:
    game = position(
        "britain: {discs: {blue: 2, orange: 1}, cards: [{card: control_room_4, rubble: [blue]}],"
        " route: [orange], storage: []}"
    )
    play(game, "place blue plan_tunnel plan")
    assert game.phase == "chain"
    for viewer in ("britain", "france"):
        assert see(game, "last_action", viewer) == one("plan", c.ACTION_KINDS)
        assert see(game, "used_space", viewer) == one("plan_tunnel", c.SPACES)
        assert see(game, "action", viewer) == [0] * 5


def test_an_agenda_card_offered_is_seen_by_both() -> None:
    game = position(
        "agenda_deck: [promotion]\nbritain: {discs: {orange: 2}, route: [orange, '?white*'], agenda: {}}", "agenda"
    )
    play(game, "place orange plan_tunnel plan")
    assert game.phase == "agenda"
    for viewer in ("britain", "france"):
        assert see(game, "agenda_drawn", viewer) == one("promotion", c.AGENDA_KINDS)
        assert see(game, "agenda_unseen", viewer) == [1 - x for x in one("promotion", c.AGENDA_KINDS)]
    play(game, "agenda keep")
    pending = one("promotion", c.AGENDA_KINDS)
    assert see(game, "agenda_pending") == pending + [0] * 6
    assert see(game, "agenda_pending", "france") == [0] * 6 + pending


def test_the_last_flag_says_that_the_rival_placed_last() -> None:
    game = position("britain: {discs: {blue: 2}}\nfrance: {discs: {white: 2}}")
    assert see(game, "turn_flags") == [0, 0, 0, 0]
    play(game, "place blue plan_tunnel plan")
    assert game.to_play == "france"
    assert see(game, "turn_flags", "france") == [0, 0, 0, 1]
    assert see(game, "turn_flags", "britain") == [0, 0, 0, 0]
