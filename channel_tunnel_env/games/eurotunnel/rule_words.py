"""Names of figures of Eurotunnel Diplomacy and of their values, as a player would call them."""

from __future__ import annotations

from channel_tunnel_env.faces.plain_words import NamedFigures
from channel_tunnel_env.games.eurotunnel.provinces import load_board

RULE_WORDS = NamedFigures(
    names={
        "rulebook": "Rule book",
        "tunnels": "Tunnels",
        "tunnels_per_power": "Tunnels that a power may build in a game",
        "tunnels_per_turn": "Tunnels that a power may build in a turn",
        "tunnels_per_province": "Tunnels that may end in a province",
        "permissions": "Letting others through a tunnel",
        "max_year": "Last year",
        "limit_score": "Score of an undecided game",
        "centred": "Scores as more or less than an even share",
        "draw_vote": "Votes for a draw",
        "absent": "Powers that nobody plays",
        "victory_centres": "Centres that win",
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
