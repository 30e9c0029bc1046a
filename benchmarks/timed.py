"""How long an agent takes for a decision, while it plays."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import SearchAgent
from channel_tunnel_env import BatchGame


class Timed:
    """A searching agent that notes how long each decision took, in seconds, where there was a choice."""

    def __init__(self, agent: SearchAgent) -> None:
        self.name, self._agent = agent.name, agent
        self.seconds: list[float] = []

    def search(self, batch: BatchGame, rows: NDArray[np.integer]) -> NDArray[np.int64]:
        """The agent's answers, row by row."""
        actions = np.empty(rows.size, np.int64)
        for k in range(rows.size):
            begun = time.perf_counter()
            actions[k] = self._agent.search(batch, rows[k : k + 1])[0]
            if batch.masks[rows[k]].sum() > 1:
                self.seconds.append(time.perf_counter() - begun)
        return actions
