"""A rule becomes machine code once, not once for every way of writing its integers."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from channel_tunnel_env.core import jit
from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rule_compiler import RuleCode
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


@compiled
def next_over(number):
    print("after", number)
    if number < 0:
        raise ValueError("below zero", number)
    return number + 1


@compiled
def product_up_to(number):
    return 1 if number < 2 else number * product_up_to(number - 1)


needs_compilation = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes kernels that are not kept."""
    monkeypatch.setattr(jit, "_CACHE_FOLDER", None)
    return jit.kernel


@needs_compilation
def test_a_rule_has_no_machine_code_but_that_of_its_kernels(kernel: Any) -> None:
    @kernel
    def twice_doubled(number):
        return doubled(doubled(number))

    assert twice_doubled(3) == 12
    for compilation in doubled.overloads.values():
        code, name = compilation.library, compilation.fndesc.mangled_name
        assert isinstance(code, RuleCode)
        assert not code.codegen._engine.is_symbol_defined(name)


def test_a_rule_that_prints_fails_or_calls_itself_does_so_in_a_kernel(
    kernel: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    """Its values of Python, such as texts, are found where its kernel runs."""

    @kernel
    def play(number):
        return next_over(number) + product_up_to(number)

    assert play(5) == 126
    with pytest.raises(ValueError) as failed:
        play(-2)
    assert failed.value.args == ("below zero", -2)
    assert capfd.readouterr().out.splitlines() == ["after 5", "after -2"]


def test_kernels_get_seats_in_one_layout_however_a_caller_names_them() -> None:
    """Numba compiles a kernel again for an array that it may only read."""
    named = (1, [1], [0, 1], np.array([1, 0], np.int8), np.broadcast_to(np.int64(1), 2))
    given = [seats(one, "viewers", len(np.atleast_1d(one)), 2) for one in named]
    assert {numba.typeof(array) for array in given} == {numba.int8[::1]}
