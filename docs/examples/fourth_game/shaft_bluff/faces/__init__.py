"""What the game offers beyond its rules, each part loaded when it is first asked for."""

from __future__ import annotations

from typing import Any

from channel_tunnel_env.faces.observation import ObservationFace
from channel_tunnel_env.faces.registry import Faces, PositionFace, TextFace
from channel_tunnel_env.faces.terminal import TerminalFace


def _game() -> type[Any]:
    from shaft_bluff.game import Game

    return Game


def _positions() -> PositionFace:
    from shaft_bluff import positions

    return positions


def _text() -> TextFace:
    from shaft_bluff import render

    return render


def _observation() -> ObservationFace:
    from shaft_bluff import observation

    return observation


def _terminal() -> TerminalFace:
    from shaft_bluff.faces import terminal

    return terminal


FACES = Faces(_game, _positions, _text, _observation, _terminal)
