"""Everything a report knows, as input of its sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from channel_tunnel_agents.balance.changing.compare import Difference
from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.balance.measuring.seats import SeatShares, measure_seats, shares_in
from channel_tunnel_agents.balance.report.base import Base
from channel_tunnel_agents.balance.report.game import Reported, ReportedGame, ReportedTable
from channel_tunnel_agents.balance.report.games import reported, reported_game, reported_table
from channel_tunnel_agents.balance.report.measurements import MEETINGS
from channel_tunnel_agents.balance.report.numbers import Number, of_estimate
from channel_tunnel_agents.balance.report.records import games_before
from channel_tunnel_agents.balance.report.settings import ReportSettings, slow_agents
from channel_tunnel_agents.matches.tournament import Results
from channel_tunnel_agents.matches.tournament_report import Report
from channel_tunnel_agents.statistics import estimate_share
from channel_tunnel_env import Ruleset


@dataclass(frozen=True)
class Played:
    """Games and measurements, whatever the seats.

    Attributes:
        measures: results by the measurement's name.
        missing: for the other measurements, why they were not made.
        policies: agent -> digest of its policy, None for an agent without one.
        command: the command that writes the report again.
        agent: plays both sides in the measurements: see `strongest_plain`.
        base: the base game; None if there is none beside this one.
        open: what is still to be measured, in words.
    """

    settings: ReportSettings
    results: Results
    measures: Mapping[str, Any]
    missing: Mapping[str, str]
    policies: Mapping[str, str | None]
    command: str
    agent: str
    base: Base | None = None
    open: tuple[str, ...] = ()

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that is played."""
        return self.results.ruleset

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents in the order of the tournament."""
        return self.results.tournament.agents

    @property
    def by_strength(self) -> list[int]:
        """The agents' numbers, the weakest first."""
        raise NotImplementedError

    @cached_property
    def slow(self) -> frozenset[str]:
        """The agents whose games take seconds."""
        return slow_agents(self.results)

    @property
    def reading(self) -> frozenset[str]:
        """The agents that were trained to read the rules."""
        return self.results.reading

    @cached_property
    def game(self) -> Reported:
        """What the game says of itself."""
        return reported(self.ruleset)

    @property
    def strongest(self) -> str:
        """The top of the ladder."""
        return self.agents[self.by_strength[-1]]

    @property
    def strongest_text(self) -> str:
        """Label of charts that show the strongest agent's games."""
        return f"{self.strongest} against itself"

    @cached_property
    def measures_known(self) -> Mapping[str, Measure]:
        """What is measured in the game, by name."""
        return measures_of(self.ruleset).named

    def differences(self, agent: str, games: pd.DataFrame, names: tuple[str, ...]) -> dict[str, Difference]:
        """What an agent's own games change against the base, by measure; nothing without a base."""
        if self.base is None:
            return {}
        return self.base.differences(agent, games, names, self.measures_known)

    def why_missing(self, measure: str) -> str:
        """Why something was not measured, as the end of a sentence."""
        return self.missing.get(measure, "not measured")

    @cached_property
    def games(self) -> pd.DataFrame:
        """All games; see `balance.tables`."""
        return self.results.games

    def own_games(self, agent: str) -> pd.DataFrame:
        """Games of an agent against itself, one per deal."""
        return self._own(self.games, agent)

    def own_table(self, name: str) -> pd.DataFrame:
        """A table of the matches: the rows of the page's agent against itself."""
        return self._own(self.results.store.read(name), self.agent)

    def choices(self, agent: str) -> float:
        """Decisions that left a choice, a game of an agent against itself; nan without such games."""
        own = self._own(self.results.store.read("options"), agent)
        games = len(self.own_games(agent))
        left = own.loc[own["options"] > 1, "decisions"].sum()
        return float(left / games) if games else float("nan")

    @cached_property
    def all_actions(self) -> pd.DataFrame:
        """Actions by side, all agents together and apart."""
        return self.results.actions

    @cached_property
    def actions(self) -> pd.DataFrame:
        """Actions in games of the page's agent against itself: side, action, legal, taken."""
        own = self._own(self.all_actions, self.agent)
        return own.groupby(["side", "action"], sort=False)[["legal", "taken"]].sum().reset_index()

    @cached_property
    def options(self) -> pd.DataFrame:
        """Number of legal actions in the page's agent's games: side, options, decisions."""
        own = self.own_table("options")
        return own.groupby(["side", "options"])["decisions"].sum().reset_index()

    def _own(self, table: pd.DataFrame, agent: str) -> pd.DataFrame:
        alone = np.logical_and.reduce([table[seat] == agent for seat in self.results.seats])
        return table[alone]


@dataclass(frozen=True)
class Evidence(Played):
    """Of a game of two seats, with the agents' ratings."""

    report: Report = field(kw_only=True)

    @cached_property
    def by_strength(self) -> list[int]:
        """Agents by their place on the ladder, the weakest first."""
        return [rung.agent for rung in reversed(self.report.rating.ladder)]

    @cached_property
    def game(self) -> ReportedGame:
        """What the game says of itself."""
        return reported_game(self.ruleset)

    def games_before(self, measurement: str) -> int:
        """How many games of other measurements stand before those of one in the records' file."""
        return games_before(measurement, self.measures, self.game.records)

    @property
    def first(self) -> str:
        """The name of the first seat in the tables."""
        return self.results.seats[0]

    @property
    def share(self) -> Measure:
        """The measure of the first seat's share of wins."""
        return measures_of(self.ruleset).share

    @cached_property
    def top_share(self) -> Number:
        """The first seat's share of wins among good players; without a verdict that of the strongest agent."""
        judged = self.settings.judged
        if judged is None:
            return self.first_share(self.by_strength[-1])
        return of_estimate(judged.verdict.seats[0].share, judged.verdict.deals, "share")

    def first_share(self, agent: int, rival: int | None = None) -> Number:
        """The first seat's share of wins of an agent there against itself, or another; a draw is half a win."""
        match = self.results.matches[agent, agent if rival is None else rival]
        return of_estimate(estimate_share(match.points(self.first)), match.games, "share")


@dataclass(frozen=True)
class TableEvidence(Played):
    """Of a table of more than two seats."""

    @cached_property
    def by_strength(self) -> list[int]:
        """As they fared against each other, one against the rest; in their own order where they did not meet."""
        found = self.measures.get(MEETINGS.name)
        if found is None:
            return [*range(len(self.agents))]
        return sorted(range(len(self.agents)), key=lambda i: float(found["strength"][self.agents[i]]))

    @cached_property
    def game(self) -> ReportedTable:
        """What the game says of itself."""
        return reported_table(self.ruleset)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that somebody plays."""
        return self.ruleset.played_seats

    @property
    def even(self) -> float:
        """What each of them has where all are alike, in the games of the strongest agent with itself."""
        if self.seats == self.results.seats:
            return 1 / len(self.seats)
        return self.seats_of(self.strongest).even

    @property
    def unplayed(self) -> list[str]:
        """The seats that nobody plays, in words."""
        return [self.game.called(seat) for seat in self.results.seats if seat not in self.seats]

    def seats_of(self, agent: str) -> SeatShares:
        """The seats' shares of an agent's games with itself."""
        own = self.own_games(agent)
        return measure_seats(shares_in(own, self.seats))


def strongest_plain(report: Report) -> str:
    """The highest agent on the ladder whose games do not take long.

    If those of all take long, the highest.
    """
    agents = report.results.tournament.agents
    return first_quick([agents[rung.agent] for rung in report.rating.ladder], report.results)


def first_quick(ladder: Sequence[str], results: Results) -> str:
    """The first of some agents, the strongest first, whose games do not take long; if those of all do, the first."""
    slow = slow_agents(results)
    return next((name for name in ladder if name not in slow), ladder[0])
