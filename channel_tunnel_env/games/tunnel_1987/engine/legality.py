"""Legality: which actions the rules allow now.

`list_legal` is the only place that decides; masks, errors and random play read from it. Conditions
that several phases share ("a Tunnel is performable") are small functions above it.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.bits import count_bits, lowest_bit
from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.rule_figures import ALWAYS, NEVER

ALL_COLOURS = (1 << c.NUM_COLOURS) - 1
SPACE_BITS = 2 * c.NUM_COLOURS  # of placements: the colours of both options of a space
# Entry n has a bit in each of the n lowest groups of five; `disc_ladder` shifts it to the place of a colour.
_LADDERS = np.array(
    [sum(1 << (c.NUM_COLOURS * n) for n in range(discs)) for discs in range(c.MAX_DISCS_PER_COLOUR + 1)]
)

# --- conditions ---------------------------------------------------------------------------------


@compiled
def total_discs(discs):
    """Discs in a row of five counts."""
    return int(discs[0]) + int(discs[1]) + int(discs[2]) + int(discs[3]) + int(discs[4])


@compiled
def allowance(state, rules, seat):
    """Number of discs a seat may draw up to: its hand plus what technology adds (rules 2.1).

    A head start of discs counts for the whole of round 1: on passing they may be kept.
    """
    first, second = int(state.counter[seat, 0]), int(state.counter[seat, 1])
    hand = int(rules.hand[seat, 0 if state.round_no == 1 else 1])
    return hand + int(rules.extra_discs[seat, 0, first]) + int(rules.extra_discs[seat, 1, second])


@compiled
def storage_space(state, rules, seat):
    """Usable storage spaces, technology included (rules A24)."""
    first, second = int(state.counter[seat, 0]), int(state.counter[seat, 1])
    return (
        int(rules.storage[seat]) + int(rules.extra_storage[seat, 0, first]) + int(rules.extra_storage[seat, 1, second])
    )


@compiled
def ready_cards(state, seat):
    """Set of the seat's ability cards that hold rubble and were not used this round."""
    return state.area[seat] & state.charged & ~state.used


@compiled
def ready_extra_finance(state, rules, seat):
    """Number of usable Extra finance cards."""
    return count_bits(ready_cards(state, seat) & rules.kind_cards[c.EXTRA_FINANCE])


@compiled
def can_plan(state, rules, seat):
    """An own token is face down."""
    return state.revealed[seat] < rules.route_length


@compiled
def can_bore(state, rules, seat):
    """The front token is face up and a storage space is free (all a Tunnel needs except discs)."""
    stored = total_discs(state.storage[seat])
    # `&`, not `and`: both sides cost less than a branch.
    return (state.revealed[seat] > state.tbm[seat]) & (stored < storage_space(state, rules, seat))


@compiled
def front_colour(state, seat):
    """Colour of the token in front of the TBM."""
    return int(state.route_colour[seat, int(state.tbm[seat])])


@compiled
def can_tunnel(state, rules, seat):
    """A Tunnel is performable with the discs currently in the area."""
    if not can_bore(state, rules, seat):
        return False
    colour = front_colour(state, seat)  # face up, so there is one
    # One that matches, or any two in its place (A26).
    return state.discs[seat, colour] > 0 or total_discs(state.discs[seat]) >= 2


@compiled
def can_finance(state):
    """At least one slot shows a card."""
    return (state.slots[0] >= 0) | (state.slots[1] >= 0) | (state.slots[2] >= 0)


@compiled
def can_move(state, rules, seat, track):
    """The counter is not at the end and the barrier before it, if any, can be paid (rules A15)."""
    # At the end of a track `min` keeps the index inside, and the last line rules the step out.
    place, last = int(state.counter[seat, track]), int(rules.track_last[seat, track])
    price = int(rules.barrier[seat, track, min(place + 1, last)])  # NO_BARRIER is below any purse
    extra = int(rules.extra_finance) * ready_extra_finance(state, rules, seat)
    return (place < last) & (int(state.money_total[seat]) + extra >= price)


@compiled
def can_align(state, rules, seat):
    """The deviation is above 0 and there is money or Extra finance to lower it with."""
    return state.deviation[seat] > 0 and (state.money_count[seat] > 0 or ready_extra_finance(state, rules, seat) > 0)


@compiled
def can_stay(state, rules, seat):
    """The ruleset's switch allows Technology without moving a counter (rules A16)."""
    # Without something to align it would do nothing (B04).
    if rules.without_move == NEVER or not can_align(state, rules, seat):
        return False
    if rules.without_move == ALWAYS:
        return True
    return not (can_move(state, rules, seat, 0) or can_move(state, rules, seat, 1))


@compiled
def can_technology(state, rules, seat):
    """A Technology action is performable."""
    return (
        can_move(state, rules, seat, 0)
        | can_move(state, rules, seat, 1)
        | (state.agenda_pending[seat] == c.REPAIRS)  # it asks for no move (A74)
        | can_stay(state, rules, seat)
    )


@compiled
def can_take_card(state, rules, seat, slot):
    """The slot shows a card that can be developed: its cost is in storage."""
    card = int(state.slots[slot])
    if card < 0:
        return False
    return rules.card_cost[card] == c.FREE or total_discs(state.storage[seat]) > 0


@compiled
def can_develop(state, rules, seat):
    """At least one shown card can be developed."""
    return (
        can_take_card(state, rules, seat, 0)
        or can_take_card(state, rules, seat, 1)
        or can_take_card(state, rules, seat, 2)
    )


@compiled
def can_act(state, rules, seat, kind):
    """A chained action of a kind is performable."""
    if kind == c.PLAN:
        return can_plan(state, rules, seat)
    if kind == c.TUNNEL:
        return can_tunnel(state, rules, seat)
    if kind == c.FINANCE:
        return can_finance(state)
    if kind == c.TECHNOLOGY:
        return can_technology(state, rules, seat)
    return can_develop(state, rules, seat)


@compiled
def keep_limit(state, rules, seat):
    """Largest number of discs that a passing seat may keep (rules 5.2)."""
    return min(allowance(state, rules, seat), int(rules.keep_limit))


@compiled
def hand_limit(state, rules, seat):
    """Largest hand where it is always capped; New workers count in their round (A19, A54)."""
    workers = state.area[seat] & state.used & rules.kind_cards[c.NEW_WORKERS]
    return allowance(state, rules, seat) + count_bits(workers)


@compiled
def can_recover(state, rules, seat):
    """A disc of this turn's stack can come back to the hand (rules 3.3, A36, A19)."""
    if state.stack_height[int(state.turn_space)] == 0:  # several cards may take discs until none is left (A36)
        return False
    return not rules.hand_capped or total_discs(state.discs[seat]) < hand_limit(state, rules, seat)


@compiled
def has_effect(state, rules, seat, kind, slot):
    """An action would have an effect; `slot` binds it to a card, -1 leaves it free (A06)."""
    if slot < 0:
        return can_act(state, rules, seat, kind)
    # A Finance bound to a slot takes the card shown there, at no cost.
    return kind == c.FINANCE or can_take_card(state, rules, seat, slot)


@compiled
def stack_margin(state, rules, seat):
    """How many discs higher a seat's next stack must be than the one it replaces (2.3, A70)."""
    # A stack that serves Supervision is enough, even if the card is completed only after the action (B09).
    if state.agenda_pending[seat] != c.SUPERVISION or state.supervised:
        return 1
    # The soft mode asks for it only while such a stack can be laid (A70).
    return 2 if rules.supervision_strict or find_placements(state, rules, seat, 2) else 1


# --- the list -----------------------------------------------------------------------------------


@compiled
def list_legal(state, rules, work):
    """Write the legal ids to `work.legal`, ascending except TRACK_NONE, and return their number.

    The number is 0 only when the game is over.
    """
    phase = state.phase
    if phase == c.TURN:
        return _list_turn(state, rules, work)
    if phase == c.CHAIN:
        return _list_chain(state, rules, work)
    if phase == c.KEEP:
        return _list_keep(state, rules, work)
    if phase == c.RUBBLE:
        return _list_rubble(state, rules, work)
    if phase == c.TRACK:
        return _list_track(state, rules, work)
    if phase == c.ALIGN or phase == c.PROMOTION_PAY:
        return _list_spend(state, rules, work)
    if phase == c.FINANCE_CARD or phase == c.DEVELOP_CARD:
        return _list_cards(state, rules, work)
    if phase == c.TUNNEL_PAY:
        return _list_pay(state, work)
    if phase == c.PEEK:
        return _list_peek(state, rules, work)
    if phase == c.WINDOW:
        return _list_window(state, rules, work)
    if phase == c.AGENDA:
        work.legal[0] = a.AGENDA_KEEP
        work.legal[1] = a.AGENDA_DISCARD
        return 2
    return 0


@compiled
def _list_turn(state, rules, work):
    """Placements and the pass."""
    seat = int(state.to_play)
    placements = find_placements(state, rules, seat, stack_margin(state, rules, seat))
    count = 0
    while placements:
        work.legal[count] = lowest_bit(placements)
        placements &= placements - 1  # clears the lowest bit, so ids are ascending
        count += 1
    work.legal[count] = a.PASS  # always possible (5.1)
    return count + 1


@compiled
def find_placements(state, rules, seat, margin):
    """A seat's placements of stacks at least `margin` discs higher than the stack there (rules 2.3).

    If the ruleset allows null actions, only Tunnel must have an effect (A06). Returns a bit mask by
    action id: space * 10 + option * 5 + colour. Conditions are numbers here, 0 or 1: branches that
    depend on the position would cost more than what they leave out.
    """
    ladder = disc_ladder(state, seat)
    null = rules.null_actions != 0
    plan = int(null | can_plan(state, rules, seat))
    bore = int(can_bore(state, rules, seat))
    technology = int(null | can_technology(state, rules, seat))
    # Bit k: a secondary action of kind k can be done, discs for a Tunnel apart; Finance has the slot's own card.
    kinds = (plan << c.PLAN) | (bore << c.TUNNEL) | (1 << c.FINANCE) | (technology << c.TECHNOLOGY)
    stored = int(null) | (total_discs(state.storage[seat]) > 0)

    stacks = _stacks_on(state, ladder, c.PLAN_TUNNEL, margin)
    paid = _that_can_pay(state, seat, ladder, c.PLAN_TUNNEL)
    # Five bits for the colours of the first action, five above them for the second.
    placements = (stacks * plan) | ((stacks & paid) * bore) << c.NUM_COLOURS
    stacks = _stacks_on(state, ladder, c.FINANCE_TECHNOLOGY, margin)
    finance = int(null | can_finance(state))
    options = (stacks * finance) | (stacks * technology) << c.NUM_COLOURS
    placements |= options << (c.FINANCE_TECHNOLOGY * SPACE_BITS)
    for slot in range(c.NUM_SLOTS):
        card, space = int(state.slots[slot]), c.FIRST_SLOT + slot
        shown = int(card >= 0)  # without a card neither action exists (A09)
        kind = int(rules.card_secondary[max(card, 0)])  # any entry serves if no card is shown
        stacks = _stacks_on(state, ladder, space, margin)
        unpaid = ALL_COLOURS * int(kind != c.TUNNEL)  # only a Tunnel costs discs
        fitting = stacks & (unpaid | _that_can_pay(state, seat, ladder, space))
        takes = stored | (rules.card_cost[max(card, 0)] == c.FREE)
        options = (fitting * ((kinds >> kind) & 1)) | (stacks * takes) << c.NUM_COLOURS
        placements |= (options * shown) << (space * SPACE_BITS)
    return placements


@compiled
def disc_ladder(state, seat):
    """A seat's discs as bits: bit 5 * (n - 1) + colour is set if it holds n discs of that colour."""
    ladder = 0
    for colour in range(c.NUM_COLOURS):
        ladder |= int(_LADDERS[int(state.discs[seat, colour])]) << colour
    return ladder


@compiled
def holds(ladder, discs):
    """Bit mask of the colours of which a seat with this ladder holds at least `discs` discs, 1 or more."""
    return (ladder >> (c.NUM_COLOURS * (discs - 1))) & ALL_COLOURS


@compiled
def _stacks_on(state, ladder, space, margin):
    """The colours that are at least `margin` discs higher than the stack on a space."""
    return holds(ladder, int(state.stack_height[space]) + margin)


@compiled
def _that_can_pay(state, seat, ladder, space):
    """The colours that, once placed on `space`, leave discs to pay for a Tunnel.

    That is one disc of the front token's colour, the discs taken back from the space included, or two
    discs of any. For colours of which the seat holds none the answer has no meaning.
    """
    # At the centre no token is in front: the index stays inside, and `can_bore` rules the Tunnel out.
    front = int(state.route_colour[seat, min(int(state.tbm[seat]), c.MAX_ROUTE - 1)])
    height = int(state.stack_height[space])
    # A matching disc stays if the stack has another colour.
    others = (ALL_COLOURS & ~(1 << front)) * ((ladder >> front) & 1)
    # Or it comes with the stack taken up, regardless of the colour placed (A13).
    taken = ALL_COLOURS * int((height > 0) & (state.stack_colour[space] == front))
    total = total_discs(state.discs[seat]) + height
    # Any two discs stay unless the stack has all of them, or all but one.
    too_many = holds(ladder, min(max(total - 1, 1), c.MAX_DISCS_PER_COLOUR + 1))
    return others | taken | (ALL_COLOURS & ~too_many)


@compiled
def _list_chain(state, rules, work):
    """Abilities after an action (rules 3.3)."""
    seat = int(state.to_play)
    count = 0
    cards = ready_cards(state, seat) & rules.chain_cards[int(state.last)]
    if state.new_card >= 0 and not rules.new_card_usable:
        cards &= ~(1 << int(state.new_card))  # not after the action that brought it (A33)
    if cards:
        recover = can_recover(state, rules, seat)
        for i in range(7):  # New materials to Improve technology, in the order of their ids
            ability = a.USE_NEW_MATERIALS + i
            if cards & rules.kind_cards[chain_kind(ability)] == 0:
                continue
            if ability <= a.USE_CONTROL_ROOM_2:
                allowed = recover
            elif ability == a.USE_CONTROL_ROOM_3:
                allowed = can_plan(state, rules, seat)
            elif ability == a.USE_CONTROL_ROOM_4:
                allowed = can_tunnel(state, rules, seat)  # needs no stack, but is paid (3.3)
            else:
                allowed = can_technology(state, rules, seat)
            if allowed:
                work.legal[count] = ability
                count += 1
        if cards & rules.kind_cards[c.HEAVY_MACHINERY]:
            for kind in range(c.NUM_ACTION_KINDS):
                if kind == state.last and not rules.machinery_same_type:
                    continue
                if can_act(state, rules, seat, kind):
                    work.legal[count] = a.USE_MACHINERY + kind
                    count += 1
    work.legal[count] = a.USE_STOP
    return count + 1


@compiled
def chain_kind(ability):
    """Card kind of a chain id, Heavy machinery's apart."""
    if ability == a.USE_IMPROVE_TECHNOLOGY:
        return c.IMPROVE_TECHNOLOGY
    return c.NEW_MATERIALS + ability - a.USE_NEW_MATERIALS  # both are in the same order


@compiled
def _list_keep(state, rules, work):
    """How many discs of the colour asked for may be kept."""
    seat, colour = int(state.to_play), int(state.keep_colour)
    room = max(0, keep_limit(state, rules, seat) - int(state.kept))
    most = min(int(state.discs[seat, colour]), room)
    for n in range(most + 1):
        work.legal[n] = a.KEEP_0 + colour * 6 + n
    return most + 1


@compiled
def _list_rubble(state, rules, work):
    """Stored tokens that can pay for a card."""
    seat = int(state.to_play)
    count = 0
    for colour in range(c.NUM_COLOURS):
        if state.storage[seat, colour] > 0:
            work.legal[count] = a.RUBBLE_0 + colour
            count += 1
    cost = rules.card_cost[int(state.slots[int(state.action_slot)])]
    if cost == c.PLACE_1_OR_2 and state.rubble_placed == 1:  # one token is laid, a second is not a must (1.2)
        work.legal[count] = a.RUBBLE_STOP
        count += 1
    return count


@compiled
def _list_track(state, rules, work):
    """Counters that can move."""
    seat = int(state.to_play)
    count = 0
    for track in range(c.NUM_TRACKS):
        if can_move(state, rules, seat, track):
            work.legal[count] = a.TRACK_A + track
            count += 1
    if can_stay(state, rules, seat):
        work.legal[count] = a.TRACK_NONE
        count += 1
    return count


@compiled
def _list_spend(state, rules, work):
    """Money that can be spent on alignment or Promotion."""
    seat = int(state.to_play)
    count = 0
    for value in range(1, c.MAX_MONEY + 1):
        if state.money[seat] & rules.money_cards[value]:
            work.legal[count] = a.SPEND_1 + value - 1
            count += 1
    if state.phase == c.PROMOTION_PAY:  # it must be paid, and only in money (A75)
        return count
    if state.deviation[seat] == 0:
        count = 0  # money spent without deviation would do nothing (A23)
    elif ready_extra_finance(state, rules, seat) > 0:
        work.legal[count] = a.SPEND_EXTRA_FINANCE
        count += 1
    work.legal[count] = a.SPEND_STOP
    return count + 1


@compiled
def _list_cards(state, rules, work):
    """Slots that a free Finance or a chained Development can take a card from."""
    seat = int(state.to_play)
    count = 0
    for slot in range(c.NUM_SLOTS):
        if state.phase == c.FINANCE_CARD:
            if state.slots[slot] >= 0:
                work.legal[count] = a.TAKE_SLOT + slot
                count += 1
        elif can_take_card(state, rules, seat, slot):
            work.legal[count] = a.DEVELOP_SLOT + slot
            count += 1
    return count


@compiled
def _list_pay(state, work):
    """Pairs of discs for a Tunnel without a matching one."""
    discs = state.discs[int(state.to_play)]
    count, pair = 0, a.PAY_0
    for first in range(c.NUM_COLOURS):
        for second in range(first, c.NUM_COLOURS):
            enough = discs[first] >= 2 if first == second else discs[first] > 0 and discs[second] > 0
            if enough:
                work.legal[count] = pair
                count += 1
            pair += 1  # also past pairs that cannot be paid: ids name all of them
    return count


@compiled
def _list_peek(state, rules, work):
    """Face-down tokens, own side first."""
    seat = int(state.to_play)
    count = 0
    for index in range(int(state.revealed[seat]), int(rules.route_length)):  # also known ones (A80)
        work.legal[count] = a.PEEK_OWN + index
        count += 1
    for index in range(int(state.revealed[1 - seat]), int(rules.route_length)):
        work.legal[count] = a.PEEK_RIVAL + index
        count += 1
    return count


@compiled
def _list_window(state, rules, work):
    """Green cards at round start (rules A21)."""
    seat = int(state.to_play)
    count = 0
    ready = ready_cards(state, seat)
    if ready & rules.kind_cards[c.NEW_WORKERS] and total_discs(state.bag) > 0:
        work.legal[count] = a.USE_NEW_WORKERS
        count += 1
    if ready & rules.kind_cards[c.EXCHANGE]:
        swap = a.EXCHANGE_0
        for give in range(c.NUM_COLOURS):
            for take in range(c.NUM_COLOURS):
                if give != take:
                    if state.discs[seat, give] > 0 and state.discs[1 - seat, take] > 0:
                        work.legal[count] = swap
                        count += 1
                    swap += 1  # there is no id for two discs of one colour (A55)
    work.legal[count] = a.START
    return count + 1
