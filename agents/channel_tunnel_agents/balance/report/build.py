"""Build a report: from the games to the files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

from channel_tunnel_agents.balance.empirical.verdict import Games
from channel_tunnel_agents.balance.judging import Judged
from channel_tunnel_agents.balance.measuring.seats import measure_seats
from channel_tunnel_agents.balance.measuring.significance import CERTAINTY
from channel_tunnel_agents.balance.report.base import job_of_base, play_base
from channel_tunnel_agents.balance.report.beside import beside, changes
from channel_tunnel_agents.balance.report.evidence import Evidence, shares_of
from channel_tunnel_agents.balance.report.growing import POLICIES, MeasuringStage, cut_short, first_look, grow, standing
from channel_tunnel_agents.balance.report.levers import MAY_BE_PLAYERS, levers
from channel_tunnel_agents.balance.report.measurements import Begin, Job
from channel_tunnel_agents.balance.report.numbers import FEWEST
from channel_tunnel_agents.balance.report.page import Page, PageSection, with_short_names
from channel_tunnel_agents.balance.report.plain.answer import plain_answer
from channel_tunnel_agents.balance.report.plain.parts import plain_dict
from channel_tunnel_agents.balance.report.plain.players import player_name
from channel_tunnel_agents.balance.report.provenance import provenance, unknown
from channel_tunnel_agents.balance.report.records import write_named_games
from channel_tunnel_agents.balance.report.render import render
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.cluster.parallel import default_workers, keep_processes
from channel_tunnel_agents.matches.store import plan_digest
from channel_tunnel_agents.matches.tournament import FEW_GAMES, FIRST_DEALS, Results, Tournament, play_tournament
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.outside.sentences import listed

HTML, JSON = "report.html", "report.json"


class Written(NamedTuple):
    """A finished report, and its files."""

    page: Page
    html: Path
    json: Path


def write_report(
    settings: ReportSettings,
    folder: Path,
    begin: Begin,
    workers: int | None = None,
    say: Callable[[str], object] = print,
    judging: Iterable[Judged] = (),
) -> Written:
    """Play and measure what is missing; write report.html, report.json and games.jsonl.

    They are written once the first games are played, and again after every measurement, each time whole, so that the page can
    be read while it grows and says what is still open. Ctrl-C leaves a page that says that it was stopped.

    The base game is played beside it by the same agents, unless the settings leave it out.

    Args:
        folder: also keeps the games' Parquet files and the measurements, in a separate folder per
            plan, so that a ruleset may be edited between two reports.
        begin: shows progress; see `measurements.Begin`.
        workers: processes, which serve all stages; None: one per core, a single one for few games. The numbers do not
            depend on it.
        say: called with one line about a file that cannot be used.
        judging: the verdicts on the rules while policies are trained for them, as `judge` finds them; the last one is the
            report's.

    Raises:
        AgentError, ChannelTunnelError: an unknown agent or ruleset, a policy that does not fit, or a
            folder with damaged files; before the first game.
    """
    tournament = settings.tournament()
    _ = settings.base_rules  # refused before the first game
    if workers is None:
        workers = default_workers(little=tournament.total_games < FEW_GAMES)
    writer = Writer(folder, say)
    try:
        with keep_processes():
            settings = _judged(settings, judging, writer, begin, workers)
            _write_report(settings, writer, begin, workers)
    except KeyboardInterrupt:
        writer.stop()
        raise
    assert writer.written is not None
    return writer.written


def _judged(
    settings: ReportSettings, judging: Iterable[Judged], writer: Writer, begin: Begin, workers: int
) -> ReportSettings:
    """The settings with the last verdict; while policies are trained, a page of what few games say stands already."""
    first: Results | None = None
    for judged in judging:
        settings = replace(settings, judged=judged)
        if first is None and settings.plan.budget and judged.is_short:
            few = replace(settings, quick=True, deals=min(FIRST_DEALS, settings.deals_of_a_pairing)).tournament()
            first = play_tournament(few, begin("first games", few.total_games), workers)
        if first is not None:
            known = look(settings, first, writer.folder)
            writer.write(replace(known, open=(POLICIES, *known.open)))
    return settings


def _write_report(settings: ReportSettings, writer: Writer, begin: Begin, workers: int) -> None:
    folder, say, tournament = writer.folder, writer.say, settings.tournament()

    def apart(own: Path) -> None:
        if not own.exists() and (older := [*own.parent.glob("*")]):
            say(
                f"The plan is another than before (rules, agents, deals, seed or version): its games go to "
                f"{own}; those of {len(older)} older plans stay beside it until you delete them."
            )

    advance = begin("games", tournament.total_games)
    results = play_tournament(
        tournament, advance, workers, folder, apart, lambda early: writer.write(look(settings, early, folder))
    )
    known = _of_games(settings, results, folder)
    known = replace(known, base=play_base(settings, _job(known, workers), folder, begin))
    for more in grow(known, stages_of(known, folder, workers), begin, say):
        writer.write(more)


class Writer:
    """Writes the page of a report whenever more of it is known; what a measurement does not change is kept."""

    def __init__(self, folder: Path, say: Callable[[str], object]) -> None:
        self.folder = folder
        self.say = say
        self._known: Evidence | None = None
        self._sections: Sections = {}
        self.written: Written | None = None

    def write(self, known: Evidence, stopped: bool = False) -> None:
        """Write the files, each whole or not at all.

        Args:
            stopped: the report ends here, before its end.
        """
        if self._known is not None and known.results is not self._known.results:
            self._sections = {}  # of fewer games
        page = replace(make_page(known, self._sections), standing=standing(known, stopped))
        html, data = self.folder / HTML, self.folder / JSON
        self.folder.mkdir(parents=True, exist_ok=True)
        found = to_dict(known, page) | {"open": list(known.open), "stopped": stopped}
        text = json.dumps(found, indent=1, allow_nan=False)
        named = [name for name in known.game.records if name in known.measures]
        write_named_games([known.measures[name] for name in named], self.folder)
        write_whole(data, (text + "\n").encode())
        write_whole(html, render(page).encode())
        if self.written is None and known.open:
            self.say(f"{html} can be read now; it grows while this runs.")
        self.written, self._known = Written(page, html, data), known

    def stop(self) -> None:
        """Write what is known of a report that ends here, if anything is."""
        if self._known is None:
            return
        self.write(cut_short(self._known), stopped=True)
        self.say(f"{self.folder / HTML} holds what was found so far.")


def look(settings: ReportSettings, results: Results, folder: Path) -> Evidence:
    """What the first games say; see `first_look`."""
    known = _of_games(settings, results, folder)
    return first_look(known, stages_of(known, folder))


def _of_games(settings: ReportSettings, results: Results, folder: Path) -> Evidence:
    return Evidence(settings, results, {}, {}, results.store.plan["policies"], settings.command(folder))


def _job(known: Evidence, workers: int | None = None) -> Job:
    agent, results = known.agent, known.results
    return Job(known.settings, results.ruleset, agent, known.policies[agent], results, workers)


def stages_of(known: Evidence, folder: Path, workers: int | None = None) -> Iterator[MeasuringStage]:
    """The measurements in their order, those of the base right after the report's own."""
    there = job_of_base(known.base, _job(known, workers))
    of_base = {} if there is None else {each.name: each for each in known.game.of_base}
    for measure in known.game.made:
        yield MeasuringStage(measure, lambda now: _job(now, workers), known.results.store.folder or folder)
        if there is not None and measure.name in of_base:
            place = there.results.store.folder or folder
            yield MeasuringStage(of_base[measure.name], lambda now, job=there: job, place, there.ruleset.name)  # type: ignore[misc]


Sections = dict[str, tuple[list[Any], PageSection]]
"""By key, what is known of the measurements that a section shows, and the section."""


def make_page(evidence: Evidence, kept: Sections) -> Page:
    """The sections in the page's order; skipped ones say so.

    Args:
        kept: sections of a page of the same games; those whose measurements are the same are taken over, the others
            are put there.
    """
    game = evidence.game
    sections = [_kept_or_written(key, evidence, kept) for key in game.sections]
    front = (
        changes(evidence),
        beside(evidence),
        levers(evidence),
        game.drawn and game.drawn(evidence),
        unknown(evidence),
    )
    total = evidence.results.played
    seats = "" if evidence.is_of_two else f", {len(game.seats)} {game.place}s"
    page = Page(
        evidence.ruleset.data.title,
        plain_answer(evidence),
        tuple(sections),
        _small_print(evidence),
        tuple(section for section in front if section is not None),
        f"Balance report on the ruleset {evidence.ruleset.name}{seats}, from {total:,} games",
        tuple(zip(game.letters, game.heads, strict=False)),
        game.style,
    )
    page = with_short_names(page)
    return replace(page, sections=(*page.sections, provenance(evidence)))  # which names everybody in full


def _kept_or_written(key: str, evidence: Evidence, kept: Sections) -> PageSection:
    shown = [each.name for each in evidence.game.measurements if each.section == key]
    known = [evidence.ladder, *(evidence.measures.get(name, evidence.missing.get(name)) for name in shown)]
    if key not in kept or kept[key][0] != known:
        kept[key] = known, write_section(key, evidence)
    return kept[key][1]


def write_section(key: str, evidence: Evidence) -> PageSection:
    """A section of the page below the first one, with what it shows or why it is empty."""
    title, show = evidence.game.sections[key]
    shown = "left out by --skip" if key in evidence.settings.skip else show(evidence)
    if isinstance(shown, str):
        return PageSection(key, title, missing=shown)
    lead, items = shown
    return PageSection(key, title, tuple(lead), tuple(items))


_MORE_DOUBT = f"; {MAY_BE_PLAYERS}: other good players may not see it"


def _rests_on(games: Games) -> str:
    """Which games the answer rests on, as a sentence."""
    against = "each against each" if len(games.players) > 1 else "against itself"
    return f"The answer rests on games of {', '.join(games.players)}, {against}, on {games.deals:,} deals from seed {games.seed}."


def _small_print(evidence: Evidence) -> tuple[str, ...]:
    total = evidence.results.played
    lines = (
        f"Ruleset {evidence.ruleset.name}, digest {evidence.ruleset.digest}; {total:,} games, seed "
        f"{evidence.settings.seed}. To write this page again: {evidence.command}",
        _rests_on(evidence.top.games),
        "Numbers in [ ] are 95 % intervals: the truth lies inside in 19 of 20 such cases"
        f"{'' if evidence.is_of_two else '; those of all seats of one agent hold together'}. n counts deals (games with different "
        "luck). pp: percentage points of the chance to win. A win that several share is divided"
        f"{': a draw is half a win' if evidence.is_of_two else ''}. Where there are fewer than {FEWEST} deals the page makes no claim.",
        f"How sure a change is: {CERTAINTY}{_MORE_DOUBT if evidence.judged_of_two else ''}.",
        f"'Strongest' means among the agents of this page ({', '.join(evidence.agents)}); a better player may find more.",
    )
    return (*lines, *_slow_lines(evidence.results.tournament))


def _slow_lines(tournament: Tournament) -> Iterator[str]:
    """Who plays how many deals fewer than the others."""
    for most in sorted(set(tournament.limits.values())):
        slow = [name for name, own in tournament.limits.items() if own == most < tournament.deals]
        if slow:
            plays, is_slow = ("plays", "it is slow") if len(slow) == 1 else ("play", "they are slow")
            yield f"{listed(slow)} {plays} only {most} deals of each pairing, because {is_slow}."


def to_dict(evidence: Evidence, page: Page) -> dict[str, Any]:
    """Everything on the page, unrounded, JSON-serialisable."""
    return {
        "title": page.title,
        "ruleset": evidence.ruleset.name,
        "digest": evidence.ruleset.digest,
        "command": evidence.command,
        "plan": plan_digest(evidence.results.store.plan),
        "agents": list(evidence.agents),
        "base": None if evidence.base is None else evidence.base.name,
        "base_digest": None if evidence.base is None else evidence.base.ruleset.digest,
        "seats": [_seats_dict(evidence, name) for name in evidence.ladder],
        "judged": None if evidence.settings.judged is None else evidence.settings.judged.to_dict(),
        "plain": plain_dict(page.plain),
        "front": {section.key: section.to_dict() for section in page.front},
        "small_print": list(page.small_print),
        "sections": {section.key: section.to_dict() for section in page.sections},
        "policies": dict(evidence.policies),
    }


def _seats_dict(evidence: Evidence, agent: str) -> dict[str, Any]:
    """What each seat has of an agent's games with itself, here and in the base, for programs that set reports side by side.

    Shares lie from 0 to 1 with intervals that hold together; none of fewer than `FEWEST` deals, or without a base.
    """
    base = evidence.base
    there = None if base is None or agent in base.unfit else base.results
    return {
        "agent": agent,
        "name": player_name(agent, evidence.ruleset),
        "here": _shares_dict(evidence.results, agent),
        "base": there and _shares_dict(there, agent),
    }


def _shares_dict(results: Results, agent: str) -> dict[str, Any] | None:
    found = measure_seats(shares_of(results, agent))
    if found.deals < FEWEST:
        return None
    seats = zip(results.ruleset.played_seats, found.shares, strict=True)
    return {"deals": found.deals, "seats": {seat: asdict(each) for seat, each in seats}}
