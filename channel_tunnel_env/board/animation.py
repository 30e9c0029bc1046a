"""A game as a film: GIF, WebP or animated PNG, through Pillow.

All frames share one palette, and a frame holds only what changed, so a whole game stays small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from channel_tunnel_env.bare_game import BareGame
from channel_tunnel_env.board.extra import need
from channel_tunnel_env.board.picture import compose
from channel_tunnel_env.board.raster import check_raster, paint
from channel_tunnel_env.board.theme import solid_colours
from channel_tunnel_env.board.values import Board
from channel_tunnel_env.board.view import read_board

EVERY = ("turn", "decision")
FILM_WIDTH = 900
SECONDS = 1.0
_HOLD_LAST = 4  # the last frame stays this many times as long
_COLOURS = 256
_SAMPLES = 5  # frames that the palette is made from
_WRITERS: dict[str, dict[str, Any]] = {
    ".gif": {"format": "GIF"},
    ".webp": {"format": "WEBP", "lossless": True, "quality": 60, "method": 4},
    ".png": {"format": "PNG"},
    ".apng": {"format": "PNG"},
}
_TURN_VERBS = ("place", "pass")
_BETWEEN_TURNS = ("turn", "window", "over")


def read_film(
    games: Iterable[BareGame], viewer: str | int | None = None, every: str = "turn"
) -> list[Board]:
    """The boards that a film shows.

    Args:
        games: a game's positions in order; may be one object that moves on.
        viewer: "britain", "france" or a seat, to show only what it knows; None shows everything.
        every: "decision" takes every position, "turn" those between two turns, marked with the
            placement or the pass that the turn began with.

    Raises:
        ValueError: an unknown viewer or `every`.
    """
    if every not in EVERY:
        raise ValueError(f"every {every!r}: allowed: {', '.join(EVERY)}")
    boards = _boards(games, viewer)
    return list(boards if every == "decision" else _turns(boards))


def _boards(games: Iterable[BareGame], viewer: str | int | None) -> Iterator[Board]:
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
    width: int = FILM_WIDTH,
    theme: str = "light",
    seconds: float = SECONDS,
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
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        raise ValueError(f"{path.name}: allowed suffixes of a film: {', '.join(_WRITERS)}")
    if not boards:
        raise ValueError("a film needs at least one frame")
    if not 0.02 <= seconds <= 60:
        raise ValueError(f"seconds {seconds}: allowed: 0.02 to 60")
    check_raster(width, theme)
    first, *others = _frames(boards, width, theme)
    times = [round(1000 * seconds)] * len(boards)
    times[-1] *= _HOLD_LAST
    first.save(path, save_all=True, append_images=others, duration=times, loop=0, **writer)
    return len(boards)


def _frames(boards: list[Board], width: int, theme: str) -> Iterator[Any]:
    """The frames as images with one palette."""
    images = need("PIL.Image")
    palette = _palette(boards, width, theme)
    for board in boards:
        image = images.fromarray(_pixels(board, width, theme))
        yield image.quantize(palette=palette, dither=images.Dither.NONE)


def _palette(boards: list[Board], width: int, theme: str) -> Any:
    """The theme's own colours, plus the most frequent colours of smoothed edges in a few frames."""
    images = need("PIL.Image")
    picked = np.linspace(0, len(boards) - 1, min(_SAMPLES, len(boards))).round().astype(int)
    sample = np.concatenate([_pixels(boards[i], width, theme) for i in picked])
    solid = [part for colour in solid_colours(theme) for part in colour]
    blends = images.fromarray(sample).quantize(_COLOURS - len(solid) // 3).getpalette()
    palette = images.new("P", (1, 1))
    palette.putpalette((solid + blends)[: 3 * _COLOURS])
    return palette


def _pixels(board: Board, width: int, theme: str) -> Any:
    return paint(compose(board, "wide"), width, theme)
