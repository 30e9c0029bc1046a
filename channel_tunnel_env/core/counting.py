"""Counters that no rule reads: each stops, or starts again, at a bound.

So a record whose counters are at their bounds can be written, read back and played on.
"""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled

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
