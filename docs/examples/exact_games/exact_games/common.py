"""What the games share: the record's frame, hidden cards, the end of a game and its SPEC."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.core import verbs
from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.records import new_records, workspace_dtype
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
from channel_tunnel_env.errors import IllegalActionError

SEATS = ("first", "second")
PLAYING, OVER = range(2)
NOBODY, DRAW = -1, 2
NONE = -1
STREAM = 0


def record_dtype(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """The record of a game: what every game has, `won` by the first seat, and its own fields."""
    frame = [
        *(("rng_key", np.uint64, 1), ("rng_counter", np.int64, 1), ("seed", np.int64)),
        *(("ply", np.int32), ("ruleset", np.int16), ("to_play", np.int8), ("phase", np.int8)),
        *(("end_cause", np.int8), ("winner", np.int8), ("won", np.int8)),
    ]
    return np.dtype([*frame, *fields], align=True)


@compiled
def finish(state, won):
    """End a game in which the first seat wins `won` of the second, or loses it."""
    state.phase, state.end_cause, state.won = OVER, 1, won
    state.winner = DRAW if won == 0 else (0 if won > 0 else 1)


@compiled
def is_over(state):
    """It has been decided."""
    return state.phase == OVER


@compiled
def is_asked(state, rules):
    """A decision with one answer is taken for the seat: it says nothing about what is hidden."""
    return False


@compiled
def fill_result(state, rules, rewards, row):
    """What each seat wins of the other; zeros while the game goes on."""
    rewards[row, 0], rewards[row, 1] = state.won, -state.won


@compiled
def fill_scores(state, rules, seat, out):
    """What a seat has won; returns it."""
    out[0] = -state.won if seat else state.won
    return int(out[0])


def make_spec(
    name: str,
    dtype: np.dtype[Any],
    model: Any,
    actions: Sequence[str],
    size: int,
    ranges: Mapping[str, tuple[int, int]],
    stakes: int = 1,
    **rules: Callable[..., Any],
) -> GameSpec:
    """Bind the rules of a game, and describe it.

    Args:
        ranges: the lowest and the highest number of each field of its own.
        stakes: the most that a seat wins.
        rules: the verbs that are not shared.
    """
    shared = {f.__name__: f for f in (is_asked, is_over, fill_result, fill_scores)}
    verbs.bind(dtype, **shared, **rules)
    ids = {action: number for number, action in enumerate(actions)}
    figures = [key for key in model.model_fields if key not in ("game", "name", "title")]
    tables_dtype = np.dtype([(key, np.int64) for key in figures], align=True)
    limits = {
        **{"ply": (0, 99), "to_play": (0, 1), "phase": (0, OVER), "end_cause": (0, 1)},
        **{"winner": (NOBODY, DRAW), "won": (-stakes, stakes), **ranges},
    }

    def make_tables(rulesets: Sequence[Any]) -> Any:
        tables = new_records(len(rulesets), tables_dtype)
        for row, ruleset in zip(tables, rulesets, strict=True):
            for key in figures:
                row[key] = getattr(ruleset.data, key)
        tables.flags.writeable = False
        return tables

    def find_faults(states: Any, tables: Any, as_read: bool) -> NDArray[np.int16]:
        faults = np.zeros(len(states), np.int16)
        for key, (low, high) in limits.items():
            values = states[key].reshape(len(states), -1)
            faults[((values < low) | (values > high)).any(axis=1)] = 1
        faults[(states["phase"] == OVER) != (states["end_cause"] == 1)] = 2
        return faults

    def action_id(action: str) -> int:
        if action not in ids:
            raise IllegalActionError(f"{action!r}: unknown action")
        return ids[action]

    def refusal(states: Any, row: int, tables: Any, action: int) -> str:
        return f"{actions[action]!r} is not legal now"

    return GameSpec(
        name=name,
        version="v0",
        render_modes=(),
        rules=RulesPart(model, lambda data: [], make_tables),
        record=RecordPart(
            dtype,
            workspace_dtype(len(actions), ()),
            ("playing", "over"),
            ("ply", "decision"),
            find_faults,
            {0: "", 1: "every number lies in its range", 2: "a game that is over has a cause"},
        ),
        actions=ActionPart(actions, action_id, idle=0, describe_refusal=refusal),
        seats=SeatPart(names=lambda ruleset: SEATS, agents=lambda ruleset: SEATS),
        observation=ObservationPart(size=lambda ruleset: size, bounds=lambda ruleset: (0.0, 1.0)),
        luck=LuckPart(("cards",), lambda ruleset: {"cards": []}),
        outcome=OutcomePart(("running", "decided"), DRAW, ("won",), stakes=stakes),
    )
