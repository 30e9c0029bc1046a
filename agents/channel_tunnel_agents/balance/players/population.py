"""The players of a ruleset: which there are, and how more of them are trained.

A population begins with the players that the game brings. Policies trained by self-play from several seeds join it,
then best responses to their equilibrium, as in policy-space response oracles (Lanctot et al. 2017). Whatever was
trained for a ruleset stays in its population: it only grows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.empirical.payoffs import Payoffs
from channel_tunnel_agents.balance.empirical.value import equilibrium_of
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.balance.players.training import Trained, TrainingTask, find_trained, train_policies
from channel_tunnel_agents.names import AgentName
from channel_tunnel_agents.players.shipped import best_for, reader_of
from channel_tunnel_env import Ruleset

DECISIONS = 600_000  # of a policy; both seats' count
ROUNDS = 2
"""Of best responses, each to the equilibrium with those of the round before: on far rules one leaves much to be found."""
SPEED = 7_000  # decisions a second, on two free cores in 1987
MET = 8  # places that an equilibrium's policies share among the rivals of a best response, by their weights


@dataclass(frozen=True)
class Budget:
    """How much is trained for a ruleset.

    Attributes:
        decisions: of each policy by self-play, both seats counted.
        answers: of each best response.
        seeds: of both; one policy, and one response a round, for each.
        rounds: of best responses.
    """

    decisions: int = DECISIONS
    answers: int = DECISIONS // 2
    seeds: tuple[int, ...] = (1, 2)
    rounds: int = ROUNDS

    @classmethod
    def of(cls, decisions: int) -> Budget | None:
        """With half as many for each best response; None: nothing is trained."""
        return cls(decisions, decisions // 2) if decisions else None

    @property
    def seconds(self) -> float:
        """About how long it takes on two free cores."""
        return len(self.seeds) * (self.decisions + self.rounds * self.answers) / SPEED


@dataclass(frozen=True)
class Population:
    """The players of a ruleset.

    Attributes:
        ruleset: the rules.
        given: names of those that come with the game: the scripted one, the policy that reads the rules, and the best of
            those that were trained for these.
        trained: for these rules.
    """

    ruleset: Ruleset
    given: tuple[str, ...]
    trained: tuple[Trained, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All players."""
        return (*self.given, *(each.name for each in self.trained))

    @property
    def readers(self) -> tuple[str, ...]:
        """Those that read the rules, so that they play other rulesets too: the policy that does, and what was trained from it."""
        return (*filter(None, [self.reader]), *(each.name for each in self.trained))

    @property
    def answers(self) -> frozenset[str]:
        """Those that were trained as best responses."""
        return frozenset(each.name for each in self.trained if each.rivals)

    def unchanged(self, later: Population) -> frozenset[str]:
        """The players that play as they do in a later population: a policy keeps its name when it is trained further."""
        return frozenset([*self.given, *(each.name for each in self.trained if each in later.trained)])

    @property
    def rounds(self) -> dict[str, int]:
        """The round of best responses of every player; 0: it is none. One responds to players of earlier rounds."""
        rivals = {each.name: each.rivals for each in self.trained}

        def round_of(name: str) -> int:
            return 1 + max(map(round_of, rivals[name])) if rivals.get(name) else 0

        return {name: round_of(name) for name in self.names}

    @property
    def latest_answers(self) -> frozenset[str]:
        """Those of the last round."""
        rounds = self.rounds
        last = max(rounds.values())
        return frozenset(name for name, number in rounds.items() if number == last > 0)

    @property
    def reader(self) -> str | None:
        """`reader_of` the ruleset: the policy from which others are trained."""
        return reader_of(self.ruleset)


def population_of(ruleset: Ruleset) -> Population:
    """The players that there are for a ruleset now."""
    reader = reader_of(ruleset)
    policies = [reader] if reader is not None else []
    fitting = best_for(ruleset)
    if AgentName.read(fitting, ruleset.spec.name).kind == "policy":
        policies.append(fitting)
    given = dict.fromkeys([scripted_player(ruleset), *policies])
    trained = find_trained(reader, ruleset) if reader is not None else []
    return Population(ruleset, tuple(given), tuple(trained))


def scripted_player(ruleset: Ruleset) -> str:
    """The player of a ruleset that plays by rules of thumb."""
    return measures_of(ruleset).player


def train_apart(
    population: Population,
    budget: Budget,
    workers: int | None = None,
    reach: Callable[[float], object] = lambda done: None,
) -> Population:
    """The population with the policies that are trained by self-play.

    Raises:
        AgentError, OSError: as `train_policies`.
    """
    reader, ruleset = population.reader, population.ruleset
    if reader is None:
        return population
    train_policies([TrainingTask(reader, ruleset, budget.decisions, seed) for seed in budget.seeds], workers, reach)
    return population_of(ruleset)


def train_answers(
    population: Population,
    payoffs: Payoffs,
    budget: Budget,
    number: int = 1,
    workers: int | None = None,
    reach: Callable[[float], object] = lambda done: None,
) -> Population:
    """The population with a round of best responses, to the equilibrium of the players of earlier rounds.

    The rivals follow from the players that there are, so that the responses of a round are found again.

    Args:
        payoffs: of the empirical game.
        budget: of the responses.
        number: of the round, from 1.

    Raises:
        AgentError, OSError: as `train_policies`.
    """
    if population.reader is None:
        return population
    rounds = population.rounds
    earlier = [name for name in payoffs.names if rounds[name] < number]
    mixtures = equilibrium_of(payoffs, earlier).mixtures
    met = rivals_of(payoffs.names, mixtures)
    weights = dict(zip(payoffs.names, mixtures.mean(axis=0), strict=True))
    parents = [each.name for each in population.trained if each.name in earlier] or [population.reader]
    parent = max(parents, key=lambda name: weights.get(name, 0.0))
    tasks = [TrainingTask(parent, population.ruleset, budget.answers, seed, met) for seed in budget.seeds]
    train_policies(tasks, workers, reach)
    return population_of(population.ruleset)


def rivals_of(names: Sequence[str], mixtures: NDArray[np.float64]) -> tuple[str, ...]:
    """Each policy as often among `MET` rivals as the seats play it on average, the rest by largest remainder."""
    shares = mixtures.mean(axis=0) * MET
    counts = np.floor(shares + 1e-9).astype(int)
    for p in np.argsort(counts - shares, kind="stable")[: MET - counts.sum()]:
        counts[p] += 1
    return tuple(name for name, count in zip(names, counts, strict=True) for _ in range(count))
