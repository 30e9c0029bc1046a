"""What each seat wins of every agent's games with itself, here and in the base, for programs that set reports side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.balance.measuring.seats import measure_seats, shares_in
from channel_tunnel_agents.balance.report.evidence import Played
from channel_tunnel_agents.balance.report.numbers import FEWEST
from channel_tunnel_agents.balance.report.plain.players import player_name
from channel_tunnel_agents.matches.tournament import Results
from channel_tunnel_agents.statistics import Estimate, estimate_share


def seat_shares(evidence: Played) -> list[dict[str, Any]]:
    """One entry per agent, the weakest first: its name in words, and the shares "here" and in the "base".

    Shares lie from 0 to 1 with their 95 % intervals, by seat; none where fewer than `FEWEST` deals were played, or no
    base. A draw is half a win of each of two seats.
    """
    base = evidence.base
    return [
        {
            "agent": name,
            "name": player_name(name, evidence.ruleset),
            "here": _shares(evidence.results, evidence.own_games(name)),
            "base": _of_base(base.results, base.games(name)) if base is not None else None,
        }
        for name in (evidence.agents[i] for i in evidence.by_strength)
    ]


def _of_base(results: Results | None, games: pd.DataFrame | None) -> dict[str, Any] | None:
    return None if results is None or games is None else _shares(results, games)


def _shares(results: Results, games: pd.DataFrame) -> dict[str, Any] | None:
    if len(games) < FEWEST:
        return None
    return {
        "deals": len(games),
        "seats": {
            seat: {"value": found.value, "low": found.low, "high": found.high}
            for seat, found in zip(results.ruleset.played_seats, _estimates(results, games), strict=True)
        },
    }


def _estimates(results: Results, games: pd.DataFrame) -> Sequence[Estimate]:
    if len(results.seats) > 2:
        return measure_seats(shares_in(games, results.ruleset.played_seats)).shares
    first = np.asarray(measures_of(results.ruleset).share.of(games), np.float64)
    return [estimate_share(first), estimate_share(1 - first)]
