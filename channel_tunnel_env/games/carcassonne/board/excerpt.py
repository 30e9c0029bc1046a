"""Parts of the picture for other pages: the tiles on the table, or a single tile.

The drawings are inline SVG without a style sheet of their own: a page holds `STYLE` once.
"""

from __future__ import annotations

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing.style import FONT
from channel_tunnel_env.drawing.svg import escape, rect
from channel_tunnel_env.games.carcassonne.board.geometry import SIZE
from channel_tunnel_env.games.carcassonne.board.sheet import TileSheet
from channel_tunnel_env.games.carcassonne.board.table import LaidTable, draw_table
from channel_tunnel_env.games.carcassonne.board.theme import SCOPE, stylesheet
from channel_tunnel_env.games.carcassonne.board.tiles import draw_tile, draw_upright
from channel_tunnel_env.games.carcassonne.tiles import TileType

THEME = "auto"
STYLE = stylesheet(THEME)
_EDGE = 30  # of bare table around the tiles


def table_svg(game: Game, picture: str = "") -> str:
    """The tiles of a game with followers and tokens.

    Args:
        picture: its name among several on one page.
    """
    table = LaidTable(game)
    # The table has a free cell on each side.
    west, north = (table.west + 1) * SIZE - _EDGE, (table.north + 1) * SIZE - _EDGE
    across = (table.columns - 2) * SIZE + 2 * _EDGE
    down = (table.rows - 2) * SIZE + 2 * _EDGE
    label = f"the table with {len(table.cells)} tiles"
    sheet = TileSheet(THEME, picture)
    shapes = rect(west + 1, north + 1, across - 2, down - 2, "table", 12) + draw_table(table, sheet)
    return _svg(label, west, north, across, down, sheet.defs() + shapes)


def tile_svg(kind: TileType) -> str:
    """A tile of a type, not turned."""
    shapes = draw_tile(kind) + draw_upright(kind, 0)
    return _svg(f"tile {kind.name}", 0, 0, SIZE, SIZE, shapes)


def _svg(label: str, west: float, north: float, across: float, down: float, shapes: str) -> str:
    return (
        f'<svg class="{SCOPE}-{THEME}" viewBox="{west:g} {north:g} {across:g} {down:g}" font-family=\'{FONT}\' '
        f'role="img" aria-label="{escape(label)}">{shapes}</svg>'
    )
