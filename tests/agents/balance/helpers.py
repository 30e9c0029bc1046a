"""Verdicts without games: what players get against each other is given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from channel_tunnel_agents.balance.empirical.payoffs import Payoffs
from channel_tunnel_agents.balance.empirical.value import solve_game
from channel_tunnel_agents.balance.empirical.verdict import make_verdict
from channel_tunnel_agents.balance.judging import Judged
from channel_tunnel_agents.balance.players.errors import policy_error
from channel_tunnel_agents.balance.players.population import Budget, Population
from channel_tunnel_agents.balance.players.training import Trained
from channel_tunnel_env import Ruleset

DEALS = 2_000


def trained(ruleset: Ruleset, seed: int = 1, decisions: int | None = None, rivals: tuple[str, ...] = ()) -> Trained:
    """A policy that was trained for a ruleset, of which there is only the name."""
    way = "answer-12345678" if rivals else "self"
    name = f"adept-1-{ruleset.name}-{ruleset.digest[:8]}-{way}-{seed}"
    budget = Budget()
    had = (budget.answers if rivals else budget.decisions) if decisions is None else decisions
    return Trained(f"tuned:{name}", Path("runs/tuned") / name, had, rivals)


def payoffs_of(
    names: Sequence[str], seats: Sequence[str], first: Sequence[Sequence[float]], deals: int = DEALS
) -> Payoffs:
    """Of two seats: the first one's share by its policy (row) and the second one's (column); so many deals are won."""
    shares = {}
    for p, row in enumerate(first):
        for q, share in enumerate(row):
            won = (np.arange(deals) < round(share * deals)).astype(float)
            shares[p, q] = np.stack([won, 1 - won], axis=1)
    return Payoffs(tuple(names), tuple(seats), shares, dict.fromkeys(shares, 0.0), 0)


def judged_of(
    ruleset: Ruleset,
    first: Sequence[Sequence[float]],
    players: Sequence[Trained] = (),
    why_not: str = "",
    deals: int = DEALS,
) -> Judged:
    """A verdict on the scripted player, adept and trained policies, by what the first seat gets."""
    population = Population(ruleset, ("heuristic", "adept"), tuple(players))
    payoffs = payoffs_of(population.names, ruleset.seats, first, deals)
    plain = [each for each in players if not each.rivals]
    solved = solve_game(
        payoffs, population.latest_answers, policy_error(ruleset, bool(plain), bool(population.answers))
    )
    planned = {each.name: Budget().answers if each.rivals else Budget().decisions for each in players}
    decisions = {each.name: each.decisions for each in players}
    verdict = make_verdict(ruleset.name, ruleset.digest, solved, decisions, population.answers, planned, {})
    return Judged(verdict, solved, population, why_not)
