"""The workspace of the 1987 game (see `core.records`)."""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.records import new_records, workspace_dtype
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import NUM_ACTIONS

MAX_FEATURES = 1024  # `observation` asserts that its own fit

WORK_DTYPE = workspace_dtype(
    NUM_ACTIONS,
    [
        ("tokens", np.int16, c.MAX_TOKENS),  # rubble being shuffled
        ("features", np.int8, MAX_FEATURES),  # whole numbers of an observation
        ("placements", np.int64, c.NUM_SEATS),  # what each seat could place
    ],
)


def new_workspaces(count: int) -> np.ndarray:
    """`count` workspaces in which luck is free."""
    return new_records(count, WORK_DTYPE)
