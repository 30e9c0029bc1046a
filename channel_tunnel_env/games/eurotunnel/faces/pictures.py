"""Pictures and films of Eurotunnel Diplomacy, as `faces.registry` asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing.film import SvgPictures, check_every
from channel_tunnel_env.games.eurotunnel.board.picture import to_svg
from channel_tunnel_env.games.eurotunnel.board.theme import solid_colours
from channel_tunnel_env.games.eurotunnel.engine import constants as c

__all__ = ["read_film", "to_rgb", "to_svg", "write_film"]


_PICTURES = SvgPictures(to_svg, solid_colours)
to_rgb, write_film = _PICTURES.to_rgb, _PICTURES.write_film


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
    check_every(every)
    return [(to_svg(game, viewer, "light"), to_svg(game, viewer, "dark")) for game in _shown(games, viewer, every)]


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
