"""What a report on 1987 Channel Tunnel shows."""

from __future__ import annotations

from channel_tunnel_agents.balance.report import front, sections, verdict
from channel_tunnel_agents.balance.report.contents import Contents
from channel_tunnel_agents.games.tunnel_1987.report import verdict as own
from channel_tunnel_agents.games.tunnel_1987.report.drawn import drawn
from channel_tunnel_agents.games.tunnel_1987.report.measurements import EFFECTS_IN_BASE, MEASUREMENTS
from channel_tunnel_agents.games.tunnel_1987.report.sections import OWN

CONTENTS = Contents(
    {
        "The sides": verdict.fair,
        "The change": verdict.against_base,
        "Skill levels": verdict.levels,
        "Endings": own.endings,
        "Stalls": own.stalls,
        "Never used": own.never_used,
        "Cards": own.best_card,
        "Skill and luck": verdict.skill,
    },
    (front.changes, front.beside, front.levers, drawn, front.unknown),
    sections.OF_EVERY_GAME | OWN,
    MEASUREMENTS,
    (EFFECTS_IN_BASE,),
)
