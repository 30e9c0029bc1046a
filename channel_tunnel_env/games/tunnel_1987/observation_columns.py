"""What each number of an observation of 1987 counts, for observations in bytes."""

from __future__ import annotations

from functools import cache

import numpy as np

from channel_tunnel_env.core.encoding import Column, share
from channel_tunnel_env.games.tunnel_1987.engine.observation import SECTIONS

# Places in their sections; all other numbers are counts over the scale of their entry.
_SHARES = {"round": {1}, "deviation_risk": {0, 1}, "tunnel_risk": {0, 1, 2, 3}}


@cache
def observation_columns() -> tuple[Column, ...]:
    """The columns, the same under every ruleset; no count exceeds what makes 1."""
    return tuple(
        share(f"{section.name} {place}")
        if place in _SHARES.get(section.name, ())
        else Column(f"{section.name} {place}", float(np.float32(scale)), round(1 / scale))
        for section in SECTIONS
        for place, scale in enumerate(section.scales)
    )
