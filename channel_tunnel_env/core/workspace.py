"""The workspace: scratch space that the rules share, one record per thread.

It is one record, not a set of arrays, because numba counts references to arrays at every call,
which took more time than the rules themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

LUCK_SIZE = 16384


def workspace_dtype(num_actions: int, fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """The type of a game's workspace.

    Args:
        num_actions: A.
        fields: what the game's own rules need, as for `numpy.dtype`.
    """
    return np.dtype(
        [
            ("legal", np.int16, num_actions),  # ids that `list_legal` found
            *fields,
            ("luck_mode", np.int16),  # LUCK_FREE, LUCK_WRITE or LUCK_READ, see `rng`
            ("luck_misfit", np.int16),  # MISFIT if the log does not fit what is asked for
            ("luck_place", np.int32),  # next index of `luck`
            ("luck", np.int16, LUCK_SIZE),
        ],
        align=True,
    )
