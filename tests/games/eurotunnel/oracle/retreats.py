"""A retreat phase (rules 6)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from . import board
from .knowledge import demolish, may_use, open_tunnels, taken, tell
from .position import Dislodged, Position, Tunnel, Unit

_FORM = re.compile(r"[AF] ([A-Z]{3})(?:/[A-Z]{2})? (?:(R~|R|-|~) ([A-Z]{3}(?:/[A-Z]{2})?)|D)")


@dataclass
class Retreats:
    """What a retreat phase brought: where each dislodged unit went (None: disbanded), by province."""

    went: dict[str, str | None]
    position: Position
    opened: list[Tunnel] = field(default_factory=list)
    demolished: list[Tunnel] = field(default_factory=list)


def _choice(gone: Dislodged, texts: list[str]) -> str | None:
    """The option that the first order for a dislodged unit chooses; None to disband.

    `R` goes by land or sea, `R~` by tunnel, `-` either way. A coast may be left out where only one is open.
    """
    for text in texts:
        match = _FORM.fullmatch(text)
        if match is None or match[1] != gone.unit.province:
            continue
        if match[3] is None:
            return None
        by_tunnel = {"R": (False,), "-": (False, True)}.get(match[2], (True,))
        goal = match[3] if gone.unit.type == "F" else board.province(match[3])
        fitting = [
            option
            for option in gone.options
            if goal in (option.lstrip("~"), board.province(option.lstrip("~"))) and option.startswith("~") in by_tunnel
        ]
        return fitting[0] if len(fitting) == 1 else None
    return None


def play_retreats(position: Position, texts: dict[str, list[str]]) -> Retreats:
    """Play a retreat phase; a unit without a legal order is disbanded. The position given stays as it is."""
    after = position.copy()
    choices = {
        place: _choice(gone, texts.get(gone.unit.power, [])) for place, gone in sorted(position.dislodged.items())
    }
    goals = {place: board.province(way.lstrip("~")) for place, way in choices.items() if way}
    crowd = Counter(goals.values())
    used = [
        _tunnel(position, position.dislodged[place].unit, goals[place])
        for place, way in choices.items()
        if way and way.startswith("~")
    ]
    phase = Retreats({p: way if way and crowd[goals[p]] == 1 else None for p, way in choices.items()}, after)
    for place, way in phase.went.items():
        if way:
            unit = position.dislodged[place].unit
            after.units[goals[place]] = unit._replace(loc=way.lstrip("~"))
    after.dislodged, after.contested = {}, frozenset()
    phase.opened = open_tunnels(after, used)
    phase.demolished = demolish(after)
    tell(after)
    return phase


def _tunnel(position: Position, unit: Unit, goal: str) -> Tunnel:
    pair = board.pair_of(unit.province, goal)
    usable = [t for t in position.tunnels if t.ends == pair and may_use(unit.power, t)]
    return taken(usable, unit.power)
