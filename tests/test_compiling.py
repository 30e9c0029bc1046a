"""A rule becomes machine code once, not once for every way of writing its integers."""

from __future__ import annotations

import numba
import numpy as np

from channel_tunnel_env.core.jit import compiled


@compiled
def doubled(number):
    return 2 * number


@numba.njit
def doubled_in_all_ways(small, tall, unsigned):
    return doubled(100), doubled(small[0]), doubled(tall[0]), doubled(unsigned[0])


def test_a_rule_is_compiled_once_for_constants_and_signed_integers_of_any_width() -> None:
    small, tall = np.array([100], np.int8), np.array([-(2**40)], np.int64)
    answers = doubled_in_all_ways(small, tall, np.array([3], np.uint64))
    assert answers == (200, 200, -(2**41), 6)
    assert {sig[0] for sig in doubled.overloads} == {numba.int64, numba.uint64}
