"""Tunnels as arcs with a mouth at each end; a hidden one is thinner and drawn only for who knows it."""

from __future__ import annotations

from channel_tunnel_env.drawing.svg import circle, path, text
from channel_tunnel_env.games.eurotunnel.board.geometry import load_geometry
from channel_tunnel_env.games.eurotunnel.board.lines import Curve, bowed
from channel_tunnel_env.games.eurotunnel.board.pieces import REACH
from channel_tunnel_env.games.eurotunnel.board.view import Tunnel
from channel_tunnel_env.games.eurotunnel.provinces import load_board

_BOW = 0.16  # of an arc, part of its length
_STEP = 0.035  # more for each further owner, so that tunnels between the same ends lie apart


def tunnel_curve(start: str, end: str, owner: int = 0) -> Curve:
    """The arc between two provinces, bent to the north, or to the west where it runs north."""
    places = load_geometry().units
    a, b = places[start], places[end]
    bow = _BOW + _STEP * owner
    return bowed(a, b, bow if (b[0], b[1]) > (a[0], a[1]) else -bow)


def draw_tunnel(tunnel: Tunnel) -> str:
    """The arc in its owner's colour, with the owner's letter."""
    line = tunnel_curve(*tunnel.ends, tunnel.owner).trimmed(REACH, REACH)
    mouth = "mouth" if tunnel.is_open else "hidden-mouth"
    kind, below = ("dug", "bore") if tunnel.is_open else ("secret", "thin-case")
    x, y = line.at(0.5)
    letter = load_board().powers[tunnel.owner][0]
    return (
        path(line.svg(), below)
        + path(line.svg(), f"{kind}{tunnel.owner}")
        + circle(*line.start, 4.5, mouth)
        + circle(*line.end, 4.5, mouth)
        + circle(x, y, 7.5, f"held{tunnel.owner}")
        + text(x, y + 3.6, letter, f"owner-t{tunnel.owner}")
    )
