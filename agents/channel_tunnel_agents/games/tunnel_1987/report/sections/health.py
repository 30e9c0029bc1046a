"""Rule health: what never happened, and games that went nowhere."""

from __future__ import annotations

from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.numbers import FEWEST, count, share
from channel_tunnel_agents.balance.report.page import Cell, Data, PageSection, Table
from channel_tunnel_agents.games.tunnel_1987.report import SECTIONS
from channel_tunnel_agents.games.tunnel_1987.report.unused import unused
from channel_tunnel_agents.games.tunnel_1987.report.words import END_NAMES, STOPPED

TITLE = SECTIONS["health"]


def health(evidence: Evidence) -> PageSection:
    """Rules that no game of any agent ever used, and stalemates."""
    rows = tuple((what, ", ".join(names) or "none") for what, names in unused(evidence))
    table = Table(
        "unused",
        "Never in any game",
        Data(("rule", "never occurred"), rows),
        f"Over all {count(len(evidence.games))} games of all agents. What never occurs is a dead rule or "
        "one that these agents do not understand. What the ruleset switches off is not counted.",
        names=2,
    )
    dead = sum(bool(names) for _, names in unused(evidence))
    lead = (f"{dead} of {len(rows)} kinds of rules hold something that never occurred.",)
    return PageSection("health", TITLE, lead, (table, _stalemates(evidence)))


def _stalemates(evidence: Evidence) -> Table:
    """Games that the rules stopped, and draws, for each agent against itself."""
    rows: list[tuple[Cell, ...]] = []
    for i in evidence.by_strength:
        name = evidence.agents[i]
        games = evidence.own_games(name)
        if len(games) >= FEWEST:
            causes = games["end_cause"].astype(str)
            stops = [share(causes == cause) for cause in STOPPED]
            rows.append((name, *stops, share(games["winner"] == "draw")))
    columns = ("agent", *(END_NAMES[cause].removeprefix("stopped: ") for cause in STOPPED), "drawn")
    return Table(
        "stalemates",
        "Stalemates (each agent against itself)",
        Data(columns, tuple(rows)),
        "Share of games; an interval that starts at 0 with none seen says how many there may still be.",
    )
