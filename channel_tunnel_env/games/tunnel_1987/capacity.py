"""What a position allows, computed by the rule kernels: legal ids, capacities, the next stack.

All code that describes a position to a person asks here, so that no rule is implemented twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import NUM_ACTIONS
from channel_tunnel_env.games.tunnel_1987.engine.kernels import survey_game
from channel_tunnel_env.games.tunnel_1987.engine.state import new_workspaces


@dataclass(frozen=True, slots=True)
class Capacity:
    """How much one seat may hold.

    Attributes:
        allowance: number of discs that a round start draws up to (rules 2.1).
        hand_limit: largest hand if the ruleset always caps hands (A19).
        keep_limit: largest number of discs kept on passing (rules 5.2).
        storage: storage spaces, filled or not.
    """

    allowance: int
    hand_limit: int
    keep_limit: int
    storage: int


@dataclass(frozen=True, slots=True)
class Survey:
    """What one position allows.

    Attributes:
        legal: bool (A,), the legal ids; none when the game is over.
        sides: how much each seat may hold, Britain first.
        margin: how many discs higher the next stack must be than the one it replaces.
    """

    legal: NDArray[np.bool_]
    sides: tuple[Capacity, Capacity]
    margin: int


def survey(states: NDArray[Any], i: int, tables: NDArray[Any]) -> Survey:
    """What game i of an array of records allows in its current state."""
    legal = np.zeros((1, NUM_ACTIONS), np.int8)
    held = np.zeros((c.NUM_SEATS, len(Capacity.__slots__)), np.int16)
    margin = survey_game(states[i : i + 1], tables, new_workspaces(1), legal, held)
    britain, france = (Capacity(*row) for row in held.tolist())
    return Survey(legal[0].astype(np.bool_), (britain, france), int(margin))
