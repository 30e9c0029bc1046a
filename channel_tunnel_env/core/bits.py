"""Bits and bytes of whole words: sets of cards as bits of an int64, and eight neighbouring int8 features at a time.

Byte k of a word (little-endian) is feature k. One 8-byte store writes a whole thermometer or one-hot
run, which makes the observation cheap. A store also writes zeros after a shorter run, so runs are
written in ascending order.
"""

from __future__ import annotations

import numba
import numpy as np
from numba.core import types
from numba.extending import intrinsic

from channel_tunnel_env.core.jit import compiled

# Without the compiler, Python's own integers do the same.
if numba.config.DISABLE_JIT:

    def count_bits(cards):
        """Number of cards in a set."""
        return int(cards).bit_count()

    def lowest_bit(cards):
        """The lowest card of a set that is not empty."""
        return (int(cards) & -int(cards)).bit_length() - 1  # a number and its negative share only the lowest set bit

else:

    @intrinsic
    def _population_count(typing_context, x):
        def build(context, builder, signature, args):
            return builder.ctpop(args[0])  # one instruction, if the processor has it

        return types.int64(types.int64), build

    @intrinsic
    def _trailing_zeros(typing_context, x):
        def build(context, builder, signature, args):
            # True: the result for an empty set is left open, so nothing tests for it.
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), build

    @compiled
    def count_bits(cards):
        """Number of cards in a set."""
        return _population_count(cards)

    @compiled
    def lowest_bit(cards):
        """The lowest card of a set that is not empty."""
        return _trailing_zeros(cards)


# --- eight small numbers at a time ----------------------------------------------------------------


WORD = 8
# THERMOMETER[n]: the first n of eight bytes are 1. BYTE[k]: only byte k is 1.
THERMOMETER = np.array([sum(1 << (8 * k) for k in range(n)) for n in range(9)], np.uint64)
BYTE = np.array([1 << (8 * k) for k in range(8)], np.uint64)

_EVERY_BYTE = np.uint64(0x0101010101010101)
_OWN_BIT = np.uint64(0x8040201008040201)  # bit k of byte k
_SEVEN_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)
_SEVEN = np.uint64(7)
_LOW_BYTE = np.uint64(255)

if numba.config.DISABLE_JIT:

    def put_word(features, at, word):
        """Write the eight bytes of `word` to features[at : at + 8] (int8)."""
        features[at : at + WORD] = np.frombuffer(int(word).to_bytes(WORD, "little"), np.int8)

else:

    @intrinsic
    def _store_word(typing_context, features, at, word):
        def build(context, builder, signature, args):
            array = context.make_array(signature.args[0])(context, builder, args[0])
            address = builder.gep(array.data, [args[1]])
            store = builder.store(args[2], builder.bitcast(address, args[2].type.as_pointer()))
            store.align = 1  # a word may begin at any feature
            return context.get_dummy_value()

        return types.void(features, types.int64, types.uint64), build

    @compiled
    def put_word(features, at, word):
        """Write the eight bytes of `word` to features[at : at + 8] (int8)."""
        _store_word(features, at, word)


@compiled
def spread_bits(bits):
    """The lowest eight bits of an int64, one bit per byte."""
    # Eight copies of the low byte, each of which keeps its own bit: byte k holds bit k or nothing.
    own = ((np.uint64(bits) & _LOW_BYTE) * _EVERY_BYTE) & _OWN_BIT
    # 127 more sets the top bit of each byte that holds something; no byte carries into the next.
    return ((own + _SEVEN_BITS) >> _SEVEN) & _EVERY_BYTE
