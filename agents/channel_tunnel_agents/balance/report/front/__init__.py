"""The first page, which is all that most designers read: a file per section; which of them a game has: `contents`."""

from __future__ import annotations

from channel_tunnel_agents.balance.report.front.beside import beside
from channel_tunnel_agents.balance.report.front.changes import changes
from channel_tunnel_agents.balance.report.front.levers import levers
from channel_tunnel_agents.balance.report.front.unknown import unknown

__all__ = ["beside", "changes", "levers", "unknown"]
