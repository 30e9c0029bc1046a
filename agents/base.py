"""What an agent is: anything that maps observations and masks to actions.

`agent(observations float32 (n, D), masks bool (n, 171)) -> int64 (n,)`, the same as an environment's
opponent. Every row is seen by the seat to move, so one agent can play both seats.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Agent(Protocol):
    """A decision maker."""

    name: str

    def __call__(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_]
    ) -> NDArray[np.integer[Any]]:
        """One legal action for every row."""
        ...
