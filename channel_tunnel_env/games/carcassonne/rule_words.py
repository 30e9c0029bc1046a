"""Names of figures of Carcassonne and of their values, where their keys would not be understood."""

from __future__ import annotations

import re

from channel_tunnel_env.faces.plain_words import NamedFigures, plain_name

TILES = re.compile(r"tiles\.(\w+)\.count")


def _other(key: str) -> str:
    """The number of a tile by the tile's name."""
    return TILES.sub(r"tiles, tile \1", key) if TILES.fullmatch(key) else plain_name(key)


RULE_WORDS = NamedFigures(
    names={
        "token_sets_two": "Token sets of two players",
        "token_sets_three": "Token sets of three players",
        "table": "Size of the table",
        "auto_forced": "Skip decisions with one answer",
    },
    values={
        "token_window": {"after_meeple": "after the follower", "before_meeple": "before the follower"},
        "tunnel_variant": {"no_block": "no block"},
    },
    other=_other,
)
in_words, changes_in_words = RULE_WORDS.in_words, RULE_WORDS.changes_in_words
figure_in_words = RULE_WORDS.figure_in_words
