"""What must hold for every position and every set of orders (rules 11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from . import adjudicator, board
from .equations import Equations
from .game import Game, check_position
from .knowledge import knows
from .legality import follow, is_legal, legal_orders
from .movement import Movement, play_movement
from .orders import Order, parse, read_orders, write_order
from .position import Position, Rules, Tunnel, read_position, write_position
from .random_cases import Case, random_case
from .retreats import play_retreats
from .solution import solve
from .view import is_asked, view

BOOKS = ("1971", "datc")
CASES = 100
books = pytest.mark.parametrize("book", BOOKS)


@cache
def _played(seed: int, rules: Rules) -> tuple[Case, Movement]:
    case = random_case(seed, rules)
    return case, _play(case, rules)


def _cases(book: str, count: int = CASES) -> Iterator[tuple[int, Rules, Case, Movement]]:
    """The cases of the first seeds, with what comes of them."""
    rules = Rules(rulebook=book)
    for seed in range(count):
        yield seed, rules, *_played(seed, rules)


def _play(case: Case, rules: Rules) -> Movement:
    return play_movement(case.position, case.orders, rules, case.permissions)


def _fates(phase: Movement) -> dict[str, tuple[str, bool]]:
    return {place: (r.outcome, r.dislodged) for place, r in phase.results.items()}


def _with_orders(case: Case, change: dict[str, str]) -> Case:
    """The case with the texts of some provinces' orders replaced."""
    orders = {power: [change.get(text.split()[1][:3], text) for text in texts] for power, texts in case.orders.items()}
    return replace(case, orders=orders)


@books
def test_positions_stay_sound(book: str) -> None:
    for _, rules, case, phase in _cases(book):
        check_position(case.position, rules)
        check_position(phase.position, rules)
        lost = len(phase.position.dislodged) + len(phase.disbanded)
        assert len(phase.position.units) + lost == len(case.position.units)
        after = play_retreats(phase.position, {}, rules).position
        check_position(after, rules)


@books
def test_the_order_of_units_orders_and_tunnels_does_not_matter(book: str) -> None:
    for seed, rules, case, phase in _cases(book):
        units = dict(reversed(case.position.units.items()))
        turned = replace(case.position, units=units, tunnels=case.position.tunnels[::-1])
        orders = {power: texts[::-1] for power, texts in reversed(case.orders.items())}
        again = play_movement(turned, orders, rules, case.permissions[::-1])
        assert _fates(again) == _fates(phase), seed
        plain = adjudicator.to_plain(phase.position)
        assert adjudicator.to_plain(again.position) == plain, seed


@books
def test_renaming_powers_renames_the_result(book: str) -> None:
    """Where no two tunnels join one pair: between those the index of the owner decides."""
    new = dict(zip(board.POWERS, board.POWERS[3:] + board.POWERS[:3], strict=True))
    for seed, rules, case, phase in _cases(book):
        if max(Counter(t.ends for t in case.position.tunnels).values(), default=0) > 1:
            continue
        position = case.position.copy()
        position.units = {p: u._replace(power=new[u.power]) for p, u in case.position.units.items()}
        position.tunnels = [_renamed(tunnel, new) for tunnel in case.position.tunnels]
        position.built = {new[power]: n for power, n in case.position.built.items()}
        orders = {new[power]: texts for power, texts in case.orders.items()}
        changes = [
            (new[owner], sign[0] + new[board.LETTERS[sign[1]]][0].lower(), ends)
            for owner, sign, ends in case.permissions
        ]
        again = play_movement(position, orders, rules, changes)
        assert _fates(again) == _fates(phase), seed
        expected = {_renamed(tunnel, new) for tunnel in phase.position.tunnels}
        assert set(again.position.tunnels) == expected, seed


def _renamed(tunnel: Tunnel, new: dict[str, str]) -> Tunnel:
    return replace(
        tunnel,
        owner=new[tunnel.owner],
        permitted=frozenset(new[power] for power in tunnel.permitted),
        told=frozenset(new[power] for power in tunnel.told),
    )


@books
def test_a_hold_instead_of_a_build_gives_the_same_board(book: str) -> None:
    dug = 0
    for seed, rules, case, phase in _cases(book):
        holds = {
            text.split()[1]: text.split(" BT ")[0] + " H"
            for texts in case.orders.values()
            for text in texts
            if " BT " in text
        }
        dug += len(holds)
        held = _play(_with_orders(case, holds), rules)
        assert _fates(phase) == _fates(held), seed
        assert phase.position.units == held.position.units, seed
        assert phase.position.dislodged == held.position.dislodged, seed
        assert {p: r.order for p, r in phase.results.items()} == {p: r.order for p, r in held.results.items()}, seed
    assert dug > 20


@books
def test_tunnels_that_no_order_names_change_no_result(book: str) -> None:
    """The same position without them, if every order still is legal."""
    compared = 0
    for seed, rules, case, phase in _cases(book):
        used = {(t.owner, t.ends) for t in phase.equations.tunnels.values()}
        bare = case.position.copy()
        bare.tunnels = [t for t in bare.tunnels if (t.owner, t.ends) in used]
        changes = [c for c in case.permissions if (c[0], tuple(c[2].split("-"))) in used]
        again = play_movement(bare, case.orders, rules, changes)
        if all(result.followed for result in again.results.values()):
            compared += len(bare.tunnels) < len(case.position.tunnels)
            assert _fates(again) == _fates(phase), seed
    assert compared > 20


@books
def test_a_tunnel_move_is_a_move_by_land_on_a_board_with_that_border(
    book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For usable tunnels whose ends nobody offers a convoy between (11.10)."""
    compared = 0
    for seed, rules, case, phase in _cases(book, 3 * CASES):
        equations = phase.equations
        orders = dict(equations.orders)
        through = [equations.moves[place] for place in equations.tunnels]
        pairs = {frozenset((move.start, move.goal)) for move in through}
        by_sea = any(
            order.kind in ("convoy", "move") and frozenset((order.target or p, order.to)) in pairs
            for p, order in orders.items()
        )
        if not through or by_sea or not all(move.usable for move in through):
            continue
        compared += 1
        with monkeypatch.context() as patch:
            army = dict(board.REACH["A"])
            for move in through:
                army[move.start] = army[move.start] | {move.goal}
                orders[move.start] = Order("move", move.start, to=move.goal)
            patch.setitem(board.REACH, "A", army)
            walked = Equations(case.position, orders, rules)
            assert all(move.way == "L" for move in map(walked.moves.get, equations.tunnels) if move)
            assert solve(walked).values == phase.solution.values, seed
    assert compared > 20


@books
def test_a_void_move_does_to_others_what_a_hold_does(book: str) -> None:
    compared = 0
    for seed, rules, case, phase in _cases(book, 3 * CASES):
        void = {p: f"A {p} H" for p, r in phase.results.items() if r.outcome == "void"}
        texts = {text for lines in case.orders.values() for text in lines}
        if not void or any(text.endswith(f" S A {place}") for place in void for text in texts):
            continue
        compared += 1
        held = _fates(_play(_with_orders(case, void), rules))
        for place, fate in _fates(phase).items():
            if place not in void:
                assert held[place] == fate or held[place][0] == "unmatched", seed
            assert held[place][1] == fate[1], seed
    assert compared > 10


@books
def test_nothing_that_a_power_may_see_depends_on_hidden_tunnels_of_others(book: str) -> None:
    """Those that no order takes are taken away; what the power may see and order stays (11.11)."""
    compared = 0
    for seed, rules, case, phase in _cases(book, CASES // 2):
        used = {(t.owner, t.ends) for t in phase.equations.tunnels.values()}
        hidden = [t for t in case.position.tunnels if (t.owner, t.ends) not in used]
        for power in sorted({unit.power for unit in case.position.units.values()}):
            secret = [tunnel for tunnel in hidden if not knows(power, tunnel)]
            if secret:
                compared += 1
                _compare_without(secret, case, power, rules, seed)
    assert compared > 20


def _compare_without(secret: list[Tunnel], case: Case, power: str, rules: Rules, seed: int) -> None:
    bare = case.position.copy()
    bare.tunnels = [tunnel for tunnel in bare.tunnels if tunnel not in secret]
    assert _offers(case.position, power, rules) == _offers(bare, power, rules), seed
    legal = follow(bare, read_orders(bare, case.orders), rules)
    orders = {owner: [text for text in texts if text.split()[1][:3] in legal] for owner, texts in case.orders.items()}
    places = {(tunnel.owner, "-".join(tunnel.ends)) for tunnel in secret}
    changes = [change for change in case.permissions if (change[0], change[2]) not in places]
    games = [Game(rules, position) for position in (case.position, bare)]
    for game in games:
        game.movement(orders, changes)
    asked = [game.kind == "R" and is_asked(game, power) for game in games]
    assert asked[0] == asked[1], seed
    if asked[0]:
        assert view(games[0], power) == view(games[1], power), seed
    for game in games:
        if game.kind == "R":
            game.retreats(_retreats_in_the_open(game.position))
    assert view(games[0], power) == view(games[1], power), seed


def _retreats_in_the_open(position: Position) -> dict[str, list[str]]:
    """Each dislodged unit goes to its first place that needs no tunnel."""
    orders: dict[str, list[str]] = {}
    for gone in position.dislodged.values():
        for way in [option for option in gone.options if not option.startswith("~")][:1]:
            orders.setdefault(gone.unit.power, []).append(f"{gone.unit} R {way}")
    return orders


def test_a_retreat_that_only_a_hidden_tunnel_allows_betrays_nothing() -> None:
    """Nor does the opened tunnel that falls only after it (E16, 7.8)."""
    text = """u e: A PIC | f: A PAR, A BUR, F BEL, F BRE | g: A MUN
    t e LON-PIC hidden, e BER-DEN open"""
    games = [Game(Rules(), read_position(t)) for t in (text, text.replace("e LON-PIC hidden, ", ""))]
    for game in games:
        game.movement({"FRANCE": ["A PAR - PIC", "A BUR S A PAR - PIC"], "GERMANY": ["A MUN - BER"]})
    assert [game.kind for game in games] == ["R", "M"]
    assert games[0].position.dislodged["PIC"].options == ("~LON",)
    assert [len(game.position.tunnels) for game in games] == [2, 0]
    assert not is_asked(games[0], "GERMANY")
    games[0].retreats({"ENGLAND": ["A PIC D"]})
    assert view(games[0], "GERMANY") == view(games[1], "GERMANY")


def _offers(position: Position, power: str, rules: Rules) -> dict[str, list[str]]:
    first = position.units_of(power)[:1]
    return {unit.province: legal_orders(position, unit.province, rules) for unit in first}


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
