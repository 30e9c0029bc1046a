"""The players that games bring: scripted ones and the tree search with a policy (`-puct`), by name; and uniform play, of every game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import Agent, SearchAgent, agent_seed
from channel_tunnel_agents.games import Parts
from channel_tunnel_env import Ruleset
from channel_tunnel_env.envs.opponents import RandomOpponent

if TYPE_CHECKING:
    from channel_tunnel_agents.players.policy.agent import PolicyAgent


class ScriptedPlayers(Protocol):
    """The module with the scripted players of a game."""

    @property
    def NAMES(self) -> tuple[str, ...]:  # noqa: N802, a constant of the module
        """Their names."""

    def make_scripted(self, name: str, ruleset: Ruleset | None, seed: int) -> Agent | SearchAgent:
        """The player with a name of NAMES, for a ruleset of the game; None: its own."""


PLAYERS: Mapping[str, ScriptedPlayers] = Parts("players", "", ScriptedPlayers)


def names_in(game: str) -> tuple[str, ...]:
    """The names of a game's scripted players. Players of several games may share a name."""
    return PLAYERS[game].NAMES if game in PLAYERS else ()


def games_of(name: str) -> tuple[str, ...]:
    """The games that have a scripted player of a name."""
    return tuple(game for game, players in PLAYERS.items() if name in players.NAMES)


class RandomAgent(RandomOpponent):
    """A random legal action for every row.

    It gets no observation to derive a choice from, so it draws from one stream of random numbers:
    no two decisions share a number, but a game depends on which others are played in the same
    batch. Its seed is that of `RandomOpponent`.
    """

    name = "random"
    blind = True

    def probabilities(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The same for every legal action.

        Args:
            observations: (n, D).
            masks: (n, A).

        Returns:
            (n, A), 0 for illegal actions.
        """
        return np.asarray(masks / masks.sum(axis=1, keepdims=True))


def key_of(seed: int) -> np.uint64:
    """The hash key of an agent's seed; part of every lot."""
    return np.uint64(np.random.SeedSequence(agent_seed(seed)).generate_state(1, np.uint64)[0])


class TreePlayers(Protocol):
    """The module with the search that grows a tree with a policy."""

    def make_tree_player(self, policy: PolicyAgent, milliseconds: float | None, seed: int, name: str) -> SearchAgent:
        """A policy that looks ahead.

        Args:
            milliseconds: for each decision; None: the usual number of visits.

        Raises:
            ValueError: a budget out of range.
        """


TREES: Mapping[str, TreePlayers] = Parts("tree", "", TreePlayers)
