"""1987 Channel Tunnel on the designer's page."""

from __future__ import annotations

import re

from channel_tunnel_agents.table.design.game import REPORT_PLAYERS, DesignedGame, DrawnPart, DrawnWorth, plain_words
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.tunnel_1987.board.excerpt import STYLE, card_svg
from channel_tunnel_env.games.tunnel_1987.board.view import printed_cards
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.rule_table import COSTS as CARD_COSTS
from channel_tunnel_env.games.tunnel_1987.rule_words import UNSAID
from channel_tunnel_env.games.tunnel_1987.words import points_words, title

COSTS = {"best": "half a minute", "scripted": "16 seconds"}  # of `standard` with a hand of 11


def _label(key: str) -> str:
    """The end of a key in words: "France, track A"."""
    first, *rest = key.split(".")
    parts = rest or [first]
    told = [
        title(part) if part in c.SEATS else f"track {part.upper()}" if part in ("a", "b") else plain_words(part)
        for part in parts
    ]
    label = ", ".join(told)
    return label[0].upper() + label[1:]


def _pictures(ruleset: Ruleset) -> dict[str, DrawnPart]:
    """The cards, and their figures."""
    return {
        card.name: DrawnPart(
            card_svg(card),
            f"{points_words(card.points)}, {CARD_COSTS[card.cost].long}, {card.money} million, {title(card.secondary)}",
        )
        for card in printed_cards(ruleset)
    }


GAME = DesignedGame(
    units=(
        (r"barriers\..*|extra_finance|.*\.money", "million"),
        (r"discs\..*", "discs"),
        (r"route\..*|storage\..*", "spaces"),
        (r"barrier_spaces\..*", "spaces behind the barriers"),
        (r"rubble\..*", "tokens"),
        (r"track_points\..*", "points, space by space from 0"),
        (r"deviation\.penalties", "points lost, level by level from 0"),
        (r"deviation\.limit", "levels"),
        (r"deviation\..*", "cards"),
        (r"scoring\.european_speech_per", "influence cards"),
        (r"scoring\.topographical_analysis", "points, by number of colours from 0"),
        (r"scoring\..*|agenda\.points\..*|.*\.points", "points"),
        (r"limits\..*", "rounds"),
    ),
    unsaid=tuple(map(re.escape, UNSAID)),
    label=_label,
    pictures=_pictures,
    picture_style=STYLE,
    worth=DrawnWorth("cards-drawn", "card", "worth here", "worth in the base"),  # report/drawn.py
    report_players=tuple(choice._replace(cost=COSTS[choice.key]) for choice in REPORT_PLAYERS),
)
