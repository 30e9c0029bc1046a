"""What a power sees, as float32 values in [0, 1] or the counts behind them as bytes (see `core.numbers`): powers in the order of their index, the viewer first.

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

from functools import cache

import numpy as np

from channel_tunnel_env.core.encoding import Column, share
from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.numbers import either, put, put_one_more, put_share
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.tunnels import is_standing

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

# Features of a province in `board`; after the owner by power comes no owner.
_COAST, _POWER, _OWNER, _LOST, _LOST_POWER, _CONTESTED, _OPEN_HOME = 2, 4, 11, 19, 21, 28, 29
# Features of a province in `last phase`.
_VOID_ORDER, _SUCCEEDED, _MOVES_IN, _SUPPORTS_IN, _STAND_OFF = 7, 8, 9, 16, 23
YEAR = 8  # its place in `numbers`
# Features of a province in `own orders`.
_BUILDS, _OWN_MOVES_IN, _OWN_SUPPORTS_IN = 7, 8, 9
MANY_HOLDS = 40  # movement phases from 1901 to 1920
MANY_UNITS = 34  # as many as centres
MANY_HELPERS = 8
MANY_MOVES = 4
# Units, owners and orders are as good as random to a processor: a branch on one of them is guessed wrong so often that
# it costs more than to look up what to write, and to write a zero where nothing is.
_HELD_COUNT = np.minimum(np.arange(256), MANY_HOLDS).astype(np.uint8)
_HELD = (_HELD_COUNT / MANY_HOLDS).astype(np.float32)
_POWERS = range(c.NUM_POWERS)
_COUNT_BITS = 8  # of each power in a count of all
_COUNT_MASK = (1 << _COUNT_BITS) - 1
_ONE_OF = np.array([0, *(1 << _COUNT_BITS * power for power in _POWERS)])  # by power + 1
# By viewer and power: the place of the power as the viewer counts, itself 0; last, as index -1, no power.
_SEAT = np.array([[*((p + (p < v)) * (p != v) for p in _POWERS), c.NUM_POWERS] for v in _POWERS])
# By kind of an order of the movement phase: its place among the eight that are distinguished (of a dig or build the
# last), and what it adds in the province that it acts in.
_FEATURE = np.array([1, 2, 2, 3, _BUILDS, 4, 5, 6] + [_BUILDS] * (c.VOTE_DRAW - c.CONVOY))
_ADDS_AT = np.array([0, *[_MOVES_IN] * 3, 0, *[_SUPPORTS_IN] * 2, *[0] * (c.VOTE_DRAW - c.SUPPORT_MOVE)])
_MANY = np.where(_ADDS_AT == _MOVES_IN, MANY_MOVES, MANY_HELPERS)
_ADDS = (1 / _MANY).astype(np.float32)
_MOVED_IN, _FAILED_TO = 2, 3  # stand while the moves into a province are looked through


@compiled
def seat_of(power, viewer):
    """The place of a power as the viewer counts: itself 0; of no power, -1, the place behind all powers."""
    return int(_SEAT[viewer, power])


@compiled
def fill_observation(state, rules, viewer, work, out, i):
    """Write what `viewer` sees to row i of `out`, float32 or uint8 (B, OBSERVATION_SIZE)."""
    row = out[i]
    # Not `holding`: it is written whole, zeros included.
    row[:HOLDING] = 0
    row[NUMBERS:] = 0
    units, centres = _fill_board(state, rules, viewer, row)
    if state.phase == c.RETREATS:
        _fill_lost(state, viewer, row)
    _fill_holding(state, viewer, row)
    for place in range(c.NUM_PROVINCES):
        if state.told_order[place] >= 0:
            _fill_told(state, rules, viewer, place, row)
        if state.written[place] >= 0 and state.unit_power[place] == viewer:
            _fill_own_order(state, rules, place, row)
    for place in range(c.NUM_PROVINCES):
        _fill_stand_off(row, place)
    _fill_asked(state, viewer, row)
    _fill_tunnels(state, viewer, row)
    _fill_numbers(state, rules, viewer, units, centres, row)


@compiled
def _fill_board(state, rules, viewer, row):
    """Returns the units and the centres of all powers, `_COUNT_BITS` bits for each power."""
    units = centres = 0
    for place in range(c.NUM_PROVINCES):
        at = BOARD + place * BOARD_WIDTH
        power, owner = int(state.unit_power[place]), int(state.owner[place])
        location = int(state.unit_location[place])
        there = power >= 0
        row[at + (state.unit_type[place] == c.FLEET)] = there
        row[at + _POWER + seat_of(power, viewer)] = there  # the zero of no power is overwritten below
        row[at + _OWNER + seat_of(owner, viewer)] = rules.centre[place]
        row[at + _CONTESTED] = state.contested[place]
        row[at + _OPEN_HOME] = rules.home[place] == viewer and owner == viewer and not there
        if there and location >= c.NUM_PROVINCES:
            # The two coasts of a province are side by side.
            row[at + _COAST + (location - c.NUM_PROVINCES) % 2] = 1
        units += int(_ONE_OF[power + 1])
        centres += int(_ONE_OF[owner + 1])
    return units, centres


@compiled
def _fill_lost(state, viewer, row):
    """Dislodged units, by the report: whether another's unit has a place to go may be a secret."""
    for place in range(c.NUM_PROVINCES):
        if state.told_result[place] >= c.DISLODGED:
            at = BOARD + place * BOARD_WIDTH
            row[at + _LOST + int(state.told_type[place]) - 1] = 1
            row[at + _LOST_POWER + seat_of(int(state.told_power[place]), viewer)] = 1


@compiled
def _fill_holding(state, viewer, row):
    shown = either(row, _HELD, _HELD_COUNT)
    for power in range(c.NUM_POWERS):
        at = HOLDING + seat_of(power, viewer)
        for place in range(c.NUM_PROVINCES):
            row[at + place * c.NUM_POWERS] = shown[int(state.held[power, place])]


@compiled
def _aim(rules, action, kind):
    """The province that a move or support acts in."""
    if kind == c.SUPPORT_HOLD:
        return int(rules.action_src[action])
    return int(rules.province_of[int(rules.action_dst[action])])


@compiled
def _fill_told(state, rules, viewer, place, row):
    """An order of the last movement phase and what became of it."""
    action = int(state.told_order[place])
    # The flag of a dislodged unit is taken off: `board` shows it while retreats are asked.
    kind, result = int(rules.action_kind[action]), int(state.told_result[place]) % c.DISLODGED
    at = LAST + place * LAST_WIDTH
    row[at + (_VOID_ORDER if result == c.VOID else int(_FEATURE[kind]))] = 1
    row[at + _SUCCEEDED] = result == c.STOOD or result == c.MOVED or result == c.DONE
    if not _ADDS_AT[kind]:
        return
    into = LAST + _aim(rules, action, kind) * LAST_WIDTH
    added = into + int(_ADDS_AT[kind]) + seat_of(int(state.told_power[place]), viewer)
    put_one_more(row, added, _ADDS[kind], _MANY[kind])
    if kind <= c.TUNNEL:  # a move, for a hold adds nothing
        if result == c.MOVED:
            row[into + _STAND_OFF] = _MOVED_IN
        elif result == c.FAILED and row[into + _STAND_OFF] == 0:
            row[into + _STAND_OFF] = _FAILED_TO  # until a move that succeeds is found


@compiled
def _fill_stand_off(row, place):
    """A stand-off: moves into the province failed, and none succeeded."""
    at = LAST + place * LAST_WIDTH + _STAND_OFF
    row[at] = row[at] == _FAILED_TO


@compiled
def _fill_own_order(state, rules, place, row):
    action = int(state.written[place])
    kind = int(rules.action_kind[action])
    if kind > c.CONVOY:
        return
    row[OWN + place * OWN_WIDTH + int(_FEATURE[kind])] = 1
    if _ADDS_AT[kind] == _MOVES_IN:
        row[OWN + _aim(rules, action, kind) * OWN_WIDTH + _OWN_MOVES_IN] = 1
    elif _ADDS_AT[kind]:
        into = OWN + _aim(rules, action, kind) * OWN_WIDTH + _OWN_SUPPORTS_IN
        put_one_more(row, into, _ADDS[kind], MANY_HELPERS)


@compiled
def _fill_asked(state, viewer, row):
    place = int(state.cursor)
    if state.to_play != viewer or place < 0:
        return
    retreats = state.phase == c.RETREATS
    kind = int(state.lost_type[place]) if retreats else int(state.unit_type[place])
    row[ASKED + place] = 1
    row[ASKED + c.NUM_PROVINCES + kind - 1] = 1


@compiled
def _fill_tunnels(state, viewer, row):
    """What the viewer knows of tunnels, and its permissions."""
    for owner in range(c.NUM_POWERS):
        for slot in range(c.MAX_TUNNELS):
            if not is_standing(state, owner, slot):
                continue
            at = TUNNELS + int(state.tunnel_pair[owner, slot]) * PAIR_WIDTH
            opened = state.tunnel_state[owner, slot] == c.OPENED
            if owner == viewer:
                row[at + opened] = 1
                permits = int(state.tunnel_next[owner, slot])  # as written: the owner knows its own answers
                if permits:
                    row[at + 9] = 1
                for power in range(c.NUM_POWERS):
                    seat = PERMISSIONS + slot * c.NUM_POWERS + seat_of(power, viewer)
                    row[seat] = permits >> power & 1
            else:
                if opened:
                    row[at + 1 + seat_of(owner, viewer)] = 1  # seats of others begin with 1: features 2 to 7
                if int(state.tunnel_told[owner, slot]) >> viewer & 1:
                    row[at + 8] = 1


@compiled
def _fill_numbers(state, rules, viewer, units, centres, row):
    """Season 2, phase 3, what is asked 3, year; by power centres, units, alive, units to raise (above a half)
    or remove; tunnels the viewer built 4; by power tunnels opened, and of these demolished; switches 8.
    """
    at = NUMBERS
    if state.season < 2:
        row[at + int(state.season)] = 1
    if state.phase < 3:
        row[at + 2 + int(state.phase)] = 1
    if state.to_play == viewer and state.phase != c.OVER and state.asked < 3:
        row[at + 5 + int(state.asked)] = 1
    years = int(rules.max_year) - int(rules.first_year) + 1
    put_share(row, at + YEAR, min(1.0, (int(state.year) - int(rules.first_year)) / years))
    at += YEAR + 1
    for power in range(c.NUM_POWERS):
        own, there = _count_of(power, centres), _count_of(power, units)
        _fill_power(state, viewer, power, own, there, row, at + seat_of(power, viewer))
    at += 28
    for slot in range(int(state.built[viewer])):
        row[at + slot] = 1
    at += 4
    for power in range(c.NUM_POWERS):
        opened = demolished = 0
        for slot in range(c.MAX_TUNNELS):
            opened += state.tunnel_state[power, slot] == c.OPENED
            demolished += state.tunnel_state[power, slot] == c.DEMOLISHED
        seat = seat_of(power, viewer)
        put(row, at + seat, opened + demolished, c.MAX_TUNNELS)
        put(row, at + 7 + seat, demolished, c.MAX_TUNNELS)
    at += 14
    row[at] = rules.rulebook == c.BOOK_DATC
    put(row, at + 1, int(rules.tunnels_per_power), c.MAX_TUNNELS)
    put(row, at + 2, int(rules.tunnels_per_turn), c.MAX_TUNNELS)
    put(row, at + 3, int(rules.tunnels_per_province), c.MAX_TUNNELS)
    row[at + 4] = rules.permissions
    row[at + 5] = rules.draw_vote
    put(row, at + 6, int(rules.limit_score), 3)
    put(row, at + 7, int(rules.victory_centres), c.NUM_CENTRES)


@compiled
def _count_of(power, counts):
    return counts >> _COUNT_BITS * power & _COUNT_MASK


@compiled
def _fill_power(state, viewer, power, centres, units, row, at):
    """Centres, units, alive, and what is to be raised or removed: others' by the board, not by their answers."""
    put(row, at, centres, c.NUM_CENTRES)
    put(row, at + 7, min(units, MANY_UNITS), MANY_UNITS)  # a board laid out may hold more
    row[at + 14] = int(state.alive) >> power & 1
    quota = centres - units
    if power == viewer and state.phase == c.ADJUSTMENTS:
        quota = int(state.quota[power])
    # Shifted by MANY_UNITS: a quota to remove is below 0, a value of the observation never.
    put(row, at + 21, min(2 * MANY_UNITS, max(0, MANY_UNITS + quota)), 2 * MANY_UNITS)


# How many counts make 1, in the order of `engine.observation`; 1 is a mark.
_EACH = c.NUM_POWERS
_PROVINCE_IN_LAST = [1] * 9 + [MANY_MOVES] * _EACH + [MANY_HELPERS] * _EACH + [1]
_SWITCHES = [1, c.MAX_TUNNELS, c.MAX_TUNNELS, c.MAX_TUNNELS, 1, 1, 3, c.NUM_CENTRES]
_NUMBERS = [
    *[1] * (YEAR + 1),  # the year is a share
    *[c.NUM_CENTRES] * _EACH,
    *[MANY_UNITS] * _EACH,
    *[1] * _EACH,
    *[2 * MANY_UNITS] * _EACH,
    *[1] * c.MAX_TUNNELS,
    *[c.MAX_TUNNELS] * (2 * _EACH),
    *_SWITCHES,
]
_SECTIONS = {
    "board": [1] * BOARD_WIDTH * c.NUM_PROVINCES,
    "last_phase": _PROVINCE_IN_LAST * c.NUM_PROVINCES,
    "own_orders": [*[1] * (OWN_WIDTH - 1), MANY_HELPERS] * c.NUM_PROVINCES,
    "asked": [1] * (c.NUM_PROVINCES + 2),
    "tunnels": [1] * PAIR_WIDTH * c.NUM_PAIRS,
    "permissions": [1] * c.MAX_TUNNELS * _EACH,
    "holding": [MANY_HOLDS] * c.NUM_PROVINCES * _EACH,
    "numbers": _NUMBERS + [1] * (OBSERVATION_SIZE - NUMBERS - len(_NUMBERS)),
}


@cache
def observation_columns() -> tuple[Column, ...]:
    """The columns, the same under every ruleset; no count exceeds what makes 1."""
    columns = [
        Column(f"{section} {place}", 1 / unit, unit)
        for section, units in _SECTIONS.items()
        for place, unit in enumerate(units)
    ]
    columns[NUMBERS + YEAR] = share(f"numbers {YEAR}")
    return tuple(columns)
