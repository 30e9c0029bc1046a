"""Who knows a tunnel, which one is taken, and what may be supported (rules 7.3, 7.4, 7.7)."""

from __future__ import annotations

import pytest

from . import board
from .knowledge import change_permissions, known_on_pair, taken
from .legality import legal_orders
from .movement import play_movement
from .position import Position, Rules, read_position


def _taken(tunnels: str, power: str = "FRANCE") -> str:
    position = read_position(f"u f: A PIC\nt {tunnels}")
    known = known_on_pair(position, power, "PIC", "LON")
    return taken(known, power, Rules()).owner


@pytest.mark.parametrize(
    ("tunnels", "owner"),
    [
        ("e LON-PIC open +f, f LON-PIC hidden", "FRANCE"),
        ("a LON-PIC open, g LON-PIC hidden +f", "GERMANY"),
        ("a LON-PIC hidden +f, g LON-PIC open +f", "GERMANY"),
        ("g LON-PIC open +f, a LON-PIC open +f", "AUSTRIA"),
        ("a LON-PIC hidden ?f, g LON-PIC open", "GERMANY"),
        ("a LON-PIC hidden, g LON-PIC open", "GERMANY"),
    ],
)
def test_the_tunnel_that_is_taken(tunnels: str, owner: str) -> None:
    """Own, then permitted, then opened, then the owner that comes first; unknown ones never."""
    assert _taken(tunnels) == owner


def _may_support(tunnels: str, supporter: str) -> bool:
    """Whether a unit in Burgundy may support England's army from London to Picardy."""
    position = read_position(f"u e: A LON | {supporter}: A BUR | t: A PIC\nt {tunnels}")
    return "A BUR S A LON - PIC" in legal_orders(position, "BUR", Rules())


@pytest.mark.parametrize(
    ("tunnels", "supporter", "allowed"),
    [
        ("r LON-PIC open", "g", True),
        ("e LON-PIC hidden", "g", False),
        ("e LON-PIC hidden ?g", "g", True),
        ("g LON-PIC hidden", "g", False),
        ("g LON-PIC hidden ?e", "g", True),
        ("r LON-PIC hidden +e ?g", "g", False),
    ],
)
def test_support_for_a_move_by_a_tunnel(tunnels: str, supporter: str, allowed: bool) -> None:
    assert _may_support(tunnels, supporter) == allowed


def test_a_unit_may_support_its_own_power_by_any_tunnel_that_the_power_knows() -> None:
    position = read_position("u f: A LON, A BUR\nt e LON-PIC hidden ?f")
    assert "A BUR S A LON - PIC" in legal_orders(position, "BUR", Rules())


def test_knowledge_outlasts_the_permission() -> None:
    position = read_position("u f: A PIC\nt e LON-PIC hidden +f")
    change = [("ENGLAND", "-f", "LON-PIC")]
    after = play_movement(position, {}, Rules(), change).position
    assert "A PIC ~ LON" in legal_orders(after, "PIC", Rules())
    phase = play_movement(after, {"FRANCE": ["A PIC ~ LON"]}, Rules())
    assert phase.results["PIC"].outcome == "void"


def test_permissions_can_be_switched_off() -> None:
    position = read_position("u f: A PIC\nt e LON-PIC hidden +f")
    rules = Rules(permissions=False)
    phase = play_movement(position, {"FRANCE": ["A PIC ~ LON"]}, rules)
    assert phase.results["PIC"].outcome == "void"
    assert [tunnel.owner for tunnel in phase.demolished] == ["ENGLAND"]


@pytest.mark.parametrize("change", [("ENGLAND", "+f", "LON-BEL"), ("ENGLAND", "+e", "LON-PIC")])
def test_only_others_are_permitted_and_only_standing_tunnels(change: tuple[str, str, str]) -> None:
    position = read_position("u f: A PIC\nt e LON-PIC hidden")
    with pytest.raises(ValueError):
        change_permissions(position, [change])


def test_tunnels_can_be_switched_off() -> None:
    position = Position(units=read_position("u e: A LON").units)
    offered = legal_orders(position, "LON", Rules(tunnels=False))
    assert set(offered) == {"A LON H", "A LON - WAL", "A LON - YOR"}
    digs = sum(" BT " in text for text in legal_orders(position, "LON", Rules()))
    assert digs == sum("LON" in pair for pair in board.TUNNEL_PAIRS)
