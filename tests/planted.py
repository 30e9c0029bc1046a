"""Faults planted in Shaft Bluff, the game of docs/examples, one at a time; played without compilation, so that none is compiled.

`report_planted` is asked in a process of its own (see `interpreted`).
"""

from __future__ import annotations

import itertools
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from channel_tunnel_env.core import checking, kernels, rng, verbs
from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.games import find_game
from channel_tunnel_env.testing import batches, check_game, games, play
from tests.sites import FOURTH, fourth_game

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]
HAND, BURIED, SHOWN, CARD, SAID, SIZE = 6, 12, 18, 24, 30, 38  # where sections of an observation begin
CHECK = 13
DIG, ANNOUNCE, ANSWER = range(3)


# --- where faults are planted -----------------------------------------------------------------------


def rules(**functions: Callable[..., Any]) -> Plant:
    """Other functions for some verbs; each takes the true one before its own arguments."""

    def plant(patch: Patch) -> None:
        bound = verbs._BY_FIELDS[find_game(FOURTH).record.dtype.names]
        for name, function in functions.items():
            patch.setitem(bound, name, lambda *given, old=bound[name], new=function: new(old, *given))

    return plant


def seeing(look: Callable[..., Any], **functions: Callable[..., Any]) -> Plant:
    """What a seat sees is changed afterwards by `look(state, rules, viewer, row)`."""

    def see(old, state, rules, viewer, work, seen, row):
        old(state, rules, viewer, work, seen, row)
        look(state, rules, viewer, seen[row])

    return rules(fill_observation=see, **functions)


def dealing(deal: Callable[..., Any]) -> Plant:
    """A world is changed afterwards by `deal(state, viewer, before)`."""

    def again(old, state, rules, viewer, seed, work):
        before = state.copy()
        old(state, rules, viewer, seed, work)
        deal(state, viewer, before)

    return rules(determinize=again)


def listing(count: Callable[..., int], **functions: Callable[..., Any]) -> Plant:
    """Another number of legal ids: `count(state, work, number)`."""
    return rules(list_legal=lambda old, state, rules, work: count(state, work, old(state, rules, work)), **functions)


def paying(pay: Callable[..., Any]) -> Plant:
    """Other results: `pay(state, row)` changes them in place."""

    def result(old, state, rules, rewards, row):
        old(state, rules, rewards, row)
        pay(state, rewards[row])

    return rules(fill_result=result)


def spec(name: str, value: Callable[[Any], Any]) -> Plant:
    """One part of the description, by its dotted name, made of the true one."""

    def plant(patch: Patch) -> None:
        part, _, inner = name.partition(".")
        owner = getattr(find_game(FOURTH), part)
        patch.setitem(vars(owner), inner, value(getattr(owner, inner)))

    return plant


def method(name: str, make: Callable[[Any], Any]) -> Plant:
    """Another method of the class of games, made of the true one."""

    def plant(patch: Patch) -> None:
        from channel_tunnel_env import Game

        patch.setattr(Game, name, make(getattr(Game, name)), raising=False)

    return plant


def module(module: str, name: str, function: Callable[..., Any]) -> Plant:
    """Another function in a module of the game; it takes the true one first."""

    def plant(patch: Patch) -> None:
        found = __import__(f"{FOURTH}.{module}", fromlist=["x"])
        old = getattr(found, name)
        patch.setattr(found, name, lambda *given, **named: function(old, *given, **named))

    return plant


def together(*plants: Plant) -> Plant:
    return lambda patch: [plant(patch) for plant in plants] and None


def within(most: int) -> Plant:
    """A game that does not end is noticed after so many decisions."""

    def plant(patch: Patch) -> None:
        for found in (play, checking):
            patch.setattr(found, "MOST_STEPS", most)
            patch.setattr(found, "MOST_PLIES", most * 10)
        patch.setattr(kernels, "MOST_FORCED", most)

    return plant


# --- faults -----------------------------------------------------------------------------------------


def deals_nothing(old, state, rules, viewer, seed, work):
    rng.seed_apart(state, rng.WORLDS, seed)


NO_DEAL = rules(determinize=deals_nothing)


def put(place: int, value: Callable[..., Any]) -> Callable[..., None]:
    return lambda state, rules, viewer, row: row.__setitem__(place, value(state, viewer))


def blank(start: int, size: int = 6) -> Callable[..., None]:
    return lambda state, rules, viewer, row: row.__setitem__(slice(start, start + size), 0)


def card_dug_in(state, rules, viewer, row):
    if state.card >= 0:
        row[CARD + int(state.card)] = 1


def card_stays(state, viewer, before):
    """The card dug in; what was dealt for it goes where the other came from."""
    card, dealt = int(before.card), int(state.card)
    if card < 0 or card == dealt:
        return
    state.card = card
    for heap in (state.hand[1 - viewer], state.buried[1 - viewer]):
        if heap[card] > 0:
            heap[card], heap[dealt] = heap[card] - 1, heap[dealt] + 1
            return
    for k in range(int(state.drawn), int(state.deck_size)):
        if state.deck[k] == card:
            state.deck[k] = dealt
            return


def key_stays(state, viewer, before):
    state.rng_key[0] = int(state.rng_key[0]) // 2 * 2 + int(before.rng_key[0]) % 2


def own_shaft(old, state, rules, viewer, seed, work):
    """A card of the viewer's shaft and one of the rival's hand change places."""
    for card, other in itertools.permutations(range(6), 2):
        if state.buried[viewer, card] > 0 and state.hand[1 - viewer, other] > 0:
            state.buried[viewer, card] -= 1
            state.buried[viewer, other] += 1
            state.hand[1 - viewer, other] -= 1
            state.hand[1 - viewer, card] += 1
            break
    old(state, rules, viewer, seed, work)


def all_hands(old, state, rules, viewer, seed, work):
    for seat in (viewer, 1 - viewer):
        old(state, rules, seat, seed, work)


def one_seed(old, state, rules, viewer, seed, work):
    old(state, rules, viewer, 5, work)
    rng.seed_apart(state, rng.WORLDS, seed)


def half_the_truth(old, state, rules, viewer, seed, work):
    (deals_nothing(old, state, rules, viewer, seed, work) if seed % 2 else old(state, rules, viewer, seed, work))


def rival_high(state, viewer, before):
    """The rival gets the deepest unseen cards."""
    hand = state.hand[1 - viewer]
    for k in range(int(state.drawn), int(state.deck_size)):
        low = int(np.flatnonzero(hand)[0])
        if state.deck[k] > low:
            hand[low], hand[state.deck[k]] = hand[low] - 1, hand[state.deck[k]] + 1
            state.deck[k] = low


def next_card_stays(state, viewer, before):
    place = int(state.drawn)
    for k in range(place, int(state.deck_size)):
        if state.deck[k] == before.deck[place]:
            state.deck[k], state.deck[place] = state.deck[place], before.deck[place]
            return


def other_world_each_time() -> Callable[..., Any]:
    calls = itertools.count()
    return lambda old, state, rules, viewer, seed, work: old(state, rules, viewer, seed ^ next(calls) << 20, work)


def in_place(old):
    def determinize(self, viewer, seed):
        machine = machine_of(self.ruleset)
        machine.determinize_game(self.states, 0, machine.tables, self.seat_index(viewer), seed, machine.local.work)
        return self.adopt(self.states, self.ruleset)

    return determinize


def shared_clone(old):
    def clone(self, actions=None):
        copy = old(self, actions)
        copy._states = self._states
        return copy

    return clone


def stale(old, state, rules, viewer, work, seen, row):
    before = seen[row, CARD : CARD + 6].copy()
    old(state, rules, viewer, work, seen, row)
    if state.card < 0:
        seen[row, CARD : CARD + 6] = before


def one_buffer(old):
    kept = np.zeros(SIZE, np.float32)

    def observation(self, viewer=None):
        kept[:] = old(self, viewer)
        return kept

    return observation


def every_card(state, work, count):
    if state.phase != DIG:
        return count
    work.legal[:6] = range(6)
    return 6


def backwards(state, work, count):
    work.legal[:count] = work.legal[:count][::-1].copy()
    return count


def plays_something(old):
    def play(self, action):
        legal = self.legal_ids()
        return old(self, action if action in legal or action in self.legal_actions() else legal[0])

    return play


def takes_back(old, state, rules, action, work):
    """Digs and takes the card back, for ever."""
    if state.phase == DIG:
        return old(state, rules, action, work)
    state.ply += 1
    state.hand[state.to_play, int(state.card)] += 1
    state.card, state.phase = -1, DIG
    return None


def stands_still(old, state, rules, action, work):
    if state.turn < 3 or state.phase != DIG:
        return old(state, rules, action, work)
    state.ply += 1
    return None


def other_deal(old, state, rules, work, luck=np.random.default_rng(1)):  # noqa: B008 - one for all set-ups
    old(state, rules, work)
    luck.shuffle(state.deck[int(state.drawn) : int(state.deck_size)])


def rules_are_changed(patch: Patch) -> None:
    """A step writes to the figures that all games share."""
    kept: list[Any] = []

    def tables(old: Any) -> Any:
        def make(rulesets: Any) -> Any:
            kept.append(old(rulesets).copy())
            view = kept[-1].view()
            view.flags.writeable = False
            return view

        return make

    def act(old, state, rules, action, work):
        old(state, rules, action, work)
        for made in kept:
            made["caught"] = int(state.turn)

    together(rules(apply_action=act), spec("rules.make_tables", tables))(patch)


def eaten(old, position, ruleset=None):
    kept = dict(position)
    position.pop("points")
    return old(kept, ruleset)


def without_deck(old, game, seat=None):
    return {key: value for key, value in old(game, seat).items() if key != "deck"}


def unreadable(old, game, seat=None):
    return old(game, seat) | ({} if seat is None else {"hands": {"north": "?", "south": "?"}})


def mixed(old, state, rules, action, work):
    """What belongs to a game is kept in the workspace, which a batch shares."""
    if state.phase == DIG:
        work.pool[0] = action
    if state.phase == ANSWER and action == CHECK and work.pool[0] != state.card:
        state.points[1 - state.to_play, 0] += 1
    old(state, rules, action, work)


def early(state, row):
    if state.phase != 3 and state.turn > 4:
        row[0] = 0.5


def unread_figure(old, state, rules, action):
    class Without:
        proved, caught = 2, rules.caught

    return old(state, Without, action)


def hardly_shuffled(old, state, stream, items, start, stop, work):
    """Neighbours change places, or not."""
    for k in range(start, stop - 1, 2):
        if rng.below(state, stream, 2):
            items[k], items[k + 1] = items[k + 1], items[k]
    if work.luck_mode == rng.LUCK_WRITE:
        for value in (stream, stop - start, *items[start:stop]):
            rng.write_luck(work, value)
    elif work.luck_mode == rng.LUCK_READ:
        rng._read_order(stream, items, start, stop, work)


def anew(*answers: Any) -> Callable[[Any], Any]:
    """Another answer each time."""
    turns = itertools.cycle(answers)
    return lambda old: lambda rules: next(turns)


LEAK = put(HAND + 5, lambda state, viewer: state.hand[1 - viewer, 5] / 6)
NEXT_CARD = put(BURIED, lambda state, viewer: state.deck[min(int(state.drawn), len(state.deck) - 1)] / 6)
SECRECY, SEEN = "secrecy: the legal actions of north depend", "secrecy: north sees what is hidden from it in: "
WORLD = "the world depends on what it cannot know, in: "
NO_END = "a random game is not over after"
RARE = re.compile("forgets|who is asked next")
ORDER = "other names, or another order"
PLANTED: dict[str, tuple[Plant, str]] = {
    "a leak beside a deal of nothing": (seeing(LEAK, determinize=deals_nothing), f"{SEEN}hand"),
    "a leak": (seeing(LEAK), f"{SEEN}hand"),
    "a deal of nothing": (NO_DEAL, f"determinize: for north, {WORLD}hand"),
    "the next card is seen": (seeing(NEXT_CARD, determinize=deals_nothing), f"{SEEN}buried"),
    "a bit of the key is seen": (
        together(seeing(put(BURIED, lambda state, viewer: int(state.rng_key[0]) % 2)), dealing(key_stays)),
        f"{SEEN}buried",
    ),
    "a secret action is seen": (together(seeing(card_dug_in), dealing(card_stays)), "what is hidden from it in: card"),
    "a mask by the rival's hand": (
        together(NO_DEAL, listing(lambda s, w, n: 1 if s.phase == ANSWER and s.hand[1 - s.to_play, 5] > 0 else n)),
        SECRECY,
    ),
    "a mask by the deck": (
        together(NO_DEAL, listing(lambda s, w, n: n - 1 if s.phase == ANNOUNCE and s.deck[int(s.drawn)] > 2 else n)),
        SECRECY,
    ),
    "a question skipped by a hidden card": (
        listing(
            lambda s, w, n: 1 if s.phase == ANSWER and s.card == 5 else n,
            is_asked=lambda old, state, rules: state.phase != ANSWER,
        ),
        "secrecy: who is asked next, or what, depends on",
    ),
    "a refusal that tells": (
        together(
            NO_DEAL,
            spec("actions.describe_refusal", lambda old: lambda s, i, *given: f"{old(s, i, *given)} {s['deck'][i]}"),
        ),
        "secrecy: actions.describe_refusal says to north",
    ),
    "a text that tells": (
        together(
            NO_DEAL,
            module("render", "to_text", lambda old, game, viewer=None: f"{old(game, viewer)} {game.state.deck}"),
        ),
        "secrecy: the text shows north what is hidden from it",
    ),
    "own cards dealt again": (rules(determinize=all_hands), "determinize: changes what north sees, in: hand"),
    "own cards dealt again unseen": (seeing(blank(BURIED), determinize=own_shaft), "what north knows; to_position"),
    "one world for all seeds": (rules(determinize=one_seed), "for north, other seeds never deal another hand"),
    "another world for the same seed": (rules(determinize=other_world_each_time()), "another world the second time"),
    "the best cards to the rival": (dealing(rival_high), "it deals unevenly: hand is"),
    "the truth half of the time": (rules(determinize=half_the_truth), f"{WORLD}hand"),
    "the true next card": (dealing(next_card_stays), f"{WORLD}deck"),
    "a world in the game's memory": (method("determinize", in_place), "the world shares its memory with the game"),
    "a copy in the game's memory": (method("clone", shared_clone), "clone: the copy shares its memory with the game"),
    "the announcement is forgotten": (seeing(blank(SAID)), "forgets said, which its position holds"),
    "the own shaft is forgotten": (seeing(blank(BURIED)), "forgets shafts."),
    "what was turned up is forgotten": (seeing(blank(SHOWN)), "forgets shown, which its position holds"),
    "the own dug-in card is forgotten": (seeing(blank(CARD)), "forgets card, which its position holds"),
    "numbers left from before": (rules(fill_observation=stale), "number is written: what was there before stays in"),
    "numbers above their range": (seeing(put(5, lambda state, viewer: int(state.turn))), "observation.bounds 0 to 1"),
    "numbers of another type": (
        method("observation", lambda old: lambda self, viewer=None: old(self, viewer).astype(np.float64)),
        "float64 (38,); expected float32 (38,)",
    ),
    "one buffer for all observations": (method("observation", one_buffer), "of north: two calls share their memory"),
    "an illegal action listed": (listing(every_card), "breaks invariant 1: every number lies in its range"),
    "an illegal action played": (method("play", plays_something), "is forbidden, but can be played"),
    "no action in a game that goes on": (
        listing(lambda s, w, n: 0 if s.turn == 4 and s.phase == ANSWER else n),
        "invariants: mask: empty in a game that is not over",
    ),
    "ids out of order": (listing(backwards), "list_legal: the ids [5, 3, 2]; expected ascending"),
    "no end": (together(within(300), rules(apply_action=takes_back)), NO_END),
    "no end by force": (
        together(
            within(40),
            listing(
                lambda s, w, n: min(n, 1) if s.turn >= 3 and s.phase == DIG else n,
                apply_action=stands_still,
                is_asked=lambda old, state, rules: state.turn < 3,
            ),
        ),
        NO_END,
    ),
    "another game each time": (rules(set_up=other_deal), "the same seed and actions, or a copy, give another game"),
    "a step that writes to the rules": (rules_are_changed, "a step changes the ruleset's figures"),
    "a position that is eaten": (module("positions", "read_states", eaten), "changes the mapping that it is given"),
    "a position without its deck": (module("positions", "write_position", without_deck), "position lacks something"),
    "a seat's position that cannot be read": (
        module("positions", "write_position", unreadable),
        "what north knows cannot be read back",
    ),
    "a batch seen in its first row": (
        rules(fill_observation=lambda old, s, r, v, w, seen, row: old(s, r, v, w, seen, 0)),
        "of a batch differs from the single game in its obs",
    ),
    "a batch that mixes its games": (rules(apply_action=mixed), "of a batch differs from the single game in"),
    "a batch paid in its first row": (
        rules(fill_result=lambda old, s, r, rewards, row: old(s, r, rewards, 0)),
        "differs from the single game in its rewards",
    ),
    "a reward before the end": (paying(early), "result: (0.5, 0.0) before the end"),
    "two winners' rewards": (paying(lambda state, row: np.abs(row, out=row)), "seats one wins what the other loses"),
    "the loser is paid": (paying(lambda state, row: np.negative(row, out=row)), "is the winner"),
    "more is won than is at stake": (paying(lambda state, row: np.multiply(row, 3, out=row)), "is the most (`stakes`)"),
    "the fewest points win": (
        rules(fill_scores=lambda old, state, rules, seat, out: old(state, rules, 1 - seat, out)),
        "is the winner (outcome.by_points)",
    ),
    "a total that is no sum": (rules(fill_scores=lambda old, *given: old(*given) + 1), "scores: the total of north is"),
    "seats in another order each time": (spec("seats.names", anew(("north", "south"), ("south", "north"))), ORDER),
    "new agents each time": (spec("seats.agents", anew(("a", "b"), ("c", "d"), ("e", "f"))), f"seats.agents: {ORDER}"),
    "played seats out of order": (
        spec("seats.played", lambda old: lambda rules: ("south", "north")),
        "seats.played: south, north; expected some of north, south",
    ),
    "a figure that no rule reads": (
        together(module("state", "points_limit", lambda old, data: 400), module("rules", "_answer", unread_figure)),
        "warning: shaft_bluff: proved: a dead figure",
    ),
    "a deck that is hardly shuffled": (
        module("rules", "shuffle", hardly_shuffled),
        "warning: shaft_bluff: uneven luck: deck: 1 lies first in",
    ),
}


class Named(BaseException):
    """The fault has been named: what else would be found is not looked for."""


def report_planted(*names: str) -> dict[str, str]:
    """What `check_game` says of the game as it is (""), or of a planted fault until it is named."""
    assert os.environ.get("NUMBA_DISABLE_JIT") == "1"
    with tempfile.TemporaryDirectory() as folder, fourth_game(Path(folder)):
        return {name: said_of(*PLANTED.get(name, (together(), "warning"))) for name in names}


def said_of(plant: Plant, words: str, look_at: Callable[..., bool] = games.GameReport._look) -> str:
    def look(report: games.GameReport, *given: Any) -> bool:
        found = look_at(report, *given)
        if words in str(report):
            raise Named(str(report))
        return found

    with Patch.context() as patch:
        patch.setattr(batches, "ROOM", 0)
        patch.setattr(play, "MOST_FOUND", 4)  # so many end a game
        if "warning" not in words:  # counting takes longest
            patch.setattr(games, "unread_figures", lambda *given: ())
            patch.setattr(games, "uneven_luck", lambda *given: ())
            patch.setattr(games.GameReport, "_look", look)
        plant(patch)
        try:
            # What is forgotten is tried with what earlier games held.
            return str(check_game(FOURTH, games=3 if RARE.search(words) else 1, interpreted=False))
        except Named as said:
            return str(said)
