"""The engine and the second reading of the rules play the same games and agree on everything.

python -m tests.carcassonne.test_differential GAMES [SEED]      as many games as wanted, about one per second
"""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np
import pytest

from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine import kernels
from tests.carcassonne.oracle.oracle import SWITCHES, Oracle
from tests.carcassonne.oracle.random_play import choose, shuffled
from tests.carcassonne.records import GameRecord


class Engine(GameRecord):
    """A game of the engine with a chosen deck, described as the oracle describes its own."""

    def __init__(self, switches: dict[str, Any], draws: list[str]) -> None:
        super().__init__(**switches)
        self.lay_out()
        self.state.deck[: len(draws)] = [self.names.index(name) for name in draws]
        start = self.names.index(self.rules.start_tile)
        kernels.lay_in_game(self.states, 0, self.tables, start, 0, 0)
        kernels.begin_turn_in_game(self.states, 0, self.tables, self.work)
        while self.rules.auto_forced and len(self.legal()) == 1:
            self.play(self.legal()[0])

    def play(self, action: int) -> None:
        super().play(action)
        assert self.fault() == 0

    def cell(self, cell: int) -> tuple[int, int]:
        """Coordinates relative to the start tile: the table is far smaller than the torus and a half."""
        west, north = int(self.state.west) - 1, int(self.state.north) - 1
        return west + ((cell & 31) - west) % 32, north + ((cell >> 5) - north) % 32

    def place(self, node: int) -> tuple[tuple[int, int], str]:
        """Cell and name of a segment."""
        tile = int(self.state.node_tile[node])
        segment = node - int(self.state.first_node[tile])
        kinds = [s.kind for s in self.types[int(self.state.tile_type[tile])].segments]
        kind = kinds[segment]
        number = "" if kind == c.CLOISTER else str(kinds[:segment].count(kind))
        return self.cell(int(self.state.tile_cell[tile])), "crmf"[kind] + number

    def snapshot(self) -> dict[str, Any]:
        state, players = self.state, self.rules.players
        over, lies = state.phase == c.OVER, state.phase in (c.CLAIM, c.TOKEN)
        last = int(state.tile_count) - 1
        deck = [self.names[kind] for kind in state.deck[int(state.drawn) : int(state.deck_size)]]
        return {
            "phase": c.PHASES[int(state.phase)].upper(),
            "to_play": None if over else int(state.to_play),
            "tile": None if over else self.names[int(state.tile)],
            "cell": None if over or state.cell < 0 else self.cell(int(state.cell)),
            "rotation": int(state.tile_turned[last]) if lies else None,
            "tiles": {
                self.cell(int(state.tile_cell[i])): (
                    self.names[int(state.tile_type[i])],
                    int(state.tile_turned[i]),
                )
                for i in range(last + 1)
            },
            "followers": sorted(
                (int(state.follower[node]), *self.place(node))
                for node in self.nodes()
                if state.follower[node] >= 0
            ),
            "tokens": sorted(
                (c.TOKEN_COLOURS[int(colour)], self.place(int(state.mouth_node[opening])))
                for opening, colour in enumerate(state.mouth_colour)
                if colour >= 0
            ),
            "hand": state.hand[:players].tolist(),
            "scores": state.score[:players].tolist(),
            "left": {name: deck.count(name) for name in deck},
            "out": sorted(
                name
                for name, n in zip(self.names, state.out_of_game, strict=False)
                for _ in range(n)
            ),
            "robber": (None if state.robber < 0 else int(state.robber), int(state.longest)),
        }

    def features(self) -> list[dict[str, Any]]:
        rows, seen = [], set()
        for node in self.nodes():
            label = int(self.state.label[node])
            if label in seen:
                continue
            seen.add(label)
            out = np.zeros(4 + c.MAX_SEATS, np.int64)
            kernels.survey_feature(self.states, 0, self.tables, node, self.work, out)
            own = [n for n in self.nodes() if self.state.label[n] == label]
            row = {
                "segments": sorted(map(self.place, own)),
                "tiles": int(out[0]),
                "shields": int(out[3]),
                "open": int(out[2]),
                "men": out[4 : 4 + self.rules.players].tolist(),
            }
            rows.append(row)
        return sorted(rows, key=lambda row: row["segments"])


def of_oracle(game: Oracle) -> dict[str, Any]:
    """Its snapshot in the words of ours."""
    found = game.snapshot()
    places = game.table.openings()
    tokens = [
        (c.TOKEN_COLOURS[one.colour], places[opening])
        for one in game.sets
        for opening in one.openings
    ]
    found |= {"tokens": sorted(tokens)}
    return {name: found[name] for name in found if name not in ("supply", "missed", "tiles_left")}


def features_of(game: Oracle) -> list[dict[str, Any]]:
    names = ("segments", "tiles", "shields", "open", "men")
    rows = [{name: row[name] for name in names} for row in game.features()]
    for row in rows:
        if row["segments"][0][1].startswith("f"):
            row["open"] = 0
    return rows


def play_both(switches: dict[str, Any], seed: int) -> Oracle:
    """One game, compared at every decision, its features now and then."""
    luck = random.Random(seed)
    draws = shuffled(switches, luck)
    oracle, engine = Oracle(switches, draws), Engine(switches, draws)
    for number in range(10_000):
        ours, theirs = engine.snapshot(), of_oracle(oracle)
        assert ours == theirs, (seed, switches, number)
        assert engine.legal() == ([] if oracle.over else oracle.legal()), (seed, switches, number)
        if number % 10 == 0 or oracle.over:
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


@pytest.mark.parametrize("seed", range(6))
def test_engine_equals_oracle(seed: int) -> None:
    oracle = play_both(some_switches(seed), seed)
    assert oracle.over


if __name__ == "__main__":
    games, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    for seed in range(first, first + games):
        play_both(some_switches(seed), seed)
        if seed % 20 == 19:
            print(f"{seed + 1 - first} of {games} games agree", flush=True)
