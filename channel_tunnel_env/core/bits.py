"""Sets of cards as bits of an int64: counting the cards and finding the lowest."""

from __future__ import annotations

import numba
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
