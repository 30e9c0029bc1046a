"""Eurotunnel Diplomacy as a game of the core."""

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
    RulesPart,
    SeatPart,
)
from channel_tunnel_env.games.eurotunnel.actions import ACTION_NAMES, action_id
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.invariants import INVARIANTS
from channel_tunnel_env.games.eurotunnel.engine.kernels import check_game
from channel_tunnel_env.games.eurotunnel.engine.observation import OBSERVATION_SIZE, observation_columns
from channel_tunnel_env.games.eurotunnel.engine.state import STATE_DTYPE, WORK_DTYPE
from channel_tunnel_env.games.eurotunnel.engine.tables import make_tables
from channel_tunnel_env.games.eurotunnel.explain import describe_refusal
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.ruleset import RulesetData, check_consistency

VERSION = "v0"
SEATS = tuple(power.lower() for power in load_board().powers)


def _find_faults(states: np.ndarray, tables: np.ndarray, as_read: bool) -> np.ndarray:
    work = new_records(1, WORK_DTYPE)
    faults = [check_game(states, i, tables, as_read, work) for i in range(len(states))]
    return np.array(faults, np.int16)


SPEC = GameSpec(
    name="eurotunnel",
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
    ),
    actions=ActionPart(ACTION_NAMES, action_id, c.ID_HOLD, describe_refusal),
    seats=SeatPart(
        names=lambda ruleset: SEATS,
        agents=lambda ruleset: tuple(f"{power}_{seat}" for seat, power in enumerate(SEATS)),
        played=lambda ruleset: tuple(power for power in SEATS if power.upper() not in ruleset.data.absent),
    ),
    observation=ObservationPart(
        size=lambda ruleset: OBSERVATION_SIZE,
        bounds=lambda ruleset: (0.0, 1.0),
        columns=lambda ruleset: observation_columns(),
    ),
    luck=LuckPart(c.STREAMS, lambda ruleset: {stream: [] for stream in c.STREAMS}),
    outcome=OutcomePart(c.END_CAUSES, c.DRAW, c.SCORE_SOURCES),
)
