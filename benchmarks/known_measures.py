"""Measure the base game beforehand, so that a report on a changed ruleset need not do it again.

    python benchmarks/known_measures.py        after a policy is shipped anew, or a new version: three minutes of a free core

Writes `known/` beside the report's measurements: what every card of `standard` is worth to both sides, played by the
policy that reads the rules, on the deals of a quick report and of a whole one.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import Any, cast

from rich.progress import Progress

from channel_tunnel_agents.balance.report.measurements import Job, known_file, plain, plan_of, write_known
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.games.tunnel_1987.report.cards import EFFECTS_IN_BASE, KNOWN
from channel_tunnel_agents.matches.tournament import policy_digest
from channel_tunnel_agents.registry import make_agent

AGENT, BASE = "adept", "standard"


def job_of(quick: bool, workers: int | None = None) -> Job:
    """A report's job on the base, which no games were played for: the measurement plays its own."""
    settings = ReportSettings(BASE, quick=quick)
    digest = policy_digest(make_agent(AGENT, settings.rules))
    return Job(settings, settings.rules, AGENT, digest, cast(Any, None), workers)


def main() -> None:
    """Measure what is not there; delete what no report asks for any more."""
    wanted = set()
    for quick in (True, False):
        job, measure = job_of(quick, os.cpu_count()), EFFECTS_IN_BASE
        plan = plan_of(measure, job)
        path = known_file(measure.name, plan, KNOWN)
        wanted.add(path)
        if path.exists():
            continue
        with Progress() as progress:
            stage = progress.add_task(measure.title, total=measure.games(job))
            found = measure.run(job, partial(progress.advance, stage))
        print(write_known(measure.name, plan, plain(found), KNOWN))
    for path in set(KNOWN.glob("*.json.gz")) - wanted:
        path.unlink()


if __name__ == "__main__":
    sys.exit(main())
