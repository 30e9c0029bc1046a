"""What an action does."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from shaft_bluff.engine import constants as c


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
