"""Names of figures of Eurotunnel Diplomacy and of their values, where their keys would not be understood."""

from __future__ import annotations

from channel_tunnel_env.faces.plain_words import NamedFigures
from channel_tunnel_env.games.eurotunnel.provinces import load_board

RULE_WORDS = NamedFigures(
    names={
        "limit_score": "Score of an undecided game",
        "centred": "Rewards that sum to 0",
        "auto_forced": "Skip decisions with one answer",
    },
    values={
        "limit_score": {
            "sos": "by centres squared",
            "dss": "equal for all with units",
            "centres": "by centres",
            "pieces": "all to the most units",
        },
        "rulebook": {"datc": "later rule books"},
        "absent": {power: power.capitalize() for power in load_board().powers},
    },
)
in_words, changes_in_words = RULE_WORDS.in_words, RULE_WORDS.changes_in_words
figure_in_words = RULE_WORDS.figure_in_words
