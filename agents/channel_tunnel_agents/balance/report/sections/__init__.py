"""The sections of the page, each a function of the evidence; which of them a game has at a table: `ReportedGame.sections`.

Those on luck and tension follow the first seat's chance against the second's, so that a game has them with two seats only.
"""

from __future__ import annotations

from channel_tunnel_agents.balance.report.contents import Section
from channel_tunnel_agents.balance.report.sections.course import course
from channel_tunnel_agents.balance.report.sections.games import ends, length
from channel_tunnel_agents.balance.report.sections.luck import luck
from channel_tunnel_agents.balance.report.sections.meetings import meetings
from channel_tunnel_agents.balance.report.sections.seats import seats
from channel_tunnel_agents.balance.report.sections.tension import tension

OF_EVERY_GAME: dict[str, Section] = {
    **dict.fromkeys(("sides", "seats"), seats),
    **dict.fromkeys(("matrix", "meetings"), meetings),
    "length": length,
    "course": course,
    "ends": ends,
    "luck": luck,
    "tension": tension,
}
"""Some by two names: what a game calls a seat."""
