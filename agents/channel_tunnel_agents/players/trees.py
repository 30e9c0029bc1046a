"""The tree search with a policy, of every game that has one (`-puct`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from channel_tunnel_agents.base import SearchAgent
from channel_tunnel_agents.games import Parts

if TYPE_CHECKING:
    from channel_tunnel_agents.players.policy.agent import PolicyAgent


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
