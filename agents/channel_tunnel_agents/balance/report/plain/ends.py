"""Games that nobody wins alone, and games that get stuck, in sentences of the plain answer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from channel_tunnel_agents.balance.empirical.verdict import MANY_STOPPED
from channel_tunnel_agents.balance.report.evidence import Played
from channel_tunnel_agents.balance.report.numbers import FEWEST
from channel_tunnel_agents.balance.report.plain.parts import HUNDRED, games_of_hundred

MANY_DRAWN = 0.05
"""Share of games that nobody wins alone from which it is said how they count."""
HARDLY_ONE_WON = 0.95
"""Share of games that nobody wins alone from which that is the headline."""


class Ends(NamedTuple):
    """How the strongest player's games with itself end: shares of them, 0 to 1.

    Attributes:
        stuck: stopped by the rules, because nothing moved on.
        drawn: won by nobody alone, the stuck ones among them.
    """

    stuck: float = 0.0
    drawn: float = 0.0

    @property
    def is_stuck(self) -> bool:
        """Whether so many get stuck that nothing else should be mended first."""
        return self.stuck >= MANY_STOPPED

    @property
    def is_drawn(self) -> bool:
        """Whether so many are drawn that it must be said how they count."""
        return self.drawn >= MANY_DRAWN

    def headline(self, answer: str) -> str:
        """What comes before an answer, if anything does: where hardly a game is won, who wins more is no news."""
        if self.is_stuck:
            return f"{games_of_hundred(self.stuck)} of {HUNDRED} games get stuck."
        if self.drawn >= HARDLY_ONE_WON:
            return f"{games_of_hundred(self.drawn)} of {HUNDRED} games have no winner."
        return answer

    @property
    def advice(self) -> str:
        """What to do about games that get stuck."""
        told = "Games get stuck where nobody moves on any more, and the rules stop them."
        return f"{told} Mend that before you ask who wins."


def ends_of(evidence: Played) -> Ends:
    """Of the strongest player; nothing of too few games."""
    own, outcome = evidence.own_games(evidence.strongest), evidence.ruleset.spec.outcome
    if len(own) < FEWEST:
        return Ends()
    first = outcome.first_stop or len(outcome.end_causes)
    stuck = own["end_cause"].astype(str).isin(outcome.end_causes[first:])
    drawn = ~own["winner"].astype(str).isin(evidence.results.seats)
    return Ends(float(np.mean(stuck)), float(np.mean(drawn)))
