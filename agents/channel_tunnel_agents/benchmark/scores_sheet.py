"""The scores of a card as a table for the terminal."""

from __future__ import annotations

from channel_tunnel_agents.sheet import Sheet
from channel_tunnel_env.tracks.card import CardScore, ScoreCard


def scores_sheet(card: ScoreCard) -> Sheet:
    """One row a score."""
    rows = tuple(
        (each.title, figure_words(each), f"{each.number:,} {each.sample}", _even(each))
        for each in card.scores
    )
    return Sheet(
        f"{card.agent.name} on {card.track.name}", ("score", "value", "over", "even"), rows
    )


def figure_words(score: CardScore) -> str:
    """The value with its interval."""
    if score.unit == "share":
        value, low, high = (100 * x for x in (score.value, score.low, score.high))
        return f"{value:.1f} % [{low:.1f}, {high:.1f}]"
    if score.unit == "Elo":
        return f"{score.value:+.0f} [{score.low:+.0f}, {score.high:+.0f}]"
    return f"{score.value:.2f} [{score.low:.2f}, {score.high:.2f}]"


def _even(score: CardScore) -> str:
    return "" if score.even is None else f"{100 * score.even:.1f} %"
