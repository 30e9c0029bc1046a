"""Agents that may not, or must, take a family of actions: a filter over the mask of legal actions.

The agent does not plan for its restriction; what it costs a player who does may be less. What restrictions
cost is measured in `balance.measuring.restricted`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import Agent, AgentError, AnyAgent, searches
from channel_tunnel_agents.players.families import Family, find_family
from channel_tunnel_env.games import DEFAULT_GAME

MODES = ("ban", "force")


@dataclass(frozen=True)
class Restriction:
    """A filter over masks.

    Attributes:
        mode: "ban" removes the family's actions, "force" all others; neither applies if nothing
            legal would be left.
        family: the family of actions.

    Raises:
        AgentError: unknown mode.
    """

    mode: str
    family: Family

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise AgentError(f"restriction {self.mode!r}: expected one of {', '.join(MODES)}")

    @classmethod
    def of(cls, mode: str, family: str, game: str = DEFAULT_GAME) -> Restriction:
        """Make a restriction from a mode and the name of a family of a game.

        Raises:
            AgentError: no such mode or family.
        """
        return cls(mode, find_family(family, game))

    @classmethod
    def read(cls, words: str, game: str = DEFAULT_GAME) -> Restriction:
        """Parse "ban=FAMILY" or "force=FAMILY", of a game.

        Raises:
            AgentError: wrong form, or no such mode or family.
        """
        mode, equals, family = words.partition("=")
        if not equals:
            raise AgentError(f"!{words}: expected AGENT!ban=FAMILY or AGENT!force=FAMILY")
        return cls.of(mode, family, game)

    def __str__(self) -> str:
        return f"{self.mode}={self.family.name}"

    def apply(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Restricted masks (n, A); a row with legal actions keeps at least one."""
        covered = self.family.covers(observations)
        left = masks & (covered if self.mode == "force" else ~covered)
        return np.where(left.any(axis=1, keepdims=True), left, masks)


class RestrictedAgent:
    """A plain agent that sees fewer legal actions.

    Raises:
        AgentError: the agent searches.
    """

    def __init__(self, agent: AnyAgent, restriction: Restriction) -> None:
        self.name = f"{agent.name}!{restriction}"
        if searches(agent):
            raise AgentError(
                f"agent {self.name!r}: it searches, and would look ahead without the restriction; "
                "expected one that plays from observations"
            )
        self.agent: Agent = agent
        self.restriction = restriction

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.integer[Any]]:
        """One action per row that both the rules and the restriction allow."""
        return self.agent(observations, self.restriction.apply(observations, masks))
