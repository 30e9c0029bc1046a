"""What one power may know of a game when it is asked (rules 7.4, 7.6, 7.7, E16).

Whether another power's unit has a place to retreat to may hang on a hidden tunnel, and with it whether there is a
retreat phase and when an opened tunnel falls. So what is made public is kept by season, movement and retreats
together, and a unit that had no place reads as one that disbanded.
"""

from __future__ import annotations

from typing import Any

from .game import Game, Report
from .knowledge import knows
from .position import Tunnel


def is_asked(game: Game, power: str) -> bool:
    """Whether a power has anything to decide in the phase to be played, winters left out."""
    if game.kind == "R":
        return any(gone.unit.power == power for gone in game.position.dislodged.values())
    return game.kind == "M"


def view(game: Game, power: str) -> dict[str, Any]:
    """Everything that a power may know at a moment when it is asked, as plain values."""
    position = game.position
    gone = position.dislodged
    return {
        "phase": game.phase,
        "units": sorted(tuple(unit) for unit in position.units.values()),
        "centres": dict(sorted(position.centres.items())),
        "dislodged": sorted(tuple(unit) for unit in game.beaten),
        "contested": sorted(position.contested),
        "retreats": {p: d.options for p, d in sorted(gone.items()) if d.unit.power == power},
        "tunnels": sorted(_known(t, power) for t in position.tunnels if knows(power, t)),
        "built": position.built.get(power, 0),
        "held": dict(sorted(game.held.items())),
        "seasons": _seasons(game.reports),
    }


def _known(tunnel: Tunnel, power: str) -> tuple[str, str, str, str, str]:
    """Owner, ends, state, and letters: whom the owner permits, and for others whether they are permitted."""
    a, b = tunnel.ends
    seen = tunnel.permitted if tunnel.owner == power else tunnel.permitted & {power}
    letters = "".join(sorted(guest[0].lower() for guest in seen))
    return tunnel.owner, a, b, "open" if tunnel.opened else "hidden", letters


def _seasons(reports: list[Report]) -> dict[str, dict[str, Any]]:
    """The reports of each season as one: in `went` every dislodged unit, None for those that went nowhere (yet)."""
    found: dict[str, dict[str, Any]] = {}
    for report in reports:
        empty: dict[str, Any] = {"orders": {}, "went": {}, "changes": [], "opened": [], "demolished": []}
        season = found.setdefault(report.phase[:5], empty)
        for place, result in report.orders.items():
            season["orders"][place] = (tuple(result.unit), result.order, result.outcome)
            if result.dislodged:
                season["went"][place] = None
        season["went"] |= report.retreats
        season["changes"] += [*report.raised, *report.removed]
        season["opened"] = sorted([*season["opened"], *report.opened])
        season["demolished"] = sorted([*season["demolished"], *report.demolished])
    return found
