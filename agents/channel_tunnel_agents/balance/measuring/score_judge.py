"""The judge that uses the points only: a logistic model of the first seat's chance from lead and round.

It is fitted to separate games, the same for every seed, not to the games that it judges: otherwise
their figures would share the randomness of the fit, which no interval over games can show.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from channel_tunnel_agents.balance.measuring.traces import Traces

FIT_GAMES = 512
FIT_SEED = 1_234_567_891  # deals that nothing else is measured on


@dataclass(frozen=True)
class ScoreJudge:
    """logit P = a + b lead + c round + d lead round; d allows a late lead to count for more.

    Attributes:
        coefficients: (4,) a, b, c, d.
    """

    coefficients: NDArray[np.float64]

    @classmethod
    def fit(cls, traces: Traces) -> ScoreJudge:
        """Fit the model to these games.

        A slight ridge penalty, worth one game in total, keeps it finite where a few games all went
        to the leader.
        """
        results = np.repeat(traces.points, traces.turns)
        model = GLM(results, _design(traces), family=Binomial())
        with np.errstate(over="ignore"):  # of a chance that is 0 or 1 as nearly as a float can tell
            return cls(np.asarray(model.fit_regularized(alpha=1 / traces.games, L1_wt=0.0).params))

    def judge(self, traces: Traces) -> NDArray[np.float64]:
        """The first seat's chance at every note (G, T); NaN after a game's last note."""
        chance = np.full(traces.lead.shape, np.nan)
        chance[np.isfinite(traces.lead)] = expit(_design(traces) @ self.coefficients)
        return chance


def _design(traces: Traces) -> NDArray[np.float64]:
    """One row per note: 1, lead, round, lead times round."""
    there = np.isfinite(traces.lead)
    lead, rounds = traces.lead[there], traces.round[there]
    return np.column_stack([np.ones(lead.size), lead, rounds, lead * rounds])
