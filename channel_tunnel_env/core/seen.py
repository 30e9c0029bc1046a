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

_SIGN, _REST = 0x8000, 0x7FFFFFFF  # of a half float; of a float
_LEAST_NORMAL = 0x38800000  # 2**-14 as a float
_BIAS = 0x38000000  # between the exponents of both
_SUBNORMALS = np.float32(2**24)

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
            rest = np.int64(bits[0, k]) & _REST
            rounded = rest - _BIAS + 0xFFF + (rest >> 13 & 1) >> 13
            if rest < _LEAST_NORMAL:
                rounded = np.int64(np.rint(abs(numbers[0, k]) * _SUBNORMALS))
            halves[row, k] = rounded | np.int64(bits[0, k]) >> 16 & _SIGN

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
