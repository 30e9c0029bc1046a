"""What a power sees, as float32 values in [0, 1]: powers in the order of their index, the viewer first.

    board        75 x 30   unit A, F; first, second coast; its power 7; owner of the centre 7, nobody 1;
                           in retreats: dislodged A, F; its power 7; contested; own home centre where a unit may be raised
    last phase   75 x 24   order reported 8: none, hold, move, tunnel, support to hold, to move, convoy, void;
                           it succeeded; moves into the province by power 7; supports into it 7; stand-off
    own orders   75 x 10   what the viewer wrote in this phase 8: none, hold ... convoy, build; its moves into
                           the province, its supports into it
    asked        77        the viewer's unit that is asked 75; it is an army, a fleet
    tunnels      213 x 10  by pair of ends: own hidden, own open, open of each other power 6, the viewer was
                           told of one, the viewer permits somebody
    permissions  4 x 7     the viewer's tunnels by slot: permissions as written
    holding      75 x 7    phases in which a power's army was reported holding there, / 40
    numbers      100       see `_fill_numbers`; the last 37 are spare

Nothing depends on what others wrote in the running phase, nor on tunnels that the viewer does not know.
"""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.tunnels import is_standing
from channel_tunnel_env.games.eurotunnel.engine.winter import count_centres, count_units

BOARD_WIDTH, LAST_WIDTH, OWN_WIDTH, PAIR_WIDTH = 30, 24, 10, 10
BOARD = 0
LAST = BOARD + c.NUM_PROVINCES * BOARD_WIDTH
OWN = LAST + c.NUM_PROVINCES * LAST_WIDTH
ASKED = OWN + c.NUM_PROVINCES * OWN_WIDTH
TUNNELS = ASKED + c.NUM_PROVINCES + 2
PERMISSIONS = TUNNELS + c.NUM_PAIRS * PAIR_WIDTH
HOLDING = PERMISSIONS + c.MAX_TUNNELS * c.NUM_POWERS
NUMBERS = HOLDING + c.NUM_PROVINCES * c.NUM_POWERS
OBSERVATION_SIZE = NUMBERS + 100

# Features of a province in `board`.
_COAST, _POWER, _OWNER, _NO_OWNER, _LOST, _LOST_POWER, _CONTESTED, _OPEN_HOME = (
    2,
    4,
    11,
    18,
    19,
    21,
    28,
    29,
)
# Features of a province in `last phase`.
_VOID_ORDER, _SUCCEEDED, _MOVES_IN, _SUPPORTS_IN, _STAND_OFF = 7, 8, 9, 16, 23
# Features of a province in `own orders`.
_BUILDS, _OWN_MOVES_IN, _OWN_SUPPORTS_IN = 7, 8, 9
_MANY_HOLDS = 40
_MANY_UNITS = 34
_MANY_HELPERS = 8


@compiled
def seat_of(power, viewer):
    """The place of a power as the viewer counts: itself 0."""
    if power < viewer:
        return power + 1
    return 0 if power == viewer else power


@compiled
def fill_observation(state, rules, viewer, work, out, i):
    """Write what `viewer` sees to row i of `out`, float32 (B, OBSERVATION_SIZE)."""
    out[i, :] = 0.0
    for place in range(c.NUM_PROVINCES):
        _fill_place(state, rules, viewer, place, out, i)
        for power in range(c.NUM_POWERS):
            held = min(1.0, int(state.held[power, place]) / _MANY_HOLDS)
            out[i, HOLDING + place * c.NUM_POWERS + seat_of(power, viewer)] = held
    for place in range(c.NUM_PROVINCES):
        if state.told_order[place] >= 0:
            _fill_told(state, rules, viewer, place, out, i)
        if state.written[place] >= 0 and state.unit_power[place] == viewer:
            _fill_own_order(state, rules, place, out, i)
    for place in range(c.NUM_PROVINCES):
        _fill_stand_off(out, i, place)
    _fill_asked(state, viewer, out, i)
    _fill_tunnels(state, viewer, out, i)
    _fill_numbers(state, rules, viewer, out, i)


@compiled
def _fill_place(state, rules, viewer, place, out, i):
    at = BOARD + place * BOARD_WIDTH
    power, location = int(state.unit_power[place]), int(state.unit_location[place])
    if power >= 0:
        out[i, at + int(state.unit_type[place]) - 1] = 1
        out[i, at + _POWER + seat_of(power, viewer)] = 1
        if location >= c.NUM_PROVINCES:
            # The two coasts of a province stand side by side.
            out[i, at + _COAST + (location - c.NUM_PROVINCES) % 2] = 1
    if rules.centre[place]:
        owner = int(state.owner[place])
        out[i, at + (_OWNER + seat_of(owner, viewer) if owner >= 0 else _NO_OWNER)] = 1
    if state.phase == c.RETREATS and state.told_result[place] >= c.DISLODGED:
        # By the report: whether another's unit has a place to go may be a secret.
        out[i, at + _LOST + int(state.told_type[place]) - 1] = 1
        out[i, at + _LOST_POWER + seat_of(int(state.told_power[place]), viewer)] = 1
    out[i, at + _CONTESTED] = state.contested[place]
    own_home = rules.home[place] == viewer and state.owner[place] == viewer
    out[i, at + _OPEN_HOME] = own_home and power < 0


@compiled
def _order_feature(kind):
    """Place of a kind of order among the eight that are told apart."""
    if kind == c.HOLD:
        return 1
    if kind == c.MOVE or kind == c.VIA:
        return 2
    if kind == c.TUNNEL:
        return 3
    if kind == c.SUPPORT_HOLD:
        return 4
    if kind == c.SUPPORT_MOVE:
        return 5
    return 6 if kind == c.CONVOY else _BUILDS


@compiled
def _is_move(kind):
    return kind == c.MOVE or kind == c.VIA or kind == c.TUNNEL


@compiled
def _aim(rules, action, kind):
    """The province that a move or support acts in."""
    if kind == c.SUPPORT_HOLD:
        return int(rules.action_src[action])
    return int(rules.province_of[int(rules.action_dst[action])])


@compiled
def _fill_told(state, rules, viewer, place, out, i):
    """An order of the last movement phase and what became of it."""
    action = int(state.told_order[place])
    kind, result = int(rules.action_kind[action]), int(state.told_result[place]) % c.DISLODGED
    seat = seat_of(int(state.told_power[place]), viewer)
    at = LAST + place * LAST_WIDTH
    out[i, at + (_VOID_ORDER if result == c.VOID else _order_feature(kind))] = 1
    done = result == c.STOOD or result == c.MOVED or result == c.DONE
    out[i, at + _SUCCEEDED] = done
    if _is_move(kind):
        into = LAST + _aim(rules, action, kind) * LAST_WIDTH
        out[i, into + _MOVES_IN + seat] = min(1.0, out[i, into + _MOVES_IN + seat] + 0.25)
        if result == c.FAILED and out[i, into + _STAND_OFF] == 0:
            out[i, into + _STAND_OFF] = 0.5  # until a move that succeeds is found
        elif result == c.MOVED:
            out[i, into + _STAND_OFF] = 0.25
    elif kind == c.SUPPORT_HOLD or kind == c.SUPPORT_MOVE:
        into = LAST + _aim(rules, action, kind) * LAST_WIDTH + _SUPPORTS_IN + seat
        out[i, into] = min(1.0, out[i, into] + 1.0 / _MANY_HELPERS)


@compiled
def _fill_stand_off(out, i, place):
    """A stand-off: moves into the province failed, and none succeeded."""
    at = LAST + place * LAST_WIDTH + _STAND_OFF
    out[i, at] = out[i, at] == 0.5


@compiled
def _fill_own_order(state, rules, place, out, i):
    action = int(state.written[place])
    kind = int(rules.action_kind[action])
    if kind > c.CONVOY:
        return
    out[i, OWN + place * OWN_WIDTH + _order_feature(kind)] = 1
    if _is_move(kind):
        out[i, OWN + _aim(rules, action, kind) * OWN_WIDTH + _OWN_MOVES_IN] = 1
    elif kind == c.SUPPORT_HOLD or kind == c.SUPPORT_MOVE:
        into = OWN + _aim(rules, action, kind) * OWN_WIDTH + _OWN_SUPPORTS_IN
        out[i, into] = min(1.0, out[i, into] + 1.0 / _MANY_HELPERS)


@compiled
def _fill_asked(state, viewer, out, i):
    place = int(state.cursor)
    if state.to_play != viewer or place < 0:
        return
    retreats = state.phase == c.RETREATS
    kind = int(state.lost_type[place]) if retreats else int(state.unit_type[place])
    out[i, ASKED + place] = 1
    out[i, ASKED + c.NUM_PROVINCES + kind - 1] = 1


@compiled
def _fill_tunnels(state, viewer, out, i):
    """What the viewer knows of tunnels, and its permissions."""
    for owner in range(c.NUM_POWERS):
        for slot in range(c.MAX_TUNNELS):
            if not is_standing(state, owner, slot):
                continue
            at = TUNNELS + int(state.tunnel_pair[owner, slot]) * PAIR_WIDTH
            opened = state.tunnel_state[owner, slot] == c.OPENED
            if owner == viewer:
                out[i, at + opened] = 1
                permits = int(state.tunnel_next[owner, slot])
                if permits:
                    out[i, at + 9] = 1
                for power in range(c.NUM_POWERS):
                    seat = PERMISSIONS + slot * c.NUM_POWERS + seat_of(power, viewer)
                    out[i, seat] = permits >> power & 1
            else:
                if opened:
                    out[i, at + 1 + seat_of(owner, viewer)] = 1
                if int(state.tunnel_told[owner, slot]) >> viewer & 1:
                    out[i, at + 8] = 1


@compiled
def _fill_numbers(state, rules, viewer, out, i):
    """Season 2, phase 3, what is asked 3, year; by power centres, units, alive, units to raise (above a half)
    or remove; tunnels the viewer built 4; by power tunnels opened, and of these demolished; switches 8.
    """
    at = NUMBERS
    if state.season < 2:
        out[i, at + int(state.season)] = 1
    if state.phase < 3:
        out[i, at + 2 + int(state.phase)] = 1
    if state.to_play == viewer and state.phase != c.OVER and state.asked < 3:
        out[i, at + 5 + int(state.asked)] = 1
    years = int(rules.max_year) - int(rules.first_year) + 1
    out[i, at + 8] = min(1.0, (int(state.year) - int(rules.first_year)) / years)
    at += 9
    for power in range(c.NUM_POWERS):
        _fill_power(state, viewer, power, out, i, at + seat_of(power, viewer))
    at += 28
    for slot in range(int(state.built[viewer])):
        out[i, at + slot] = 1
    at += 4
    for power in range(c.NUM_POWERS):
        opened = demolished = 0
        for slot in range(c.MAX_TUNNELS):
            opened += state.tunnel_state[power, slot] == c.OPENED
            demolished += state.tunnel_state[power, slot] == c.DEMOLISHED
        seat = seat_of(power, viewer)
        out[i, at + seat] = (opened + demolished) / c.MAX_TUNNELS
        out[i, at + 7 + seat] = demolished / c.MAX_TUNNELS
    at += 14
    out[i, at] = rules.rulebook == c.BOOK_DATC
    out[i, at + 1] = int(rules.tunnels_per_power) / c.MAX_TUNNELS
    out[i, at + 2] = int(rules.tunnels_per_turn) / c.MAX_TUNNELS
    out[i, at + 3] = int(rules.tunnels_per_province) / c.MAX_TUNNELS
    out[i, at + 4] = rules.permissions
    out[i, at + 5] = rules.draw_vote
    out[i, at + 6] = int(rules.limit_score) / 3
    out[i, at + 7] = int(rules.victory_centres) / c.NUM_CENTRES


@compiled
def _fill_power(state, viewer, power, out, i, at):
    """Centres, units, alive, and what is to be raised or removed: others' by the board, not by their answers."""
    centres, units = count_centres(state, power), count_units(state, power)
    out[i, at] = centres / c.NUM_CENTRES
    out[i, at + 7] = min(1.0, units / _MANY_UNITS)
    out[i, at + 14] = int(state.alive) >> power & 1
    quota = centres - units
    if power == viewer and state.phase == c.ADJUSTMENTS:
        quota = int(state.quota[power])
    out[i, at + 21] = min(1.0, max(0.0, 0.5 + quota / (2 * _MANY_UNITS)))
