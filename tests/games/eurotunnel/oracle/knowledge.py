"""Who knows which tunnel, and which one a move takes (rules 7.3, 7.4, 7.7, 7.8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from . import board
from .position import Position, Tunnel, Unit


def knows(power: str, tunnel: Tunnel) -> bool:
    """Whether a power knows a tunnel: its own, an opened one, or one that it was told of."""
    return tunnel.owner == power or tunnel.opened or power in tunnel.told


def may_use(power: str, tunnel: Tunnel) -> bool:
    """Whether a tunnel is the power's own, or its owner's permission stands."""
    return power == tunnel.owner or power in tunnel.permitted


def known_on_pair(position: Position, power: str, a: str, b: str) -> list[Tunnel]:
    """The tunnels on a pair that a power knows."""
    pair = board.pair_of(a, b)
    return [tunnel for tunnel in position.tunnels if tunnel.ends == pair and knows(power, tunnel)]


def taken(candidates: Iterable[Tunnel], power: str) -> Tunnel:
    """The one of several tunnels on a pair that a power's army takes (7.3)."""
    return min(
        candidates,
        key=lambda tunnel: (
            tunnel.owner != power,
            not may_use(power, tunnel),
            not tunnel.opened,
            board.POWERS.index(tunnel.owner),
        ),
    )


def may_support_tunnel_move(position: Position, power: str, mover: Unit, to: str) -> bool:
    """Whether a power can know of a tunnel that would let the mover go there (7.4)."""
    return mover.type == "A" and any(
        tunnel.opened or mover.power in (tunnel.owner, power) or (tunnel.owner == power and mover.power in tunnel.told)
        for tunnel in known_on_pair(position, power, mover.province, to)
    )


def change_permissions(position: Position, changes: Iterable[tuple[str, str, str]]) -> None:
    """Carry out changes such as ("ENGLAND", "+f", "LON-PIC") on the owner's standing tunnels (7.7)."""
    for owner, change, ends in changes:
        a, b = ends.split("-")
        guest = board.LETTERS[change[1]]
        if guest == owner:
            raise ValueError(f"{owner} needs no permission of its own")
        (tunnel,) = (t for t in position.tunnels if (t.owner, t.ends) == (owner, board.pair_of(a, b)))
        without = tunnel.permitted - {guest}
        granted = without | {guest} if change[0] == "+" else without
        position.change_tunnel(tunnel, permitted=granted)


def open_tunnels(position: Position, used: Iterable[Tunnel]) -> list[Tunnel]:
    """Open tunnels that were taken (7.5); those that were hidden until now are returned."""
    news = sorted({t for t in used if not t.opened}, key=lambda t: (t.owner, t.ends))
    for tunnel in news:
        position.change_tunnel(tunnel, opened=True)
    return news


def demolish(position: Position) -> list[Tunnel]:
    """Take away each opened tunnel with a stranger's unit on an end (7.8), and return them."""

    def has_stranger(tunnel: Tunnel) -> bool:
        occupants = (position.units[end] for end in tunnel.ends if end in position.units)
        return any(not may_use(unit.power, tunnel) for unit in occupants)

    gone = [tunnel for tunnel in position.tunnels if tunnel.opened and has_stranger(tunnel)]
    position.tunnels = [tunnel for tunnel in position.tunnels if tunnel not in gone]
    return gone


def tell(position: Position) -> None:
    """Tell every power of the tunnels for which it holds a permission (7.7)."""
    position.tunnels = [replace(t, told=t.told | t.permitted) for t in position.tunnels]
