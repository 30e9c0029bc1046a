"""Pictures one after the other as a film: GIF, WebP or animated PNG, through Pillow.

All frames share one palette, and a frame holds only what changed, so a whole game stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing.png import Pixels, check_raster, to_pixels
from channel_tunnel_env.outside.foreign import need

EVERY = ("turn", "decision")
WIDTH = 900
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
    path: Path,
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


def in_both_themes(
    games: Iterable[Game], to_svg: Callable[[Game, str | int | None, str], str], viewer: str | int | None
) -> list[tuple[str, str]]:
    """Each position, light and dark, as `write_svg_film` takes them; the positions may be one object that moves on."""
    return [(to_svg(game, viewer, "light"), to_svg(game, viewer, "dark")) for game in games]


def write_svg_film(
    pictures: list[tuple[str, str]], solid: tuple[Colour, ...], path: str | Path, width: int, theme: str, seconds: float
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
    check_film(path, len(pictures), seconds)
    check_raster(width, theme)
    shown = [pair[theme == "dark"] for pair in pictures]
    return write_film(shown, lambda svg: paint(svg, width), solid, path, seconds)


def paint(svg: str, width: int) -> Pixels:
    """An SVG as pixels, uint8 (height, width, 3), a fresh array."""
    return _painted(svg, width).copy()


_painted = lru_cache(maxsize=_KEPT)(to_pixels)
