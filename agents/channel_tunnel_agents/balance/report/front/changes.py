"""What the ruleset changes against its base, in words."""

from __future__ import annotations

from channel_tunnel_agents.balance.report.evidence import Played
from channel_tunnel_agents.balance.report.page import PageSection, Words

SHOWN = 12
KEY = "changes"


def changes(evidence: Played) -> PageSection | None:
    """The changes as a list; None where there is no base."""
    base = evidence.base
    if base is None:
        return None
    told = base.changes[:SHOWN]
    more = len(base.changes) - len(told)
    lines = (*told, f"And {more} more, in the table of rules at the end.") if more else told
    return PageSection(KEY, f"What it changes in {base.title}", (), (Words(lines),))
