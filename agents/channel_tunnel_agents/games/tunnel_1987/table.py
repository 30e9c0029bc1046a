"""1987 Channel Tunnel at the table: how moves are judged, each decision by itself, by a policy that the person chooses; and what
the designer's page shows.
"""

from __future__ import annotations

import re
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.table.design.game import REPORT_PLAYERS, DesignedGame, DrawnPart, DrawnWorth, plain_words
from channel_tunnel_agents.table.minds.reviewed import (
    MeasureOfRecords,
    MoveGain,
    ReviewedGame,
    Stretch,
    lead,
    suspect_by_policy,
)
from channel_tunnel_env import BatchGame, Game, Ruleset
from channel_tunnel_env.games.tunnel_1987.board.excerpt import STYLE, card_svg
from channel_tunnel_env.games.tunnel_1987.board.view import printed_cards
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.rule_table import BENEFITS, SWITCH_VALUES
from channel_tunnel_env.games.tunnel_1987.rule_table import COSTS as CARD_COSTS
from channel_tunnel_env.games.tunnel_1987.rule_words import UNSAID, figure_label
from channel_tunnel_env.games.tunnel_1987.words import points_words, title


def _astray(states: NDArray[Any], seat: int, batch: BatchGame) -> NDArray[Any]:
    limit = batch.rulesets[0].data.deviation.limit
    return np.where(states["deviation"][:, seat] > limit, 100.0, 0.0)


def _held(name: str) -> MeasureOfRecords:
    """A field of the record, summed over its other dimensions."""

    def measure(states: NDArray[Any], seat: int, batch: BatchGame) -> NDArray[Any]:
        return np.asarray(states[name][:, seat].reshape(len(states), -1).sum(axis=1), dtype=np.float64)

    return measure


GAINS = (
    MoveGain("{} % less risk of going astray", "{} % more risk of going astray", 1, _astray, False),
    MoveGain("{} points of lead", "{} points of lead", 0.3, lead),
    MoveGain("{} tunnel spaces", "{} tunnel spaces", 0.15, _held("tbm")),
    MoveGain("{} less deviation", "{} more deviation", 0.15, _held("deviation"), False),
    MoveGain("{} technology spaces", "{} technology spaces", 0.15, _held("counter")),
    MoveGain("{} cards built", "{} cards built", 0.15, _held("kind_count")),
    MoveGain("{} M", "{} M", 0.3, _held("money_total")),
    MoveGain("{} discs", "{} discs", 0.5, _held("discs")),
)
"""What one move may leave a player with more of than another, the weightiest first."""


def _weigh(policy: Any, stretch: Stretch) -> dict[str, Any]:
    # loads what a report needs, which playing does without
    from channel_tunnel_agents.table.minds.review import weigh_move

    return weigh_move(policy, cast(Game, stretch.start), stretch.actions[0])


REVIEWED = ReviewedGame(suspect=suspect_by_policy, weigh=_weigh, gains=GAINS)


COSTS = {"best": "half a minute", "scripted": "16 seconds"}  # of `standard` with a hand of 11


def _label(key: str) -> str:
    """A figure by its name, or the end of its key in words: "France, track A"."""
    if label := figure_label(key):
        return label
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


DESIGNED = DesignedGame(
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
    values={
        **SWITCH_VALUES,
        r"benefits\..*": {benefit: words.short for benefit, words in BENEFITS.items()},
        r"deck\.cards\..*\.cost": {cost: words.short for cost, words in CARD_COSTS.items()},
    },
    pictures=_pictures,
    picture_style=STYLE,
    worth=DrawnWorth("cards-drawn", "card", "worth here", "worth in the base"),  # report/drawn.py
    report_players=tuple(choice._replace(cost=COSTS[choice.key]) for choice in REPORT_PLAYERS),
)
