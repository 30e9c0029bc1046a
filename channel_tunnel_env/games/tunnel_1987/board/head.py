"""The line at the top: title, round, current question, last decision; and the result."""

from __future__ import annotations

from channel_tunnel_env.drawing.metrics import fit, text_width, wrap
from channel_tunnel_env.drawing.svg import circle, rect, text
from channel_tunnel_env.games.tunnel_1987.board.parts import Part, Picture
from channel_tunnel_env.games.tunnel_1987.board.values import Board
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.words import title

HEIGHT = 64
NARROW_HEIGHT = 128
_LINE = 16


def put_head(picture: Picture, board: Board, x: float, y: float, width: float) -> None:
    """Title on the left, the game's state on the right."""
    left = 480
    picture.put(Part(x, y, left, 32, _title(board.title, left - 20)))
    picture.put(Part(x, y + 32, left, HEIGHT - 32, text(4, 18, _where(board), "s")))
    _put_state(picture, board, (x + left, y, width - left), lines=1)


def put_narrow_head(picture: Picture, board: Board, x: float, y: float, width: float) -> None:
    """Title over the game's state."""
    picture.put(Part(x, y, width, 30, _title(board.title, width - 8)))
    picture.put(Part(x, y + 30, width, 26, text(4, 18, _where(board), "s")))
    _put_state(picture, board, (x, y + 58, width), lines=2)


def _title(words: str, width: float) -> str:
    """The title as large as it fits; cut only if the smaller type is too wide as well."""
    style, size = ("h1", 20) if text_width(words, 20, True) <= width else ("h2", 16)
    return text(4, 25, fit(words, width, size, True), style)


def _where(board: Board) -> str:
    knows = title(board.viewer) if board.viewer in c.SEATS else board.viewer  # "everybody" at a table
    seen = f"what {knows} knows" if knows else "face-down tokens shown"
    return f"ruleset {board.ruleset} · round {board.round} · {seen}"


def _put_state(picture: Picture, board: Board, place: tuple[float, float, float], lines: int) -> None:
    """The side to play, its question and the last decision; `place` is x, y and width."""
    x, y, width = place
    now = _result(board, width) if board.result else _question(board, width)
    picture.put(Part(x, y, width, 32, now))
    height = HEIGHT - 32 + _LINE * (lines - 1)
    picture.put(Part(x, y + 32, width, height, _last(board, width, lines)))


def _result(board: Board, width: float) -> str:
    words = fit(board.result, width - 28, 14, True)
    return rect(1, 1, width - 2, 30, "reached", 8) + text(14, 21, words, "h3")


def _question(board: Board, width: float) -> str:
    who = title(board.to_play)
    pill = text_width(who, 14, True) + 24
    words = fit(board.question, width - pill - 20, 14, True)
    return (
        rect(1, 1, width - 2, 30, "slot", 8)
        + rect(1, 1, pill, 30, str(board.to_play), 8)
        + text(12, 21, who, "sideh")
        + text(pill + 12, 21, words, "h3")
    )


def _last(board: Board, width: float, lines: int) -> str:
    if board.last is None:
        return text(14, 18, "no decision yet", "s")
    who = f"{title(board.last.side)} " if board.last.side else ""
    words = f"Last: {who}{board.last.words}"
    words += "".join(f", {doing}" for doing in board.turn[1:])
    found = wrap(words, width - 26, 12.5, lines)
    return circle(9, 13.5, 5, "lastfill") + "".join(text(22, 18 + _LINE * i, line, "n") for i, line in enumerate(found))
