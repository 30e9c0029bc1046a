"""The functions over plain values say the same as the modules behind them."""

from __future__ import annotations

import json

import pytest

from . import adjudicator
from .position import Rules, read_position

BOOKS = ("1971", "datc")


def test_a_movement_as_plain_values() -> None:
    position = adjudicator.to_plain(read_position("u e: A LON, F ENG | f: A PIC\nt e LON-PIC hidden"))
    phase = adjudicator.movement(
        position, {"ENGLAND": ["A LON ~ PIC", "F ENG S A LON - PIC"], "FRANCE": ["A PIC BT MUN"]}
    )
    assert phase["results"] == {
        "ENG": _result("F ENG S A LON - PIC", "supports"),
        "LON": _result("A LON ~ PIC", "moves"),
        "PIC": _result("A PIC H", "holds", dislodged=True),
    }
    assert phase["opened"] == [["ENGLAND", "LON", "PIC"]]
    (gone,) = phase["position"]["dislodged"]
    assert (gone["origin"], gone["options"]) == ("LON", ["BEL", "BRE", "BUR", "PAR"])
    after = adjudicator.retreats(phase["position"], {"FRANCE": ["A PIC R PAR"]})
    assert after["went"] == {"PIC": "PAR"}
    assert after["demolished"] == []
    assert {"power": "FRANCE", "type": "A", "loc": "PAR"} in after["position"]["units"]


def _result(order: str, outcome: str, dislodged: bool = False) -> adjudicator.Plain:
    return {"order": order, "outcome": outcome, "dislodged": dislodged, "followed": True}


@pytest.mark.parametrize("book", BOOKS)
def test_phases_follow_each_other_in_plain_values(book: str) -> None:
    """Movement, retreats and adjustments of random cases, through JSON."""
    rules = Rules(rulebook=book)
    for seed in range(40):
        case = json.loads(json.dumps(adjudicator.random_case(seed, rules)))
        phase = adjudicator.movement(case["position"], case["orders"], case["permissions"], rules)
        position = json.loads(json.dumps(phase))["position"]
        answers = adjudicator.random_retreats(position, seed)
        after = adjudicator.retreats(position, answers, rules)
        assert sorted(after["went"]) == [u["unit"]["loc"][:3] for u in position["dislodged"]]
        choices = adjudicator.winter_choices(after["position"], rules)
        builds = adjudicator.random_adjustments(after["position"], seed)
        winter = adjudicator.adjustments(after["position"], builds, rules)
        for unit in winter["raised"]:
            assert f"{unit['type']} {unit['loc']}" in choices[unit["power"]]["builds"]
        must = sum(max(0, -choice["surplus"]) for choice in choices.values())
        assert len(winter["removed"]) == must


def test_legal_orders_of_every_unit() -> None:
    position = adjudicator.to_plain(read_position("u e: A LON, F ENG | f: F BRE"))
    legal = adjudicator.legal_orders(position)
    assert "F ENG C A LON - BEL" in legal["ENG"]
    assert "A LON - BEL" in legal["LON"]
    assert "F BRE S A LON - PIC" in legal["BRE"]
    assert "F ENG S A LON - PIC" not in legal["ENG"]
    assert "F BRE - SPA/NC" not in legal["BRE"]
