"""Shares as people read them."""

from __future__ import annotations


def percent(share: float, digits: int = 1) -> str:
    """A share of 0 to 1 in words: "71.0 %"."""
    return f"{100 * share:.{digits}f} %"
