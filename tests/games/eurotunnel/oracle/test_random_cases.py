"""Everything that can become of an order does in the random cases."""

from __future__ import annotations

from collections import Counter

import pytest

from .movement import play_movement
from .position import Rules
from .random_cases import random_case

BOOKS = ("1971", "datc")
CASES = 300


@pytest.mark.parametrize("book", BOOKS)
def test_the_cases_are_lively(book: str) -> None:
    """Everything that can become of an order does, and the backup rule is needed at times."""
    found: Counter[str] = Counter()
    rules = Rules(rulebook=book)
    for case in (random_case(seed, rules) for seed in range(CASES)):
        phase = play_movement(case.position, case.orders, rules, case.permissions)
        found.update(result.outcome for result in phase.results.values())
        found["dislodged"] += sum(result.dislodged for result in phase.results.values())
        found["opened"] += len(phase.opened)
        found["demolished"] += len(phase.demolished)
        found["backups"] += bool(phase.solution.backups)
        found["retreats by tunnel"] += sum(
            option.startswith("~") for gone in phase.position.dislodged.values() for option in gone.options
        )
    often = ("holds", "moves", "fails", "supports", "cut", "convoys", "dislodged", "opened")
    assert min(found[word] for word in often) > 80, found
    rarely = ("stranded", "void", "unmatched", "disrupted", "demolished", "backups")
    assert min(found[word] for word in (*rarely, "retreats by tunnel")) > 3, found
