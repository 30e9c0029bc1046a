"""The first page, which is all that most designers read: a file per section; which of them a game has: `contents`."""

from __future__ import annotations

from collections.abc import Callable

from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.front.beside import beside
from channel_tunnel_agents.balance.report.front.changes import changes
from channel_tunnel_agents.balance.report.front.drawn import drawn
from channel_tunnel_agents.balance.report.front.levers import levers
from channel_tunnel_agents.balance.report.front.unknown import unknown
from channel_tunnel_agents.balance.report.page import Section

__all__ = ["OF_1987", "beside", "changes", "levers", "unknown"]

OF_1987: tuple[Callable[[Evidence], Section | None], ...] = (
    changes,
    beside,
    levers,
    drawn,
    unknown,
)
