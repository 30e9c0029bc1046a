"""The five action spaces: stacks, options, and on the slots the cards on display."""

from __future__ import annotations

from dataclasses import replace

from channel_tunnel_env.drawing.svg import ELLIPSIS, circle, fit, panel, rect, target, text, text_width, wrap
from channel_tunnel_env.games.tunnel_1987.board.parts import Boxes, Part, Picture
from channel_tunnel_env.games.tunnel_1987.board.pieces import fan, note
from channel_tunnel_env.games.tunnel_1987.board.theme import SMALL
from channel_tunnel_env.games.tunnel_1987.board.values import PrintedCard, Space
from channel_tunnel_env.games.tunnel_1987.board.words import shorter
from channel_tunnel_env.games.tunnel_1987.rule_table import COSTS
from channel_tunnel_env.games.tunnel_1987.words import SPACES_IN_WORDS, points_words, title

HEIGHT, LOW_HEIGHT = 222, 190  # of a space in a wide picture, and at the table
# What changes independently, each with its lower edge: drawn in rows, see Part.pieces.
Rows = list[tuple[str, float]]

_PAD = 10
_STACK_LINE = 26
_CARD_TOP = 44
_OPTION_HEIGHT = 40
_NOTE = 44  # width of the money note

OPTION_NOTES = {
    "plan": "turn up a token",
    "tunnel": "bore one token",
    "finance": "a card as money",
    "technology": "move a counter",
}


def put_space(picture: Picture, space: Space, x: float, y: float, width: float, height: float) -> None:
    """One space, its top left corner at x, y."""
    boxes: Boxes = {f"space:{space.name}": (0, 0, width, height)}
    rows = _slot(space, width, height, boxes) if space.is_slot else _permanent(space, width, height, boxes)
    put_rows(picture, space, (x, y, width, height), rows, boxes)


def put_rows(
    picture: Picture, space: Space, place: tuple[float, float, float, float], rows: Rows, boxes: Boxes
) -> None:
    """A space of these rows at x, y, width, height; `boxes` hold all that it consists of."""
    x, y, width, height = place
    label = f"{SPACES_IN_WORDS[space.name]}: {_stack_in_words(space)}"
    name = f"space:{space.name}"
    drawing = panel(0, 0, width, height) + "".join(row for row, _ in rows)
    whole = target(name, name, label, drawing)
    part = Part(x, y, width, height, whole, panel(x, y, width, height))
    pieces, top = [], 0.0
    for row, bottom in rows:
        pieces.append(part.cut(0, top, width, bottom - top, row))
        top = bottom
    picture.put(replace(part, pieces=tuple(pieces)), boxes)
    if space.in_use and name not in picture.marked:
        picture.frame("now", x, y, width, height)


def _stack_in_words(space: Space) -> str:
    stack = f"{space.height} {space.colour}" if space.height else "no stack"
    needs = f"takes {space.needs} or more" if space.needs else "closed this round"
    return f"{stack}, {needs}"


def needs_words(space: Space) -> str:
    return f"needs {space.needs}+" if space.needs else "closed"


def _permanent(space: Space, width: float, height: float, boxes: Boxes) -> Rows:
    name = SPACES_IN_WORDS[space.name]
    middle = width / 2
    line, at, needs, end = (29, 70, 112, 120) if height == HEIGHT else (22, 51, 86, 92)
    if space.height:
        radius, step = 19, 15
        left = middle - step * (space.height - 1) / 2
        stack = fan_at(space.colour, space.height, step, radius, left, at)
    else:
        stack = circle(middle, at, 19, "ghost")
    options = "".join(
        draw_option(
            space,
            option,
            title(option),
            OPTION_NOTES[option],
            (_PAD, height - (2 - i) * (_OPTION_HEIGHT + 6) - 4, width - 2 * _PAD),
            boxes,
        )
        for i, option in enumerate(space.options)
    )
    head = (
        text(middle, line, fit(name, width - _PAD, 14, True), "h3-m")
        + stack
        + text(middle, needs, needs_words(space), "s-m")
    )
    return [(head, end), (options, height)]


def fan_at(colour: str, number: int, step: float, radius: float, x: float, y: float) -> str:
    """A fan of discs with its first disc's middle at x, y."""
    return f'<g transform="translate({x:g} {y:g})">{fan(colour, number, step, radius)}</g>'


def _slot(space: Space, width: float, height: float, boxes: Boxes) -> Rows:
    name = SPACES_IN_WORDS[space.name]
    if space.height:
        stack = fan_at(space.colour, space.height, 9, 13, 86, _STACK_LINE - 4)
    else:
        stack = circle(86, _STACK_LINE - 4, 13, "ghost")
    head = (
        text(_PAD + 4, _STACK_LINE, name, "h3") + stack + text(width - _PAD - 4, _STACK_LINE, needs_words(space), "s-e")
    )
    return [
        (head, _CARD_TOP - 1),
        (_shown_card(space, width, height, boxes), height - _OPTION_HEIGHT - 14),
        (_slot_options(space, width, height, boxes), height),
    ]


def _shown_card(space: Space, width: float, height: float, boxes: Boxes) -> str:
    left, top, height = _PAD, _CARD_TOP, height - _CARD_TOP - _OPTION_HEIGHT - 18
    inner = width - 2 * _PAD
    name, card = f"card:{space.name}", space.card
    boxes[name] = (left, top, inner, height)
    if card is None:
        content = rect(left, top, inner, height, "ghost", 8) + text(width / 2, top + height / 2 + 4, "no card", "s-m")
        return target(name, "deck", "no card", content)
    heading = wrap(card.name, inner - 46 - 8, 14, 2, True)
    low = height < HEIGHT - _CARD_TOP - _OPTION_HEIGHT - 18
    ability = _ability(card, inner - 24, low)
    content = (
        rect(left, top, inner, height, "card", 8)
        + points_sign(left + 24, top + 26, card.points)
        + _lines(left + 48, top + (22 if len(heading) > 1 else 31), heading, "h3", 17)
        + _lines(left + 12, top + (56 if low else 64), ability, "n", 17)
        + note(width - _PAD - 46, top + height - (27 if low else 30), f"{card.money} M")
    )
    return target(name, f"card:{card.key}", card_in_words(card), content)


def _ability(card: PrintedCard, width: float, low: bool) -> tuple[str, ...]:
    """The lines of a card's ability; on a low card the second one leaves room for the money."""
    if not low:
        return wrap(card.ability, width, SMALL, 3)
    room = width - _NOTE
    for words in (card.ability, shorter(card.ability)):
        for lines in (wrap(words, width, SMALL, 2), wrap(words, room, SMALL, 2)):
            if text_width(lines[-1], SMALL) <= room and not lines[-1].endswith(ELLIPSIS):
                return lines
    return lines


def card_in_words(card: PrintedCard) -> str:
    """A card for screen readers."""
    return (
        f"{card.name}: {points_words(card.points)}, cost {COSTS[card.cost].long}, {card.money} M, "
        f"secondary action {title(card.secondary)}; {card.ability}"
    )


def points_sign(x: float, y: float, points: int) -> str:
    return circle(x, y, 15, "reached") + text(x, y + 6, str(points), "num-m")


def _lines(x: float, y: float, lines: tuple[str, ...], style: str, step: float) -> str:
    return "".join(text(x, y + i * step, line, style) for i, line in enumerate(lines))


def slot_words(space: Space) -> tuple[tuple[str, str], tuple[str, str]]:
    """The names of a slot's two options, each with what stands below it."""
    card = space.card
    return (
        (title(card.secondary), "secondary") if card else ("Secondary", "no card"),
        ("Develop", COSTS[card.cost].long if card else "no card"),
    )


def _slot_options(space: Space, width: float, height: float, boxes: Boxes) -> str:
    (secondary, under), (develop, cost) = slot_words(space)
    y, room = height - _OPTION_HEIGHT - 10, width - 2 * _PAD - 6
    left = max(room * 0.44, 94)
    return draw_option(space, "secondary", secondary, under, (_PAD, y, left), boxes) + draw_option(
        space, "develop", develop, cost, (_PAD + left + 6, y, room - left), boxes
    )


def draw_option(
    space: Space,
    option: str,
    head: str,
    under: str,
    place: tuple[float, float, float],
    boxes: Boxes,
    height: float = _OPTION_HEIGHT,
) -> str:
    """A use of the space: its name above its effect; `place` is x, y and width."""
    x, y, width = place
    name = f"option:{space.name}:{option}"
    boxes[name] = (x, y, width, height)
    content = (
        rect(x, y, width, height, "slot", 7)
        + text(x + width / 2, y + (height - 6) / 2, head, "h3-m")
        + text(x + width / 2, y + height - 7, fit(under, width - 4, SMALL), "s-m")
    )
    return target(name, f"action:{option}", f"{head}: {under}", content)
