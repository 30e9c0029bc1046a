"""The report that fits a tournament's tables."""

from __future__ import annotations

from channel_tunnel_agents.games.spec import MIXED
from channel_tunnel_agents.matches.mixed_report import MixedReport
from channel_tunnel_agents.matches.page import TournamentPage
from channel_tunnel_agents.matches.rest_report import RestReport
from channel_tunnel_agents.matches.seatings import KINDS
from channel_tunnel_agents.matches.tournament import Results
from channel_tunnel_agents.matches.tournament_report import Report


def report_on(results: Results) -> TournamentPage:
    """Rate the agents of a tournament of any number of seats."""
    if len(results.seats) == 2:
        return Report.of(results)
    if KINDS[results.ruleset.spec.name] == MIXED:
        return MixedReport.of(results)
    return RestReport.of(results)
