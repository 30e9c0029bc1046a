"""Faults planted in Shaft Bluff, the game of docs/examples, one at a time; played without compilation, so that none is compiled.

`report_planted` is asked in a process of its own (see `interpreted`).
"""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from channel_tunnel_env.core import verbs
from channel_tunnel_env.core.rng import WORLDS, below, seed_apart
from channel_tunnel_env.games import find_game
from channel_tunnel_env.testing import check_game
from tests.sites import FOURTH, fourth_game

Patch = pytest.MonkeyPatch
HAND, BURIED, SHOWN, CARD, SAID = 6, 12, 18, 24, 30  # where sections of an observation begin
CHECK = 13
DIG, ANNOUNCE, ANSWER = range(3)
GAMES = 3


def rules_of(patch: Patch, **functions: Callable[..., Any]) -> None:
    """Bind other functions to some verbs; each takes the true one before its own arguments."""
    bound = verbs._BY_FIELDS[find_game(FOURTH).record.dtype.names]
    for name, function in functions.items():
        patch.setitem(bound, name, lambda *given, old=bound[name], new=function: new(old, *given))


def spec_with(patch: Patch, name: str, value: Any) -> None:
    """One part of the game, by its dotted name, exchanged in place."""
    part, _, inner = name.partition(".")
    patch.setitem(vars(getattr(find_game(FOURTH), part)), inner, value)


def other_class(patch: Patch, **members: Any) -> None:
    """Other members of the class of games."""
    from shaft_bluff.game import Game

    for name, member in members.items():
        patch.setattr(Game, name, member, raising=False)


def module_with(patch: Patch, module: str, name: str, function: Callable[..., Any]) -> None:
    """Another function in a module of the game; it takes the true one first."""
    found = __import__(f"{FOURTH}.{module}", fromlist=["x"])
    old = getattr(found, name)
    patch.setattr(found, name, lambda *given, **named: function(old, *given, **named))


def within(patch: Patch, most: int) -> None:
    """A game that does not end is noticed after so many decisions."""
    from channel_tunnel_env import conformance
    from channel_tunnel_env.core import checking, rows

    for module in (conformance, checking):
        patch.setattr(module, "MOST_STEPS", most)
        patch.setattr(module, "MOST_PLIES", most * 10)
    patch.setattr(rows, "MOST_FORCED", most)


# --- secrets ----------------------------------------------------------------------------------------


def deals_nothing(old, state, rules, viewer, seed, work):
    seed_apart(state, WORLDS, seed)


def sees_the_rivals_hand(old, state, rules, viewer, work, seen, row):
    old(state, rules, viewer, work, seen, row)
    seen[row, HAND + 5] = state.hand[1 - viewer, 5] / rules.copies


def leak_beside_nothing(patch: Patch) -> None:
    rules_of(patch, determinize=deals_nothing, fill_observation=sees_the_rivals_hand)


def leak(patch: Patch) -> None:
    rules_of(patch, fill_observation=sees_the_rivals_hand)


def nothing_dealt(patch: Patch) -> None:
    rules_of(patch, determinize=deals_nothing)


def next_card_seen(patch: Patch) -> None:
    def see(old, state, rules, viewer, work, seen, row):
        old(state, rules, viewer, work, seen, row)
        seen[row, BURIED] = state.deck[min(int(state.drawn), len(state.deck) - 1)] / 6

    rules_of(patch, determinize=deals_nothing, fill_observation=see)


def seed_seen(patch: Patch) -> None:
    def see(old, state, rules, viewer, work, seen, row):
        old(state, rules, viewer, work, seen, row)
        seen[row, BURIED] = int(state.rng_key[0]) % 2

    def deal(old, state, rules, viewer, seed, work):
        key = int(state.rng_key[0])
        old(state, rules, viewer, seed, work)
        state.rng_key[0] = int(state.rng_key[0]) // 2 * 2 + key % 2

    rules_of(patch, determinize=deal, fill_observation=see)


def card_dug_in_seen(patch: Patch) -> None:
    def see(old, state, rules, viewer, work, seen, row):
        old(state, rules, viewer, work, seen, row)
        if state.card >= 0:
            seen[row, CARD + int(state.card)] = 1

    def deal(old, state, rules, viewer, seed, work):
        card = int(state.card)
        old(state, rules, viewer, seed, work)
        if card >= 0 and state.card != card:  # the card stays; what was dealt for it goes where the other came from
            dealt = int(state.card)
            state.card = card
            for heap in (state.hand[1 - viewer], state.buried[1 - viewer]):
                if heap[card] > 0:
                    heap[card] -= 1
                    heap[dealt] += 1
                    return
            for k in range(int(state.drawn), int(state.deck_size)):
                if state.deck[k] == card:
                    state.deck[k] = dealt
                    return

    rules_of(patch, determinize=deal, fill_observation=see)


def mask_by_the_rivals_hand(patch: Patch) -> None:
    def legal(old, state, rules, work):
        count = old(state, rules, work)
        if state.phase == ANSWER and state.hand[1 - state.to_play, 5] > 0:
            return 1  # no check against a rival with a six
        return count

    rules_of(patch, determinize=deals_nothing, list_legal=legal)


def mask_by_the_deck(patch: Patch) -> None:
    def legal(old, state, rules, work):
        count = old(state, rules, work)
        if state.phase == ANNOUNCE and state.deck[int(state.drawn)] > 2:
            return count - 1
        return count

    rules_of(patch, determinize=deals_nothing, list_legal=legal)


def skipped_by_a_hand(patch: Patch) -> None:
    """A rival who has one answer only is not asked, which shows what lies dug in."""

    def legal(old, state, rules, work):
        count = old(state, rules, work)
        if state.phase == ANSWER and state.card == 5:
            return 1
        return count

    rules_of(patch, list_legal=legal, is_asked=lambda old, state, rules: state.phase != ANSWER)


def refusal_tells(patch: Patch) -> None:
    old = find_game(FOURTH).actions.describe_refusal
    rules_of(patch, determinize=deals_nothing)
    spec_with(patch, "actions.describe_refusal", lambda s, row, *given: f"{old(s, row, *given)} ({s['deck'][row]})")


def text_tells(patch: Patch) -> None:
    def text(old, game, viewer=None):
        return old(game, viewer) + f"\nNext: {int(game.state.deck[int(game.state.drawn) % 36])}"

    rules_of(patch, determinize=deals_nothing)
    module_with(patch, "render", "to_text", text)


# --- dealing again ----------------------------------------------------------------------------------


def deals_all_hands(patch: Patch) -> None:
    def deal(old, state, rules, viewer, seed, work):
        old(state, rules, viewer, seed, work)
        old(state, rules, 1 - viewer, seed, work)

    rules_of(patch, determinize=deal)


def deals_own_shaft(patch: Patch) -> None:
    """What the viewer's observation does not hold here, so that only its position shows it."""

    def see(old, state, rules, viewer, work, seen, row):
        old(state, rules, viewer, work, seen, row)
        seen[row, BURIED : BURIED + 6] = 0

    def deal(old, state, rules, viewer, seed, work):
        for card in range(6):
            for other in range(6):
                if state.buried[viewer, card] > 0 and state.hand[1 - viewer, other] > 0 and card != other:
                    state.buried[viewer, card] -= 1
                    state.buried[viewer, other] += 1
                    state.hand[1 - viewer, other] -= 1
                    state.hand[1 - viewer, card] += 1
                    return old(state, rules, viewer, seed, work)
        return old(state, rules, viewer, seed, work)

    rules_of(patch, determinize=deal, fill_observation=see)


def ignores_the_seed(patch: Patch) -> None:
    def deal(old, state, rules, viewer, seed, work):
        old(state, rules, viewer, 5, work)
        seed_apart(state, WORLDS, seed)

    rules_of(patch, determinize=deal)


def same_seed_other_world(patch: Patch) -> None:
    calls = itertools.count()
    rules_of(patch, determinize=lambda old, s, r, v, seed, work: old(s, r, v, seed ^ next(calls) << 20, work))


def deals_the_rival_high(patch: Patch) -> None:
    """The rival gets the deepest unseen cards."""

    def deal(old, state, rules, viewer, seed, work):
        old(state, rules, viewer, seed, work)
        hand = state.hand[1 - viewer]
        for k in range(int(state.drawn), int(state.deck_size)):
            low = int(np.flatnonzero(hand)[0])
            if state.deck[k] > low:
                hand[low], hand[state.deck[k]] = hand[low] - 1, hand[state.deck[k]] + 1
                state.deck[k] = low

    rules_of(patch, determinize=deal)


def keeps_half_the_truth(patch: Patch) -> None:
    def deal(old, state, rules, viewer, seed, work):
        if seed % 2:
            deals_nothing(old, state, rules, viewer, seed, work)
        else:
            old(state, rules, viewer, seed, work)

    rules_of(patch, determinize=deal)


def keeps_the_deck(patch: Patch) -> None:
    """The next card to draw stays the true one."""

    def deal(old, state, rules, viewer, seed, work):
        place = int(state.drawn)
        card = int(state.deck[place])
        old(state, rules, viewer, seed, work)
        for k in range(place, int(state.deck_size)):
            if state.deck[k] == card:
                state.deck[k], state.deck[place] = state.deck[place], card
                return

    rules_of(patch, determinize=deal)


def world_is_the_game(patch: Patch) -> None:
    from channel_tunnel_env.core.machine import machine_of

    def determinize(self, viewer, seed):
        machine = machine_of(self.ruleset)
        machine.determinize_game(self.states, 0, machine.tables, self.seat_index(viewer), seed, machine.local.work)
        return self.adopt(self.states, self.ruleset)

    other_class(patch, determinize=determinize)


def copy_shares_its_record(patch: Patch) -> None:
    from shaft_bluff.game import Game

    whole = Game.clone

    def clone(self, actions=None):
        copy = whole(self, actions)
        copy._states = self._states
        return copy

    other_class(patch, clone=clone)


# --- what is seen ---------------------------------------------------------------------------------


def forgets(start: int, size: int) -> Callable[[Patch], None]:
    def plant(patch: Patch) -> None:
        def see(old, state, rules, viewer, work, seen, row):
            old(state, rules, viewer, work, seen, row)
            seen[row, start : start + size] = 0

        rules_of(patch, fill_observation=see)

    return plant


def leaves_places_unwritten(patch: Patch) -> None:
    def see(old, state, rules, viewer, work, seen, row):
        before = seen[row, CARD : CARD + 6].copy()
        old(state, rules, viewer, work, seen, row)
        if state.card < 0:
            seen[row, CARD : CARD + 6] = before

    rules_of(patch, fill_observation=see)


def above_its_range(patch: Patch) -> None:
    def see(old, state, rules, viewer, work, seen, row):
        old(state, rules, viewer, work, seen, row)
        seen[row, 5] = int(state.turn)

    rules_of(patch, fill_observation=see)


def as_doubles(patch: Patch) -> None:
    from shaft_bluff.game import Game

    whole = Game.observation
    other_class(patch, observation=lambda self, viewer=None: whole(self, viewer).astype(np.float64))


def one_buffer(patch: Patch) -> None:
    from shaft_bluff.game import Game

    whole, kept = Game.observation, np.zeros(38, np.float32)

    def observation(self, viewer=None):
        kept[:] = whole(self, viewer)
        return kept

    other_class(patch, observation=observation)


# --- rules ----------------------------------------------------------------------------------------


def illegal_listed(patch: Patch) -> None:
    def legal(old, state, rules, work):
        if state.phase != DIG:
            return old(state, rules, work)
        for card in range(6):
            work.legal[card] = card
        return 6

    rules_of(patch, list_legal=legal)


def illegal_played(patch: Patch) -> None:
    from shaft_bluff.game import Game

    whole = Game.play

    def play(self, action):
        legal = self.legal_ids()
        return whole(self, action if action in legal or action in self.legal_actions() else legal[0])

    other_class(patch, play=play)


def empty_mask(patch: Patch) -> None:
    rules_of(patch, list_legal=lambda old, s, r, w: 0 if s.turn == 4 and s.phase == ANSWER else old(s, r, w))


def unsorted_ids(patch: Patch) -> None:
    def legal(old, state, rules, work):
        count = old(state, rules, work)
        work.legal[:count] = work.legal[:count][::-1].copy()
        return count

    rules_of(patch, list_legal=legal)


def never_ends(patch: Patch) -> None:
    def still(old, state, rules, action, work):
        """Digs and takes the card back, for ever."""
        if state.phase == DIG:
            return old(state, rules, action, work)
        state.ply += 1
        state.hand[state.to_play, int(state.card)] += 1
        state.card, state.phase = -1, DIG

    within(patch, 300)
    rules_of(patch, apply_action=still)


def never_ends_by_force(patch: Patch) -> None:
    def still(old, state, rules, action, work):
        if state.turn < 3 or state.phase != DIG:
            return old(state, rules, action, work)
        state.ply += 1

    def legal(old, state, rules, work):
        return 1 if old(state, rules, work) and state.turn >= 3 and state.phase == DIG else old(state, rules, work)

    within(patch, 40)
    rules_of(patch, apply_action=still, list_legal=legal, is_asked=lambda old, s, r: s.turn < 3)


def other_deal_each_time(patch: Patch) -> None:
    luck = np.random.default_rng(1)

    def set_up(old, state, rules, work):
        old(state, rules, work)
        luck.shuffle(state.deck[int(state.drawn) : int(state.deck_size)])

    rules_of(patch, set_up=set_up)


def rules_are_changed(patch: Patch) -> None:
    """A step writes to the figures that all games share."""
    whole, kept = find_game(FOURTH).rules.make_tables, []

    def tables(rulesets):
        kept.append(whole(rulesets).copy())
        view = kept[-1].view()
        view.flags.writeable = False
        return view

    def act(old, state, rules, action, work):
        old(state, rules, action, work)
        for made in kept:
            made["caught"] = int(state.turn)

    rules_of(patch, apply_action=act)
    spec_with(patch, "rules.make_tables", tables)


def position_eats_its_argument(patch: Patch) -> None:
    def read(old, position, ruleset=None):
        kept = dict(position)
        position.pop("points")
        return old(kept, ruleset)

    module_with(patch, "positions", "read_states", read)


def position_forgets_the_deck(patch: Patch) -> None:
    def write(old, game, seat=None):
        written = old(game, seat)
        written.pop("deck", None)
        return written

    module_with(patch, "positions", "write_position", write)


def seats_position_is_unreadable(patch: Patch) -> None:
    def write(old, game, seat=None):
        written = old(game, seat)
        return written if seat is None else written | {"hands": {"north": "?", "south": "?"}}

    module_with(patch, "positions", "write_position", write)


def batch_writes_the_first_row(patch: Patch) -> None:
    def see(old, state, rules, viewer, work, seen, row):
        old(state, rules, viewer, work, seen, 0)

    rules_of(patch, fill_observation=see)


def batch_reads_the_first_rules(patch: Patch) -> None:
    """What belongs to a game is kept in the workspace, which a batch shares."""

    def act(old, state, rules, action, work):
        if state.phase == DIG:
            work.pool[0] = action
        if state.phase == ANSWER and action == CHECK and work.pool[0] != state.card:
            state.points[1 - state.to_play, 0] += 1
        old(state, rules, action, work)

    rules_of(patch, apply_action=act)


def result_in_the_first_row(patch: Patch) -> None:
    rules_of(patch, fill_result=lambda old, s, r, rewards, row: old(s, r, rewards, 0))


# --- results --------------------------------------------------------------------------------------


def reward_before_the_end(patch: Patch) -> None:
    def result(old, state, rules, rewards, row):
        old(state, rules, rewards, row)
        if state.phase != 3 and state.turn > 4:
            rewards[row, 0] = 0.5

    rules_of(patch, fill_result=result)


def both_win(patch: Patch) -> None:
    def result(old, state, rules, rewards, row):
        old(state, rules, rewards, row)
        rewards[row] = abs(rewards[row])

    rules_of(patch, fill_result=result)


def loser_is_paid(patch: Patch) -> None:
    def result(old, state, rules, rewards, row):
        old(state, rules, rewards, row)
        rewards[row] = -rewards[row]

    rules_of(patch, fill_result=result)


def fewest_points_win(patch: Patch) -> None:
    def points(old, state, rules, seat, out):
        return old(state, rules, 1 - seat, out)

    rules_of(patch, fill_scores=points)


def total_is_no_sum(patch: Patch) -> None:
    rules_of(patch, fill_scores=lambda old, *given: old(*given) + 1)


# --- descriptions ---------------------------------------------------------------------------------


def seats_take_turns(patch: Patch) -> None:
    calls = itertools.count()
    spec_with(patch, "seats.names", lambda rules: ("north", "south")[:: 1 if next(calls) % 2 else -1])


def agents_are_new_each_time(patch: Patch) -> None:
    calls = itertools.count()
    spec_with(patch, "seats.agents", lambda rules: tuple(f"agent_{next(calls)}" for _ in range(2)))


def played_out_of_order(patch: Patch) -> None:
    spec_with(patch, "seats.played", lambda rules: ("south", "north"))


def figure_that_no_rule_reads(patch: Patch) -> None:
    """It reaches the tables, and stays there."""
    from shaft_bluff.engine import tables, transition

    true = transition._answer
    patch.setattr(tables, "points_limit", lambda data: 400)

    def answer(state, rules, action):
        class Without:
            proved, caught = 2, rules.caught

        return true(state, Without, action)

    patch.setattr(transition, "_answer", answer)


def deck_is_cut_once(patch: Patch) -> None:
    """A deck that is hardly shuffled."""
    from shaft_bluff.engine import setup

    def shuffle(state, stream, items, start, stop, work):
        from channel_tunnel_env.core import rng

        for k in range(start, stop - 1, 2):
            if below(state, stream, 2):
                items[k], items[k + 1] = items[k + 1], items[k]
        if work.luck_mode == rng.LUCK_WRITE:
            rng.write_luck(work, stream)
            rng.write_luck(work, stop - start)
            for k in range(start, stop):
                rng.write_luck(work, items[k])
        elif work.luck_mode == rng.LUCK_READ:
            rng._read_order(stream, items, start, stop, work)

    patch.setattr(setup, "shuffle", shuffle)


PLANTED: dict[str, tuple[Callable[[Patch], None], str]] = {
    "a leak beside a deal of nothing": (leak_beside_nothing, "secrecy: north sees what is hidden from it in: hand"),
    "a leak": (leak, "secrecy: north sees what is hidden from it in: hand"),
    "a deal of nothing": (nothing_dealt, "determinize: for north, the world depends on what it cannot know, in: hand"),
    "the next card is seen": (next_card_seen, "secrecy: north sees what is hidden from it in: buried"),
    "a bit of the key is seen": (seed_seen, "secrecy: north sees what is hidden from it in: buried"),
    "a secret action is seen": (card_dug_in_seen, "secrecy: south sees what is hidden from it in: card"),
    "a mask by the rival's hand": (mask_by_the_rivals_hand, "secrecy: the legal actions of north depend"),
    "a mask by the deck": (mask_by_the_deck, "secrecy: the legal actions of north depend"),
    "a question skipped by a hidden card": (skipped_by_a_hand, "secrecy: who is asked next, or what, depends on"),
    "a refusal that tells": (refusal_tells, "secrecy: actions.describe_refusal says to north"),
    "a text that tells": (text_tells, "secrecy: the text shows north what is hidden from it"),
    "own cards dealt again": (deals_all_hands, "determinize: changes what north sees, in: hand"),
    "own cards dealt again unseen": (deals_own_shaft, "determinize: changes what north knows; to_position"),
    "one world for all seeds": (ignores_the_seed, "determinize: for north, other seeds never deal another hand"),
    "another world for the same seed": (same_seed_other_world, "the same seed deals another world the second time"),
    "the best cards to the rival": (deals_the_rival_high, "it deals unevenly: hand is"),
    "the truth half of the time": (keeps_half_the_truth, "the world depends on what it cannot know, in: hand"),
    "the true next card": (keeps_the_deck, "the world depends on what it cannot know, in: deck"),
    "a world in the game's memory": (world_is_the_game, "the world shares its memory with the game"),
    "a copy in the game's memory": (copy_shares_its_record, "clone: the copy shares its memory with the game"),
    "the announcement is forgotten": (forgets(SAID, 6), "forgets said, which its position holds"),
    "the own shaft is forgotten": (forgets(BURIED, 6), "forgets shafts."),
    "what was turned up is forgotten": (forgets(SHOWN, 6), "forgets shown, which its position holds"),
    "the own dug-in card is forgotten": (forgets(CARD, 6), "forgets card, which its position holds"),
    "numbers left from before": (
        leaves_places_unwritten,
        "not every number is written: what was there before stays in",
    ),
    "numbers above their range": (above_its_range, "outside of observation.bounds 0 to 1"),
    "numbers of another type": (as_doubles, "float64 (38,); expected float32 (38,)"),
    "one buffer for all observations": (one_buffer, "observation of north: two calls share their memory"),
    "an illegal action listed": (illegal_listed, "breaks invariant 1: every number lies in its range"),
    "an illegal action played": (illegal_played, "is forbidden, but can be played"),
    "no action in a game that goes on": (empty_mask, "invariants: mask: empty in a game that is not over"),
    "ids out of order": (unsorted_ids, "list_legal: the ids [5, 3, 2]; expected ascending"),
    "no end": (never_ends, "a random game is not over after"),
    "no end by force": (never_ends_by_force, "a random game is not over after"),
    "another game each time": (other_deal_each_time, "the same seed and actions, or a copy, give another game"),
    "a step that writes to the rules": (rules_are_changed, "a step changes the ruleset's figures"),
    "a position that is eaten": (position_eats_its_argument, "reading a position changes the mapping that it is given"),
    "a position without its deck": (position_forgets_the_deck, "goes on otherwise: its position lacks something"),
    "a seat's position that cannot be read": (seats_position_is_unreadable, "what north knows cannot be read back"),
    "a batch seen in its first row": (batch_writes_the_first_row, "of a batch differs from the single game in its obs"),
    "a batch that mixes its games": (batch_reads_the_first_rules, "of a batch differs from the single game in"),
    "a batch paid in its first row": (result_in_the_first_row, "differs from the single game in its rewards"),
    "a reward before the end": (reward_before_the_end, "result: (0.5, 0.0) before the end"),
    "two winners' rewards": (both_win, "between two seats 1 and -1, or 0 each"),
    "the loser is paid": (loser_is_paid, "is the winner"),
    "the fewest points win": (fewest_points_win, "is the winner (outcome.by_points)"),
    "a total that is no sum": (total_is_no_sum, "scores: the total of north is"),
    "seats in another order each time": (seats_take_turns, "seats.names: other names, or another order"),
    "new agents each time": (agents_are_new_each_time, "seats.agents: other names, or another order"),
    "played seats out of order": (played_out_of_order, "seats.played: south, north; expected some of north, south"),
    "a figure that no rule reads": (figure_that_no_rule_reads, "warning: shaft_bluff: proved: a dead figure"),
    "a deck that is hardly shuffled": (deck_is_cut_once, "warning: shaft_bluff: uneven luck: deck: 1 lies first in"),
}


@contextmanager
def site() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder, fourth_game(Path(folder)):
        yield


def report_planted() -> dict[str, str]:
    """What `check_game` says of the game, and of each planted fault."""
    assert os.environ.get("NUMBA_DISABLE_JIT") == "1"
    found = {}
    with site():
        found[""] = str(check_game(FOURTH, games=GAMES, interpreted=False))
        for name, (plant, _) in PLANTED.items():
            with Patch.context() as patch:
                plant(patch)
                found[name] = str(check_game(FOURTH, games=GAMES, interpreted=False))
    return found
