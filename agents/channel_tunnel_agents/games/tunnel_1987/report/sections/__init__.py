"""The sections of the page that only 1987 Channel Tunnel has."""

from __future__ import annotations

from channel_tunnel_agents.balance.report.sections import Writers
from channel_tunnel_agents.games.tunnel_1987.report.sections.actions import actions
from channel_tunnel_agents.games.tunnel_1987.report.sections.cards import cards
from channel_tunnel_agents.games.tunnel_1987.report.sections.economy import economy
from channel_tunnel_agents.games.tunnel_1987.report.sections.endings import endings
from channel_tunnel_agents.games.tunnel_1987.report.sections.health import health
from channel_tunnel_agents.games.tunnel_1987.report.sections.openings import openings
from channel_tunnel_agents.games.tunnel_1987.report.sections.restricted import restricted

OWN: Writers = {
    "endings": endings,
    "economy": economy,
    "cards": cards,
    "actions": actions,
    "restricted": restricted,
    "openings": openings,
    "health": health,
}
