"""What the rules of a game must provide, in one place.

A game is a package whose module `spec` holds `SPEC`. Its rules are compiled functions bound to the verbs
(`core.verbs`); all else that the loops, environments and agents need to know of them stands here. What it shows to
people stands in `faces.registry`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

RECORD_FIELDS = (
    "rng_key",
    "rng_counter",
    "seed",
    "ply",
    "ruleset",
    "to_play",
    "phase",
    "end_cause",
    "winner",
)
"""Fields that the record of every game has; `winner` is a seat, `draw` or -1 while the game goes on."""


class Rules(Protocol):
    """A ruleset, as far as the rules of its game need to know it."""

    @property
    def name(self) -> str:
        """Its short name."""

    @property
    def data(self) -> Any:
        """Every value, as the game's own model."""

    @property
    def card_keys(self) -> list[str]:
        """Card keys by card id, where the game has cards."""


@dataclass(frozen=True, eq=False)
class GameSpec:
    """A game.

    Attributes:
        name: as in `game:` of a ruleset.
        ruleset_model: the shape of a ruleset, with `name` and `title`.
        check_consistency: (key, value, rule) for each rule that a ruleset breaks across its figures.
        state_dtype: of the record; has `RECORD_FIELDS`.
        work_dtype: of the workspace (see `core.workspace`).
        make_tables: rulesets -> their figures as one read-only record each.
        seats: a ruleset -> the names of its seats, in order.
        agents: a ruleset -> the names of its seats as agents of PettingZoo.
        action_names: by id.
        action_id: a name -> its id; raises IllegalActionError for an unknown one.
        idle_action: the id that a mask allows where there is nothing to decide.
        observation_size: a ruleset -> D.
        observation_range: a ruleset -> lowest and highest value of an observation.
        streams: sources of luck, in the order of the record.
        aimed_streams: those drawn from item by item, whose counter is set anew before a draw.
        luck_names: a ruleset -> by stream, the names of the items that it shuffles or draws.
        repeated_streams: those in which an item may occur several times.
        phases: kinds of decisions, by number.
        end_causes: by number; 0 is that of a game that goes on.
        first_stop: the first end cause of a game stopped for lack of progress; None if there is none.
        draw: `winner` of a game that several seats share, or nobody wins.
        score_sources: what points come from.
        variant_sources: those that only variants have; told where somebody has such points.
        clock: a field that counts rounds or turns from 1, and its name in messages.
        find_faults: states (B,), tables, as_read -> int16 (B,), 0 or the invariant that does not hold.
        invariants: in words, by number.
        describe_refusal: states, row, tables, action -> why the action is not legal.
        version: of the environment's ids, such as "v2"; the constant VERSION of the module (see `games`).
        render_modes: those that its environments offer.
    """

    name: str
    ruleset_model: type[BaseModel]
    check_consistency: Callable[[Any], Sequence[tuple[str, Any, str]]]
    state_dtype: np.dtype[Any]
    work_dtype: np.dtype[Any]
    make_tables: Callable[[Sequence[Any]], np.recarray]
    seats: Callable[[Any], tuple[str, ...]]
    agents: Callable[[Any], tuple[str, ...]]
    action_names: Sequence[str]
    action_id: Callable[[str], int]
    idle_action: int
    observation_size: Callable[[Any], int]
    observation_range: Callable[[Any], tuple[float, float]]
    streams: tuple[str, ...]
    aimed_streams: frozenset[str]
    luck_names: Callable[[Any], dict[str, list[str]]]
    repeated_streams: frozenset[str]
    phases: tuple[str, ...]
    end_causes: tuple[str, ...]
    first_stop: int | None
    draw: int
    score_sources: tuple[str, ...]
    clock: tuple[str, str]
    find_faults: Callable[[NDArray[Any], NDArray[Any], bool], NDArray[np.int16]]
    invariants: Mapping[int, str]
    describe_refusal: Callable[[NDArray[Any], int, NDArray[Any], int], str]
    version: str
    render_modes: tuple[str, ...]
    variant_sources: frozenset[str] = frozenset()

    @property
    def num_actions(self) -> int:
        """A."""
        return len(self.action_names)

    def told_sources(self, points: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Points (..., sources + 1) by source, the total last, without sources that this ruleset does not have."""
        names = (*self.score_sources, "total")
        return {
            name: points[..., k]
            for k, name in enumerate(names)
            if name not in self.variant_sources or points[..., k].any()
        }
