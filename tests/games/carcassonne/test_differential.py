"""The engine and the second reading of the rules play the same games and agree on everything.

python -m tests.games.carcassonne.test_differential GAMES [SEED]      as many games as wanted, about four per second
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine import kernels
from channel_tunnel_env.games.carcassonne.pieces import TileType
from tests.games.carcassonne import kernels as own
from tests.games.carcassonne.oracle.oracle import SWITCHES, Oracle
from tests.games.carcassonne.oracle.random_play import choose, shuffled
from tests.games.carcassonne.oracle.table import Cell
from tests.games.carcassonne.records import GameRecord


class Engine(GameRecord):
    """A game of the engine with a chosen deck, described as the oracle describes its own."""

    def __init__(self, switches: dict[str, Any], draws: list[str]) -> None:
        super().__init__(**switches)
        self.segments = [segment_names(kind) for kind in self.types]
        self.lay_out()
        self.state.deck[: len(draws)] = [self.names.index(name) for name in draws]
        start = self.names.index(self.rules.start_tile)
        kernels.lay_in_game(self.states, 0, self.tables, start, 0, 0)
        own.begin_turn_in_game(self.states, 0, self.tables, self.work)
        while self.rules.auto_forced and len(self.legal()) == 1:
            self.play(self.legal()[0])

    def play(self, action: int) -> None:
        super().play(action)
        assert self.fault() == 0

    def cells(self, of: list[int]) -> list[Cell]:
        """Coordinates relative to the start tile: the table is far smaller than the torus and a half."""
        west, north = int(self.state.west) - 1, int(self.state.north) - 1
        return [(west + ((cell & 31) - west) % 32, north + ((cell >> 5) - north) % 32) for cell in of]

    def laid_in(self) -> list[Cell]:
        """Where the tiles lie, in the order of laying."""
        state = self.state
        return self.cells(state.tile_cell[: int(state.tile_count)].tolist())

    def places(self) -> list[tuple[Cell, str]]:
        """Cell and name of every segment."""
        state, cells = self.state, self.laid_in()
        names = [self.segments[kind] for kind in state.tile_type[: len(cells)].tolist()]
        first = state.first_node.tolist()
        tiles = state.node_tile[: first[len(cells)]].tolist()
        return [(cells[tile], names[tile][node - first[tile]]) for node, tile in enumerate(tiles)]

    def snapshot(self) -> dict[str, Any]:
        state, players, places = self.state, self.rules.players, self.places()
        over, lies = state.phase == c.OVER, state.phase in (c.CLAIM, c.TOKEN)
        kinds, turns = state.tile_type.tolist(), state.tile_turned.tolist()
        last = int(state.tile_count) - 1
        deck = state.deck[int(state.drawn) : int(state.deck_size)].tolist()
        return {
            "phase": c.PHASES[int(state.phase)].upper(),
            "to_play": None if over else int(state.to_play),
            "tile": None if over else self.names[int(state.tile)],
            "cell": None if over or state.cell < 0 else self.cells([int(state.cell)])[0],
            "rotation": turns[last] if lies else None,
            "tiles": {cell: (self.names[kinds[i]], turns[i]) for i, cell in enumerate(self.laid_in())},
            "followers": sorted(
                (seat, *place) for seat, place in zip(state.follower.tolist(), places, strict=False) if seat >= 0
            ),
            "tokens": sorted(
                (c.TOKEN_COLOURS[colour], places[int(state.mouth_node[opening])])
                for opening, colour in enumerate(state.mouth_colour.tolist())
                if colour >= 0
            ),
            "hand": state.hand[:players].tolist(),
            "scores": state.score[:players].tolist(),
            "left": {self.names[kind]: n for kind, n in Counter(deck).items()},
            "out": sorted(
                name for name, n in zip(self.names, state.out_of_game.tolist(), strict=False) for _ in range(n)
            ),
            "robber": (None if state.robber < 0 else int(state.robber), int(state.longest)),
        }

    def features(self) -> list[dict[str, Any]]:
        """All features, those with the lowest segment first."""
        segments: dict[int, list[tuple[Cell, str]]] = defaultdict(list)
        for label, place in zip(self.state.label.tolist(), self.places(), strict=False):
            segments[label].append(place)
        rows = [self.survey(label) | {"segments": sorted(own)} for label, own in segments.items()]
        return sorted(rows, key=lambda row: row["segments"])


def segment_names(kind: TileType) -> list[str]:
    """c0, r0, r1, m, f0 ...: segments by kind and number."""
    kinds = [segment.kind for segment in kind.segments]
    return ["m" if one == c.CLOISTER else f"{'crmf'[one]}{kinds[:i].count(one)}" for i, one in enumerate(kinds)]


def features_of(game: Oracle) -> list[dict[str, Any]]:
    """As the oracle has them, though a field has no open ends here."""
    rows = game.features()
    for row in rows:
        if row["segments"][0][1].startswith("f"):
            row["open"] = 0
    return rows


def play_both(switches: dict[str, Any], seed: int) -> Oracle:
    """One game, compared at every decision."""
    luck = random.Random(seed)
    draws = shuffled(switches, luck)
    oracle, engine = Oracle(switches, draws), Engine(switches, draws)
    for number in range(10_000):
        ours, theirs = engine.snapshot(), oracle.snapshot()
        assert ours == theirs, (seed, switches, number)
        assert engine.legal() == ([] if oracle.over else oracle.legal()), (seed, switches, number)
        assert engine.features() == features_of(oracle), (seed, switches, number)
        if oracle.over:
            break
        action = choose(oracle, luck)
        oracle.play(action)
        engine.play(action)
    winners = oracle.winners()
    expected = winners[0] if len(winners) == 1 else c.DRAW
    assert engine.state.winner == expected
    return oracle


def some_switches(seed: int) -> dict[str, Any]:
    """Every switch at random, its default half of the time."""
    luck = random.Random(seed)
    found = {}
    for name, values in SWITCHES.items():
        some = (values[0], 3, 7, 12) if name == "table" else values
        found[name] = some[0] if luck.random() < 0.5 else luck.choice(some)
    return found


EACH_SWITCH = [{name: value} for name, values in SWITCHES.items() if name != "table" for value in values[1:]]
TOGETHER: list[dict[str, Any]] = [
    {"table": 3},
    {"tunnel_variant": "steal", "token_window": "before_meeple", "players": 3, "table": 8},
    {"tunnel_variant": "paired", "token_window": "before_meeple", "players": 4},
    {"tunnel_variant": "follower", "token_window": "before_meeple", "token_sets_two": 1},
    {"tunnel_variant": "no_block", "players": 5, "robber_baron": True},
    {"players": 6, "farm_scoring": "first", "small_city": 2, "robber_baron": True},
    {"tunnel": False, "robber_baron": True, "farm_scoring": "second", "auto_forced": False, "table": 6},
]


@pytest.mark.parametrize("switches", EACH_SWITCH + TOGETHER, ids=str)
def test_engine_equals_oracle_under_each_switch(switches: dict[str, Any]) -> None:
    assert play_both(switches, 1).over


@pytest.mark.parametrize("seed", range(6))
def test_engine_equals_oracle(seed: int) -> None:
    assert play_both(some_switches(seed), seed).over


def _add(field: str, place: int, more: int) -> Callable[[Any], None]:
    def add(state: Any) -> None:
        getattr(state, field)[place] += more

    return add


def _move_follower(state: Any) -> None:
    """The first follower steps to another segment of its tile."""
    node = int(np.argmax(state.follower >= 0))
    first, end = state.first_node[int(state.node_tile[node]) :][:2].tolist()
    other = first if node > first else end - 1
    state.follower[[node, other]] = state.follower[[other, node]]


FAULTS: dict[str, Callable[[Any], None]] = {
    "a point too many": _add("score", 1, 1),
    "a follower too few": _add("hand", 0, -1),
    "a follower elsewhere": _move_follower,
    "an open end too many": lambda state: _add("open", int(state.label[0]), 1)(state),
    "another deck": lambda state: state.deck.fill(0),
    "a tile turned": _add("tile_turned", 1, 1),
    "no free cell": lambda state: state.frontier.fill(0),
    "no token": lambda state: state.mouth_colour.fill(c.NONE),
    "the other seat to play": lambda state: setattr(state, "to_play", 1 - int(state.to_play)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_difference_is_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    play = Engine.play

    def play_and_err(engine: Engine, action: int) -> None:
        play(engine, action)
        if engine.state.turn == 20 and engine.state.phase == c.CELL:
            FAULTS[fault](engine.state)

    monkeypatch.setattr(Engine, "play", play_and_err)
    with pytest.raises(AssertionError, match=r"\(0, \{\}, \d+\)"):
        play_both({}, 0)


if __name__ == "__main__":
    games, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    for seed in range(first, first + games):
        play_both(some_switches(seed), seed)
        if seed % 20 == 19:
            print(f"{seed + 1 - first} of {games} games agree", flush=True)
