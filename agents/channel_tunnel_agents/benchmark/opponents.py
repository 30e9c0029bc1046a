"""Who plays as an opponent of a track: the agent that its ladder was measured with, though a newer one bears its name now."""

from __future__ import annotations

from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.matches.tournament import made_of
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset


def files_of(name: str, ruleset: Ruleset) -> str | None:
    """A digest of what an agent is made of beside this package; None: nothing, or it cannot be told."""
    return made_of(name, make_agent(name, ruleset))


def fixed_opponent(name: str, ruleset: Ruleset, files: str | None) -> str:
    """The agent that an opponent's name means.

    Args:
        files: digest of those that the ladder was measured with; None: it was not.

    Returns:
        The name, or that of an earlier agent which bore it and has those files.
    """
    earlier = agents_of(ruleset.spec.name).earlier.get(name, ())
    if files is None or not earlier:
        return name
    known = (name, *earlier)
    return next((each for each in known if files_of(each, ruleset) == files), name)
