"""A part: a rectangle of the picture that nothing outside it paints on.

The picture is composed of its parts. A part that has not changed from one frame of a film to the
next need not be drawn again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from channel_tunnel_env.drawing.svg import group, rect

FRAME_RADIUS = 8
Boxes = dict[str, tuple[float, float, float, float]]  # target -> x, y, width, height


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame drawn over the picture, around the target of the last or the next decision.

    Attributes:
        style: "last" or "now", a class of the theme.
    """

    style: str
    x: float
    y: float
    width: float
    height: float

    def svg(self) -> str:
        """The frame as a shape."""
        return rect(self.x, self.y, self.width, self.height, self.style, FRAME_RADIUS)


@dataclass(frozen=True, slots=True)
class Part:
    """A part, with its position in the picture's units.

    Attributes:
        content: SVG with 0, 0 at the part's own top left corner.
        under: SVG in the picture's coordinates that several parts share, such as a board's panel.
        pieces: the same part cut into parts that change independently; together they cover it.
    """

    x: float
    y: float
    width: float
    height: float
    content: str
    under: str = ""
    pieces: tuple[Part, ...] = ()

    def cut(self, x: float, y: float, width: float, height: float, content: str) -> Part:
        """A piece at x, y of this part, with `content` in the part's own coordinates."""
        own = group(content, -x, -y)
        return Part(self.x + x, self.y + y, width, height, own, self.under)


@dataclass(slots=True)
class Picture:
    """The parts composed so far, and the frames over them.

    Attributes:
        width, height: of the whole, in units.
        marked: names of the targets where the last decision was taken.
    """

    width: float
    marked: tuple[str, ...]
    height: float = 0
    parts: list[Part] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)

    def put(self, part: Part, boxes: Boxes | None = None) -> None:
        """Add a part. `boxes`: positions of its targets within it, for those that are marked."""
        self.parts.append(part)
        for name, (x, y, width, height) in (boxes or {}).items():
            if name in self.marked:
                self.frame("last", part.x + x, part.y + y, width, height)

    def frame(self, style: str, x: float, y: float, width: float, height: float) -> None:
        """Draw a frame over the picture."""
        self.frames.append(Frame(style, x, y, width, height))

    def svg(self) -> str:
        """The whole picture: shared backgrounds, then the parts, then the frames."""
        grounds = "".join(dict.fromkeys(part.under for part in self.parts))
        contents = "".join(group(part.content, part.x, part.y) for part in self.parts)
        frames = "".join(frame.svg() for frame in self.frames)
        return f'{grounds}{contents}<g pointer-events="none">{frames}</g>'
