"""Random games under every switch, and invariants that notice what breaks them.

python -m tests.games.carcassonne.test_random_games GAMES [SEED]      as many as wanted, spread over the switches
"""

from __future__ import annotations

import itertools
import sys
from typing import Any

import pytest

from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine import kernels
from channel_tunnel_env.games.carcassonne.engine.invariants import INVARIANTS
from channel_tunnel_env.games.carcassonne.game import Game
from channel_tunnel_env.games.carcassonne.positions import cell_at
from channel_tunnel_env.testing import Violation, check_ruleset
from tests.games.carcassonne import kernels as own
from tests.games.carcassonne.records import ruleset_with
from tests.games.carcassonne.table import Table
from tests.random_games import play_on

SWITCHES = [
    {"players": players, "tunnel_variant": variant, "token_window": window, "robber_baron": True}
    for players, variant, window in itertools.product((2, 3, 6), c.VARIANTS, c.TOKEN_WINDOWS)
]
SWITCHES += [{"farm_scoring": scoring, "small_city": 2} for scoring in c.FARM_SCORINGS]
SWITCHES += [{"tunnel": False}, {"table": 8}, {"table": 3}, {"auto_forced": False}]


def faults_in(switches: dict[str, Any], games: int, seed: int) -> list[Violation]:
    """What breaks in random games under some switches, in which decisions with one answer are asked for as well."""
    return check_ruleset(ruleset_with(**{"auto_forced": False} | switches), games, seed).violations


@pytest.mark.parametrize("switches", [*SWITCHES, {"auto_forced": True}], ids=str)
def test_every_invariant_holds_in_random_games_under_every_switch(switches: dict[str, Any]) -> None:
    assert not faults_in(switches, 2, seed=1)


def _laid_out(*lines: str) -> Table:
    """A game at the start of a turn with some tiles on the table, the start tile first."""
    table = Table()
    for number, line in enumerate(lines):
        table.lay(line)
        if number > 0:
            _take_from_deck(table, line.split()[0])
    return table


def _in_the_middle() -> Table:
    """A game with followers, a half tunnel and a finished one."""
    table = _laid_out("D 0 0 0", "A -1 0 3 A@r0", "TU3 1 0 1", "X 1 1 0 B@r2", "TU1 1 2 1")
    for opening, colour in (("TU3.S", "A1"), ("TU3.E", "A1"), ("TU1.W", "B1")):
        table.lay_token(opening, colour)
    # The tunnel completed seat A's road.
    for node in range(int(table.state.first_node[int(table.state.tile_count)])):
        if table.state.follower[node] == 0:
            table.state.follower[node] = c.NOBODY
            table.state.occupants[int(table.state.label[node])] -= 1
            table.state.hand[0] += 1
    own.begin_turn_in_game(table.states, 0, table.tables, table.work)
    return table


def _take_from_deck(table: Table, name: str) -> None:
    """What lies on the table is not in the deck."""
    kind, state = table.names.index(name), table.state
    size = int(state.deck_size)
    place = int(state.drawn) + state.deck[int(state.drawn) : size].tolist().index(kind)
    state.deck[place : size - 1] = state.deck[place + 1 : size].copy()
    state.deck_size = size - 1
    state.unseen[kind] -= 1


def _broken(table: Table) -> str:
    return INVARIANTS[table.fault()]


def _swap(field, one: int, other: int) -> None:
    field[one], field[other] = field[other], field[one]


def _mouth(state, opening: int) -> int:
    """The node of an opening: 6 is TU3.S, joined; 0 is TU1.E, unclaimed."""
    return int(state.mouth_node[opening])


def _single(state, place: int) -> int:
    """A feature of one node, by its place among them."""
    count = int(state.first_node[int(state.tile_count)])
    return [node for node in range(count) if state.next[node] == node][place]


BREAKAGES = [
    ("each type", lambda s: s.unseen.__setitem__(3, s.unseen[3] + 1)),
    ("each type", lambda s: s.out_of_game.__setitem__(3, 1)),
    ("each type", lambda s: s.deck.__setitem__(s.drawn, (s.deck[s.drawn] + 1) % 28)),
    ("each type", lambda s: s.tile_type.__setitem__(1, 1)),
    ("each type", lambda s: s.tile_type.__setitem__(1, c.MAX_TYPES)),
    ("each type", lambda s: setattr(s, "tile", (s.tile + 1) % 28)),
    ("the grid", lambda s: s.grid.__setitem__(int(s.tile_cell[1]), 0)),
    ("the grid", lambda s: s.grid.__setitem__(cell_at(8, 8), 1)),
    ("the grid", lambda s: _swap(s.tile_cell, 1, 2)),
    ("the grid", lambda s: s.tile_cell.__setitem__(1, -1)),
    ("the box", lambda s: setattr(s, "east", int(s.east) + 1)),
    ("touching edges", lambda s: s.tile_turned.__setitem__(1, 0)),
    ("needs and frontier", lambda s: s.need.__setitem__(500, 1)),
    ("needs and frontier", lambda s: s.need.__setitem__(cell_at(0, -1), 0)),
    ("needs and frontier", lambda s: s.need.__setitem__(cell_at(0, -1), 1 << 2 * c.SOUTH)),
    ("needs and frontier", lambda s: s.frontier.__setitem__(15, 1)),
    ("needs and frontier", lambda s: s.frontier.__setitem__(0, s.frontier[0] | 1)),
    ("needs and frontier", lambda s: s.frontier.__setitem__(31, 0)),
    ("followers in hand", lambda s: s.hand.__setitem__(1, 7)),
    ("followers in hand", lambda s: s.follower.__setitem__(_mouth(s, 0), c.MAX_SEATS)),
    ("labels, rings", lambda s: s.next.__setitem__(_mouth(s, 6), _mouth(s, 6))),
    ("labels, rings", lambda s: _swap(s.next, _single(s, 0), _single(s, 1))),
    ("labels, rings", lambda s: s.next.__setitem__(_mouth(s, 6), c.NONE)),
    ("labels, rings", lambda s: s.label.__setitem__(_single(s, 0), s.label[_mouth(s, 6)])),
    ("labels, rings", lambda s: s.label.__setitem__(_mouth(s, 6), c.NONE)),
    ("labels, rings", lambda s: s.nodes.__setitem__(int(s.label[_mouth(s, 6)]), 1)),
    ("open ends", lambda s: s.open.__setitem__(int(s.label[_mouth(s, 0)]), 0)),
    ("occupants", lambda s: s.occupants.__setitem__(int(s.label[_mouth(s, 0)]), 3)),
    ("tokens in stock", lambda s: s.stock.__setitem__(4, 1)),
    ("a half tunnel", lambda s: s.half.__setitem__(1, c.NONE)),
    ("a half tunnel", lambda s: s.mouth_partner.__setitem__(6, c.NONE)),
    ("a half tunnel", lambda s: s.mouth_partner.__setitem__([7, 8], [8, 7])),
    ("no more turns", lambda s: setattr(s, "turn", 200)),
    ("phase, tile", lambda s: setattr(s, "cell", 40)),
    ("phase, tile", lambda s: setattr(s, "mouth", 6)),
    ("phase, tile", lambda s: setattr(s, "winner", 0)),
    ("every number", lambda s: setattr(s, "ply", -1)),
    ("every number", lambda s: setattr(s, "robber", 0)),
    ("every number", lambda s: setattr(s, "table_cuts", 30_000)),
    ("every number", lambda s: s.half.__setitem__(0, 10)),
    ("every number", lambda s: s.missed.__setitem__(0, 1)),
    ("every number", lambda s: s.rng_counter.__setitem__(0, -1)),
    ("nodes and tunnel mouths", lambda s: s.first_node.__setitem__(2, 200)),
    ("nodes and tunnel mouths", lambda s: s.node_tile.__setitem__(1, 3)),
    ("nodes and tunnel mouths", lambda s: s.mouth_node.__setitem__(6, 0)),
    ("nodes and tunnel mouths", lambda s: s.mouth_node.__setitem__(3, 0)),
    ("no seat's points", lambda s: s.score.__setitem__(0, -1)),
    ("no seat's points", lambda s: s.score.__setitem__(1, 1000)),
    ("no seat's points", lambda s: s.score.__setitem__(4, 1)),
    ("points by kind", lambda s: s.tally_points.__setitem__((0, 2), 1)),
    ("points by kind", lambda s: s.tally_first.__setitem__(0, 3)),
    ("points by kind", lambda s: s.tally_second.__setitem__(1, 2)),
]


@pytest.mark.parametrize(
    ("start", "break_it"), BREAKAGES, ids=(f"{start} {i}" for i, (start, _) in enumerate(BREAKAGES))
)
def test_an_invariant_notices_what_breaks_it(start: str, break_it) -> None:
    table = _in_the_middle()
    assert _broken(table) == INVARIANTS[0]
    break_it(table.state)
    assert _broken(table).startswith(start)


def test_a_tile_that_touches_none_is_noticed() -> None:
    table = _in_the_middle()
    kind, cell = table.names.index("B"), cell_at(8, 8)
    kernels.lay_in_game(table.states, 0, table.tables, kind, 0, cell)
    _take_from_deck(table, "B")
    assert _broken(table).startswith("every tile touches")


def test_two_followers_on_a_tile_are_noticed() -> None:
    table = _in_the_middle()
    node = int(table.state.first_node[1])
    table.state.follower[node : node + 2] = 0
    table.state.hand[0] -= 2
    assert _broken(table).startswith("at most one follower")


def test_features_that_hang_together_under_two_labels_are_noticed() -> None:
    """Rings, sizes, open ends and occupants fit the labels; only the tiles say otherwise."""
    table = _laid_out("D 0 0 0", "U 1 0 1")
    own.begin_turn_in_game(table.states, 0, table.tables, table.work)
    assert _broken(table) == INVARIANTS[0]
    road, other = table.node("0,0 r0"), table.node("1,0 r0")
    for node in (road, other):
        table.state.label[node] = table.state.next[node] = node
        table.state.nodes[node] = table.state.open[node] = 1
    assert _broken(table).startswith("labels, rings")


def test_a_follower_on_a_complete_road_is_noticed() -> None:
    table = _laid_out("D 0 0 0", "A -1 0 3 A@r0", "A 1 0 1")
    own.begin_turn_in_game(table.states, 0, table.tables, table.work)
    assert _broken(table).startswith("nothing complete")


def test_the_same_seed_deals_the_same_deck_whatever_is_played() -> None:
    decks = [play_on(Game(seed=11), luck).state.deck.tolist() for luck in range(3)]
    assert decks == [Game(seed=11).state.deck.tolist()] * 3
    assert decks[0] != Game(seed=12).state.deck.tolist()


def main() -> int:
    """As many random games under each of the switches; whether any invariant broke."""
    games, seed = -(-int(sys.argv[1]) // len(SWITCHES)), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    failed = False
    for switches in SWITCHES:
        for fault in faults_in(switches, games, seed):
            failed = True
            print(f"{switches}, invariant {fault.code}: {fault.sentence}\n{fault.game.to_position()}")
    print(f"{games * len(SWITCHES):,} games, {'violations above' if failed else 'no violation'}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
