"""What a position allows, as the rules' own kernels say: legal ids, what a player may hold, the next stack.

Whatever tells a person about a position asks here, so that no rule is written down a second time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.engine.actions import NUM_ACTIONS
from channel_tunnel_env.engine.constants import NUM_SEATS
from channel_tunnel_env.engine.kernels import survey_game
from channel_tunnel_env.engine.workspace import new_workspaces


@dataclass(frozen=True, slots=True)
class Capacity:
    """What one seat may hold.

    Attributes:
        allowance: discs drawn up to at a round start (rules 2.1).
        hand_limit: discs above which no hand is lifted where the ruleset caps hands always (A19).
        keep_limit: discs kept on passing (rules 5.2).
        storage: storage spaces, filled or not.
    """

    allowance: int
    hand_limit: int
    keep_limit: int
    storage: int


@dataclass(frozen=True, slots=True)
class Survey:
    """One position.

    Attributes:
        legal: bool (A,), the legal ids; none when the game is over.
        sides: what each seat may hold, Britain first.
        margin: discs by which the next stack of the seat to play must exceed the one it replaces.
    """

    legal: NDArray[np.bool_]
    sides: tuple[Capacity, Capacity]
    margin: int


def survey(states: NDArray[Any], i: int, tables: NDArray[Any]) -> Survey:
    """What game i of an array of records allows as it stands."""
    legal = np.zeros((1, NUM_ACTIONS), np.int8)
    held = np.zeros((NUM_SEATS, len(Capacity.__slots__)), np.int16)
    margin = survey_game(states[i : i + 1], tables, new_workspaces(1), legal, held)
    britain, france = (Capacity(*row) for row in held.tolist())
    return Survey(legal[0].astype(np.bool_), (britain, france), int(margin))
