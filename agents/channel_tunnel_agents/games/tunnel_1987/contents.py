"""What a report on 1987 Channel Tunnel shows."""

from __future__ import annotations

from channel_tunnel_agents.balance.report import front, sections, verdict, verdict_1987
from channel_tunnel_agents.balance.report.contents import Contents
from channel_tunnel_agents.balance.report.measurements_1987 import CARD_EFFECTS, MEASUREMENTS

CONTENTS = Contents(
    {
        "The sides": verdict.fair,
        "The change": verdict.against_base,
        "Skill levels": verdict.levels,
        "Endings": verdict_1987.endings,
        "Stalls": verdict_1987.stalls,
        "Never used": verdict_1987.never_used,
        "Cards": verdict_1987.best_card,
        "Skill and luck": verdict.skill,
    },
    front.OF_1987,
    sections.OF_1987,
    MEASUREMENTS,
    (CARD_EFFECTS,),
)
