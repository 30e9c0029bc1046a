"""Shared by the environments with every seat as an agent: names, spaces, and dealing of games."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from channel_tunnel_env.core.batch import Batch
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.core.whole_numbers import given_seed
from channel_tunnel_env.faces.registry import game_class
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset, load_ruleset

AGENTS = load_ruleset().spec.seats.agents(load_ruleset())
"""The agents of 1987 Channel Tunnel."""


def check_max_cycles(max_cycles: int | None) -> int | None:
    """The largest number of decisions per game; None for no limit.

    Raises:
        ValueError: the limit is below 1.
    """
    if max_cycles is not None and max_cycles < 1:
        raise ValueError(f"max_cycles {max_cycles}: allowed: None, or 1 and above")
    return max_cycles


def seen_space(*rulesets: Ruleset) -> spaces.Box:
    """What a seat sees under any of some rulesets of one game: float32[D], with the bounds of all of them."""
    lows, highs = zip(*(rules.spec.observation.bounds(rules) for rules in rulesets), strict=True)
    size = machine_of(rulesets[0]).observation_size
    return spaces.Box(min(lows), max(highs), (size,), np.float32)


def held_space(batch: Batch) -> spaces.Box:
    """What a batch's rows hold, in its dtype: bytes from 0 to 255, else the bounds of the rulesets."""
    dtype, floats = batch.encoding.dtype, seen_space(*batch.rulesets)
    if np.issubdtype(dtype, np.integer):
        return spaces.Box(0, np.iinfo(dtype).max, floats.shape, dtype.type)
    return spaces.Box(floats.low.astype(dtype), floats.high.astype(dtype), dtype=dtype.type)


def observation_space(ruleset: Ruleset, observation: str, mask: str) -> spaces.Dict:
    """float32[D] and int8[A], under the keys that a library expects."""
    shape = (ruleset.spec.actions.count,)
    return spaces.Dict({observation: seen_space(ruleset), mask: spaces.Box(0, 1, shape, np.int8)})


def results(game: Game) -> dict[str, Any]:
    """The result of an ended game by agent: between two seats 1, -1 or 0."""
    return dict(zip(game.spec.seats.agents(game.ruleset), map(_plain, game.result()), strict=True))


def _plain(result: float) -> float:
    """A whole result as an int, as PettingZoo's own games write it."""
    return int(result) if result.is_integer() else result


class Dealer:
    """Deals one game after another under one ruleset, whose `game:` says of what kind.

    Raises:
        RulesetError: a wrong ruleset.
    """

    def __init__(self, ruleset: AnyRuleset) -> None:
        self.ruleset = load_ruleset(ruleset)
        self._seeds = np.random.default_rng()

    def deal(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Deal a new game.

        Args:
            seed: deals `Game(seed=seed)`; later games without a seed follow from it.
            options: {"position": ...} starts from a position (see `Game.from_position`).

        Raises:
            ValueError: a wrong seed; what is dealt next has not changed.
            PositionError: an impossible position; likewise.
        """
        kind = game_class(self.ruleset.spec)
        given = None if seed is None else given_seed(seed)
        position = (options or {}).get("position")
        begun = None if position is None else kind.from_position(position, self.ruleset)
        if given is not None:
            self._seeds = np.random.default_rng(given)
        if begun is not None:
            return begun
        return kind(self.ruleset, int(self._seeds.integers(2**63)) if given is None else given)
