"""The line at the top: title, round, the question at hand, the last decision; and the result."""

from __future__ import annotations

from channel_tunnel_env.board.metrics import fit, text_width
from channel_tunnel_env.board.svg import circle, rect, text
from channel_tunnel_env.board.view import Board
from channel_tunnel_env.board.words import title

HEIGHT = 64
NARROW_HEIGHT = 124


def draw_head(board: Board, width: float) -> str:
    """Title on the left, the game's state on the right."""
    left = 460
    return (
        text(4, 26, fit(board.title, left - 20, 20, True), "h1")
        + text(4, 50, _where(board), "s")
        + _state(board, left, 0, width - left)
    )


def draw_narrow_head(board: Board, width: float) -> str:
    """Title over the game's state."""
    return (
        text(4, 22, fit(board.title, width - 8, 20, True), "h1")
        + text(4, 44, _where(board), "s")
        + _state(board, 0, 56, width)
    )


def _where(board: Board) -> str:
    seen = f"what {title(board.viewer)} knows" if board.viewer else "all cards on the table"
    return f"ruleset {board.ruleset} · round {board.round} · {seen}"


def _state(board: Board, x: float, y: float, width: float) -> str:
    """Who is asked what, and what was done last."""
    if board.result:
        now = rect(x, y, width, 30, "reached", 8)
        now += text(x + 14, y + 20, fit(board.result, width - 28, 14, True), "h3")
    else:
        who = title(board.to_play)
        pill = text_width(who, 14, True) + 24
        now = (
            rect(x, y, width, 30, "slot", 8)
            + rect(x, y, pill, 30, str(board.to_play), 8)
            + f'<text class="sides" x="{x + 12:g}" y="{y + 20:g}">{who}</text>'
            + text(x + pill + 12, y + 20, fit(board.question, width - pill - 20, 14, True), "h3")
        )
    return now + _last(board, x, y + 50, width)


def _last(board: Board, x: float, y: float, width: float) -> str:
    if board.last is None:
        return text(x + 14, y, "the game begins", "s")
    who = f"{title(board.last.side)} " if board.last.side else ""
    words = f"Last: {who}{board.last.words}"
    if board.turn:
        words += f" ({board.turn})"
    return circle(x + 9, y - 4.5, 5, "lastfill") + text(
        x + 22, y, fit(words, width - 26, 12.5), "n"
    )
