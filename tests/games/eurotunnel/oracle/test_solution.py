"""The search for consistent assignments, against trying all (rules 5)."""

from __future__ import annotations

from itertools import product

import pytest

from .equations import Equations
from .movement import play_movement
from .position import Rules
from .random_cases import random_case
from .solution import Solution

BOOKS = ("1971", "datc")
CASES = 150


def _solved(seed: int | str, book: str) -> tuple[Equations, Solution]:
    rules = Rules(rulebook=book)
    case = random_case(seed, rules)
    phase = play_movement(case.position, case.orders, rules, case.permissions)
    return phase.equations, phase.solution


@pytest.mark.parametrize("book", BOOKS)
def test_every_decision_satisfies_its_equation(book: str) -> None:
    """Only convoys that the backup rule failed may not (11.7)."""
    for seed in range(CASES):
        equations, solution = _solved(seed, book)
        assert set(solution.values) == equations.decisions
        for decision, value in solution.values.items():
            if decision not in solution.forced & equations.convoys:
                assert equations.value(decision, solution.values) == value, (seed, decision)


@pytest.mark.parametrize("book", BOOKS)
def test_the_solution_is_the_only_consistent_assignment(book: str) -> None:
    """All assignments of a small case are tried: one is consistent, or the backup rule was needed."""
    for seed in range(CASES):
        equations, solution = _solved(seed, book)
        names = sorted(equations.decisions)
        if len(names) > 8:
            continue
        consistent = []
        for values in product((False, True), repeat=len(names)):
            trial = dict(zip(names, values, strict=True))
            if all(equations.value(name, trial) == trial[name] for name in names):
                consistent.append(trial)
        if solution.backups:
            assert len(consistent) != 1, seed
        else:
            assert consistent == [solution.values], seed
