"""Checks of numbers from callers, before a compiled kernel sees them.

Kernels check nothing: a number out of range would read or write foreign memory.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def whole_number(value: Any, name: str, lowest: int, highest: int) -> int:
    """The value as an int.

    Raises:
        ValueError: not a whole number, or out of range; the message gives `name` and value.
    """
    allowed = f"allowed: whole numbers {lowest} to {highest}"
    try:
        number = operator.index(value)  # refuses floats, also whole ones
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
    # An empty list has the dtype of floats, and nothing to refuse.
    if given.dtype.kind not in "iub" and given.size:
        raise ValueError(f"{name}: {given.dtype}; {allowed}")
    outside = np.flatnonzero((given < lowest) | (given > highest))
    if outside.size:
        at = int(outside[0])
        raise ValueError(f"{name}: entry {at} is {given.flat[at]}; {allowed}")
    return given.astype(np.int64)


def seats(values: ArrayLike, name: str, count: int, num_seats: int) -> NDArray[np.int8]:
    """One seat, or one per row, as int8 (count,), a fresh array.

    Raises:
        ValueError: not seats, or of the wrong shape.
    """
    shape = None if np.ndim(values) == 0 else (count,)
    checked = whole_numbers(values, name, 0, num_seats - 1, shape).astype(np.int8)
    return np.broadcast_to(checked, (count,)).copy()  # writable: kernels are compiled for no other
