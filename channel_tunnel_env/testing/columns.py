"""A game's observations in bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from channel_tunnel_env.batch import BatchGame
from channel_tunnel_env.core.encoding import BYTE, ByteLayout, Column
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.core.numbers import OWN_COUNTS
from channel_tunnel_env.core.spec import ObservationPart
from channel_tunnel_env.rulesets.ruleset import Ruleset

_HALF_A_STEP = 0.5001  # by which a share may be off, and float32


def wrong_columns(part: ObservationPart, rulesets: Sequence[Ruleset]) -> Iterator[str]:
    """What does not hold of `observation.columns` under some rulesets of a game; nothing if it has none."""
    if part.columns is None:
        return
    steps: dict[int, list[float]] = {}
    for rules in rulesets:
        columns, size = part.columns(rules), part.size(rules)
        where = f"{rules.name}: observation.columns"
        if len(columns) != size:
            yield f"{where}: {len(columns):,} columns; observation.size says {size:,}"
            continue
        yield from (f"{where}: {problem}" for problem in _wrong_lenders(columns))
        own = [column.step for column in columns]
        if not np.isfinite(own).all() or not np.all(own):
            yield f"{where}: {columns[int(np.argmin(np.abs(own)))].name}: a step that is zero or no number"
        if steps.setdefault(size, own) != own:
            yield f"{where}: steps that differ from those of another ruleset"


def _wrong_lenders(columns: Sequence[Column]) -> Iterator[str]:
    lent: set[int] = set()
    for place, column in enumerate(columns):
        if not column.lender:
            continue
        lender = place + column.lender
        if not 0 <= lender < len(columns):
            yield f"{column.name}: its lender would be at {lender:,}, outside the row"
        elif lender in lent:
            yield f"{column.name}: {columns[lender].name} lends its bits to another number already"
        elif columns[lender].most >= OWN_COUNTS or columns[lender].signed or columns[lender].lender:
            yield (
                f"{column.name}: {columns[lender].name} cannot lend bits; a lender counts from 0 to at most "
                f"{OWN_COUNTS - 1} and borrows no bits"
            )
        lent.add(lender)


def wrong_bytes(game: Game) -> Iterator[str]:
    """Which number of what a seat sees is another one in bytes; nothing where bytes do not hold the ruleset's counts."""
    columns_of = game.spec.observation.columns
    columns = columns_of(game.ruleset) if columns_of is not None else ()
    if not columns or not all(column.fits for column in columns):
        return
    batch = BatchGame(1, game.ruleset, 0, observe=False, observation_dtype=BYTE)
    batch.records[:] = game.states
    layout = ByteLayout(columns)
    room = np.where(layout.exact, 0, layout.steps) * _HALF_A_STEP
    for seat, name in enumerate(game.seats):
        numbers, held = game.observation(seat), batch.observe(seat)
        decoded = batch.encoding.decode(held)[0]
        for place in np.flatnonzero(np.abs(decoded - numbers) > room)[:1]:
            yield (
                f"observation.columns: {columns[place].name}: the byte {held[0, place]} at {place:,} of what {name} sees "
                f"means {decoded[place]:g}; float32 says {numbers[place]:g}"
            )
