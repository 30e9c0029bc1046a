"""What a viewer may see of a game, as plain values: all that the picture is drawn from.

Nothing here depends on a tunnel that the viewer does not know, or on what others wrote in the running phase.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.faces.table import PUBLIC
from channel_tunnel_env.games.eurotunnel.actions import all_actions
from channel_tunnel_env.games.eurotunnel.board_positions import known_tunnels, tunnel_ends
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.render import outcome, question_for
from channel_tunnel_env.games.eurotunnel.words import season_and_year


@dataclass(frozen=True)
class Unit:
    """A unit; `place` is a location by name, such as LON or SPA/NC."""

    power: int
    is_fleet: bool
    place: str


@dataclass(frozen=True)
class Order:
    """An order of the last movement phase as reported; places are locations by name.

    Attributes:
        kind: HOLD, MOVE, VIA, TUNNEL, SUPPORT_HOLD, SUPPORT_MOVE or CONVOY.
        src: where a supported or convoyed unit stood, or "".
        dst: the place aimed at, or "".
        failed: it did not succeed: stopped, cut, disrupted or void.
        dislodged: its unit had to leave.
    """

    unit: Unit
    kind: int
    src: str
    dst: str
    failed: bool
    dislodged: bool


@dataclass(frozen=True)
class Tunnel:
    """A standing tunnel; `ends` are provinces by name."""

    owner: int
    ends: tuple[str, str]
    is_open: bool


@dataclass(frozen=True)
class Power:
    """A power's figures; `share` is that of a finished game, else None."""

    name: str
    centres: int
    units: int
    is_alive: bool
    share: float | None


@dataclass(frozen=True)
class MapView:
    """A position as a viewer knows it.

    Attributes:
        viewer: the power, or None for a view of everything.
        when: such as "Fall 1905, retreats".
        owners: a centre's province -> the power that owns it.
        lost: units that had to leave, while they retreat.
        left_empty: provinces that a stand-off left empty, while others retreat.
        asked: the power asked, if the viewer may know.
        question: what is asked, or how the game ended.
    """

    title: str
    viewer: str | None
    when: str
    powers: tuple[Power, ...]
    owners: dict[str, int]
    units: tuple[Unit, ...]
    lost: tuple[Unit, ...]
    left_empty: tuple[str, ...]
    orders: tuple[Order, ...]
    tunnels: tuple[Tunnel, ...]
    asked: int | None
    question: str


def read_view(game: Game, viewer: str | int | None) -> MapView:
    """The position of a game as a viewer knows it; PUBLIC knows what everybody does.

    Raises:
        ValueError: there is no such seat.
    """
    seat = c.NOBODY if viewer == PUBLIC else None if viewer is None else game.seat_index(viewer)
    state, board = game.states[0], load_board()
    retreats = not game.is_over and int(state["phase"]) == c.RETREATS
    orders = tuple(_order(state, int(place)) for place in np.flatnonzero(state["told_order"] >= 0))
    return MapView(
        title=game.ruleset.data.title,
        viewer=None if seat in (None, c.NOBODY) else board.powers[int(seat or 0)],
        when=f"{season_and_year(state)}, {game.phase}",
        powers=tuple(_power(game, number) for number in range(c.NUM_POWERS)),
        owners={board.provinces[i]: int(state["owner"][i]) for i in np.flatnonzero(state["owner"] >= 0)},
        units=_units(state),
        lost=tuple(order.unit for order in orders if order.dislodged) if retreats else (),
        left_empty=tuple(board.provinces[place] for place in np.flatnonzero(state["contested"])) if retreats else (),
        orders=orders,
        tunnels=_tunnels(game, seat),
        asked=game.mover if not game.is_over and seat in (None, game.mover) else None,
        question=outcome(game) if game.is_over else question_for(game, seat),
    )


def _power(game: Game, number: int) -> Power:
    state = game.states[0]
    return Power(
        name=load_board().powers[number],
        centres=int((state["owner"] == number).sum()),
        units=int((state["unit_power"] == number).sum()),
        is_alive=bool(int(state["alive"]) >> number & 1),
        share=float(state["share"][number]) if game.is_over else None,
    )


def _units(state: Any) -> tuple[Unit, ...]:
    names = load_board().locations
    return tuple(
        Unit(
            int(state["unit_power"][place]),
            int(state["unit_type"][place]) == c.FLEET,
            names[int(state["unit_location"][place])],
        )
        for place in np.flatnonzero(state["unit_power"] >= 0)
    )


def _order(state: Any, place: int) -> Order:
    names, told = load_board().locations, int(state["told_result"][place])
    action = all_actions()[int(state["told_order"][place])]
    fleet = int(state["told_type"][place]) == c.FLEET
    return Order(
        Unit(int(state["told_power"][place]), fleet, names[place]),
        action.kind,
        names[action.src] if action.src >= 0 else "",
        names[action.dst] if action.dst >= 0 else "",
        told % c.DISLODGED in (c.FAILED, c.VOID, c.CUT, c.DISRUPTED),
        told >= c.DISLODGED,
    )


def _tunnels(game: Game, seat: int | None) -> tuple[Tunnel, ...]:
    state, found = game.states[0], []
    for owner, slot in known_tunnels(game.states, seat):
        a, b = tunnel_ends(int(state["tunnel_pair"][owner, slot]))
        is_open = int(state["tunnel_state"][owner, slot]) == c.OPENED
        found.append(Tunnel(owner, (a, b), is_open))
    return tuple(found)
