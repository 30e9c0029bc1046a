"""The board and what follows from it; facts counted by others are counted again here."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import pytest

from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import BOARD_FILE, load_board, read_board
from channel_tunnel_env.outside.documents import read_yaml

BOARD = load_board()


def _edges(kind: int) -> int:
    return sum(map(len, BOARD.steps[kind])) // 2


def test_the_board_has_the_known_numbers_of_things() -> None:
    assert [len(BOARD.of_kind(kind)) for kind in range(3)] == [14, 42, 19]
    assert (_edges(c.ARMY), _edges(c.FLEET)) == (111, 141)
    assert sum(1 for steps in BOARD.steps[c.FLEET] if steps) == 64
    assert len(BOARD.centres) == 34
    assert sum(map(len, BOARD.data.start.values())) == 22


def test_routes_leave_no_sea_out_and_are_the_same_both_ways() -> None:
    routes = BOARD.routes
    assert (len(routes), sum(map(len, routes.values()))) == (1194, 2 * 1047)
    assert max(map(len, routes.values())) == 4
    assert {route.bit_count() for found in routes.values() for route in found} == set(range(1, 10))
    assert all(routes[b, a] == found for (a, b), found in routes.items())
    for found in routes.values():
        for route in found:
            assert not [other for other in found if other != route and other & route == other]


def test_tunnels_join_land_that_does_not_border_but_has_a_neighbour_in_common() -> None:
    assert sum(map(len, BOARD.pairs.values())) == 307
    under = [{BOARD.kinds[area] == c.SEA for area in areas} for areas in BOARD.pairs.values()]
    assert [under.count(kinds) for kinds in ({False}, {True}, {True, False})] == [140, 48, 25]
    ends = Counter(BOARD.provinces[end] for pair in BOARD.pairs for end in pair)
    most = {"MUN": 14, "TYR": 13, "BEL": 12, "DEN": 12, "BOH": 12, "RUM": 11, "SEV": 11}
    assert dict(ends.most_common(7)) == most
    assert min(ends.items(), key=lambda item: item[1]) == ("LVP", 1)
    convoyed = [pair for pair in BOARD.pairs if pair in BOARD.routes]
    assert 2 * len(convoyed) == 200


def test_no_tunnel_runs_round_switzerland_without_an_area_of_its_own() -> None:
    for pair in ("BUR PIE", "BUR TYR", "MAR MUN", "MAR TYR", "MUN PIE"):
        a, b = (BOARD.index[name] for name in pair.split())
        assert BOARD.pairs[a, b]


def test_a_fleet_on_one_coast_does_not_reach_what_the_other_does() -> None:
    north, south = BOARD.index["STP/NC"], BOARD.index["STP/SC"]
    assert {BOARD.locations[i] for i in BOARD.steps[c.FLEET][north]} == {"BAR", "NWY"}
    assert {BOARD.locations[i] for i in BOARD.steps[c.FLEET][south]} == {"BOT", "FIN", "LVN"}


def _without(content: dict[str, Any], *path: str) -> dict[str, Any]:
    for key in path[:-1]:
        content = content[key]
    del content[path[-1]]
    return content


BROKEN = {
    "a sea for an army": lambda b: b["army"]["ALB"].append("ADR"),
    "an edge twice": lambda b: b["army"]["BEL"].append("BUR"),
    "an unknown place": lambda b: b["fleet"]["ADR"].append("XYZ"),
    "no coast": lambda b: b["fleet"]["BLA"].append("BUL"),
    "an unknown power": lambda b: b["provinces"]["LON"].update(home="SPAIN"),
    "an unknown unit": lambda b: b["start"]["ITALY"].append("X ROM"),
    "a province less": lambda b: _without(b, "provinces", "BOH"),
    "an edge less": lambda b: b["fleet"]["ADR"].remove("ALB"),
    "an unknown key": lambda b: b.update(islands=["ICE"]),
}


@pytest.mark.parametrize("change", BROKEN)
def test_a_board_with_something_wrong_is_refused_in_one_line(change: str) -> None:
    content = copy.deepcopy(read_yaml(BOARD_FILE).mapping())
    BROKEN[change](content)
    with pytest.raises(DocumentError) as refused:
        read_board(content, "provinces.yaml")
    assert str(refused.value).startswith("provinces.yaml: ")
    assert "\n" not in str(refused.value)
