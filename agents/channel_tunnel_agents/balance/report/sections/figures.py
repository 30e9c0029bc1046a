"""Measures of the game as a table: a row a measure, a column an agent against itself."""

from __future__ import annotations

from collections.abc import Sequence

from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.report.evidence import Played
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, Style, of_estimate
from channel_tunnel_agents.balance.report.page import Data, Row, Table


def levels_with_games(evidence: Played) -> list[str]:
    """The agents with enough games against themselves for a claim, the weakest first."""
    names = [evidence.agents[i] for i in evidence.by_strength]
    return [name for name in names if len(evidence.own_games(name)) >= FEWEST]


def measure_table(evidence: Played, key: str, title: str, names: Sequence[str], reading: str = "") -> Table:
    """Measures by name, of every agent with enough games, the strongest first."""
    agents = levels_with_games(evidence)[::-1]
    measures = [evidence.measures_known[name] for name in names]
    rows: tuple[Row, ...] = tuple(
        (_title(measure), *(_figure(evidence, measure, agent) for agent in agents)) for measure in measures
    )
    told = f"Each agent against itself, means of a game. {reading}".rstrip()
    return Table(key, title, Data(("figure", *agents), rows), told)


def _title(measure: Measure) -> str:
    return measure.title.removesuffix(", both seats").removesuffix(", all seats")


def _figure(evidence: Played, measure: Measure, agent: str) -> Number:
    own = evidence.own_games(agent)
    style: Style = "share" if measure.unit == "share" else "plain"
    return of_estimate(measure.estimate(own), len(own), style)
