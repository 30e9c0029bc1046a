"""Random boards with random orders: what holds for every one of them (rules 11)."""

from __future__ import annotations

from typing import Any

import numpy as np

from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.engine.state import new_states
from channel_tunnel_env.games.eurotunnel.engine.tables import make_tables
from channel_tunnel_env.games.eurotunnel.provinces import load_board

from . import kernels as own
from .arena import BOTH_BOOKS, Arena, random_boards

KINDS = BOTH_BOOKS["action_kind"][0]
BOARDS = 600


def _orders(arena: Arena, kind: int) -> list[int]:
    """Provinces whose unit has an order of a kind."""
    written = arena.state.written
    return [place for place in range(c.NUM_PROVINCES) if written[place] >= 0 and KINDS[written[place]] == kind]


def test_every_equation_holds_whatever_the_order_of_the_units() -> None:
    cores = 0
    for arena in random_boards(20 * BOARDS):
        assert arena.solve() == 0
        first = arena.values
        cores += int(arena.work["cores"][0])
        for _ in range(2):
            assert arena.solve() == 0
            assert arena.values == first
    assert cores > 10  # the backup rule was needed


def test_a_decision_turned_round_is_noticed() -> None:
    turned = 0
    for arena in random_boards(BOARDS, seed=2):
        arena.solve()
        if arena.work["cores"][0]:
            continue
        place = int(np.flatnonzero(arena.work["decides"][0])[0])
        arena.work["value"][0, place] = c.YES - arena.work["value"][0, place]
        assert own.count_broken_in_game(arena.states, 0, arena.tables, arena.work) > 0
        turned += 1
    assert turned > BOARDS // 2


def test_no_two_units_end_in_one_province_and_none_is_lost_without_being_dislodged() -> None:
    for arena in random_boards(BOARDS, seed=3):
        before = int((arena.state.unit_power >= 0).sum())
        arena.end_phase()
        told = arena.state.told_result
        gone = int((told >= c.DISLODGED).sum())
        assert int((arena.state.unit_power >= 0).sum()) == before - gone


def _board(arena: Arena) -> list[Any]:
    """Units and what waits to retreat, after the phase has ended."""
    arena.end_phase()
    state = arena.state
    names = ("unit_power", "unit_type", "unit_location", "lost_power", "lost_from", "contested")
    return [state[name].tolist() for name in names]


def test_building_instead_of_holding_changes_nothing_on_the_board() -> None:
    built = 0
    for arena in random_boards(BOARDS, seed=4):
        places = _orders(arena, c.DIG)
        kept = arena.states.copy()
        found = _board(arena)
        built += len(places)
        arena.states[:] = kept
        arena.state.written[places] = c.ID_HOLD
        # A new tunnel's far end is no refuge: its builder stands on the near one (E13).
        assert _board(arena) == found
    assert built > 20


def test_tunnels_that_no_order_takes_change_nothing() -> None:
    for arena in random_boards(BOARDS, seed=5):
        arena.solve()
        found = arena.values
        taken = {int(tunnel) for tunnel in arena.work["taken"][0]}
        for owner in range(c.NUM_POWERS):
            for slot in range(c.MAX_TUNNELS):
                if owner * c.MAX_TUNNELS + slot not in taken:
                    arena.state.tunnel_state[owner, slot] = c.DEMOLISHED
        arena.solve()
        assert arena.values == found


def test_a_void_move_by_tunnel_is_a_hold_that_cannot_be_supported() -> None:
    void = 0
    for arena in random_boards(3 * BOARDS, seed=6):
        arena.solve()
        found = arena.values
        usable = arena.work["usable"][0]
        places = [place for place in _orders(arena, c.TUNNEL) if not usable[place]]
        for place in places:
            arena.state.written[place] = c.ID_HOLD
            supports = arena.state.written == c.FIRST_SUPPORT_HOLD + place
            arena.state.written[supports] = c.ID_HOLD
        arena.solve()
        helped = _helpers_of(arena, places)
        assert [v for i, v in enumerate(arena.values) if i not in helped] == [
            v for i, v in enumerate(found) if i not in helped
        ]
        void += len(places)
    assert void > 20


def _helpers_of(arena: Arena, places: list[int]) -> set[int]:
    """Units whose help was for one of some units: it no longer fits their orders."""
    written = arena.state.written
    source = BOTH_BOOKS["action_src"][0]
    return {
        i
        for i in range(c.NUM_PROVINCES)
        if written[i] > 0 and KINDS[written[i]] == c.SUPPORT_MOVE and source[written[i]] in places
    }


def test_a_tunnel_is_like_a_border_that_only_armies_cross() -> None:
    """E17. By the later book: there no army is carried past another against its will."""
    arena, compared = Arena(seed=7), 0
    for _ in range(BOARDS):
        arena.scatter(c.RULEBOOKS.index("datc"))
        arena.solve()
        found, usable = arena.values, arena.work["usable"][0].copy()
        places = _orders(arena, c.TUNNEL)
        if not places or not usable[places].all():
            continue
        rows = arena.tables.copy()
        pairs = set()
        for place in places:
            goal = int(arena.work["goal"][0, place])
            pairs |= {(place, goal), (goal, place)}
            rows["reaches"][1, c.ARMY, place, goal] = 1
            arena.state.written[place] = c.FIRST_MOVE + goal
        others = set(_orders(arena, c.MOVE)) - set(places)
        if any((i, int(arena.work["goal"][0, i])) in pairs for i in others):
            continue
        rows.flags.writeable = False  # as the tables that kernels are compiled for
        arena.tables = rows
        assert arena.solve() == 0
        fleets = _orders(arena, c.CONVOY)  # theirs may now fit, which has no effect
        for place in range(c.NUM_PROVINCES):
            assert place in fleets or arena.values[place] == found[place]
        arena.tables = BOTH_BOOKS
        compared += 1
    assert compared > 20


def test_renaming_the_powers_renames_the_result() -> None:
    order = [3, 5, 0, 6, 1, 2, 4]  # new number of each power
    for arena in random_boards(BOARDS, seed=8):
        arena.solve()
        found = arena.values
        state, kept = arena.state, arena.states[0].copy()
        for place in np.flatnonzero(kept["unit_power"] >= 0):
            state.unit_power[place] = order[kept["unit_power"][place]]
        for owner in range(c.NUM_POWERS):
            for name in ("tunnel_pair", "tunnel_state"):
                state[name][order[owner]] = kept[name][owner]
            for name in ("tunnel_permits", "tunnel_told", "tunnel_next"):
                for slot in range(c.MAX_TUNNELS):
                    bits = int(kept[name][owner, slot])
                    renamed = sum(1 << order[p] for p in range(c.NUM_POWERS) if bits >> p & 1)
                    state[name][order[owner], slot] = renamed
        arena.solve()
        assert arena.values == found


def _hide_others(arena: Arena, viewer: int, source: np.random.Generator) -> int:
    """Draw other hidden tunnels for all that `viewer` does not know of; returns how many changed."""
    state, changed = arena.state, 0
    for owner in range(c.NUM_POWERS):
        for slot in range(c.MAX_TUNNELS):
            hidden = state.tunnel_state[owner, slot] == c.HIDDEN
            told = int(state.tunnel_told[owner, slot]) >> viewer & 1
            if owner != viewer and hidden and not told:
                own = set(state.tunnel_pair[owner].tolist())
                free = [pair for pair in range(c.NUM_PAIRS) if pair not in own]
                state.tunnel_pair[owner, slot] = source.choice(free)
                changed += 1
    return changed


def test_a_power_is_offered_the_same_whatever_others_have_hidden() -> None:
    source, changed = np.random.default_rng(1), 0
    for arena in random_boards(BOARDS, seed=9):
        viewer = int(source.integers(c.NUM_POWERS))
        places = np.flatnonzero(arena.state.unit_power == viewer)
        found = [arena.orders_of(int(place)) for place in places]
        changed += _hide_others(arena, viewer, source)
        assert [arena.orders_of(int(place)) for place in places] == found
    assert changed > 100


def _forget_orders(arena: Arena) -> None:
    """As if the phase had just begun, with some holds seen before."""
    state = arena.state
    state.written[:] = c.NONE
    state.tunnel_next[:] = state.tunnel_permits
    state.held[:] = 0
    for place in np.flatnonzero(state.unit_type == c.ARMY):
        state.held[state.unit_power[place], place] = 2
    state.to_play = 0
    kernels.ask_in_game(arena.states, 0, arena.tables)


def test_an_imagined_game_does_not_depend_on_what_the_viewer_cannot_know() -> None:
    source = np.random.default_rng(2)
    drawn = 0
    for seed, arena in enumerate(random_boards(BOARDS, seed=10)):
        _forget_orders(arena)
        viewer = int(source.integers(c.NUM_POWERS))
        worlds = []
        kept = arena.states.copy()
        for change in (False, True):
            arena.states[:] = kept
            if change:
                _hide_others(arena, viewer, source)
            arena.determinize(viewer, seed)
            worlds.append(arena.states[0].tobytes())
        assert worlds[0] == worlds[1]
        own = arena.states["tunnel_pair"][0, viewer]
        assert own.tolist() == kept["tunnel_pair"][0, viewer].tolist()
        drawn += int((arena.state.tunnel_state == c.HIDDEN).sum())
    assert drawn > 100


def test_results_do_not_depend_on_games_beside() -> None:
    arena = Arena(seed=11)
    rows = new_states(20)
    for i in range(len(rows)):
        arena.scatter(i % 2)
        rows[i] = arena.states[0]
    single = rows.copy()
    kernels.adjudicate_rows(rows, arena.tables, arena.work)
    for i in range(len(single)):
        kernels.adjudicate_rows(single[i : i + 1], arena.tables, arena.work)
    for name in rows.dtype.names or ():
        assert (rows[name] == single[name]).all(), name


def test_tables_and_board_agree_on_every_step() -> None:
    board, rows = load_board(), make_tables([])
    assert len(rows) == 0
    for kind, steps in board.steps.items():
        for place, others in enumerate(steps):
            found = BOTH_BOOKS["step"][0, kind, place, : BOTH_BOOKS["steps"][0, kind, place]]
            assert tuple(found.tolist()) == others
