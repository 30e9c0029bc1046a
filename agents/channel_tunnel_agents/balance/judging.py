"""Judge a ruleset: play its players against each other, train more of them, and play again.

Every step leaves a whole verdict, so that a page can show the first after seconds and grow while policies are trained.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from channel_tunnel_agents.balance.empirical.payoffs import missing_casts, play_payoffs, share_against
from channel_tunnel_agents.balance.empirical.value import PolicyError, Solved, solve_game
from channel_tunnel_agents.balance.empirical.verdict import (
    STILL_IMPROVES,
    SURELY_BEATEN,
    Doubt,
    Verdict,
    head_to_head,
    make_verdict,
)
from channel_tunnel_agents.balance.measuring.seats import EVEN
from channel_tunnel_agents.balance.players.errors import change_error, far_error, policy_error
from channel_tunnel_agents.balance.players.played import keep_payoffs, known_payoffs
from channel_tunnel_agents.balance.players.population import (
    DECISIONS,
    Budget,
    Population,
    population_of,
    scripted_player,
    train_answers,
    train_apart,
)
from channel_tunnel_agents.balance.players.training import Trained
from channel_tunnel_agents.base import FROZEN, AgentError
from channel_tunnel_agents.learning.guards import TrainingCollapse
from channel_tunnel_agents.statistics import REACH, Estimate
from channel_tunnel_env import Ruleset
from channel_tunnel_env.outside.progress import Progress

SEED = 987_654_321  # of deals that no policy is trained on
QUICK_DEALS = 400
ALARM_DEALS = 50
IMPROVING_DEALS = 200


@dataclass(frozen=True)
class Plan:
    """What a verdict plays and trains.

    Attributes:
        deals: of every pairing.
        seed: of the deals.
        budget: what is trained for the rules; None: nothing, only what there is plays.
    """

    deals: int = 1_000
    seed: int = SEED
    budget: Budget | None = None

    @classmethod
    def of(cls, decisions: int) -> Plan:
        """What any command but a report plays for a budget: fewer deals if nothing is trained."""
        return cls(budget=Budget.of(decisions)) if decisions else cls(QUICK_DEALS)


@dataclass(frozen=True)
class Judged:
    """A verdict with the games that it rests on.

    Attributes:
        verdict: the answer.
        solved: the empirical game.
        population: its players.
        why_not: why no policy was trained although some were asked for; "" if they were.
    """

    verdict: Verdict
    solved: Solved
    population: Population
    why_not: str = ""

    @property
    def is_doubted(self) -> bool:
        """Something makes the value doubtful, beyond that nothing was trained."""
        return bool({*self.verdict.doubts} - {Doubt.UNTRAINED}) or bool(self.why_not)

    @property
    def is_trained(self) -> bool:
        """Whether some of the players were trained for these rules."""
        return any(not each.rivals for each in self.population.trained)

    @property
    def practised(self) -> tuple[str, ...]:
        """The players that have practised these rules: trained for them here, or shipped."""
        habit = scripted_player(self.population.ruleset), self.population.reader
        return tuple(name for name in self.population.names if name not in habit)

    @property
    def is_short(self) -> bool:
        """Whether some of the policies that are planned have not been trained to the end."""
        return not self.population.answers or not {Doubt.UNTRAINED, Doubt.SHORT}.isdisjoint(self.verdict.doubts)

    @cached_property
    def far(self) -> float:
        """What the distance of the rules from the box adds to the error of the value; see `far_error`."""
        return far_error(self.population.ruleset, self.is_trained, bool(self.population.answers))

    @property
    def next_budget(self) -> Budget:
        """What to train next: what is planned first, then for twice as many decisions as the policies have had."""
        least = min((each.decisions for each in self.population.trained if not each.rivals), default=0)
        return Budget.of(max(DECISIONS, least if self.is_short else 2 * least)) or Budget()

    @property
    def player(self) -> str:
        """Who plays the figures of a report: of those that read the rules what the seats play most, best responses apart.

        If the seats choose none of these, the one that wins most. If nobody reads the rules, the player that they choose most.
        """
        names = self.solved.payoffs.names
        weights, won = self.solved.equilibrium.mixtures.mean(axis=0), head_to_head(self.solved.payoffs).mean(axis=1)
        rank = {name: (weights[p], won[p]) for p, name in enumerate(names)}
        readers = [name for name in self.population.readers if name not in self.population.answers]
        return max(readers or names, key=lambda name: rank[name])

    def plays_for(self, names: Iterable[str]) -> tuple[str, ...]:
        """Some players, each that reads the rules replaced by the one that plays these rules best."""
        reader = self.population.reader
        return tuple(dict.fromkeys(self.player if name == reader else name for name in names))

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return self.verdict.to_dict() | {"player": self.player, "why_not": self.why_not}


def judge(
    ruleset: Ruleset, plan: Plan, workers: int | None = None, progress: Progress | None = None
) -> Iterator[Judged]:
    """What is known after the games of the players that there are, of policies trained apart, and of each round of best responses.

    A step that trains nothing leaves no verdict of its own. A policy that cannot be trained ends the training, not the verdict:
    `why_not` says what was wrong.

    Args:
        workers: processes; None: one per core. The numbers do not depend on it.
        progress: shows the stages.

    Raises:
        AgentError: a player that does not fit the rules.
    """
    table, budget = _Table(ruleset, plan, workers, progress or Progress()), plan.budget
    judged = table.judged(population_of(ruleset))
    yield judged
    if budget is None or judged.population.reader is None:
        return
    for number in range(1 + budget.rounds):
        try:
            population = table.train(judged, budget, number)
        except (AgentError, OSError, TrainingCollapse) as error:
            yield table.judged(population_of(ruleset), judged, f"No policy could be trained for these rules: {error}.")
            return
        if population != judged.population:
            judged = table.judged(population, judged)
            yield judged


@dataclass(frozen=True)
class _Table:
    """How a ruleset is judged."""

    ruleset: Ruleset
    plan: Plan
    workers: int | None
    progress: Progress

    def train(self, judged: Judged, budget: Budget, number: int) -> Population:
        """The population with what a round adds: policies trained by self-play in round 0, best responses in the others."""
        what = f"training best responses, round {number}" if number else f"training for {self.ruleset.name}"
        stage = self.progress.begin(what, 1.0)
        try:
            if not number:
                return train_apart(judged.population, budget, self.workers, stage.reach)
            return train_answers(judged.population, judged.solved.payoffs, budget, number, self.workers, stage.reach)
        finally:
            stage.finish()

    def judged(self, population: Population, before: Judged | None = None, why_not: str = "") -> Judged:
        """The verdict on what a population plays; what was played before is not played again."""
        deals, seed = self.plan.deals, self.plan.seed
        if before is None:
            known = known_payoffs(population, deals, seed)
        else:
            known = before.solved.payoffs.among(before.population.unchanged(population))
        missing = missing_casts(population.names, self.ruleset, deals, seed, known)
        stage = self.progress.begin("games between players", deals * len(missing))
        payoffs = play_payoffs(population.names, self.ruleset, deals, seed, self.workers, stage, known)
        if missing:
            keep_payoffs(population, payoffs)
        trained = [each for each in population.trained if not each.rivals]
        error = policy_error(self.ruleset, bool(trained), bool(population.answers))
        solved = solve_game(payoffs, population.latest_answers, error)
        wanted = self.plan.budget or Budget()
        verdict = make_verdict(
            self.ruleset.name,
            self.ruleset.digest,
            solved,
            {each.name: each.decisions for each in population.trained},
            population.answers,
            {each.name: wanted.answers if each.rivals else wanted.decisions for each in population.trained},
            {each.name: self._improves(each, before) for each in trained},
        )
        return Judged(verdict, solved, population, why_not)

    def _improves(self, trained: Trained, before: Judged | None) -> bool:
        """Whether a policy beats itself of one part of its training earlier, surely and by enough to matter."""
        for each in before.verdict.players if before is not None else ():
            if (each.name, each.decisions) == (trained.name, trained.decisions) and each.improves is not None:
                return each.improves
        if trained.earlier is None:
            return False
        share = share_against(trained.name, trained.earlier, self.ruleset, IMPROVING_DEALS, SEED, self.workers)
        return share.value > STILL_IMPROVES and share.low > EVEN


def alarms(
    player: str, rulesets: Iterable[Ruleset], workers: int | None = None, progress: Progress | None = None
) -> list[str]:
    """Rulesets on which a player is no good player, a sentence each: the scripted player holds its own against it.

    An alarm says that something is wrong; that there is none says little.

    Args:
        player: name of an agent, which plays as it is.
        rulesets: of two seats; others are passed over.
    """
    told, shown = [], progress or Progress()
    for ruleset in rulesets:
        scripted = scripted_player(ruleset)
        if len(ruleset.seats) != 2 or player == scripted:
            continue
        stage = shown.begin(f"{player} on {ruleset.name}", 2 * ALARM_DEALS)
        share = share_against(FROZEN + player, scripted, ruleset, ALARM_DEALS, SEED, workers, stage).value
        if share < SURELY_BEATEN:
            told.append(
                f"On {ruleset.name} {player} wins only {100 * share:.0f} % of its games against {scripted}, the scripted "
                "player: its figures there say little. Train a policy for these rules: channel-tunnel adapt."
            )
    return told


@dataclass(frozen=True)
class ValueChange:
    """What one ruleset changes against another, when the same players choose well on both.

    Attributes:
        one, other: names of the rulesets.
        seat: the first one's name.
        was: its value on the first ruleset.
        change: of its value, with a 95 % interval over deals and policies.
        players: who played both.
        is_trained: some were trained for one of the rulesets.
    """

    one: str
    other: str
    seat: str
    was: float
    change: Estimate
    players: tuple[str, ...]
    is_trained: bool


def judge_change(
    one: Judged, other: Judged, deals: int, workers: int | None = None, progress: Progress | None = None
) -> ValueChange:
    """The change of the first seat's value from one ruleset to another of two seats.

    All players of both rulesets that can play both do so on the same deals, so that a change of players is not counted as one of the
    rules. Rulesets that differ in nothing that the players or the engine see change nothing: exactly 0.

    Args:
        deals: of every pairing, from the seed of the verdict on the first.

    Raises:
        AgentError: a player of one ruleset does not fit the other.
    """
    populations = one.population, other.population
    names = tuple(dict.fromkeys(name for each in populations for name in (each.given[0], *each.readers)))
    answers = populations[0].answers | populations[1].answers
    shown, seed = progress or Progress(), one.verdict.seed
    solved = []
    for judged in (one, other):
        ruleset, known = judged.population.ruleset, judged.solved.payoffs
        missing = missing_casts(names, ruleset, deals, seed, known)
        stage = shown.begin(f"the same players on {ruleset.name}", deals * len(missing))
        payoffs = play_payoffs(names, ruleset, deals, seed, workers, stage, known)
        solved.append(solve_game(payoffs, answers, PolicyError(0.0, 0.0)))
    before, after = solved
    per_deal = after.values[:, 0] - before.values[:, 0]
    change = float(per_deal.mean())
    is_same = all(
        np.array_equal(before.payoffs.shares[cast], after.payoffs.shares[cast]) for cast in before.payoffs.shares
    )
    of_players = change_error(change, max(one.far, other.far))
    error = 0.0 if is_same else float(np.hypot(per_deal.std(ddof=1) / np.sqrt(deals), of_players))
    reach = REACH * error
    return ValueChange(
        populations[0].ruleset.name,
        populations[1].ruleset.name,
        populations[0].ruleset.seats[0],
        before.seats[0].share.value,
        Estimate(change, change - reach, change + reach),
        names,
        any(each.trained for each in populations),
    )
