"""What a report on Carcassonne shows."""

from __future__ import annotations

from channel_tunnel_agents.balance.report import front, sections, verdict
from channel_tunnel_agents.balance.report.contents import Contents
from channel_tunnel_agents.balance.report.measurements import DECK_LUCK, LEVERS, MEETINGS, TENSION, VARIANCE
from channel_tunnel_agents.games.carcassonne.report import drawn, topics
from channel_tunnel_agents.games.carcassonne.report.sections import OWN

CONTENTS = Contents(
    {
        "The seats": verdict.fair,
        "Turns": verdict.seats_note,
        "The change": verdict.against_base,
        "Skill levels": verdict.levels,
        "Tunnels": topics.tunnels,
        "Points": topics.points,
        "Tiles and tokens": topics.pieces,
        "Never used": topics.never_used,
        "Skill and luck": verdict.skill,
    },
    (front.changes, front.beside, front.levers, drawn.drawn, front.unknown),
    sections.OF_EVERY_GAME | OWN,
    (MEETINGS, drawn.BOARDS, LEVERS, DECK_LUCK, VARIANCE, TENSION),
)
