"""How often the backup rule is needed in random cases, and whether what the rules say of it holds.

    python -m tests.eurotunnel.oracle [CASES]

For both rule books: the kinds of cores, with the number of consistent assignments of their groups; how many
groups narrowing leaves open though they have one consistent assignment; how many cases come out otherwise if the
list of mentions in 5.5 is taken to the letter, also where a mentioned decision cannot matter.
"""

from __future__ import annotations

import sys
from collections import Counter

from .equations import Equations, Move
from .movement import play_movement
from .position import Rules
from .random_cases import Case, random_case
from .solution import groups, narrow, solve


class ListedMentions(Equations):
    """The equations with the list of mentions in 5.5 to the letter."""

    def _move_mentions(self, move: Move) -> set[str]:
        found = self._path_mentions(move) | self._meeting_mentions(move)
        found |= {s.place for s in self.supports_of(move)} | {move.goal} & set(self.moves)
        found |= {s.place for s in self.hold_supports(move.goal)}
        other = self.opposite(move)
        if other is not None:
            found |= {s.place for s in self.supports_of(other)}
        for rival in self.moves_into(move.goal):
            if rival is not move:
                found |= self._prevent_mentions(rival)
        return found

    def _prevent_mentions(self, rival: Move) -> set[str]:
        found = self._path_mentions(rival) | {s.place for s in self.supports_of(rival)}
        other = self.opposite(rival)
        found |= {other.start} if other is not None else set()
        return found | ({rival.start} if self.is_1971 else set())


def _study(case: Case, rules: Rules, counts: Counter[str]) -> None:
    phase = play_movement(case.position, case.orders, rules, case.permissions)
    equations, solution = phase.equations, phase.solution
    counts["cases"] += 1
    counts["cases with backup"] += bool(solution.backups)
    for core, found in solution.backups:
        kind = "with convoys" if core & equations.convoys else "without convoys"
        counts[f"core {kind}, {found} consistent"] += 1
    if not solution.backups:
        fixed: dict[str, bool] = {}
        for group in groups(equations, equations.decisions):
            fixed = narrow(equations, group, fixed)
        counts["one consistent assignment, but narrowing stops"] += fixed != solution.values
    listed = object.__new__(ListedMentions)
    vars(listed).update(vars(equations))
    if solve(listed).values != solution.values:
        counts["other result with the list of mentions to the letter"] += 1
        print(case.text())


def main(cases: int) -> None:
    """Print the counts for both rule books."""
    for book in ("1971", "datc"):
        rules, counts = Rules(rulebook=book), Counter[str]()
        for seed in range(cases):
            _study(random_case(seed, rules), rules, counts)
            if seed % 1000 == 999:
                print(f"{book}: {seed + 1} of {cases}", file=sys.stderr)
        for name, count in sorted(counts.items()):
            print(f"{book}: {name}: {count}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
