"""How often the backup rule is needed in random cases, and whether what the rules say of it holds.

    python -m tests.games.eurotunnel.oracle [CASES]

For both rule books:

- the kinds of cores, with the number of consistent assignments of their groups, and cores without a convoy in
  which the moves do not go round;
- cases in which narrowing leaves a decision open though there is one consistent assignment;
- cases that come out otherwise if the list of mentions in 5.5 is taken to the letter. The equations of 5.3 mention
  MOVE(x) of a rival x only where a unit is ordered the opposite way; the list has it always. Then a rival of an
  exchange is in the core of the exchange, and two units would enter one province.
"""

from __future__ import annotations

import sys
from collections import Counter

from .equations import Equations, Move
from .movement import Movement, play_movement
from .position import Rules
from .random_cases import Case, random_case
from .solution import groups, narrow, solve


class ListedMentions(Equations):
    """The list of mentions in 5.5, but MOVE of a rival only where a unit goes the opposite way."""

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
        if other is not None:
            found |= {other.start, rival.start} if self.is_1971 else {other.start}
        return found


class MentionsToTheLetter(ListedMentions):
    """The list of mentions in 5.5 to the letter: by the 1971 book, MOVE of every rival."""

    def _prevent_mentions(self, rival: Move) -> set[str]:
        found = super()._prevent_mentions(rival)
        return found | {rival.start} if self.is_1971 else found


def _other_result(reading: type[Equations], phase: Movement) -> bool:
    other = object.__new__(reading)
    vars(other).update(vars(phase.equations))
    return solve(other).values != phase.solution.values


def _goes_round(equations: Equations, core: frozenset[str]) -> bool:
    moves = core & set(equations.moves)
    return {equations.moves[place].goal for place in moves} == moves


def _study(case: Case, rules: Rules, counts: Counter[str]) -> None:
    phase = play_movement(case.position, case.orders, rules, case.permissions)
    equations, solution = phase.equations, phase.solution
    counts["cases"] += 1
    if not solution.backups:
        fixed: dict[str, bool] = {}
        for group in groups(equations, equations.decisions):
            fixed = narrow(equations, group, fixed)
        counts["narrowing stops at one consistent assignment"] += fixed != solution.values
        return
    counts["cases with backup"] += 1
    for core, found in solution.backups:
        convoys = bool(core & equations.convoys)
        counts[f"core {'with' if convoys else 'without'} convoys, {found} consistent"] += 1
        counts["core without convoys that does not go round"] += not (convoys or _goes_round(equations, core))
    counts["other result by the list"] += _other_result(ListedMentions, phase)
    counts["other result by the list to the letter"] += _other_result(MentionsToTheLetter, phase)


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
