"""What an action does: one handler per phase, in the order of the rules.

    apply_action -> a handler -> ... -> complete_action -> chain window -> end_turn -> next_turn
                                                                    both passed -> end_round -> start_round

Handlers leave the record at the next decision. That may have a single answer; `advance` resolves
such decisions. Nothing here checks legality: callers take actions from `list_legal`.
"""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.records import count_ply, tallied
from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.cards import (
    discard_slot,
    enter_area,
    refill_slots,
    spend_all_money,
    spend_money,
    take_money,
    use_ability,
    use_extra_finance,
)
from channel_tunnel_env.games.tunnel_1987.engine.deviation import (
    check_deviation,
    correct_deviation,
    draw_deviation,
    draws_for,
)
from channel_tunnel_env.games.tunnel_1987.engine.draws import aim_disc_draws, draw_disc
from channel_tunnel_env.games.tunnel_1987.engine.legality import (
    allowance,
    can_align,
    can_finance,
    can_plan,
    can_technology,
    chain_kind,
    front_colour,
    has_effect,
    ready_cards,
    storage_space,
    total_discs,
)
from channel_tunnel_env.games.tunnel_1987.engine.scoring import decide_winner, seat_ahead
from channel_tunnel_env.games.tunnel_1987.engine.tables import NO_BARRIER

_NEW_WORKERS_DRAWS = 48  # where New workers' draws start among the numbers of a round


@compiled
def apply_action(state, rules, action, work):
    """Apply one legal action."""
    count_ply(state)
    phase = state.phase
    seat = int(state.to_play)
    if phase == c.TURN:
        if action == a.PASS:
            _pass(state, rules, seat, work)
        else:
            _place(state, rules, seat, action, work)
    elif phase == c.CHAIN:
        _use_chain(state, rules, seat, action, work)
    elif phase == c.KEEP:
        _keep(state, rules, seat, action, work)
    elif phase == c.RUBBLE:
        _pay_rubble(state, rules, seat, action, work)
    elif phase == c.TRACK:
        _move_counter(state, rules, seat, action, work)
    elif phase == c.ALIGN:
        _align(state, rules, seat, action, work)
    elif phase == c.FINANCE_CARD:
        _finance(state, rules, seat, action - a.TAKE_SLOT, work)
    elif phase == c.DEVELOP_CARD:
        _develop(state, rules, seat, action - a.DEVELOP_SLOT, work)
    elif phase == c.TUNNEL_PAY:
        _pay_two(state, rules, seat, action, work)
    elif phase == c.PEEK:
        _peek(state, rules, seat, action, work)
    elif phase == c.WINDOW:
        _use_green(state, rules, seat, action, work)
    elif phase == c.AGENDA:
        _answer_agenda(state, rules, seat, action, work)
    elif phase == c.PROMOTION_PAY:
        _pay_promotion(state, rules, seat, action, work)


# --- the turn (rules 2.4) -----------------------------------------------------------------------


@compiled
def _place(state, rules, seat, action, work):
    """Lay all discs of one colour on a space, take back the stack there, then act (A13)."""
    space, option, colour = action // 10, action // 5 % 2, action % 5  # ids: space * 10 + option * 5 + colour
    height, placed = int(state.stack_height[space]), int(state.discs[seat, colour])
    # The old stack comes back before the action, so its discs can pay for it (A13), regardless of their colour (A64).
    state.discs[seat, colour] = 0
    if height > 0:
        state.discs[seat, int(state.stack_colour[space])] += height
    state.stack_colour[space] = colour
    state.stack_height[space] = placed
    state.turn_space = space
    state.round_placed = 1
    # Two discs on an empty space: its height is 0 (A71).
    state.supervised = state.agenda_pending[seat] == c.SUPERVISION and placed >= height + 2
    if rules.supervision_at_placement:  # then a symbol turned up by this Plan brings a card (B09)
        _complete_supervision(state, seat)
    state.tally_placed[seat, space, option] = tallied(state.tally_placed[seat, space, option], 1)

    slot = space - c.FIRST_SLOT
    if slot < 0:
        kind = space * 2 + option  # the kinds are in the order of these two spaces
        _begin_action(state, rules, seat, kind, -1, work)
    elif option == 1:
        _begin_action(state, rules, seat, c.DEVELOP, slot, work)
    else:
        kind = int(rules.card_secondary[int(state.slots[slot])])
        # The card leaves before the action, so that the display is full at every decision (A11). Finance takes
        # this very card instead.
        if kind != c.FINANCE:
            discard_slot(state, slot)
            refill_slots(state, rules, work)
        _begin_action(state, rules, seat, kind, slot if kind == c.FINANCE else -1, work)


@compiled
def _begin_action(state, rules, seat, kind, slot, work):
    """Start an action; `slot` binds Finance or Development to a card, -1 leaves it free."""
    state.action = kind
    state.action_slot = slot
    state.new_card = -1  # cards of earlier actions serve from here on (A33, B07)
    # Nothing is done and nothing counted, but cards may follow (A06).
    if rules.null_actions and not has_effect(state, rules, seat, kind, slot):
        _follow_action(state, rules, seat, work)
    elif kind == c.PLAN:
        _plan(state, rules, seat, work)
    elif kind == c.TUNNEL:
        _tunnel(state, rules, seat, work)
    elif kind == c.FINANCE:
        if slot >= 0:  # a secondary Finance takes the card of its own slot (2.6)
            _finance(state, rules, seat, slot, work)
        else:
            state.phase = c.FINANCE_CARD
    elif kind == c.TECHNOLOGY:
        # Repairs asks for an alignment in place of a move, even where no counter could move (A74).
        if state.agenda_pending[seat] == c.REPAIRS:
            state.repairing = 1
            _start_align(state, rules, seat, work)
        else:
            state.phase = c.TRACK
    elif slot >= 0:  # placed for Development: the card of the slot used (A08)
        _develop(state, rules, seat, slot, work)
    else:
        state.phase = c.DEVELOP_CARD


@compiled
def _complete_action(state, rules, seat, work):
    """Mark the action in progress as done, after it has had its effect."""
    kind = int(state.action)
    state.tally_action[seat, kind] = tallied(state.tally_action[seat, kind], 1)
    _follow_action(state, rules, seat, work)


@compiled
def _follow_action(state, rules, seat, work):
    """After an action: the Agenda's demands, then the chain window (rules 7.3, 3.3)."""
    _complete_supervision(state, seat)
    state.last = state.action
    state.action = -1
    state.action_slot = -1
    # Each action opens its own window; that of an earlier one does not come back (A34, A38).
    if ready_cards(state, seat) & rules.chain_cards[int(state.last)]:
        state.phase = c.CHAIN  # with only `use stop` left it is not asked (9.2)
    else:
        _end_turn(state, rules, seat, work)


@compiled
def _end_turn(state, rules, seat, work):
    """The turn passes on after a placement."""
    state.turn_space = -1
    state.last = -1
    state.new_card = -1
    state.previous = seat  # for Warehouse inspection (A69)
    _next_turn(state, rules, 1 - seat)


@compiled
def _next_turn(state, rules, seat):
    """Give the turn to a seat, or to the other if it has passed or must skip (rules 2.2, A69)."""
    if state.passed[seat]:
        seat = 1 - seat
    # The turn is skipped only right after a rival's placement, and while the rival can act again: then the rival
    # acts twice running, as the card says (A69).
    inspected = state.agenda_pending[seat] == c.WAREHOUSE_INSPECTION
    if inspected and not state.passed[1 - seat] and state.previous == 1 - seat:
        _complete_agenda(state, seat)
        state.previous = c.NOBODY
        seat = 1 - seat
    state.to_play = seat
    state.phase = c.TURN


# --- the five actions (rules 2.5) ---------------------------------------------------------------


@compiled
def _plan(state, rules, seat, work):
    """Turn up the nearest face-down own token; its symbol may draw an agenda card (7.1)."""
    index = int(state.revealed[seat])  # face-up tokens are the first in the row (A05)
    state.revealed[seat] = index + 1
    # Symbols that setup turned up count for nothing: only a Plan draws (A67).
    symbol = rules.agenda_enabled and state.route_symbol[seat, index]
    # A symbol turned up while a card is pending is lost (7.1).
    if symbol and state.agenda_pending[seat] < 0 and state.agenda_drawn < c.NUM_AGENDA:
        state.agenda_card = state.agenda_deck[int(state.agenda_drawn)]
        state.agenda_drawn += 1
        state.phase = c.AGENDA
    else:
        _complete_action(state, rules, seat, work)


@compiled
def _tunnel(state, rules, seat, work):
    """Pay the matching disc if there is one (A26), else ask for two."""
    colour = front_colour(state, seat)
    # Two discs replace a missing one; while a matching disc is held there is no choice (A26).
    if state.discs[seat, colour] > 0:
        state.discs[seat, colour] -= 1
        state.bag[colour] += 1
        _bore(state, rules, seat, work)
    else:
        state.phase = c.TUNNEL_PAY


@compiled
def _pay_two(state, rules, seat, action, work):
    """Any two discs go to the bag."""
    for colour in (a.PAY_FIRST[action - a.PAY_0], a.PAY_SECOND[action - a.PAY_0]):
        state.discs[seat, colour] -= 1
        state.bag[colour] += 1
    _bore(state, rules, seat, work)


@compiled
def _bore(state, rules, seat, work):
    """The front token goes to storage, the TBM moves on, and the deviation is checked."""
    colour = front_colour(state, seat)
    draws = draws_for(state, rules, seat, colour)  # before the move, which it looks ahead to
    state.storage[seat, colour] += 1
    state.route_colour[seat, int(state.tbm[seat])] = 0  # places left behind are zero (invariant 29)
    state.route_symbol[seat, int(state.tbm[seat])] = 0
    state.tbm[seat] += 1
    # With `final_check` a loss on the last space comes before the arrival, which then does not count (B06).
    check_deviation(state, rules, seat, draws, work)
    if state.phase == c.OVER:
        return
    # The rival gets no last turn (A82), and no window opens any more (A39).
    if state.tbm[seat] == rules.route_length:
        # No `_complete_action` follows: the Tunnel is counted here, and a pending card stays pending (A78, B09).
        state.tally_action[seat, c.TUNNEL] = tallied(state.tally_action[seat, c.TUNNEL], 1)
        state.reacher = seat
        state.phase = c.OVER
        state.end_cause = c.CENTRE
        decide_winner(state, rules)
    else:
        _complete_action(state, rules, seat, work)


@compiled
def _finance(state, rules, seat, slot, work):
    """Turn a shown card into money; Promotion is paid as soon as that is possible (A75)."""
    take_money(state, rules, seat, slot)
    refill_slots(state, rules, work)
    if state.agenda_pending[seat] == c.PROMOTION and state.money_total[seat] >= c.PROMOTION_PRICE:
        state.phase = c.PROMOTION_PAY
    else:
        _complete_action(state, rules, seat, work)


@compiled
def _move_counter(state, rules, seat, action, work):
    """Technology: pay the barrier, move, gain the benefit, then align (A24)."""
    if action == a.TRACK_NONE:
        # Only if the switch `technology_without_move` offers it (A16).
        _start_align(state, rules, seat, work)
        return
    track = action - a.TRACK_A
    place = int(state.counter[seat, track]) + 1
    price = int(rules.barrier[seat, track, place])
    # Move, then benefit, then alignment (A24); what a barrier was overpaid by aligns at once (A22).
    if price != NO_BARRIER:
        _cross_barrier(state, rules, seat, price, work)
    state.counter[seat, track] = place
    length = int(rules.route_length)
    face_down = state.revealed[0] < length or state.revealed[1] < length
    # The look comes once, on arrival; with nothing left to look at it is lost (A17).
    if rules.benefit[seat, track, place] == c.PEEK_BENEFIT and face_down:
        state.phase = c.PEEK
    else:
        _start_align(state, rules, seat, work)


@compiled
def _cross_barrier(state, rules, seat, price, work):
    """Spend all money cards and as few Extra finance as needed; surplus aligns (A14, A15, A22)."""
    paid = spend_all_money(state, rules, seat)
    state.tally_barrier[seat] = tallied(state.tally_barrier[seat], paid)
    # Extra finance pays the rest by itself, and as few as do (A14), even where there is no money card (A15).
    while paid < price:
        paid += use_extra_finance(state, rules, seat)
    correct_deviation(state, seat, paid - price)
    refill_slots(state, rules, work)  # only now: all money goes as one step (B03)


@compiled
def _peek(state, rules, seat, action, work):
    """Look at a face-down token of either side (A17)."""
    if action >= a.PEEK_RIVAL:
        state.peeked[seat, 1 - seat] |= 1 << (action - a.PEEK_RIVAL)
    else:
        state.peeked[seat, seat] |= 1 << (action - a.PEEK_OWN)
    _start_align(state, rules, seat, work)


@compiled
def _start_align(state, rules, seat, work):
    """Offer alignment while there is deviation and something to pay with."""
    if can_align(state, rules, seat):
        state.phase = c.ALIGN
        return
    if state.repairing:
        state.repairing = 0
        _complete_agenda(state, seat)
    _complete_action(state, rules, seat, work)


@compiled
def _align(state, rules, seat, action, work):
    """Spend one money card or one Extra finance on the deviation, or stop."""
    if action == a.SPEND_STOP:
        if state.repairing:
            state.repairing = 0
            _complete_agenda(state, seat)
        _complete_action(state, rules, seat, work)
        return
    if action == a.SPEND_EXTRA_FINANCE:
        millions = use_extra_finance(state, rules, seat)
    else:
        millions = action - a.SPEND_1 + 1
        spend_money(state, rules, seat, millions)
        refill_slots(state, rules, work)  # the card spent may be all there is for an empty slot (A10)
    state.tally_align[seat] = tallied(state.tally_align[seat], millions)
    correct_deviation(state, seat, millions)
    _start_align(state, rules, seat, work)


@compiled
def _develop(state, rules, seat, slot, work):
    """Take the slot's card at once if it is free, else ask for its rubble."""
    state.action_slot = slot
    if rules.card_cost[int(state.slots[slot])] == c.FREE:
        _take_card(state, rules, seat, work)
    else:
        state.rubble_placed = 0
        state.phase = c.RUBBLE


@compiled
def _pay_rubble(state, rules, seat, action, work):
    """Move one stored token out of the game or onto the card; a one-or-two card may ask again."""
    card = int(state.slots[int(state.action_slot)])
    cost = rules.card_cost[card]
    if action != a.RUBBLE_STOP:
        colour = action - a.RUBBLE_0
        state.storage[seat, colour] -= 1
        if cost == c.DISCARD_1:
            state.out_of_game[colour] += 1
        else:
            # The order counts: the token that was laid first leaves the card first.
            state.card_rubble[card, int(state.rubble_placed)] = colour + 1
            state.rubble_placed += 1
            second = cost == c.PLACE_1_OR_2 and state.rubble_placed == 1
            if second and total_discs(state.storage[seat]) > 0:  # the player may stop at one (1.2)
                return
    _take_card(state, rules, seat, work)


@compiled
def _take_card(state, rules, seat, work):
    """The card enters the area and its slot is refilled."""
    enter_area(state, rules, seat, int(state.action_slot))
    state.rubble_placed = 0
    refill_slots(state, rules, work)
    _complete_action(state, rules, seat, work)


# --- abilities (rules 3) ------------------------------------------------------------------------


@compiled
def _use_chain(state, rules, seat, action, work):
    """Use a red card or Improve technology after an action, or end the turn."""
    if action == a.USE_STOP:
        _end_turn(state, rules, seat, work)
        return
    if action >= a.USE_MACHINERY:
        use_ability(state, rules, seat, c.HEAVY_MACHINERY)
        # Any action, also the one just taken (A31), on any shown card, without a stack (A32).
        _begin_action(state, rules, seat, action - a.USE_MACHINERY, -1, work)
        return
    use_ability(state, rules, seat, chain_kind(action))
    if action <= a.USE_CONTROL_ROOM_2:
        _recover_disc(state, seat)
    elif action == a.USE_CONTROL_ROOM_3:
        _begin_action(state, rules, seat, c.PLAN, -1, work)
    elif action == a.USE_CONTROL_ROOM_4:
        _begin_action(state, rules, seat, c.TUNNEL, -1, work)
    else:
        _begin_action(state, rules, seat, c.TECHNOLOGY, -1, work)


@compiled
def _recover_disc(state, seat):
    """Return one disc of this turn's stack to the seat; the window stays open (A35, A36)."""
    space = int(state.turn_space)
    state.stack_height[space] -= 1  # at 0 the space is empty, and its colour means nothing
    state.discs[seat, int(state.stack_colour[space])] += 1


@compiled
def _use_green(state, rules, seat, action, work):
    """Round-start window: New workers, Exchange, or done."""
    if action == a.START:
        # Both have drawn; the first player is done with its cards before the second begins (A21).
        if seat == state.first_player:
            state.to_play = 1 - seat
        else:
            _next_turn(state, rules, int(state.first_player))
    elif action == a.USE_NEW_WORKERS:
        # One disc above the allowance, only in this round (A54).
        # 16 of a seat's 64 numbers are for these draws; modulo 16, none is one of the other seat's.
        aim_disc_draws(state, seat, _NEW_WORKERS_DRAWS + int(state.tally_ability[seat, c.NEW_WORKERS]) % 16)
        use_ability(state, rules, seat, c.NEW_WORKERS)
        colour = draw_disc(state, total_discs(state.bag), work)
        state.discs[seat, colour] += 1
    else:
        use_ability(state, rules, seat, c.EXCHANGE)
        give, take = a.EXCHANGE_GIVE[action - a.EXCHANGE_0], a.EXCHANGE_TAKE[action - a.EXCHANGE_0]
        state.discs[seat, give] -= 1
        state.discs[1 - seat, give] += 1
        state.discs[1 - seat, take] -= 1
        state.discs[seat, take] += 1


# --- the agenda (rules 7) -----------------------------------------------------------------------


@compiled
def _answer_agenda(state, rules, seat, action, work):
    """Keep or discard the card drawn; Check-up and Promotion take effect at once."""
    kind = int(state.agenda_card)
    state.agenda_card = -1
    if action == a.AGENDA_KEEP:
        # Kept cards are not delayed: their first opportunity is mandatory (A68).
        state.agenda_pending[seat] = kind
        if kind == c.CHECK_UP:
            # A normal draw, so it can lose the game (A73).
            draw_deviation(state, rules, seat, work)
            if state.phase == c.OVER:
                return
            _complete_agenda(state, seat)
        elif kind == c.PROMOTION and state.money_total[seat] >= c.PROMOTION_PRICE:
            state.phase = c.PROMOTION_PAY
            return
    _complete_action(state, rules, seat, work)


@compiled
def _pay_promotion(state, rules, seat, action, work):
    """Discard money cards of the seat's choice until the price is paid; no change is given."""
    value = action - a.SPEND_1 + 1
    spend_money(state, rules, seat, value)
    refill_slots(state, rules, work)
    state.promotion_paid += value
    if state.promotion_paid >= c.PROMOTION_PRICE:
        state.promotion_paid = 0
        _complete_agenda(state, seat)
        _complete_action(state, rules, seat, work)


@compiled
def _complete_agenda(state, seat):
    """Turn the pending card face down into the area."""
    state.agenda_completed[seat] |= 1 << int(state.agenda_pending[seat])
    state.agenda_pending[seat] = -1


@compiled
def _complete_supervision(state, seat):
    """This turn's stack has fulfilled Supervision: when placed or after its action (B09)."""
    if state.supervised:
        state.supervised = 0
        _complete_agenda(state, seat)


# --- passing and rounds (rules 5, 2.1) ----------------------------------------------------------


@compiled
def _pass(state, rules, seat, work):
    """Take the first-player card (A18), then ask which discs to keep."""
    # The first to pass gets the card; `first_player_card` lets every passer take it (A18).
    if not rules.first_to_pass or not state.passed[1 - seat]:
        state.first_player = seat
    state.passed[seat] = 1
    # A pass is no placement, so no seat skips a turn (A69).
    state.previous = c.NOBODY
    state.kept = 0
    state.keep_colour = -1
    _ask_next_colour(state, rules, seat, work)


@compiled
def _keep(state, rules, seat, action, work):
    """Keep n discs of the colour asked for, the rest go to the bag."""
    colour, n = (action - a.KEEP_0) // 6, (action - a.KEEP_0) % 6  # ids: colour * 6 + number kept
    state.bag[colour] += int(state.discs[seat, colour]) - n
    state.discs[seat, colour] = n
    state.kept += n
    state.tally_kept[seat] = tallied(state.tally_kept[seat], n)
    _ask_next_colour(state, rules, seat, work)


@compiled
def _ask_next_colour(state, rules, seat, work):
    """Ask about the next held colour; after the last one the turn passes on."""
    for colour in range(int(state.keep_colour) + 1, c.NUM_COLOURS):
        if state.discs[seat, colour] > 0:
            state.keep_colour = colour
            state.phase = c.KEEP
            return
    state.keep_colour = 0  # zero in other phases (invariant 19)
    state.kept = 0
    # Who has passed does not come back in this round (A61).
    if state.passed[1 - seat]:
        _end_round(state, rules, work)
    else:
        _next_turn(state, rules, 1 - seat)


@compiled
def _end_round(state, rules, work):
    """Return the discs on the spaces to the bag; stop a game without progress (rules 6.5)."""
    for space in range(c.NUM_SPACES):
        if state.stack_height[space] > 0:
            state.bag[int(state.stack_colour[space])] += int(state.stack_height[space])
            state.stack_height[space] = 0
        state.stack_colour[space] = 0
    # Nothing in the rules forces play, so rounds without a placement are counted and end the game (A56).
    state.empty_rounds = 0 if state.round_placed else int(state.empty_rounds) + 1
    if state.empty_rounds >= rules.max_empty_rounds:
        _stop(state, rules, c.EMPTY_ROUNDS)
    elif state.round_no >= rules.max_rounds:
        _stop(state, rules, c.MAX_ROUNDS)
    else:
        start_round(state, rules, work)


@compiled
def start_round(state, rules, work):
    """Draw discs, all of the first player's first, then open the round-start window."""
    state.round_no += 1
    state.used = 0
    state.round_placed = 0
    state.previous = c.NOBODY
    state.turn_space = -1
    state.action = -1
    state.last = -1
    state.action_slot = -1
    first = int(state.first_player)
    for i in range(c.NUM_SEATS):
        state.passed[i] = 0
        # A bag that runs short fills up the first player; nothing is owed to the other (A60).
        _draw_discs(state, rules, first if i == 0 else 1 - first, work)
    if _is_dead(state, rules):  # after the draws, before anything is asked (2.1)
        _stop(state, rules, c.DEAD_POSITION)
        return
    _follow_lead(state, rules)  # a statistic, no rule (B08)
    state.to_play = first
    state.phase = c.WINDOW


@compiled
def _draw_discs(state, rules, seat, work):
    """Draw up to the allowance; Training draws one disc fewer (A72)."""
    in_bag = total_discs(state.bag)
    # Not below 0: discs of a head start that were kept may exceed the allowance of round 2.
    wanted = max(0, allowance(state, rules, seat) - total_discs(state.discs[seat]))
    drawn = min(wanted, in_bag)
    # A draw of none cannot be one disc fewer: the card waits for one that brings some (A72).
    if state.agenda_pending[seat] == c.TRAINING and drawn >= 1:
        drawn -= 1
        _complete_agenda(state, seat)
    aim_disc_draws(state, seat, 0)
    for _ in range(drawn):
        colour = draw_disc(state, in_bag, work)
        state.discs[seat, colour] += 1
        in_bag -= 1


@compiled
def _is_dead(state, rules):
    """No seat can ever act again (A57): no card shown, all revealed, storage full, no counter.

    Null actions can always be placed.
    """
    if rules.null_actions or can_finance(state):  # a shown card can always be taken as money
        return False
    for seat in range(c.NUM_SEATS):
        # One seat that can act is enough: the other one passes (A59). A full storage stops only Tunnel (A58).
        full = total_discs(state.storage[seat]) >= storage_space(state, rules, seat)
        if can_plan(state, rules, seat) or not full or can_technology(state, rules, seat):
            return False
    return True


@compiled
def _stop(state, rules, cause):
    """End a game without progress: scored as it is, or a draw."""
    state.phase = c.OVER
    state.end_cause = cause
    if rules.stalemate_scored:
        decide_winner(state, rules)
    else:
        state.winner = c.DRAW


@compiled
def _follow_lead(state, rules):
    """Count changes of the lead from round to round."""
    ahead = seat_ahead(state, rules)
    if ahead != c.DRAW:
        if state.leader != c.DRAW and state.leader != ahead:
            state.lead_changes = tallied(state.lead_changes, 1)
        state.leader = ahead
