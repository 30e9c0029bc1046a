"""A whole game: the phases of a year, victory, draws and shares (rules 3 and 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from . import board
from .knowledge import demolish
from .movement import Result, play_movement
from .position import Position, Rules, Tunnel, Unit, start_position
from .retreats import play_retreats
from .winter import capture, has_adjustments, play_adjustments, remove_tunnels_of_the_eliminated

Place = tuple[str, tuple[str, str]]


@dataclass(frozen=True)
class Report:
    """What everybody learns after a phase (7.6).

    `orders` has the results of a movement phase by province; `retreats` where dislodged units went (None: they
    were disbanded); `raised` and `removed` the units of a winter. Tunnels are pairs of owner and ends.
    """

    phase: str
    orders: dict[str, Result] = field(default_factory=dict)
    retreats: dict[str, str | None] = field(default_factory=dict)
    raised: tuple[Unit, ...] = ()
    removed: tuple[Unit, ...] = ()
    opened: tuple[Place, ...] = ()
    demolished: tuple[Place, ...] = ()


def _places(tunnels: Iterable[Tunnel]) -> tuple[Place, ...]:
    return tuple(sorted((tunnel.owner, tunnel.ends) for tunnel in tunnels))


class Game:
    """A game that is played phase by phase.

    `kind` is M, R, A, or OVER; `end` then is solo, draw_vote or max_year. `held` counts how often each power's
    armies were reported holding, and not dislodged, in each province (E47).
    """

    def __init__(self, rules: Rules | None = None, position: Position | None = None) -> None:
        self.rules = rules or Rules()
        self.position = position.copy() if position is not None else start_position()
        self.year, self.season, self.kind = 1901, "S", "M"
        self.end = ""
        self.winner: str | None = None
        self.held: Counter[tuple[str, str]] = Counter()
        self.reports: list[Report] = []
        self.beaten: tuple[Unit, ...] = ()

    @property
    def phase(self) -> str:
        """The name of the phase to be played, such as S1901M."""
        return f"{'W' if self.kind == 'A' else self.season}{self.year}{self.kind}"

    def movement(
        self,
        texts: dict[str, list[str]],
        permissions: Iterable[tuple[str, str, str]] = (),
        votes: Mapping[str, bool] | None = None,
    ) -> None:
        """Play a movement phase: orders by power, changes of permissions, votes for a draw (no answer: no)."""
        assert self.kind == "M"
        powers = {unit.power for unit in self.position.units.values()}
        if self.rules.draw_vote and all((votes or {}).get(power) for power in powers):
            self._stop("draw_vote")
            return
        phase = play_movement(self.position, texts, self.rules, permissions)
        self.position = phase.position
        self.beaten = tuple(r.unit for r in phase.results.values() if r.dislodged)
        for place, result in phase.results.items():
            if result.unit.type == "A" and result.order.endswith(" H") and not result.dislodged:
                self.held[result.unit.power, place] += 1
        opened, fallen = _places(phase.opened), _places(phase.demolished)
        self.reports.append(Report(self.phase, phase.results, opened=opened, demolished=fallen))
        if self.position.dislodged:
            self.kind = "R"
        else:
            self._end_season()

    def retreats(self, texts: dict[str, list[str]]) -> None:
        """Play a retreat phase."""
        assert self.kind == "R"
        phase = play_retreats(self.position, texts, self.rules)
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
        self.reports.append(
            Report(self.phase, raised=tuple(phase.raised), removed=tuple(phase.removed), demolished=_places(fallen))
        )
        self._next_year()

    def _end_season(self) -> None:
        self.beaten, self.kind = (), "M"
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
                self.winner = power
                self._stop("solo")
                return
        if self.year >= self.rules.max_year:
            self._stop("max_year")
        elif has_adjustments(self.position):
            self.kind = "A"
        else:
            self._next_year()

    def _next_year(self) -> None:
        self.year, self.season, self.kind = self.year + 1, "S", "M"

    def _stop(self, end: str) -> None:
        self.kind, self.end = "OVER", end

    def shares(self) -> dict[str, float]:
        """The share of each power in a finished game; they sum to 1 (8.1, 8.3)."""
        assert self.kind == "OVER"
        if self.winner is not None:
            return {power: float(power == self.winner) for power in board.POWERS}
        method = "dss" if self.end == "draw_vote" else self.rules.limit_score
        weights = self._weights(method)
        return {power: weights[power] / sum(weights.values()) for power in board.POWERS}

    def _weights(self, method: str) -> dict[str, int]:
        units = {power: len(self.position.units_of(power)) for power in board.POWERS}
        centres = {power: len(self.position.centres_of(power)) for power in board.POWERS}
        if method == "sos":
            return {power: centres[power] ** 2 for power in board.POWERS}
        if method == "centres":
            return centres
        if method == "dss":
            return {power: int(units[power] > 0) for power in board.POWERS}
        most = max(units.values())
        return {power: int(units[power] == most) for power in board.POWERS}


def check_position(position: Position, rules: Rules) -> None:
    """Check what must hold between phases (11.1, 11.3 to 11.5)."""
    for place, unit in position.units.items():
        assert unit.province == place
        assert unit.loc in board.REACH[unit.type]
    assert set(position.centres) <= set(board.CENTRES)
    for power in board.POWERS:
        own = position.tunnels_of(power)
        assert len(own) <= position.built.get(power, 0) <= rules.tunnels_per_power
        assert len({tunnel.ends for tunnel in own}) == len(own)
        ends = Counter(end for tunnel in own for end in tunnel.ends)
        assert max(ends.values(), default=0) <= rules.tunnels_per_province
    for tunnel in position.tunnels:
        assert tunnel.ends in board.TUNNEL_PAIRS
        assert tunnel.permitted <= tunnel.told
        assert tunnel.owner not in tunnel.told
    if not position.dislodged:
        assert not demolish(position.copy(), rules)
