"""What is said where the games are too few to tell fair from unfair, and how many would tell."""

from __future__ import annotations

from math import ceil, log10

from channel_tunnel_agents.balance.report.verdict import FAIR
from channel_tunnel_agents.balance.report.words import count

NO_GAMES = "Too few games to tell."
MORE_FIRST = "Make the report again, on more deals, before you change anything."
"""What to do about too few games."""


def open_headline(seeming: str, is_near: bool) -> str:
    """The headline of an answer that is not settled.

    Args:
        seeming: what probably is so, such as "France seems to win too often"; "" where an even game is possible.
        is_near: whether it cannot be far from even.
    """
    if seeming:
        return f"Probably not: {seeming}."
    return "Perhaps: it is not far from fair." if is_near else "These games cannot tell yet."


def open_advice(is_near: bool, needed: int) -> str:
    """What to do about it.

    Args:
        is_near: whether it cannot be far from even.
        needed: deals that would settle it.
    """
    if is_near:
        return f"If that is near enough for you, change nothing; about {count(needed)} deals would tell."
    return f"Do not change much yet: to tell, it takes about {count(needed)} deals."


def deals_needed(deals: int, half: float) -> int:
    """How many deals an interval needs to be as narrow as what counts as fair, in two digits.

    Args:
        deals: that it rests on.
        half: its half width now; that shrinks with the square root of the deals.
    """
    needed = max(deals + 1, deals * (half / FAIR) ** 2)
    step: int = 10 ** max(0, int(log10(needed)) - 1)
    return ceil(round(needed / step, 6)) * step
