"""SVG as pixels, drawn by resvg with the fonts that come with the package.

The same picture gives the same pixels on every machine: no system fonts are used, and resvg draws
without a graphics card.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.outside.foreign import need

FONTS = tuple(str(path) for path in sorted((Path(__file__).parent / "fonts").glob("*.ttf")))
FONT_FAMILY = "DejaVu Sans"
RASTER_THEMES = ("light", "dark")

Pixels = NDArray[np.uint8]


def to_png(svg: str, width: int | None = None) -> bytes:
    """A picture in SVG as a PNG file.

    Args:
        svg: any SVG; "auto" themes are drawn light.
        width: in pixels; None takes the SVG's own width.

    Raises:
        ImportError: resvg-py is missing.
        ValueError: not an SVG, or a width below 1.
    """
    check_width(width)
    return bytes(
        need("resvg_py").svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=list(FONTS),
            font_family=FONT_FAMILY,
            sans_serif_family=FONT_FAMILY,
        )
    )


def to_pixels(svg: str, width: int | None = None, mode: str = "RGB") -> Pixels:
    """A picture in SVG as an array: uint8 (height, width, channels of the mode).

    Raises:
        ImportError: resvg-py or Pillow is missing.
        ValueError: not an SVG, or a width below 1.
    """
    image = need("PIL.Image").open(io.BytesIO(to_png(svg, width)))
    return np.array(image.convert(mode))  # a copy: Pillow's own memory cannot be written to


def check_raster(width: int, theme: str) -> None:
    """Reject what cannot be drawn in pixels.

    Raises:
        ValueError: a width below 1, or a theme other than "light" and "dark".
    """
    check_width(width)
    if theme not in RASTER_THEMES:
        raise ValueError(f"theme {theme!r}: allowed: {', '.join(RASTER_THEMES)}")


def check_width(width: int | None) -> None:
    """Reject a picture of no width.

    Raises:
        ValueError: below 1.
    """
    if width is not None and width < 1:
        raise ValueError(f"width {width}: a picture must be at least one pixel wide")
