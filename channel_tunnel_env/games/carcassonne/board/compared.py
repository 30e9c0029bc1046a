"""Two turns with the same tile on one table: the one that was played, and another that may be better.

The other is framed by a whole line, the played one pale and framed by dashes: they differ without colours, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing.svg import circle, escape, rect
from channel_tunnel_env.games.carcassonne.board import geometry
from channel_tunnel_env.games.carcassonne.board.geometry import SIZE
from channel_tunnel_env.games.carcassonne.board.page import openings_of
from channel_tunnel_env.games.carcassonne.board.table import LaidTable, draw_follower, draw_token, mouth_at
from channel_tunnel_env.games.carcassonne.board.tiles import TileSheet
from channel_tunnel_env.games.carcassonne.engine import constants as c

_THEME = "auto"  # of the page
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


def draw_compared(game: Game, given: Sequence[int], other: Sequence[int], names: tuple[str, str]) -> dict[str, str]:
    """What was played in a turn, and above it what would have been played otherwise.

    Args:
        game: the position before the turn.
        given, other: the decisions of both turns.
        names: of both turns, for the key.

    Returns:
        shapes: SVG for the table of that position, above its tiles; key: HTML that tells the two turns apart.
    """
    sheet = TileSheet(_THEME, "compared")
    played, better = _turn(game, given, sheet), _turn(game, other, sheet)
    is_apart = played.lies != better.lies
    shapes = (
        f'<g class="given">{_framed(played) if is_apart else played.pieces}</g><g class="other">{_framed(better)}</g>'
    )
    return {"shapes": f'<g class="compared">{sheet.defs()}{shapes}</g>', "key": _key(names)}


def _turn(game: Game, actions: Sequence[int], sheet: TileSheet) -> _Turn:
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
