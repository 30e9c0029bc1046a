"""The action spaces on a phone: each one a row of its stack and its two options, a slot's card above."""

from __future__ import annotations

from channel_tunnel_env.drawing.metrics import fit, text_width
from channel_tunnel_env.drawing.svg import circle, rect, target, text
from channel_tunnel_env.games.tunnel_1987.board.parts import Boxes, Picture
from channel_tunnel_env.games.tunnel_1987.board.pieces import note
from channel_tunnel_env.games.tunnel_1987.board.spaces import (
    OPTION_NOTES,
    Rows,
    card_in_words,
    draw_option,
    fan_at,
    needs_words,
    points_sign,
    put_rows,
    slot_words,
)
from channel_tunnel_env.games.tunnel_1987.board.values import PrintedCard, Space
from channel_tunnel_env.games.tunnel_1987.board.words import shorter
from channel_tunnel_env.games.tunnel_1987.words import SPACES_IN_WORDS, title

_PAD = 4
_OPTION = 34  # height of an option
_CARD = 39
HEIGHT = _OPTION + 2 * _PAD
SLOT_HEIGHT = _CARD + _PAD + HEIGHT
_STACK = 70  # x where the stack stands, right of the words
_OPTIONS = 124  # x where the options begin
_BETWEEN = 6  # the two options
_DISC = 11  # radius of a disc of the stack
_NOTE = 38  # width of the bank note


def put_phone_space(picture: Picture, space: Space, x: float, y: float, width: float) -> float:
    """One space, its top left corner at x, y; returns its height."""
    height = SLOT_HEIGHT if space.is_slot else HEIGHT
    boxes: Boxes = {f"space:{space.name}": (0, 0, width, height)}
    rows: Rows = []
    if space.is_slot:
        rows.append((_card(space, width, boxes), _PAD + _CARD + 1))
    rows.append((_stack_and_options(space, width, height - _PAD - _OPTION, boxes), height))
    put_rows(picture, space, (x, y, width, height), rows, boxes)
    return height


def _card(space: Space, width: float, boxes: Boxes) -> str:
    left, top, inner = _PAD, _PAD, width - 2 * _PAD
    name, card = f"card:{space.name}", space.card
    boxes[name] = (left, top, inner, _CARD)
    if card is None:
        content = rect(left, top, inner, _CARD, "ghost", 7)
        words = text(width / 2, top + _CARD / 2 + 4, "no card", "s-m")
        return target(name, "deck", "no card", content + words)
    start = left + 36
    content = (
        rect(left, top, inner, _CARD, "card", 7)
        + points_sign(left + 19, top + _CARD / 2, card.points)
        + text(start, top + 17, _heading(card, inner - 36 - _NOTE - 12), "h3")
        + text(start, top + 33, _ability(card, inner - 36 - 6), "n")
        + note(width - _PAD - _NOTE - 5, top + 3, f"{card.money} M", _NOTE)
    )
    return target(name, f"card:{card.key}", card_in_words(card), content)


def _heading(card: PrintedCard, room: float) -> str:
    name = card.name if text_width(card.name, 14, True) <= room else card.short_name
    return fit(name, room, 14, True)


def _ability(card: PrintedCard, room: float) -> str:
    whole = text_width(card.ability, 12.5) <= room
    return fit(card.ability if whole else shorter(card.ability), room, 12.5)


def _stack_and_options(space: Space, width: float, y: float, boxes: Boxes) -> str:
    middle = y + _OPTION / 2
    needs = needs_words(space)
    if space.is_slot:
        words = text(8, middle - 3, SPACES_IN_WORDS[space.name], "h3")
        words += text(8, middle + 14, needs, "s")
        options = zip(space.options, slot_words(space), strict=True)
    else:
        words = text(8, middle + 4.6, needs, "s")
        told = ((title(option), OPTION_NOTES[option]) for option in space.options)
        options = zip(space.options, told, strict=True)
    room = (width - _OPTIONS - _PAD - _BETWEEN) / 2
    drawn = "".join(
        draw_option(space, option, head, under, (_OPTIONS + i * (room + _BETWEEN), y, room), boxes, _OPTION)
        for i, (option, (head, under)) in enumerate(options)
    )
    return words + _stack(space, middle) + drawn


def _stack(space: Space, middle: float) -> str:
    """The stack, in the room between the words and the options."""
    left = _STACK + _DISC + 2
    if not space.height:
        return circle(left, middle, _DISC, "ghost")
    step = min(8, (_OPTIONS - _STACK - 2 * _DISC - 4) / max(space.height - 1, 1))
    return fan_at(space.colour, space.height, step, _DISC, left, middle)
