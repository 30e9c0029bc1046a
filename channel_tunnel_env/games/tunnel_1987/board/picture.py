"""The whole picture: the parts side by side on a wide page, or stacked on a phone."""

from __future__ import annotations

from collections.abc import Sequence

from channel_tunnel_env.drawing.svg import check_picture, whole_picture
from channel_tunnel_env.games.tunnel_1987.board import head, spaces, stock, tunnel
from channel_tunnel_env.games.tunnel_1987.board.parts import Part, Picture
from channel_tunnel_env.games.tunnel_1987.board.phone import PhoneBoard, put_phone_space
from channel_tunnel_env.games.tunnel_1987.board.players import LowBoard, PlayerBoard
from channel_tunnel_env.games.tunnel_1987.board.targets import marked_targets
from channel_tunnel_env.games.tunnel_1987.board.theme import SCOPE, stylesheet
from channel_tunnel_env.games.tunnel_1987.board.values import Board
from channel_tunnel_env.games.tunnel_1987.board.view import read_board
from channel_tunnel_env.games.tunnel_1987.game import Game
from channel_tunnel_env.games.tunnel_1987.words import title

LAYOUTS = ("wide", "table", "phone")
WIDE, TABLE, PHONE = 1200, 1110, 430
MARGIN, GAP = 16, 12
_PERMANENT = 194  # width of the permanent spaces; the slots share the rest
_PHONE_MARGIN, _PHONE_GAP, _LEGEND_GAP = 2, 4, 10
_TABLE_MARGIN, _TABLE_GAP = 6, 8
_TABLE_PERMANENT = 178


def to_svg(game: Game, viewer: str | int | None = None, theme: str = "light", *, width: int | None = None) -> str:
    """The board as SVG; the picture of a ruleset has the same size in every position.

    Everything that can be pointed at is a group of class "target" with the attributes data-target
    (its name, "route:france:3"), data-rule (the rule that explains it) and aria-label (a
    description).

    Args:
        game: any game.
        viewer: "britain", "france" or a seat, to draw only what it knows; None draws everything.
        theme: "light", "dark", or "auto", which follows the reader's system.
        width: in pixels; None lets the picture fill its container on the page.

    Raises:
        ValueError: an unknown viewer or theme, or a width below 1.
    """
    check_picture(theme, width)
    return draw_board(read_board(game, viewer), theme, "wide", width)


def draw_board(board: Board, theme: str, layout: str, width: int | None) -> str:
    """A board as SVG; see `to_svg`.

    Args:
        layout: "wide" (1200 units); or for a page that has the title and the question around it, "table" (1110 units,
            low enough for a screen of 1280 x 800; of one size in every position) or "phone" (430 units, one column).
    """
    picture = compose(board, layout)
    size = picture.width, picture.height
    return whole_picture(f"{SCOPE}-{theme}", stylesheet(theme), _summary(board), size, width, picture.svg())


def compose(board: Board, layout: str) -> Picture:
    """The board's parts in their places."""
    return {"wide": _wide, "table": _table, "phone": _phone}[layout](board)


def _summary(board: Board) -> str:
    points = " to ".join(f"{title(side.name)} {side.points}" for side in board.sides)
    now = board.result or f"{title(board.to_play)} to play"
    return f"{board.title}, round {board.round}, {now}, {points}"


def _wide(board: Board) -> Picture:
    picture = Picture(WIDE, marked_targets(board))
    x, room = MARGIN, WIDE - 2 * MARGIN
    y: float = MARGIN
    head.put_head(picture, board, x, y, room)
    y += head.HEIGHT + 4
    tunnel.put_tunnel(picture, board.routes, x, y, room)
    y += tunnel.HEIGHT + GAP
    _put_spaces(picture, board, x, y, room, GAP, _PERMANENT, spaces.HEIGHT)
    y += spaces.HEIGHT + GAP
    half = (room - GAP) / 2
    players = [PlayerBoard(side, half, board.agenda) for side in board.sides]
    y += _put_players(picture, players, x, y, half + GAP) + GAP
    stock.put_stock(picture, board, x, y, room)
    y += stock.HEIGHT + 6
    picture.put(Part(x, y, room, stock.LEGEND, stock.draw_legend(board, room)))
    picture.height = y + stock.LEGEND + 2
    return picture


def _table(board: Board) -> Picture:
    """As wide, but lower: no head, no legend, and shorter boards."""
    picture = Picture(TABLE, marked_targets(board))
    x, room = _TABLE_MARGIN, TABLE - 2 * _TABLE_MARGIN
    y: float = _TABLE_MARGIN
    tunnel.put_tunnel(picture, board.routes, x, y, room)
    y += tunnel.HEIGHT + _TABLE_GAP
    _put_spaces(picture, board, x, y, room, _TABLE_GAP, _TABLE_PERMANENT, spaces.LOW_HEIGHT)
    y += spaces.LOW_HEIGHT + _TABLE_GAP
    half = (room - _TABLE_GAP) / 2
    rows = 2 if board.agenda else 3
    players = [LowBoard(side, half, board.agenda, card_rows=rows) for side in board.sides]
    y += _put_players(picture, players, x, y, half + _TABLE_GAP) + _TABLE_GAP
    stock.put_stock(picture, board, x, y, room)
    picture.height = y + stock.HEIGHT + _TABLE_MARGIN
    return picture


def _put_spaces(
    picture: Picture, board: Board, x: float, y: float, room: float, gap: float, permanent: float, height: float
) -> None:
    """The five spaces side by side; the slots share what the permanent ones leave."""
    slot = (room - 2 * permanent - 4 * gap) / 3
    for space in board.spaces:
        width = slot if space.is_slot else permanent
        spaces.put_space(picture, space, x, y, width, height)
        x += width + gap


def _put_players(picture: Picture, players: Sequence[PlayerBoard], x: float, y: float, step: float) -> float:
    """The boards side by side; returns their height, which is the same for both."""
    for i, player in enumerate(players):
        player.put(picture, x + i * step, y)
    return players[-1].height


def _phone(board: Board) -> Picture:
    """One column, so low that down to the viewer's own board all of it is in sight at once."""
    picture = Picture(PHONE, marked_targets(board))
    x, room = _PHONE_MARGIN, PHONE - 2 * _PHONE_MARGIN
    y: float = _PHONE_MARGIN
    for route in board.routes:
        tunnel.put_half_tunnel(picture, route, x, y, room, tunnel.LOW)
        y += tunnel.LOW.height + _PHONE_GAP
    for space in board.spaces:
        y += put_phone_space(picture, space, x, y, room) + _PHONE_GAP
    own_first = sorted(board.sides, key=lambda side: side.name != board.viewer)
    for side in own_first:
        player = PhoneBoard(side, room, board.agenda, card_rows=None)
        player.put(picture, x, y)
        y += player.height + _PHONE_GAP
    y += stock.put_narrow_stock(picture, board, x, y, room) + _LEGEND_GAP
    picture.put(Part(x, y, room, stock.NARROW_LEGEND, stock.draw_legend(board, room)))
    picture.height = y + stock.NARROW_LEGEND
    return picture
