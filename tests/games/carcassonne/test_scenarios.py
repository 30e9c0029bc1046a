"""The scenarios of the rules, each named by the rulings that it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.positions import SEATS, opening_names
from tests.written import read_yaml

from . import kernels as own
from .table import Refused, Table, Turn

SCENARIOS = read_yaml(Path(__file__).parent / "scenarios.yaml")


def _laid_out(scenario: dict[str, Any]) -> Table:
    table = Table(players=scenario.get("players", 2), **scenario.get("set", {}))
    board = scenario.get("board", [])
    if not any(line.split()[1:3] == ["0", "0"] for line in board):
        board = ["D 0 0 0", *board]
    for line in board:
        table.lay(line)
    for line in scenario.get("tokens", []):
        table.lay_token(*line.split("="))
    for colour in scenario.get("missed", []):
        table.state.missed[table.colour(colour)] = 1
    for name in ("hand", "score"):
        for seat, value in enumerate(scenario.get(name, [])):
            table.state[name][seat] = value
    if "robber" in scenario:
        table.state.robber, table.state.longest = (SEATS.index(scenario["robber"][0]), scenario["robber"][1])
    return table


def _check_at(table: Table, wanted: dict[str, dict[str, Any]]) -> None:
    for place, facts in wanted.items():
        found = table.feature(table.node(place))
        assert {key: found[key] for key in facts} == facts, place


def _check_legal(table: Table, expect: dict[str, Any]) -> None:
    for line in expect.get("legal", []):
        table.copy().take(Turn.read(line))
    for line in expect.get("illegal", []):
        turn = Turn.read(line)
        last = "token" if turn.openings else "claim" if turn.segment else "place"
        with pytest.raises(Refused) as refused:
            table.copy().take(turn)
        if table.rules.token_window == "after_meeple":
            assert str(refused.value) == last, line


def _check_placements(table: Table, wanted: dict[str, Any]) -> None:
    for kind, placements in wanted.items():
        found = table.placements(kind)
        if isinstance(placements, int):
            assert len(found) == placements, kind
        else:
            assert found == sorted(placements), kind


def _check_features(table: Table, expect: dict[str, Any]) -> None:
    for group in expect.get("same", []):
        assert len({int(table.state.label[table.node(place)]) for place in group}) == 1, group
    for group in expect.get("apart", []):
        assert len({int(table.state.label[table.node(place)]) for place in group}) == len(group)


def _check_end(table: Table, expect: dict[str, Any]) -> None:
    players = table.rules.players
    final = table.final()
    totals = [int(points) for points in final.state.score[:players]]
    if "final" in expect:
        assert totals == expect["final"]
    if "winners" in expect:
        best = max(totals)
        assert "".join(SEATS[i] for i, total in enumerate(totals) if total == best) == expect["winners"]
    for kind, points in expect.get("final_parts", {}).items():
        gained = final.state.tally_points - table.state.tally_points
        assert gained[:players, c.KINDS.index(kind)].tolist() == points


def _check_drawn(table: Table, deck: list[str], wanted: dict[str, Any]) -> None:
    for place, kind in enumerate(deck):
        table.state.deck[place] = table.names.index(kind)
    table.state.drawn, table.state.deck_size = 0, len(deck)
    own.begin_turn_in_game(table.states, 0, table.tables, table.work)
    tile = int(table.state.tile)
    assert (table.names[tile] if tile >= 0 else None) == wanted["tile"]
    out = [name for i, name in enumerate(table.names) for _ in range(table.state.out_of_game[i])]
    assert out == wanted["out"]
    assert (table.state.phase == c.OVER) == (tile < 0)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[f"{s['id']}-{'-'.join(s['law'])}" for s in SCENARIOS])
def test_a_scenario_of_the_rules(scenario: dict[str, Any]) -> None:
    table = _laid_out(scenario)
    expect = scenario["expect"]
    gains = [table.take(Turn.read(line)) for line in scenario.get("play", [])]
    if "gains" in expect:
        assert gains == expect["gains"]
    if "gain" in expect:
        assert gains[-1] == expect["gain"]
    players = table.rules.players
    for name in ("score", "hand"):
        if name in expect:
            assert [int(value) for value in table.state[name][:players]] == expect[name]
    for owner, tokens in expect.get("supply", {}).items():
        assert table.supply(owner) == tokens
    if "free" in expect:
        state, names = table.state, opening_names(table.types)
        free = [n for n, o in names.items() if state.mouth_node[o] >= 0 and state.mouth_colour[o] < 0]
        assert sorted(free) == sorted(expect["free"])
    if "robber" in expect:
        assert SEATS[int(table.state.robber)] == expect["robber"]
    _check_at(table, expect.get("at", {}))
    _check_features(table, expect)
    _check_placements(table, expect.get("placements", {}))
    _check_legal(table, expect)
    _check_end(table, expect)
    if "drawn" in expect:
        _check_drawn(table, scenario["deck"], expect["drawn"])
