"""The whole picture: the parts placed on a wide page, or one under the other on a narrow one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from channel_tunnel_env.board import head, spaces, stock, tunnel
from channel_tunnel_env.board.last_move import marked_targets
from channel_tunnel_env.board.players import PlayerBoard
from channel_tunnel_env.board.svg import escape, group, rect
from channel_tunnel_env.board.theme import FONT, THEMES, stylesheet
from channel_tunnel_env.board.view import Board, read_board
from channel_tunnel_env.board.words import title

if TYPE_CHECKING:
    from channel_tunnel_env.game import Game

LAYOUTS = ("wide", "narrow")
WIDE, NARROW = 1200, 480
_MARGIN, _GAP = 16, 12
_LEGEND = 28


def to_svg(
    game: Game,
    viewer: str | int | None = None,
    theme: str = "light",
    *,
    layout: str = "wide",
    width: int | None = None,
) -> str:
    """The board as SVG.

    Everything that can be pointed at is a group of class "target" with the attributes data-target
    (its name, "route:france:3"), data-rule (the rule that explains it) and aria-label (it in words).

    Args:
        game: any game.
        viewer: "britain", "france" or a seat, to draw only what it knows; None draws everything.
        theme: "light", "dark", or "auto", which follows the reader's system.
        layout: "wide" (1200 units) or "narrow" (480 units, one column, for a phone). The wide
            picture of a ruleset has the same size in every position.
        width: in pixels; None lets the picture fill the page it stands in.

    Raises:
        ValueError: an unknown viewer, theme or layout, or a width below 1.
    """
    if layout not in LAYOUTS:
        raise ValueError(f"layout {layout!r}: allowed: {', '.join(LAYOUTS)}")
    if theme not in THEMES:
        raise ValueError(f"theme {theme!r}: allowed: {', '.join(THEMES)}")
    if width is not None and width < 1:
        raise ValueError(f"width {width}: a picture is at least one pixel wide")
    return draw_board(read_board(game, viewer), theme, layout, width)


def draw_board(board: Board, theme: str, layout: str, width: int | None) -> str:
    """A board as SVG; see `to_svg`."""
    draw = _wide if layout == "wide" else _narrow
    units = WIDE if layout == "wide" else NARROW
    content, height = draw(board)
    size = "" if width is None else f' width="{width}" height="{round(width * height / units)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ct-{theme}" viewBox="0 0 {units} {height:g}"'
        f'{size} font-family=\'{FONT}\' role="group" aria-label="{escape(_summary(board))}">'
        f"<style>{stylesheet(theme)}</style>"
        f"{rect(0, 0, units, height, 'page')}{content}</svg>"
    )


def _summary(board: Board) -> str:
    points = " to ".join(f"{title(side.name)} {side.points}" for side in board.sides)
    now = board.result or f"{title(board.to_play)} to play"
    return f"{board.title}, round {board.round}, {now}, {points}"


def _wide(board: Board) -> tuple[str, float]:
    marked, room = marked_targets(board), WIDE - 2 * _MARGIN
    y: float = _MARGIN
    parts = [group(head.draw_head(board, room), _MARGIN, y)]
    y += head.HEIGHT + 4
    parts.append(group(tunnel.draw_tunnel(board.routes, room, marked), _MARGIN, y))
    y += tunnel.HEIGHT + _GAP
    parts.append(_row_of_spaces(board, y, marked))
    y += spaces.HEIGHT + _GAP
    half = (room - _GAP) / 2
    for i, side in enumerate(board.sides):
        drawing, height = PlayerBoard(side, half, marked, board.agenda).draw()
        parts.append(group(drawing, _MARGIN + i * (half + _GAP), y))
    y += height + _GAP
    parts.append(group(stock.draw_stock(board, room, marked), _MARGIN, y))
    y += stock.HEIGHT + 8
    parts.append(group(stock.draw_legend(board, room), _MARGIN, y))
    return "".join(parts), y + _LEGEND


def _row_of_spaces(board: Board, y: float, marked: frozenset[str]) -> str:
    permanent, x, parts = 196, float(_MARGIN), []
    slot = (WIDE - 2 * _MARGIN - 2 * permanent - 4 * _GAP) / 3
    for space in board.spaces:
        width = slot if "secondary" in space.options else permanent
        parts.append(group(spaces.draw_space(space, width, marked), x, y))
        x += width + _GAP
    return "".join(parts)


def _narrow(board: Board) -> tuple[str, float]:
    marked, room = marked_targets(board), NARROW - 2 * 8
    y: float = 8
    parts = []

    def put(drawing: str, height: float, x: float = 8) -> None:
        nonlocal y
        parts.append(group(drawing, x, y))
        y += height + 10

    put(head.draw_narrow_head(board, room), head.NARROW_HEIGHT - 8)
    for route in board.routes:
        put(tunnel.draw_half_tunnel(route, room, marked), tunnel.HEIGHT)
    half = (room - 10) / 2
    put(
        spaces.draw_space(board.spaces[0], half, marked)
        + group(spaces.draw_space(board.spaces[1], half, marked), half + 10),
        spaces.HEIGHT,
    )
    for space in board.spaces[2:]:
        put(spaces.draw_space(space, room, marked), spaces.HEIGHT)
    for side in board.sides:
        put(*PlayerBoard(side, room, marked, board.agenda, card_rows=None).draw())
    put(*stock.draw_narrow_stock(board, room, marked))
    put(stock.draw_legend(board, room), 62)
    return "".join(parts), y
