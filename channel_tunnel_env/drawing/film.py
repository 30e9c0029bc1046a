"""Pictures one after the other as a film: GIF, WebP or animated PNG, through Pillow.

All frames share one palette, and a frame holds only what changed, so a whole game stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from channel_tunnel_env.drawing.extra import need
from channel_tunnel_env.drawing.png import Pixels

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
