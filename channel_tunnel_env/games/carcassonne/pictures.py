"""Pictures and films of Carcassonne, as `core.spec` asks for them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing import film
from channel_tunnel_env.drawing.png import Pixels, check_raster, to_pixels
from channel_tunnel_env.games.carcassonne.board.picture import WIDE, to_svg
from channel_tunnel_env.games.carcassonne.board.theme import solid_colours

__all__ = ["read_film", "to_rgb", "to_svg", "write_film"]
_KEPT = 8  # pictures, each a few megabytes: a film's palette looks at some of its frames twice


def to_rgb(
    game: Game, width: int = WIDE, viewer: str | int | None = None, theme: str = "light"
) -> Pixels:
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
    return _paint(to_svg(game, viewer, theme), width)


def read_film(
    games: Iterable[Game], viewer: str | int | None = None, every: str = "turn"
) -> list[tuple[str, str]]:
    """The pictures that a film shows, each light and dark.

    Args:
        games: a game's positions in order; may be one object that moves on.
        viewer: a seat; all seats see the same.
        every: "decision" takes every position, "turn" those in which a tile is about to be placed, and the last.

    Raises:
        ValueError: an unknown `every`.
    """
    if every not in film.EVERY:
        raise ValueError(f"every {every!r}: allowed: {', '.join(film.EVERY)}")
    return [
        (to_svg(game, viewer, "light"), to_svg(game, viewer, "dark"))
        for game in games
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
    """Write a film; returns its number of frames. The last one stays on four times as long.

    Args:
        pictures: of one game, see `read_film`.
        path: its suffix selects the format: .gif, .webp, .png or .apng.
        width: in pixels.
        theme: "light" or "dark".
        seconds: how long each frame is shown.

    Raises:
        ImportError: resvg-py or Pillow is missing.
        ValueError: no pictures, an unknown suffix, or a wrong width, theme or time.
    """
    path = Path(path)
    film.check_film(path, len(pictures), seconds)
    check_raster(width, theme)
    shown = [pair[theme == "dark"] for pair in pictures]
    return film.write_film(
        shown, lambda svg: _paint(svg, width), solid_colours(theme), path, seconds
    )


@lru_cache(maxsize=_KEPT)
def _paint(svg: str, width: int) -> Pixels:
    return to_pixels(svg, width)
