"""The tree search with a policy of 1987 Channel Tunnel."""

from __future__ import annotations

from channel_tunnel_agents.games.tunnel_1987.tree.puct import PuctAgent, PuctSettings
from channel_tunnel_agents.players.policy.agent import PolicyAgent


def make_tree_player(policy: PolicyAgent, milliseconds: float | None, seed: int, name: str) -> PuctAgent:
    """A policy that grows a tree at every decision.

    Raises:
        ValueError: a budget out of range.
    """
    return PuctAgent(policy, PuctSettings.of_budget(milliseconds), seed, name)
