"""A report while it is made: what is known after every measurement, and what is still open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.measurements import STRENGTH, Begin, Job, Measurement, Taken, look_up, take
from channel_tunnel_agents.balance.report.numbers import count
from channel_tunnel_env.outside.sentences import listed

OPEN = "still open when this page was written"
"""Why a measurement is missing from a page that grows; true regardless of what became of the report since."""
OTHER_GAMES = "the other games"
"""What is still open of a page that shows only the first games."""
POLICIES = "policies trained for these rules"
"""What is still open of a page that is written while they are trained."""
CUT = "the report was stopped before"
"""Why it is missing from the page of a report that was stopped."""


@dataclass(frozen=True)
class MeasuringStage:
    """A measurement of a report.

    Attributes:
        job: what is known -> what it measures; of more than two seats the strongest agent is known only once they have met.
        folder: keeps it.
        of_base: the name of the base, if it is made of that.
    """

    measure: Measurement
    job: Callable[[Evidence], Job]
    folder: Path
    of_base: str = ""

    @property
    def title(self) -> str:
        """What is measured, in words."""
        return f"{self.measure.title} on {self.of_base}" if self.of_base else self.measure.title

    def look_up(self, known: Evidence, say: Callable[[str], object]) -> Taken | None:
        """What is known of it before it is made; see `measurements.look_up`."""
        return look_up(self.measure, self.job(known), self.folder, say)


def grow(
    known: Evidence, stages: Iterable[MeasuringStage], begin: Begin, say: Callable[[str], object] = print
) -> Iterator[Evidence]:
    """What is known before the first measurement that is not stored yet, and after each of them.

    Args:
        known: what the games say, before any measurement.
        say: called with one line about a stored measurement that cannot be used.
    """
    todo: list[MeasuringStage] = []
    waiting: list[MeasuringStage] = []  # until it is known who is the strongest
    for stage in stages:
        if any(each.measure.name == STRENGTH for each in todo):
            waiting.append(stage)
        taken = None if stage in waiting else stage.look_up(known, say)
        known = _with(known, stage, taken or Taken(missing=OPEN))
        todo += [] if taken else [stage]
    yield replace(known, open=tuple(stage.title for stage in todo))
    while todo:
        stage = todo.pop(0)
        taken = stage.look_up(known, say) if stage in waiting else None
        taken = taken or take(stage.measure, stage.job(known), stage.folder, _titled(begin, stage))
        known = _with(known, stage, taken)
        yield replace(known, open=tuple(later.title for later in todo))


def first_look(known: Evidence, stages: Iterable[MeasuringStage]) -> Evidence:
    """What the first games of every pairing say, before the others are played and anything is measured."""
    settings, missing, base = known.settings, {}, known.settings.base_rules
    still_open = [OTHER_GAMES]
    if base is not None and base.digest != known.ruleset.digest:
        still_open.append(f"games on {settings.base_name}")
    for stage in stages:
        taken = stage.look_up(known, lambda line: None)
        missing[stage.measure.name] = (taken.missing if taken else "") or OPEN
        still_open += [stage.title] if missing[stage.measure.name] == OPEN else []
    return replace(known, missing=missing, open=tuple(still_open))


def _titled(begin: Begin, stage: MeasuringStage) -> Begin:
    return lambda title, total: begin(stage.title, total)


def _with(known: Evidence, stage: MeasuringStage, taken: Taken) -> Evidence:
    """What is known with a measurement, or without it."""
    name = stage.measure.name
    if stage.of_base:
        assert known.base is not None
        measured = known.base.measured | ({} if taken.missing else {name: taken.result})
        return replace(known, base=replace(known.base, measured=measured))
    missing = {key: why for key, why in known.missing.items() if key != name}
    if taken.missing:
        return replace(known, missing=missing | {name: taken.missing})
    return replace(known, measures={**known.measures, name: taken.result}, missing=missing)


def cut_short(known: Evidence) -> Evidence:
    """What is known of a report that ends here: what was open stays away for good."""
    missing = {name: CUT if why == OPEN else why for name, why in known.missing.items()}
    return replace(known, missing=missing)


def standing(known: Evidence, stopped: bool) -> str:
    """What is done and what is still open; "" if nothing is open.

    Args:
        stopped: the report ends here. Otherwise it may be running still, or have been killed: the words hold for both.
    """
    if not known.open:
        return ""
    games = known.results.played
    made = [name.replace("_", " ") for name in known.measures]
    done = f"Done: {listed([f'{count(games)} games', *made])}."
    further = f"{known.command} goes on from here."
    if stopped:
        return (
            f"This report was stopped before its end; what stands here holds. {done} "
            f"Not measured: {listed([*known.open])}. {further}"
        )
    return (
        f"This page is growing; load it again to see more. {done} Still open: {listed([*known.open])}. "
        f"If its report has ended, {further}"
    )
