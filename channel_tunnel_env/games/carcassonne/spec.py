"""Carcassonne as a game of the core."""

from __future__ import annotations

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
from channel_tunnel_env.games.carcassonne.bounds import check_consistency
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.invariants import INVARIANTS
from channel_tunnel_env.games.carcassonne.engine.kernels import check_game
from channel_tunnel_env.games.carcassonne.engine.observation import observation_size
from channel_tunnel_env.games.carcassonne.engine.state import STATE_DTYPE, WORK_DTYPE
from channel_tunnel_env.games.carcassonne.engine.tables import make_tables
from channel_tunnel_env.games.carcassonne.explain import ACTION_NAMES, action_id, describe_refusal
from channel_tunnel_env.games.carcassonne.observation_columns import observation_columns, observation_range
from channel_tunnel_env.games.carcassonne.ruleset import RulesetData

VERSION = "v0"


def _seats(ruleset: Rules) -> tuple[str, ...]:
    return tuple(f"player_{seat}" for seat in range(ruleset.data.players))


def _luck_names(ruleset: Rules) -> dict[str, list[str]]:
    return {"deck": [kind.name for kind in ruleset.data.tile_types()]}


def _find_faults(states: np.ndarray, tables: np.ndarray, as_read: bool) -> np.ndarray:
    work = new_records(1, WORK_DTYPE)
    return np.array([check_game(states, i, tables, work) for i in range(len(states))], np.int16)


SPEC = GameSpec(
    name="carcassonne",
    version=VERSION,
    render_modes=("ansi", "rgb_array", "human"),
    rules=RulesPart(RulesetData, check_consistency, make_tables),
    record=RecordPart(
        dtype=STATE_DTYPE,
        work_dtype=WORK_DTYPE,
        phases=c.PHASES,
        clock=("turn", "turn"),
        find_faults=_find_faults,
        invariants=dict(enumerate(INVARIANTS)),
        unread=frozenset({"table_cuts", "tally_points", "tally_first", "tally_second"}),
    ),
    actions=ActionPart(ACTION_NAMES, action_id, c.TOKEN_NONE, describe_refusal),
    seats=SeatPart(names=_seats, agents=_seats),
    observation=ObservationPart(
        size=lambda ruleset: observation_size(ruleset.data.players),
        bounds=lambda ruleset: observation_range(ruleset.data),
        columns=lambda ruleset: observation_columns(ruleset.data),
    ),
    luck=LuckPart(c.STREAMS, _luck_names, repeated=frozenset(c.STREAMS)),
    outcome=OutcomePart(c.END_CAUSES, c.DRAW, score_sources=c.KINDS),
)
