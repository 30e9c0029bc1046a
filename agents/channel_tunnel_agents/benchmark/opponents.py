"""By which files an agent is known: an opponent of a track or the agent of a card is the one that was measured."""

from __future__ import annotations

from channel_tunnel_agents.matches.tournament import made_of
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset


def files_of(name: str, ruleset: Ruleset) -> str | None:
    """A digest of what an agent is made of beside this package; None: nothing, or it cannot be told."""
    return made_of(name, make_agent(name, ruleset))
