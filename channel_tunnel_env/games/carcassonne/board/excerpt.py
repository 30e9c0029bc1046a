"""Parts of the picture for other pages: the tiles on the table, a single tile, a window onto the table.

    python -m channel_tunnel_env.games.carcassonne.board.excerpt docs/images/carcassonne.jsonl window.svg

The first two are inline SVG without a style sheet of their own: a page holds `STYLE` once. The window is a file, which
the command writes from the end of a recorded game; the table shows it where a game is chosen.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing.style import FONT
from channel_tunnel_env.drawing.svg import escape, rect
from channel_tunnel_env.games.carcassonne.board.geometry import SIZE
from channel_tunnel_env.games.carcassonne.board.table import LaidTable, draw_table
from channel_tunnel_env.games.carcassonne.board.theme import SCOPE, stylesheet
from channel_tunnel_env.games.carcassonne.board.tiles import TileSheet, draw_tile, draw_upright
from channel_tunnel_env.games.carcassonne.tiles import TileType
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.records.record import read_records, replay

THEME = "auto"
STYLE = stylesheet(THEME)
_EDGE = 30  # of bare table around the tiles
_WINDOW = (-1.85, -0.95, 4.96, 1.86)  # its corner from the start tile, and its size; in tiles


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


def window_svg(game: Game) -> str:
    """What is seen of the table around the start tile, as a file of both themes with the style rules that it needs."""
    west, north, across, down = _WINDOW
    table, sheet = LaidTable(game), TileSheet(THEME)
    places = [table.place_of(cell) for cell in table.cells]
    table.shown = [
        number
        for number, (column, row) in enumerate(places)
        if west - 1 < column < west + across and north - 1 < row < north + down
    ]
    x, y, width, height = (SIZE * tiles for tiles in (west, north, across, down))
    tiles = draw_table(table, sheet)
    shapes = sheet.defs() + rect(x, y, width, height, "page") + tiles
    used = set(re.findall(r'class="([a-z0-9-]+)"', shapes))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{SCOPE}-{THEME}" viewBox="{x:g} {y:g} {width:g} {height:g}" '
        f"font-family='{FONT}'><style>{stylesheet(THEME, frozenset(used))}</style>{shapes}</svg>\n"
    )


def main(record: str, picture: str) -> None:
    """Write the window onto the table as it lies at the end of a file's first game."""
    window = window_svg(replay(next(read_records(record))))
    write_whole(Path(picture), window.encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
