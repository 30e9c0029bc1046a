"""The end of a Fall and the adjustments of a winter (rules 3, 8.1, 8.2, 8.4, 8.5)."""

from __future__ import annotations

from dataclasses import dataclass, field

import networkx

from . import board
from .knowledge import demolish, tell
from .position import Position, Rules, Tunnel, Unit, read_unit


@dataclass
class Adjustments:
    """What a winter brought."""

    position: Position
    raised: list[Unit] = field(default_factory=list)
    removed: list[Unit] = field(default_factory=list)
    demolished: list[Tunnel] = field(default_factory=list)


def capture(position: Position) -> None:
    """Every centre that holds a unit becomes that unit's power's."""
    for centre in board.CENTRES:
        if centre in position.units:
            position.centres[centre] = position.units[centre].power


def is_out(position: Position, power: str) -> bool:
    """Whether a power has neither a unit nor a centre."""
    return not position.units_of(power) and not position.centres_of(power)


def remove_tunnels_of_the_eliminated(position: Position) -> list[Tunnel]:
    """Take away the tunnels of powers that are out (8.5), and return them."""
    gone = [tunnel for tunnel in position.tunnels if is_out(position, tunnel.owner)]
    position.tunnels = [tunnel for tunnel in position.tunnels if tunnel not in gone]
    return gone


def surplus(position: Position, power: str) -> int:
    """Centres less units: units to place if above zero, to remove if below."""
    return len(position.centres_of(power)) - len(position.units_of(power))


def open_homes(position: Position, power: str) -> list[str]:
    """The power's home centres that it owns and that are empty."""
    return [home for home in board.HOMES[power] if position.centres.get(home) == power and home not in position.units]


def has_adjustments(position: Position) -> bool:
    """Whether some power may place or must remove units."""
    return any(
        n < 0 or (n > 0 and open_homes(position, power)) for power in board.POWERS if (n := surplus(position, power))
    )


def legal_builds(position: Position, power: str) -> list[Unit]:
    """Every unit that a power could place in an open home centre."""
    found = []
    for home in open_homes(position, power):
        found.append(Unit(power, "A", home))
        if board.KIND[home] == "coast":
            found += [Unit(power, "F", coast) for coast in board.COASTS[home] or (home,)]
    return found


def _distances(position: Position, power: str, kind: str, rules: Rules) -> dict[str, int]:
    """Steps from each location to the power's nearest home centre, or by the DATC's book nearest own centre.

    An army steps over any border. A fleet keeps to its own list by the 1971 book; the DATC's lets it, too, step
    over any border (cases 6.J.6 and 6.J.8).
    """
    goals = set(board.HOMES[power]) if rules.is_1971 else set(position.centres_of(power))
    graph = board.FLEET if kind == "F" and rules.is_1971 else board.BORDERS
    sources = {node for node in graph if board.province(node) in goals}
    if not sources:
        return {}
    return dict(networkx.multi_source_dijkstra_path_length(graph, sources))


def removal_order(position: Position, power: str, rules: Rules) -> list[Unit]:
    """A power's units in the order of removal in civil disorder (8.4)."""
    steps = {kind: _distances(position, power, kind, rules) for kind in "AF"}

    def key(unit: Unit) -> tuple[int, bool, str]:
        on_borders = unit.loc if unit.type == "F" and rules.is_1971 else unit.province
        distance = steps[unit.type].get(on_borders, len(board.PROVINCES))
        return -distance, unit.type == "A", board.NAMES[unit.province]

    return sorted(position.units_of(power), key=key)


def _raise_units(phase: Adjustments, power: str, texts: list[str]) -> None:
    allowed = surplus(phase.position, power)
    for text in texts:
        if text == "WAIVE":
            allowed -= 1
            continue
        try:
            unit = read_unit(power, text.removesuffix(" B"))
        except ValueError:
            continue
        if allowed > 0 and unit in legal_builds(phase.position, power):
            phase.position.units[unit.province] = unit
            phase.raised.append(unit)
            allowed -= 1


def _remove_units(phase: Adjustments, power: str, texts: list[str], rules: Rules) -> None:
    too_many = -surplus(phase.position, power)
    ordered = [text.removesuffix(" D") for text in texts]
    standing = {str(unit): unit for unit in phase.position.units_of(power)}
    chosen = [standing[text] for text in dict.fromkeys(ordered) if text in standing][:too_many]
    others = (u for u in removal_order(phase.position, power, rules) if u not in chosen)
    for unit in [*chosen, *others][:too_many]:
        del phase.position.units[unit.province]
        phase.removed.append(unit)


def play_adjustments(position: Position, texts: dict[str, list[str]], rules: Rules) -> Adjustments:
    """Play an adjustment phase: texts such as `A PAR B`, `F STP/SC B`, `WAIVE`, `A PIC D`, carried out one by one.

    What cannot be carried out is passed over; missing removals are made as in civil disorder (D19).
    """
    phase = Adjustments(position.copy())
    for power in board.POWERS:
        lines = texts.get(power, [])
        if surplus(position, power) > 0:
            _raise_units(phase, power, lines)
        elif surplus(position, power) < 0:
            _remove_units(phase, power, lines, rules)
    phase.demolished = demolish(phase.position)
    tell(phase.position)
    return phase
