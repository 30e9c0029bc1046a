"""Whole turns, tried on copies of the record with the engine's own rules, and what they are worth.

A turn is up to four decisions: cell, rotation, claim and token. From whichever of them is at hand, every
way to end the turn is played on a copy, final scoring included, and valued by the weights. A copy's deck is
read only by the draw that ends the turn, and no value depends on which tile that draw turns up.

All compiled code of these players is in this file: numba's cache detects changes of this file, and the
cache folder depends on the engine's code.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.rng import GOLDEN, mix
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.legality import list_legal, owns_colour, road_men
from channel_tunnel_env.games.carcassonne.engine.scoring import score_end, survey
from channel_tunnel_env.games.carcassonne.engine.transition import apply_action

DECISIONS = 4  # at most, in a turn
LEVELS = DECISIONS + 1  # copies of the record that a walk through a turn needs
OWN, REPLY, PROBE = 0, LEVELS, 2 * LEVELS  # where walks and single copies stand among the copies
COPIES = PROBE + 2
MOST_KEPT = 64  # turns that `expectimax` can look beyond
TIE = 1e-9  # values closer than this are equal
_NOTHING = -np.inf

WALK_DTYPE = np.dtype(
    [
        ("depth", np.int64),  # decisions taken on the way to the one at hand; -1: no turn is left
        ("legal", np.int16, (DECISIONS, c.NUM_ACTIONS)),
        ("count", np.int64, DECISIONS),
        ("next", np.int64, DECISIONS),  # the entry of `legal` to try next
        ("path", np.int64, DECISIONS),  # the actions that led to the last turn tried
        ("length", np.int64),  # how many they are
    ],
    align=True,
)
DESK_DTYPE = np.dtype(
    [
        ("value", np.float64, c.NUM_ACTIONS),  # of the best turn that begins with an action
        ("kept", np.int64),  # turns kept, the best of them first
        ("kept_value", np.float64, MOST_KEPT),
        ("kept_path", np.int64, (MOST_KEPT, DECISIONS)),
        ("kept_length", np.int64, MOST_KEPT),
    ],
    align=True,
)


@kernel
def choose_greedily(states, rows, tables, weights, key, copies, walks, desks, work, actions):
    """Write the first action of the best turn of each of the games `rows`, ties broken by lot."""
    for k in range(rows.shape[0]):
        copies[OWN] = states[int(rows[k])]
        state = copies[OWN]
        rules = tables[int(state.ruleset)]
        _value_actions(copies, rules, weights[0], walks[0], desks[0], work[0])
        actions[k] = _choose(state, rules, key, desks[0], work[0])


@kernel
def choose_looking_ahead(states, rows, tables, weights, key, most, copies, walks, desks, work, actions):
    """The same for `expectimax`: of the `most` best turns, each less what the next seat gains by its answer."""
    for k in range(rows.shape[0]):
        copies[OWN] = states[int(rows[k])]
        state = copies[OWN]
        rules = tables[int(state.ruleset)]
        desk = desks[0]
        _keep_turns(copies, rules, weights[0], most, walks[0], desk, work[0])
        for action in range(c.NUM_ACTIONS):
            desk.value[action] = _NOTHING
        for place in range(int(desk.kept)):
            loss = _answer(copies, rules, weights[0], place, walks[1], desk, work[0])
            first = int(desk.kept_path[place, 0])
            desk.value[first] = max(desk.value[first], desk.kept_value[place] - loss)
        actions[k] = _choose(state, rules, key, desk, work[0])


# --- a walk through all turns -------------------------------------------------------------------------


@compiled
def _begin_walk(copies, base, rules, walk, work):
    """Stand before the first turn from the decision of copy `base`."""
    walk.depth = 0
    _list_options(copies[base], rules, walk, work)


@compiled
def _list_options(state, rules, walk, work):
    depth = int(walk.depth)
    count = list_legal(state, rules, work)
    for k in range(count):
        walk.legal[depth, k] = work.legal[k]
    walk.count[depth] = count
    walk.next[depth] = 0


@compiled
def _next_turn(copies, base, rules, walk, work):
    """Play the next turn to its end; returns the copy that holds the position then, or NONE."""
    while walk.depth >= 0:
        depth = int(walk.depth)
        if walk.next[depth] == walk.count[depth]:
            walk.depth -= 1
            continue
        action = int(walk.legal[depth, int(walk.next[depth])])
        walk.next[depth] += 1
        walk.path[depth] = action
        # A copy for each depth: the next option here starts from the same position.
        copies[base + depth + 1] = copies[base + depth]
        state = copies[base + depth + 1]
        # Without `advance`: decisions with one answer are steps of the walk as well.
        apply_action(state, rules, action, work)
        # The draw of the next tile counts the turn on; a game that ends draws none that fits.
        if state.turn != copies[base].turn or state.phase == c.OVER:
            walk.length = depth + 1
            return base + depth + 1
        walk.depth = depth + 1
        _list_options(state, rules, walk, work)
    return c.NONE


@compiled
def _value_actions(copies, rules, weights, walk, desk, work):
    """The value of the best turn that begins with each action, to `desk.value`."""
    for action in range(c.NUM_ACTIONS):
        desk.value[action] = _NOTHING
    seat, tunnels = int(copies[OWN].to_play), _tunnels(copies[OWN])
    _begin_walk(copies, OWN, rules, walk, work)
    place = _next_turn(copies, OWN, rules, walk, work)
    while place != c.NONE:
        first = int(walk.path[0])
        # It may change the copy, which is overwritten before it is read again.
        value = _value(copies[place], rules, seat, tunnels, weights, work)
        desk.value[first] = max(desk.value[first], value)
        place = _next_turn(copies, OWN, rules, walk, work)


@compiled
def _best_value(copies, base, rules, weights, walk, work):
    """The value of the best turn of the seat to play in copy `base`."""
    seat, tunnels = int(copies[base].to_play), _tunnels(copies[base])
    best = _NOTHING
    _begin_walk(copies, base, rules, walk, work)
    place = _next_turn(copies, base, rules, walk, work)
    while place != c.NONE:
        best = max(best, _value(copies[place], rules, seat, tunnels, weights, work))
        place = _next_turn(copies, base, rules, walk, work)
    return best


# --- what a position is worth -------------------------------------------------------------------------


@compiled
def _tunnels(state):
    """Tunnels that the seat to play has finished."""
    return int(state.tally_second[int(state.to_play)])


@compiled
def _value(state, rules, seat, tunnels, weights, work):
    """What a position is worth to a seat that had finished `tunnels` tunnels; changes the record."""
    if state.phase == c.OVER:
        return _margin(state, rules, seat, weights, False)
    lying = int(rules.followers) - int(state.hand[seat])
    value = weights.follower * lying + weights.finish * (int(state.tally_second[seat]) - tunnels)
    if rules.tunnel:
        value += _value_of_halves(state, rules, seat, weights, work)
    for other in range(int(rules.players)):
        for kind in range(c.NUM_KINDS):
            state.tally_points[other, kind] = 0  # so that it holds what the final scoring adds
    score_end(state, rules, work)
    return value + _margin(state, rules, seat, weights, True)


@compiled
def _margin(state, rules, seat, weights, is_open):
    """A seat's total less the best of its rivals', points of an open game weighed by kind."""
    own, best = 0.0, _NOTHING
    for other in range(int(rules.players)):
        # The score holds the points of the final scoring once: a weight adds what it differs from 1.
        total = float(state.score[other])
        if is_open and other == seat:
            total += (weights.city - 1.0) * state.tally_points[other, c.CITY]
            total += (weights.road - 1.0) * state.tally_points[other, c.ROAD]
            total += (weights.cloister - 1.0) * state.tally_points[other, c.CLOISTER]
            total += (weights.field - 1.0) * state.tally_points[other, c.FIELD]
        elif is_open:
            for kind in range(c.NUM_KINDS):
                total += (weights.rival - 1.0) * state.tally_points[other, kind]
        if other == seat:
            own = total
        else:
            best = max(best, total)
    return own - best


@compiled
def _value_of_halves(state, rules, seat, weights, work):
    """Roads with half tunnels: own followers that a rival's holds up, and rivals' roads that an own one does."""
    value = 0.0
    for opening in range(c.NUM_OPENINGS):
        if not _is_half(state, opening):
            continue
        is_own = owns_colour(rules, seat, int(state.mouth_colour[opening]))
        if _is_seen(state, rules, seat, opening, is_own):
            continue
        own, others = road_men(state, opening, seat)
        if not is_own:
            value += weights.stuck * own
        elif others > 0 and weights.blocked != 0.0:  # survey walks the whole road
            label = int(state.label[int(state.mouth_node[opening])])
            value += weights.blocked * survey(state, label, work)
    return value


@compiled
def _is_half(state, opening):
    """Whether a half tunnel begins at an opening."""
    return state.mouth_colour[opening] >= 0 and state.mouth_partner[opening] < 0


@compiled
def _is_seen(state, rules, seat, opening, is_own):
    """Whether an opening before this one stands for the same road."""
    label = state.label[int(state.mouth_node[opening])]
    seen = False
    for other in range(opening):
        if _is_half(state, other) and state.label[int(state.mouth_node[other])] == label:
            seen |= owns_colour(rules, seat, int(state.mouth_colour[other])) == is_own
    return seen


# --- one turn further ---------------------------------------------------------------------------------


@compiled
def _keep_turns(copies, rules, weights, most, walk, desk, work):
    """Keep the best turns. If several differ only in their last decision, such as the token, one is kept."""
    desk.kept = 0
    seat, tunnels = int(copies[OWN].to_play), _tunnels(copies[OWN])
    _begin_walk(copies, OWN, rules, walk, work)
    place = _next_turn(copies, OWN, rules, walk, work)
    while place != c.NONE:
        value = _value(copies[place], rules, seat, tunnels, weights, work)
        _keep(desk, walk, value, most)
        place = _next_turn(copies, OWN, rules, walk, work)


@compiled
def _keep(desk, walk, value, most):
    """Sort a turn in by value, in the place of one that begins the same."""
    length = int(walk.length)
    place = 0
    while place < desk.kept and not _is_twin(desk, walk, place):
        place += 1
    if place < desk.kept:
        if value <= desk.kept_value[place]:  # the twin kept is at least as good
            return
    elif desk.kept < most:
        desk.kept += 1
    elif value <= desk.kept_value[most - 1]:
        return
    else:
        place = most - 1  # the worst one goes
    while place > 0 and desk.kept_value[place - 1] < value:
        desk.kept_value[place] = desk.kept_value[place - 1]
        desk.kept_length[place] = desk.kept_length[place - 1]
        for k in range(DECISIONS):
            desk.kept_path[place, k] = desk.kept_path[place - 1, k]
        place -= 1
    desk.kept_value[place] = value
    desk.kept_length[place] = length
    for k in range(length):
        desk.kept_path[place, k] = walk.path[k]


@compiled
def _is_twin(desk, walk, place):
    """Whether a kept turn parts from the walk's only at the last decision, which is not the first."""
    length = int(walk.length)
    same = length > 1 and desk.kept_length[place] == length
    for k in range(length - 1):
        same &= desk.kept_path[place, k] == walk.path[k]
    return same


@compiled
def _answer(copies, rules, weights, place, walk, desk, work):
    """What the next seat gains on average by its best answer to a kept turn, over the tiles it may draw.

    The draw is as likely to be a type as tiles of it are face down; types that fit nowhere leave the game.
    """
    copies[PROBE] = copies[OWN]
    before = copies[PROBE]
    last = int(desk.kept_length[place]) - 1
    # All but the last decision, which draws the next tile: for each type it is taken on a copy of its own.
    for k in range(last):
        apply_action(before, rules, int(desk.kept_path[place, k]), work)
    final = int(desk.kept_path[place, last])
    gains, tiles = 0.0, 0
    for kind in range(int(rules.num_types)):
        count = int(before.unseen[kind])
        if count > 0 and _draw_next(copies, rules, final, kind, work):
            # _value changes its record, and the answers start from REPLY.
            copies[PROBE + 1] = copies[REPLY]
            seat, tunnels = int(copies[REPLY].to_play), _tunnels(copies[REPLY])
            stands = _value(copies[PROBE + 1], rules, seat, tunnels, weights, work)
            best = _best_value(copies, REPLY, rules, weights, walk, work)
            gains += count * (best - stands)
            tiles += count
    return gains / tiles if tiles > 0 else 0.0


@compiled
def _draw_next(copies, rules, final, kind, work):
    """End the turn of copy PROBE with an action in copy REPLY, a type on top of the deck; whether it fits."""
    copies[REPLY] = copies[PROBE]
    state = copies[REPLY]
    top = int(state.drawn)
    place = top
    while state.deck[place] != kind:  # ends: a tile of this type is face down
        place += 1
    state.deck[place] = state.deck[top]
    state.deck[top] = kind
    apply_action(state, rules, final, work)
    # Had it fitted nowhere, another tile would have been drawn, or the game would be over (C11).
    return state.phase != c.OVER and state.drawn == top + 1


# --- the choice ---------------------------------------------------------------------------------------


@compiled
def _choose(state, rules, key, desk, work):
    """The legal action of the highest value; equal ones draw lots, hashed from all that lies on the table."""
    count = list_legal(state, rules, work)
    best = _NOTHING
    for k in range(count):
        best = max(best, desk.value[int(work.legal[k])])
    # A hash and not a generator: a row's choice must not depend on other rows.
    word, chosen, highest = _hash(state, key), c.NONE, np.uint64(0)
    for k in range(count):
        action = int(work.legal[k])
        if desk.value[action] >= best - TIE:
            lot = mix(word + np.uint64(action + 1) * GOLDEN)
            if chosen == c.NONE or lot > highest:
                chosen, highest = action, lot
    return chosen


@compiled
def _hash(state, key):
    """One word from the key and what everybody sees: tiles, followers, tokens and the decision at hand."""
    word = _stir(_stir(_stir(key, state.phase), state.tile), state.cell)
    for number in range(int(state.tile_count)):
        word = _stir(word, state.tile_type[number])
        word = _stir(word, int(state.tile_cell[number]) * c.NUM_SIDES + int(state.tile_turned[number]))
    for node in range(int(state.first_node[int(state.tile_count)])):
        if state.follower[node] >= 0:
            word = _stir(word, node * c.MAX_SEATS + int(state.follower[node]))
    for opening in range(c.NUM_OPENINGS):
        word = _stir(_stir(word, state.mouth_colour[opening]), state.mouth_partner[opening])
    return mix(word)


@compiled
def _stir(word, number):
    # + 1: NONE is -1, and the word has no sign.
    return (word + np.uint64(int(number) + 1)) * GOLDEN
