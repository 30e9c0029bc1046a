"""How an observation is held: as float32, or as bytes with a published meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from channel_tunnel_env.core.numbers import BYTE_BITS, BYTE_COUNTS, OWN_BITS, OWN_COUNTS, SHARES, WIDE_COUNTS

FLOAT, BYTE = "float32", "uint8"
DTYPES = (FLOAT, BYTE)


@dataclass(frozen=True)
class Column:
    """A number of an observation as a byte, which holds a count.

    Attributes:
        name: in messages.
        step: what one of the count is worth: the number is count x step, rounded to float32.
        most: the largest count under a ruleset.
        signed: counts go down to -most.
        lender: how many places behind it (or before, if negative) the number stands that lends it bits for counts of
            more than a byte; 0: none.
        exact: False where the number is a share, rounded to the nearest step.
    """

    name: str
    step: float
    most: int = 1
    signed: bool = False
    lender: int = 0
    exact: bool = True

    @property
    def room(self) -> int:
        """How many counts there is room for."""
        return WIDE_COUNTS if self.lender else BYTE_COUNTS

    @property
    def fits(self) -> bool:
        """Whether there is room for every count."""
        # With a sign, half of the room is for counts below zero.
        return self.most < (self.room // 2 if self.signed else self.room)


def share(name: str) -> Column:
    """A column of shares, from 0 to 1."""
    return Column(name, 1 / SHARES, SHARES, exact=False)


class ByteLayout:
    """The place of each count in a row of bytes, and its unit; places run from 0 to D - 1.

    Args:
        columns: D of them.

    Attributes:
        steps: float64 (D,), what one of each count is worth.
        exact: bool (D,), counts, not shares.
        wide: int (W,), places of counts that need more than a byte.
        lenders: int (W,), places of those that lend their upper bits to them.
        signed: int (S,), places of counts that may be below zero.
        rooms: int16 (S,), how many counts there is room for in each of those.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        places = np.arange(len(columns))
        lenders = np.array([column.lender for column in columns], np.intp)
        below_zero = np.array([column.signed for column in columns], np.bool_)
        self.steps = np.array([column.step for column in columns], np.float64)
        self.exact = np.array([column.exact for column in columns], np.bool_)
        self.wide = places[lenders != 0]
        self.lenders = self.wide + lenders[self.wide]  # a column gives a distance, this is a place
        self.signed = places[below_zero]
        self.rooms = np.array([column.room for column in columns], np.int16)[below_zero]


class Encoding:
    """How the observations of some rulesets of one game are held in arrays of one dtype.

    Args:
        dtype: "float32", or "uint8", where each number is a count of steps (`decode`).
        rulesets: one or more of one game, with the same seats.

    Attributes:
        dtype: of the arrays.
        layout: of a row of uint8; else None.

    Raises:
        ValueError: an unknown dtype, or one that does not hold every number of a ruleset.
    """

    def __init__(self, dtype: Any, rulesets: Sequence[Any]) -> None:
        self.dtype = _dtype_of(dtype)
        self.layout: ByteLayout | None = None
        if self.dtype == BYTE:
            # Each ruleset is checked; steps are the same under all of them, so one layout serves.
            *_, columns = [_checked_columns(ruleset) for ruleset in rulesets]
            self.layout = ByteLayout(columns)

    @property
    def steps(self) -> NDArray[np.float64] | None:
        """float64 (D,), for uint8 what one of each count is worth, and its precision, a copy; else None."""
        return self.layout.steps.copy() if self.layout else None

    @property
    def exact(self) -> NDArray[np.bool_] | None:
        """bool (D,), which numbers `decode` gives back to the last bit, if the dtype is uint8, a copy; else None."""
        return self.layout.exact.copy() if self.layout else None

    def empty(self, shape: tuple[int, ...]) -> NDArray[Any]:
        """Zeroed rows, (..., D)."""
        return np.zeros(shape, self.dtype)

    def decode(self, rows: ArrayLike) -> NDArray[np.float32]:
        """The numbers of observations as float32.

        Args:
            rows: (..., D), of this encoding's dtype.

        Returns:
            float32 (..., D): a fresh array, or `rows` itself if it is float32 already.

        Raises:
            ValueError: observations of another dtype.
        """
        given = np.asarray(rows)
        if given.dtype != self.dtype:
            raise ValueError(f"observations of dtype {given.dtype}; expected {self.dtype}")
        if self.layout is None:
            return given.astype(np.float32, copy=False)
        numbers = np.empty(given.shape, np.float32)
        counts = _whole_counts(given, self.layout)
        # In float64 and rounded once: only then is an exact number right to the last bit.
        np.multiply(counts, self.layout.steps, out=numbers, dtype=np.float64, casting="same_kind")
        return numbers


def _whole_counts(given: NDArray[np.uint8], layout: ByteLayout) -> NDArray[np.int16] | NDArray[np.uint8]:
    """The counts with lent bits taken back and with their signs."""
    if not layout.wide.size and not layout.signed.size:
        return given  # nothing to put right, so no second array
    counts = given.astype(np.int16)  # room for more than eight bits, and for signs
    counts[..., layout.lenders] &= OWN_COUNTS - 1  # the lower bits are the lender's own
    # From `given`: in `counts` the lent bits have just been cleared.
    lent = given[..., layout.lenders].astype(np.int16) >> OWN_BITS
    counts[..., layout.wide] += lent << BYTE_BITS
    # Two's complement: the upper half of the room stands for counts below zero.
    counts[..., layout.signed] -= layout.rooms * (counts[..., layout.signed] >= layout.rooms // 2)
    return counts


def _dtype_of(dtype: Any) -> np.dtype[Any]:
    try:
        name = np.dtype(dtype).name
    except (TypeError, ValueError):
        name = ""  # no dtype at all: refused below
    if name not in DTYPES:
        raise ValueError(f"observation_dtype {dtype!r}: allowed: {', '.join(DTYPES)}")
    found: np.dtype[Any] = np.dtype(name)
    return found


def _checked_columns(ruleset: Any) -> Sequence[Column]:
    columns_of = ruleset.spec.observation.columns
    if columns_of is None:
        raise ValueError(
            f"observation_dtype {BYTE!r}: the game {ruleset.spec.name} does not say what bytes stand for; "
            f"allowed: {FLOAT}"
        )
    columns: Sequence[Column] = columns_of(ruleset)
    for column in columns:
        if not column.fits:
            low = -column.most if column.signed else 0
            least = -(column.room // 2) if column.signed else 0
            raise ValueError(
                f"observation_dtype {BYTE!r}: {column.name} counts from {low:,} to {column.most:,} under the ruleset "
                f"{ruleset.name!r}, and it holds {least:,} to {least + column.room - 1:,}; take {FLOAT}"
            )
    return columns
