"""Pictures and films of Carcassonne, as `faces.registry` asks for them."""

from __future__ import annotations

from collections.abc import Iterable

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing.film import SvgPictures, check_every
from channel_tunnel_env.games.carcassonne.board.completed import with_completed
from channel_tunnel_env.games.carcassonne.board.picture import draw_picture, to_svg
from channel_tunnel_env.games.carcassonne.board.theme import solid_colours

__all__ = ["read_film", "to_rgb", "to_svg", "write_film"]


_PICTURES = SvgPictures(to_svg, solid_colours)
to_rgb, write_film = _PICTURES.to_rgb, _PICTURES.write_film


def read_film(games: Iterable[Game], viewer: str | int | None = None, every: str = "turn") -> list[tuple[str, str]]:
    """The pictures that a film shows, each light and dark; what a turn completed is lit after it.

    Args:
        games: a game's positions in order; may be one object that moves on.
        viewer: a seat; all seats see the same.
        every: "decision" takes every position, "turn" those in which a tile is about to be placed, and the last.

    Raises:
        ValueError: an unknown `every`.
    """
    check_every(every)
    return [
        (draw_picture(game, "light", lit), draw_picture(game, "dark", lit))
        for game, lit in with_completed(games)
        if every == "decision" or game.is_over or game.phase == "cell"
    ]
