"""Win rates with intervals."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.stats import binomtest


@dataclass(frozen=True)
class Rate:
    """A share of games with its 95 % Wilson interval."""

    wins: float
    games: int

    @property
    def share(self) -> float:
        """The share itself."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """95 % Wilson score interval."""
        found = binomtest(round(self.wins), self.games).proportion_ci(0.95, "wilson")
        return float(found.low), float(found.high)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.share:.1%} [{low:.1%}, {high:.1%}]"
