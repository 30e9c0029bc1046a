"""Columns of tables of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class SeatMeasure:
    """What a seat's play is measured by.

    Attributes:
        words: its name.
        column: of the games table, followed by `_` and the seat.
        is_share: its values lie between 0 and 1.
    """

    words: str
    column: str
    is_share: bool = True


def by_seat(name: str, values: NDArray[Any], seats: Sequence[str]) -> Columns:
    """A column for each seat, such as score_britain, from figures (n, S or more)."""
    return {f"{name}_{seat}": values[:, i] for i, seat in enumerate(seats)}
