"""Shared by the environments with both seats as agents: names, spaces, and dealing of games."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from channel_tunnel_env.engine.actions import NUM_ACTIONS
from channel_tunnel_env.engine.constants import SEATS
from channel_tunnel_env.engine.observation import OBSERVATION_SIZE
from channel_tunnel_env.game import Game
from channel_tunnel_env.ruleset import AnyRuleset, load_ruleset

AGENTS = tuple(f"{side}_{seat}" for seat, side in enumerate(SEATS))


def check_max_cycles(max_cycles: int | None) -> int | None:
    """The largest number of decisions per game; None for no limit.

    Raises:
        ValueError: the limit is below 1.
    """
    if max_cycles is not None and max_cycles < 1:
        raise ValueError(f"max_cycles {max_cycles}: allowed: None, or 1 and above")
    return max_cycles


def observation_space(observation: str, mask: str) -> spaces.Dict:
    """float32[D] in [0, 1] and int8[A], under the keys that a library expects."""
    return spaces.Dict(
        {
            observation: spaces.Box(0.0, 1.0, (OBSERVATION_SIZE,), np.float32),
            mask: spaces.Box(0, 1, (NUM_ACTIONS,), np.int8),
        }
    )


def results(game: Game) -> dict[str, int]:
    """The result of an ended game by agent: 1 for the winner, -1 for the loser, 0 if nobody won."""
    if game.winner is None:
        return dict.fromkeys(AGENTS, 0)
    return {
        agent: 1 if side == game.winner else -1 for agent, side in zip(AGENTS, SEATS, strict=True)
    }


class Dealer:
    """Deals one game after another under one ruleset.

    Raises:
        RulesetError: a wrong ruleset.
    """

    def __init__(self, ruleset: AnyRuleset) -> None:
        self.ruleset = load_ruleset(ruleset)
        self._seeds = np.random.default_rng()

    def deal(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Game:
        """Deal a new game.

        Args:
            seed: deals `Game(seed=seed)`; later games without a seed follow from it.
            options: {"position": ...} starts from a position (see `Game.from_position`).

        Raises:
            ValueError: a seed below 0, or 2**63 or above.
            PositionError: an impossible position.
        """
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        position = (options or {}).get("position")
        if position is not None:
            return Game.from_position(position, self.ruleset)
        return Game(self.ruleset, int(self._seeds.integers(2**63)) if seed is None else seed)
