"""What the rules of a game must provide, in parts: one typed part for each idea.

A game is a package whose module `spec` holds `SPEC`. Its rules are compiled functions bound to the verbs
(`core.verbs`) for its type of record; what else the loops, environments and agents need to know of them is
here. What a game shows to people is in `faces.registry`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol, get_type_hints

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from channel_tunnel_env.core.encoding import Column

RECORD_FIELDS = ("rng_key", "rng_counter", "seed", "ply", "ruleset", "to_play", "phase", "end_cause", "winner")
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
        """Card keys by card id, if the game has cards."""


class FaultFinder(Protocol):
    """Looks for records that no play can reach."""

    def __call__(self, states: NDArray[Any], tables: NDArray[Any], as_read: bool, /) -> NDArray[np.int16]:
        """For each record 0, or the number of an invariant that does not hold.

        Args:
            states: (B,), any content.
            tables: the rulesets' figures, (R,).
            as_read: the records come from outside, so that what play never gets wrong is looked at too.

        Returns:
            int16 (B,).
        """


class RefusalWriter(Protocol):
    """Says why an action is not legal."""

    def __call__(self, states: NDArray[Any], row: int, tables: NDArray[Any], action: int, /) -> str:
        """The reason in words, without a full stop.

        Args:
            states: (B,).
            row: the record that the action is meant for.
            tables: the rulesets' figures, (R,).
            action: 0 .. A - 1, not legal there.
        """


# Parts are compared by identity, because they hold functions and dictionaries.
@dataclass(frozen=True, eq=False)
class RulesPart:
    """The rulesets of a game: what one may hold, and its figures for the kernels.

    Attributes:
        model: the shape of a ruleset, with `name` and `title`.
        check_consistency: (key, value, rule) for each rule that a ruleset breaks across its figures.
        make_tables: rulesets -> their figures as one read-only record each.
    """

    model: type[BaseModel]
    check_consistency: Callable[[Any], Iterable[tuple[str, Any, str]]]
    make_tables: Callable[[Sequence[Any]], np.recarray]


@dataclass(frozen=True, eq=False)
class RecordPart:
    """The state of a game: one aligned record, and what holds in every record that play can reach.

    Attributes:
        dtype: of the record; has `RECORD_FIELDS`. The verbs are bound to it.
        work_dtype: of the workspace (see `core.records`).
        phases: kinds of decisions, by number.
        clock: a field that counts rounds or turns from 1, and its name in messages.
        find_faults: which records break an invariant.
        invariants: in words, by number.
        unread: fields that no rule reads, such as tallies: positions that differ in them only are played alike.
    """

    dtype: np.dtype[Any]
    work_dtype: np.dtype[Any]
    phases: tuple[str, ...]
    clock: tuple[str, str]
    find_faults: FaultFinder
    invariants: Mapping[int, str]
    unread: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class ActionPart:
    """The actions of a game: flat ids that mean the same in every state and under every ruleset.

    Attributes:
        names: by id.
        id_of: a name -> its id; raises IllegalActionError for an unknown one.
        idle: the id that a mask allows where there is nothing to decide.
        describe_refusal: why an action is not legal.
    """

    names: Sequence[str]
    id_of: Callable[[str], int]
    idle: int
    describe_refusal: RefusalWriter

    @property
    def count(self) -> int:
        """A, the number of ids."""
        return len(self.names)


@dataclass(frozen=True, eq=False)
class SeatPart:
    """Who plays.

    Attributes:
        names: a ruleset -> the names of its seats, in order.
        agents: a ruleset -> the names of its seats as agents of PettingZoo, in the same order.
        played: a ruleset -> the names of the seats that are asked for decisions, in the same order; the others stay
            in the game, but are not played. None: all are.
    """

    names: Callable[[Rules], tuple[str, ...]]
    agents: Callable[[Rules], tuple[str, ...]]
    played: Callable[[Rules], tuple[str, ...]] | None = None


@dataclass(frozen=True, eq=False)
class ObservationPart:
    """What a seat sees of a game, as numbers; the faces say what they mean.

    Attributes:
        size: a ruleset -> D, the number of values.
        bounds: a ruleset -> the lowest and the highest value.
        columns: a ruleset -> what each value counts, for games that write bytes too (see `core.numbers`); the steps
            are the same under every ruleset. None: they do not.
    """

    size: Callable[[Rules], int]
    bounds: Callable[[Rules], tuple[float, float]]
    columns: Callable[[Rules], Sequence[Column]] | None = None


@dataclass(frozen=True, eq=False)
class LuckPart:
    """What is hidden or drawn. The verb `determinize` deals it again.

    Attributes:
        streams: sources of luck, in the order of the record.
        names: a ruleset -> by stream, the names of the items that it shuffles or draws.
        aimed: streams that are drawn from item by item, whose counter is reset before a draw.
        repeated: streams in which an item may occur several times.
    """

    streams: tuple[str, ...]
    names: Callable[[Rules], dict[str, list[str]]]
    aimed: frozenset[str] = frozenset()
    repeated: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class OutcomePart:
    """How a game ends, and what its points come from.

    Attributes:
        end_causes: by number; 0 is that of a game that goes on.
        draw: `winner` of a game that several seats share, or no seat wins.
        score_sources: what points come from.
        first_stop: the first end cause of a game stopped for lack of progress; None if there is none.
        variant_sources: sources that only variants have; left out of scores if no seat has such points.
        stakes: the most that a seat wins or loses in a game. What is learned and searched is in units of it.
        by_points: the winner is a seat with the most points.
    """

    end_causes: tuple[str, ...]
    draw: int
    score_sources: tuple[str, ...]
    first_stop: int | None = None
    variant_sources: frozenset[str] = frozenset()
    stakes: float = 1.0
    by_points: bool = True

    def by_source(self, points: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Points by source, the total last, without sources that only variants have and no seat scored from.

        Args:
            points: (..., sources + 1).

        Returns:
            source -> points (...), and "total".
        """
        names = (*self.score_sources, "total")
        return {
            name: points[..., k]
            for k, name in enumerate(names)
            if name not in self.variant_sources or points[..., k].any()
        }


# Compared by identity, and so a key of caches (see `machine`).
@dataclass(frozen=True, eq=False)
class GameSpec:
    """A game.

    Attributes:
        name: as in `game:` of a ruleset.
        version: of the environment's ids, such as "v2"; the constant VERSION of the module (see `games`).
        render_modes: those that its environments offer.
        rules: its rulesets.
        record: its state.
        actions: what players can do.
        seats: who plays.
        observation: what a seat sees.
        luck: what is hidden or drawn.
        outcome: how it ends.

    Raises:
        TypeError: a part has another type than its own.
    """

    name: str
    version: str
    render_modes: tuple[str, ...]
    rules: RulesPart
    record: RecordPart
    actions: ActionPart
    seats: SeatPart
    observation: ObservationPart
    luck: LuckPart
    outcome: OutcomePart

    def __post_init__(self) -> None:
        """Refuse half a game where it is written, not where it is played."""
        for name, kind in PARTS.items():
            given = getattr(self, name)
            if not isinstance(given, kind):
                raise TypeError(f"GameSpec: {name} is a {type(given).__name__}; expected a {kind.__name__}")


PARTS: Mapping[str, type] = {
    field.name: kind
    # Annotations are kept as strings, so the types are looked up.
    for field in fields(GameSpec)
    if (kind := get_type_hints(GameSpec)[field.name]).__name__.endswith("Part")
}
"""The parts of a game by their names in `GameSpec`, and their types."""
