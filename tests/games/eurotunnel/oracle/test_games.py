"""Whole games of random play: what must hold after every phase does, and every end is reached."""

from __future__ import annotations

import random

import pytest

from . import board
from .game import Game, check_position
from .position import Position, Rules, read_position
from .random_cases import random_adjustments, random_orders, random_retreats
from .winter import open_homes, removal_order, surplus

GAMES = [
    Rules(max_year=1906),
    Rules(rulebook="datc", max_year=1906),
    Rules(permissions=False, max_year=1904, limit_score="centres"),
    Rules(tunnels=False, max_year=1904, limit_score="dss"),
    Rules(tunnels_per_province=1, tunnels_per_power=2, max_year=1904, limit_score="pieces"),
    Rules(victory_centres=6),
    Rules(absent=frozenset({"FRANCE", "TURKEY"}), max_year=1904),
]


def _play_phase(game: Game, luck: random.Random) -> None:
    if game.kind == "M":
        case = random_orders(game.position, luck, game.rules)
        game.movement(case.orders, case.permissions)
    elif game.kind == "R":
        game.retreats(random_retreats(game.position, luck))
    else:
        game.adjustments(random_adjustments(game.position, luck))


@pytest.mark.parametrize("rules", GAMES, ids=range(len(GAMES)))
def test_random_game(rules: Rules) -> None:
    luck = random.Random(str(rules))
    game = Game(rules)
    while game.kind != "OVER":
        before, kind = game.position.copy(), game.kind
        _play_phase(game, luck)
        check_position(game.position, rules)
        check_phase(before, game, kind)
    assert sum(game.shares().values()) == pytest.approx(1)
    assert game.end == ("solo" if game.winner else "max_year")


def check_phase(before: Position, game: Game, kind: str) -> None:
    """Centres change hands only in Fall and are never lost; units fit the centres after a winter (11.2, 11.3)."""
    after = game.position
    assert set(before.centres) <= set(after.centres)
    if kind == "A":
        assert before.centres == after.centres
        assert all(surplus(after, power) >= 0 for power in board.POWERS)
    opened_before = {(t.owner, t.ends) for t in before.tunnels if t.opened}
    for tunnel in after.tunnels:
        if not tunnel.opened:
            assert (tunnel.owner, tunnel.ends) not in opened_before
    if not game.rules.tunnels:
        assert not after.tunnels


def test_absent_powers_hold_disband_and_build_nothing() -> None:
    rules = Rules(absent=frozenset({"ENGLAND"}))
    game = Game(rules, read_position("u e: A LON | f: F ENG, F NTH\nc e: LON EDI LVP | f: BRE"))
    game.movement({"ENGLAND": ["A LON - YOR"], "FRANCE": ["F ENG - LON", "F NTH S F ENG - LON"]})
    assert game.kind == "M"
    assert [unit.power for unit in game.position.units.values()] == ["FRANCE", "FRANCE"]
    game.movement({})
    game.adjustments({"ENGLAND": ["A EDI B"]})
    assert not game.position.units_of("ENGLAND")


def test_a_draw_needs_every_power_with_units() -> None:
    game = Game(Rules(draw_vote=True), read_position("u e: A LON | f: A PAR\nc e: LON | g: BER"))
    game.movement({}, votes={"ENGLAND": True})
    assert game.phase == "F1901M"
    game.movement({"ENGLAND": ["A LON - YOR"]}, votes={"ENGLAND": True, "FRANCE": True})
    assert (game.kind, game.end) == ("OVER", "draw_vote")
    assert "LON" in game.position.units
    assert game.shares() == {p: 0.5 * (p in ("ENGLAND", "FRANCE")) for p in board.POWERS}


def test_a_winner_is_found_after_fall_only_and_before_adjustments() -> None:
    owned = " ".join(centre for centre in board.CENTRES if centre not in board.HOMES["RUSSIA"])
    owned = " ".join(owned.split()[:17])
    game = Game(Rules(), read_position(f"u f: A UKR | r: A SIL\nc f: {owned} | r: MOS STP SEV"))
    game.movement({"FRANCE": ["A UKR - WAR"]})
    assert game.phase == "F1901M"
    game.movement({})
    assert (game.end, game.winner) == ("solo", "FRANCE")
    assert game.shares()["FRANCE"] == 1


@pytest.mark.parametrize(
    ("score", "shares"),
    [
        ("sos", (9 / 10, 1 / 10, 0)),
        ("centres", (3 / 4, 1 / 4, 0)),
        ("dss", (1 / 3, 1 / 3, 1 / 3)),
        ("pieces", (1 / 2, 1 / 2, 0)),
    ],
)
def test_the_score_at_the_year_limit(score: str, shares: tuple[float, ...]) -> None:
    text = "u e: A WAL, A YOR | f: A GAS, A BUR | g: A SIL\nc e: LON EDI LVP | f: PAR"
    game = Game(Rules(limit_score=score, max_year=1901), read_position(text))
    game.movement({})
    game.movement({})
    assert game.end == "max_year"
    found = game.shares()
    assert tuple(found[p] for p in ("ENGLAND", "FRANCE", "GERMANY")) == pytest.approx(shares)


def test_no_winter_without_a_decision() -> None:
    """Neither a surplus without an open home nor an even balance stops the year."""
    game = Game(Rules(), read_position("u e: A LON, A EDI, A LVP | f: A SPA\nc e: LON EDI LVP | f: SPA POR"))
    game.movement({})
    game.movement({})
    assert game.phase == "S1902M"
    assert surplus(game.position, "FRANCE") == 1
    assert not open_homes(game.position, "FRANCE")


def test_an_eliminated_power_loses_its_tunnels_after_fall() -> None:
    text = "u f: A PAR\nt e LON-PIC hidden, e BEL-LON open\nc f: PAR LON EDI LVP"
    game = Game(Rules(), read_position(text))
    game.movement({})
    assert len(game.position.tunnels) == 2
    game.movement({})
    assert not game.position.tunnels
    assert [r.demolished for r in game.reports if r.demolished] == [(("ENGLAND", ("BEL", "LON")),)]


def test_civil_disorder_counts_from_the_home_centres() -> None:
    """Farthest first; at equal distance fleets, then the English names of the provinces (8.4)."""
    position = read_position("u e: A NWY, F NTH, F NWG, A YOR, A LON, F MAO")
    order = [str(unit) for unit in removal_order(position, "ENGLAND", Rules())]
    assert order == ["F MAO", "A NWY", "F NTH", "F NWG", "A YOR", "A LON"]


def test_armies_reported_holding_are_counted_for_everybody() -> None:
    game = Game(Rules(), read_position("u e: A LON, A YOR, F EDI | f: A PIC\nt f LON-PIC hidden"))
    game.movement({"ENGLAND": ["A LON BT BEL", "A YOR - LVP"]})
    assert dict(game.held) == {("ENGLAND", "LON"): 1, ("FRANCE", "PIC"): 1}
