"""Judge a ruleset: play its players against each other, train more of them, and play again.

Every step leaves a whole verdict, so that a page can show the first after seconds and grow while policies are trained.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from channel_tunnel_agents.balance.empirical.payoffs import Payoffs, play_payoffs
from channel_tunnel_agents.balance.empirical.value import PolicyError, Solved, solve_game
from channel_tunnel_agents.balance.empirical.verdict import STILL_IMPROVES, Verdict, make_verdict
from channel_tunnel_agents.balance.players.population import (
    Budget,
    Population,
    population_of,
    train_answers,
    train_apart,
)
from channel_tunnel_agents.balance.players.training import Trained
from channel_tunnel_agents.statistics import estimate_share
from channel_tunnel_env import Ruleset
from channel_tunnel_env.outside.progress import Progress

DEALS = 1_000
IMPROVING_DEALS = 200


@dataclass(frozen=True)
class Judged:
    """A verdict with the games that it rests on."""

    verdict: Verdict
    solved: Solved
    population: Population


@dataclass(frozen=True)
class Judging:
    """How a ruleset is judged.

    Attributes:
        ruleset: the rules.
        budget: what is trained for them; None: nothing, only what there is already plays.
        deals: of every pairing.
        workers: processes; None: one per core.
        error: of the policies, by whether some were trained for the rules, and whether there are best responses.
    """

    ruleset: Ruleset
    budget: Budget | None
    deals: int = DEALS
    workers: int | None = None

    def steps(self, progress: Progress | None = None) -> Iterator[Judged]:
        """What is known after the games of the given players, of those trained apart, and of the best responses.

        Raises:
            AgentError, OSError: a policy cannot be trained; what was yielded holds.
        """
        shown = progress or Progress()
        population = population_of(self.ruleset)
        payoffs = self._play(population, None, shown)
        yield self._judged(population, payoffs)
        if self.budget is None or population.reader is None:
            return
        stage = shown.begin("training", 1.0)
        population = train_apart(population, self.budget, self.workers, stage.reach)
        payoffs = self._play(population, payoffs, shown)
        judged = self._judged(population, payoffs)
        yield judged
        stage = shown.begin("training best responses", 1.0)
        mixtures = judged.solved.equilibrium.mixtures
        population = train_answers(population, payoffs, mixtures, self.budget, self.workers, stage.reach)
        yield self._judged(population, self._play(population, payoffs, shown))

    def _play(self, population: Population, known: Payoffs | None, progress: Progress) -> Payoffs:
        names, seats = population.names, len(self.ruleset.seats)
        tables = len(names) ** 2 if seats == 2 else len(names) * (1 + seats * (len(names) - 1))
        had = 0 if known is None else len(known.shares)
        stage = progress.begin("games between policies", self.deals * (tables - had))
        return play_payoffs(names, self.ruleset, self.deals, workers=self.workers, progress=stage, known=known)

    def _judged(self, population: Population, payoffs: Payoffs) -> Judged:
        solved = solve_game(payoffs, population.answers, self._error(population))
        planned = {}
        if self.budget is not None:
            planned = {
                each.name: self.budget.answers if each.rivals else self.budget.decisions for each in population.trained
            }
        verdict = make_verdict(
            self.ruleset.name,
            self.ruleset.digest,
            solved,
            {each.name: each.decisions for each in population.trained},
            population.answers,
            planned,
            {each.name: self._improves(each) for each in population.trained},
        )
        return Judged(verdict, solved, population)

    def _error(self, population: Population) -> PolicyError:
        raise NotImplementedError

    def _improves(self, trained: Trained) -> bool:
        """Whether a policy beats itself of one part of its training earlier, surely and by enough to matter."""
        earlier = trained.earlier
        if earlier is None:
            return False
        names = [trained.name, earlier]
        met = play_payoffs(names, self.ruleset, IMPROVING_DEALS, workers=self.workers)
        seats = range(len(self.ruleset.seats))
        own = np.concatenate([met.of(seat, 0, 1)[:, seat] for seat in seats])
        share = estimate_share(own, np.tile(np.arange(met.deals), len(seats)))
        return share.value > STILL_IMPROVES and share.low > 1 / len(seats)
