"""Names of figures of Carcassonne and of their values, where their keys would not be understood."""

from __future__ import annotations

from channel_tunnel_env.faces.plain_words import NamedFigures

RULE_WORDS = NamedFigures(
    names={
        "token_sets_two": "Token sets of two players",
        "token_sets_three": "Token sets of three players",
        "table": "Size of the table",
        "auto_forced": "Skip decisions with one answer",
    },
    values={
        "token_window": {
            "after_meeple": "after the follower",
            "before_meeple": "before the follower",
        },
        "tunnel_variant": {"no_block": "no block"},
    },
)
