"""Shaft Bluff as a game of the core."""

from __future__ import annotations

from typing import Any

import numpy as np

from channel_tunnel_env.core.records import new_records
from channel_tunnel_env.core.spec import (
    ActionPart,
    GameSpec,
    LuckPart,
    ObservationPart,
    OutcomePart,
    RecordPart,
    Rules,
    RulesPart,
    SeatPart,
)
from shaft_bluff import constants as c
from shaft_bluff.constants import ACTION_NAMES, action_id
from shaft_bluff.invariants import INVARIANTS
from shaft_bluff.kernels import check_game
from shaft_bluff.observation import OBSERVATION_SIZE
from shaft_bluff.render import describe_refusal
from shaft_bluff.ruleset import RulesetData, check_consistency
from shaft_bluff.state import STATE_DTYPE, WORK_DTYPE, make_tables


def _luck_names(ruleset: Rules) -> dict[str, list[str]]:
    return {"deck": [str(depth) for depth in range(1, ruleset.data.depths + 1)]}


def _find_faults(states: Any, tables: Any, as_read: bool) -> Any:
    work = new_records(1, WORK_DTYPE)
    return np.array([check_game(states, i, tables, work) for i in range(len(states))], np.int16)


VERSION = "v0"

SPEC = GameSpec(
    name="shaft_bluff",
    version=VERSION,
    render_modes=("ansi",),
    rules=RulesPart(RulesetData, check_consistency, make_tables),
    record=RecordPart(
        dtype=STATE_DTYPE,
        work_dtype=WORK_DTYPE,
        phases=c.PHASES,
        clock=("turn", "turn"),
        find_faults=_find_faults,
        invariants=dict(enumerate(INVARIANTS)),
    ),
    actions=ActionPart(ACTION_NAMES, action_id, idle=c.BELIEVE, describe_refusal=describe_refusal),
    seats=SeatPart(names=lambda ruleset: c.SEAT_NAMES, agents=lambda ruleset: c.SEAT_NAMES),
    observation=ObservationPart(size=lambda ruleset: OBSERVATION_SIZE, bounds=lambda ruleset: (0.0, 1.0)),
    luck=LuckPart(c.STREAMS, _luck_names, repeated=frozenset(c.STREAMS)),
    outcome=OutcomePart(c.END_CAUSES, c.DRAW, score_sources=c.SOURCES),
)
