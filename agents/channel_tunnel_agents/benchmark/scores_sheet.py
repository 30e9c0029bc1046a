"""The scores of a card in words, and as a table for the terminal."""

from __future__ import annotations

from channel_tunnel_agents.sheet import Sheet
from channel_tunnel_agents.statistics import Estimate, percent_words
from channel_tunnel_env.outside.percent import percent
from channel_tunnel_env.tracks.card import CardScore, ScoreCard


def scores_sheet(card: ScoreCard) -> Sheet:
    """One row a score."""
    rows = tuple(
        (
            each.title,
            figure_words(each),
            f"{each.number:,} {each.sample}",
            even_words(each),
        )
        for each in card.scores
    )
    return Sheet(
        f"{card.agent.name} on {card.track.name}", ("score", "value", "over", "even"), rows
    )


def figure_words(score: CardScore) -> str:
    """The value with its interval."""
    if score.unit == "share":
        return percent_words(Estimate(score.value, score.low, score.high))
    if score.unit == "Elo":
        return f"{score.value:+.0f} [{score.low:+.0f}, {score.high:+.0f}]"
    return f"{score.value:.2f} [{score.low:.2f}, {score.high:.2f}]"


def even_words(score: CardScore) -> str:
    """The share between equals; "" where there is none."""
    return "" if score.even is None else percent(score.even)
