"""What a power sees: section by section, in [0, 1], and nothing of what is secret."""

from __future__ import annotations

from typing import Any

import numpy as np

from channel_tunnel_env.games.eurotunnel.actions import action_id
from channel_tunnel_env.games.eurotunnel.board_positions import read_position
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.engine import observation as o
from channel_tunnel_env.games.eurotunnel.provinces import load_board

from .arena import Arena, change_secrets, random_boards
from .table import read_tunnel, units_of

BOARD = load_board()
ENGLAND, FRANCE, GERMANY = 1, 2, 3


def _arena(**position: Any) -> Arena:
    arena = Arena()
    units = {"ENGLAND": ["A LON", "F ENG", "F NTH"], "FRANCE": ["A PIC"], "RUSSIA": ["F STP/SC"]}
    full = {"phase": "S1901M", "units": units_of(units)} | position
    arena.states[:1] = read_position(full, arena.tables[:1])
    kernels.ask_in_game(arena.states, 0, arena.tables)
    return arena


def _place(seen: Any, name: str, first: int = o.BOARD, width: int = o.BOARD_WIDTH) -> list[float]:
    start = first + BOARD.index[name] * width
    return [float(value) for value in seen[start : start + width]]


def _ones(values: list[float]) -> list[int]:
    return [i for i, value in enumerate(values) if value]


def test_the_sections_have_their_sizes() -> None:
    assert o.OBSERVATION_SIZE == 7660
    sizes = np.diff([o.BOARD, o.LAST, o.OWN, o.ASKED, o.TUNNELS, o.PERMISSIONS, o.HOLDING])
    assert sizes.tolist() == [2250, 1800, 750, 77, 2130, 28]


def test_the_report_tells_orders_results_and_stand_offs() -> None:
    arena = _arena()
    for name in ("* S LON - BEL", "* - BEL", "* H", "* - BEL", "* H"):
        arena.act(action_id(name))
    seen = arena.observe(FRANCE)
    assert _ones(_place(seen, "LON", o.LAST, o.LAST_WIDTH)) == [2]  # no convoy: disrupted
    assert _ones(_place(seen, "PIC", o.LAST, o.LAST_WIDTH)) == [2, 8]
    assert _ones(_place(seen, "ENG", o.LAST, o.LAST_WIDTH)) == [5, 8]
    belgium = _place(seen, "BEL", o.LAST, o.LAST_WIDTH)
    assert _ones(belgium) == [9, 11, 16 + 2]  # a French move, an English move and support


def test_a_stand_off_is_shown_where_nobody_got_in() -> None:
    arena = _arena(units=units_of({"ENGLAND": ["A HOL"], "FRANCE": ["A PIC"]}))
    arena.act(action_id("* - BEL"))
    arena.act(action_id("* - BEL"))
    belgium = _place(arena.observe(ENGLAND), "BEL", o.LAST, o.LAST_WIDTH)
    assert belgium[23] == 1


def test_own_orders_of_the_phase_are_seen_by_their_power_alone() -> None:
    arena = _arena()
    before = [arena.observe(viewer).tobytes() for viewer in range(c.NUM_POWERS)]
    arena.act(action_id("* S LON - BEL"))
    after = [arena.observe(viewer) for viewer in range(c.NUM_POWERS)]
    own = after[ENGLAND]
    assert _ones(_place(own, "ENG", o.OWN, o.OWN_WIDTH)) == [5]
    assert _ones(_place(own, "BEL", o.OWN, o.OWN_WIDTH)) == [9]
    assert own[o.ASKED + BOARD.index["LON"]] == 1 and own[o.ASKED + 75] == 1
    for viewer in set(range(c.NUM_POWERS)) - {ENGLAND}:
        assert after[viewer].tobytes() == before[viewer]


def test_a_tunnel_is_seen_by_its_owner_by_who_was_told_and_when_open_by_all() -> None:
    pair = list(BOARD.pairs).index((BOARD.index["LON"], BOARD.index["PIC"]))
    at = slice(o.TUNNELS + pair * o.PAIR_WIDTH, o.TUNNELS + (pair + 1) * o.PAIR_WIDTH)
    wanted = {"hidden": {1: [0], 2: [], 3: []}, "open": {1: [1], 2: [3], 3: [3]}}
    wanted["hidden +GERMANY"] = {1: [0, 9], 2: [], 3: [8]}
    for state, views in wanted.items():
        arena = _arena(units=[], tunnels=[read_tunnel(f"ENGLAND LON-PIC {state}")])
        for viewer, features in views.items():
            assert _ones(list(arena.observe(viewer)[at])) == features, (state, viewer)


def test_no_secret_of_others_changes_what_a_power_sees_or_is_offered() -> None:
    source = np.random.default_rng(3)
    for arena in random_boards(600, seed=13):
        viewer = int(source.integers(c.NUM_POWERS))
        arena.state.to_play = viewer
        places = np.flatnonzero(arena.state.unit_power == viewer).tolist()
        before, offered = arena.observe(viewer), list(map(arena.orders_of, places))
        assert before.min() >= 0 and before.max() <= 1
        change_secrets(arena.state, viewer, source)
        assert arena.observe(viewer).tobytes() == before.tobytes()
        assert list(map(arena.orders_of, places)) == offered


def test_what_a_power_does_know_changes_what_it_sees() -> None:
    """The test above can fail: of its own tunnels the same change is seen."""
    source, seen = np.random.default_rng(4), 0
    for arena in random_boards(100, seed=14):
        viewer = int(source.integers(c.NUM_POWERS))
        own = arena.state.tunnel_state[viewer] == c.HIDDEN
        before = arena.observe(viewer)
        arena.state.tunnel_state[viewer][own] = c.OPENED
        seen += arena.observe(viewer).tobytes() != before.tobytes()
    assert seen > 10
