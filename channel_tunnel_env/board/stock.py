"""Bag, decks and the first-player card, and the legend of the signs."""

from __future__ import annotations

from channel_tunnel_env.board.metrics import text_width
from channel_tunnel_env.board.pieces import benefit_sign, disc, flag, star
from channel_tunnel_env.board.svg import group, rect, target, text
from channel_tunnel_env.board.view import Board, Stock
from channel_tunnel_env.board.words import title
from channel_tunnel_env.engine.constants import COLOURS

HEIGHT = 48
ROW = 46


def draw_stock(board: Board, width: float, marked: frozenset[str]) -> str:
    """All of it in one row."""
    parts = [_bag(board.stock), _deck(board.stock), _deviation(board.stock)]
    parts.append(_first_player(board, marked))
    if board.agenda:
        parts.insert(3, _agenda(board.stock))
    gap = (width - 28 - sum(w for _, w in parts)) / (len(parts) - 1)
    content, x = rect(0, 0, width, HEIGHT, "panel", 10), 14.0
    for drawing, room in parts:
        content += group(drawing, x, 0)
        x += room + gap
    return content


def draw_narrow_stock(board: Board, width: float, marked: frozenset[str]) -> tuple[str, float]:
    """Row under row; returns the height too."""
    rows = [
        [_bag(board.stock), _first_player(board, marked)],
        [_deviation(board.stock)],
        [_deck(board.stock)] + ([_agenda(board.stock)] if board.agenda else []),
    ]
    height = ROW * len(rows) + 2
    content = rect(0, 0, width, height, "panel", 10)
    for i, row in enumerate(rows):
        x = 14.0
        for drawing, room in row:
            content += group(drawing, x, i * ROW)
            x += room + 24
    return content, height


def _bag(stock: Stock) -> tuple[str, float]:
    content = text(0, 29, "Bag", "s")
    for i, (colour, number) in enumerate(zip(COLOURS, stock.bag, strict=True)):
        x = 46 + i * 46
        content += disc(x, 24, colour, 11) + text(x + 15, 29, str(number), "b")
    words = ", ".join(f"{n} {c}" for c, n in zip(COLOURS, stock.bag, strict=True))
    return target("bag", "bag", f"discs in the bag: {words}", content), 265


def _pile(x: float, words: str) -> str:
    """A deck, face down, with its number of cards."""
    return (
        rect(x + 4, 8, 26, 32, "back", 3)
        + rect(x, 10, 26, 32, "box", 3)
        + text(x + 13, 31, words, "b-m")
    )


def _deck(stock: Stock) -> tuple[str, float]:
    content = (
        text(0, 29, "Cards", "s")
        + _pile(46, str(stock.deck))
        + text(86, 29, f"{stock.discard} discarded", "n")
    )
    label = f"{stock.deck} cards in the deck, {stock.discard} discarded"
    return target("deck", "deck", label, content), 176


def _deviation(stock: Stock) -> tuple[str, float]:
    content = text(0, 29, "Deviation deck", "s") + _pile(102, str(stock.deviation_deck))
    for i, (colour, level) in enumerate(stock.deviation_discard):
        x = 144 + i * 32
        content += rect(x, 10, 28, 30, f"dev-{colour}", 4)
        letter = "" if colour == "none" else colour[0].upper()
        content += text(x + 14, 30, f"{letter}{-level if level else 0}", f"dev-{colour}-t")
    words = ", ".join(f"{c} {-n}" for c, n in stock.deviation_discard) or "none"
    label = f"{stock.deviation_deck} deviation cards in the deck, discarded: {words}"
    return target("deviation_deck", "deviation_deck", label, content), 304


def _agenda(stock: Stock) -> tuple[str, float]:
    content = text(0, 29, "Agenda", "s") + _pile(58, str(stock.agenda_deck))
    label = f"{stock.agenda_deck} agenda cards in the deck"
    return target("agenda_deck", "agenda", label, content), 90


def _first_player(board: Board, marked: frozenset[str]) -> tuple[str, float]:
    side = next(side.name for side in board.sides if side.first_player)
    content = rect(0, 8, 108, 32, "box", 5) + flag(8, 14, side) + text(46, 29, "starts", "n")
    if "start" in marked:
        content += rect(0, 8, 108, 32, "last", 5)
    return target(
        "start", "first_player", f"{title(side)} holds the first-player card", content
    ), 108


def draw_legend(board: Board, width: float) -> str:
    """What the signs mean."""
    entries = [
        (benefit_sign(0, 0, "peek"), "look at a token"),
        (benefit_sign(0, 0, "extra_disc"), "a disc more each round"),
        (benefit_sign(0, 0, "storage"), "a storage space more"),
    ]
    if board.agenda:
        entries.append((star(0, 0), "agenda symbol"))
    content, x, y = "", 16.0, 14.0
    for sign, words in entries:
        room = 20 + text_width(words, 12.5)
        if x + room > width:
            x, y = 16.0, y + 24
        content += group(sign, x, y) + text(x + 16, y + 4.6, words, "s")
        x += room + 26
    colours = "S blue  K black  O orange  Y yellow  W white"
    if x + text_width(colours, 12.5) > width:
        x, y = 8.0, y + 24
    return content + text(width, y + 4.6, colours, "s-e")
