"""What stands on the board."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from . import board


@dataclass(frozen=True)
class Rules:
    """The switches of the rules (12)."""

    rulebook: str = "1971"
    tunnels: bool = True
    tunnels_per_power: int = 4
    tunnels_per_turn: int = 1
    tunnels_per_province: int = 3
    victory_centres: int = 18

    @property
    def is_1971(self) -> bool:
        """Whether the 1971 rule book holds, not the DATC's preferences."""
        return self.rulebook == "1971"


class Unit(NamedTuple):
    """An army (A) or fleet (F) of a power on a location: a province, or a coast where there are two."""

    power: str
    type: str
    loc: str

    @property
    def province(self) -> str:
        return board.province(self.loc)

    @property
    def reach(self) -> frozenset[str]:
        """The locations to which it can go in one ordinary move."""
        return board.reach(self.type, self.loc)

    @property
    def reach_provinces(self) -> frozenset[str]:
        return frozenset(board.province(location) for location in self.reach)

    def __str__(self) -> str:
        return f"{self.type} {self.loc}"


@dataclass(frozen=True)
class Tunnel:
    """A standing tunnel: `ends` in alphabetical order, `permitted` and `told` the powers of 7.7."""

    owner: str
    ends: tuple[str, str]
    opened: bool = False
    permitted: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()

    def far_end(self, end: str) -> str:
        return self.ends[1] if end == self.ends[0] else self.ends[0]


@dataclass(frozen=True)
class Dislodged:
    """A dislodged unit, where its attacker came from (None: no bar), and where it may go (`~LON`: by tunnel)."""

    unit: Unit
    origin: str | None
    options: tuple[str, ...]


@dataclass
class Position:
    """Everything on the board between two phases."""

    units: dict[str, Unit] = field(default_factory=dict)
    tunnels: list[Tunnel] = field(default_factory=list)
    built: dict[str, int] = field(default_factory=dict)
    centres: dict[str, str] = field(default_factory=dict)
    dislodged: dict[str, Dislodged] = field(default_factory=dict)
    contested: frozenset[str] = frozenset()

    def copy(self) -> Position:
        return Position(
            dict(self.units),
            list(self.tunnels),
            dict(self.built),
            dict(self.centres),
            dict(self.dislodged),
            self.contested,
        )

    def units_of(self, power: str) -> list[Unit]:
        return [unit for _, unit in sorted(self.units.items()) if unit.power == power]

    def centres_of(self, power: str) -> list[str]:
        return sorted(centre for centre, owner in self.centres.items() if owner == power)

    def tunnels_of(self, power: str) -> list[Tunnel]:
        return [tunnel for tunnel in self.tunnels if tunnel.owner == power]

    def fleets_at_sea(self) -> frozenset[str]:
        return frozenset(place for place, unit in self.units.items() if unit.type == "F" and unit.loc in board.SEAS)

    def change_tunnel(self, old: Tunnel, **changes: object) -> None:
        """Put a tunnel with some changed facts in the place of a standing one."""
        self.tunnels[self.tunnels.index(old)] = replace(old, **changes)  # type: ignore[arg-type]


def start_centres() -> dict[str, str]:
    """The owners of the home centres at the start."""
    return {centre: power for power, homes in board.HOMES.items() for centre in homes}


def read_unit(power: str, text: str) -> Unit:
    """The unit of a text such as `F STP/SC`; ValueError if no such unit can be."""
    kind, _, location = text.strip().partition(" ")
    if kind not in board.REACH or location not in board.REACH[kind]:
        raise ValueError(f"no unit can be {text!r}")
    return Unit(power, kind, location)


def to_plain(position: Position) -> dict[str, Any]:
    """A position without dislodged units as plain values, in the form of the engine's."""
    tunnels = sorted(position.tunnels, key=lambda t: (t.owner, t.ends))
    return {
        "units": [unit._asdict() for _, unit in sorted(position.units.items())],
        "tunnels": [
            {
                "owner": tunnel.owner,
                "ends": list(tunnel.ends),
                "state": "open" if tunnel.opened else "hidden",
                "permits": sorted(tunnel.permitted),
                "told": sorted(tunnel.told),
            }
            for tunnel in tunnels
        ],
        "built": {power: n for power, n in sorted(position.built.items()) if n},
        "centres": {power: held for power in board.POWERS if (held := position.centres_of(power))},
    }
