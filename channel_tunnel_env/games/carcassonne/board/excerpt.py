"""Parts of the picture for other pages: the tiles on the table, a single tile, a window onto the table.

    python -m channel_tunnel_env.games.carcassonne.board.excerpt docs/images/carcassonne.jsonl window.svg

The first two are inline SVG without a style sheet of their own: a page holds `STYLE` once. The window is a file, which
the command writes from the end of a recorded game; the table shows it where a game is chosen.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from channel_tunnel_env.core.game import Game as AnyGame
from channel_tunnel_env.drawing.svg import FONT, circle, escape, inline_picture, rect
from channel_tunnel_env.game import Game
from channel_tunnel_env.games.carcassonne.board import geometry
from channel_tunnel_env.games.carcassonne.board.geometry import SIZE
from channel_tunnel_env.games.carcassonne.board.page import openings_of
from channel_tunnel_env.games.carcassonne.board.table import LaidTable, draw_follower, draw_table, draw_token, mouth_at
from channel_tunnel_env.games.carcassonne.board.theme import SCOPE, stylesheet
from channel_tunnel_env.games.carcassonne.board.tiles import TileSheet, draw_tile, draw_upright
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.pieces import TileType
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.records.record import read_records

THEME = "auto"
NAME = f"{SCOPE}-{THEME}"
STYLE = stylesheet(THEME)
_EDGE = 30  # of bare table around the tiles
_WINDOW = (-1.85, -0.95, 4.96, 1.86)  # its corner from the start tile, and its size; in tiles


def table_svg(game: AnyGame, picture: str = "") -> str:
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
    return inline_picture(NAME, label, (west, north, across, down), sheet.defs() + shapes)


def tile_svg(kind: TileType) -> str:
    """A tile of a type, not turned."""
    shapes = draw_tile(kind) + draw_upright(kind, 0)
    return inline_picture(NAME, f"tile {kind.name}", (0, 0, SIZE, SIZE), shapes)


def window_svg(game: AnyGame) -> str:
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
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{NAME}" viewBox="{x:g} {y:g} {width:g} {height:g}" '
        f"font-family='{FONT}'><style>{stylesheet(THEME, frozenset(used))}</style>{shapes}</svg>\n"
    )


def main(record: str, picture: str) -> None:
    """Write the window onto the table as it lies at the end of a file's first game."""
    window = window_svg(Game.from_record(next(read_records(record))))
    write_whole(Path(picture), window.encode())


# --- two turns with the same tile on one table: the one that was played, and another that may be better
# The other is framed by a whole line, the played one pale and framed by dashes: they differ without colours, too.


_PLACE = 24  # radius of the ring around the place of a follower


class _Turn(NamedTuple):
    """What a turn puts on the table, in shapes.

    Attributes:
        lies: the cell and the rotation of the tile.
        tile, pieces: the tile as it lies; the follower and the tokens on the table.
    """

    lies: tuple[int, int]
    column: int
    row: int
    tile: str
    pieces: str


def draw_compared(game: AnyGame, given: Sequence[int], other: Sequence[int], names: tuple[str, str]) -> dict[str, str]:
    """What was played in a turn, and above it what would have been played otherwise.

    Args:
        game: the position before the turn.
        given, other: the decisions of both turns.
        names: of both turns, for the key.

    Returns:
        shapes: SVG for the table of that position, above its tiles; key: HTML that tells the two turns apart.
    """
    sheet = TileSheet(THEME, "compared")
    played, better = _turn(game, given, sheet), _turn(game, other, sheet)
    is_apart = played.lies != better.lies
    shapes = (
        f'<g class="given">{_framed(played) if is_apart else played.pieces}</g><g class="other">{_framed(better)}</g>'
    )
    return {"shapes": f'<g class="compared">{sheet.defs()}{shapes}</g>', "key": _key(names)}


def _turn(game: AnyGame, actions: Sequence[int], sheet: TileSheet) -> _Turn:
    seat, number = game.mover, int(game.state.tile_count)
    game, pieces = game.clone(), []
    for action in actions:
        game.play(action)
        table = LaidTable(game)
        if c.FIRST_CLAIM <= action < c.CLAIM_NONE:
            pieces.append(_follower(table, number, action - c.FIRST_CLAIM, seat))
        for opening in openings_of(action):
            node, colour, _ = table.mouths[opening]
            pieces.append(draw_token(colour, *mouth_at(table, node)))
    cell, turned = table.cells[number], table.turned[number]
    column, row = table.place_of(cell)
    tile = sheet.tile(table.kinds[number], column, row, turned)
    return _Turn((cell, turned), column, row, tile, "".join(pieces))


def _follower(table: LaidTable, number: int, place: int, seat: int) -> str:
    kind = table.kinds[number]
    segment = kind.segments[kind.place_segment(place, table.turned[number])]
    x, y = table.point(number, geometry.standing_place(kind, segment))
    ring = circle(x, y, _PLACE, "place")
    return ring + draw_follower(seat, x, y, lies=segment.kind == c.FIELD)


def _framed(turn: _Turn) -> str:
    frame = rect(turn.column * SIZE + 3, turn.row * SIZE + 3, SIZE - 6, SIZE - 6, "frame", 6)
    return turn.tile + frame + turn.pieces


def _key(names: tuple[str, str]) -> str:
    frame = rect(5, 5, 90, 90, "frame", 12)
    items = "".join(
        f'<li><svg viewBox="0 0 100 100" aria-hidden="true"><g class="compared"><g class="{kind}">{frame}</g></g></svg>'
        f"{escape(name)}</li>"
        for kind, name in zip(("given", "other"), names, strict=True)
    )
    return f'<ul class="key" aria-label="On the table">{items}</ul>'


if __name__ == "__main__":
    main(*sys.argv[1:])
