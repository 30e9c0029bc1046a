"""The measurements of 1987 Channel Tunnel."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from channel_tunnel_agents.balance.measuring.restricted import measure_restrictions
from channel_tunnel_agents.balance.report.measurements import (
    LEVERS,
    LUCK,
    TENSION,
    VARIANCE,
    Advance,
    Job,
    Measurement,
    share_of,
)
from channel_tunnel_agents.games.tunnel_1987.card_effects import ARMS, GIVEN, measure_card_effects
from channel_tunnel_agents.games.tunnel_1987.openings import opening_tree, play_openings

KNOWN = Path(__file__).parent / "known"  # `benchmarks/known_measures.py` writes it
CARD_PART, RESTRICTION_PART = 5, 16
OPENING_TURNS = 4
FEWEST_OF_A_LINE = 30  # games
RESTRICTED_ROWS = 184  # approximately: 46 families, two modes, two sides


def _cards(job: Job, advance: Advance, by_side: bool) -> Any:
    measure = measure_card_effects
    deals = job.settings.share_of_deals(CARD_PART)
    return measure(job.agent, job.ruleset, deals, job.seed, job.workers, advance, by_side=by_side)


def _restrictions(job: Job, advance: Advance) -> Any:
    measure = measure_restrictions
    deals = job.settings.share_of_deals(RESTRICTION_PART)
    return measure(job.agent, job.ruleset, deals, job.seed, job.workers, advance)


def _restricted_games(job: Job) -> int:
    return job.settings.share_of_deals(RESTRICTION_PART) * RESTRICTED_ROWS


def _openings(job: Job, advance: Advance) -> Any:
    play = play_openings
    deals = job.settings.deals_of_a_pairing
    games = play(job.agent, job.ruleset, deals, job.seed, OPENING_TURNS, job.workers, advance)
    tree = opening_tree
    return tree(games.lines, games.britain_points, games.deals, OPENING_TURNS, FEWEST_OF_A_LINE)


def _card_effects(by_side: Callable[[Job], bool]) -> Measurement:
    """The worth of each card, on request also to each side."""

    def plan(job: Job) -> dict[str, Any]:
        own = {"deals": job.settings.share_of_deals(CARD_PART), "by_deal": True}
        return own if by_side(job) else own | {"by_side": False}

    def games(job: Job) -> int:
        arms = len(ARMS if by_side(job) else GIVEN)
        return job.settings.share_of_deals(CARD_PART) * len(job.ruleset.card_keys) * arms

    return Measurement(
        "card_effects", "cards", plan, games, lambda job, advance: _cards(job, advance, by_side(job)), known=KNOWN
    )


CARD_EFFECTS = _card_effects(lambda job: not job.settings.quick)
EFFECTS_IN_BASE = _card_effects(lambda job: False)
"""Only what a card is worth to both sides stands beside the report's own."""
MEASUREMENTS = (
    CARD_EFFECTS,
    LEVERS,
    LUCK,
    VARIANCE,
    TENSION,
    Measurement(
        "openings",
        "openings",
        lambda job: {"games": job.settings.deals_of_a_pairing, "turns": OPENING_TURNS},
        lambda job: job.settings.deals_of_a_pairing,
        _openings,
    ),
    Measurement("restrictions", "restricted", share_of(RESTRICTION_PART), _restricted_games, _restrictions, slow=True),
)
"""In the order of measuring: a designer's first questions come first."""
