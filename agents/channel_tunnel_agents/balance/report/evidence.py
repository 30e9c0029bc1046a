"""Everything a report knows, as input of its sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.balance.changing.compare import Difference, compare
from channel_tunnel_agents.balance.empirical.verdict import Ends, Fairness, Games, level, unwon
from channel_tunnel_agents.balance.judging import Judged
from channel_tunnel_agents.balance.measuring.measure import Measure, find_measures
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.balance.measuring.seats import GAP, SeatShares, measure_seats
from channel_tunnel_agents.balance.measuring.significance import holm
from channel_tunnel_agents.balance.report.base import Base
from channel_tunnel_agents.balance.report.game import ReportedGame, reported
from channel_tunnel_agents.balance.report.measurements import STRENGTH
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, Style, of_estimate
from channel_tunnel_agents.balance.report.settings import ReportSettings, slow_agents
from channel_tunnel_agents.matches.tournament import Results
from channel_tunnel_env import Ruleset


@dataclass(frozen=True)
class Evidence:
    """Games and measurements, of any number of seats.

    Attributes:
        measures: results by the measurement's name.
        missing: for the other measurements, why they were not made.
        policies: agent -> digest of its policy, None for an agent without one.
        command: the command that writes the report again.
        base: the base game; None if there is none beside this one.
        open: what is still to be measured, in words.
    """

    settings: ReportSettings
    results: Results
    measures: Mapping[str, Any]
    missing: Mapping[str, str]
    policies: Mapping[str, str | None]
    command: str
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

    @cached_property
    def by_strength(self) -> list[int]:
        """The agents' numbers, the weakest first: by what they have against each other in the mean; of more than two seats one against
        the rest, and in their own order before they met."""
        numbers = range(len(self.agents))
        if self.is_of_two:
            return sorted(numbers, key=lambda i: sum(self._share_against(i, j) for j in numbers))
        met = self.measures.get(STRENGTH)
        return [*numbers] if met is None else sorted(numbers, key=lambda i: float(met["strength"][self.agents[i]]))

    def _share_against(self, one: int, other: int) -> float:
        """What one agent of a game of two seats has against another, the mean over both; itself: a half."""
        matches, (first, second) = self.results.matches, self.results.seats
        return float(matches[one, other].points(first).mean() + matches[other, one].points(second).mean()) / 2

    @property
    def ladder(self) -> list[str]:
        """The agents, the weakest first."""
        return [self.agents[i] for i in self.by_strength]

    @cached_property
    def levels(self) -> list[str]:
        """The agents with enough games against themselves for a claim, the weakest first."""
        return [name for name in self.ladder if len(self.own_games(name)) >= FEWEST]

    @cached_property
    def agent(self) -> str:
        """Plays all seats in the measurements: the strongest whose games do not take long; if those of all do, the strongest."""
        return next((name for name in reversed(self.ladder) if name not in self.slow), self.strongest)

    @property
    def is_scripted(self) -> bool:
        """Whether no trained player says what the rules are worth, and the game has none at this table."""
        has_policy = bool(self.game.players.policies) or any(self.policies.get(name) for name in self.agents)
        return self.settings.judged is None and not has_policy and self.strongest not in self.slow

    @property
    def is_of_two(self) -> bool:
        """Whether there are two seats, so that what one gets follows from what the other gets."""
        return len(self.results.seats) == 2

    @property
    def judged_of_two(self) -> Judged | None:
        """The verdict on rules of two seats, which knows how far other players may be off; None if there is none."""
        return self.settings.judged if self.is_of_two else None

    @cached_property
    def slow(self) -> frozenset[str]:
        """The agents whose games take seconds."""
        return slow_agents(self.results)

    @cached_property
    def game(self) -> ReportedGame:
        """What the game says of itself at this table."""
        return reported(self.ruleset)

    @property
    def strongest(self) -> str:
        """The top of the ladder."""
        return self.ladder[-1]

    @property
    def strongest_text(self) -> str:
        """Label of charts that show the strongest agent's games."""
        return f"{self.strongest} against itself"

    @cached_property
    def measures_known(self) -> Mapping[str, Measure]:
        """What is measured in the game, by name."""
        return measures_of(self.ruleset).named

    def differences(self, agent: str, names: tuple[str, ...]) -> dict[str, Difference]:
        """What an agent's own games change against the base, by measure; nothing without a base."""
        there = None if self.base is None else self.base.games(agent)
        if there is None:
            return {}
        measures = find_measures(names, self.measures_known)
        return {each.measure.name: each for each in compare(there, self.own_games(agent), measures)}

    @cached_property
    def share_measures(self) -> list[str]:
        """The measures of the seats' shares; of two only the first's."""
        if self.is_of_two:
            return [measures_of(self.ruleset).share.name]
        return [f"share_{seat}" for seat in self.seats]

    @cached_property
    def compared(self) -> dict[tuple[str, str], Difference]:
        """What changes against the base, by agent and measure: all rows of the first page's table.

        They are one family of tests, corrected together, so that no sentence is surer than its row.
        """
        shares, top = self.share_measures, self.strongest
        of_agents = {name: shares for name in reversed(self.ladder)} if self.is_of_two else {top: [GAP, *shares]}
        wanted = {name: [*own, *(self.game.beside if name == top else ())] for name, own in of_agents.items()}
        found = {
            (agent, measure): difference
            for agent, names in wanted.items()
            if agent in self.levels
            for measure, difference in self.differences(agent, tuple(names)).items()
        }
        corrected = holm([each.p for each in found.values()])
        return {key: replace(found[key], p_holm=float(p)) for key, p in zip(found, corrected, strict=True)}

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

    def figure(self, name: str, agent: str) -> Number:
        """A measure in an agent's games against itself."""
        measure, own = self.measures_known[name], self.own_games(agent)
        return of_estimate(measure.estimate(own), len(own), style_of(measure))

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
    def actions(self) -> pd.DataFrame:
        """Actions in games of the page's agent against itself: side, action, legal, taken."""
        own = self._own(self.results.actions, self.agent)
        return own.groupby(["side", "action"], sort=False)[["legal", "taken"]].sum().reset_index()

    @cached_property
    def options(self) -> pd.DataFrame:
        """Number of legal actions in the page's agent's games: side, options, decisions."""
        own = self.own_table("options")
        return own.groupby(["side", "options"])["decisions"].sum().reset_index()

    def _own(self, table: pd.DataFrame, agent: str) -> pd.DataFrame:
        alone = np.logical_and.reduce([table[seat] == agent for seat in self.results.seats])
        return table[alone]

    # --- what the seats get ---

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that somebody plays."""
        return self.ruleset.played_seats

    @property
    def first(self) -> str:
        """The name of the first seat in the tables."""
        return self.results.seats[0]

    @property
    def even(self) -> float:
        """What each seat has where all are alike; less than 1 of their number where seats that nobody plays have a part."""
        return 1 / len(self.seats) if self.seats == self.results.seats else self.top.even

    def shares_of(self, agent: str) -> NDArray[np.float64]:
        """The shares of the seats in an agent's games with itself: (deals, S)."""
        return shares_of(self.results, agent)

    def seats_of(self, agent: str) -> SeatShares:
        """The same with intervals that hold together."""
        return measure_seats(self.shares_of(agent))

    def numbers_of(self, agent: str) -> list[Number]:
        """The same, seat by seat, as the page shows them."""
        found = self.seats_of(agent)
        return [of_estimate(each, found.deals, "share") for each in found.shares]

    def ends_of(self, agent: str) -> Ends:
        """How an agent's games with itself end; nothing of no games."""
        return self._ends[agent]

    @cached_property
    def _ends(self) -> dict[str, Ends]:
        return {agent: self._find_ends(agent) for agent in self.agents}  # several parts of a page ask for it

    def _find_ends(self, agent: str) -> Ends:
        own, shares, outcome = self.own_games(agent), self.shares_of(agent), self.ruleset.spec.outcome
        if not len(shares):
            return Ends()
        stops = outcome.end_causes[outcome.first_stop or len(outcome.end_causes) :]
        taken = self._own(self.results.actions, agent).groupby(["action"], sort=False, observed=True)["taken"].sum()
        commonest = float(taken.max() / taken.sum()) if taken.sum() else 0.0
        stuck = float(own["end_cause"].astype(str).isin(stops).mean())
        return Ends(stuck, unwon(shares), level(shares), commonest)

    def fairness_of(self, agent: str) -> Fairness:
        """What an agent's games with itself say."""
        found = self.seats_of(agent)
        games = Games((agent,), found.deals, self.settings.seed)
        return Fairness(found.shares, games, self.ends_of(agent))

    @cached_property
    def top(self) -> Fairness:
        """What the page answers: the verdict on good players if there is one, else the strongest agent's games with itself."""
        judged = self.settings.judged
        if judged is None:
            return self.fairness_of(self.strongest)
        found, commonest = judged.verdict.fairness, self.ends_of(self.strongest).commonest  # counted in its games only
        return replace(found, ends=replace(found.ends, commonest=commonest))


def style_of(measure: Measure) -> Style:
    """How a figure of a measure is written."""
    return "share" if measure.unit == "share" else "plain"


def shares_of(results: Results, agent: str) -> NDArray[np.float64]:
    """The shares of the seats that somebody plays in an agent's games with itself: (deals, S)."""
    itself = (results.tournament.agents.index(agent),) * len(results.seats)
    return results.matches[itself].shares[:, results.ruleset.played_places]
