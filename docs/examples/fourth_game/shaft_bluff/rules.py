"""The rules: what is legal, how a game is set up, what an action does. Functions over one record, compiled by numba."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import shuffle
from shaft_bluff import constants as c

# --- what a player may do: the only place that decides it -----------------------------------------


@compiled
def list_legal(state, rules, work):
    """Write the legal ids to `work.legal`, ascending; returns their number."""
    count = 0
    if state.phase == c.ANSWER:
        work.legal[0], work.legal[1] = c.BELIEVE, c.CHECK
        return 2
    for card in range(int(rules.depths)):
        if state.phase == c.DIG and state.hand[state.to_play, card] > 0:
            work.legal[count] = card
            count += 1
        elif state.phase == c.ANNOUNCE:
            work.legal[count] = c.FIRST_ANNOUNCE + card
            count += 1
    return count


# --- setting up a game ----------------------------------------------------------------------------


@compiled
def set_up(state, rules, work):
    """Shuffle and deal; the record is zeroed but for its keyed stream and its ruleset."""
    state.winner = c.NOBODY
    state.card, state.said = c.NONE, c.NONE
    state.turn = 1
    count = 0
    for card in range(int(rules.depths)):
        for _ in range(int(rules.copies)):
            state.deck[count] = card
            count += 1
    state.deck_size = count
    shuffle(state, c.DECK_STREAM, state.deck, 0, count, work)
    for seat in range(c.SEATS):
        for _ in range(int(rules.hand)):
            draw_card(state, seat)


# --- what an action does --------------------------------------------------------------------------


@compiled
def total(state, seat):
    """A seat's points."""
    points = 0
    for source in range(len(c.SOURCES)):
        points += int(state.points[seat, source])
    return points


@compiled
def draw_card(state, seat):
    """Take the next card of the deck, which a valid ruleset makes large enough."""
    state.hand[seat, state.deck[state.drawn]] += 1
    state.drawn += 1


@compiled
def apply_action(state, rules, action, work):
    """Do a legal action."""
    state.ply += 1
    if state.phase == c.DIG:
        state.hand[state.to_play, action] -= 1
        state.card = action
        state.phase = c.ANNOUNCE
    elif state.phase == c.ANNOUNCE:
        state.said = action - c.FIRST_ANNOUNCE
        state.phase = c.ANSWER
        state.to_play = 1 - state.to_play
    else:
        _answer(state, rules, action)
        _end_turn(state, rules)


@compiled
def _answer(state, rules, action):
    checker = int(state.to_play)
    digger = 1 - checker
    depth = int(state.said) + 1
    if action == c.BELIEVE:
        state.buried[digger, state.card] += 1
        state.points[digger, c.BELIEVED] += depth
        return
    state.shown[state.card] += 1
    if state.card >= state.said:
        state.points[digger, c.PROVED] += depth + rules.proved
    else:
        state.points[checker, c.CAUGHT] += rules.caught


@compiled
def _end_turn(state, rules):
    draw_card(state, 1 - int(state.to_play))
    state.card, state.said = c.NONE, c.NONE
    if state.turn == c.SEATS * rules.turns:
        state.phase = c.OVER
        state.end_cause = c.LAST_TURN
        state.winner = find_winner(state)
    else:  # the player who answered digs next
        state.turn += 1
        state.phase = c.DIG


@compiled
def find_winner(state):
    """The seat with more points, or DRAW."""
    north, south = total(state, 0), total(state, 1)
    if north == south:
        return c.DRAW
    return 0 if north > south else 1
