"""What a policy's agent asks for: logits and values of observations, from any backend."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.players.policy.form import PolicyForm

Judged = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Logits (n, A) of all actions, legal or not, and values (n,) in the view that the form says, -1 to 1."""


class Judge(Protocol):
    """One network per side.

    Attributes:
        form: of the policies.
        sides: those that it has a network for.
    """

    @property
    def form(self) -> PolicyForm:
        """The form of the policies."""

    @property
    def sides(self) -> tuple[str, ...]:
        """Those that it has a network for."""

    def judge(self, observations: NDArray[np.float32]) -> Judged:
        """Judge rows (n, D), each by the network of its mover's side.

        Raises:
            ValueError: no network for the side of a row.
        """


def places_of_sides(judge: Judge, observations: NDArray[np.float32]) -> dict[str, NDArray[np.intp]]:
    """Side -> the rows (n, D) in which it is to move; sides without rows are left out.

    Raises:
        ValueError: the judge has no network for a side.
    """
    side_of_rows = judge.form.side_of_rows(observations)
    found = {side: np.flatnonzero(side_of_rows == i) for i, side in enumerate(judge.form.sides)}
    own = {side: places for side, places in found.items() if places.size}
    for side in own:
        if side not in judge.sides:
            raise ValueError(f"no policy for {side}; there is one for {' and '.join(judge.sides)}")
    return own
