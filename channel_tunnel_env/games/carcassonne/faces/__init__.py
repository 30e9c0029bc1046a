"""What the game offers beyond its rules, each part loaded when it is first asked for (see `faces.registry`)."""

from __future__ import annotations

from typing import Any

from channel_tunnel_env.faces.actions import ActionFace
from channel_tunnel_env.faces.observation import ObservationFace
from channel_tunnel_env.faces.registry import (
    Faces,
    PictureFace,
    PositionFace,
    RuleWordsFace,
    TextFace,
)
from channel_tunnel_env.faces.table import Lesson, TableFace
from channel_tunnel_env.faces.terminal import TerminalFace


def _game() -> type[Any]:
    from channel_tunnel_env.games.carcassonne.game import Game

    return Game


def _positions() -> PositionFace:
    from channel_tunnel_env.games.carcassonne import positions

    return positions


def _text() -> TextFace:
    from channel_tunnel_env.games.carcassonne import render

    return render


def _observation() -> ObservationFace:
    from channel_tunnel_env.games.carcassonne import observation

    return observation


def _actions() -> ActionFace:
    from channel_tunnel_env.games.carcassonne.faces import actions

    return actions


def _terminal() -> TerminalFace:
    from channel_tunnel_env.games.carcassonne.faces import terminal

    return terminal


def _pictures() -> PictureFace:
    from channel_tunnel_env.games.carcassonne.faces import pictures

    return pictures


def _table() -> TableFace:
    from channel_tunnel_env.games.carcassonne.faces import table

    return table


def _lesson() -> Lesson:
    from channel_tunnel_env.games.carcassonne.faces.lesson import lesson

    return lesson()


def _rule_words() -> RuleWordsFace:
    from channel_tunnel_env.games.carcassonne.faces.rule_words import RULE_WORDS

    return RULE_WORDS


FACES = Faces(
    _game,
    _positions,
    _text,
    _observation,
    _terminal,
    _pictures,
    _table,
    _lesson,
    actions=_actions,
    rule_words=_rule_words,
)
