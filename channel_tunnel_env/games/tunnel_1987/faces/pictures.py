"""Pictures and films of 1987 Channel Tunnel, as `faces.registry` asks for them.

A frame of a film differs little from the one before, so `to_rgb` draws part by part and keeps the
results: an unchanged part is copied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.drawing import film
from channel_tunnel_env.drawing.png import FONT_FAMILY, Pixels, check_raster, to_pixels
from channel_tunnel_env.drawing.svg import group, rect
from channel_tunnel_env.games.tunnel_1987.board.parts import Frame, Part, Picture
from channel_tunnel_env.games.tunnel_1987.board.picture import WIDE, compose, to_svg
from channel_tunnel_env.games.tunnel_1987.board.theme import solid_colours, styles_by_class
from channel_tunnel_env.games.tunnel_1987.board.values import Board
from channel_tunnel_env.games.tunnel_1987.board.view import read_board
from channel_tunnel_env.games.tunnel_1987.game import Game

__all__ = ["read_film", "to_rgb", "to_svg", "write_film"]


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
    """Write a film of one game; returns its number of frames. See `read_film`, and `SvgPictures.write_film` of `drawing.film`."""
    check_raster(width, theme)
    return film.write_film(
        boards, lambda board: paint(compose(board, "wide"), width, theme), solid_colours(theme), path, seconds
    )


_KEPT_PARTS = 512  # about 60 MB at 1200 pixels
_FRAME_PAD = 4  # pixels around a frame, for the outer half of its line


def to_rgb(game: Game, width: int = WIDE, viewer: str | int | None = None, theme: str = "light") -> Pixels:
    """The board as pixels: uint8 (height, width, 3).

    The array has the same shape in every position of a ruleset, as video writers require.

    Args:
        width: in pixels; legible from 900.
        viewer: "britain", "france" or a seat, to draw only what it knows; None draws everything.
        theme: "light" or "dark".

    Raises:
        ImportError: resvg-py or Pillow is missing.
        ValueError: an unknown viewer or theme, or a width below 1.
    """
    check_raster(width, theme)
    return paint(compose(read_board(game, viewer), "wide"), width, theme)


def paint(picture: Picture, width: int, theme: str) -> Pixels:
    """A picture's parts as one array."""
    scale = width / picture.width
    height = max(1, round(picture.height * scale))
    pixels = _empty_page(width, height, theme).copy()
    pieces = (piece for part in picture.parts for piece in part.pieces or (part,))
    for part in pieces:
        left, top, right, bottom = _pixel_box(part, scale, width, height)
        pixels[top:bottom, left:right] = _tile(part, (left, top, right - left, bottom - top), scale, theme)
    for frame in picture.frames:
        _lay_frame(pixels, frame, scale, theme)
    return pixels


def _pixel_box(part: Part, scale: float, width: int, height: int) -> tuple[int, int, int, int]:
    """A part's edges rounded to pixels; neighbouring parts share an edge."""
    return (
        round(part.x * scale),
        round(part.y * scale),
        min(width, round((part.x + part.width) * scale)),
        min(height, round((part.y + part.height) * scale)),
    )


@lru_cache(maxsize=_KEPT_PARTS)
def _tile(part: Part, box: tuple[int, int, int, int], scale: float, theme: str) -> Pixels:
    """A part's pixels, cut out of the picture at `box` (left, top, width, height)."""
    left, top, width, height = box
    ground = rect(left / scale, top / scale, width / scale, height / scale, "page")
    shapes = ground + part.under + group(part.content, part.x, part.y)
    return _draw(shapes, box, scale, theme)


def _draw(shapes: str, box: tuple[int, int, int, int], scale: float, theme: str, mode: str = "RGB") -> Pixels:
    """Shapes in the picture's units, within a box of pixels: uint8 (height, width, channels)."""
    left, top, width, height = box
    if width < 1 or height < 1:
        return np.empty((max(height, 0), max(width, 0), len(mode)), np.uint8)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{left / scale} {top / scale} {width / scale} {height / scale}" '
        f"preserveAspectRatio=\"none\" font-family='{FONT_FAMILY}'>"
        f"{_inline_styles(shapes, theme)}</svg>"
    )
    return to_pixels(svg, mode=mode)


# --- frames -------------------------------------------------------------------------------------


def _lay_frame(pixels: Pixels, frame: Frame, scale: float, theme: str) -> None:
    """Blend a frame's line into the picture; nothing else changes."""
    left, top = round(frame.x * scale), round(frame.y * scale)
    width, height = round(frame.width * scale), round(frame.height * scale)
    rows, columns, colours, share = _frame_line(frame.style, width, height, scale, theme)
    rows, columns = rows + top - _FRAME_PAD, columns + left - _FRAME_PAD
    inside = (rows >= 0) & (columns >= 0) & (rows < len(pixels)) & (columns < pixels.shape[1])
    if not inside.all():  # a tiny picture, whose margin is narrower than the line
        rows, columns, colours, share = (rows[inside], columns[inside], colours[inside], share[inside])
    old = pixels[rows, columns]
    pixels[rows, columns] = np.rint(old + (colours - old) * share)


@lru_cache(maxsize=256)
def _frame_line(
    style: str, width: int, height: int, scale: float, theme: str
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32], NDArray[np.float32]]:
    """The pixels that a frame touches: rows, columns, colours (n, 3) and coverage (n, 1)."""
    line = Frame(style, _FRAME_PAD / scale, _FRAME_PAD / scale, width / scale, height / scale)
    box = (0, 0, width + 2 * _FRAME_PAD, height + 2 * _FRAME_PAD)
    drawn = _draw(line.svg(), box, scale, theme, "RGBA")
    rows, columns = np.nonzero(drawn[..., 3])
    touched = drawn[rows, columns].astype(np.float32)
    return rows, columns, touched[:, :3], touched[:, 3:] / np.float32(255)


# --- styles -------------------------------------------------------------------------------------

# Attributes that a web page needs and a raster does not.
_FOR_PAGES = re.compile(r' (?:data-target|data-rule|aria-label)="[^"]*"')
_CLASS = re.compile(r'class="([^"]*)"')


def _inline_styles(shapes: str, theme: str) -> str:
    """Replace classes by attributes: resvg would match every rule against every shape."""
    attributes = _attributes(theme)
    bare = _FOR_PAGES.sub("", shapes)
    return _CLASS.sub(lambda match: " ".join(attributes.get(name, "") for name in match[1].split()), bare)


@cache
def _attributes(theme: str) -> dict[str, str]:
    return {name: " ".join(_as_attributes(body)) for name, body in styles_by_class(theme).items()}


def _as_attributes(body: str) -> Iterator[str]:
    for declaration in body.split(";"):
        name, _, value = declaration.partition(":")
        yield f'{name}="{value.removesuffix("px")}"'


@lru_cache(maxsize=4)
def _empty_page(width: int, height: int, theme: str) -> Pixels:
    colour = bytes.fromhex(styles_by_class(theme)["page"].removeprefix("fill:#"))
    return np.tile(np.frombuffer(colour, np.uint8), (height, width, 1))
