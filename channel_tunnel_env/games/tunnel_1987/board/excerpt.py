"""Parts of the picture for other pages: a playing card, or a country's board at the start of a game.

The drawings are inline SVG without a style sheet of their own: a page holds `STYLE` once.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from channel_tunnel_env.drawing.svg import circle, fit, inline_picture, path, rect, text, wrap
from channel_tunnel_env.games.tunnel_1987.board import tunnel
from channel_tunnel_env.games.tunnel_1987.board.parts import Picture
from channel_tunnel_env.games.tunnel_1987.board.pieces import note
from channel_tunnel_env.games.tunnel_1987.board.players import PlayerBoard
from channel_tunnel_env.games.tunnel_1987.board.spaces import card_in_words
from channel_tunnel_env.games.tunnel_1987.board.theme import SCOPE, SMALL, stylesheet
from channel_tunnel_env.games.tunnel_1987.board.values import PrintedCard
from channel_tunnel_env.games.tunnel_1987.board.view import read_board
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.game import Game
from channel_tunnel_env.games.tunnel_1987.rule_table import COSTS
from channel_tunnel_env.games.tunnel_1987.words import title

THEME = "auto"
NAME = f"{SCOPE}-{THEME}"
STYLE = stylesheet(THEME)
CARD_WIDTH, CARD_HEIGHT = 250, 158
BOARD_WIDTH = 440
_PAD, _GAP = 12, 8


def card_svg(card: PrintedCard) -> str:
    """A playing card as printed."""
    width, height = CARD_WIDTH, CARD_HEIGHT
    heading = wrap(card.name, width - 60, 14, 2, True)
    ability = wrap(card.ability, width - 2 * _PAD, SMALL, 3)
    first = 22 if len(heading) > 1 else 31
    content = (
        rect(1, 1, width - 2, height - 2, "card", 8)
        + circle(26, 27, 15, "reached")
        + text(26, 33, str(card.points), "num-m")
        + "".join(text(50, first + 17 * i, line, "h3") for i, line in enumerate(heading))
        + "".join(text(_PAD, 66 + 17 * i, line, "n") for i, line in enumerate(ability))
        + path(f"M{_PAD} {height - 46}H{width - _PAD}", "line")
        + text(_PAD, height - 29, fit(COSTS[card.cost].long, width - 80, SMALL), "s")
        + text(_PAD, height - 12, f"or {title(card.secondary)}", "s")
        + note(width - 50, height - 35, f"{card.money} M")
    )
    return inline_picture(NAME, card_in_words(card), (0, 0, width, height), content)


def country_svg(game: Game, side: str, marked: Collection[str] = ()) -> str:
    """A country's route and board, with what everybody may see.

    Args:
        side: "britain" or "france".
        marked: targets of the board to frame, such as "track:france:a" or "storage:britain".
    """
    board = read_board(game, c.SEATS[1 - c.SEATS.index(side)])
    seat = c.SEATS.index(side)
    picture = Picture(BOARD_WIDTH, tuple(marked))
    tunnel.put_half_tunnel(picture, board.routes[seat], 0, 0, BOARD_WIDTH)
    quiet = replace(board.sides[seat], to_play=False, first_player=False)
    player = PlayerBoard(quiet, BOARD_WIDTH, board.agenda, card_rows=0)
    player.put(picture, 0, tunnel.HEIGHT + _GAP)
    height = tunnel.HEIGHT + _GAP + player.height
    return inline_picture(NAME, f"{title(side)}'s board", (0, 0, BOARD_WIDTH, height), picture.svg())
