"""From the games of more than two seats to the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from channel_tunnel_agents.balance.measuring.significance import CERTAINTY
from channel_tunnel_agents.balance.report.base import play_base
from channel_tunnel_agents.balance.report.evidence import TableEvidence, first_quick
from channel_tunnel_agents.balance.report.front import changes, unknown
from channel_tunnel_agents.balance.report.growing import OPEN, first_look, grow, stages_of
from channel_tunnel_agents.balance.report.measurements import MEETINGS, TABLE_LEVERS, Begin, Job
from channel_tunnel_agents.balance.report.numbers import FEWEST
from channel_tunnel_agents.balance.report.page import Page, PageSection
from channel_tunnel_agents.balance.report.plain.more_seats import plain_answer
from channel_tunnel_agents.balance.report.sections.provenance import provenance
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.balance.report.tables import front
from channel_tunnel_agents.balance.report.tables.sections import write
from channel_tunnel_agents.balance.report.tables.verdict import make_verdict
from channel_tunnel_agents.matches.tournament import Results


def look(settings: ReportSettings, results: Results, folder: Path) -> TableEvidence:
    """What the first games say; see `first_look`."""
    known = _of_games(settings, results, folder)
    job = _job(known, None)
    return first_look(known, stages_of(job, None, folder, (MEETINGS, TABLE_LEVERS)))


def gather(
    settings: ReportSettings,
    results: Results,
    folder: Path,
    begin: Begin,
    workers: int | None = None,
    say: Callable[[str], object] = print,
) -> Iterator[TableEvidence]:
    """Find the strongest agent, play the base and make the measurements; see `grow`."""
    known = _of_games(settings, results, folder)
    policies = known.policies
    job = _job(known, workers)
    base = play_base(settings, job, folder, begin)
    known = replace(known, base=base, missing={TABLE_LEVERS.name: OPEN})
    for met in grow(known, stages_of(job, None, folder, (MEETINGS,)), begin, say):
        if met.open:
            yield replace(met, open=(*met.open, TABLE_LEVERS.title))
    agent = first_quick([met.agents[i] for i in reversed(met.by_strength)], results)
    job = replace(job, agent=agent, agent_digest=policies[agent])
    stages = stages_of(job, None, folder, (TABLE_LEVERS,))
    yield from grow(replace(met, agent=agent), stages, begin, say)


def _job(known: TableEvidence, workers: int | None) -> Job:
    agent, results = known.agent, known.results
    return Job(known.settings, results.ruleset, agent, known.policies[agent], results, workers)


def _of_games(settings: ReportSettings, results: Results, folder: Path) -> TableEvidence:
    """What the games alone say; the last agent speaks until they have met."""
    policies, last = results.store.plan["policies"], results.tournament.agents[-1]
    return TableEvidence(settings, results, {}, {}, policies, settings.command(folder), last)


def make_page(evidence: TableEvidence) -> Page:
    """The sections in the page's order; skipped ones say so."""
    total = evidence.results.played
    first_page = (changes(evidence), front.beside(evidence), front.levers(evidence), unknown(evidence))
    sections = [_section(key, evidence) for key in evidence.game.sections]
    return Page(
        evidence.ruleset.data.title,
        make_verdict(evidence),
        (*sections, provenance(evidence)),
        _small_print(evidence),
        "",
        tuple(section for section in first_page if section is not None),
        f"Balance report on the ruleset {evidence.ruleset.name}, {len(evidence.seats)} "
        f"{evidence.game.place}s, from {total:,} games, every agent with itself",
        (),
        evidence.game.style,
        plain_answer(evidence),
    )


def _section(key: str, evidence: TableEvidence) -> PageSection:
    if key in evidence.settings.skip:
        return PageSection(key, evidence.game.sections[key], missing="left out by --skip")
    return write(key, evidence)


def _small_print(evidence: TableEvidence) -> tuple[str, ...]:
    names, total = evidence.agents, evidence.results.played
    return (
        f"Ruleset {evidence.ruleset.name}, digest {evidence.ruleset.digest}; {total:,} games, seed "
        f"{evidence.settings.seed}. To write this page again: {evidence.command}",
        "Numbers in [ ] are 95 % intervals: the truth lies inside in 19 of 20 such cases; those of all seats of one "
        "agent hold together. n counts deals (games with different luck). pp: percentage points. A win that several "
        f"share is divided. Where there are fewer than {FEWEST} deals the page makes no claim.",
        f"How sure a change is: {CERTAINTY}.",
        f"'Strongest' means among the agents of this page ({', '.join(names)}), by what each has alone against the others; "
        "a better player may find more.",
    )
