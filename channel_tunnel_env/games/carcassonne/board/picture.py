"""The whole picture: the table, the seats beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing.svg import check_picture, group, panel, rect, text, whole_picture
from channel_tunnel_env.games.carcassonne.board.completed import Completed, last_completed
from channel_tunnel_env.games.carcassonne.board.geometry import SIZE
from channel_tunnel_env.games.carcassonne.board.table import (
    LaidTable,
    draw_completed,
    draw_follower,
    draw_ghosts,
    draw_table,
    draw_token,
    face_down,
    turn_in_hand,
)
from channel_tunnel_env.games.carcassonne.board.theme import SCOPE, stylesheet
from channel_tunnel_env.games.carcassonne.board.tiles import TileSheet
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.pieces import token_colours

WIDE, _HEIGHT = 1200, 900
_SIDE = 316  # width of the panels beside the table
_MARGIN, _GAP = 16, 10
_LARGEST = 1.2  # scale of a tile while few are laid
_HAND = 0.9  # scale of the tile in hand
_CORNER = 34  # of the frame, without a column's or row's name
_SMALL = 49  # from one to the next of the tiles that are face down
_TIMES = "\u00d7"
_HEAD = 134  # height of the panel with the tile in hand
_SEAT = 150  # height of a seat's panel
_QUESTIONS = {
    "cell": "where does the tile go?",
    "rotate": "how is it turned?",
    "claim": "a follower on it?",
    "token": "a tunnel token?",
}


def to_svg(game: Game, viewer: str | int | None = None, theme: str = "light", *, width: int | None = None) -> str:
    """The table as SVG; every position of a game has a picture of the same size.

    What the last turn completed is lit, if the game's decisions tell it. Free cells that can be chosen are groups of class "target" with the action's name in data-target.

    Args:
        game: any game.
        viewer: a seat; all seats see the same, so it changes nothing.
        theme: "light", "dark", or "auto", which follows the reader's system.
        width: in pixels; None lets the picture fill its container on the page.

    Raises:
        ValueError: an unknown theme, or a width below 1.
    """
    return draw_picture(game, theme, last_completed(game), width=width)


def draw_picture(game: Game, theme: str, lit: Sequence[Completed], *, width: int | None = None) -> str:
    """`to_svg` for who knows what the last turn completed: that is lit.

    Raises:
        ValueError: an unknown theme, or a width below 1.
    """
    check_picture(theme, width)
    sheet = TileSheet(theme)
    name, shapes = f"{SCOPE}-{theme}", _shapes(game, sheet, lit)
    return whole_picture(name, stylesheet(theme), _summary(game), (WIDE, _HEIGHT), width, sheet.defs() + shapes)


def _shapes(game: Game, sheet: TileSheet, lit: Sequence[Completed]) -> str:
    across = WIDE - 3 * _MARGIN - _SIDE
    x, y = 2 * _MARGIN + across, float(_MARGIN)
    shapes = _framed_table(game, sheet, lit, (_MARGIN, _MARGIN, across, _HEIGHT - 2 * _MARGIN))
    shapes += group(_head(game, sheet, _SIDE), x, y)
    y += _HEAD + _GAP
    # Panels of many seats are drawn smaller, so that all stand beside the table.
    scale = min(1.0, (_HEIGHT - _MARGIN - y) / (len(game.seats) * (_SEAT + _GAP) - _GAP))
    seats = "".join(
        group(_seat(game, seat, _SIDE / scale), 0, seat * (_SEAT + _GAP)) for seat in range(len(game.seats))
    )
    place = f"translate({x:g} {y:g}) scale({scale:.5g})"
    shapes += f'<g transform="{place}">{seats}</g>'
    y += scale * len(game.seats) * (_SEAT + _GAP)
    return shapes + group(_rest(game, sheet, _SIDE, _HEIGHT - _MARGIN - y), x, y)


def _framed_table(
    game: Game, sheet: TileSheet, lit: Sequence[Completed], box: tuple[float, float, float, float]
) -> str:
    """The table as large as it fits, in the middle of a box: its corner, how far across and down it is."""
    x, y, across, down = box
    table, inset = LaidTable(game), 8
    room = across - 2 * inset, down - 2 * inset
    scale = min(room[0] / (table.columns * SIZE), room[1] / (table.rows * SIZE), _LARGEST)
    left = x + inset + (room[0] - scale * table.columns * SIZE) / 2 - scale * table.west * SIZE
    top = y + inset + (room[1] - scale * table.rows * SIZE) / 2 - scale * table.north * SIZE
    tiles = draw_table(table, sheet, draw_ghosts(game, table)) + draw_completed(table, lit)
    return (
        rect(x, y, across, down, "table", 10)
        + f'<g transform="translate({left:.5g} {top:.5g}) scale({scale:.5g})">{tiles}</g>'
        + "".join(_names(left, x, across, scale * SIZE, "WE", y + 15, along=True))
        + "".join(_names(top, y, down, scale * SIZE, "NS", x + 24, along=False))
    )


def _names(start: float, begin: float, long: float, step: float, ways: str, edge: float, along: bool) -> Iterator[str]:
    """Along an edge of the frame: how far columns or rows lie from the start tile, as at the table.

    Args:
        start: where the start tile begins.
        begin: where the edge begins; it is `long`.
        step: from name to name.
        ways: letters of what lies before and after the start tile.
        edge: how far down the columns' names stand, or how far right those of the rows.
    """
    first = ceil((begin + _CORNER - start) / step - 0.5)
    last = floor((begin + long - _CORNER - start) / step - 0.5)
    for number in range(first, last + 1):
        words = f"{abs(number)} {ways[number > 0]}" if number else "start"
        middle = start + (number + 0.5) * step
        x, y = (middle, edge) if along else (edge, middle + 4)
        yield text(x, y, words, "place-m")


def _rest(game: Game, sheet: TileSheet, across: float, down: float) -> str:
    """The tiles that are face down by kind, if there is room for them."""
    left = face_down(game)
    columns = int((across - 2 * _GAP) // _SMALL)
    height = 2 * _GAP + 18 + ceil(len(left) / columns) * (_SMALL + 8)
    if not left or height > down:
        return ""
    shapes = panel(0, 0, across, height) + text(16, 26, "Face down", "b")
    for k, (kind, count) in enumerate(left):
        x, y = _GAP + k % columns * _SMALL, 36 + k // columns * (_SMALL + 8)
        tile = sheet.tile(kind, 0, 0, 0)
        shapes += f'<g transform="translate({x + 3:g} {y:g}) scale({(_SMALL - 14) / SIZE:g})">{tile}</g>'
        shapes += text(x + 3 + (_SMALL - 14) / 2, y + _SMALL - 3, f"{_TIMES}{count}", "place-m")
    return shapes


def _head(game: Game, sheet: TileSheet, across: float) -> str:
    """Whose turn it is, the tile in hand and how many are left; at the end, who won."""
    state, types = game.state, game.ruleset.data.tile_types()
    shapes = panel(0, 0, across, _HEAD)
    left = int(state.deck_size) - int(state.drawn)
    if game.is_over:
        return shapes + text(16, 34, _result(game), "h1") + text(16, 60, "The last tile is laid.", "n")
    shapes += text(16, 32, f"Turn {int(state.turn)}", "h1")
    shapes += text(16, 58, str(game.to_play), "b") + text(16, 78, _QUESTIONS[str(game.phase)], "n")
    shapes += text(16, 112, f"{left} tiles face down", "s")
    tile = sheet.tile(types[int(state.tile)], 0, 0, turn_in_hand(game))
    x, y = across - 16 - _HAND * SIZE, (_HEAD - _HAND * SIZE) / 2
    return shapes + f'<g transform="translate({x:g} {y:g}) scale({_HAND})">{tile}</g>'


def _seat(game: Game, seat: int, across: float) -> str:
    """A seat's points by kind, its followers in hand and its tunnel tokens."""
    state, name = game.state, game.seats[seat]
    points = game.scores()[name]
    shapes = panel(0, 0, across, _SEAT)
    if not game.is_over and game.to_play == name:
        shapes += rect(1.5, 1.5, across - 3, _SEAT - 3, "now", 9)
    shapes += draw_follower(seat, 32, 32) + text(56, 37, name, "h2")
    shapes += text(across - 16, 36, str(points["total"]), "h1-e")
    words = ", ".join(f"{kind} {points[kind]}" for kind in c.KINDS if points[kind])
    shapes += text(16, 66, words or "no points yet", "s")
    hand = int(state.hand[seat])
    shapes += "".join(draw_follower(seat, 32 + 38 * k, 88) for k in range(hand))
    if not hand:
        shapes += text(16, 92, "no followers left", "s")
    return shapes + "".join(_tokens(game, seat))


def _tokens(game: Game, seat: int) -> list[str]:
    """The tokens of a seat that are not laid yet."""
    found: list[str] = []
    for colour in token_colours(game.ruleset.data, seat):
        for _ in range(int(game.state.stock[colour])):
            found.append(draw_token(colour, 30 + 32 * len(found), _SEAT - 22))
    return found


def _result(game: Game) -> str:
    return f"{game.winner} won" if game.winner else "a shared win"


def _summary(game: Game) -> str:
    scores = game.scores()
    points = ", ".join(f"{name} {scores[name]['total']}" for name in game.seats)
    now = _result(game) if game.is_over else f"turn {int(game.state.turn)}, {game.to_play} to play"
    return f"{game.ruleset.data.title}, {now}, {points}"
