"""The phases of a year, one after another, up to a victory (rules 3 and 8.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from . import board
from .movement import Result, play_movement
from .position import Position, Rules, Tunnel
from .retreats import play_retreats
from .winter import capture, has_adjustments, play_adjustments, remove_tunnels_of_the_eliminated

Place = tuple[str, tuple[str, str]]


@dataclass(frozen=True)
class Report:
    """What everybody learns after a phase (7.6).

    `orders` has the results of a movement phase by province; `retreats` where dislodged units went (None: they
    were disbanded). Tunnels are pairs of owner and ends.
    """

    phase: str
    orders: dict[str, Result] = field(default_factory=dict)
    retreats: dict[str, str | None] = field(default_factory=dict)
    opened: tuple[Place, ...] = ()
    demolished: tuple[Place, ...] = ()


def _places(tunnels: Iterable[Tunnel]) -> tuple[Place, ...]:
    return tuple(sorted((tunnel.owner, tunnel.ends) for tunnel in tunnels))


class Game:
    """A game that is played phase by phase.

    `kind` is M, R, A, or OVER.
    """

    def __init__(self, rules: Rules, position: Position) -> None:
        self.rules = rules
        self.position = position.copy()
        self.year, self.season, self.kind = 1901, "S", "M"
        self.winner: str | None = None
        self.reports: list[Report] = []

    @property
    def phase(self) -> str:
        """The name of the phase to be played, such as S1901M."""
        return f"{'W' if self.kind == 'A' else self.season}{self.year}{self.kind}"

    def movement(self, texts: dict[str, list[str]], permissions: Iterable[tuple[str, str, str]]) -> None:
        """Play a movement phase: orders by power, changes of permissions."""
        assert self.kind == "M"
        phase = play_movement(self.position, texts, self.rules, permissions)
        self.position = phase.position
        opened, fallen = _places(phase.opened), _places(phase.demolished)
        self.reports.append(Report(self.phase, phase.results, opened=opened, demolished=fallen))
        if self.position.dislodged:
            self.kind = "R"
        else:
            self._end_season()

    def retreats(self, texts: dict[str, list[str]]) -> None:
        """Play a retreat phase."""
        assert self.kind == "R"
        phase = play_retreats(self.position, texts)
        self.position = phase.position
        opened, fallen = _places(phase.opened), _places(phase.demolished)
        self.reports.append(Report(self.phase, retreats=phase.went, opened=opened, demolished=fallen))
        self._end_season()

    def adjustments(self, texts: dict[str, list[str]]) -> None:
        """Play an adjustment phase."""
        assert self.kind == "A"
        phase = play_adjustments(self.position, texts, self.rules)
        self.position = phase.position
        gone = remove_tunnels_of_the_eliminated(self.position)
        fallen = [*phase.demolished, *(tunnel for tunnel in gone if tunnel.opened)]
        self.reports.append(Report(self.phase, demolished=_places(fallen)))
        self._next_year()

    def _end_season(self) -> None:
        self.kind = "M"
        self.position.contested = frozenset()
        if self.season == "S":
            self.season = "F"
            return
        capture(self.position)
        gone = remove_tunnels_of_the_eliminated(self.position)
        if any(tunnel.opened for tunnel in gone):
            fallen = _places(tunnel for tunnel in gone if tunnel.opened)
            self.reports.append(Report(f"F{self.year}", demolished=fallen))
        for power in board.POWERS:
            if len(self.position.centres_of(power)) >= self.rules.victory_centres:
                self.winner, self.kind = power, "OVER"
                return
        if has_adjustments(self.position):
            self.kind = "A"
        else:
            self._next_year()

    def _next_year(self) -> None:
        self.year, self.season, self.kind = self.year + 1, "S", "M"
