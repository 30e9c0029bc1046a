"""Pictures and films of Eurotunnel Diplomacy, as `faces.registry` asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing import film
from channel_tunnel_env.drawing.film import in_both_themes, paint, write_svg_film
from channel_tunnel_env.drawing.png import Pixels, check_raster
from channel_tunnel_env.games.eurotunnel.board.picture import WIDE, to_svg
from channel_tunnel_env.games.eurotunnel.board.theme import solid_colours
from channel_tunnel_env.games.eurotunnel.engine import constants as c

__all__ = ["read_film", "to_rgb", "to_svg", "write_film"]


def to_rgb(game: Game, width: int = WIDE, viewer: str | int | None = None, theme: str = "light") -> Pixels:
    """The map as pixels: uint8 (height, width, 3), of the same shape in every position.

    Args:
        width: in pixels; legible from 900.
        viewer: a seat, to draw only what that power knows; None draws everything.
        theme: "light" or "dark".

    Raises:
        ImportError: resvg-py or Pillow is missing.
        ValueError: an unknown viewer or theme, or a width below 1.
    """
    check_raster(width, theme)
    return paint(to_svg(game, viewer, theme), width)


def read_film(games: Iterable[Game], viewer: str | int | None = None, every: str = "turn") -> list[tuple[str, str]]:
    """The pictures that a film shows, each light and dark.

    Args:
        games: a game's positions in order; may be one object that moves on.
        viewer: a seat, to show only what that power knows; None shows everything.
        every: "turn" takes the first position of every phase and the last of the game, "decision" all. For a
            viewer both leave out what others are asked, because that can tell of their tunnels.

    Raises:
        ValueError: an unknown viewer or `every`.
    """
    film.check_every(every)
    return in_both_themes(_shown(games, viewer, every), to_svg, viewer)


def _shown(games: Iterable[Game], viewer: str | int | None, every: str) -> Iterator[Game]:
    before = None
    for game in games:
        state = game.states[0]
        phase = int(state["turn"]), int(state["phase"])
        is_asked = not game.is_over and (viewer is None or game.seat_index(viewer) == game.mover)
        # Whether anybody has somewhere to retreat to may be a secret (E16).
        begins = phase != before and (is_asked or phase[1] != c.RETREATS)
        if begins or game.is_over or (every == "decision" and is_asked):
            yield game
        before = phase


def write_film(
    pictures: list[tuple[str, str]],
    path: str | Path,
    *,
    width: int = film.WIDTH,
    theme: str = "light",
    seconds: float = film.SECONDS,
) -> int:
    """Write a film of one game (see `read_film`, `drawing.film`); returns its number of frames."""
    return write_svg_film(pictures, solid_colours(theme), path, width, theme, seconds)
