"""Figures that can change nothing under the rest of a ruleset, such as the points of an agenda that is not in use.

An observation shows them as the base game has them. So no player can play otherwise because of a figure that is no
rule, and two rulesets that differ in nothing else are played alike.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from channel_tunnel_env.games.tunnel_1987.engine import constants as c

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
OF_AGENDA = ("agenda_points", "token_symbol", "supervision_strict", "supervision_at_placement")


def dead_figures(row: np.record) -> Iterator[str]:
    """The fields of a filled record of the tables that change nothing in it."""
    if not row.agenda_enabled:
        yield from OF_AGENDA
    for name, kind in OF_CARDS.items():
        if not row.kind_cards[kind]:
            yield name
    if row.keep_limit >= row.hand.max() + row.extra_discs.max(axis=2).sum(axis=1).max():
        yield "keep_limit"
    if c.BLUE not in row.token_colour[: row.num_tokens]:
        yield "water_draws"


def without_dead_figures(row: np.record, usual: np.record) -> np.record:
    """A copy of a record whose dead figures are those of the base game's."""
    shown = row.copy()
    for name in dead_figures(row):
        shown[name] = usual[name]
    return shown
