"""What each number of an observation of Eurotunnel Diplomacy counts, for observations in bytes."""

from __future__ import annotations

from functools import cache

from channel_tunnel_env.core.encoding import Column, share
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import observation as o

# How many counts make 1, in the order of `engine.observation`; 1 is a mark.
_EACH = c.NUM_POWERS
_PROVINCE_IN_LAST = [1] * 9 + [o.MANY_MOVES] * _EACH + [o.MANY_HELPERS] * _EACH + [1]
_SWITCHES = [1, c.MAX_TUNNELS, c.MAX_TUNNELS, c.MAX_TUNNELS, 1, 1, 3, c.NUM_CENTRES]
_NUMBERS = [
    *[1] * (o.YEAR + 1),  # the year is a share
    *[c.NUM_CENTRES] * _EACH,
    *[o.MANY_UNITS] * _EACH,
    *[1] * _EACH,
    *[2 * o.MANY_UNITS] * _EACH,
    *[1] * c.MAX_TUNNELS,
    *[c.MAX_TUNNELS] * (2 * _EACH),
    *_SWITCHES,
]
_SECTIONS = {
    "board": [1] * o.BOARD_WIDTH * c.NUM_PROVINCES,
    "last_phase": _PROVINCE_IN_LAST * c.NUM_PROVINCES,
    "own_orders": [*[1] * (o.OWN_WIDTH - 1), o.MANY_HELPERS] * c.NUM_PROVINCES,
    "asked": [1] * (c.NUM_PROVINCES + 2),
    "tunnels": [1] * o.PAIR_WIDTH * c.NUM_PAIRS,
    "permissions": [1] * c.MAX_TUNNELS * _EACH,
    "holding": [o.MANY_HOLDS] * c.NUM_PROVINCES * _EACH,
    "numbers": _NUMBERS + [1] * (o.OBSERVATION_SIZE - o.NUMBERS - len(_NUMBERS)),
}


@cache
def observation_columns() -> tuple[Column, ...]:
    """The columns, the same under every ruleset; no count exceeds what makes 1."""
    columns = [
        Column(f"{section} {place}", 1 / unit, unit)
        for section, units in _SECTIONS.items()
        for place, unit in enumerate(units)
    ]
    columns[o.NUMBERS + o.YEAR] = share(f"numbers {o.YEAR}")
    return tuple(columns)
