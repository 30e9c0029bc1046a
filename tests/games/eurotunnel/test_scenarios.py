"""The scenarios of the rules of tunnels, each named by the rulings that it shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from channel_tunnel_env.games.eurotunnel.adjudicate import adjudicate
from tests.written import read_yaml

from .arena import ruleset_with
from .table import by_power, moves, province, read_tunnel, units_of, with_changes

SCENARIOS = read_yaml(Path(__file__).parent / "scenarios.yaml")
RULESET = ruleset_with()


def _position(scenario: dict[str, Any]) -> dict[str, Any]:
    return {
        "phase": "S1901M",
        "units": units_of(scenario["units"]),
        "tunnels": [read_tunnel(line) for line in scenario.get("tunnels", [])],
        "built": scenario.get("built", {}),
        "centres": scenario.get("centres", {}),
    }


class _Step:
    """One phase and what the scenario says of it."""

    def __init__(self, result: dict[str, Any]) -> None:
        self.units = {province(unit["loc"]): unit for unit in result["units"]}
        self.moves = moves(result)
        self.position = result["position"]
        # What was opened is known even if it fell in the same phase.
        self.opened = {(t["owner"], "-".join(sorted(t["ends"]))) for t in result["opened"]}
        for tunnel in self.position["tunnels"]:
            if tunnel["state"] == "open":
                self.opened.add((tunnel["owner"], "-".join(sorted(tunnel["ends"]))))

    def check(self, line: str) -> None:
        if found := re.fullmatch(r"(\w+)>(\w+)", line):
            assert found.groups() in self.moves
        elif found := re.fullmatch(r"(\w+)=", line):
            unit = self.units[found[1]]
            assert unit["result"] != "moved" and not unit["dislodged"]
        elif found := re.fullmatch(r"(\w+)!(?:\((.*)\))?", line):
            self._check_dislodged(self.units[found[1]], found[2])
        else:
            word, *rest = line.split()
            assert getattr(self, f"check_{word}")(*rest), line

    def _check_dislodged(self, unit: dict[str, Any], retreats: str | None) -> None:
        assert unit["dislodged"]
        if retreats is not None:
            found = [text.replace("R~ ", "~").replace("R ", "") for text in unit["retreats"]]
            assert sorted(found) == sorted(retreats.split())

    def check_cut(self, place: str) -> bool:
        return self.units[place]["result"] in ("cut", "void")

    def check_ok(self, place: str) -> bool:
        return str(self.units[place]["result"]) == "done"

    def check_legal(self, place: str) -> bool:
        return bool(self.units[place]["followed"])

    def check_illegal(self, place: str) -> bool:
        return not self.units[place]["followed"]

    def check_report(self, place: str, order: str) -> bool:
        return str(self.units[place]["reported"]).split(" ", 2)[2] == order

    def check_open(self, owner: str, ends: str) -> bool:
        return (owner, "-".join(sorted(ends.split("-")))) in self.opened

    def check_hidden(self, owner: str, ends: str) -> bool:
        return not self.check_open(owner, ends)

    def check_knows(self, viewer: str, owner: str, ends: str) -> bool:
        told = any(
            tunnel["owner"] == owner and set(tunnel["ends"]) == set(ends.split("-"))
            for tunnel in self.position["tunnels"]
            if viewer in tunnel["told"]
        )
        return told or self.check_open(owner, ends)

    def check_unknown(self, viewer: str, owner: str, ends: str) -> bool:
        return not self.check_knows(viewer, owner, ends)

    def check_built(self, owner: str, count: str) -> bool:
        return int(self.position["built"].get(owner, 0)) == int(count)


def _check_after(position: dict[str, Any], wanted: dict[str, Any]) -> None:
    units = {power: sorted(texts) for power, texts in wanted["units"].items()}
    assert by_power(position["units"]) == dict(sorted(units.items()))
    found = {(t["owner"], "-".join(t["ends"]), t["state"]) for t in position["tunnels"]}
    tunnels = [line.split()[:3] for line in wanted["tunnels"]]
    assert found == {(o, "-".join(sorted(e.split("-"))), s) for o, e, s in tunnels}
    for power, centres in wanted.get("centres", {}).items():
        assert position["centres"][power] == centres


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[f"{s['id']}-{'-'.join(s['law'])}" for s in SCENARIOS])
def test_a_scenario_of_the_rules(scenario: dict[str, Any]) -> None:
    position = _position(scenario)
    for written in scenario["steps"]:
        position["phase"] = "F1901M" if "fall" in written else "S1901M"
        changes = [line.split() for line in written.get("permissions", [])]
        result = adjudicate(position, with_changes(written.get("orders", {}), changes), ruleset=RULESET)
        assert not result["unread"]
        step = _Step(result)
        for line in written.get("expect", []):
            step.check(line)
        position = result["position"]
        if position["phase"][-1] == "R":
            position = adjudicate(position, written.get("retreats", {}), ruleset=RULESET)["position"]
        if "builds" in written:
            position |= {"phase": "W1901A"}
            position = adjudicate(position, written["builds"], ruleset=RULESET)["position"]
        if "after" in written:
            _check_after(position, written["after"])


def test_every_scenario_is_here() -> None:
    assert [scenario["id"] for scenario in SCENARIOS] == [f"T{i:02}" for i in range(1, 98)]
