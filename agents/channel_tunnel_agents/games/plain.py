"""What is taken for a game that brings no agents of its own."""

from __future__ import annotations

from channel_tunnel_agents.games.spec import AgentSpec


def make_spec(game: str) -> AgentSpec:
    """Random play."""
    return AgentSpec(title=game)
