"""Who a track or a card means by a name: the agent that was measured, though a newer one bears its name now."""

from __future__ import annotations

from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.matches.tournament import made_of
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset


def files_of(name: str, ruleset: Ruleset) -> str | None:
    """A digest of what an agent is made of beside this package; None: nothing, or it cannot be told."""
    return made_of(name, make_agent(name, ruleset))


def agent_as_it_was(name: str, ruleset: Ruleset, files: str | None) -> str:
    """The agent that was measured under a name.

    Args:
        files: digest of what it was made of; None: nobody knows.

    Returns:
        The name, or that of an earlier agent which bore it and has those files.
    """
    earlier = agents_of(ruleset.spec.name).earlier.get(name, ())
    if files is None or not earlier:
        return name
    known = (name, *earlier)
    return next((each for each in known if files_of(each, ruleset) == files), name)
