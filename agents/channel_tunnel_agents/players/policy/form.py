"""What the policies of a game have in common: files, sizes, versions and whose view a value takes.

Needs no torch, so that cards can be read without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.games import DEFAULT_GAME, find_game
from channel_tunnel_env.games.carcassonne.engine import constants as carcassonne
from channel_tunnel_env.games.carcassonne.engine.observation import observation_size
from channel_tunnel_env.games.eurotunnel.engine import constants as eurotunnel
from channel_tunnel_env.games.eurotunnel.engine import observation as eurotunnel_view
from channel_tunnel_env.games.tunnel_1987.engine import observation as tunnel_1987
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_VERSION
from channel_tunnel_env.games.tunnel_1987.engine.constants import PHASES, SEATS

Architecture = Literal["mlp", "game"]  # the network's name, see `network`
Credit = Literal["zero_sum", "per_seat"]  # as `envs.sb3` names it


@dataclass(frozen=True)
class PolicyForm:
    """The policies of one game.

    Attributes:
        game: its name.
        sides: names of the policies, one file each; a single one plays every seat.
        side_column: column of the observation that is 1 where the mover is the second side; None where
            there is one side.
        phases: kinds of decisions that are asked.
        phase_column: first of the columns that say which of them is, one each.
        observation_sizes: of its rulesets.
        observation_version, action_version: a policy of another one is refused.
        networks: names of the networks that can play it.
        values_of_mover: whether values take the view of the seat to move; else that of the first seat.
        usual_plies: decisions of a game that are no sign of a loop.
        credit: how self-play pays: opposite results of two seats, or each of any number by itself.
    """

    game: str
    sides: tuple[str, ...]
    side_column: int | None
    phases: tuple[str, ...]
    phase_column: int
    observation_sizes: tuple[int, ...]
    observation_version: int
    action_version: int
    networks: tuple[Architecture, ...]
    values_of_mover: bool
    usual_plies: int = 600
    credit: Credit = "zero_sum"

    @property
    def num_actions(self) -> int:
        """A."""
        return find_game(self.game).num_actions

    def side_of_rows(self, observations: NDArray[np.float32]) -> NDArray[np.intp]:
        """The side to move in each row (n, D), as an index of `sides`."""
        if self.side_column is None:
            return np.zeros(len(observations), np.intp)
        return (observations[:, self.side_column] > 0.5).astype(np.intp)


FORMS = {
    form.game: form
    for form in (
        PolicyForm(
            game=DEFAULT_GAME,
            sides=SEATS,
            side_column=tunnel_1987.SECTION_BY_NAME["side"].start,
            phases=PHASES[: tunnel_1987.SECTION_BY_NAME["phase"].size],
            phase_column=tunnel_1987.SECTION_BY_NAME["phase"].start,
            observation_sizes=(tunnel_1987.OBSERVATION_SIZE,),
            observation_version=tunnel_1987.OBSERVATION_VERSION,
            action_version=ACTION_VERSION,
            networks=("mlp", "game"),
            values_of_mover=False,
        ),
        PolicyForm(
            game="carcassonne",
            sides=("player",),
            side_column=None,
            phases=carcassonne.PHASES[: carcassonne.OVER],
            phase_column=0,
            observation_sizes=tuple(
                observation_size(players)
                for players in range(carcassonne.MIN_SEATS, carcassonne.MAX_SEATS + 1)
            ),
            observation_version=1,
            action_version=1,
            networks=("game",),
            values_of_mover=True,
        ),
        PolicyForm(
            game="eurotunnel",
            sides=("player",),
            side_column=None,
            phases=eurotunnel.PHASES[: eurotunnel.OVER],
            phase_column=eurotunnel_view.NUMBERS + 2,  # behind the season
            observation_sizes=(eurotunnel_view.OBSERVATION_SIZE,),
            observation_version=1,
            action_version=1,
            networks=("game",),
            values_of_mover=True,
            usual_plies=4000,
            credit="per_seat",
        ),
    )
}
"""By the name of the game."""
TUNNEL_1987 = FORMS[DEFAULT_GAME]


def form_of(card: dict[str, Any]) -> PolicyForm | None:
    """The form that a card's policies have; None for a game without policies."""
    game = card.get("game", DEFAULT_GAME)
    return FORMS.get(game) if isinstance(game, str) else None
