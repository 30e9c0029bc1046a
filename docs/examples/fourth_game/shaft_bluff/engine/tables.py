"""Ruleset -> its figures as one read-only record for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from channel_tunnel_env.core.records import new_records
from shaft_bluff.ruleset import points_limit

FIGURES = ("depths", "copies", "hand", "turns", "proved", "caught")
TABLES_DTYPE = np.dtype([(name, np.int64) for name in (*FIGURES, "points_limit")], align=True)


def make_tables(rulesets: Sequence[Any]) -> Any:
    """One row per ruleset, read-only."""
    tables = new_records(len(rulesets), TABLES_DTYPE)
    for row, ruleset in zip(tables, rulesets, strict=True):
        for name in FIGURES:
            row[name] = getattr(ruleset.data, name)
        row["points_limit"] = points_limit(ruleset.data)
    tables.flags.writeable = False
    return tables
