"""What an agent's seed is to its hashes."""

from __future__ import annotations

import numpy as np


def key_of(seed: int) -> np.uint64:
    """The hash key of an agent's seed, 0 or more; part of every lot."""
    return np.uint64(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
