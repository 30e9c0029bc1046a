"""Figures that can change nothing under the rest of a ruleset, such as the points of an agenda that is not in use.

An observation shows them as the base game has them. So no player can play otherwise because of a figure that is no
rule, and two rulesets that differ in nothing else are played alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from channel_tunnel_env.games.tunnel_1987.engine import constants as c

BASE: dict[str, Any] = {
    "agenda_points": (2, 3, 2, 2, 1, 3),
    "supervision_strict": 1,
    "supervision_at_placement": 0,
    "political_duel": 3,
    "european_speech": 1,
    "european_speech_per": 2,
    "media_relations": 2,
    "topographical": (0, 1, 3, 6, 10, 15),
    "extra_finance": 3,
    "machinery_same_type": 1,
    "keep_limit": c.NO_KEEP_LIMIT,
    "water_draws": (2, 0),
}
"""Fields of the tables as the base game fills them; a test compares them."""
OF_AGENDA = ("agenda_points", "supervision_strict", "supervision_at_placement")
OF_CARDS = {
    "political_duel": c.POLITICAL_DUEL,
    "european_speech": c.EUROPEAN_SPEECH,
    "european_speech_per": c.EUROPEAN_SPEECH,
    "media_relations": c.MEDIA_RELATIONS,
    "topographical": c.TOPOGRAPHICAL_ANALYSIS,
    "extra_finance": c.EXTRA_FINANCE,
    "machinery_same_type": c.HEAVY_MACHINERY,
}
"""What belongs to the cards of one kind."""
BASE_TOKENS = 4  # of each colour
BASE_SYMBOLS = 1  # of each colour


def dead_figures(row: np.record) -> Iterator[str]:
    """The fields of a filled record of the tables that change nothing in it; see `_show_symbols` for one more."""
    if not row.agenda_enabled:
        yield from OF_AGENDA
    for name, kind in OF_CARDS.items():
        if not row.kind_cards[kind]:
            yield name
    # No allowance is larger than this, so the limit is never met.
    if row.keep_limit >= row.hand.max() + row.extra_discs.max(axis=2).sum(axis=1).max():
        yield "keep_limit"
    if c.BLUE not in row.token_colour[: row.num_tokens]:
        yield "water_draws"


def without_dead_figures(row: np.record) -> np.record:
    """A copy of a record whose dead figures are those of the base game."""
    shown = row.copy()
    for name in dead_figures(row):
        shown[name] = BASE[name]
    _show_symbols(shown)
    return shown


def _show_symbols(row: np.record) -> None:
    """The symbols of an agenda that is not in use, where the tokens are those of the base game.

    Of other tokens there is nothing that they could be shown as.
    """
    colours = row.token_colour[: row.num_tokens]
    counts = np.bincount(colours, minlength=c.NUM_COLOURS)
    if row.agenda_enabled or (counts != BASE_TOKENS).any():
        return
    row.token_symbol[: row.num_tokens] = 0
    for colour in range(c.NUM_COLOURS):
        row.token_symbol[np.flatnonzero(colours == colour)[:BASE_SYMBOLS]] = 1
