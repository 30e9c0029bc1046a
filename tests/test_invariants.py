"""Random games break no invariant, and every invariant can be broken: by a corrupted record."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.core.jit import kernel
from channel_tunnel_env.core.records import MOST_DRAWS, MOST_PLIES, MOST_TALLIED
from channel_tunnel_env.games.tunnel_1987 import checking
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine import legality, transition
from channel_tunnel_env.games.tunnel_1987.engine.invariants import INVARIANTS, check_step, find_faults
from channel_tunnel_env.games.tunnel_1987.positions.layout import TALLIES
from channel_tunnel_env.testing import check_invariants, check_ruleset, game_of_record
from tests.random_games import turned

Corruption = Callable[[Any], None]
Predicate = Callable[[Game], bool]


def find_game(wanted: Predicate, ruleset: str = "standard") -> Game:
    """A position of random play that the predicate likes."""
    rng = np.random.default_rng(5)
    for seed in range(400):
        game = Game(ruleset, seed)
        while True:
            if wanted(game):
                return game
            if game.is_over:
                break
            game.play(int(rng.choice(game.legal_ids())))
    raise LookupError("no such position in 400 games")


def any_turn(game: Game) -> bool:
    return game.phase == "turn" and game.round >= 2


def at_the_shaft(game: Game) -> bool:
    return game.phase == "turn" and game.round == 1 and game.state.tbm[0] == 0


def has_money(game: Game) -> bool:
    return int(game.state.money_count[0]) >= 2


def has_topographical(game: Game) -> bool:
    return bool(game.state.topographical[0])


def in_phase(phase: str) -> Predicate:
    return lambda game: game.phase == phase


def setter(field: str, value: Any, *place: int) -> Corruption:
    """Set state.field[place] (or the field itself) to a value."""
    return lambda states: states[field].__setitem__((0, *place), value)


def adder(field: str, amount: int, *place: int) -> Corruption:
    """Add to state.field[place]."""
    return lambda states: states[field].__setitem__((0, *place), states[field][(0, *place)] + amount)


def copier(field: str, *place: int) -> Corruption:
    """Set state.field[place] to what stands behind it."""
    *outer, last = place
    return lambda states: states[field].__setitem__((0, *place), states[field][(0, *outer, last + 1)])


def swap_discs(states: Any) -> None:
    """Same number of discs, wrong colours."""
    held = np.flatnonzero(states["discs"][0, 0])[0]
    states["discs"][0, 0, held] -= 1
    states["discs"][0, 0, (held + 1) % 5] += 1


def lose_slot(states: Any) -> None:
    """The slot's card goes to the discard and the slot stays empty."""
    states["discard"][0] |= 1 << int(states["slots"][0, 0])
    states["slots"][0, 0] = -1


def overfill_storage(states: Any) -> None:
    """Tokens of what left the game, or of the route, come to the storage."""
    tbm = int(states["tbm"][0, 0])
    colours = states["route_colour"][0, 0, tbm : tbm + 4]
    for colour in colours:
        states["storage"][0, 0, colour] += 1
    states["tbm"][0, 0] += 4
    states["revealed"][0, 0] = max(int(states["revealed"][0, 0]), tbm + 4)


def double_deviation(states: Any) -> None:
    states["deviation_deck"][0, :9] = range(9)
    states["deviation_drawn"][0] = 2  # red 0 and red -1


def rubble_on_deck_card(states: Any) -> None:
    """A token leaves the game's pile for a card that lies in the deck."""
    colour = int(np.flatnonzero(states["storage"][0, 0])[0])
    states["storage"][0, 0, colour] -= 1
    states["card_rubble"][0, int(states["deck"][0, 0]), 0] = colour + 1


def other_winner(states: Any) -> None:
    states["winner"][0] = 1 - int(states["winner"][0])


def strip_topographical(states: Any) -> None:
    """The token on the first such card of Britain's leaves the game."""
    for card in range(13, 18):
        colour = int(states["card_rubble"][0, card, 0])
        if colour and (int(states["area"][0, 0]) >> card) & 1:
            states["card_rubble"][0, card, 0] = 0
            states["out_of_game"][0, colour - 1] += 1
            return


ONE_TOKEN_CARDS = [
    i
    for i, card in enumerate(load_ruleset().data.deck.cards)
    if card.cost == "place1" and card.kind != "topographical_analysis"
]


def charged_with_one(game: Game) -> list[int]:
    return [i for i in ONE_TOKEN_CARDS if (int(game.state.charged) >> i) & 1]


def one_token_card(game: Game) -> bool:
    return bool(charged_with_one(game)) and bool(game.state.out_of_game.sum())


def second_token(states: Any) -> None:
    """A token that had left the game comes back onto a card that takes only one."""
    card = next(i for i in ONE_TOKEN_CARDS if (int(states["charged"][0]) >> i) & 1)
    colour = int(np.flatnonzero(states["out_of_game"][0])[0])
    states["out_of_game"][0, colour] -= 1
    states["card_rubble"][0, card, 1] = colour + 1


def stored(game: Game) -> bool:
    return any_turn(game) and bool(game.state.storage[0].sum())


def early(game: Game) -> bool:
    return any_turn(game) and int(game.state.tbm[0]) <= 3


def stacks_lie(game: Game) -> bool:
    return any_turn(game) and bool(game.state.stack_height.any())


CASES: list[tuple[int, str, Predicate, Corruption]] = [
    (1, "a disc too many", any_turn, adder("bag", 1, 2)),
    (1, "a disc of another colour", any_turn, swap_discs),
    (1, "a negative count", any_turn, setter("bag", -1, 0)),
    (1, "a stack of six", any_turn, setter("stack_height", 6, 1)),
    (2, "a token too many", any_turn, adder("out_of_game", 1, 3)),
    (2, "a token vanished", stored, setter("storage", 0, 0)),
    (3, "a card twice", any_turn, copier("slots", 0)),
    (3, "a card nowhere", any_turn, adder("deck_size", -1)),
    (3, "a deviation card twice", any_turn, setter("deviation_deck", 3)),
    (4, "an empty slot", any_turn, lose_slot),
    (5, "more face up than there are", any_turn, setter("revealed", 10, 0)),
    (5, "face down behind the TBM", lambda g: g.state.tbm[1] > 1, setter("revealed", 0, 1)),
    (6, "more stored than fits", early, overfill_storage),
    (7, "beyond the limit and still playing", any_turn, setter("deviation", 5, 1)),
    (7, "a negative level", any_turn, setter("deviation", -1, 0)),
    (8, "beyond the route", any_turn, setter("tbm", 10, 0)),
    (8, "a reacher in mid-game", any_turn, setter("reacher", 0)),
    (9, "beyond the track", any_turn, setter("counter", 6, 1, 0)),
    (10, "a colour twice in the discard", any_turn, double_deviation),
    (10, "every card drawn", any_turn, setter("deviation_drawn", 9)),
    (11, "rubble on a card of the deck", stored, rubble_on_deck_card),
    (11, "a used card of nobody's", any_turn, setter("used", 1 << 28)),
    (11, "Topographical analysis without rubble", has_topographical, strip_topographical),
    (11, "two tokens on a card for one", one_token_card, second_token),
    (12, "pending without the expansion", any_turn, setter("agenda_pending", 2, 0)),
    (12, "completed but never drawn", any_turn, setter("agenda_completed", 1, 1)),
    (5, "a first token face down", at_the_shaft, setter("revealed", 0, 0)),
    (16, "a winner in mid-game", any_turn, setter("winner", 0)),
    (16, "the wrong winner", lambda game: game.end_cause == "centre", other_winner),
    (18, "no first player", any_turn, setter("first_player", 2)),
    (18, "more Tunnels than spaces bored", any_turn, setter("tally_action", 12, 0, 1)),
    (19, "a turn's space between turns", any_turn, setter("turn_space", 1)),
    (19, "a chain after nothing", in_phase("chain"), setter("last", -1)),
    (19, "a phase that there is not", any_turn, setter("phase", c.NUM_PHASES)),
    (19, "a phase below all", any_turn, setter("phase", -1)),
    (19, "rubble for no slot", in_phase("rubble"), setter("action_slot", -1)),
    (19, "keeping without having passed", in_phase("keep"), setter("passed", 0)),
    (19, "more kept than lies there", in_phase("keep"), adder("kept", 1)),
    (19, "discs kept in no pass", any_turn, setter("kept", 2)),
    (19, "a space that is not there", any_turn, setter("turn_space", 50)),
    (19, "a slot that is not there", any_turn, setter("action_slot", 100)),
    (19, "a colour that is not there", any_turn, setter("keep_colour", 90)),
    (19, "a slot between turns", any_turn, setter("action_slot", 0)),
    (19, "a card just taken by no action", any_turn, setter("new_card", 3)),
    (19, "a Promotion that nobody pays", any_turn, setter("promotion_paid", 1)),
    (19, "a repair in no Technology", any_turn, setter("repairing", 1)),
    (19, "stacks that nobody placed", stacks_lie, setter("round_placed", 0)),
    (19, "a payment that is not due", any_turn, setter("phase", c.PHASES.index("tunnel_pay"))),
    (19, "rubble laid in no Develop", in_phase("tunnel_pay"), setter("rubble_placed", 1)),
    (18, "a round behind the last", any_turn, setter("round_no", 61)),
    (18, "an empty round too many", any_turn, setter("empty_rounds", 3)),
    (27, "a stream at its end", any_turn, setter("rng_counter", 2**63 - 1, 0)),
    (27, "a negative seed", any_turn, setter("seed", -1)),
    (28, "a negative tally", any_turn, setter("tally_draws", -1, 0)),
    (28, "a tally about to overflow", any_turn, setter("card_shown", 32767, 0)),
    (28, "more plies than a game has", any_turn, setter("ply", 2**31 - 1)),
    (29, "a card behind the end of the deck", any_turn, lambda s: setter("deck", 1, int(s["deck_size"][0]))(s)),
    (29, "a peek beyond the route", any_turn, setter("peeked", 1 << 9, 0, 0)),
    (30, "a ruleset that is not there", any_turn, setter("ruleset", 1)),
    (20, "kind_count", any_turn, adder("kind_count", 1, 0, 3)),
    (21, "printed_points", any_turn, adder("printed_points", 1, 0)),
    (22, "money_total", has_money, adder("money_total", 1, 0)),
    (23, "money_order", has_money, copier("money_order", 0, 0)),
    (23, "money_count", has_money, adder("money_count", -1, 0)),
    (24, "topographical", has_topographical, setter("topographical", 0, 0)),
    (25, "charged", lambda game: bool(game.state.charged), setter("charged", 0)),
    (26, "charged_twice", any_turn, setter("charged_twice", 1)),
    (13, "a passed seat to move", any_turn, setter("passed", 1)),
]


@pytest.mark.parametrize(("code", "name", "wanted", "corrupt"), CASES, ids=[f"{case[0]}-{case[1]}" for case in CASES])
def test_a_corrupted_record_is_caught(code: int, name: str, wanted: Predicate, corrupt: Corruption) -> None:
    found = find_game(wanted)
    check_invariants(found)
    states = found._states.copy()
    corrupt(states)
    broken = game_of_record(states, found.ruleset)
    with pytest.raises(AssertionError, match=rf"^invariant {code}: "):
        check_invariants(broken)


def draw_all(states: Any, seat: int, kind: str) -> None:
    """Every agenda card was drawn; one is pending, none completed."""
    states["agenda_drawn"][0], states["agenda_card"][0] = 6, -1
    states["agenda_pending"][0] = -1
    states["agenda_completed"][0] = 0
    states["agenda_pending"][0, seat] = c.AGENDA_KINDS.index(kind)


def test_a_plan_in_progress_has_turned_up_its_token_already() -> None:
    game = find_game(in_phase("agenda"), "agenda")
    check_invariants(game)
    states = game._states.copy()
    states["tally_action"][0, game.mover, c.PLAN] += 1
    with pytest.raises(AssertionError, match=r"^invariant 18: "):
        check_invariants(game_of_record(states, game.ruleset))


@pytest.mark.parametrize(
    ("code", "field", "most"),
    [
        (28, "tally_drift", MOST_TALLIED),
        (28, "lead_changes", MOST_TALLIED),
        (28, "ply", MOST_PLIES),
        (27, "rng_counter", MOST_DRAWS),
    ],
)
def test_a_counter_has_its_bound(code: int, field: str, most: int) -> None:
    game = find_game(any_turn)
    for value, expected in ((most, 0), (most + 1, code), (-1, code)):
        states = game._states.copy()
        states[field][0] = value
        assert find_faults(states, game.tables)[0] == expected


def test_a_game_whose_counters_stand_at_their_bounds_goes_on_and_reads_back() -> None:
    game = find_game(any_turn)
    states = game._states.copy()
    for name in TALLIES:
        if name not in ("leader", "tally_action", "ply"):
            states[name][0] = MOST_TALLIED
    states["ply"], states["rng_counter"] = MOST_PLIES, MOST_DRAWS
    game, rng = Game.from_states(states, game.ruleset), np.random.default_rng(0)
    while not game.is_over:
        game.play(int(rng.choice(game.legal_ids())))
        check_invariants(game)
        assert Game.from_position(game.to_position()).action_mask.any() != game.is_over
    assert int(game.state.ply) == MOST_PLIES
    assert int(game.state.card_shown.max()) == MOST_TALLIED


@pytest.mark.parametrize("kind", ["check_up", "promotion", "warehouse_inspection"])
def test_an_agenda_card_that_is_due_is_not_pending(kind: str) -> None:
    def due(game: Game) -> bool:
        mover, rival = game.mover, 1 - game.mover
        rich = int(game.state.money_total[mover]) >= 3
        followed = int(game.state.previous) == rival and not game.state.passed[rival]
        return any_turn(game) and rich and followed

    game = find_game(due, "agenda")
    states = game._states.copy()
    draw_all(states, 1 - game.mover, "training")
    check_invariants(game_of_record(states, game.ruleset))
    draw_all(states, game.mover, kind)
    with pytest.raises(AssertionError, match=r"^invariant 31: "):
        check_invariants(game_of_record(states, game.ruleset))


def test_an_empty_choice_is_caught() -> None:
    """A Finance with nothing to take: no legal id, and the game goes on."""
    game = find_game(in_phase("tunnel_pay"))
    states = game._states.copy()
    seat = int(states["to_play"][0])
    states["bag"][0] += states["discs"][0, seat]
    states["discs"][0, seat] = 0
    with pytest.raises(AssertionError, match=r"^invariant 13: "):
        check_invariants(game_of_record(states, game.ruleset))


@kernel
def check_action(before, states, i, tables, action):
    """`check_step` between game i of both arrays: 0 or a code."""
    old = before[i]
    state = states[i]
    return check_step(old, state, tables[int(state.ruleset)], action)


STEP_CASES = [(9, "counter", (0, 0)), (8, "tbm", (0,)), (5, "revealed", (1,)), (12, "agenda_completed", (0,))]


@pytest.mark.parametrize(("code", "field", "place"), STEP_CASES)
def test_a_step_back_is_caught(code: int, field: str, place: tuple[int, ...]) -> None:
    game = find_game(any_turn)
    before = game._states.copy()
    before[field][(0, *place)] += 1
    assert check_action(before, game._states, 0, game.tables, 0) == code


ROUND_CORRUPTIONS = [
    adder("discs", 1, 0, 0),
    adder("discs", -1, 1, 4),
    setter("passed", 1),
    setter("used", 4),
    setter("stack_height", 1, 3),
    adder("round_no", 1),
]


@pytest.mark.parametrize("corrupt", ROUND_CORRUPTIONS)
def test_a_wrong_round_start_is_caught(corrupt: Corruption) -> None:
    def both_full(game: Game) -> bool:
        return game.round == 2 and game.state.discs[0, 0] > 0 and game.state.discs[1, 4] > 0

    game, before, action = round_start(load_ruleset().with_values({"switches.auto_forced": False}))
    while not both_full(game):
        game, before, action = round_start(game.ruleset, game.seed + 1)
    assert check_action(before, game._states, 0, game.tables, action) == 0
    states = game._states.copy()
    corrupt(states)
    assert check_action(before, states, 0, game.tables, action) == 15


def round_start(rules: Any, seed: int = 0) -> tuple[Game, Any, int]:
    """A game as its second round has begun, the record before that, and the action between.

    The round-start windows, which nobody has a card for, are passed by themselves; it is set back
    to the first of them.
    """
    rng, game = np.random.default_rng(seed), Game(rules, seed)
    while not game.is_over:
        before, action = game._states.copy(), int(rng.choice(game.legal_ids()))
        if game.play(action).round == 2 and before["round_no"][0] == 1:
            game._states["phase"][0] = c.WINDOW
            game._states["to_play"][0] = game._states["first_player"][0]
            return game, before, action
    return round_start(rules, seed + 1)


def test_every_code_is_fired_by_some_case() -> None:
    fired = {case[0] for case in CASES} | {case[0] for case in STEP_CASES} | {15, 31}
    assert fired == set(INVARIANTS)


@pytest.mark.parametrize("name", ["standard", "agenda", "tiny"])
def test_random_games_break_nothing(name: str) -> None:
    report = check_ruleset(name, 3000, seed=1)
    assert not report.violations, report.violations
    assert report.games == sum(report.wins.values()) == sum(report.end_causes.values()) == 3000
    assert report.plies > report.decisions > 0


OVERLAYS: list[dict[str, Any]] = [
    *({"switches": {name: value}} for name, value in turned()),
    {"limits": {"max_rounds": 5}},
    {"limits": {"max_rounds": 4}, "switches": {"stalemate_result": "draw"}},
    {"limits": {"max_empty_rounds": 1}},
    {"discs": {"keep_limit": 3}},
    {"discs": {"hand": 13}},  # the bag runs short
    {"deviation": {"limit": 2, "penalties": [0, 2, 5]}},
]


@pytest.mark.parametrize("base", ["standard", "agenda"])
@pytest.mark.parametrize("overlay", OVERLAYS, ids=str)
def test_every_switch_breaks_nothing(overlay: dict[str, Any], base: str) -> None:
    report = check_ruleset({"name": "flipped", "base": base, **overlay}, 1000, seed=2)
    assert not report.violations, report.violations
    assert report.games == 1000


def test_progress_counts_the_games() -> None:
    seen: list[int] = []
    check_ruleset("tiny", 1201, progress=seen.append)
    assert sum(seen) == 1201


def test_forced_actions_change_nothing_but_the_count() -> None:
    """The same random games, whether forced decisions are asked or not."""
    rules = load_ruleset("agenda")
    forced = check_ruleset(rules, 500, seed=7)
    asked = check_ruleset(rules.with_values({"switches.auto_forced": False}), 500, seed=7)
    assert (forced.plies, forced.wins) == (asked.plies, asked.wins)
    assert forced.decisions < asked.decisions < asked.plies


def test_a_violation_stops_the_games_and_hands_over_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a table that lists a card too many, the first record already misses it."""
    wrong = checking.tables_of(load_ruleset("tiny")).copy()
    wrong.all_cards |= 1 << 20
    wrong.flags.writeable = False  # as the tables that kernels are compiled for
    monkeypatch.setattr(checking, "tables_of", lambda rules: wrong)
    report = check_ruleset("tiny", 600, seed=1)
    assert report.games == 0
    assert [v.code for v in report.violations] == [3, 3], "one for each chunk of games"
    assert report.violations[0].sentence == INVARIANTS[3]
    assert report.violations[0].game.round == 1


def phases_tested(function: Any) -> set[int]:
    """The phases that a rule's chain of ifs compares with."""
    source = textwrap.dedent(inspect.getsource(getattr(function, "py_func", function)))
    compared = (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Compare))
    names = {
        test.comparators[0].attr
        for test in compared
        if isinstance(test.left, ast.Name)
        and test.left.id == "phase"
        and isinstance(test.comparators[0], ast.Attribute)
    }
    return {getattr(c, name) for name in names}


def test_every_phase_is_answered_so_no_action_can_be_ignored() -> None:
    """The two chains of ifs have no last branch, for speed: they name each phase that waits for an answer.

    Any other value of `phase` breaks invariant 19.
    """
    waiting = set(range(c.NUM_PHASES)) - {c.OVER}
    assert len(c.PHASES) == c.NUM_PHASES
    assert phases_tested(transition.apply_action) == waiting
    assert phases_tested(legality.list_legal) == waiting
