"""The base game beside the report's own: the same agents, each against itself on the same deals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from channel_tunnel_agents.balance.report.measurements import Begin, Job
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.base import searches
from channel_tunnel_agents.matches.tournament import Results, Tournament, play_tournament
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset, VersionError
from channel_tunnel_env.faces.registry import changes_in_words


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
    measured: dict[str, Any]
    unfit: Mapping[str, str]
    changes: tuple[str, ...]

    @property
    def title(self) -> str:
        """Its name for a column."""
        return self.ruleset.name

    def games(self, agent: str) -> pd.DataFrame | None:
        """An agent's games against itself; None if it does not play the base."""
        if self.results is None or agent in self.unfit:
            return None
        games = self.results.games
        return games[games[self.results.seats[0]] == agent]


def play_base(settings: ReportSettings, job: Job, folder: Path | None, begin: Begin) -> Base | None:
    """Play the base; None if there is none or it is the same game.

    Its games depend only on the base, so they are kept for the next version of the ruleset.

    Args:
        job: of the report's own ruleset.
        folder: of the report.
    """
    name, base = settings.base_name, settings.base_rules
    if name is None or base is None:
        return None
    if base == job.ruleset or base.digest == job.ruleset.digest:
        return None
    own, results = job.results.tournament, None
    unfit = find_unfit(own.agents, base)
    agents = tuple(name for name in own.agents if name not in unfit)
    if agents:
        limits = {name: most for name, most in own.limits.items() if name in agents}
        wanted = Tournament(agents, own.deals, own.seed, base, limits, mirror=True)
        advance = begin(f"games on {base.name}", wanted.total_games)
        results = play_tournament(wanted, advance, job.workers, folder / "base" if folder else None, lambda own: None)
    return Base(name, base, results, {}, unfit, tuple(changes_in_words(base, job.ruleset)))


def job_of_base(base: Base | None, job: Job) -> Job | None:
    """The report's job on the base's rules; None where its agent does not play them, or looks ahead."""
    if base is None or base.results is None or job.agent in base.unfit:
        return None
    if searches(make_agent(job.agent, base.ruleset)):
        return None
    return replace(job, ruleset=base.results.ruleset, results=base.results)


def find_unfit(agents: Iterable[str], base: Ruleset) -> dict[str, str]:
    """Agents that refuse the base because they were trained for other rules, with the reason."""
    found = {}
    for name in agents:
        try:
            make_agent(name, base)
        except VersionError:
            found[name] = f"{name} was trained for other rules than {base.name}"
    return found
