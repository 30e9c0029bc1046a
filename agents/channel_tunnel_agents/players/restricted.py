"""Agents that may not, or must, take a family of actions: a filter over the mask of legal actions.

A family is something a designer would name: Tunnels, the pass, an ability, a kind of card. Which ids belong to it may
depend on the position, so a family is computed from the observation. A game lists its own in its module `families`.

The agent does not plan for its restriction; what it costs a player who does may be less. What restrictions
cost is measured in `balance.measuring.restricted`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import Agent, AgentError, AnyAgent, searches
from channel_tunnel_agents.games import Parts
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.hints import did_you_mean

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Covers = Callable[[Floats], Bools]


@dataclass(frozen=True)
class Family:
    """A set of action ids.

    Attributes:
        name: as typed.
        sentence: describes what it contains.
        covers: observations float32 (n, D) of the seats to move -> bool (n, A), its ids, legal or
            not.
        exists: whether a ruleset has such actions.
    """

    name: str
    sentence: str
    covers: Covers
    exists: Callable[[Ruleset], bool]


_FAMILIES: Mapping[str, Mapping[str, Family]] = Parts("families", "FAMILIES", dict)


def families(ruleset: Ruleset) -> list[Family]:
    """The families whose actions exist under a ruleset, in the order of a report."""
    listed = _FAMILIES.get(ruleset.spec.name, {})
    return [family for family in listed.values() if family.exists(ruleset)]


def find_family(name: str, game: str = DEFAULT_GAME) -> Family:
    """The family of a game with a name; an AgentError gives the nearest names, or the games that have some."""
    listed = _FAMILIES.get(game, {})
    if not listed:
        raise AgentError(f"family of actions {name!r}: {game} has no families; games that do: {', '.join(_FAMILIES)}")
    if name not in listed:
        hint = did_you_mean(name, listed, 3) or f"; known: {', '.join(listed)}"
        raise AgentError(f"family of actions {name!r}: no such name{hint}")
    return listed[name]


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
        """Make a restriction from a mode and the name of a family of a game."""
        return cls(mode, find_family(family, game))

    @classmethod
    def read(cls, words: str, game: str = DEFAULT_GAME) -> Restriction:
        """Parse "ban=FAMILY" or "force=FAMILY", of a game; an AgentError for another form, mode or family."""
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
    """A plain agent that sees fewer legal actions; an AgentError refuses one that searches."""

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
