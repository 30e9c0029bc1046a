"""The mask when there is nothing to decide: in a last observation, or while another agent decides.

It allows one action, which is ignored. A mask of zeros would turn a masked categorical, whose
logits are minus infinity wherever the mask is 0, into NaN, even in rows that a learner later
multiplies by 0.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.engine.actions import NUM_ACTIONS, PASS

IDLE_ACTION = PASS
IDLE_MASK = np.zeros(NUM_ACTIONS, np.int8)
IDLE_MASK[IDLE_ACTION] = 1
IDLE_MASK.flags.writeable = False
