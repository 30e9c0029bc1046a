"""The random cases can be written and read, and everything that can become of an order does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from . import adjudicator
from .legality import is_legal
from .movement import Movement, play_movement
from .orders import parse, read_orders, write_order
from .position import Rules, read_position, write_position
from .random_cases import Case, random_case

BOOKS = ("1971", "datc")
CASES = 100
books = pytest.mark.parametrize("book", BOOKS)


def _cases(book: str, count: int = CASES) -> Iterator[tuple[int, Rules, Case, Movement]]:
    """The cases of the first seeds, with what comes of them."""
    rules = Rules(rulebook=book)
    for seed in range(count):
        case = random_case(seed, rules)
        yield seed, rules, case, play_movement(case.position, case.orders, rules, case.permissions)


@books
def test_a_case_and_its_orders_can_be_written_and_read(book: str) -> None:
    for seed, rules, case, phase in _cases(book):
        again_drawn = adjudicator.random_case(seed, rules)
        assert again_drawn["text"] == case.text()
        assert again_drawn["orders"] == case.orders
        again = read_position(write_position(case.position))
        plain = adjudicator.to_plain(case.position)
        assert adjudicator.to_plain(again) == plain
        assert adjudicator.to_plain(adjudicator.from_plain(plain)) == plain
        for text in (text for texts in case.orders.values() for text in texts):
            order = parse(text)
            assert order is not None
            assert write_order(case.position, order) == text
        orders = read_orders(case.position, case.orders)
        assert all(is_legal(case.position, order, rules) for order in orders.values()), seed
        assert all(result.followed for result in phase.results.values()), seed


@books
def test_the_cases_are_lively(book: str) -> None:
    """Everything that can become of an order does, and the backup rule is needed at times."""
    found: Counter[str] = Counter()
    for _, _, _, phase in _cases(book, 3 * CASES):
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
