"""Records: arrays of them, the workspace beside them, and counters in them that no rule reads.

The workspace is scratch space that the rules share, one record per thread. It is one record, not a set of arrays, because
numba counts references to arrays at every call, which took more time than the rules themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numba
import numpy as np

from channel_tunnel_env.core.jit import compiled


def new_records(count: int, dtype: np.dtype[Any]) -> np.ndarray:
    """`count` zeroed records."""
    # Ten times as fast as np.zeros, which visits the fields of a record one by one.
    return records_in(bytearray(count * dtype.itemsize), dtype)


def same_records(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two arrays hold the same records, ignoring the bytes between their fields."""
    # Bytes are compared a thousand times as fast as fields, and are seldom unlike where the fields are alike.
    return one.tobytes() == other.tobytes() or np.array_equal(one, other)


if numba.config.DISABLE_JIT:

    def records_in(memory: bytearray, dtype: np.dtype[Any]) -> np.ndarray:
        """The records stored in `memory`, with fields as attributes, as plain Python reads them."""
        return np.frombuffer(memory, dtype).view(np.recarray)

else:
    records_in = np.frombuffer  # the records stored in `memory`, which they keep alive and write to


# --- the workspace --------------------------------------------------------------------------------


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


# --- counters: each stops, or starts again, at a bound --------------------------------------------
# So a record whose counters are at their bounds can be written, read back and played on.


MOST_PLIES = 2**30  # fits int32
"""Decisions that a record counts; a longer game keeps this number."""
MOST_TALLIED = 2**14  # fits int16
"""The highest tally; more of the same is not counted."""
MOST_DRAWS = 2**61  # a sum of two such counters fits int64
"""Numbers that a stream gives before it starts again."""


@compiled
def count_ply(state):
    """One decision more."""
    state.ply = min(int(state.ply) + 1, MOST_PLIES)


@compiled
def tallied(tally, more):
    """A tally after `more` more."""
    return min(int(tally) + int(more), MOST_TALLIED)


@compiled
def drawn_on(counter, more):
    """A stream's counter after `more` more draws."""
    return (int(counter) + int(more)) % MOST_DRAWS
