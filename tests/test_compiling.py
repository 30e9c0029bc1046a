"""A rule becomes machine code once, not once for every way of writing its integers."""

from __future__ import annotations

import numba
import numpy as np

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.whole_numbers import seats


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


def test_kernels_get_seats_in_one_layout_however_a_caller_names_them() -> None:
    """Numba compiles a kernel again for an array that it may only read."""
    named = (1, [1], [0, 1], np.array([1, 0], np.int8), np.broadcast_to(np.int64(1), 2))
    given = [seats(one, "viewers", len(np.atleast_1d(one)), 2) for one in named]
    assert {numba.typeof(array) for array in given} == {numba.int8[::1]}
