"""Two games that differ only in what a power may not know look the same to it (E16)."""

from __future__ import annotations

import pytest

from channel_tunnel_env.games.eurotunnel.actions import action_id
from channel_tunnel_env.games.eurotunnel.board import load_board
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.positions import read_position

from .arena import Arena
from .table import read_tunnel, units_of

RUSSIA = 5
UNITS = {
    "ENGLAND": ["A PIC"],
    "FRANCE": ["A PAR", "A BUR", "A BEL", "A BRE"],
    "GERMANY": ["A LVP", "A YOR"],
    "RUSSIA": ["A WAL"],
}
ORDERS = {
    "PAR": "* - PIC",
    "BUR": "* S PAR - PIC",
    "LVP": "* - WAL",
    "YOR": "* S LVP - WAL",
}


def _after_the_moves(tunnels: list[str]) -> Arena:
    """An English army is driven out of Picardy, a Russian one out of Wales, which can go to London."""
    arena = Arena()
    position = {
        "phase": "S1901M",
        "units": units_of(UNITS),
        "tunnels": [read_tunnel(line) for line in tunnels],
    }
    arena.states[:1] = read_position(position, arena.tables[:1])
    index = load_board().index
    for place, order in ORDERS.items():
        arena.state.written[index[place]] = action_id(order)
    arena.end_phase()
    kernels.ask_in_game(arena.states, 0, arena.tables)
    return arena


@pytest.mark.parametrize("seed", range(5))
def test_a_way_out_by_a_hidden_tunnel_is_seen_by_nobody_else(seed: int) -> None:
    with_exit = _after_the_moves(["ENGLAND LON-PIC hidden"])
    without = _after_the_moves([])
    place = load_board().index["PIC"]
    assert with_exit.state.lost_power[place] == 1 and without.state.lost_power[place] < 0
    views, worlds = [], []
    for arena in (with_exit, without):
        arena.state.to_play, arena.state.cursor = RUSSIA, load_board().index["WAL"]
        views.append((arena.observe(RUSSIA).tobytes(), arena.legal()))
        kernels.determinize_game(arena.states, 0, arena.tables, RUSSIA, seed, arena.work)
        worlds.append([arena.states[0][name].tolist() for name in arena.states.dtype.names])
        assert arena.state.phase == c.RETREATS and arena.legal()
    assert views[0] == views[1]
    assert worlds[0] == worlds[1]
