"""Checks of numbers and seeds from callers, before a compiled kernel sees them.

Kernels check nothing: a number out of range would read or write foreign memory. A seed is a whole number from 0 to 2**63 - 1.
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


# --- seeds ----------------------------------------------------------------------------------------


MAX_SEED = 2**63 - 1


def check_seed(seed: int | None) -> int:
    """`given_seed`, or for None one drawn from the operating system."""
    if seed is None:
        # One bit less, because seeds end at 2**63 - 1.
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> np.uint64(1))
    return given_seed(seed)


def given_seed(seed: Any, name: str = "seed") -> int:
    """A seed as an int.

    Raises:
        ValueError: not a whole number, which True and False are not, or out of range; the message begins with `name`.
    """
    try:
        number = -1 if isinstance(seed, (bool, np.bool_)) else operator.index(seed)  # -1: refused below
    except TypeError:
        number = -1
    if not 0 <= number <= MAX_SEED:
        raise ValueError(f"{name} {seed!r:.60}: seeds are whole numbers from 0 to 2**63 - 1")
    return number


def seeds_from(first: int, count: int) -> list[int]:
    """A seed and those that follow it; after the last one comes 0."""
    return [(first + number) % (MAX_SEED + 1) for number in range(count)]


def given_seeds(seeds: ArrayLike, *shapes: tuple[int, ...]) -> NDArray[np.int64]:
    """Seeds as int64, a fresh array of one of the shapes.

    Raises:
        ValueError: of another shape, or one of them is no seed; names the first.
    """
    # As they are: numpy would make numbers of numbers and True, and floats of large ones.
    given: NDArray[Any] = seeds if isinstance(seeds, np.ndarray) else np.array(seeds, dtype=object)
    if given.shape not in shapes:
        raise ValueError(f"seeds: shape {given.shape}; expected {' or '.join(map(str, shapes))}")
    # Integers are checked all at once; otherwise one by one, which names the first that is wrong.
    if given.dtype.kind in "iu" and ((given >= 0) & (given <= MAX_SEED)).all():
        return given.astype(np.int64)
    flat = [given_seed(seed, f"seeds[{at}]") for at, seed in enumerate(given.flat)]
    return np.array(flat, np.int64).reshape(given.shape)
