"""How what the seats have runs through the games: means and bands by round, and changes of the lead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

BAND = (0.25, 0.75)
"""Quantiles between which the middle half of the games lies."""
NO_SEAT = -1


@dataclass(frozen=True)
class Grid:
    """A quantity of each of S seats in G games.

    Attributes:
        clock: (T,) rounds, turns or years.
        values: (S, G, T), NaN where a game is over.
    """

    clock: NDArray[np.int64]
    values: NDArray[np.float64]


@dataclass(frozen=True)
class Curves:
    """A quantity of each of S seats at each of T counts of the clock.

    Attributes:
        clock: (T,) rounds, turns or years.
        games: (T,) those that get there.
        mean, low, high: (S, T) of these games: the mean, and the ends of the band.
    """

    clock: NDArray[np.int64]
    games: NDArray[np.int64]
    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def grid_of(table: pd.DataFrame, unit: str, columns: Sequence[str]) -> Grid:
    """The columns of a table of series, one a seat; see `matches.tables.SeriesLog`."""
    clock, place = np.unique(table[unit].to_numpy(np.int64), return_inverse=True)
    deals, game = np.unique(table["deal"].to_numpy(), return_inverse=True)
    values = np.full((len(columns), len(deals), len(clock)), np.nan)
    values[:, game, place] = table[list(columns)].to_numpy(np.float64).T
    return Grid(clock, values)


def curves_of(grid: Grid, fewest: int) -> Curves:
    """The course of a quantity, up to the last count that enough games reach.

    Args:
        fewest: games that a point needs.
    """
    games = np.isfinite(grid.values[0]).sum(axis=0)
    there = games >= fewest
    found = grid.values[:, :, there]
    low, high = np.nanquantile(found, BAND, axis=1)
    return Curves(grid.clock[there], games[there], np.nanmean(found, axis=1), low, high)


def leaders_of(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """The seat that has most (G, T), or `NO_SEAT` where several have or the game is over, from values (S, G, T)."""
    ahead = values == values.max(axis=0)
    return np.where(ahead.sum(axis=0) == 1, ahead.argmax(axis=0), NO_SEAT)


def count_changes(leaders: NDArray[np.int64]) -> NDArray[np.float64]:
    """How often another seat came to lead in each game (G,), from leaders (G, T); being level changes nothing."""
    changes, last = np.zeros(len(leaders)), np.full(len(leaders), NO_SEAT)
    for now in leaders.T:
        known = now != NO_SEAT
        changes += known & (last != NO_SEAT) & (now != last)
        last = np.where(known, now, last)
    return changes
