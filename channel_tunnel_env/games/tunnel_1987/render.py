"""The board as text, at most 98 columns wide and plain ASCII.

    print(to_text(game))                   # everything, including face-down tokens
    print(to_text(game, viewer="france"))  # only what France knows

Colours are letters, so the board needs no colour output: S blue (sea), K black, O orange, Y yellow,
W white. A token in lower case is face down but known, a dot is unknown.

Text and picture are made from the same reading of the game (`board.view`).
"""

from __future__ import annotations

import textwrap

from channel_tunnel_env.faces.terminal import WIDTH
from channel_tunnel_env.games.tunnel_1987.board.values import Board, BuiltCard, DrawnRoute, Place, Side, Space, Track
from channel_tunnel_env.games.tunnel_1987.board.view import read_board
from channel_tunnel_env.games.tunnel_1987.board.words import result_words
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.game import Game
from channel_tunnel_env.games.tunnel_1987.rule_table import COSTS
from channel_tunnel_env.games.tunnel_1987.words import COLOUR_LETTERS, LETTERS, plain, title

__all__ = ["LEGEND", "LETTERS", "WIDTH", "result_words", "to_text"]

_HALF = (WIDTH - 4) // 2
_INDENT = 11
_RULE = "-" * WIDTH
_BENEFIT_SIGNS = {"none": "", "peek": "?", "extra_disc": "+", "storage": "#"}

LEGEND = (
    "tokens, discs: S blue  K black  O orange  Y yellow  W white;  small: face down, seen;  . unseen",
    "tunnel: = bored  > < TBM  * agenda symbol;  tracks: points of spaces  [ ] counter  |3M| barrier",
    "        ? peek  + extra disc  # storage space;  cards: (KY) rubble on them, (-) spent",
)


def to_text(game: Game, viewer: str | int | None = None, *, legend: bool = True) -> str:
    """The whole board.

    Args:
        game: any game.
        viewer: "britain", "france" or a seat: hide the face-down tokens that it has not looked at.
            None shows everything.
        legend: explain the signs below the board.
    """
    board = read_board(game, viewer)
    lines = [
        *_header(board),
        "",
        *_tunnel(board),
        "",
        *_spaces(board),
        "",
        *_stock(board),
        "",
        *_beside(*(_side(board, side) for side in board.sides)),
    ]
    if legend:
        lines += [_RULE, *LEGEND]
    return "\n".join(line.rstrip() for line in lines)


# --- the top ------------------------------------------------------------------------------------


def _header(board: Board) -> list[str]:
    seen = f", as {title(board.viewer)} sees it" if board.viewer else ""
    lines = [f"{board.title}: round {board.round}{seen}", _RULE]
    lines.append(board.result or f"{title(board.to_play)} to play: {board.question}")
    if board.turn:
        lines.append(f"this turn: {', '.join(board.turn)}")
    if board.last:
        who = f" ({title(board.last.side)})" if board.last.side else ""
        lines.append(f"last decision: {board.last.action}{who}")
    return lines


# --- the tunnel ---------------------------------------------------------------------------------


def _tunnel(board: Board) -> list[str]:
    """Britain's route from the left, France's from the right, the flags in the middle."""
    britain, france = ([_place(route, i) for i in range(len(route.places))] for route in board.routes)
    numbers = [f"{i:^4}" for i in range(len(britain))]
    row = "".join(britain) + " || " + "".join(reversed(france))
    top = "".join(numbers) + "flag" + "".join(reversed(numbers))
    lines = [f"{'TUNNEL':<{_INDENT}}{top}", f"{'  BRITAIN':<{_INDENT}}{row}  FRANCE"]
    looks = _looks(board)
    return lines + (_wrap("", looks, WIDTH) if looks else [])


def _place(route: DrawnRoute, index: int) -> str:
    """Four characters: one space of a route."""
    place, british = route.places[index], route.side == "britain"
    if place.bored:
        return "===="
    letter, symbol = _token(place), "*" * place.symbol
    front = (">" if british else "<") if index == route.tbm else " "
    cell = f"{front}{letter}{symbol}" if british else f"{symbol}{letter}{front}"
    return f"{cell:<4}" if british else f"{cell:>4}"


def _token(place: Place) -> str:
    if place.colour is None:
        return "."
    letter = COLOUR_LETTERS[place.colour]
    return letter if place.face_up else letter.lower()


def _looks(board: Board) -> str:
    """Where each player has looked at face-down tokens; where, not what, is public."""
    parts = []
    for viewer in board.sides:
        for route in board.routes:
            seen = [str(i) for i, place in enumerate(route.places) if viewer.name in place.looked]
            if seen:
                whose = f"{title(viewer.name)} has looked at {title(route.side)}"
                parts.append(f"{whose} {', '.join(seen)}")
    return "; ".join(parts)


# --- spaces, display, bag and decks -------------------------------------------------------------


def _spaces(board: Board) -> list[str]:
    """The five spaces with their stacks, and the cards of the slots."""
    head = f"{'SPACES':<21}{'stack':<6}{'needs':<7}{'card':<34}{'pts':<4}{'cost':<10}{'money':<6}"
    return [f"{head}secondary", *(line for space in board.spaces for line in _space(space))]


def _space(space: Space) -> list[str]:
    stack = COLOUR_LETTERS[space.colour] * space.height or "-"
    needs = f"{space.needs}+" if space.needs else "closed"
    left = f"  {space.name:<19}{stack:<6}{needs:<7}"
    if not space.is_slot:
        return [left + " or ".join(map(title, space.options))]
    card = space.card
    if card is None:
        return [f"{left}(no card)"]
    cost, money = COSTS[card.cost].short, f"{card.money} M"
    figures = f"{card.points:<4}{cost:<10}{money:<6}{title(card.secondary)}"
    return [f"{left}{card.name:<34}{figures}", f"{'':<36}{card.ability}"]


def _stock(board: Board) -> list[str]:
    """Bag and decks."""
    stock = board.stock
    discarded = [f"{colour.replace('none', 'colourless')} {-level}" for colour, level in stock.deviation_discard]
    deviation = f"{stock.deviation_deck} in the deck, discarded: {', '.join(discarded) or 'none'}"
    lines = [
        f"{'TABLE':<{_INDENT}}bag {_counts(stock.bag)};  cards: {stock.deck} in the deck, {stock.discard} discarded",
        *_wrap("", f"deviation: {deviation}", WIDTH),
    ]
    if stock.agenda_deck is not None:
        lines += _wrap("", f"agenda: {stock.agenda_deck} in the deck", WIDTH)
    return lines


# --- the boards ---------------------------------------------------------------------------------


def _side(board: Board, side: Side) -> list[str]:
    """One player's board, at most _HALF columns wide."""
    notes = ["first player"] * side.first_player + ["passed"] * side.passed
    head = "-> " * side.to_play + side.name.upper() + (f" ({', '.join(notes)})" if notes else "")
    stored = "".join(COLOUR_LETTERS[colour] * n for colour, n in zip(c.COLOURS, side.storage, strict=True))
    sources = [f"{plain(name)} {n}" for name, n in side.score if n and name != "total"]
    lines = [
        f"{head:<{_HALF - 11}}{side.points:>3} points",
        "-" * _HALF,
        f"{'discs':<{_INDENT}}{_counts(side.discs)}  ({sum(side.discs)}; hand {side.allowance})",
        f"{'storage':<{_INDENT}}{' '.join(stored.ljust(side.room, '_'))}",
        f"{'deviation':<{_INDENT}}{_deviation(side)}",
        *(f"{'track ' + track.name:<{_INDENT}}{_track(track)}" for track in side.tracks),
        *_wrap("money", _money(side), _HALF),
    ]
    if board.agenda:
        lines += _wrap("agenda", _agenda(side), _HALF)
    for i, card in enumerate(_cards(side)):
        lines += _wrap("" if i else "cards", card, _HALF)
    return [*lines, *_wrap("points", ", ".join(sources) or "none", _HALF)]


def _counts(discs: tuple[int, ...]) -> str:
    return " ".join(f"{LETTERS[colour]}{n}" for colour, n in enumerate(discs))


def _deviation(side: Side) -> str:
    """The levels, the current one in brackets."""
    level, limit = side.deviation, side.deviation_limit
    cells = [f"[{-n}]" if n == level else f" {-n} " for n in range(limit + 1)]
    return "".join(cells) + (f"  [{-level}] lost" if level > limit else "")


def _track(track: Track) -> str:
    """Points of every space, the counter's in brackets, barriers and benefits between."""
    text = ""
    for space, step in enumerate(track.steps):
        text += "" if step.barrier is None else f"|{step.barrier}M|"
        words = f"{step.points}{_BENEFIT_SIGNS[step.benefit]}"
        text += f"[{words}]" if space == track.counter else f" {words} "
    return text


def _money(side: Side) -> str:
    listed = f" ({' + '.join(map(str, side.money))})" if len(side.money) > 1 else ""
    return f"{sum(side.money)} M{listed}"


def _agenda(side: Side) -> str:
    parts = [f"pending {plain(side.agenda_pending)}"] if side.agenda_pending else []
    if side.agenda_completed:
        parts.append(f"completed {', '.join(map(plain, side.agenda_completed))}")
    return "; ".join(parts) or "none"


def _cards(side: Side) -> list[str]:
    """The area: influence in one entry, then one entry per card with its rubble."""
    influence = [built.card.short_name for built in side.cards if built.card.is_influence]
    entries = [f"European influence {len(influence)}: {', '.join(influence)}"] if influence else []
    entries += [_card(built) for built in side.cards if not built.card.is_influence]
    return entries or ["none"]


def _card(built: BuiltCard) -> str:
    """A card's name and, for cards that hold rubble, the tokens on it."""
    tokens = "".join(COLOUR_LETTERS[colour] for colour in built.rubble)
    rubble = f" ({tokens})" if tokens else " (-)" * built.spent
    return built.card.name + rubble + " used this round" * built.used


# --- laying out ---------------------------------------------------------------------------------


def _wrap(label: str, text: str, width: int) -> list[str]:
    """`text` beside a label, wrapped to the width."""
    lines = textwrap.wrap(text, width - _INDENT) or [""]
    return [f"{label if i == 0 else '':<{_INDENT}}{line}" for i, line in enumerate(lines)]


def _beside(left: list[str], right: list[str]) -> list[str]:
    rows = max(len(left), len(right))
    left, right = [*left, *[""] * (rows - len(left))], [*right, *[""] * (rows - len(right))]
    return [f"{a:<{_HALF}}  | {b}" for a, b in zip(left, right, strict=True)]
