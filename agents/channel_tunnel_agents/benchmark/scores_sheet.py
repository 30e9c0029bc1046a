"""The scores of a card in words, and as a table for the terminal."""

from __future__ import annotations

from channel_tunnel_agents.benchmark.contests import VERSUS, ruleset_of
from channel_tunnel_agents.benchmark.opponents import agent_as_it_was
from channel_tunnel_agents.sheet import Sheet
from channel_tunnel_agents.statistics import Estimate, percent_words
from channel_tunnel_env.outside.percent import percent
from channel_tunnel_env.tracks import load_track
from channel_tunnel_env.tracks.card import CardScore, ScoreCard


def scores_sheet(card: ScoreCard) -> Sheet:
    """One row a score."""
    rows = tuple(
        (
            title_words(each, card),
            figure_words(each),
            f"{each.number:,} {each.sample}",
            even_words(each),
        )
        for each in card.scores
    )
    return Sheet(
        f"{card.agent.name} on {card.track.name}", ("score", "value", "over", "even"), rows
    )


def title_words(score: CardScore, card: ScoreCard) -> str:
    """The title; an opponent whose name a newer agent bears now is called what it is called today."""
    group, versus, rival = score.title.rpartition(VERSUS)
    tables = load_track(card.track.name).tables
    if not versus or not tables:
        return score.title
    files = card.opponents.get(rival)
    return f"{group}{VERSUS}{agent_as_it_was(rival, ruleset_of(tables[0]), files)}"


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
