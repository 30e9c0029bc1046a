"""The board: what `provinces.yaml` says, and what follows from it (rules 2, 7.1).

An index of a province is its place in the file. Locations are the provinces and behind them the coasts of
those that have two; a fleet stands on a location, an army on a province.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, model_validator

from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.outside.documents import StrictModel, plain_errors, read_yaml

BOARD_FILE = Path(__file__).parent / "provinces.yaml"


class ProvinceData(StrictModel):
    """One province as the file has it."""

    name: str
    kind: Literal["inland", "coast", "sea"]
    centre: bool = False
    home: str | None = None
    coasts: list[str] = Field(default=[])


class BoardData(StrictModel):
    """The file: keys and values are those of `provinces.yaml`."""

    powers: list[str]
    provinces: dict[str, ProvinceData]
    army: dict[str, list[str]]
    fleet: dict[str, list[str]]
    start: dict[str, list[str]]

    @model_validator(mode="after")
    def _check(self) -> BoardData:
        problems = [*_name_problems(self), *_border_problems(self), *_start_problems(self)]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    @property
    def locations(self) -> list[str]:
        """Provinces, then coasts."""
        coasts = [f"{name}/{coast}" for name, p in self.provinces.items() for coast in p.coasts]
        return [*self.provinces, *coasts]


def _name_problems(data: BoardData) -> Iterator[str]:
    for name, province in data.provinces.items():
        if province.home is not None and province.home not in data.powers:
            yield f"provinces.{name}: home {province.home!r} is no power"
        if province.home is not None and not province.centre:
            yield f"provinces.{name}: a home that is no centre"
        if province.coasts and (province.kind != "coast" or len(province.coasts) != 2):
            yield f"provinces.{name}: coasts {province.coasts}; expected two, or none"


def _border_problems(data: BoardData) -> Iterator[str]:
    """An edge joins two places of the right kinds, and is written once."""
    split = {name for name, province in data.provinces.items() if province.coasts}
    for what, edges, barred in (("army", data.army, "sea"), ("fleet", data.fleet, "inland")):
        places = set(data.provinces if what == "army" else data.locations)
        places -= set() if what == "army" else split
        seen: set[frozenset[str]] = set()
        for edge in ((a, b) for a, others in edges.items() for b in others):
            where = f"{what}.{edge[0]}: {edge[1]}"
            if not places.issuperset(edge):
                yield f"{where}: no place of this board, or its coast is missing"
            elif any(data.provinces[place[:3]].kind == barred for place in edge):
                yield f"{where}: no {what} stands in {barred} provinces"
            if edge[0] == edge[1] or frozenset(edge) in seen:
                yield f"{where}: an edge to itself or written twice"
            seen.add(frozenset(edge))


def _start_problems(data: BoardData) -> Iterator[str]:
    for power, units in data.start.items():
        if power not in data.powers:
            yield f"start.{power}: no power"
        for unit in units:
            letter, _, place = unit.partition(" ")
            if letter not in ("A", "F") or place not in data.locations:
                yield f"start.{power}: {unit!r}; a unit is A or F and a place of the board"


@dataclass(frozen=True)
class BoardIndex:
    """The board by index: names of provinces and locations, and all that follows from the borders."""

    data: BoardData

    @cached_property
    def powers(self) -> tuple[str, ...]:
        """Names, in the order of their index."""
        return tuple(self.data.powers)

    @cached_property
    def provinces(self) -> tuple[str, ...]:
        """Codes of three letters."""
        return tuple(self.data.provinces)

    @cached_property
    def locations(self) -> tuple[str, ...]:
        """Codes; those of coasts are like `STP/NC`."""
        return tuple(self.data.locations)

    @cached_property
    def index(self) -> dict[str, int]:
        """Location -> index."""
        return {name: i for i, name in enumerate(self.locations)}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Full English names of the provinces."""
        return tuple(province.name for province in self.data.provinces.values())

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """INLAND, COAST or SEA of each province."""
        return tuple(c.KINDS.index(province.kind) for province in self.data.provinces.values())

    def of_kind(self, *kinds: int) -> tuple[int, ...]:
        """Provinces of some kinds, ascending."""
        return tuple(i for i, kind in enumerate(self.kinds) if kind in kinds)

    @cached_property
    def land(self) -> tuple[int, ...]:
        """Provinces that are no sea."""
        return self.of_kind(c.INLAND, c.COAST)

    @cached_property
    def coasts(self) -> tuple[int, ...]:
        """Provinces with a coast."""
        return self.of_kind(c.COAST)

    @cached_property
    def seas(self) -> tuple[int, ...]:
        """Provinces of water."""
        return self.of_kind(c.SEA)

    @cached_property
    def province_of(self) -> tuple[int, ...]:
        """Location -> province."""
        return tuple(self.index[name[:3]] for name in self.locations)

    @cached_property
    def centres(self) -> tuple[int, ...]:
        """Supply centres."""
        return tuple(i for i, p in enumerate(self.data.provinces.values()) if p.centre)

    @cached_property
    def home(self) -> tuple[int, ...]:
        """Province -> the power whose home centre it is, or NOBODY."""
        homes = (province.home for province in self.data.provinces.values())
        return tuple(c.NOBODY if home is None else self.powers.index(home) for home in homes)

    @cached_property
    def homes(self) -> tuple[int, ...]:
        """Home centres of all powers, ascending."""
        return tuple(i for i, home in enumerate(self.home) if home != c.NOBODY)

    @cached_property
    def fleet_builds(self) -> tuple[int, ...]:
        """Locations where a fleet can be raised: home centres on a coast, coast by coast."""
        split = {self.province_of[place] for place in range(c.NUM_PROVINCES, len(self.locations))}
        coastal = [i for i in self.homes if self.kinds[i] == c.COAST]
        return tuple(
            sorted(
                place
                for place in range(len(self.locations))
                if self.province_of[place] in coastal and place not in split
            )
        )

    @cached_property
    def steps(self) -> dict[int, tuple[tuple[int, ...], ...]]:
        """ARMY, FLEET -> for each location the locations one ordinary move away, ascending."""
        return {c.ARMY: self._both_ways(self.data.army), c.FLEET: self._both_ways(self.data.fleet)}

    def _both_ways(self, edges: dict[str, list[str]]) -> tuple[tuple[int, ...], ...]:
        found: list[set[int]] = [set() for _ in self.locations]
        for a, others in edges.items():
            for b in others:
                found[self.index[a]].add(self.index[b])
                found[self.index[b]].add(self.index[a])
        return tuple(tuple(sorted(places)) for places in found)

    @cached_property
    def borders(self) -> tuple[frozenset[int], ...]:
        """Province -> provinces that an army or a fleet of any coast reaches in one ordinary move."""
        found: list[set[int]] = [set() for _ in self.provinces]
        for steps in self.steps.values():
            for place, others in enumerate(steps):
                found[self.province_of[place]].update(self.province_of[other] for other in others)
        return tuple(frozenset(places) for places in found)

    @cached_property
    def routes(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """Two coasts -> routes of convoys between them, each a set of seas as bits, ascending.

        A route is a chain of seas from which none can be left out (rules 2.6). Bit i is the i-th sea.
        """
        found: dict[tuple[int, int], set[int]] = {}
        for start in self.coasts:
            for sea in self.borders[start] & set(self.seas):
                self._follow(start, [sea], found)
        return {pair: tuple(sorted(routes)) for pair, routes in sorted(found.items())}

    def _follow(self, start: int, chain: list[int], found: dict[tuple[int, int], set[int]]) -> None:
        """All routes that begin with a chain of seas of which only the first borders `start`."""
        bits = sum(1 << self.seas.index(sea) for sea in chain)
        earlier: set[int] = {start}.union(*(self.borders[sea] for sea in chain[:-1]))
        for place in self.borders[chain[-1]] - earlier:
            if self.kinds[place] == c.COAST:
                found.setdefault((start, place), set()).add(bits)
            elif place not in chain and start not in self.borders[place]:
                self._follow(start, [*chain, place], found)

    @cached_property
    def pairs(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """Ends of legal tunnels, the lower first -> areas that one may pass under, seas first (rules 7.1)."""
        found = {}
        for a in self.land:
            for b in (b for b in self.land if b > a and b not in self.steps[c.ARMY][a]):
                areas = self.borders[a] & self.borders[b]
                if areas:
                    found[a, b] = tuple(sorted(areas, key=lambda i: (self.kinds[i] != c.SEA, i)))
        return found

    @cached_property
    def supported_moves(self) -> tuple[tuple[int, int], ...]:
        """(province, location) that some unit could move between, by any way, ascending."""
        found = set(self.routes)
        for a, b in self.pairs:
            found |= {(a, b), (b, a)}
        for steps in self.steps.values():
            for place, others in enumerate(steps):
                found |= {(self.province_of[place], other) for other in others}
        return tuple(sorted(found))

    def distances(self, fleet: bool) -> list[list[int]]:
        """[location][province]: fewest steps, FAR where there is no way (rules 8.4).

        A fleet keeps to its own steps; otherwise every border is a step, of land or sea.
        """
        return [self._distances_from(place, fleet) for place in range(len(self.locations))]

    def _distances_from(self, place: int, fleet: bool) -> list[int]:
        found = [c.FAR] * len(self.provinces)
        seen, queue = {place}, deque([(place, 0)])
        while queue:
            here, steps = queue.popleft()
            province = self.province_of[here]
            found[province] = min(found[province], steps)
            others = self.steps[c.FLEET][here] if fleet else self.borders[province]
            for other in others:
                if other not in seen:
                    seen.add(other)
                    queue.append((other, steps + 1))
        return found

    def check_sizes(self) -> list[str]:
        """Where the board differs from the sizes that action ids are built on."""
        sizes = {
            "powers": (len(self.powers), c.NUM_POWERS),
            "provinces": (len(self.provinces), c.NUM_PROVINCES),
            "locations": (len(self.locations), c.NUM_LOCATIONS),
            "coasts": (len(self.coasts), c.NUM_COASTS),
            "seas": (len(self.seas), c.NUM_SEAS),
            "land provinces": (len(self.land), c.NUM_LAND),
            "centres": (len(self.centres), c.NUM_CENTRES),
            "home centres": (len(self.homes), c.NUM_HOMES),
            "places to raise a fleet": (len(self.fleet_builds), c.NUM_FLEET_BUILDS),
            "pairs of coasts joined by seas": (len(self.routes), c.NUM_CONVOYS),
            "routes of convoys": (sum(map(len, self.routes.values())), c.NUM_ROUTES),
            "pairs of ends of tunnels": (len(self.pairs), c.NUM_PAIRS),
            "moves that can be supported": (len(self.supported_moves), c.NUM_SUPPORT_MOVES),
        }
        return [
            f"{found} {what}; action ids need {wanted}" for what, (found, wanted) in sizes.items() if found != wanted
        ]


def read_board(content: dict[Any, Any], where: str) -> BoardIndex:
    """A board from the content of a file.

    Raises:
        DocumentError: a key or value is wrong, or the board has other sizes than action ids need.
    """
    try:
        board = BoardIndex(BoardData.model_validate(content))
    except ValidationError as error:
        raise DocumentError(where, "; ".join(plain_errors(error, "board"))) from None
    problems = board.check_sizes()
    if problems:
        raise DocumentError(where, "; ".join(problems))
    return board


@cache
def load_board() -> BoardIndex:
    """The board of this package."""
    return read_board(read_yaml(BOARD_FILE).mapping(), str(BOARD_FILE))
