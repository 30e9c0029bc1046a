"""A figure as the page shows it: with its interval and n, or not at all with too few deals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from channel_tunnel_agents.statistics import LEAST_DEALS, REACH, Estimate, Figure, estimate_mean, rate_of

FEWEST = LEAST_DEALS
"""Deals; with fewer the page makes no claim."""
HUNDRED = 100
"""Games; the words of a page count them so."""
TOO_FEW = "too few games"
MINUS = "\N{MINUS SIGN}"
Style = Literal["share", "change", "plain", "signed"]
SCALES: Mapping[str, tuple[int, str]] = {"share": (100, " %"), "change": (100, " pp")}
"""Style -> what a value is multiplied by, and the unit behind it; as it is in other styles."""


@dataclass(frozen=True)
class Number(Figure):
    """A figure with its style.

    Attributes:
        n: independent games (deals) it rests on.
        style: "share" 0..1 as per cent; "change" -1..1 as percentage points with sign; "plain"; "signed".
    """

    style: Style = "plain"

    @property
    def shown(self) -> bool:
        """Whether there is a value, and enough deals for a claim."""
        return self.n >= FEWEST and bool(np.isfinite(self.value))

    @property
    def text(self) -> str:
        """The value without its interval."""
        if not self.shown:
            return TOO_FEW
        scale, unit = SCALES.get(self.style, (1, ""))
        return _bare(scale * self.value, self.style, "+" if self.style in ("change", "signed") else "") + unit

    @property
    def interval(self) -> str:
        """The interval in brackets; empty if there is none."""
        if not self.shown or not np.isfinite([self.low, self.high]).all():
            return ""
        scale, _ = SCALES.get(self.style, (1, ""))
        ends = (_bare(scale * end, self.style) for end in (self.low, self.high))
        return f"[{', '.join(ends)}]"

    def widened(self, error: float) -> Number:
        """The same with an interval for a further standard error, too."""
        reach = REACH * error
        low = self.value - float(np.hypot(self.value - self.low, reach))
        high = self.value + float(np.hypot(self.high - self.value, reach))
        if self.style == "share":
            low, high = max(0.0, low), min(1.0, high)
        return replace(self, low=low, high=high)

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval excludes 0."""
        return self.shown and (self.low > 0 or self.high < 0)

    def __str__(self) -> str:
        return " ".join(filter(None, (self.text, self.interval)))


def _bare(value: float, style: Style, sign: str = "") -> str:
    """Only digits, with a real minus sign; two decimals only below 1."""
    digits = 2 if abs(value) < 1 and style == "plain" else 1
    rounded = round(value, digits) + 0.0  # not -0.0
    return f"{rounded:{sign}.{digits}f}".replace("-", MINUS)


def share(values: ArrayLike) -> Number:
    """The share of games, one per deal, in which something holds: (n,) of 0, 1, or 0.5 for a
    draw."""
    found = np.asarray(values, np.float64)
    return of_estimate(rate_of(float(found.sum()), found.size), found.size, "share")


def mean(values: ArrayLike, style: Style = "plain") -> Number:
    """The mean of per-game figures (n,), one game per deal."""
    found = np.asarray(values, np.float64)
    return of_estimate(estimate_mean(found), int(np.isfinite(found).sum()), style)


def of_estimate(estimate: Estimate, n: int, style: Style = "plain") -> Number:
    """An estimate that rests on n deals."""
    return Number(estimate.value, estimate.low, estimate.high, n, style)


def of_dict(found: Mapping[str, Any], n: int | None = None, style: Style = "plain") -> Number:
    """From {"value", "low", "high", "n"}, None where a number is missing; `n` is used if it has
    none."""
    value, low, high = (np.nan if found[key] is None else float(found[key]) for key in ("value", "low", "high"))
    return Number(value, low, high, int(found.get("n", 0) if n is None else n), style)


def known(value: Any) -> Any:
    """A value as JSON has it: None for a number that is not known."""
    return None if isinstance(value, float) and not np.isfinite(value) else value


def games_of_hundred(part: float) -> int:
    """A share as whole games of a hundred."""
    return round(HUNDRED * part)


def count(number: int) -> str:
    """A whole number with separated thousands."""
    return f"{number:,}"
