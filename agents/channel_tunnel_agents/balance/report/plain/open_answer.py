"""What is said where the games are too few to tell fair from unfair, how many would tell, and how to play them."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, log10
from pathlib import Path
from typing import NamedTuple

from channel_tunnel_agents.balance.empirical.verdict import EDGE, FAIR, FairAnswer, Step
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.growing import OTHER_GAMES
from channel_tunnel_agents.balance.report.numbers import count
from channel_tunnel_agents.balance.report.plain.parts import OnceMore
from channel_tunnel_agents.balance.report.plain.players import player_name
from channel_tunnel_agents.balance.verdict_words import next_command, training_words
from channel_tunnel_agents.statistics import REACH

AT_THE_EDGE = (
    "That is at the very edge of fair, where hardly any number of games would tell: take it for nearly fair, or try a "
    "small change."
)
LIKELY = 1 + 1.28 / 1.96
"""Half widths of the interval between the truth and the edge of fair with which four reports of five can tell."""
ONE_DEAL = 0.98
"""Half width of the interval of a single deal between equals."""


class Known(NamedTuple):
    """What an unsettled answer rests on.

    Attributes:
        deals: that were played.
        half: half width of the interval now; that shrinks with the square root of the deals.
        beyond: how far the middle of the interval lies from the edge of fair, on either side.
    """

    deals: int
    half: float
    beyond: float = FAIR


def known_of(evidence: Evidence) -> Known:
    """What is known of the seat that is furthest from an equal part.

    More deals narrow what the luck of the deals leaves open, but not what other players would get.
    """
    top, judged = evidence.top, evidence.settings.judged
    if top.answer == FairAnswer.FEW:  # they say nothing about the share
        return Known(top.deals, ONE_DEAL / max(1, top.deals) ** 0.5)
    if judged is not None:
        return Known(top.deals, REACH * judged.verdict.furthest.deals_error, judged.verdict.from_edge)
    half = max(max(each.high - each.value, each.value - each.low) for each in top.shares)
    return Known(top.deals, half, top.from_edge)


def open_advice(evidence: Evidence, known: Known, is_near: bool) -> str:
    """What to do about games that leave it open.

    Args:
        is_near: whether it cannot be far from even.
    """
    judged = evidence.settings.judged
    if judged is not None and judged.verdict.step == Step.TRAINING:
        return f"{training_words(judged)}{'.' if judged.is_trained else ', and a full report trains some.'}"
    if deals_needed(known) is None:
        return AT_THE_EDGE
    first = "If that is near enough for you, change nothing." if is_near else "Do not change much yet."
    return f"{first} {would_tell(evidence, known)}"


def would_tell(evidence: Evidence, known: Known) -> str:
    """How many deals would tell, or what to wait for."""
    needed = deals_needed(known)
    assert needed is not None
    if OTHER_GAMES in evidence.open:
        return "Most of the games are still to be played: wait for them."
    if evidence.strongest in evidence.slow:
        player = player_name(evidence.strongest, evidence.ruleset)
        return (
            f"To tell, it takes about {count(needed)} deals, more than {player} can play, who thinks long about every "
            "move. Let quicker players play as well."
        )
    return f"About {count(needed)} deals would tell; here are {count(known.deals)}."


def what_would_tell(evidence: Evidence, known: Known) -> OnceMore | None:
    """More training or more deals, for the verdict only and beside this report; None if none would tell, or it still grows."""
    needed, judged = deals_needed(known), evidence.settings.judged
    if evidence.open or evidence.strongest in evidence.slow:
        return None
    if judged is not None and judged.verdict.step == Step.TRAINING:
        if judged.population.reader is None:
            return None
        command, takes = next_command(judged, evidence.settings.ruleset)
        decisions = judged.next_budget.decisions
        return OnceMore(evidence.settings.deals_of_a_pairing, decisions, command, f"It takes {takes}.")
    if needed is None:
        return None
    two = tuple(name for name in evidence.ladder if name not in evidence.slow)[-2:]
    settings = replace(evidence.settings, agents=two, deals=needed, quick=True, levers=0)
    return OnceMore(needed, 0, settings.command(Path(f"{settings.folder}-{needed}-deals")))


def deals_needed(known: Known) -> int | None:
    """How many deals would probably settle it, in two digits; None where hardly any number would.

    Where little is known the truth is taken to lie as far from the edge of fair as an even game does, or further.
    """
    beyond = max(known.beyond, FAIR) if known.half > FAIR else known.beyond
    if beyond < EDGE:
        return None
    needed = max(known.deals + 1, known.deals * (known.half * LIKELY / beyond) ** 2)
    step: int = 10 ** max(0, int(log10(needed)) - 1)
    return ceil(round(needed / step, 6)) * step
