"""Arrays of records, as kernels and plain Python read them."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np


def new_records(count: int, dtype: np.dtype[Any]) -> np.ndarray:
    """`count` zeroed records."""
    # Ten times as fast as np.zeros, which visits the fields of a record one by one.
    return records_in(bytearray(count * dtype.itemsize), dtype)


def records_in(memory: bytearray, dtype: np.dtype[Any]) -> np.ndarray:
    """The records stored in `memory`, which they keep alive and write to."""
    records = np.frombuffer(memory, dtype)
    # Plain Python reads a record's fields as attributes only through a recarray.
    return records.view(np.recarray) if numba.config.DISABLE_JIT else records
