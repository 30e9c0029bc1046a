"""What the game offers beyond its rules, each part loaded when it is first asked for (see `faces.registry`)."""

from __future__ import annotations

from typing import Any

from channel_tunnel_env.faces.actions import ActionFace
from channel_tunnel_env.faces.observation import ObservationFace
from channel_tunnel_env.faces.registry import (
    Faces,
    OrderFace,
    PictureFace,
    PositionFace,
    RuleWordsFace,
    TextFace,
)
from channel_tunnel_env.faces.table import Lesson, TableFace
from channel_tunnel_env.faces.terminal import TerminalFace


def _game() -> type[Any]:
    from channel_tunnel_env.games.eurotunnel.game import Game

    return Game


def _positions() -> PositionFace:
    from channel_tunnel_env.games.eurotunnel import game_positions

    return game_positions


def _text() -> TextFace:
    from channel_tunnel_env.games.eurotunnel import render

    return render


def _observation() -> ObservationFace:
    from channel_tunnel_env.games.eurotunnel import observation

    return observation


def _actions() -> ActionFace:
    from channel_tunnel_env.games.eurotunnel.faces import actions

    return actions


def _terminal() -> TerminalFace:
    from channel_tunnel_env.games.eurotunnel.faces import terminal

    return terminal


def _pictures() -> PictureFace:
    from channel_tunnel_env.games.eurotunnel.faces import pictures

    return pictures


def _table() -> TableFace:
    from channel_tunnel_env.games.eurotunnel.faces import table

    return table


def _lesson() -> Lesson:
    from channel_tunnel_env.games.eurotunnel.faces.lesson import lesson

    return lesson()


def _orders() -> OrderFace:
    from channel_tunnel_env.games.eurotunnel.faces import orders

    return orders


def _rule_words() -> RuleWordsFace:
    from channel_tunnel_env.games.eurotunnel.faces.rule_words import RULE_WORDS

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
    orders=_orders,
    actions=_actions,
    rule_words=_rule_words,
)
