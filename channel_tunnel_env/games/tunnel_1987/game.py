"""One game of 1987 Channel Tunnel."""

from __future__ import annotations

import numpy as np

from channel_tunnel_env import game
from channel_tunnel_env.core.machine import machine_of, phases_of
from channel_tunnel_env.games.tunnel_1987.engine.state import new_states
from channel_tunnel_env.games.tunnel_1987.spec import SPEC
from channel_tunnel_env.rulesets.ruleset import Ruleset

__all__ = ["BLANK", "Game", "Phase", "tables_of"]

BLANK = new_states(1)
Phase = phases_of(SPEC)


def tables_of(ruleset: Ruleset) -> np.recarray:
    """The ruleset's figures as one read-only record for the kernels."""
    return machine_of(ruleset).tables


class Game(game.Game):
    """A game of 1987 Channel Tunnel, at its next real decision, or over; see `game.Game`."""

    __slots__ = ()

    game_name = SPEC.name

    @property
    def round(self) -> int:
        """The round, from 1."""
        return int(self._states["round_no"][0])
