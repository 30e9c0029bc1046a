"""Random boards with random orders: what holds for every one of them (rules 11)."""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.engine.tables import make_tables
from channel_tunnel_env.games.eurotunnel.provinces import load_board

from . import kernels as own
from .arena import BOTH_BOOKS, Arena, random_boards

BOARDS = 600


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


def test_tables_and_board_agree_on_every_step() -> None:
    board, rows = load_board(), make_tables([])
    assert len(rows) == 0
    for kind, steps in board.steps.items():
        for place, others in enumerate(steps):
            found = BOTH_BOOKS["step"][0, kind, place, : BOTH_BOOKS["steps"][0, kind, place]]
            assert tuple(found.tolist()) == others
