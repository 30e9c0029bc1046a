"""Bag, decks and the first-player card, and the legend of the signs."""

from __future__ import annotations

from channel_tunnel_env.drawing.svg import group, panel, rect, target, text, text_width
from channel_tunnel_env.games.tunnel_1987.board.parts import Boxes, Part, Picture
from channel_tunnel_env.games.tunnel_1987.board.pieces import benefit_sign, disc, flag, star
from channel_tunnel_env.games.tunnel_1987.board.theme import SMALL
from channel_tunnel_env.games.tunnel_1987.board.values import Board, Stock
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.words import COLOUR_LETTERS, title

HEIGHT = 48
LEGEND, NARROW_LEGEND = 28, 76
_ROW = 46  # on a phone
_PAD = 14
_BETWEEN = 24  # pieces of a row
_START_CARD = (0, 8, 108, 32)


def put_stock(picture: Picture, board: Board, x: float, y: float, width: float) -> None:
    """Everything in one row, one part each, with even gaps."""
    pieces = [_bag(board.stock), _deck(board.stock), _deviation(board.stock)]
    pieces += [_agenda(board.stock)] if board.agenda else []
    pieces.append(_first_player(board))
    gap = (width - 2 * _PAD - sum(room for _, room in pieces)) // (len(pieces) - 1)
    under, left = panel(x, y, width, HEIGHT), x
    for content, room in pieces[:-1]:
        picture.put(Part(left, y, room + gap, HEIGHT, group(content, _PAD), under))
        left += room + gap
    _put_row(picture, [pieces[-1]], (left, y, x + width - left, HEIGHT), under, starts_at=0)


def put_narrow_stock(picture: Picture, board: Board, x: float, y: float, width: float) -> float:
    """Everything in rows, one below the other; returns the height."""
    stock = board.stock
    bag, deck, starts = [_bag(stock)], [_deck(stock)], _first_player(board)
    rows = [bag, [_deviation(stock)], deck]
    starting = bag if 2 * _PAD + bag[0][1] + _BETWEEN + starts[1] <= width else deck
    starting.append(starts)
    if board.agenda and starting is deck:
        rows.append([_agenda(stock)])
    elif board.agenda:
        deck.append(_agenda(stock))
    height = _ROW * len(rows) + 2
    under = panel(x, y, width, height)
    for i, row in enumerate(rows):
        box = (x, y + i * _ROW, width, _ROW if row is not rows[-1] else _ROW + 2)
        _put_row(picture, row, box, under, starts_at=1 if row is starting else None)
    return height


def _put_row(
    picture: Picture,
    row: list[tuple[str, float]],
    box: tuple[float, float, float, float],
    under: str,
    starts_at: int | None,
) -> None:
    """Pieces side by side as one part; the first-player card is the one at `starts_at`."""
    content, boxes, left = "", Boxes(), float(_PAD)
    for i, (drawing, room) in enumerate(row):
        content += group(drawing, left)
        if i == starts_at:
            boxes["start"] = (left, *_START_CARD[1:])
        left += room + _BETWEEN
    picture.put(Part(*box, content, under), boxes)


def _bag(stock: Stock) -> tuple[str, float]:
    content = text(0, 29, "Bag", "s")
    for i, (colour, number) in enumerate(zip(c.COLOURS, stock.bag, strict=True)):
        x = 46 + i * 46
        content += disc(x, 24, colour, 11) + text(x + 15, 29, str(number), "b")
    words = ", ".join(f"{n} {colour}" for colour, n in zip(c.COLOURS, stock.bag, strict=True))
    return target("bag", "bag", f"discs in the bag: {words}", content), 265


def _pile(x: float, words: str) -> str:
    """A deck, face down, with its number of cards."""
    return rect(x + 4, 8, 26, 32, "back", 3) + rect(x, 10, 26, 32, "box", 3) + text(x + 13, 31, words, "b-m")


def _deck(stock: Stock) -> tuple[str, float]:
    content = text(0, 29, "Cards", "s") + _pile(46, str(stock.deck)) + text(86, 29, f"{stock.discard} discarded", "n")
    label = f"{stock.deck} cards in the deck, {stock.discard} discarded"
    return target("deck", "deck", label, content), 176


def _deviation(stock: Stock) -> tuple[str, float]:
    content = text(0, 29, "Deviation deck", "s") + _pile(108, str(stock.deviation_deck))
    for i, (colour, level) in enumerate(stock.deviation_discard):
        x = 150 + i * 32
        content += rect(x, 10, 28, 30, f"dev-{colour}", 4)
        letter = "" if colour == "none" else colour[0].upper()
        content += text(x + 14, 30, f"{letter}{-level if level else 0}", f"dev-{colour}-t")
    words = ", ".join(f"{colour} {-n}" for colour, n in stock.deviation_discard) or "none"
    label = f"{stock.deviation_deck} deviation cards in the deck, discarded: {words}"
    return target("deviation_deck", "deviation_deck", label, content), 310


def _agenda(stock: Stock) -> tuple[str, float]:
    content = text(0, 29, "Agenda", "s") + _pile(58, str(stock.agenda_deck))
    label = f"{stock.agenda_deck} agenda cards in the deck"
    return target("agenda_deck", "agenda", label, content), 90


def _first_player(board: Board) -> tuple[str, float]:
    side = next(side.name for side in board.sides if side.first_player)
    content = rect(*_START_CARD, "box", 5) + flag(8, 14, side) + text(46, 29, "starts", "n")
    return target("start", "first_player", f"{title(side)} holds the first-player card", content), 108


def draw_legend(board: Board, width: float) -> str:
    """What the signs mean."""
    entries = [
        (benefit_sign(0, 0, "peek"), "look at a token"),
        (benefit_sign(0, 0, "extra_disc"), "extra disc each round"),
        (benefit_sign(0, 0, "storage"), "extra storage space"),
    ]
    if board.agenda:
        entries.append((star(0, 0), "agenda symbol"))
    content, x, y = "", 16.0, 14.0
    for sign, words in entries:
        room = 20 + text_width(words, SMALL)
        if x + room > width:
            x, y = 16.0, y + 24
        content += group(sign, x, y) + text(x + 16, y + 4.6, words, "s")
        x += room + 26
    colours = " · ".join(f"{COLOUR_LETTERS[colour]} {colour}" for colour in c.COLOURS)
    if x + text_width(colours, SMALL) > width:
        x, y = 8.0, y + 24
    return content + text(width, y + 4.6, colours, "s-e")
