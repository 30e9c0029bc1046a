"""The drawings of a picture's tiles: each type is drawn once, and every tile of it refers to that drawing."""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

from channel_tunnel_env.drawing.svg import escape
from channel_tunnel_env.games.carcassonne.board.geometry import SIZE
from channel_tunnel_env.games.carcassonne.board.theme import SCOPE
from channel_tunnel_env.games.carcassonne.board.tiles import draw_tile, draw_upright
from channel_tunnel_env.games.carcassonne.tiles import TileType


@lru_cache(maxsize=256)
def _drawn(kind: TileType) -> str:
    return draw_tile(kind)


class TileSheet:
    """The tile types that a picture has shown so far; `defs` belongs into the same document.

    Args:
        theme: of the picture.
        picture: name that tells it from other pictures of the same theme in one document, where ids are unique.
    """

    def __init__(self, theme: str, picture: str = "") -> None:
        self._theme = theme
        self._prefix = "-".join(part for part in (SCOPE, theme, picture) if part)
        self._drawings: dict[str, str] = {}

    def tile(self, kind: TileType, column: float, row: float, quarter_turns: int) -> str:
        """A tile of a type, its corner at a column and row."""
        drawing = _drawn(kind)
        # By what is drawn: a page may hold pictures of several rulesets, and of several themes.
        name = f"{self._prefix}-{crc32(drawing.encode()):x}"
        self._drawings[name] = drawing
        turn = f' transform="rotate({90 * quarter_turns} 50 50)"' if quarter_turns % 4 else ""
        upright = draw_upright(kind, quarter_turns)
        move = f"translate({column * SIZE:g} {row * SIZE:g})" if column or row else ""
        place = f' transform="{move}"' if move else ""
        return f'<g data-tile="{escape(kind.name)}"{place}><use href="#{name}"{turn}/>{upright}</g>'

    def defs(self) -> str:
        """The drawings that the tiles refer to."""
        # What is referred to is styled by itself: the rules of the theme need their scope inside.
        scope = f"{SCOPE}-{self._theme}"
        drawings = (f'<g id="{name}" class="{scope}">{shapes}</g>' for name, shapes in self._drawings.items())
        return f"<defs>{''.join(drawings)}</defs>"
