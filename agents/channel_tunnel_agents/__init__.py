"""Agents that play the games, found by name; docs/reference/agents.md lists the names.

Trained policies and the agents that search with them need ONNX Runtime; those whose network has another size than
the shipped ones need torch. The others do not.
"""

from typing import Any

from channel_tunnel_agents.base import FROZEN, Agent, AgentError, AnyAgent, SearchAgent
from channel_tunnel_agents.games.tunnel_1987.players import HeuristicAgent
from channel_tunnel_agents.names import AgentName, policy_place
from channel_tunnel_agents.players.own_agents import Sb3Agent
from channel_tunnel_agents.players.scripted import RandomAgent
from channel_tunnel_agents.registry import FROZEN_LABEL, make_agent, make_plain_agent
from channel_tunnel_agents.search.ismcts import IsmctsAgent
from channel_tunnel_env.outside.foreign import needing

__all__ = [
    "FROZEN",
    "FROZEN_LABEL",
    "Agent",
    "AgentError",
    "AgentName",
    "AnyAgent",
    "HeuristicAgent",
    "IsmctsAgent",
    "RandomAgent",
    "Sb3Agent",
    "Score",
    "SearchAgent",
    "evaluate",
    "make_agent",
    "make_plain_agent",
    "policy_place",
]


def __getattr__(name: str) -> Any:
    """Import `evaluate` and `Score`, which need scipy, on first access."""
    if name in ("evaluate", "Score"):
        with needing(f"channel_tunnel_agents.{name}", "report"):
            from channel_tunnel_agents.matches import evaluation

        return getattr(evaluation, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
