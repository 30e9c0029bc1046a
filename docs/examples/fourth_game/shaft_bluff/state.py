"""The state, one aligned numpy record per game, and the figures of a ruleset. Hands are counts, so that no order of cards can leak."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from channel_tunnel_env.core.records import new_records, workspace_dtype
from shaft_bluff import constants as c
from shaft_bluff.ruleset import points_limit

STATE_DTYPE = np.dtype(
    [
        # Luck: counter-based streams (see `channel_tunnel_env.core.rng`).
        ("rng_key", np.uint64, len(c.STREAMS)),
        ("rng_counter", np.int64, len(c.STREAMS)),
        ("seed", np.int64),
        # The game at large.
        ("ply", np.int32),  # decisions answered
        ("ruleset", np.int16),  # row of the tables
        ("turn", np.int16),  # 1, 2, ...; odd turns are north's
        ("to_play", np.int8),
        ("phase", np.int8),
        ("end_cause", np.int8),
        ("winner", np.int8),  # seat, DRAW, or NOBODY while the game goes on
        # Cards, by depth.
        ("hand", np.int8, (c.SEATS, c.MAX_DEPTHS)),
        ("buried", np.int8, (c.SEATS, c.MAX_DEPTHS)),  # believed; only the owner knows them
        ("shown", np.int8, c.MAX_DEPTHS),  # turned up by a check
        ("deck", np.int8, c.MAX_CARDS),  # in the order of drawing
        ("deck_size", np.int16),
        ("drawn", np.int16),  # deck[drawn:] is face down
        # The turn in progress.
        ("card", np.int8),  # dug in, not yet answered; or NONE
        ("said", np.int8),  # the card announced, or NONE
        ("points", np.int16, (c.SEATS, len(c.SOURCES))),
    ],
    align=True,
)

WORK_DTYPE = workspace_dtype(
    c.NUM_ACTIONS,
    [
        ("pool", np.int8, c.MAX_CARDS),  # cards that a seat cannot place
        ("left", np.int16, c.MAX_DEPTHS),  # how many of each depth
    ],
)


# --- the figures of a ruleset ---------------------------------------------------------------------


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
