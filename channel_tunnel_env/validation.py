"""Checks of input from files and callers, before a compiled kernel sees it.

Kernels check nothing: a number out of range would read or write foreign memory. States from outside
come in through `load_states` and `check_states`, whole numbers through the functions below them.
"""

from __future__ import annotations

import operator
import threading
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from channel_tunnel_env.engine import invariants
from channel_tunnel_env.engine.constants import NUM_SEATS
from channel_tunnel_env.engine.state import STATE_DTYPE, states_in
from channel_tunnel_env.engine.workspace import new_workspaces
from channel_tunnel_env.errors import StateError


class _Workspaces(threading.local):
    """One workspace per thread, shared by its games."""

    def __init__(self) -> None:
        self.work = new_workspaces(1)


LOCAL = _Workspaces()


def broken_invariants(
    states: NDArray[Any], tables: NDArray[Any], as_read: bool = True
) -> NDArray[np.int16]:
    """The code of the first invariant that each state breaks (see `engine.invariants`); 0 for none.

    Args:
        states: (B,), as `new_states` makes them; any content.
        tables: the rulesets' figures, (R,).
        as_read: the states come from outside, and their counts must leave room to play on.

    Returns:
        int16 (B,).
    """
    codes = np.zeros(len(states), np.int16)
    origin = invariants.AS_READ if as_read else invariants.IN_PLAY
    invariants.check_records(states, tables, origin, LOCAL.work, codes)
    return codes


def check_states(states: NDArray[Any], tables: NDArray[Any], where: str = "row") -> None:
    """Refuse states that no play can reach.

    Args:
        states: (B,), as `new_states` makes them; any content.
        tables: the rulesets' figures, (R,).
        where: what the message calls an entry of `states`.

    Raises:
        StateError: names the first such entry and what does not hold.
    """
    codes = broken_invariants(states, tables)
    wrong = np.flatnonzero(codes)
    if wrong.size:
        row = int(wrong[0])
        named = f"{where} {row}: " if len(states) > 1 else ""
        raise StateError(f"{named}not a possible state: {describe(int(codes[row]))}")


def describe(code: int) -> str:
    """A broken invariant in words."""
    return f"invariant {code} does not hold ({invariants.INVARIANTS[code]})"


def load_states(source: Any, count: int) -> NDArray[Any]:
    """A fresh, unchecked array of `count` states from an array or from bytes.

    Args:
        source: an array of states (count,), or its `tobytes()` as bytes or a uint8 array.

    Raises:
        StateError: wrong type, number or size.
    """
    if isinstance(source, np.ndarray) and source.dtype == STATE_DTYPE:
        if source.shape != (count,):
            raise StateError(f"states of shape {source.shape}; expected ({count},)")
        content = np.ascontiguousarray(source).tobytes()
    elif isinstance(source, np.ndarray) and source.dtype == np.uint8:
        content = source.tobytes()
    elif isinstance(source, bytes | bytearray | memoryview):
        content = bytes(source)
    else:
        what = source.dtype if isinstance(source, np.ndarray) else type(source).__name__
        raise StateError(
            f"{what}: states must be an array of engine.state.STATE_DTYPE, or its bytes"
        )
    expected = count * STATE_DTYPE.itemsize
    if len(content) != expected:
        raise StateError(f"{len(content)} bytes; {count} states of this version need {expected}")
    return states_in(bytearray(content))


def whole_number(value: Any, name: str, lowest: int, highest: int) -> int:
    """The value as an int.

    Raises:
        ValueError: not a whole number, or out of range; the message gives `name` and value.
    """
    allowed = f"allowed: whole numbers {lowest} to {highest}"
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} {value!r}: {allowed}") from None
    if not lowest <= number <= highest:
        raise ValueError(f"{name} {number}: {allowed}")
    return number


def whole_numbers(
    values: ArrayLike, name: str, lowest: int, highest: int, shape: tuple[int, ...] | None = None
) -> NDArray[np.int64]:
    """The values as int64.

    Args:
        shape: the required shape; None accepts any.

    Raises:
        ValueError: not whole numbers, out of range, or of the wrong shape; names the first entry.
    """
    given = np.asarray(values)
    if shape is not None and given.shape != shape:
        raise ValueError(f"{name}: shape {given.shape}; expected {shape}")
    allowed = f"allowed: whole numbers {lowest} to {highest}"
    if given.dtype.kind not in "iub" and given.size:
        raise ValueError(f"{name}: {given.dtype}; {allowed}")
    outside = np.flatnonzero((given < lowest) | (given > highest))
    if outside.size:
        at = int(outside[0])
        raise ValueError(f"{name}: entry {at} is {given.flat[at]}; {allowed}")
    return given.astype(np.int64)


def seats(values: ArrayLike, name: str, count: int) -> NDArray[np.int8]:
    """One seat, or one per row, as int8 (count,).

    Raises:
        ValueError: not seats, or of the wrong shape.
    """
    shape = None if np.ndim(values) == 0 else (count,)
    checked = whole_numbers(values, name, 0, NUM_SEATS - 1, shape).astype(np.int8)
    return np.ascontiguousarray(np.broadcast_to(checked, (count,)))
