"""Families of actions that restricted play bans or forces, of every game that names some.

A family is something a designer would name: Tunnels, the pass, an ability, a kind of card. Which ids belong to it may
depend on the position, so a family is computed from the observation. A game lists its own in its module `families`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError
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
    """The family of a game with a name.

    Raises:
        AgentError: no such family; the message gives the nearest names, or the games that have some.
    """
    listed = _FAMILIES.get(game, {})
    if not listed:
        raise AgentError(f"family of actions {name!r}: {game} has no families; games that do: {', '.join(_FAMILIES)}")
    if name not in listed:
        hint = did_you_mean(name, listed, 3) or f"; known: {', '.join(listed)}"
        raise AgentError(f"family of actions {name!r}: no such name{hint}")
    return listed[name]
