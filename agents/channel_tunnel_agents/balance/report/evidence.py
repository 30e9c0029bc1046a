"""Everything a report knows, as input of its sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from channel_tunnel_agents.balance.report.base import Base
from channel_tunnel_agents.balance.report.numbers import Number, of_rate
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.matches.tournament import Results
from channel_tunnel_agents.matches.tournament_report import Report
from channel_tunnel_env import Ruleset


@dataclass(frozen=True)
class Evidence:
    """Games, ratings and measurements.

    Attributes:
        measures: results by the measurement's name.
        missing: for the other measurements, why they were not made.
        policies: agent -> digest of its policy, None for an agent without one.
        command: the command that writes the report again.
        agent: plays both sides in the measurements: the strongest agent that does not search.
        base: the base game; None if there is none beside this one.
    """

    settings: ReportSettings
    results: Results
    report: Report
    measures: Mapping[str, Any]
    missing: Mapping[str, str]
    policies: Mapping[str, str | None]
    command: str
    agent: str
    base: Base | None = None

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that is played."""
        return self.results.ruleset

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents in the order of the tournament."""
        return self.results.tournament.agents

    @cached_property
    def by_strength(self) -> list[int]:
        """Agents by their place on the ladder, the weakest first."""
        return [rung.agent for rung in reversed(self.report.rating.ladder)]

    @property
    def strongest(self) -> str:
        """The top of the ladder."""
        return self.agents[self.by_strength[-1]]

    @property
    def strongest_text(self) -> str:
        """Label of charts that show the strongest agent's games."""
        return f"{self.strongest} against itself"

    def britain(self, agent: int) -> Number:
        """Britain's share of wins of an agent against itself."""
        return of_rate(self.results.britain((agent, agent)))

    def why_missing(self, measure: str) -> str:
        """Why something was not measured, as the end of a sentence."""
        return self.missing.get(measure, "not measured")

    @cached_property
    def games(self) -> pd.DataFrame:
        """All games; see `balance.tables`."""
        return self.results.store.read("games")

    def own_games(self, agent: str) -> pd.DataFrame:
        """Games of an agent against itself, one per deal."""
        return _own(self.games, agent)

    @cached_property
    def cards(self) -> pd.DataFrame:
        """Cards in games of the page's agent against itself."""
        return _own(self.results.store.read("cards"), self.agent)

    @cached_property
    def all_actions(self) -> pd.DataFrame:
        """Actions by side, all agents together and apart."""
        return self.results.store.read("actions")

    @cached_property
    def actions(self) -> pd.DataFrame:
        """Actions in games of the page's agent against itself: side, action, legal, taken."""
        own = _own(self.all_actions, self.agent)
        return own.groupby(["side", "action"], sort=False)[["legal", "taken"]].sum().reset_index()

    @cached_property
    def options(self) -> pd.DataFrame:
        """Number of legal actions in the page's agent's games: side, options, decisions."""
        own = _own(self.results.store.read("options"), self.agent)
        return own.groupby(["side", "options"])["decisions"].sum().reset_index()


def _own(table: pd.DataFrame, agent: str) -> pd.DataFrame:
    return table[(table["britain"] == agent) & (table["france"] == agent)]


def strongest_plain(report: Report) -> str:
    """The highest agent on the ladder that does not search.

    If all of them search, the highest.
    """
    agents = report.results.tournament.agents
    ladder = [agents[rung.agent] for rung in report.rating.ladder]
    return next((name for name in ladder if name not in report.results.searching), ladder[0])
