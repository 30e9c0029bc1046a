"""The judge that reads the points alone: a logistic model of Britain's chance from the lead and the round.

It is fitted to games of its own, the same for every seed, and not to the games that it judges: figures of
these would otherwise share the chance of the fit, which no interval over games can see.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from channel_tunnel_agents.balance.traces import Traces

FIT_GAMES = 512
FIT_SEED = 1_234_567_891  # of deals that nothing else is measured on


@dataclass(frozen=True)
class ScoreJudge:
    """logit P = a + b lead + c round + d lead round, for a lead may weigh more late.

    Attributes:
        coefficients: (4,) a, b, c, d.
    """

    coefficients: NDArray[np.float64]

    @classmethod
    def fit(cls, traces: Traces) -> ScoreJudge:
        """The model of these games.

        A slight ridge, as much as one game in all, keeps it finite where a few games all went to the seat ahead.
        """
        results = np.repeat(traces.points, traces.turns)
        model = GLM(results, _design(traces), family=Binomial())
        return cls(np.asarray(model.fit_regularized(alpha=1 / traces.games, L1_wt=0.0).params))

    def judge(self, traces: Traces) -> NDArray[np.float64]:
        """Britain's chance at every note (G, T); NaN behind a game's last."""
        chance = np.full(traces.lead.shape, np.nan)
        chance[np.isfinite(traces.lead)] = expit(_design(traces) @ self.coefficients)
        return chance


def _design(traces: Traces) -> NDArray[np.float64]:
    """A row for each note: 1, lead, round, lead times round."""
    there = np.isfinite(traces.lead)
    lead, rounds = traces.lead[there], traces.round[there]
    return np.column_stack([np.ones(lead.size), lead, rounds, lead * rounds])
