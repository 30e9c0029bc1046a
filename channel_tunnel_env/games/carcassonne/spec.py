"""Carcassonne as a game of the core."""

from __future__ import annotations

from typing import Any

import numpy as np

from channel_tunnel_env.core.records import new_records
from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.games.carcassonne.actions import ACTION_NAMES, action_id
from channel_tunnel_env.games.carcassonne.bounds import check_consistency
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.invariants import INVARIANTS
from channel_tunnel_env.games.carcassonne.engine.kernels import check_game
from channel_tunnel_env.games.carcassonne.engine.observation import observation_size
from channel_tunnel_env.games.carcassonne.engine.state import STATE_DTYPE, WORK_DTYPE
from channel_tunnel_env.games.carcassonne.engine.tables import make_tables
from channel_tunnel_env.games.carcassonne.explain import describe_refusal
from channel_tunnel_env.games.carcassonne.observation_bounds import observation_range
from channel_tunnel_env.games.carcassonne.ruleset import RulesetData

VERSION = "v0"


def _seats(ruleset: Any) -> tuple[str, ...]:
    return tuple(f"player_{seat}" for seat in range(ruleset.data.players))


def _luck_names(ruleset: Any) -> dict[str, list[str]]:
    return {"deck": [kind.name for kind in ruleset.data.tile_types()]}


def _find_faults(states: np.ndarray, tables: np.ndarray, as_read: bool) -> np.ndarray:
    work = new_records(1, WORK_DTYPE)
    return np.array([check_game(states, i, tables, work) for i in range(len(states))], np.int16)


SPEC = GameSpec(
    name="carcassonne",
    ruleset_model=RulesetData,
    check_consistency=check_consistency,
    state_dtype=STATE_DTYPE,
    work_dtype=WORK_DTYPE,
    make_tables=make_tables,
    seats=_seats,
    agents=_seats,
    action_names=ACTION_NAMES,
    action_id=action_id,
    idle_action=c.TOKEN_NONE,
    observation_size=lambda ruleset: observation_size(ruleset.data.players),
    observation_range=lambda ruleset: observation_range(ruleset.data),
    streams=c.STREAMS,
    aimed_streams=frozenset(),
    luck_names=_luck_names,
    repeated_streams=frozenset(c.STREAMS),
    phases=c.PHASES,
    end_causes=c.END_CAUSES,
    first_stop=None,
    draw=c.DRAW,
    score_sources=c.KINDS,
    clock=("turn", "turn"),
    find_faults=_find_faults,
    invariants=dict(enumerate(INVARIANTS)),
    describe_refusal=describe_refusal,
    version=VERSION,
    render_modes=("ansi", "rgb_array", "human"),
)
