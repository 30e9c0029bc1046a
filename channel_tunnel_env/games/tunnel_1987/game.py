"""One game of 1987 Channel Tunnel."""

from __future__ import annotations

import numpy as np

from channel_tunnel_env import game
from channel_tunnel_env.core.machine import machine_of, phases_of
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.state import new_states
from channel_tunnel_env.games.tunnel_1987.spec import SPEC
from channel_tunnel_env.rulesets.ruleset import Ruleset

__all__ = ["BLANK", "Game", "Phase", "seat_index", "tables_of"]

BLANK = new_states(1)
Phase = phases_of(SPEC)


def tables_of(ruleset: Ruleset) -> np.recarray:
    """The ruleset's figures as one read-only record for the kernels."""
    return machine_of(ruleset).tables


def seat_index(side: str | int) -> int:
    """0 for "britain", 1 for "france"; seats 0 and 1 are returned as they are.

    Raises:
        ValueError: `side` is none of these.
    """
    if side in (0, 1):
        return int(side)
    if side in c.SEATS:
        return c.SEATS.index(str(side))
    raise ValueError(f"side {side!r}: allowed: britain, france")


class Game(game.Game):
    """A game of 1987 Channel Tunnel, at its next real decision, or over; see `game.Game`."""

    __slots__ = ()

    game_name = SPEC.name

    @property
    def round(self) -> int:
        """The round, from 1."""
        return int(self._states["round_no"][0])
