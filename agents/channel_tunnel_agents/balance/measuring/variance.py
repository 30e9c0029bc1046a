"""What decides games between many agents: the deal, the side, or who plays.

An analysis of variance of the first seat's points about a half, the expectation before agents, sides and
deals are known. Every pairing plays every deal, so the parts are orthogonal:

    points - 1/2 = side + skill (the pairing) + deal + rest

Parts are estimated from expected mean squares, so that luck within a deal does not count as the
deal's: with nine games per deal, raw sums of squares would give deals without any effect a ninth of
the variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.figures import bootstrap_deals
from channel_tunnel_agents.statistics import Figure

LEAST_DEALS_OF_SHARES = 200
"""Fewer give intervals that are too narrow: with 66 deals they hold the truth 9 times in 10."""


@dataclass(frozen=True)
class VarianceShares:
    """Shares of the variance of a result; n counts deals. They add up to 1; that of the deal is negative where pairings gain by different deals.

    Attributes:
        side: playing the first seat rather than the second.
        skill: who plays whom.
        deal: the luck that all pairings of a deal share.
        rest: what remains within a deal: how these agents handled this luck, and their own random
            choices.
        deal_means: (deals,) the first seat's mean points over all pairings of each deal, for a histogram.
    """

    side: Figure
    skill: Figure
    deal: Figure
    rest: Figure
    deal_means: NDArray[np.float64]


def of_seats(games: pd.DataFrame, seats: Sequence[str]) -> pd.DataFrame:
    """The columns that `variance_shares` reads, from a games table of two seats with these names."""
    first, second = seats
    names = {first: "first", second: "second", f"{first}_points": "points"}
    found = games[["deal", *names]].rename(columns=names)
    return found.astype({"first": str, "second": str})


def variance_shares(games: pd.DataFrame) -> VarianceShares:
    """Split the variance of results.

    Args:
        games: one row per game: deal, first, second (names), points of the first (1, 0.5 or 0); see
            `of_seats`. Every pairing plays every deal once; two deals and two pairings or more. The intervals need
            `LEAST_DEALS_OF_SHARES` deals.

    Raises:
        ValueError: not every pairing played every deal once, or fewer than two of either.
    """
    table = _table(games)
    value = _components(table[None])[:, 0]
    side, skill, deal, rest = bootstrap_deals(value, len(table), lambda drawn: _components(table[drawn]))
    return VarianceShares(side, skill, deal, rest, table.mean(axis=1))


def _table(games: pd.DataFrame) -> NDArray[np.float64]:
    """The first seat's points (deals, pairings), checked."""
    pairing = ["first", "second"]
    if games.duplicated(["deal", *pairing]).any():
        raise ValueError("games: a pairing played a deal twice; once is expected")
    table = games.pivot(index="deal", columns=pairing, values="points")
    if table.isna().any(axis=None):
        raise ValueError("games: not every pairing played every deal; the same deals are needed")
    if min(table.shape) < 2:
        raise ValueError(f"games: {table.shape[0]} deals, {table.shape[1]} pairings; 2 are needed")
    return np.asarray(table, np.float64)


def _components(tables: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares of side, skill, deal and rest, (4, R), of R tables (R, deals, pairings)."""
    _, deals, pairings = tables.shape
    centred = tables - 0.5
    side = centred.mean(axis=(1, 2))
    skill = centred.mean(axis=1) - side[:, None]
    deal = centred.mean(axis=2) - side[:, None]
    left = centred - side[:, None, None] - skill[:, None, :] - deal[:, :, None]
    noise = (left**2).sum(axis=(1, 2)) / ((deals - 1) * (pairings - 1))
    by_deal = (deal**2).sum(axis=1) / (deals - 1) - noise / pairings
    by_skill = (skill**2).mean(axis=1) - (pairings - 1) / pairings * noise / deals
    by_side = side**2 - (noise + pairings * by_deal) / (deals * pairings)
    parts = np.stack([by_side, by_skill, by_deal, noise])
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(parts / parts.sum(axis=0))
