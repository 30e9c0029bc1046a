"""Columns of tables of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

Columns = dict[str, NDArray[Any]]


def by_seat(name: str, values: NDArray[Any], seats: Sequence[str]) -> Columns:
    """A column for each seat, such as score_britain, from figures (n, S or more)."""
    return {f"{name}_{seat}": values[:, i] for i, seat in enumerate(seats)}
