"""Strengths from orders of finish: an independent library agrees, and intervals hold what they promise."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from statsmodels.duration.hazard_regression import PHReg

from channel_tunnel_agents.matches import rating
from channel_tunnel_agents.matches.plackett_luce import fit
from channel_tunnel_agents.matches.rating import ELO

TABLES = [p for three in itertools.combinations(range(4), 3) for p in itertools.permutations(three)]
STRENGTHS = np.array([0.0, 0.4, 0.9, -0.6])
SEATS = np.array([0.0, 0.3, -0.2])


def simulate(
    deals: int, rng: np.random.Generator, luck: float = 0.0, strengths: np.ndarray = STRENGTHS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Agents, scores, deals of games that follow the model; seats share `luck` in all games of a deal."""
    agents = np.tile(TABLES, (deals, 1))
    deal = np.repeat(np.arange(deals), len(TABLES))
    shared = luck * rng.normal(size=(deals, 3))
    worth = strengths[agents] + SEATS + shared[deal] + rng.gumbel(size=agents.shape)
    return agents, (1000 * worth).astype(int), deal


def test_coxs_regression_by_game_finds_the_same_strengths_seats_and_errors() -> None:
    agents, scores, deals = simulate(30, np.random.default_rng(0), 1.0)
    scores = scores // 600  # many ties
    found = fit(agents, scores, deals, 4)
    ranks = (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    design = np.zeros((*agents.shape, 7))
    for seat in range(3):
        design[np.arange(len(agents)), seat, agents[:, seat]] = 1
        design[:, seat, 4 + seat] = 1
    free = np.delete(design, [0, 4], axis=2).reshape(-1, 5)
    games = np.repeat(np.arange(len(agents)), 3)
    cox = PHReg(ranks.ravel() + 1.0, free, strata=games, ties="efron").fit(groups=np.repeat(deals, 3))
    places = [1, 2, 3, 5, 6]
    assert found.parameters[places] == pytest.approx(cox.params, abs=0.01)
    errors = np.sqrt(np.diag(found.covariance))[places]
    assert errors == pytest.approx(cox.bse, rel=0.04)  # a degree of freedom, and the added games


def test_two_seats_are_the_model_of_the_ladder_of_two() -> None:
    rng = np.random.default_rng(1)
    pairs = list(itertools.permutations(range(3), 2))
    outcomes = {pair: rng.integers(0, 2, 200).astype(float) for pair in pairs}
    agents = np.repeat(pairs, 200, axis=0)
    first = np.concatenate([outcomes[pair] for pair in pairs])
    scores = np.stack([first, 1 - first], axis=1).astype(int)
    found = fit(agents, scores, np.tile(np.arange(200), len(pairs)), 3)
    expected = rating.fit(outcomes)
    for agent in (1, 2):
        one, other = found.strength(agent), expected.strength(agent)
        assert one.value == pytest.approx(other.value, abs=1)
        assert one.high - one.low == pytest.approx(other.high - other.low, rel=0.03)


@pytest.mark.parametrize("luck", [0.0, 2.0])
def test_intervals_hold_the_truth_as_often_as_promised(luck: float) -> None:
    """With luck that a deal gives to a seat in all its games the terms of seats vary most."""
    rng, rounds = np.random.default_rng(2), 150
    covered = np.zeros(3)
    for _ in range(rounds):
        found = fit(*simulate(20, rng, luck, np.zeros(4)), 4)
        gaps = [found.strength(1), found.above(2, 3), found.seat(1)]
        truths = [0.0, 0.0, ELO * SEATS[1] if luck == 0 else None]
        covered += [truth is None or gap.low <= truth <= gap.high for gap, truth in zip(gaps, truths, strict=True)]
    assert (covered >= 0.9 * rounds).all(), covered


def test_an_agent_that_is_always_last_has_a_finite_strength() -> None:
    agents, scores, deals = simulate(10, np.random.default_rng(4))
    scores[agents == 3] = -100_000
    found = fit(agents, scores, deals, 4)
    assert np.isfinite(found.parameters).all() and np.isfinite(found.covariance).all()
    assert found.ladder[-1].agent == 3 and found.strength(3).high < 0


def test_a_single_deal_can_be_rated() -> None:
    found = fit(*simulate(1, np.random.default_rng(5)), 4)
    assert np.isfinite(found.covariance).all() and isinstance(found, rating.Rating)
