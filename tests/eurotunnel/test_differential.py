"""The engine and the second reading of the rules adjudicate the same random phases alike.

python -m tests.eurotunnel.test_differential CASES [SEED]      as many as wanted, under both rule books
"""

from __future__ import annotations

import sys
from typing import Any

import pytest

from channel_tunnel_env.games.eurotunnel.adjudicate import adjudicate
from channel_tunnel_env.games.eurotunnel.board import load_board
from tests.eurotunnel.arena import ruleset_with
from tests.eurotunnel.oracle.adjudicator import movement, random_case
from tests.eurotunnel.oracle.position import Rules

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


def powers_by_letter() -> dict[str, str]:
    return {power[0].lower(): power for power in load_board().powers}


def of_oracle(plain: dict[str, Any], phase: str) -> dict[str, Any]:
    """A position of the second reading as one of the engine."""
    centres: dict[str, list[str]] = {}
    for centre, power in plain["centres"].items():
        centres.setdefault(power, []).append(centre)
    tunnels = [
        {
            "owner": tunnel["owner"],
            "ends": tunnel["ends"],
            "state": tunnel["state"],
            "permits": tunnel["permitted"],
            "told": tunnel["told"],
        }
        for tunnel in plain["tunnels"]
    ]
    return {
        "phase": phase,
        "units": plain["units"],
        "tunnels": tunnels,
        "built": plain["built"],
        "centres": centres,
    }


def tunnels_of(position: dict[str, Any], permitted: str) -> list[Any]:
    """Owner, ends, state and who may use it, sorted."""
    return sorted(
        [t["owner"], sorted(t["ends"]), t["state"], sorted(t[permitted])]
        for t in position["tunnels"]
    )


def ends_of(tunnels: list[dict[str, Any]]) -> list[list[str]]:
    return sorted([tunnel["owner"], *sorted(tunnel["ends"])] for tunnel in tunnels)


def units_of(units: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return sorted((unit["power"], unit["type"], unit["loc"]) for unit in units)


def _is_refused(unit: dict[str, Any]) -> bool:
    """Whether a unit was given an order that is not legal."""
    return unit["written"] is not None and not unit["followed"]


def play_both(seed: int | str, book: str) -> tuple[dict[str, Any], dict[str, Any], str]:
    """The random case of a seed as both adjudicate it, in the same words."""
    rules = Rules(rulebook=book)
    case = random_case(seed, rules)
    letters = powers_by_letter()
    changes = [
        {
            "owner": owner,
            "ends": ends.split("-"),
            "power": letters[sign[1]],
            "grant": sign[0] == "+",
        }
        for owner, sign, ends in case["permissions"]
    ]
    position = of_oracle(case["position"], "S1902M")
    ours = adjudicate(position, case["orders"], changes, ruleset_with(rulebook=book))
    theirs = movement(case["position"], case["orders"], case["permissions"], rules)
    after = ours["position"]
    left = [unit for unit in ours["units"] if unit["retreats"]]
    first = {
        "units": units_of(after["units"]),
        "results": {
            unit["loc"][:3]: (unit["result"], unit["dislodged"], not _is_refused(unit))
            for unit in ours["units"]
        },
        "retreating": units_of(left),
        "tunnels": tunnels_of(after, "permits"),
        "opened": ends_of(ours["opened"]),
        "demolished": ends_of(ours["demolished"]),
    }
    gone = theirs["position"]["dislodged"]
    second = {
        "units": units_of(theirs["position"]["units"]),
        "results": {
            place: (RESULTS[result["outcome"]], result["dislodged"], result["followed"])
            for place, result in theirs["results"].items()
        },
        "retreating": units_of([entry["unit"] for entry in gone]),
        "tunnels": tunnels_of(theirs["position"], "permitted"),
        "opened": sorted(theirs["opened"]),
        "demolished": sorted(theirs["demolished"]),
    }
    return first, second, case["text"]


@pytest.mark.parametrize("book", BOOKS)
def test_engine_equals_oracle(book: str) -> None:
    for seed in range(150):
        ours, theirs, text = play_both(seed, book)
        assert ours == theirs, f"seed {seed}, {book}\n{text}"


def main() -> int:
    cases = int(sys.argv[1])
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    different = 0
    for seed in range(first, first + cases):
        for book in BOOKS:
            ours, theirs, text = play_both(seed, book)
            if ours != theirs:
                different += 1
                print(f"seed {seed}, {book}\n{text}")
                for key in ours:
                    if ours[key] != theirs[key]:
                        print(f"  {key}:\n    engine {ours[key]}\n    oracle {theirs[key]}")
    print(f"{cases} cases under {len(BOOKS)} rule books, {different} different")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
