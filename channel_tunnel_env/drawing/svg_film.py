"""SVG pictures as pixels and as films, for games whose position is drawn as a whole each time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing import film
from channel_tunnel_env.drawing.png import Pixels, check_raster, to_pixels

_KEPT = 8  # pictures, each a few megabytes: a film's palette looks at some of its frames twice


def in_both_themes(
    games: Iterable[Game], to_svg: Callable[[Game, str | int | None, str], str], viewer: str | int | None
) -> list[tuple[str, str]]:
    """Each position, light and dark, as `write_svg_film` takes them; the positions may be one object that moves on."""
    return [(to_svg(game, viewer, "light"), to_svg(game, viewer, "dark")) for game in games]


def write_svg_film(
    pictures: list[tuple[str, str]],
    solid: tuple[film.Colour, ...],
    path: str | Path,
    width: int,
    theme: str,
    seconds: float,
) -> int:
    """Write a film; returns its number of frames. The last one stays on four times as long.

    Args:
        pictures: SVG, each light and dark.
        solid: colours that the palette holds unchanged.
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
    return film.write_film(shown, lambda svg: paint(svg, width), solid, path, seconds)


def paint(svg: str, width: int) -> Pixels:
    """An SVG as pixels, uint8 (height, width, 3), a fresh array."""
    return _painted(svg, width).copy()


_painted = lru_cache(maxsize=_KEPT)(to_pixels)
