"""An estimate as a cell of a table in the terminal."""

from __future__ import annotations

import math

from channel_tunnel_agents.statistics import Estimate


def estimate_cell(found: Estimate, unit: str, signed: bool = False) -> str:
    """A value above its interval.

    Args:
        found: The value and its interval.
        unit: Of the measure: a "share" is shown in per cent, any other as it is.
        signed: Whether it is a change: with its sign, and that of a share in percentage points.
    """
    if math.isnan(found.value):
        return "none"
    scale, digits, end = (100, 1, " pp" if signed else " %") if unit == "share" else (1, 2, "")
    style = f"{'+' if signed else ''}.{digits}f"
    value, low, high = (f"{scale * x:{style}}" for x in (found.value, found.low, found.high))
    return f"{value}{end}\n[{low}, {high}]"
