"""Pictures and films of Carcassonne, as `faces.registry` asks for them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing import film
from channel_tunnel_env.drawing.film import paint, write_svg_film
from channel_tunnel_env.drawing.png import Pixels, check_raster
from channel_tunnel_env.games.carcassonne.board.completed import with_completed
from channel_tunnel_env.games.carcassonne.board.picture import WIDE, draw_picture, to_svg
from channel_tunnel_env.games.carcassonne.board.theme import solid_colours

__all__ = ["read_film", "to_rgb", "to_svg", "write_film"]


def to_rgb(game: Game, width: int = WIDE, viewer: str | int | None = None, theme: str = "light") -> Pixels:
    """The table as pixels: uint8 (height, width, 3), of the same shape in every position.

    Args:
        width: in pixels; legible from 900.
        viewer: a seat; all seats see the same.
        theme: "light" or "dark".

    Raises:
        ImportError: resvg-py or Pillow is missing.
        ValueError: an unknown theme, or a width below 1.
    """
    check_raster(width, theme)
    return paint(to_svg(game, viewer, theme), width)


def read_film(games: Iterable[Game], viewer: str | int | None = None, every: str = "turn") -> list[tuple[str, str]]:
    """The pictures that a film shows, each light and dark; what a turn completed is lit after it.

    Args:
        games: a game's positions in order; may be one object that moves on.
        viewer: a seat; all seats see the same.
        every: "decision" takes every position, "turn" those in which a tile is about to be placed, and the last.

    Raises:
        ValueError: an unknown `every`.
    """
    film.check_every(every)
    return [
        (draw_picture(game, "light", lit), draw_picture(game, "dark", lit))
        for game, lit in with_completed(games)
        if every == "decision" or game.is_over or game.phase == "cell"
    ]


def write_film(
    pictures: list[tuple[str, str]],
    path: str | Path,
    *,
    width: int = film.WIDTH,
    theme: str = "light",
    seconds: float = film.SECONDS,
) -> int:
    """Write a film of one game (see `read_film`, `drawing.film`); returns its number of frames."""
    return write_svg_film(pictures, solid_colours(theme), path, width, theme, seconds)
