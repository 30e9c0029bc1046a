"""The mask when there is nothing to decide: in a last observation, or while another agent decides.

It allows one action, which is ignored. A mask of zeros would turn a masked categorical, whose
logits are minus infinity wherever the mask is 0, into NaN, even in rows that a learner later
multiplies by 0.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.core.spec import GameSpec


@cache
def idle_mask(spec: GameSpec) -> NDArray[np.int8]:
    """int8[A], read-only: only the game's `idle_action`."""
    mask = np.zeros(spec.actions.count, np.int8)
    mask[spec.actions.idle] = 1
    mask.flags.writeable = False
    return mask
