"""What a seat sees, written to a row of float32, of bytes or of half floats.

A game writes float32 and, if it says what they stand for (see `encoding`), bytes. Half floats are those of its
float32: numba has none, so that their bits are written, to uint16.
"""

from __future__ import annotations

import numba
import numpy as np
from numba.core import types
from numba.extending import overload

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.verbs import fill_observation

# Of numbers of 32 bits, so that a processor does many at once.
_SIGN, _REST = np.uint32(0x8000), np.uint32(0x7FFFFFFF)  # of a half float; of a float
_HALF_OF_FLOAT, _DROPPED, _ONE = np.uint32(16), np.uint32(13), np.uint32(1)  # bits
_LEAST_NORMAL = np.uint32(0x38800000)  # 2**-14 as a float
# Nearly half of what is dropped, less the difference between the exponents of both, modulo 2**32.
_ROUND = np.uint32(0x0FFF - 0x38000000 & 0xFFFFFFFF)
_SUBNORMALS = np.float32(2**24)
_WHOLE = np.float32(2**23)  # floats from here on are whole: to add it rounds

if numba.config.DISABLE_JIT:

    def put_halves(numbers, halves, row):
        """Write float32 (1, D) to a row of bits of half floats, uint16 (B, D), each to the nearest."""
        halves[row] = numbers[0].astype(np.float16).view(np.uint16)

    def write_seen(state, rules, viewer, work, observations, row):
        """Write what a seat sees to a row: float32, uint8, or uint16 with the bits of half floats."""
        if observations.dtype != np.uint16:
            fill_observation(state, rules, viewer, work, observations, row)
            return
        numbers = np.empty((1, observations.shape[1]), np.float32)
        fill_observation(state, rules, viewer, work, numbers, 0)
        put_halves(numbers, observations, row)

else:

    @compiled
    def put_halves(numbers, halves, row):
        """Write float32 (1, D) to a row of bits of half floats, uint16 (B, D), each to the nearest.

        Ties go to the even one. Numbers beyond those of half floats are not looked for.
        """
        bits = numbers.view(np.uint32)
        for k in range(halves.shape[1]):
            rest = np.uint32(bits[0, k] & _REST)
            odd = np.uint32(np.uint32(rest >> _DROPPED) & _ONE)
            normal = np.uint32(np.uint32(np.uint32(rest + odd) + _ROUND) >> _DROPPED)
            steps = np.float32(abs(numbers[0, k]) * _SUBNORMALS)
            small = np.uint32(np.float32(steps + _WHOLE) - _WHOLE)
            sign = np.uint32(np.uint32(bits[0, k] >> _HALF_OF_FLOAT) & _SIGN)
            halves[row, k] = np.uint16((normal if rest >= _LEAST_NORMAL else small) | sign)

    def write_seen(state, rules, viewer, work, observations, row):
        """Write what a seat sees to a row: float32, uint8, or uint16 with the bits of half floats."""

    @overload(write_seen)
    def _write_seen(state, rules, viewer, work, observations, row):
        def as_the_game_writes(state, rules, viewer, work, observations, row):
            fill_observation(state, rules, viewer, work, observations, row)

        def as_halves(state, rules, viewer, work, observations, row):
            numbers = np.empty((1, observations.shape[1]), np.float32)
            fill_observation(state, rules, viewer, work, numbers, 0)
            put_halves(numbers, observations, row)

        return as_halves if observations.dtype == types.uint16 else as_the_game_writes
