"""The base game beside the report's own: the same agents, each against itself on the same deals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from channel_tunnel_agents.balance.changing.compare import Difference, compare
from channel_tunnel_agents.balance.measuring.measure import find_measures
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.balance.report.measurements import (
    Begin,
    Job,
    Measurement,
    take_measurements,
)
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.base import searches
from channel_tunnel_agents.matches.tournament import Results, Tournament, play_tournament
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset, VersionError
from channel_tunnel_env.faces.registry import changes_in_words

FOLDER = "base"


@dataclass(frozen=True)
class Base:
    """The base game as the page's agents play it.

    Attributes:
        name: as the designer writes it.
        results: every agent that fits these rules against itself; None if none fits.
        measured: what was measured of it besides, by name.
        unfit: the other agents, with the reason.
        changes: what the report's ruleset changes, in sentences.
    """

    name: str
    ruleset: Ruleset
    results: Results | None
    measured: Mapping[str, Any]
    unfit: Mapping[str, str]
    changes: tuple[str, ...]

    @property
    def title(self) -> str:
        """Its name for a column."""
        return self.ruleset.name

    @cached_property
    def _games(self) -> pd.DataFrame:
        return pd.DataFrame() if self.results is None else self.results.store.read("games")

    def games(self, agent: str) -> pd.DataFrame | None:
        """An agent's games against itself; None if it does not play the base."""
        if self.results is None or agent in self.unfit:
            return None
        return self._games[self._games[self.results.seats[0]] == agent]

    def differences(
        self, agent: str, games: pd.DataFrame, measures: tuple[str, ...]
    ) -> dict[str, Difference]:
        """What `games`, an agent's own on the report's rules, change, deal by deal; by measure."""
        there = self.games(agent)
        if there is None:
            return {}
        known = measures_of(self.ruleset).named
        return {d.measure.name: d for d in compare(there, games, find_measures(measures, known))}


def play_base(
    settings: ReportSettings,
    job: Job,
    folder: Path | None,
    begin: Begin,
    say: Callable[[str], object] = print,
    also: Sequence[Measurement] = (),
) -> Base | None:
    """Play and measure the base; None if there is none or it is the same game.

    Its games depend only on the base, so they are kept for the next version of the ruleset.

    Args:
        job: of the report's own ruleset.
        folder: of the report.
        also: what is measured of the base as well.
    """
    name, base = settings.base_name, settings.base_rules
    if name is None or base is None:
        return None
    if base == job.ruleset or base.digest == job.ruleset.digest:
        return None
    changes = tuple(changes_in_words(base, job.ruleset))
    unfit = find_unfit(job.results.tournament.agents, base)
    wanted = _tournament(job.results.tournament, base, unfit)
    if wanted is None:
        return Base(name, base, None, {}, unfit, changes)
    advance = begin(f"games on {base.name}", wanted.total_games)
    place = folder / FOLDER if folder else None
    results = play_tournament(wanted, advance, job.workers, place, lambda own: None)
    measured = {}
    if also and job.agent not in unfit:
        measured = _measure(also, settings, job, results, folder, begin, say)
    return Base(name, base, results, measured, unfit, changes)


def find_unfit(agents: Iterable[str], base: Ruleset) -> dict[str, str]:
    """Agents that refuse the base because they were trained for other rules, with the reason."""
    found = {}
    for name in agents:
        try:
            make_agent(name, base)
        except VersionError:
            found[name] = f"{name} was trained for other rules than {base.name}"
    return found


def _tournament(own: Tournament, base: Ruleset, unfit: Mapping[str, str]) -> Tournament | None:
    """The report's tournament without matches between different agents."""
    agents = tuple(name for name in own.agents if name not in unfit)
    if not agents:
        return None
    limits = {name: most for name, most in own.limits.items() if name in agents}
    return Tournament(agents, own.games, own.seed, base, limits, mirror=True)


def _measure(
    wanted: Sequence[Measurement],
    settings: ReportSettings,
    job: Job,
    results: Results,
    folder: Path | None,
    begin: Begin,
    say: Callable[[str], object],
) -> dict[str, Any]:
    if searches(make_agent(job.agent, results.ruleset)):
        return {}
    there = Job(settings, results.ruleset, job.agent, job.agent_digest, results, job.workers)
    place = results.store.folder or folder
    assert place is not None
    return take_measurements(there, place, begin, wanted, say)[0]
