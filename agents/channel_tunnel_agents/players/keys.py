"""What an agent's seed is to its hashes."""

from __future__ import annotations

import numpy as np

from channel_tunnel_agents.base import agent_seed


def key_of(seed: int) -> np.uint64:
    """The hash key of an agent's seed; part of every lot.

    Raises:
        AgentError: no seed.
    """
    return np.uint64(np.random.SeedSequence(agent_seed(seed)).generate_state(1, np.uint64)[0])
