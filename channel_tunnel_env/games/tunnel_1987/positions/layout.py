"""Laying out a position into a record.

The named pieces come first. All other pieces fill the remaining places, in an order drawn from the
position's seed. Every piece is taken from a `Pool`, so none is duplicated or lost.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from channel_tunnel_env.core.records import MOST_DRAWS
from channel_tunnel_env.core.spec import Rules
from channel_tunnel_env.core.whole_numbers import whole_numbers
from channel_tunnel_env.errors import PositionError
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.state import STATE_DTYPE, new_states
from channel_tunnel_env.games.tunnel_1987.engine.tables import deviation_names
from channel_tunnel_env.games.tunnel_1987.positions.rubble import Pool, RubbleLayout
from channel_tunnel_env.games.tunnel_1987.positions.schema import SLOTS, Position, SidePosition
from channel_tunnel_env.outside.hints import did_you_mean

# Fields that no rule reads; a position holds those that differ from a new game.
TALLIES = tuple(
    name
    for name in STATE_DTYPE.names or ()
    if name.startswith(("tally_", "card_shown", "card_financed", "card_developed", "lead", "ply"))
)
# What `turn` must name in a phase for the decision to make sense.
NEEDED = {
    "chain": ("space", "last"),
    "rubble": ("space", "action", "slot"),
    "agenda": ("space", "action", "agenda_card"),
    "keep": ("keep_colour",),
} | dict.fromkeys(("tunnel_pay", "finance", "promotion", "track", "peek", "align", "develop"), ("space", "action"))


class Layout:
    """A position laid out as a record: `states` is an array of one.

    Args:
        data: the position.
        ruleset: its rules, and `tables` their record.
        keys: uint64[streams], the streams' keys of the position's seed.

    Raises:
        PositionError: values out of range, or pieces that do not add up.
    """

    def __init__(self, data: Position, ruleset: Rules, tables: Any, keys: Any) -> None:
        self.keys = keys
        self.data, self.ruleset, self.tables = data, ruleset, tables
        self.sides: tuple[SidePosition, SidePosition] = (data.britain, data.france)
        self.states = new_states(1)
        self.state = self.states.view(np.recarray)[0]
        self.card_id = {key: i for i, key in enumerate(ruleset.card_keys)}
        self.cards = Pool("cards", ruleset.card_keys, [data.seed, 1])
        self._lay_luck()
        self._lay_game()
        self._lay_technology()
        self._lay_discs()
        self._lay_cards()
        RubbleLayout(self.data, self.tables, self.state)
        self._lay_deviation()
        self._lay_agenda()
        self._lay_turn()
        self._lay_result()
        self._check_phase()

    def _lay_luck(self) -> None:
        self.state.seed = self.data.seed
        self.state.rng_key[:] = self.keys
        for name, pair in self.data.streams.items():
            whole = len(pair) == 2 and all(type(n) is int for n in pair)
            if not whole or not (0 <= pair[0] < 2**64 and 0 <= pair[1] <= MOST_DRAWS):
                raise PositionError(f"streams.{name}: {pair!s:.80}: allowed: [key 0..2**64 - 1, counter 0..2**61]")
            self.state.rng_key[c.STREAMS.index(name)] = np.uint64(pair[0])
            self.state.rng_counter[c.STREAMS.index(name)] = pair[1]

    def _lay_game(self) -> None:
        state, data = self.state, self.data
        passed = [c.SEATS.index(side) for side in data.passed]
        first = c.SEATS.index(data.first_player)
        state.round_no, state.empty_rounds = data.round, data.empty_rounds
        state.first_player = first
        state.passed[passed] = 1
        mover = 1 - first if first in passed else first
        state.to_play = mover if data.to_play is None else c.SEATS.index(data.to_play)
        state.previous = c.NOBODY if data.previous is None else c.SEATS.index(data.previous)
        state.phase = c.PHASES.index(data.phase)
        state.winner = state.reacher = c.NOBODY
        state.leader = c.DRAW
        for name, value in data.tallies.items():
            self._lay_tally(name, value)

    def _lay_tally(self, name: str, value: Any) -> None:
        if name not in TALLIES:
            raise PositionError(f"tallies.{name}: unknown key{did_you_mean(name, TALLIES)}")
        field = self.states[name][0]
        limit = int(np.iinfo(field.dtype).max)
        try:
            self.states[name][0] = whole_numbers(value, name, 0, limit, field.shape)
        except ValueError:
            raise PositionError(f"tallies.{name}: allowed: whole numbers of shape {field.shape}, 0..{limit}") from None

    def _lay_technology(self) -> None:
        for seat, side in enumerate(self.sides):
            for track, place in enumerate(side.technology):
                last = int(self.tables.track_last[seat, track])
                if place > last:
                    raise PositionError(
                        f"{c.SEATS[seat]}.technology: {place}: track {'ab'[track]} ends at space {last}"
                    )
                self.state.counter[seat, track] = place

    def _lay_discs(self) -> None:
        state, data = self.state, self.data
        stock = dict.fromkeys(c.COLOURS, int(self.tables.per_colour))
        pool = Pool("discs", stock, [data.seed, 2])
        for space, name in enumerate(c.SPACES):
            stack = getattr(data.spaces, name)
            if stack is not None:
                colour, height = self._stack(name, stack)
                state.stack_colour[space] = c.COLOURS.index(colour)
                state.stack_height[space] = height
                pool.take(colour, f"spaces.{name}", height)
        for seat, side in enumerate(self.sides):
            if side.discs is not None:
                for colour, n in side.discs:
                    state.discs[seat, c.COLOURS.index(colour)] = n
                    pool.take(colour, f"{c.SEATS[seat]}.discs", n)
        if data.bag is not None:
            for colour, n in data.bag:
                pool.take(colour, "bag", n)
                state.bag[c.COLOURS.index(colour)] = n
            pool.check(complete=True)
            return
        pool.check()
        for seat in (int(state.first_player), 1 - int(state.first_player)):
            if self.sides[seat].discs is None:
                for colour in pool.draw(int(self.tables.hand[seat, 0 if state.round_no == 1 else 1])):
                    state.discs[seat, c.COLOURS.index(colour)] += 1
        for i, colour in enumerate(c.COLOURS):
            state.bag[i] = pool.left[colour]

    def _stack(self, space: str, stack: Any) -> tuple[str, int]:
        named = [colour for colour in c.COLOURS if colour in stack.model_fields_set]
        if len(named) != 1:
            raise PositionError(f"spaces.{space}: {named}: a stack has only one colour")
        return named[0], getattr(stack, named[0])

    # --- playing cards

    def _lay_cards(self) -> None:
        state, data, pool = self.state, self.data, self.cards
        display = data.display
        deck = pool.take_all(data.deck, "deck")
        if display is not None:
            pool.take_all([key for key in display if key is not None], "display")
        for key in pool.take_all(data.discard, "discard"):
            state.discard |= 1 << self.card_id[key]
        for seat in range(len(c.SEATS)):
            self._lay_money(seat)
            self._lay_area(seat)
        pool.check()
        shown: list[str | None] = [*(pool.draw(len(SLOTS)) if display is None else display)]
        shown += [None] * (len(SLOTS) - len(shown))
        deck += pool.draw()
        if None in shown and (deck or data.discard):
            raise PositionError(
                f"display: {shown}: an empty slot is refilled while deck or discard hold cards "
                f"(they hold {len(deck)} and {len(data.discard)})"
            )
        for slot, shown_key in enumerate(shown):
            state.slots[slot] = -1 if shown_key is None else self.card_id[shown_key]
        state.deck_size = len(deck)
        state.deck[: len(deck)] = [self.card_id[key] for key in reversed(deck)]

    def _lay_money(self, seat: int) -> None:
        state = self.state
        for key in self.cards.take_all(self.sides[seat].money, f"{c.SEATS[seat]}.money"):
            card = self.card_id[key]
            state.money[seat] |= 1 << card
            state.money_order[seat, int(state.money_count[seat])] = card
            state.money_count[seat] += 1
            state.money_total[seat] += self.tables.card_money[card]

    def _lay_area(self, seat: int) -> None:
        state, tables = self.state, self.tables
        where = f"{c.SEATS[seat]}.cards"
        for entry in self.sides[seat].cards:
            card = self.card_id[self.cards.take(entry.card, where)]
            kind, tokens = int(tables.card_kind[card]), len(entry.rubble)
            self._check_tokens(f"{where}.{entry.card}", card, kind, entry)
            state.area[seat] |= 1 << card
            state.kind_count[seat, kind] += 1
            state.printed_points[seat] += tables.card_points[card]
            for i, colour in enumerate(entry.rubble):
                state.card_rubble[card, i] = c.COLOURS.index(colour) + 1
            if kind >= c.FIRST_ABILITY:
                state.charged |= (tokens > 0) << card
                state.charged_twice |= (tokens > 1) << card
                state.used |= entry.used << card
            elif kind == c.TOPOGRAPHICAL_ANALYSIS:
                state.topographical[seat] |= 1 << c.COLOURS.index(entry.rubble[0])

    def _check_tokens(self, where: str, card: int, kind: int, entry: Any) -> None:
        most = {"place1": 1, "place1or2": 2}.get(c.COSTS[int(self.tables.card_cost[card])], 0)
        least = 1 if kind == c.TOPOGRAPHICAL_ANALYSIS else 0
        if not least <= len(entry.rubble) <= most:
            raise PositionError(f"{where}: rubble {entry.rubble}: the card holds {least} to {most} tokens")
        if entry.used and kind < c.FIRST_ABILITY:
            raise PositionError(f"{where}.used: true: the card has no ability")

    # --- deviation and agenda

    def _lay_deviation(self) -> None:
        state, data, names = self.state, self.data, deviation_names(self.ruleset)
        pool = Pool("deviation", names, [data.seed, 3])
        discard = pool.take_all(data.deviation_discard, "deviation_discard")
        deck = pool.take_all(data.deviation_deck, "deviation_deck")
        pool.check()
        colours = [name.rstrip("-0123456789") for name in discard]
        for colour, n in Counter(colours).items():
            if n > 1 and colour != c.DEVIATION_COLOURS[-1] and data.result is None:
                raise PositionError(
                    f"deviation_discard: {discard}: the second {colour} card would have brought "
                    "all cards back into the deck"
                )
        ids: dict[str, list[int]] = {}
        for i, name in enumerate(names):
            ids.setdefault(name, []).append(i)
        for place, name in enumerate(discard + deck + pool.draw()):
            state.deviation_deck[place] = ids[name].pop(0)
        state.deviation_drawn = len(discard)
        for seat, side in enumerate(self.sides):
            limit = int(self.tables.deviation_limit)
            if side.deviation > limit and data.result is None:
                raise PositionError(f"{c.SEATS[seat]}.deviation: {side.deviation}: allowed: whole numbers 0..{limit}")
            state.deviation[seat] = side.deviation

    def _lay_agenda(self) -> None:
        state, data = self.state, self.data
        enabled = bool(self.tables.agenda_enabled)
        pool = Pool("agenda", c.AGENDA_KINDS if enabled else (), [data.seed, 4])
        drawn: list[str] = []
        for seat, side in enumerate(self.sides):
            where, agenda = f"{c.SEATS[seat]}.agenda", side.agenda
            mine = [agenda.pending] if agenda.pending else []
            drawn += pool.take_all([*mine, *agenda.completed], where)
            state.agenda_pending[seat] = c.AGENDA_KINDS.index(mine[0]) if mine else -1
            for name in agenda.completed:
                state.agenda_completed[seat] |= 1 << c.AGENDA_KINDS.index(name)
        drawn += pool.take_all(data.agenda_discard, "agenda_discard")
        if data.turn.agenda_card is not None:
            drawn.append(pool.take(data.turn.agenda_card, "turn.agenda_card"))
        deck = pool.take_all(data.agenda_deck, "agenda_deck")
        pool.check()
        if data.agenda_drawn is not None:
            if sorted(data.agenda_drawn) != sorted(drawn):
                raise PositionError(f"agenda_drawn: {data.agenda_drawn}: the cards drawn are {drawn}")
            drawn = list(data.agenda_drawn)
        for place, name in enumerate(drawn + deck + pool.draw()):
            state.agenda_deck[place] = c.AGENDA_KINDS.index(name)
        state.agenda_drawn = len(drawn)

    # --- the turn, the end

    def _lay_turn(self) -> None:
        state, data, turn = self.state, self.data, self.data.turn
        state.turn_space = -1 if turn.space is None else c.SPACES.index(turn.space)
        state.action = -1 if turn.action is None else c.ACTION_KINDS.index(turn.action)
        state.last = -1 if turn.last is None else c.ACTION_KINDS.index(turn.last)
        state.action_slot = -1 if turn.slot is None else SLOTS.index(turn.slot)
        state.new_card = -1
        if turn.new_card is not None:
            if turn.new_card not in self.card_id:
                hint = did_you_mean(turn.new_card, self.card_id)
                raise PositionError(f"turn.new_card: {turn.new_card!r}: no such card{hint}")
            state.new_card = self.card_id[turn.new_card]
        state.repairing, state.supervised = turn.repairing, turn.supervised
        state.agenda_card = -1 if turn.agenda_card is None else c.AGENDA_KINDS.index(turn.agenda_card)
        state.promotion_paid, state.kept = turn.promotion_paid, turn.kept
        state.keep_colour = 0 if turn.keep_colour is None else c.COLOURS.index(turn.keep_colour)
        state.rubble_placed = len(turn.rubble_placed)
        if turn.rubble_placed:
            card = -1 if state.action_slot < 0 else int(state.slots[int(state.action_slot)])
            if card < 0:
                raise PositionError("turn.rubble_placed: no card lies on turn.slot")
            for i, colour in enumerate(turn.rubble_placed):
                state.card_rubble[card, i] = c.COLOURS.index(colour) + 1
        state.round_placed = was_placed(state) if data.round_placed is None else data.round_placed
        self._lay_peeks()

    def _lay_peeks(self) -> None:
        length = int(self.tables.route_length)
        for seat, side in enumerate(self.sides):
            for pair in side.peeked:
                match pair:
                    case [str(where), int(index)] if where in c.SEATS and 0 <= index < length:
                        self.state.peeked[seat, c.SEATS.index(where)] |= 1 << index
                    case _:
                        raise PositionError(f"{c.SEATS[seat]}.peeked: {pair!r}: allowed: [side, 0..{length - 1}]")

    def _lay_result(self) -> None:
        result = self.data.result
        if (result is None) == (self.data.phase == "over"):
            raise PositionError("result: allowed only with phase: over, and required there (a finished game)")
        if result is not None:
            self.state.end_cause = c.END_CAUSES.index(result.end_cause)
            self.state.winner = c.DRAW if result.winner is None else c.SEATS.index(result.winner)
            if result.reacher is not None:
                self.state.reacher = c.SEATS.index(result.reacher)

    def _check_phase(self) -> None:
        state, data = self.state, self.data
        for name in NEEDED.get(data.phase, ()):
            if getattr(data.turn, name) is None:
                raise PositionError(f"turn.{name}: missing; phase {data.phase} needs it")
        mover = int(state.to_play)
        if state.phase in (c.TURN, c.WINDOW) and state.passed[mover]:
            raise PositionError(f"to_play: {c.SEATS[mover]}: has passed this round")
        if state.phase == c.KEEP and not state.passed[mover]:
            raise PositionError(f"to_play: {c.SEATS[mover]}: phase keep follows its pass")
        if state.phase == c.RUBBLE and state.slots[int(state.action_slot)] < 0:
            raise PositionError(f"turn.slot: {data.turn.slot}: no card lies there")
        if state.phase == c.OVER:
            return
        for seat, where in enumerate(c.SEATS):
            if int(state.tbm[seat]) >= int(self.tables.route_length):
                raise PositionError(f"{where}.tbm: {int(state.tbm[seat])}: the game would be over")


def was_placed(state: Any) -> int:
    """A stack was placed this round, judging by the pieces on the table."""
    return int(state.stack_height.any() or state.turn_space >= 0 or state.previous >= 0)
