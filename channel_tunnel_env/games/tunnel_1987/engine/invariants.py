"""What must hold after every action (rules 11), as compiled checks over one record.

`check_state` looks at one record, `check_step` at the record before and after an action,
`check_choice` at the list of legal ids. Each returns 0, or the code of the first broken invariant;
INVARIANTS has the sentence for each code. Codes 1 to 18 are the numbers of the rules chapter.
Nothing here relies on the engine's own sums: they are recomputed and compared.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.bits import count_bits, lowest_bit
from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.records import MOST_DRAWS, MOST_PLIES, MOST_TALLIED
from channel_tunnel_env.core.rng import next_seed, random_number, seed_streams
from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.legality import (
    allowance,
    can_bore,
    front_colour,
    keep_limit,
    list_legal,
    storage_space,
    total_discs,
)
from channel_tunnel_env.games.tunnel_1987.engine.scoring import total_score
from channel_tunnel_env.games.tunnel_1987.engine.setup import set_up
from channel_tunnel_env.games.tunnel_1987.engine.state import new_workspaces
from channel_tunnel_env.games.tunnel_1987.engine.transition import apply_action

INVARIANTS = {
    1: "discs: bag, areas and spaces together hold every colour's full number, none negative",
    2: "tokens: routes, storages, cards and those out of the game add up to each colour's number",
    3: "cards: every playing, deviation and agenda card is in exactly one place",
    4: "slots: each shows a card unless deck and discard are both empty",
    5: "face-up tokens: the first from the start; they form the front of the remaining route, and stay face up",
    6: "storage: no more tokens than usable spaces",
    7: "deviation: from 0 to the limit; beyond it only for the side that lost by it",
    8: "TBM: within the route, never moves back, at the centre only if that ended the game",
    9: "technology: counters within their tracks, never move back",
    10: "deviation discard: no colour twice between draws, and the deck is not empty",
    11: "rubble on cards: as many as the cost allows, none elsewhere; used cards are in an area",
    12: "agenda: pending and completed cards were drawn, are different, and stay completed",
    13: "choice: some action is legal until the game is over; the seat to move has not passed",
    15: "round start: empty spaces, nobody has passed, hands drawn up to the allowance",
    16: "result: one winner, the right one, unless a stopped game is drawn; none before the end",
    18: "progress: one first player; no more Plans and Tunnels than tokens turned up and bored",
    19: "turn: the fields of the turn in progress match the phase",
    20: "sum kind_count: cards of each kind in the areas",
    21: "sum printed_points: points printed on the cards of the areas",
    22: "sum money_total: millions below the boards",
    23: "list money_order: the money cards, each once",
    24: "sum topographical: rubble colours on Topographical analysis",
    25: "set charged: ability cards in the areas that hold rubble",
    26: "set charged_twice: those that hold two tokens",
    27: "luck: the seed is 0 or more, the streams' counters are from 0 to 2**61",
    28: "tallies: each is from 0 to 2**14, the plies to 2**30",
    29: "unused places: zero beyond the end of a deck, a list or a route",
    30: "ruleset: the index of one of the rulesets in use",
    31: "agenda: no pending card has already taken effect, or is due to (rules 7.2)",
}
"""Code -> sentence. 14 (determinism, hiding) and 17 (ids and names) are checked elsewhere."""

(DISCS, TOKENS, CARDS, SLOTS, FACE_UP, STORAGE, DEVIATION_LEVEL, TBM, COUNTERS) = range(1, 10)
(DEVIATION_CARDS, CARD_RUBBLE, AGENDA_CARDS, CHOICE) = range(10, 14)
(ROUND_START, RESULT, PROGRESS) = (15, 16, 18)
(TURN_FIELDS, KIND_COUNT, PRINTED_POINTS, MONEY_TOTAL, MONEY_ORDER) = range(19, 24)
(TOPOGRAPHICAL, CHARGED, CHARGED_TWICE, LUCK, TALLIES, UNUSED, RULESET) = range(24, 31)
OVERDUE = 31

# Indices into the tallies of `check_random_games`.
(GAMES, BRITAIN_WINS, FRANCE_WINS, DRAWS, STOPS, DECISIONS, PLIES, ROUNDS) = range(8)
FIRST_CAUSE = 8  # games by end cause, in the order of END_CAUSES
NUM_TALLIES = FIRST_CAUSE + 6


@compiled
def check_state(state, rules):
    """0, or the code of the first invariant that this record breaks by itself.

    The record may come from anywhere: `_check_ranges` runs first, so that no later check reads
    outside an array.
    """
    return (
        _check_ranges(state, rules)
        or _check_pieces(state, rules)
        or _check_areas(state, rules)
        or _check_money(state, rules)
        or _check_turn(state, rules)
        or _check_result(state, rules)
        or _check_luck(state)
        or _check_tallies(state)
        or _check_unused(state, rules)
    )


@compiled
def check_choice(state, count):
    """Until the game is over, `count` is above 0 and the seat to move has not passed."""
    if (count == 0) != (state.phase == c.OVER):
        return CHOICE
    # Keeping discs comes after the pass.
    if state.phase != c.OVER and state.phase != c.KEEP and state.passed[int(state.to_play)]:
        return CHOICE
    return 0


@compiled
def check_step(before, state, rules, action):
    """What no action may undo, and the draws if this action began a round."""
    for seat in range(c.NUM_SEATS):
        for track in range(c.NUM_TRACKS):
            if state.counter[seat, track] < before.counter[seat, track]:
                return COUNTERS
        if state.tbm[seat] < before.tbm[seat]:
            return TBM
        if state.revealed[seat] < before.revealed[seat]:
            return FACE_UP
        if int(before.agenda_completed[seat]) & ~int(
            state.agenda_completed[seat]
        ):  # bits that were set and are not now
            return AGENDA_CARDS
    if state.round_no == before.round_no:
        return 0
    # The action that ends a round is a pass without discs or the answer on the last held colour.
    mover = int(before.to_play)
    kept = total_discs(before.discs[mover])
    if before.phase == c.KEEP:
        colour, n = (action - a.KEEP_0) // 6, (action - a.KEEP_0) % 6
        kept += n - int(before.discs[mover, colour])
    rival_kept = total_discs(before.discs[1 - mover])
    if mover == 0:
        return check_round_start(before, state, rules, kept, rival_kept)
    return check_round_start(before, state, rules, rival_kept, kept)


@compiled
def check_round_start(before, state, rules, britain_kept, france_kept):
    """Right after the draws of a round (rules 2.1); `before` is the record before those draws."""
    if state.passed[0] or state.passed[1] or state.used or state.round_placed:
        return ROUND_START
    for space in range(c.NUM_SPACES):
        if state.stack_height[space] != 0:
            return ROUND_START
    if state.round_no != 1 and state.round_no != before.round_no + 1:
        return ROUND_START
    # A round opens with the first player's window; only a dead position ends the game before it (A57).
    if state.phase != c.OVER and (state.phase != c.WINDOW or state.to_play != state.first_player):
        return ROUND_START
    in_bag = int(rules.per_colour) * c.NUM_COLOURS - britain_kept - france_kept  # spaces were cleared before the draws
    for i in range(c.NUM_SEATS):
        # The first player draws first, so a bag that runs short is short for the other side (rules 2.1).
        seat = int(state.first_player) if i == 0 else 1 - int(state.first_player)
        kept = britain_kept if seat == 0 else france_kept
        drawn = min(max(0, allowance(state, rules, seat) - kept), in_bag)
        training = before.agenda_pending[seat] == c.TRAINING
        # Training takes one disc from a draw; if nothing is drawn it stays pending (A72).
        if training and drawn > 0:
            drawn -= 1
            training = False
        if (state.agenda_pending[seat] == c.TRAINING) != training:
            return ROUND_START
        if total_discs(state.discs[seat]) != kept + drawn:
            return ROUND_START
        in_bag -= drawn
    return 0


# --- ranges: fields used as indices, and flags ---------------------------------------------------


@compiled
def _check_ranges(state, rules):
    if not _within(state.first_player, 0, c.NUM_SEATS - 1):
        return PROGRESS
    if not _within(state.round_no, 1, rules.max_rounds):
        return PROGRESS
    stopped = state.phase == c.OVER and state.end_cause == c.EMPTY_ROUNDS
    # The limit itself is met only in the game that it stops.
    if not _within(state.empty_rounds, 0, int(rules.max_empty_rounds) - (not stopped)):
        return PROGRESS
    if not _within(state.reacher, c.NOBODY, c.NUM_SEATS - 1):
        return TBM
    if not (_within(state.winner, c.NOBODY, c.DRAW) and _within(state.end_cause, 0, c.DEAD_POSITION)):
        return RESULT
    return 0 if _within_turn(state, rules) else TURN_FIELDS


@compiled
def _within_turn(state, rules):
    """The fields of the turn in progress name things that exist."""
    flags = (
        _within(state.passed[0], 0, 1)
        and _within(state.passed[1], 0, 1)
        and _within(state.round_placed, 0, 1)
        and _within(state.rubble_placed, 0, 1)
        and _within(state.repairing, 0, 1)
        and _within(state.supervised, 0, 1)
    )
    return (
        flags
        and _within(state.phase, 0, c.NUM_PHASES - 1)
        and _within(state.to_play, 0, c.NUM_SEATS - 1)
        and _within(state.previous, c.NOBODY, c.NUM_SEATS - 1)
        and _within(state.turn_space, -1, c.NUM_SPACES - 1)
        and _within(state.action, -1, c.NUM_ACTION_KINDS - 1)
        and _within(state.last, -1, c.NUM_ACTION_KINDS - 1)
        and _within(state.action_slot, -1, c.NUM_SLOTS - 1)
        and _within(state.new_card, -1, int(rules.num_cards) - 1)
        and _within(state.agenda_card, -1, c.NUM_AGENDA - 1)
        and _within(state.promotion_paid, 0, c.PROMOTION_PRICE - 1)
        and _within(state.keep_colour, 0, c.NUM_COLOURS - 1)
    )


@compiled
def _within(value, lowest, highest):
    return value >= lowest and value <= highest


# --- pieces -------------------------------------------------------------------------------------


@compiled
def _check_pieces(state, rules):
    return (
        _check_discs(state, rules)
        or _check_counters(state, rules)
        or _check_routes(state, rules)
        or _check_cards(state, rules)
        or _check_tokens(state, rules)
        or _check_rubble_places(state, rules)
        or _check_storage(state, rules)
        or _check_deviation_level(state, rules)
        or _check_deviation_cards(state, rules)
        or _check_agenda(state, rules)
    )


@compiled
def _check_discs(state, rules):
    on_spaces = 0  # five counts of eight bits each
    for space in range(c.NUM_SPACES):
        height, colour = int(state.stack_height[space]), int(state.stack_colour[space])
        if height < 0 or height > rules.per_colour or colour < 0 or colour >= c.NUM_COLOURS:
            return DISCS
        on_spaces += height << (8 * colour)
    for colour in range(c.NUM_COLOURS):
        bag = int(state.bag[colour])
        britain, france = int(state.discs[0, colour]), int(state.discs[1, colour])
        if bag < 0 or britain < 0 or france < 0:
            return DISCS
        if bag + britain + france + ((on_spaces >> (8 * colour)) & 255) != rules.per_colour:
            return DISCS
    return 0


@compiled
def _check_counters(state, rules):
    for seat in range(c.NUM_SEATS):
        for track in range(c.NUM_TRACKS):
            place = state.counter[seat, track]
            if place < 0 or place > rules.track_last[seat, track]:
                return COUNTERS
    return 0


@compiled
def _check_routes(state, rules):
    length = int(rules.route_length)
    for seat in range(c.NUM_SEATS):
        tbm, revealed = int(state.tbm[seat]), int(state.revealed[seat])
        if tbm < 0 or tbm > length:
            return TBM
        # Set-up turns up the first token of each route, and a bored token stays counted.
        if revealed < 1 or revealed < tbm or revealed > length:
            return FACE_UP
        reached = tbm == length
        # The centre ends the game at once (rules 6.2).
        if reached and state.phase != c.OVER:
            return TBM
        # A Tunnel to the last space can lose only if deviation is checked there (A29).
        if reached and state.end_cause == c.DEVIATION and not rules.final_check:
            return TBM
        if (state.reacher == seat) != (reached and state.end_cause != c.DEVIATION):
            return TBM
    if (state.reacher != c.NOBODY) != (state.phase == c.OVER and state.end_cause == c.CENTRE):
        return TBM
    return 0


@compiled
def _check_tokens(state, rules):
    """Token counts by colour, packed in eight bits each."""
    expected, found = 0, 0
    for i in range(int(rules.num_tokens)):
        expected += 1 << (8 * int(rules.token_colour[i]))
    for colour in range(c.NUM_COLOURS):
        out, britain = int(state.out_of_game[colour]), int(state.storage[0, colour])
        france = int(state.storage[1, colour])
        if out < 0 or britain < 0 or france < 0:
            return TOKENS
        found += (out + britain + france) << (8 * colour)
    on_routes = _count_route_tokens(state, rules)
    if on_routes < 0:
        return TOKENS
    found += on_routes
    for card in range(int(rules.num_cards)):
        for place in range(2):
            colour = int(state.card_rubble[card, place]) - 1  # 0 is an empty place, so colours are stored from 1
            if colour < -1 or colour >= c.NUM_COLOURS:
                return TOKENS
            if colour >= 0:
                found += 1 << (8 * colour)
    return 0 if found == expected else TOKENS


@compiled
def _count_route_tokens(state, rules):
    """Route tokens by colour, eight bits each; -1 if a token or its symbol does not exist."""
    found, with_symbol, existing = 0, 0, 0
    for i in range(int(rules.num_tokens)):
        existing += int(rules.token_symbol[i]) << (8 * int(rules.token_colour[i]))
    for seat in range(c.NUM_SEATS):
        for index in range(int(state.tbm[seat]), int(rules.route_length)):  # tokens behind the TBM have left the route
            colour, symbol = int(state.route_colour[seat, index]), state.route_symbol[seat, index]
            if not (_within(colour, 0, c.NUM_COLOURS - 1) and _within(symbol, 0, 1)):
                return -1
            found += 1 << (8 * colour)
            with_symbol += int(symbol) << (8 * colour)
    for colour in range(c.NUM_COLOURS):
        plain = -((existing >> (8 * colour)) & 255)  # tokens without a symbol: all of the colour less those with one
        for i in range(int(rules.num_tokens)):
            plain += rules.token_colour[i] == colour
        symbols = (with_symbol >> (8 * colour)) & 255
        if symbols > (existing >> (8 * colour)) & 255:
            return -1
        if ((found >> (8 * colour)) & 255) - symbols > plain:
            return -1
    return found


@compiled
def _check_rubble_places(state, rules):
    """Tokens lie on cards in the areas, and at most one on the card being developed."""
    # Between its two tokens a card in development still lies in its slot.
    placing = -1
    if state.phase == c.RUBBLE and state.rubble_placed == 1 and state.action_slot >= 0:
        placing = int(state.slots[int(state.action_slot)])
    in_areas = state.area[0] | state.area[1]
    for card in range(int(rules.num_cards)):
        first, second = state.card_rubble[card, 0] > 0, state.card_rubble[card, 1] > 0
        if second and not first:
            return CARD_RUBBLE
        if first and (in_areas >> card) & 1 == 0 and (card != placing or second):
            return CARD_RUBBLE
    if state.used & ~(in_areas & rules.ability_cards):  # `used`: abilities used this round
        return CARD_RUBBLE
    return 0


@compiled
def _check_storage(state, rules):
    for seat in range(c.NUM_SEATS):
        if total_discs(state.storage[seat]) > storage_space(state, rules, seat):
            return STORAGE
    return 0


@compiled
def _check_cards(state, rules):
    """Every card of the three decks is in exactly one place."""
    # Sets of cards are bit masks: a card of both `seen` and the next place lies in two.
    seen, twice = state.discard, 0
    for seat in range(c.NUM_SEATS):
        twice |= seen & state.area[seat]
        seen |= state.area[seat]
        twice |= seen & state.money[seat]
        seen |= state.money[seat]
    empty = 0
    for slot in range(c.NUM_SLOTS):
        card = int(state.slots[slot])
        if card < -1 or card >= rules.num_cards:
            return CARDS
        if card < 0:
            empty += 1
        else:
            twice |= seen & (1 << card)
            seen |= 1 << card
    if state.deck_size < 0 or state.deck_size > rules.num_cards:
        return CARDS
    for i in range(int(state.deck_size)):
        card = int(state.deck[i])
        if card < 0 or card >= rules.num_cards:
            return CARDS
        twice |= seen & (1 << card)
        seen |= 1 << card
    if twice or seen != rules.all_cards:
        return CARDS
    if not _is_order(state.deviation_deck, int(rules.num_deviation)):
        return CARDS
    if rules.agenda_enabled and not _is_order(state.agenda_deck, c.NUM_AGENDA):
        return CARDS
    # A slot is refilled as long as deck or discard has a card; the discard becomes the deck (A10).
    if empty > 0 and (state.deck_size > 0 or state.discard != 0):
        return SLOTS
    return 0


@compiled
def _is_order(deck, size):
    """The first `size` entries are 0 .. size - 1 in some order."""
    seen = 0
    for i in range(size):
        card = int(deck[i])
        if card < 0 or card >= size:
            return False
        seen |= 1 << card
    return seen == (1 << size) - 1


# --- deviation and agenda -----------------------------------------------------------------------


@compiled
def _check_deviation_level(state, rules):
    for seat in range(c.NUM_SEATS):
        level = int(state.deviation[seat])
        lost = state.phase == c.OVER and state.end_cause == c.DEVIATION and state.winner == 1 - seat
        if level < 0 or (level > rules.deviation_limit) != lost:
            return DEVIATION_LEVEL
        if lost:
            # One card took it beyond the limit, so by no more than the heaviest costs.
            highest = 0
            for card in range(int(rules.num_deviation)):
                highest = max(highest, int(rules.deviation_value[card]))
            if level > rules.deviation_limit + highest:
                return DEVIATION_LEVEL
    return 0


@compiled
def _check_deviation_cards(state, rules):
    """Each colour is in the discard once; the card that lost the game may be a second one."""
    drawn = int(state.deviation_drawn)
    lost = state.phase == c.OVER and state.end_cause == c.DEVIATION
    if drawn < 0 or drawn > rules.num_deviation:
        return DEVIATION_CARDS
    if drawn == rules.num_deviation and not lost:
        return DEVIATION_CARDS
    colours = 0
    for i in range(drawn):
        colour = int(rules.deviation_colour[int(state.deviation_deck[i])])
        if colour == c.COLOURLESS:
            continue
        # The second card of a colour brings the reshuffle, unless it has lost the game first (rules 4).
        if (colours >> colour) & 1 and not (lost and i == drawn - 1):
            return DEVIATION_CARDS
        colours |= 1 << colour
    return 0


@compiled
def _check_agenda(state, rules):
    drawn = 0
    if rules.agenda_enabled:
        if state.agenda_drawn < 0 or state.agenda_drawn > c.NUM_AGENDA:
            return AGENDA_CARDS
        for i in range(int(state.agenda_drawn)):
            drawn |= 1 << int(state.agenda_deck[i])
    held, twice = 0, 0
    for seat in range(c.NUM_SEATS):
        pending, completed = int(state.agenda_pending[seat]), int(state.agenda_completed[seat])
        if pending < -1 or pending >= c.NUM_AGENDA:
            return AGENDA_CARDS
        twice |= held & completed
        held |= completed
        if pending >= 0:
            twice |= held & (1 << pending)
            held |= 1 << pending
    if state.agenda_card >= 0:
        twice |= held & (1 << int(state.agenda_card))
        held |= 1 << int(state.agenda_card)
    if twice or held & ~drawn:
        return AGENDA_CARDS
    return OVERDUE if _is_overdue(state, 0) or _is_overdue(state, 1) else 0


@compiled
def _is_overdue(state, seat):
    """The seat's pending card took effect before this decision (rules 7.2): no longer pending."""
    pending, turn = state.agenda_pending[seat], state.to_play == seat
    if pending == c.CHECK_UP:  # it stays only if it lost the game
        lost = state.phase == c.OVER and state.end_cause == c.DEVIATION
        return not (lost and state.winner == 1 - seat)
    if pending == c.PROMOTION:  # paid at the first opportunity (A68, A75)
        return state.money_total[seat] >= c.PROMOTION_PRICE and not (turn and state.phase == c.PROMOTION_PAY)
    if pending == c.WAREHOUSE_INSPECTION:
        followed = state.previous == 1 - seat and not state.passed[1 - seat]
        return turn and state.phase == c.TURN and followed
    return False


# --- areas and money: the engine's sums, recomputed ----------------------------------------------


@compiled
def _check_areas(state, rules):
    charged, charged_twice = 0, 0
    for seat in range(c.NUM_SEATS):
        points, colours = 0, 0
        cards = state.area[seat]
        while cards:
            card = lowest_bit(cards)
            cards &= cards - 1
            first, second = int(state.card_rubble[card, 0]), int(state.card_rubble[card, 1])
            if not _fits_cost(rules, card, first, second):
                return CARD_RUBBLE
            points += int(rules.card_points[card])
            if rules.card_kind[card] == c.TOPOGRAPHICAL_ANALYSIS:
                colours |= 1 << (first - 1)
            else:
                charged |= (first > 0) << card
                charged_twice |= (second > 0) << card
        if points != state.printed_points[seat]:
            return PRINTED_POINTS
        if colours != state.topographical[seat]:
            return TOPOGRAPHICAL
        for kind in range(c.NUM_CARD_KINDS):
            if count_bits(state.area[seat] & rules.kind_cards[kind]) != state.kind_count[seat, kind]:
                return KIND_COUNT
    if charged != state.charged:
        return CHARGED
    return 0 if charged_twice == state.charged_twice else CHARGED_TWICE


@compiled
def _fits_cost(rules, card, first, second):
    """A card in an area may hold these tokens (colour + 1, or 0 for none)."""
    kind = rules.card_kind[card]
    if kind == c.TOPOGRAPHICAL_ANALYSIS:
        return first > 0 and second == 0
    if kind < c.FIRST_ABILITY:
        return first == 0
    return second == 0 or rules.card_cost[card] == c.PLACE_1_OR_2


@compiled
def _check_money(state, rules):
    for seat in range(c.NUM_SEATS):
        cards = state.money[seat]
        millions = 0
        for value in range(1, c.MAX_MONEY + 1):
            millions += value * count_bits(cards & rules.money_cards[value])
        if millions != state.money_total[seat]:
            return MONEY_TOTAL
        if state.money_count[seat] != count_bits(cards):
            return MONEY_ORDER
        listed = 0
        for i in range(int(state.money_count[seat])):
            card = int(state.money_order[seat, i])
            if card < 0 or card >= rules.num_cards:
                return MONEY_ORDER
            listed |= 1 << card
        # As many places as cards, and the same set: each card is listed once.
        if listed != cards:
            return MONEY_ORDER
    return 0


# --- the turn and the result --------------------------------------------------------------------


@compiled
def _check_turn(state, rules):
    planning = state.phase != c.OVER and state.action == c.PLAN  # its token is turned up already
    for seat in range(c.NUM_SEATS):
        plans = int(state.tally_action[seat, c.PLAN]) + (planning and seat == state.to_play)
        # Set-up turned up a token without a Plan.
        if plans >= state.revealed[seat]:
            return PROGRESS
        if state.tally_action[seat, c.TUNNEL] > state.tbm[seat]:  # a Tunnel that lost the game is not counted
            return PROGRESS
    phase = int(state.phase)
    fits = (
        _fits_round(state, phase)
        and _fits_action(state, rules, phase)
        and _fits_agenda(state, phase)
        and _fits_keep(state, rules, phase)
        and _fits_pieces(state, rules, phase)
    )
    return 0 if fits else TURN_FIELDS


@compiled
def _fits_round(state, phase):
    """The discs on the spaces were placed this round; at its start nothing has happened yet."""
    happened = state.turn_space >= 0 or state.previous >= 0
    for space in range(c.NUM_SPACES):
        happened |= state.stack_height[space] > 0
    if phase == c.WINDOW and (happened or state.round_placed or state.passed[0] or state.passed[1]):
        return False
    return bool(state.round_placed) or not happened


@compiled
def _fits_action(state, rules, phase):
    """The turn's space and action, the action before it, and the slot and card that belong to them."""
    action, last, slot = int(state.action), int(state.last), int(state.action_slot)
    new_card = int(state.new_card)
    if phase == c.OVER:
        return slot < 0 and new_card < 0
    in_turn = phase != c.WINDOW and phase != c.TURN and phase != c.KEEP
    if in_turn != (state.turn_space >= 0) or (last >= 0 and not in_turn):
        return False
    if phase == c.CHAIN and last < 0:
        return False
    # A secondary Finance keeps its slot until Promotion is paid.
    bound = phase == c.PROMOTION_PAY and action == c.FINANCE and last < 0
    if phase == c.RUBBLE:
        if slot < 0 or state.slots[slot] < 0:
            return False
    elif slot >= 0 and not (bound and slot == state.turn_space - c.FIRST_SLOT):
        return False
    if new_card >= 0:
        mine = (state.area[int(state.to_play)] >> new_card) & 1
        if phase != c.CHAIN or last != c.DEVELOP or not mine:
            return False
    return _is_action_of(action, phase)


@compiled
def _is_action_of(action, phase):
    """Whether `phase` belongs to this kind of action in progress (-1: none)."""
    if phase == c.AGENDA:
        return action == c.PLAN
    if phase == c.TUNNEL_PAY:
        return action == c.TUNNEL
    if phase == c.FINANCE_CARD:
        return action == c.FINANCE
    if phase == c.PROMOTION_PAY:
        return action in (c.PLAN, c.FINANCE)
    if phase in (c.TRACK, c.PEEK, c.ALIGN):
        return action == c.TECHNOLOGY
    if phase in (c.DEVELOP_CARD, c.RUBBLE):
        return action == c.DEVELOP
    return action == c.NOBODY


@compiled
def _fits_agenda(state, phase):
    """The agenda card in hand, and what a pending one does to the action in progress."""
    seat = int(state.to_play)
    pending = state.agenda_pending[seat]
    if (state.agenda_card >= 0) != (phase == c.AGENDA):
        return False
    if phase == c.AGENDA:
        newest = state.agenda_deck[int(state.agenda_drawn) - 1]
        if pending >= 0 or state.agenda_card != newest:
            return False
    if state.supervised:
        placed = phase == c.OVER or (state.turn_space >= 0 and phase != c.CHAIN and state.last < 0)
        if pending != c.SUPERVISION or not placed:
            return False
    # Repairs moves no counter: no track is asked for, and no peek gained (A74).
    repairs = pending == c.REPAIRS and phase in (c.TRACK, c.PEEK, c.ALIGN)
    if bool(state.repairing) != repairs or (repairs and phase != c.ALIGN):
        return False
    if phase != c.PROMOTION_PAY:
        return state.promotion_paid == 0
    left = int(state.money_total[seat]) + int(state.promotion_paid)
    return pending == c.PROMOTION and left >= c.PROMOTION_PRICE


@compiled
def _fits_keep(state, rules, phase):
    """The discs kept so far have the colours before the one asked for."""
    if phase != c.KEEP:
        return state.keep_colour == 0 and state.kept == 0
    seat = int(state.to_play)
    kept = 0
    for colour in range(int(state.keep_colour)):
        kept += int(state.discs[seat, colour])
    held = state.discs[seat, int(state.keep_colour)] > 0
    return bool(state.passed[seat]) and held and state.kept == kept and kept <= keep_limit(state, rules, seat)


@compiled
def _fits_pieces(state, rules, phase):
    """The payment asked for is due and can be made."""
    seat = int(state.to_play)
    if phase != c.RUBBLE and state.rubble_placed:
        return False
    if phase == c.TUNNEL_PAY:
        front = front_colour(state, seat)
        # With a matching disc there is nothing to ask (A26).
        return can_bore(state, rules, seat) and state.discs[seat, front] == 0
    if phase != c.RUBBLE:
        return True
    card = int(state.slots[int(state.action_slot)])
    if state.rubble_placed == 0:
        return rules.card_cost[card] != c.FREE
    laid = state.card_rubble[card, 0] > 0 and total_discs(state.storage[seat]) > 0
    return laid and rules.card_cost[card] == c.PLACE_1_OR_2


@compiled
def _check_result(state, rules):
    cause, winner = int(state.end_cause), int(state.winner)
    if state.phase != c.OVER:
        return 0 if cause == c.NOT_ENDED and winner == c.NOBODY else RESULT
    if cause == c.NOT_ENDED or winner < 0 or winner > c.DRAW:
        return RESULT
    if cause == c.DEVIATION:
        lost = winner != c.DRAW and state.deviation[1 - winner] > rules.deviation_limit
        return 0 if lost else RESULT
    if cause >= c.FIRST_STOP and not rules.stalemate_scored:  # a game that went nowhere
        return 0 if winner == c.DRAW else RESULT
    lead = total_score(state, rules, 0) - total_score(state, rules, 1)
    expected = 0 if lead > 0 else 1
    if lead == 0:
        # A tie at the centre goes to the side that reached it (rules 6.4).
        expected = int(state.reacher) if cause == c.CENTRE else c.DRAW
    return 0 if winner == expected else RESULT


# --- numbers that only grow, and unused places ---------------------------------------------------


@compiled
def _check_luck(state):
    if state.seed < 0:
        return LUCK
    for stream in range(c.NUM_STREAMS):
        if not _within(state.rng_counter[stream], 0, MOST_DRAWS):
            return LUCK
    return 0


@compiled
def _check_tallies(state):
    most = MOST_TALLIED
    if not (_within(state.ply, 0, MOST_PLIES) and _within(state.leader, 0, c.DRAW)):
        return TALLIES
    fits = _within(state.lead_changes, 0, most)
    for seat in range(c.NUM_SEATS):
        for space in range(c.NUM_SPACES):
            fits &= _all_within(state.tally_placed[seat, space], most)
        fits &= _all_within(state.tally_action[seat], most)
        fits &= _all_within(state.tally_ability[seat], most)
        fits &= _all_within(state.card_financed[seat], most)
    for by_seat in (
        state.tally_income,
        state.tally_barrier,
        state.tally_align,
        state.tally_draws,
        state.tally_drift,
        state.tally_kept,
    ):
        fits &= _all_within(by_seat, most)
    fits &= _all_within(state.card_shown, most) and _all_within(state.card_developed, most)
    return 0 if fits else TALLIES


@compiled
def _all_within(tallies, most):
    # Both start at 0, so `lowest` moves only for a negative tally.
    lowest, highest = 0, 0
    for i in range(tallies.shape[0]):
        lowest = min(lowest, int(tallies[i]))
        highest = max(highest, int(tallies[i]))
    return lowest == 0 and highest <= most


@compiled
def _check_unused(state, rules):
    empty = _is_zero(state.deck, int(state.deck_size))
    empty &= _is_zero(state.deviation_deck, int(rules.num_deviation))
    if not rules.agenda_enabled:
        empty &= state.agenda_drawn == 0 and _is_zero(state.agenda_deck, 0)
    for card in range(int(rules.num_cards), c.MAX_CARDS):
        empty &= _is_zero(state.card_rubble[card], 0)
    length = int(rules.route_length)
    for seat in range(c.NUM_SEATS):
        empty &= _is_zero(state.money_order[seat], int(state.money_count[seat]))
        empty &= _is_zero(state.route_colour[seat], length)
        empty &= _is_zero(state.route_symbol[seat], length)
        for index in range(int(state.tbm[seat])):
            empty &= state.route_colour[seat, index] == 0 and state.route_symbol[seat, index] == 0
        for side in range(c.NUM_SEATS):
            empty &= int(state.peeked[seat, side]) >> length == 0
    return 0 if empty else UNUSED


@compiled
def _is_zero(places, start):
    bits = 0
    for i in range(start, places.shape[0]):
        bits |= int(places[i])
    return bits == 0


# --- entry points -------------------------------------------------------------------------------


def find_faults(states: np.ndarray, tables: np.ndarray) -> np.ndarray:
    """The code of the first invariant that each state breaks (see INVARIANTS); 0 for none.

    Args:
        states: (B,), as `new_states` makes them; any content.
        tables: the rulesets' figures, (R,).

    Returns:
        int16 (B,).
    """
    codes = np.zeros(len(states), np.int16)
    check_records(states, tables, new_workspaces(1), codes)
    return codes


@kernel
def check_records(states, tables, work, codes):
    """Check every record by itself: `codes` (B,) gets 0 or the code of a broken invariant.

    Nothing is assumed: the records may be any bytes.
    """
    for i in range(states.shape[0]):
        state = states[i]
        if not _within(state.ruleset, 0, tables.shape[0] - 1):
            codes[i] = RULESET
            continue
        rules = tables[int(state.ruleset)]
        codes[i] = check_state(state, rules)
        # Only a sound record: the list of actions uses its fields as indices.
        if codes[i] == 0:
            codes[i] = check_choice(state, list_legal(state, rules, work[0]))


@kernel
def check_random_games(states, tables, games, seed, source, blank, work, before, tallies):
    """Play `games` uniformly random games one after the other, checking after every action.

    Forced actions are applied and checked one by one like the others. `states` and `before` hold one
    record each; `states[0].ruleset` chooses the table. The seed of game k + 1 follows from that of
    game k. Adds to `tallies` int64[NUM_TALLIES]. Returns 0 or the first code found; `states[0]` is
    then the offending record and `before[0]` the one before the action.
    """
    space = work[0]
    ruleset = int(states[0].ruleset)
    for _ in range(games):
        states[0] = blank[0]
        before[0] = blank[0]
        state, old = states[0], before[0]  # views: they follow what is copied into the arrays
        rules = tables[ruleset]
        state.ruleset = ruleset
        seed_streams(state, seed)
        set_up(state, rules, space)
        before[0] = states[0]
        code = check_state(state, rules) or check_round_start(old, state, rules, 0, 0)
        while code == 0:
            count = list_legal(state, rules, space)
            code = check_choice(state, count)
            if code != 0 or count == 0:
                break
            before[0] = states[0]
            if count == 1:
                action = int(space.legal[0])
                # A lone "done" in these phases is never put to a player, see `kernels.is_asked`.
                done = state.phase == c.WINDOW or state.phase == c.CHAIN or state.phase == c.ALIGN
                tallies[DECISIONS] += not (rules.auto_forced or done)
            else:
                action = int(space.legal[random_number(source, count)])
                tallies[DECISIONS] += 1
            apply_action(state, rules, action, space)
            code = check_state(state, rules) or check_step(old, state, rules, action)
        if code != 0:
            return code
        _tally(state, tallies)
        seed = next_seed(seed)
    return 0


@compiled
def _tally(state, tallies):
    tallies[GAMES] += 1
    tallies[DRAWS if state.winner == c.DRAW else BRITAIN_WINS + int(state.winner)] += 1
    tallies[STOPS] += state.end_cause >= c.FIRST_STOP
    tallies[PLIES] += state.ply
    tallies[ROUNDS] += state.round_no
    tallies[FIRST_CAUSE + int(state.end_cause)] += 1
