"""The workspace: scratch space that the rules share, one record per thread.

It is one record, not a set of arrays, because numba counts references to arrays at every call,
which took more time than the rules themselves.
"""

from __future__ import annotations

import numba
import numpy as np

from channel_tunnel_env.engine.actions import NUM_ACTIONS
from channel_tunnel_env.engine.constants import MAX_TOKENS

LUCK_SIZE = 16384
MAX_FEATURES = 1024

WORK_DTYPE = np.dtype(
    [
        ("legal", np.int16, NUM_ACTIONS),  # ids that `list_legal` found
        ("tokens", np.int16, MAX_TOKENS),  # rubble being shuffled
        ("features", np.int8, MAX_FEATURES),  # whole numbers of an observation
        ("luck_mode", np.int16),  # LUCK_FREE, LUCK_WRITE or LUCK_READ, see `rng`
        ("luck_misfit", np.int16),
        ("luck_place", np.int32),
        ("luck", np.int16, LUCK_SIZE),
    ],
    align=True,
)


def new_workspaces(count: int) -> np.ndarray:
    """`count` workspaces in which luck is free."""
    work = np.zeros(count, WORK_DTYPE)
    return work.view(np.recarray) if numba.config.DISABLE_JIT else work
