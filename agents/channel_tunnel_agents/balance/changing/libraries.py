"""What training needs and playing does not: found out before the first game of a measurement that ends in it."""

from __future__ import annotations

import importlib.util

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.players.policy.saved_policy import TORCH

LIBRARIES = ("torch", "stable_baselines3", "sb3_contrib")


def check_libraries() -> None:
    """Check that policies can be trained here. Nothing is loaded.

    Raises:
        AgentError: names the library that is not installed.
    """
    for name in LIBRARIES:
        if importlib.util.find_spec(name) is None:
            raise AgentError(f"training needs {name}: {TORCH}")
