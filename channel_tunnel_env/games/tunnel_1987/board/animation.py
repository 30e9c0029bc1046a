"""A game as a film (see `drawing.film`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from channel_tunnel_env.drawing import film
from channel_tunnel_env.drawing.png import check_raster
from channel_tunnel_env.games.tunnel_1987.board.picture import compose
from channel_tunnel_env.games.tunnel_1987.board.raster import paint
from channel_tunnel_env.games.tunnel_1987.board.theme import solid_colours
from channel_tunnel_env.games.tunnel_1987.board.values import Board
from channel_tunnel_env.games.tunnel_1987.board.view import read_board
from channel_tunnel_env.games.tunnel_1987.game import Game

_TURN_VERBS = ("place", "pass")
_BETWEEN_TURNS = ("turn", "window", "over")


def read_film(games: Iterable[Game], viewer: str | int | None = None, every: str = "turn") -> list[Board]:
    """The boards that a film shows.

    Args:
        games: a game's positions in order; may be one object that moves on.
        viewer: "britain", "france" or a seat, to show only what it knows; None shows everything.
        every: "decision" takes every position, "turn" those between two turns, marked with the
            placement or the pass that the turn began with.

    Raises:
        ValueError: an unknown viewer or `every`.
    """
    film.check_every(every)
    boards = _boards(games, viewer)
    return list(boards if every == "decision" else _turns(boards))


def _boards(games: Iterable[Game], viewer: str | int | None) -> Iterator[Board]:
    """Each position, read together with the one before it."""
    board = None
    for game in games:
        board = read_board(game, viewer, before=board)
        yield board


def _turns(boards: Iterable[Board]) -> Iterator[Board]:
    """The first board, and one for every completed turn."""
    opening = board = None
    for board in boards:
        if board.last is None:
            yield board
        elif board.last.action.split()[0] in _TURN_VERBS:
            opening = board.last
        if opening is not None and board.phase in _BETWEEN_TURNS:
            yield replace(board, last=opening)
            opening = None
    if board is not None and opening is not None:  # the game stopped within a turn
        yield board


def write_film(
    boards: list[Board],
    path: str | Path,
    *,
    width: int = film.WIDTH,
    theme: str = "light",
    seconds: float = film.SECONDS,
) -> int:
    """Write a film; returns its number of frames. The last one stays on four times as long.

    Args:
        boards: of one game, see `read_film`.
        path: its suffix selects the format: .gif, .webp, .png or .apng.
        width: in pixels.
        theme: "light" or "dark".
        seconds: how long each frame is shown.

    Raises:
        ImportError: resvg-py or Pillow is missing.
        ValueError: no boards, an unknown suffix, or a wrong width, theme or time.
    """
    path = Path(path)
    film.check_film(path, len(boards), seconds)
    check_raster(width, theme)
    return film.write_film(boards, lambda board: _pixels(board, width, theme), solid_colours(theme), path, seconds)


def _pixels(board: Board, width: int, theme: str) -> Any:
    return paint(compose(board, "wide"), width, theme)
