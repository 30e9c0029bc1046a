"""The sections of the page, each a function of the evidence; which of them a game has: `contents`."""

from __future__ import annotations

from collections.abc import Callable

from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.page import PageSection
from channel_tunnel_agents.balance.report.sections.length import length
from channel_tunnel_agents.balance.report.sections.luck import luck
from channel_tunnel_agents.balance.report.sections.matrix import matrix
from channel_tunnel_agents.balance.report.sections.sides import sides
from channel_tunnel_agents.balance.report.sections.tension import tension

Writers = dict[str, Callable[[Evidence], PageSection]]
OF_EVERY_GAME: Writers = {"sides": sides, "matrix": matrix, "length": length, "luck": luck, "tension": tension}
