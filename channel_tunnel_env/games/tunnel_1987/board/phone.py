"""The board on a phone: a side with what is decided first, and the action spaces, a row for each stack and its two options."""

from __future__ import annotations

from channel_tunnel_env.drawing.svg import circle, fit, group, rect, target, text, text_width
from channel_tunnel_env.games.tunnel_1987.board.parts import Boxes, Picture
from channel_tunnel_env.games.tunnel_1987.board.pieces import LETTER_DROP, benefit_sign, note
from channel_tunnel_env.games.tunnel_1987.board.players import CARD_HEAD, CHIP, POINTS_ROW, PlayerBoard
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
from channel_tunnel_env.games.tunnel_1987.board.theme import SMALL
from channel_tunnel_env.games.tunnel_1987.board.values import PrintedCard, Space, TrackSpace
from channel_tunnel_env.games.tunnel_1987.board.words import shorter
from channel_tunnel_env.games.tunnel_1987.words import SPACES_IN_WORDS, title

_LIFT = 4  # of the rows that all boards share, which stand closer here
_ROW, _TRACK_ROW, _MONEY_ROW = 36, 34, 30
_SIGN = 20  # width of what a space of a track gives


class PhoneBoard(PlayerBoard):
    """A board as low as its pieces allow."""

    labels, contents, head = 8, 68, 30
    storage_pitch, storage_width = 33, 165
    track_middle, step_height = 17, 28

    def _fill(self, agenda: bool, rows: int) -> None:
        self._add(self.head + 2, self._head())
        self._raise(_ROW, self._discs())
        at = self.contents + max(4, self.side.room) * self._pitch() + 2
        self._raise(_ROW, self._storage() + self._deviation(at, at + 71))
        for track in self.side.tracks:
            self._add(_TRACK_ROW, self._track(track))
        self._raise(_MONEY_ROW, self._money())
        if agenda:
            self._raise(self._agenda_row(), self._agenda())
        self._raise(CARD_HEAD + rows * CHIP, self._cards(rows))
        self._add(POINTS_ROW, self._points())

    def _notes(self) -> list[str]:
        """Without whose turn it is, which the page says: long points have their room."""
        return super()._notes()[self.side.to_play :]

    def _raise(self, height: float, content: str) -> None:
        """Add a row a little higher than it is drawn."""
        self._boxes = {name: (x, y - _LIFT, width, tall) for name, (x, y, width, tall) in self._boxes.items()}
        self._add(height, group(content, 0, -_LIFT))

    def _worth(self, step: TrackSpace, here: bool, x: float, cell: float) -> str:
        """The points of a track's space beside what it gives."""
        line, has_sign = self.track_middle, step.benefit != "none"
        large = not has_sign or text_width(str(step.points), 17, True) + _SIGN + 4 <= cell
        style = ("side-m" if here else "num-m") if large else ("sides-m" if here else "b-m")
        middle = x + (cell - _SIGN) / 2 if has_sign else x + cell / 2
        drop = 6 if large else LETTER_DROP
        parts = [text(middle, line + drop, str(step.points), style)]
        if has_sign:
            at = x + cell - _SIGN / 2 - 3
            if here:
                parts.append(rect(at - 11, line - 11, 22, 22, "pill", 4))
            parts.append(benefit_sign(at, line, step.benefit, "-p" if here else ""))
        return "".join(parts)


_PAD = 4
_OPTION = 39  # height of an option
_CARD = 39
HEIGHT = _OPTION + 2 * _PAD
SLOT_HEIGHT = _CARD + _PAD + HEIGHT
_STACK = 76  # x where the stack stands, right of the words
_OPTIONS = 130  # x where the options begin
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
    whole = text_width(card.ability, SMALL) <= room
    return fit(card.ability if whole else shorter(card.ability), room, SMALL)


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
