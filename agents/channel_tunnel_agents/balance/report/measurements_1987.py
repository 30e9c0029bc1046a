"""The measurements of 1987 Channel Tunnel."""

from __future__ import annotations

from typing import Any

from channel_tunnel_agents.balance.card_effects import measure_card_effects
from channel_tunnel_agents.balance.levers import games_of_levers, measure_levers
from channel_tunnel_agents.balance.luck import measure_luck
from channel_tunnel_agents.balance.openings import opening_tree, play_openings
from channel_tunnel_agents.balance.report.measurements import (
    SKILL_LADDER,
    VARIANCE,
    Advance,
    Job,
    Measurement,
    share_of,
)
from channel_tunnel_agents.balance.report.numbers import FEWEST, of_rate
from channel_tunnel_agents.balance.restricted import measure_restrictions
from channel_tunnel_agents.balance.tension import watch_games
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.matches.tournament import Results

CARD_PART, RESTRICTION_PART, LUCK_PART, TENSION_PART = 5, 16, 4, 4
OPENING_TURNS = 4
FEWEST_OF_A_LINE = 30  # games
RESTRICTED_ROWS = 185  # approximately: 46 families, two modes, two sides, and an unrestricted row


def _cards(job: Job, advance: Advance) -> Any:
    measure = measure_card_effects
    deals = job.settings.share_of_deals(CARD_PART)
    return measure(job.agent, job.ruleset, deals, job.seed, job.workers, advance)


def _restrictions(job: Job, advance: Advance) -> Any:
    measure = measure_restrictions
    deals = job.settings.share_of_deals(RESTRICTION_PART)
    return measure(job.agent, job.ruleset, deals, job.seed, job.workers, advance)


def _restricted_games(job: Job) -> int:
    return job.settings.share_of_deals(RESTRICTION_PART) * RESTRICTED_ROWS


def _luck(job: Job, advance: Advance) -> Any:
    measure = measure_luck
    deals = job.settings.share_of_deals(LUCK_PART)
    return measure(job.agent, job.ruleset, deals, job.seed, job.workers, advance)


def _tension(job: Job, advance: Advance) -> Any:
    watch = watch_games
    games = job.settings.share_of_deals(TENSION_PART)
    return watch(job.agent, judge_of(job), job.ruleset, games, job.seed, job.workers, advance)


def judge_of(job: Job) -> str:
    """The judge of Britain's chance to win: the agent's own value if it has one."""
    if job.agent_digest is not None:
        return job.agent
    return "score" if job.settings.quick else "rollout:8"


def _openings(job: Job, advance: Advance) -> Any:
    play = play_openings
    deals = job.settings.deals_of_a_pairing
    games = play(job.agent, job.ruleset, deals, job.seed, OPENING_TURNS, job.workers, advance)
    tree = opening_tree
    return tree(games.lines, games.britain_points, games.deals, OPENING_TURNS, FEWEST_OF_A_LINE)


def _levers(job: Job, advance: Advance) -> Any:
    deals, fresh = job.settings.lever_deals, job.settings.deals_of_a_pairing
    if not deals:
        raise ValueError("left out by --levers 0")
    if min(deals, fresh) < FEWEST:
        raise ValueError(f"{min(deals, fresh)} deals are too few")
    if job.agent in job.results.searching:
        raise AgentError(f"{job.agent} searches, which takes too long at so many settings")
    measure, lean = measure_levers, lean_of(job.results, job.agent)
    return measure(job.agent, job.ruleset, lean, deals, fresh, job.seed, job.workers, advance)


def lean_of(results: Results, agent: str) -> int:
    """Where Britain's share of an agent against itself should go: +1 up, -1 down, 0 if that is open."""
    place = results.tournament.agents.index(agent)
    britain = of_rate(results.first_seat((place, place)))
    if not britain.shown or britain.low <= 0.5 <= britain.high:
        return 0
    return 1 if britain.high < 0.5 else -1


def _lever_games(job: Job) -> int:
    return games_of_levers(job.ruleset, job.settings.lever_deals, job.settings.deals_of_a_pairing)


def _lever_plan(job: Job) -> dict[str, Any]:
    return {
        "deals": job.settings.lever_deals,
        "fresh": job.settings.deals_of_a_pairing,
        "lean": lean_of(job.results, job.agent),
    }


def _card_games(job: Job) -> int:
    return job.settings.share_of_deals(CARD_PART) * len(job.ruleset.card_keys) * 3


CARD_EFFECTS = Measurement(
    "card_effects",
    "cards",
    lambda job: {"deals": job.settings.share_of_deals(CARD_PART), "by_deal": True},
    _card_games,
    _cards,
)
LEVERS = "levers"
MEASUREMENTS = (
    CARD_EFFECTS,
    Measurement(LEVERS, LEVERS, _lever_plan, _lever_games, _levers),
    Measurement(
        "luck",
        "luck",
        share_of(LUCK_PART),
        lambda job: 7 * job.settings.share_of_deals(LUCK_PART),
        _luck,
    ),
    VARIANCE,
    Measurement(
        "tension",
        "tension",
        lambda job: {"games": job.settings.share_of_deals(TENSION_PART), "judge": judge_of(job)},
        lambda job: job.settings.share_of_deals(TENSION_PART),
        _tension,
    ),
    Measurement(
        "openings",
        "openings",
        lambda job: {"games": job.settings.deals_of_a_pairing, "turns": OPENING_TURNS},
        lambda job: job.settings.deals_of_a_pairing,
        _openings,
    ),
    Measurement(
        "restrictions",
        "restricted",
        share_of(RESTRICTION_PART),
        _restricted_games,
        _restrictions,
        slow=True,
    ),
    SKILL_LADDER,
)
"""In the order of measuring: a designer's first questions come first."""
