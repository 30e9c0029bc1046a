"""What a report on Eurotunnel Diplomacy shows."""

from __future__ import annotations

from functools import partial

from channel_tunnel_agents.balance.report import front, headline, sections
from channel_tunnel_agents.balance.report.contents import Contents
from channel_tunnel_agents.balance.report.measurements import LEVERS, MEETINGS
from channel_tunnel_agents.balance.report.sections.games import figures
from channel_tunnel_agents.games.eurotunnel.measures import POWERS

OF_POWERS = tuple(f"{name}_{power}" for name in ("centres", "survived", "solo") for power in POWERS)
OF_TUNNELS = (
    "tunnels",
    "tunnels_opened",
    "tunnels_demolished",
    "tunnels_standing",
    "turns_hidden",
    *(f"tunnels_{power}" for power in POWERS),
)
CONTENTS = Contents(
    {
        "The seats": headline.fair,
        "The change": headline.against_base,
        "Skill levels": headline.levels,
        "Skill": headline.skill,
        "Length": headline.length,
    },
    (front.changes, front.beside, front.levers, front.unknown),
    sections.OF_EVERY_GAME
    | {"powers": partial(figures, "powers", OF_POWERS), "tunnels": partial(figures, "tunnels", OF_TUNNELS)},
    (MEETINGS, LEVERS),
)
