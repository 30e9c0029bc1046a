"""What the page of each game shows: its verdict, first page, sections and measurements, by the game's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from channel_tunnel_agents.balance.report import front, sections, verdict, verdict_1987
from channel_tunnel_agents.balance.report.carcassonne import drawn as carcassonne_drawn
from channel_tunnel_agents.balance.report.carcassonne import sections as carcassonne_sections
from channel_tunnel_agents.balance.report.carcassonne import topics as carcassonne_topics
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.measurements import (
    DECK_LUCK,
    LEVERS,
    SKILL_LADDER,
    TENSION,
    VARIANCE,
    Measurement,
)
from channel_tunnel_agents.balance.report.measurements_1987 import CARD_EFFECTS, MEASUREMENTS
from channel_tunnel_agents.balance.report.page import Section
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games import DEFAULT_GAME


@dataclass(frozen=True)
class Contents:
    """What the page of a game shows.

    Attributes:
        topics: sentences of the verdict by what they are about, in their order.
        front: the sections of the first page; one may be left out (None).
        sections: those below, by the keys of the game's `ReportedGame.sections`.
        measurements: in the order of measuring: a designer's first questions come first.
        of_base: measurements that are made of the base as well.
    """

    topics: Mapping[str, verdict.Topic]
    front: tuple[Callable[[Evidence], Section | None], ...]
    sections: Mapping[str, Callable[[Evidence], Section]]
    measurements: tuple[Measurement, ...]
    of_base: tuple[Measurement, ...] = ()


CONTENTS = {
    DEFAULT_GAME: Contents(
        {
            "The sides": verdict.fair,
            "The change": verdict.against_base,
            "Skill levels": verdict.levels,
            "Endings": verdict_1987.endings,
            "Stalls": verdict_1987.stalls,
            "Never used": verdict_1987.never_used,
            "Cards": verdict_1987.best_card,
            "Skill and luck": verdict.skill,
        },
        front.OF_1987,
        sections.OF_1987,
        MEASUREMENTS,
        (CARD_EFFECTS,),
    ),
    "carcassonne": Contents(
        {
            "The seats": verdict.fair,
            "The change": verdict.against_base,
            "Skill levels": verdict.levels,
            "Tunnels": carcassonne_topics.tunnels,
            "Points": carcassonne_topics.points,
            "Tiles and tokens": carcassonne_topics.pieces,
            "Never used": carcassonne_topics.never_used,
            "Skill and luck": verdict.skill,
        },
        (front.changes, front.beside, front.levers, carcassonne_drawn.drawn, front.unknown),
        sections.OF_EVERY_GAME | carcassonne_sections.OWN,
        (carcassonne_drawn.BOARDS, LEVERS, DECK_LUCK, VARIANCE, TENSION, SKILL_LADDER),
    ),
}


def contents_of(ruleset: Ruleset) -> Contents:
    """What the page of a ruleset's game shows; the game has a `ReportedGame`."""
    return CONTENTS[ruleset.spec.name]
