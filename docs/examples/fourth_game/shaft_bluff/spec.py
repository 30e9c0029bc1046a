"""Shaft Bluff as a game of the core."""

from __future__ import annotations

from typing import Any

import numpy as np

from channel_tunnel_env.core.records import new_records
from channel_tunnel_env.core.spec import GameSpec
from shaft_bluff.actions import ACTION_NAMES, action_id
from shaft_bluff.engine import constants as c
from shaft_bluff.engine.invariants import INVARIANTS
from shaft_bluff.engine.kernels import check_game
from shaft_bluff.engine.observation import OBSERVATION_SIZE
from shaft_bluff.engine.state import STATE_DTYPE, WORK_DTYPE
from shaft_bluff.engine.tables import make_tables
from shaft_bluff.explain import describe_refusal
from shaft_bluff.ruleset import RulesetData, check_consistency


def _luck_names(ruleset: Any) -> dict[str, list[str]]:
    return {"deck": [str(depth) for depth in range(1, ruleset.data.depths + 1)]}


def _find_faults(states: Any, tables: Any, as_read: bool) -> Any:
    work = new_records(1, WORK_DTYPE)
    return np.array([check_game(states, i, tables, work) for i in range(len(states))], np.int16)


SPEC = GameSpec(
    name="shaft_bluff",
    ruleset_model=RulesetData,
    check_consistency=check_consistency,
    state_dtype=STATE_DTYPE,
    work_dtype=WORK_DTYPE,
    make_tables=make_tables,
    seats=lambda ruleset: c.SEAT_NAMES,
    agents=lambda ruleset: c.SEAT_NAMES,
    action_names=ACTION_NAMES,
    action_id=action_id,
    idle_action=c.BELIEVE,
    observation_size=lambda ruleset: OBSERVATION_SIZE,
    observation_range=lambda ruleset: (0.0, 1.0),
    streams=c.STREAMS,
    aimed_streams=frozenset(),
    luck_names=_luck_names,
    repeated_streams=frozenset(c.STREAMS),
    phases=c.PHASES,
    end_causes=c.END_CAUSES,
    first_stop=None,
    draw=c.DRAW,
    score_sources=c.SOURCES,
    clock=("turn", "turn"),
    find_faults=_find_faults,
    invariants=dict(enumerate(INVARIANTS)),
    describe_refusal=describe_refusal,
    version="v0",
    render_modes=("ansi",),
)
