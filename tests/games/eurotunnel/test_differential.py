"""The engine and the second reading of the rules adjudicate the same random seasons alike: movement, retreats, winter.

python -m tests.games.eurotunnel.test_differential CASES [SEED]      as many as wanted, under both rule books
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from channel_tunnel_env.games.eurotunnel.adjudicate import adjudicate
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from tests.games.eurotunnel.arena import ruleset_with
from tests.games.eurotunnel.oracle import board as oracle_board
from tests.games.eurotunnel.oracle.game import Game, Report
from tests.games.eurotunnel.oracle.position import Rules, to_plain
from tests.games.eurotunnel.oracle.random_cases import random_adjustments, random_case, random_retreats
from tests.games.eurotunnel.table import with_changes

BOOKS = ("1971", "datc")
# What one says of a unit in the words of the other.
RESULTS = {
    "holds": "stood",
    "moves": "moved",
    "fails": "failed",
    "stranded": "disrupted",
    "void": "void",
    "supports": "done",
    "convoys": "done",
    "cut": "cut",
    "unmatched": "void",
    "unused": "void",
    "disrupted": "disrupted",
}


def tunnels_of(position: dict[str, Any], permitted: str) -> list[Any]:
    """Owner, ends, state and who may use it, sorted."""
    return sorted([t["owner"], sorted(t["ends"]), t["state"], sorted(t[permitted])] for t in position["tunnels"])


def ends_of(tunnels: list[dict[str, Any]]) -> list[list[str]]:
    return sorted([tunnel["owner"], *sorted(tunnel["ends"])] for tunnel in tunnels)


def units_of(units: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return sorted((unit["power"], unit["type"], unit["loc"]) for unit in units)


def _is_refused(unit: dict[str, Any]) -> bool:
    """Whether a unit was given an order that is not legal."""
    return unit["written"] is not None and not unit["followed"]


class Season:
    """A random movement phase, and the retreats and the winter that follow it, played by both."""

    def __init__(self, seed: int | str, book: str) -> None:
        self.seed, self.rules = seed, Rules(rulebook=book)
        self.case = random_case(seed, self.rules)
        self.game = Game(self.rules, self.case.position)
        self.game.year, self.game.season = 1902, random.Random(f"season {seed}").choice("SF")
        self.position = {"phase": self.game.phase} | to_plain(self.case.position)
        self.kinds = ""

    def play(self) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
        """Each phase: its name, what the engine made of it, and what the oracle did, in the same words."""
        while not self.kinds or self.game.kind in "RA":
            phase = self.game.phase
            self.kinds += self.game.kind
            ours = self._play_phase()
            yield phase, of_engine(ours), self._of_oracle(*self.game.reports)
            self.game.reports.clear()
            self.position = ours["position"]

    def _play_phase(self) -> dict[str, Any]:
        changes: list[tuple[str, str, str]] = []
        luck = random.Random(f"{self.game.phase} {self.seed}")
        if self.game.kind == "M":
            orders, changes = self.case.orders, self.case.permissions
            self.game.movement(orders, changes)
        elif self.game.kind == "R":
            orders = random_retreats(self.game.position, luck)
            self.game.retreats(orders)
        else:
            orders = random_adjustments(self.game.position, luck)
            self.game.adjustments(orders)
        told = [(owner, sign[0] + oracle_board.LETTERS[sign[1]], ends) for owner, sign, ends in changes]
        return adjudicate(self.position, with_changes(orders, told), ruleset=ruleset_with(rulebook=self.rules.rulebook))

    def _of_oracle(self, report: Report, *end_of_fall: Report) -> dict[str, Any]:
        """From the report of a phase and, where tunnels fell with their power, that of the end of a Fall."""
        position = self.game.position
        after = to_plain(position)
        fallen = [place for told in (report, *end_of_fall) for place in told.demolished]
        return {
            "orders": {
                place: (RESULTS[result.outcome], result.dislodged, result.followed)
                for place, result in report.orders.items()
            },
            "retreats": {place: way is not None for place, way in report.retreats.items()},
            "phase": "COMPLETED" if self.game.kind == "OVER" else self.game.phase,
            "winner": self.game.winner,
            "units": units_of(after["units"]),
            "dislodged": units_of([gone.unit._asdict() for gone in position.dislodged.values()]),
            "contested": set(position.contested),
            "centres": position.centres,
            "tunnels": tunnels_of(after, "permits"),
            "told": tunnels_of(after, "told"),
            "built": after["built"],
            "opened": sorted([owner, *ends] for owner, ends in report.opened),
            "demolished": sorted([owner, *ends] for owner, ends in fallen),
        }


def of_engine(ours: dict[str, Any]) -> dict[str, Any]:
    after = ours["position"]
    return {
        "orders": {
            unit["loc"][:3]: (unit["result"], unit["dislodged"], not _is_refused(unit))
            for unit in ours["units"]
            if "dislodged" in unit
        },
        "retreats": {
            unit["loc"][:3]: unit["result"] == "retreated"
            for unit in ours["units"]
            if unit["result"] in ("retreated", "disbanded")
        },
        "phase": after["phase"],
        "winner": ours["winner"],
        "units": units_of(after["units"]),
        "dislodged": units_of(after["dislodged"]),
        "contested": set(after["contested"]),
        "centres": {place: power for power, held in after["centres"].items() for place in held},
        "tunnels": tunnels_of(after, "permits"),
        "told": tunnels_of(after, "told"),
        "built": after["built"],
        "opened": ends_of(ours["opened"]),
        "demolished": ends_of(ours["demolished"]),
    }


def differences(seed: int | str, book: str) -> tuple[list[str], str]:
    """What differs in the random season of a seed, in lines; and the kinds of its phases."""
    season = Season(seed, book)
    found = []
    for phase, ours, theirs in season.play():
        found = [
            f"  {phase}, {key}:\n    engine {ours[key]}\n    oracle {theirs[key]}"
            for key in ours
            if ours[key] != theirs[key]
        ]
        if found:
            break
    return [f"seed {seed}, {book}\n{season.case.text()}", *found] if found else [], season.kinds


def test_both_read_the_same_board() -> None:
    """Each from a file of its own: borders, routes of convoys, pairs of a tunnel, centres, units at the start."""
    ours = load_board()
    names, seas = ours.locations, [ours.provinces[sea] for sea in ours.seas]
    assert (set(ours.provinces), ours.powers) == (set(oracle_board.PROVINCES), oracle_board.POWERS)
    for kind, graph in ((c.ARMY, oracle_board.ARMY), (c.FLEET, oracle_board.FLEET)):
        steps = {frozenset((names[a], names[b])) for a, others in enumerate(ours.steps[kind]) for b in others}
        assert steps == set(map(frozenset, graph.edges))
    routes = {
        (names[a], names[b]): {frozenset(sea for i, sea in enumerate(seas) if route >> i & 1) for route in found}
        for (a, b), found in ours.routes.items()
    }
    assert routes == {pair: set(found) for pair, found in oracle_board.ROUTES.items()}
    pairs = {(names[a], names[b]): {names[area] for area in areas} for (a, b), areas in ours.pairs.items()}
    assert pairs == oracle_board.TUNNEL_PAIRS
    homes = {power: tuple(names[i] for i in ours.homes if ours.home[i] == n) for n, power in enumerate(ours.powers)}
    assert (homes, {names[i] for i in ours.centres}) == (oracle_board.HOMES, set(oracle_board.CENTRES))
    assert {power: set(units) for power, units in ours.data.start.items()} == {
        power: set(units) for power, units in oracle_board.DATA["start"].items()
    }


@pytest.mark.parametrize("book", BOOKS)
def test_engine_equals_oracle(book: str) -> None:
    phases: Counter[str] = Counter()
    for seed in range(150):
        found, kinds = differences(seed, book)
        assert not found, "\n".join(found)
        phases.update(kinds)
    assert phases["M"] == 150 and phases["R"] > 40 and phases["A"] > 40


def main() -> int:
    cases = int(sys.argv[1])
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    phases: Counter[str] = Counter()
    different = 0
    for seed in range(first, first + cases):
        for book in BOOKS:
            found, kinds = differences(seed, book)
            phases.update(kinds)
            different += bool(found)
            print(*found, sep="\n", end="\n" if found else "")
    told = f"{phases['M']} of movement, {phases['R']} of retreats, {phases['A']} of adjustments"
    print(f"{cases} cases under {len(BOOKS)} rule books, phases: {told}; {different} different")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
