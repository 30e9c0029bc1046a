"""Eurotunnel on the designer's page."""

from __future__ import annotations

from channel_tunnel_agents.table.design.game import DesignedGame

GAME = DesignedGame(
    units=(
        (r"tunnels_per_power|tunnels_per_turn|tunnels_per_province", "tunnels"),
        (r"victory_centres", "supply centres"),
    ),
)
