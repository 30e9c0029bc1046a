"""What the page of each game shows: its verdict, first page, sections and measurements, by the game's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.game import reported
from channel_tunnel_agents.balance.report.measurements import LEVERS, Measurement
from channel_tunnel_agents.balance.report.page import PageSection, Shown
from channel_tunnel_agents.games import Parts
from channel_tunnel_env import Ruleset

Topic = Callable[[Evidence, dict[str, Any]], str]
"""A sentence, "" for none; notes every number in it under a name."""
Section = Callable[[Evidence], Shown]


@dataclass(frozen=True)
class Contents:
    """What the page of a game shows.

    Attributes:
        topics: sentences of the verdict by what they are about, in their order.
        front: the sections of the first page; one may be left out (None).
        sections: those below, by the keys of the game's `ReportedGame.sections`.
        measurements: in the order of measuring: a designer's first questions come first. Those whose section the game has not at
            this table are not made.
        of_base: measurements that are made of the base as well, by the names of the report's own.
    """

    topics: Mapping[str, Topic]
    front: tuple[Callable[[Evidence], PageSection | None], ...]
    sections: Mapping[str, Section]
    measurements: tuple[Measurement, ...]
    of_base: tuple[Measurement, ...] = ()


CONTENTS: Mapping[str, Contents] = Parts("report.contents", "CONTENTS", Contents)


def contents_of(ruleset: Ruleset) -> Contents:
    """What the page of a ruleset's game shows at its table; the game has a `ReportedGame`."""
    found, known = CONTENTS[ruleset.spec.name], {*reported(ruleset).sections, LEVERS.section}
    return replace(found, measurements=tuple(each for each in found.measurements if each.section in known))
