"""Shared by the environments with every seat as an agent: names, spaces, and dealing of games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from channel_tunnel_env.core.batch import Batch
from channel_tunnel_env.core.encoding import FLOAT
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.core.whole_numbers import MAX_SEED, given_seed, whole_number
from channel_tunnel_env.envs.rendering import Renderer
from channel_tunnel_env.game import game_class
from channel_tunnel_env.outside.hints import or_known
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset, load_ruleset

OBSERVATION, ACTION_MASK = "observation", "action_mask"
OPTIONS = ("position", "ruleset")  # of a reset
OF_CHECKER = "options"  # what PettingZoo's `api_test` passes, and expects to be ignored
AGENTS = load_ruleset().spec.seats.agents(load_ruleset())
"""The agents of 1987 Channel Tunnel."""


def check_max_cycles(max_cycles: int | None) -> int | None:
    """The largest number of decisions per game; None for no limit.

    Raises:
        ValueError: the limit is no whole number, or below 1.
    """
    return None if max_cycles is None else whole_number(max_cycles, "max_cycles", 1, MAX_SEED)


def seen_space(*rulesets: Ruleset) -> spaces.Box:
    """What a seat sees under any of some rulesets of one game: float32[D], with the bounds of all of them."""
    lows, highs = zip(*(rules.spec.observation.bounds(rules) for rules in rulesets), strict=True)
    size = machine_of(rulesets[0]).observation_size
    return spaces.Box(min(lows), max(highs), (size,), np.float32)


def held_space(batch: Batch) -> spaces.Box:
    """What a batch's rows hold, in its dtype: bytes from 0 to 255, else the bounds of the rulesets."""
    floats = seen_space(*batch.rulesets)
    return floats if batch.encoding.dtype == FLOAT else spaces.Box(0, 255, floats.shape, np.uint8)


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


def begin(ruleset: Ruleset, options: Mapping[str, Any] | None) -> tuple[Ruleset, Any]:
    """What the options of a reset ask for, for this game only.

    Args:
        ruleset: of the environment.
        options: {"position": ...} starts from a position (see `Game.from_position`), {"ruleset": ...} plays by other rules of
            the same game, with the same seats and the same range of observations.

    Returns:
        The ruleset to play by, and a game at the position, or None.

    Raises:
        ValueError: an unknown option, a ruleset that does not fit the environment, or a position at which the game is over.
        RulesetError: a wrong ruleset.
        PositionError: an impossible position.
    """
    given = options or {}
    for name in given:
        if name not in (*OPTIONS, OF_CHECKER):
            raise ValueError(f"options: {name!r:.80}: {or_known(str(name), OPTIONS)}")
    rules = ruleset
    if given.get("ruleset") is not None:
        rules = load_ruleset(given["ruleset"])
        _check_fits(rules, ruleset)
    position = given.get("position")
    begun = None if position is None else game_class(rules.spec).from_position(position, rules)
    if begun is not None and begun.is_over:
        raise ValueError("options: position: the game is over there, so nothing is left to play")
    return rules, begun


def _check_fits(rules: Ruleset, ruleset: Ruleset) -> None:
    """Refuse a ruleset by which an environment that was made with another cannot play."""
    one, other = ((each.spec, each.seats, each.played_seats, seen_space(each)) for each in (rules, ruleset))
    if one != other:
        raise ValueError(
            f"options: ruleset {rules.name}: it has another game, other seats or another range of observations than {ruleset.name}, "
            "with which the environment was made; make one with it"
        )


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
            options: as of `begin`.

        Raises:
            ValueError: a wrong seed or option; what is dealt next has not changed.
            RulesetError: a wrong ruleset; likewise.
            PositionError: an impossible position; likewise.
        """
        given = None if seed is None else given_seed(seed)
        rules, begun = begin(self.ruleset, options)
        if given is not None:
            self._seeds = np.random.default_rng(given)
        if begun is not None:
            return begun
        return game_class(rules.spec)(rules, int(self._seeds.integers(2**63)) if given is None else given)


class EverySeat:
    """What PettingZoo's environments of both kinds have in common: every seat is an agent of one game.

    Args:
        ruleset: a name, a YAML path, an overlay dict or a Ruleset.
        render_mode: see `aec.raw_env`.
        max_cycles: truncate after this many steps; None: never.

    Raises:
        RulesetError: a wrong ruleset.
        ValueError: an unknown render mode, or `max_cycles` below 1.
    """

    game: Any

    def __init__(self, ruleset: AnyRuleset, render_mode: str | None, max_cycles: int | None) -> None:
        super().__init__()
        self.max_cycles = check_max_cycles(max_cycles)
        self._dealer = Dealer(ruleset)
        self.ruleset = self._dealer.ruleset
        spec = self.ruleset.spec
        self._renderer = Renderer(render_mode, spec)
        self.render_mode = render_mode
        self.possible_agents = list(spec.seats.agents(self.ruleset))
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: observation_space(self.ruleset, OBSERVATION, ACTION_MASK) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(spec.actions.count) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation space, the same for all agents.

        Args:
            agent: one of `possible_agents`.

        Returns:
            A Dict of `observation`, float32 (D,), and `action_mask`, int8 (A,).
        """
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The action space, the same for all agents.

        Args:
            agent: one of `possible_agents`.

        Returns:
            Discrete(A).
        """
        return self.action_spaces[agent]

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board in the render mode.

        Returns:
            Text for "ansi", uint8 (height, width, 3) for "rgb_array", else None.
        """
        return self._renderer.render(self.game)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()
