"""Numbers of an observation, written as floats or as bytes: the same rules serve both.

A float is a count over a unit: 3 tiles of 16 are 0.1875. A byte is the count itself, 3; what it stands for is published
(see `encoding`). A count below zero is its two's complement. A count that needs more than eight bits lends the upper
bits of another number of the row, its lender, whose own count stays below `OWN_COUNTS`.
"""

from __future__ import annotations

import numba
import numpy as np
from numba.core import types
from numba.extending import overload

from channel_tunnel_env.core.jit import compiled

SHARES = 240  # a share of one is a byte in these steps: halves to sixths, eighths, tenths and so on are exact
BYTE_BITS, OWN_BITS = 8, 3  # a lender keeps 3 bits of its byte and lends 5
BYTE_COUNTS, OWN_COUNTS = 1 << BYTE_BITS, 1 << OWN_BITS
WIDE_COUNTS = BYTE_COUNTS << BYTE_BITS - OWN_BITS  # 13 bits
_BYTE_MASK = BYTE_COUNTS - 1
_LENT_MASK = (1 << BYTE_BITS - OWN_BITS) - 1
_ONE = np.float32(1)

if numba.config.DISABLE_JIT:

    def either(out, as_float, as_byte):
        """`as_byte` where `out` holds bytes, else `as_float`."""
        return as_byte if out.dtype == np.uint8 else as_float

else:

    def either(out, as_float, as_byte):  # only a name: numba takes what `_either` returns
        """`as_byte` where `out` holds bytes, else `as_float`; settled when a kernel is compiled."""

    @overload(either)
    def _either(out, as_float, as_byte):
        if out.dtype == types.uint8:
            return lambda out, as_float, as_byte: as_byte
        return lambda out, as_float, as_byte: as_float


@compiled
def put(out, at, count, unit):
    """Write a count, of which `unit` make 1; as a byte from 0 to 255, or from -128 to 127."""
    out[at] = either(out, count / unit, count & _BYTE_MASK)  # as a byte below zero: the two's complement


@compiled
def put_wide(out, at, lender, count, unit):
    """`put` of up to 13 bits; the lender's own count is written before."""
    put(out, at, count, unit)
    out[lender] += either(out, 0, (count >> BYTE_BITS & _LENT_MASK) << OWN_BITS)


@compiled
def put_share(out, at, share):
    """Write a share from 0 to 1; as a byte the nearest of `SHARES` steps."""
    out[at] = either(out, share, int(share * SHARES + 0.5))


@compiled
def put_one_more(out, at, step, unit):
    """Add one to a count, of which `unit` make 1, the most; `step` is the float of one."""
    out[at] = either(out, min(_ONE, out[at] + step), min(unit, out[at] + 1))
