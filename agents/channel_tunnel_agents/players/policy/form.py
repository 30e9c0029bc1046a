"""What the policies of a game have in common: files, sizes, versions and whose view a value takes.

Needs no torch, so that cards can be read without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.games import Parts
from channel_tunnel_env.games import DEFAULT_GAME, find_game

Architecture = Literal["mlp", "game"]  # the network's name, see `network`
Credit = Literal["zero_sum", "per_seat"]  # as `envs.sb3` names it


@dataclass(frozen=True)
class PolicyForm:
    """The policies of one game; by default one policy plays every seat, by a network shaped like the game.

    Attributes:
        game: its name.
        observation_sizes: of its rulesets.
        phases: kinds of decisions that are asked.
        phase_column: first of the columns that say which of them is, one each.
        sides: names of the policies, one file each; a single one plays every seat.
        side_column: column of the observation that is 1 where the mover is the second side; None where
            there is one side.
        observation_version, action_version: a policy of another one is refused.
        networks: names of the networks that can play it.
        values_of_mover: whether values take the view of the seat to move; else that of the first seat.
        usual_plies: decisions of a game that are no sign of a loop.
        credit: how self-play pays: opposite results of two seats, or each of any number by itself.
    """

    game: str
    observation_sizes: tuple[int, ...]
    phases: tuple[str, ...] = ()
    phase_column: int = 0
    sides: tuple[str, ...] = ("player",)
    side_column: int | None = None
    observation_version: int = 1
    action_version: int = 1
    networks: tuple[Architecture, ...] = ("game",)
    values_of_mover: bool = True
    usual_plies: int = 600
    credit: Credit = "zero_sum"

    @property
    def num_actions(self) -> int:
        """A."""
        return find_game(self.game).actions.count

    def side_of_rows(self, observations: NDArray[np.float32]) -> NDArray[np.intp]:
        """The side to move in each row (n, D), as an index of `sides`."""
        if self.side_column is None:
            return np.zeros(len(observations), np.intp)
        return (observations[:, self.side_column] > 0.5).astype(np.intp)


FORMS: Mapping[str, PolicyForm] = Parts("policy", "FORM", PolicyForm, plain="form")
"""By the name of the game."""
DEFAULT_FORM = FORMS[DEFAULT_GAME]


def form_of(card: dict[str, Any]) -> PolicyForm | None:
    """The form that a card's policies have; None for a game without policies."""
    game = card.get("game", DEFAULT_GAME)
    return FORMS.get(game) if isinstance(game, str) else None
