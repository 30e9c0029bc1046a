"""1987 Channel Tunnel as a game of the core."""

from __future__ import annotations

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
from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.invariants import INVARIANTS, find_faults
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE, observation_columns
from channel_tunnel_env.games.tunnel_1987.engine.scoring import SCORE_SOURCES, VARIANT_SOURCES
from channel_tunnel_env.games.tunnel_1987.engine.state import STATE_DTYPE, WORK_DTYPE
from channel_tunnel_env.games.tunnel_1987.engine.tables import deviation_names, make_tables, token_names
from channel_tunnel_env.games.tunnel_1987.explain import describe_refusal
from channel_tunnel_env.games.tunnel_1987.ruleset import RulesetData, check_consistency

VERSION = "v1"
_FIELDS = STATE_DTYPE.names or ()
_TALLIES = _FIELDS[_FIELDS.index("leader") :]  # they end the record


def _luck_names(ruleset: Rules) -> dict[str, list[str]]:
    return {
        "rubble": token_names(make_tables([ruleset])[0]),
        "cards": ruleset.card_keys,
        "deviation": deviation_names(ruleset),
        "agenda": list(c.AGENDA_KINDS),
        "discs": list(c.COLOURS),
    }


SPEC = GameSpec(
    name="tunnel_1987",
    version=VERSION,
    render_modes=("ansi", "rgb_array", "human"),
    rules=RulesPart(RulesetData, check_consistency, make_tables),
    record=RecordPart(
        dtype=STATE_DTYPE,
        work_dtype=WORK_DTYPE,
        phases=c.PHASES,
        clock=("round_no", "round"),
        find_faults=lambda states, tables, as_read: find_faults(states, tables),
        invariants=INVARIANTS,
        unread=frozenset(_TALLIES),
    ),
    actions=ActionPart(a.ACTION_NAMES, a.action_id, a.PASS, describe_refusal),
    seats=SeatPart(
        names=lambda ruleset: c.SEATS,
        agents=lambda ruleset: tuple(f"{side}_{seat}" for seat, side in enumerate(c.SEATS)),
    ),
    observation=ObservationPart(
        size=lambda ruleset: OBSERVATION_SIZE,
        bounds=lambda ruleset: (0.0, 1.0),
        columns=lambda ruleset: observation_columns(),
    ),
    luck=LuckPart(
        c.STREAMS,
        _luck_names,
        aimed=frozenset({c.STREAMS[c.DISC_STREAM]}),
        repeated=frozenset({c.STREAMS[c.DISC_STREAM]}),
    ),
    outcome=OutcomePart(c.END_CAUSES, c.DRAW, SCORE_SOURCES, first_stop=c.FIRST_STOP, variant_sources=VARIANT_SOURCES),
)
