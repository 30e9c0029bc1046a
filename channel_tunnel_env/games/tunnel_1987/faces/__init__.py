"""What the game offers beyond its rules, each part loaded when it is first asked for (see `faces.registry`)."""

from __future__ import annotations

from typing import Any

from channel_tunnel_env.faces.observation import ObservationFace
from channel_tunnel_env.faces.registry import (
    Checker,
    Faces,
    PictureFace,
    PositionFace,
    RuleWordsFace,
    TextFace,
)
from channel_tunnel_env.faces.table import Lesson, TableFace
from channel_tunnel_env.faces.terminal import TerminalFace


def _game() -> type[Any]:
    from channel_tunnel_env.games.tunnel_1987.game import Game

    return Game


def _positions() -> PositionFace:
    from channel_tunnel_env.games.tunnel_1987.positions import position

    return position


def _text() -> TextFace:
    from channel_tunnel_env.games.tunnel_1987 import render

    return render


def _observation() -> ObservationFace:
    from channel_tunnel_env.games.tunnel_1987 import observation

    return observation


def _terminal() -> TerminalFace:
    from channel_tunnel_env.games.tunnel_1987.faces import terminal

    return terminal


def _pictures() -> PictureFace:
    from channel_tunnel_env.games.tunnel_1987.faces import pictures

    return pictures


def _table() -> TableFace:
    from channel_tunnel_env.games.tunnel_1987.faces import table

    return table


def _lesson() -> Lesson:
    from channel_tunnel_env.games.tunnel_1987.faces.lesson import lesson

    return lesson()


def _check() -> Checker:
    from channel_tunnel_env.games.tunnel_1987.checking import check_games

    return check_games


def _rule_words() -> RuleWordsFace:
    from channel_tunnel_env.games.tunnel_1987 import rule_words

    return rule_words


FACES = Faces(
    _game,
    _positions,
    _text,
    _observation,
    _terminal,
    _pictures,
    _table,
    _lesson,
    _check,
    rule_words=_rule_words,
)
