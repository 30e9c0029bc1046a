"""Eurotunnel on the designer's page."""

from __future__ import annotations

from channel_tunnel_agents.table.design.game import DesignedGame
from channel_tunnel_env.games.eurotunnel.rule_words import RULE_WORDS

GAME = DesignedGame(
    units=(
        (r"tunnels_per_power|tunnels_per_turn|tunnels_per_province", "tunnels"),
        (r"victory_centres", "supply centres"),
    ),
    label=lambda key: RULE_WORDS.names[key],
    values=RULE_WORDS.values,
)
