"""Pictures one after the other as a film: GIF, WebP or animated PNG, through Pillow.

All frames share one palette, and a frame holds only what changed, so a whole game stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing.png import Pixels, check_raster, to_pixels
from channel_tunnel_env.outside.foreign import need

EVERY = ("turn", "decision")
WIDTH = 900
PICTURE_WIDTH = 1200
SECONDS = 1.0
_HOLD_LAST = 4  # the last frame stays this many times as long
_COLOURS = 256
_SAMPLES = 5  # frames that the palette is made from
_WRITERS: dict[str, dict[str, Any]] = {
    ".gif": {"format": "GIF"},
    ".webp": {"format": "WEBP", "lossless": True, "quality": 60, "method": 4},
    ".png": {"format": "PNG"},
    ".apng": {"format": "PNG"},
}
Position = TypeVar("Position")
Colour = tuple[int, int, int]


def check_every(every: str) -> None:
    """Reject what is not one of EVERY.

    Raises:
        ValueError: an unknown word.
    """
    if every not in EVERY:
        raise ValueError(f"every {every!r}: allowed: {', '.join(EVERY)}")


def check_film(path: Path, frames: int, seconds: float) -> None:
    """Reject what cannot be a film, before anything is drawn.

    Raises:
        ValueError: no frames, an unknown suffix, or a wrong time.
    """
    if path.suffix.lower() not in _WRITERS:
        raise ValueError(f"{path.name}: allowed suffixes of a film: {', '.join(_WRITERS)}")
    if not frames:
        raise ValueError("a film needs at least one frame")
    if not 0.02 <= seconds <= 60:
        raise ValueError(f"seconds {seconds}: allowed: 0.02 to 60")


def write_film(
    positions: Sequence[Position],
    paint: Callable[[Position], Pixels],
    solid: Sequence[Colour],
    path: str | Path,
    seconds: float = SECONDS,
) -> int:
    """Write a film; returns its number of frames. The last one stays on four times as long.

    Args:
        positions: what the frames show.
        paint: a position -> its picture; all have one size.
        solid: colours that the palette holds unchanged; red, green, blue.
        path: its suffix selects the format: .gif, .webp, .png or .apng.
        seconds: how long each frame is shown.

    Raises:
        ImportError: Pillow is missing.
        ValueError: see `check_film`.
    """
    path = Path(path)
    check_film(path, len(positions), seconds)
    images = need("PIL.Image")
    palette = _palette(positions, paint, solid)

    def frame(position: Position) -> Any:
        return images.fromarray(paint(position)).quantize(palette=palette, dither=images.Dither.NONE)

    times = [round(1000 * seconds)] * len(positions)
    times[-1] *= _HOLD_LAST
    first, *others = [frame(position) for position in positions]
    writer = _WRITERS[path.suffix.lower()]
    first.save(path, save_all=True, append_images=others, duration=times, loop=0, **writer)
    return len(positions)


def _palette(positions: Sequence[Position], paint: Callable[[Position], Pixels], solid: Sequence[Colour]) -> Any:
    """The solid colours, plus the most frequent colours of smoothed edges in a few frames."""
    images = need("PIL.Image")
    picked = np.linspace(0, len(positions) - 1, min(_SAMPLES, len(positions))).round().astype(int)
    sample = np.concatenate([paint(positions[i]) for i in picked])
    blends = images.fromarray(sample).quantize(_COLOURS - len(solid)).getpalette()
    palette = images.new("P", (1, 1))
    palette.putpalette(([part for colour in solid for part in colour] + blends)[: 3 * _COLOURS])
    return palette


_KEPT = 8  # pictures, each a few megabytes: a film's palette looks at some of its frames twice


@dataclass(frozen=True)
class SvgPictures:
    """Pixels and films of a game whose pictures are drawn as one SVG each.

    Attributes:
        to_svg: a game, a viewer and a theme -> its picture.
        solid_colours: "light" or "dark" -> colours that a film's palette holds unchanged.
    """

    to_svg: Callable[[Game, str | int | None, str], str]
    solid_colours: Callable[[str], Sequence[Colour]]

    def to_rgb(
        self, game: Game, width: int = PICTURE_WIDTH, viewer: str | int | None = None, theme: str = "light"
    ) -> Pixels:
        """The picture as pixels: uint8 (height, width, 3), of the same shape in every position.

        Args:
            width: in pixels; legible from 900.
            viewer: a seat, to draw only what it knows; None draws everything.
            theme: "light" or "dark".

        Raises:
            ImportError: resvg-py or Pillow is missing.
            ValueError: an unknown viewer or theme, or a width below 1.
        """
        check_raster(width, theme)
        return paint(self.to_svg(game, viewer, theme), width)

    def write_film(
        self,
        pictures: list[tuple[str, str]],
        path: str | Path,
        *,
        width: int = WIDTH,
        theme: str = "light",
        seconds: float = SECONDS,
    ) -> int:
        """Write a film of one game; returns its number of frames. The last one stays on four times as long.

        Args:
            pictures: SVG, each light and dark.
            path: its suffix selects the format: .gif, .webp, .png or .apng.
            width: in pixels.
            theme: "light" or "dark".
            seconds: how long each frame is shown.

        Raises:
            ImportError: resvg-py or Pillow is missing.
            ValueError: no pictures, an unknown suffix, or a wrong width, theme or time.
        """
        check_raster(width, theme)
        shown = [pair[theme == "dark"] for pair in pictures]
        return write_film(shown, lambda svg: paint(svg, width), self.solid_colours(theme), path, seconds)


def paint(svg: str, width: int) -> Pixels:
    """An SVG as pixels, uint8 (height, width, 3), a fresh array."""
    return _painted(svg, width).copy()


_painted = lru_cache(maxsize=_KEPT)(to_pixels)
