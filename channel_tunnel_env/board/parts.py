"""A part: a rectangle of the picture that nothing outside it paints on.

The picture is its parts put together. What has not changed from one frame of a film to the next need
not be drawn again, and that is decided part by part.
"""

from __future__ import annotations

from dataclasses import dataclass

from channel_tunnel_env.board.svg import group


@dataclass(frozen=True, slots=True)
class Part:
    """Its place in the picture's units.

    Attributes:
        content: SVG with 0, 0 at the part's own top left corner.
        under: SVG in the picture's coordinates that several parts share, such as a board's panel.
    """

    x: float
    y: float
    width: float
    height: float
    content: str
    under: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """All parts, and the size of the whole in units."""

    width: float
    height: float
    parts: tuple[Part, ...]

    def content(self) -> str:
        """The parts as SVG, shared ground first."""
        grounds = dict.fromkeys(part.under for part in self.parts)
        return "".join(grounds) + "".join(
            group(part.content, part.x, part.y) for part in self.parts
        )
