"""The five action spaces: stacks, options, and on the slots the cards on display."""

from __future__ import annotations

from channel_tunnel_env.board.metrics import fit, wrap
from channel_tunnel_env.board.pieces import fan, note
from channel_tunnel_env.board.svg import circle, rect, target, text
from channel_tunnel_env.board.view import Card, Space
from channel_tunnel_env.board.words import SPACES_IN_WORDS, title

HEIGHT = 218
_PAD = 10
_STACK_LINE = 26
_OPTION_HEIGHT = 40

OPTION_NOTES = {
    "plan": "turn up a token",
    "tunnel": "bore the front token",
    "finance": "a card as money",
    "technology": "move a counter",
}
COST_NOTES = {
    "free": "free",
    "discard1": "discard 1 rubble",
    "place1": "place 1 rubble",
    "place1or2": "place 1-2 rubble",
}


def draw_space(space: Space, width: float, marked: frozenset[str]) -> str:
    """One space, its top left corner at 0, 0."""
    is_slot = "secondary" in space.options
    label = f"{SPACES_IN_WORDS[space.name]}: {_stack_in_words(space)}"
    frame = "last" if f"space:{space.name}" in marked else "now" if space.in_use else ""
    body = _slot(space, width, marked) if is_slot else _permanent(space, width, marked)
    content = (
        rect(0, 0, width, HEIGHT, "panel", 10)
        + body
        + (rect(0, 0, width, HEIGHT, frame, 10) if frame else "")
    )
    return target(f"space:{space.name}", f"space:{space.name}", label, content)


def _stack_in_words(space: Space) -> str:
    stack = f"{space.height} {space.colour}" if space.height else "no stack"
    needs = f"takes {space.needs} or more" if space.needs else "closed this round"
    return f"{stack}, {needs}"


def _needs(space: Space) -> str:
    return f"needs {space.needs}+" if space.needs else "closed"


def _permanent(space: Space, width: float, marked: frozenset[str]) -> str:
    name = SPACES_IN_WORDS[space.name]
    middle = width / 2
    if space.height:
        radius, step = 19, 15
        left = middle - step * (space.height - 1) / 2
        stack = fan_at(space.colour, space.height, step, radius, left, 70)
    else:
        stack = circle(middle, 70, 19, "ghost")
    options = "".join(
        _option(
            space,
            option,
            title(option),
            OPTION_NOTES[option],
            (_PAD, HEIGHT - (2 - i) * (_OPTION_HEIGHT + 6) - 4, width - 2 * _PAD),
            marked,
        )
        for i, option in enumerate(space.options)
    )
    return (
        text(middle, 29, fit(name, width - 2 * _PAD, 14, True), "h3-m")
        + stack
        + text(middle, 112, _needs(space), "s-m")
        + options
    )


def fan_at(colour: str, number: int, step: float, radius: float, x: float, y: float) -> str:
    """A fan of discs with its first disc's middle at x, y."""
    return f'<g transform="translate({x:g} {y:g})">{fan(colour, number, step, radius)}</g>'


def _slot(space: Space, width: float, marked: frozenset[str]) -> str:
    name = SPACES_IN_WORDS[space.name]
    if space.height:
        stack = fan_at(space.colour, space.height, 9, 13, 86, _STACK_LINE - 4)
    else:
        stack = circle(86, _STACK_LINE - 4, 13, "ghost")
    head = (
        text(_PAD + 4, _STACK_LINE, name, "h3")
        + stack
        + text(width - _PAD - 4, _STACK_LINE, _needs(space), "s-e")
    )
    return head + _shown_card(space, width, marked) + _slot_options(space, width, marked)


def _shown_card(space: Space, width: float, marked: frozenset[str]) -> str:
    left, top, height = _PAD, 44, HEIGHT - 44 - _OPTION_HEIGHT - 18
    inner = width - 2 * _PAD
    name, card = f"card:{space.name}", space.card
    frame = rect(left, top, inner, height, "last", 8) if name in marked else ""
    if card is None:
        content = rect(left, top, inner, height, "ghost", 8) + text(
            width / 2, top + height / 2 + 4, "no card", "s-m"
        )
        return target(name, "deck", "no card", content + frame)
    content = (
        rect(left, top, inner, height, "card", 8)
        + _points(left + 22, top + 24, card.points)
        + _lines(left + 46, top + 20, wrap(card.name, inner - 46 - 50, 14, 2, True), "h3", 17)
        + note(width - _PAD - 46, top + 8, f"{card.money} M")
        + _lines(left + 12, top + 64, wrap(card.ability, inner - 24, 12.5, 3), "n", 17)
    )
    return target(name, f"card:{card.key}", _card_in_words(card), content + frame)


def _card_in_words(card: Card) -> str:
    return (
        f"{card.name}: {card.points} points, cost {COST_NOTES[card.cost]}, {card.money} M, "
        f"secondary action {title(card.secondary)}; {card.ability}"
    )


def _points(x: float, y: float, points: int) -> str:
    return circle(x, y, 15, "reached") + text(x, y + 6, str(points), "num-m")


def _lines(x: float, y: float, lines: tuple[str, ...], style: str, step: float) -> str:
    return "".join(text(x, y + i * step, line, style) for i, line in enumerate(lines))


def _slot_options(space: Space, width: float, marked: frozenset[str]) -> str:
    card = space.card
    secondary = title(card.secondary) if card else "-"
    cost = COST_NOTES[card.cost] if card else "-"
    y, room = HEIGHT - _OPTION_HEIGHT - 10, width - 2 * _PAD - 6
    left = room * 0.44
    return _option(space, "secondary", secondary, "secondary", (_PAD, y, left), marked) + _option(
        space, "develop", "Develop", cost, (_PAD + left + 6, y, room - left), marked
    )


def _option(
    space: Space,
    option: str,
    head: str,
    under: str,
    place: tuple[float, float, float],
    marked: frozenset[str],
) -> str:
    """A use of the space: what it is called over what it does."""
    x, y, width = place
    name = f"option:{space.name}:{option}"
    content = (
        rect(x, y, width, _OPTION_HEIGHT, "slot", 7)
        + text(x + width / 2, y + 17, head, "h3-m")
        + text(x + width / 2, y + 33, fit(under, width - 6, 12.5), "s-m")
        + (rect(x, y, width, _OPTION_HEIGHT, "last", 7) if name in marked else "")
    )
    return target(name, f"action:{option}", f"{head}: {under}", content)
