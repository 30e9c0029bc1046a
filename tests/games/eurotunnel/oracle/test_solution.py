"""The search for consistent assignments, against trying all and against narrowing by the letter (rules 5)."""

from __future__ import annotations

from itertools import product

import pytest

from .equations import Equations
from .movement import play_movement
from .position import Rules, by_power, read_position
from .random_cases import random_case
from .solution import Solution, groups, narrow

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


@pytest.mark.parametrize("book", BOOKS)
def test_narrowing_stops_only_where_the_search_does_not_find_one_solution(book: str) -> None:
    """Otherwise it fixes every decision, and at the same values (5.4)."""
    for seed in range(CASES):
        equations, solution = _solved(seed, book)
        if not solution.backups:
            fixed: dict[str, bool] = {}
            for group in groups(equations, equations.decisions):
                fixed = narrow(equations, group, fixed)
            assert fixed == solution.values, seed


@pytest.mark.parametrize("book", BOOKS)
def test_an_equation_depends_only_on_what_it_mentions(book: str) -> None:
    for seed in range(CASES // 3):
        equations, solution = _solved(seed, book)
        for decision in equations.decisions:
            value = equations.value(decision, solution.values)
            for other in equations.decisions - equations.mentions(decision):
                flipped = {**solution.values, other: not solution.values[other]}
                assert equations.value(decision, flipped) == value, (seed, decision, other)


def test_a_rival_of_an_exchange_is_not_in_its_core() -> None:
    """No equation of the exchange mentions whether the rival moves, so the backup rule does not move it (5.5)."""
    position = read_position("u i: A MAR, A SPA, F LYO, F WES | g: A POR")
    orders = by_power("i: A MAR - SPA, A SPA - MAR, F LYO C A SPA - MAR, F WES S A MAR - SPA | g: A POR - SPA")
    phase = play_movement(position, orders, Rules())
    assert [core for core, _ in phase.solution.backups] == [frozenset({"MAR", "SPA"})]
    assert {p: phase.results[p].outcome for p in ("MAR", "SPA", "POR")} == {
        "MAR": "moves",
        "SPA": "moves",
        "POR": "fails",
    }
