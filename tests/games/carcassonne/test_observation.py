"""The observation says what lies on the table, computed a second way, and nothing of the order of the deck."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import BatchGame, load_ruleset
from channel_tunnel_env.core import kernels
from channel_tunnel_env.envs.all_seats import seen_space
from channel_tunnel_env.games.carcassonne.bounds import most_points
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.kernels import list_game_cells
from channel_tunnel_env.games.carcassonne.engine.observation import (
    SECTION_BY_NAME,
    SECTIONS,
    SEEN_FOLLOWERS,
    observation_size,
    offset,
)
from channel_tunnel_env.games.carcassonne.game import Game
from tests.games.carcassonne.records import GameRecord
from tests.games.carcassonne.test_random_games import SWITCHES

SETTINGS = [
    {},
    {"players": 4, "tunnel_variant": "steal", "robber_baron": True},
    {"players": 3, "token_window": "before_meeple", "small_city": 2, "farm_scoring": "second"},
    {"players": 6, "tunnel": False, "farm_scoring": "none"},
]


class Play(GameRecord):
    """A random game and what its seats see."""

    def __init__(self, switches: dict[str, Any], seed: int) -> None:
        super().__init__(**switches)
        self.rng = random.Random(seed)
        self.start(seed)

    def positions(self) -> Iterator[None]:
        """Every decision of the game, and its end."""
        while True:
            yield
            if self.state.phase == c.OVER:
                return
            self.play(self.rng.choice(self.legal()))

    def seen(self, viewer: int) -> np.ndarray:
        out = np.full((1, observation_size(self.rules.players)), np.nan, np.float32)
        kernels.observe_game(self.states, 0, self.tables, viewer, self.work, out)
        assert np.isfinite(out).all() and np.abs(out).max() < 4
        return out[0]

    def section(self, name: str, viewer: int) -> np.ndarray:
        """Its rows (rows, columns)."""
        section, start = SECTION_BY_NAME[name], offset(name, self.rules.players)
        values = self.seen(viewer)[start : start + section.size(self.rules.players)]
        return values.reshape(-1, len(section.columns)).astype(np.float64)

    # --- the table, read anew from the record ---

    def kind(self, node: int) -> int:
        tile = int(self.state.node_tile[node])
        segment = node - int(self.state.first_node[tile])
        return self.types[int(self.state.tile_type[tile])].segments[segment].kind

    def feature(self, node: int) -> list[int]:
        labels = self.state.label[: len(self.nodes())]
        return np.flatnonzero(labels == labels[node]).tolist()

    def tiles(self, node: int) -> int:
        return len({int(self.state.node_tile[n]) for n in self.feature(node)})

    def men(self, node: int) -> list[int]:
        owners = [int(self.state.follower[n]) for n in self.feature(node)]
        return [owners.count(seat) for seat in range(self.rules.players)]

    def men_of(self, seat: int) -> list[int]:
        """Nodes with a follower of a seat."""
        return np.flatnonzero(self.state.follower[: len(self.nodes())] == seat).tolist()

    def edge_node(self, number: int, side: int) -> int:
        """The city or road that a lying tile shows at a side."""
        kind, turned = int(self.state.tile_type[number]), int(self.state.tile_turned[number])
        segment = int(self.tables["edge_segment"][0, kind, (side - turned) % 4])
        return int(self.state.first_node[number]) + segment

    def shields(self, node: int) -> int:
        found = 0
        for n in self.feature(node):
            tile = int(self.state.node_tile[n])
            kind = self.types[int(self.state.tile_type[tile])]
            found += kind.segments[n - int(self.state.first_node[tile])].shields
        return found


def plays(games: int = 2) -> Iterator[tuple[Play, int]]:
    """Positions of random games of every setting, with a viewer."""
    for switches in SETTINGS:
        for seed in range(games):
            play = Play(switches, seed)
            for number, _ in enumerate(play.positions()):
                if number % 7 == seed:
                    yield play, number % play.rules.players


def test_sections_have_the_sizes_that_are_written_down() -> None:
    sizes = {section.name: (section.size(2), section.size(6)) for section in SECTIONS}
    assert sizes == {
        "phase": (5, 5), "clock": (2, 2), "rules": (17, 17), "robber": (3, 3), "seats": (16, 48),
        "tile": (36, 36), "bag": (32, 32), "laid": (104, 104), "openings": (120, 120),
        "followers": (196, 588), "cells": (3456, 3456),
    }  # fmt: skip
    assert observation_size(2) == 3987 and observation_size(6) == 4411
    with pytest.raises(KeyError, match="sections: phase, clock"):
        offset("planes", 2)


def test_followers_and_their_features() -> None:
    lying = 0
    for play, viewer in plays():
        rows, players = play.section("followers", viewer), play.rules.players
        shown = 0
        for after in range(players):
            seat = (viewer + after) % players
            own = play.men_of(seat)
            for k, node in enumerate(own):
                row, men = rows[after * SEEN_FOLLOWERS + k], play.men(node)
                others = [m for s, m in enumerate(men) if s != viewer]
                assert row[:2].tolist() == [1.0, float(after == 0)]
                assert row[3:7].tolist() == [float(play.kind(node) == kind) for kind in range(4)]
                assert row[7] * 16 == pytest.approx(play.tiles(node), abs=1e-4)
                assert row[10] * 7 == pytest.approx(men[viewer], abs=1e-4)
                assert row[11] * 7 == pytest.approx(max(others), abs=1e-4)
                if play.kind(node) == c.CITY:
                    points = play.tiles(node) + play.shields(node)
                    assert row[8] * 4 == pytest.approx(play.shields(node), abs=1e-4)
                    assert (row[12:] * 30).tolist() == pytest.approx([points, 2 * points], abs=1e-3)
                if play.kind(node) == c.ROAD:
                    assert (row[12:] * 30).tolist() == pytest.approx([play.tiles(node)] * 2, abs=1e-3)
                if play.kind(node) == c.CLOISTER:
                    empty = row[9] * 8
                    assert (row[12:] * 30).tolist() == pytest.approx([9 - empty, 9], abs=1e-3)
                shown += 1
        assert rows[:, 0].sum() == shown
        lying += shown
    assert lying > 500


def test_cells_are_the_legal_ones_with_what_the_neighbours_show() -> None:
    seen = 0
    for play, viewer in plays():
        state, rows = play.state, play.section("cells", viewer)
        if state.phase not in (c.CELL, c.ROTATE):
            assert not rows.any()
            continue
        count = list_game_cells(play.states, 0, play.tables, int(state.tile), play.work)
        cells = play.work["legal"][0, :count].tolist()
        assert rows[:, 0].sum() == len(cells)
        if state.phase == c.CELL:
            assert cells == play.legal()
        for row, cell in zip(rows, cells, strict=False):
            assert row[1] * 1024 == cell, "the row says which action it stands for"
            assert row[11] == (state.phase == c.ROTATE and state.cell == cell)
            for side, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
                beyond = ((cell // 32 + dy) % 32) * 32 + (cell % 32 + dx) % 32
                shown = int(state.need[cell]) >> (2 * side) & 3
                city, road, mine, other, _, tiles = row[12 + 6 * side : 18 + 6 * side]
                assert (city, road) == (shown == c.CITY_EDGE, shown == c.ROAD_EDGE)
                if city or road:
                    number = int(state.grid[beyond]) - 1
                    node = play.edge_node(number, side ^ 2)
                    assert tiles * 16 == pytest.approx(play.tiles(node), abs=1e-4)
                assert shown or not (state.grid[beyond] and (mine or other))
            seen += 1
        if state.phase == c.ROTATE:
            chosen = rows[cells.index(int(state.cell)), 4:8]
            assert [c.FIRST_ROTATE + k for k in np.flatnonzero(chosen)] == play.legal()
    assert seen > 1000


def test_the_viewers_followers_on_a_side_are_those_of_its_feature() -> None:
    """A claimed road or city beside a free cell shows whose it is."""
    play = Play({"auto_forced": False}, 3)
    found = 0
    for _ in play.positions():
        state = play.state
        if state.phase != c.CELL:
            continue
        rows = {v: play.section("cells", v) for v in range(2)}
        count = int(rows[0][:, 0].sum())
        assert np.array_equal(rows[0][:count, 14::6], rows[1][:count, 15::6])
        found += int(rows[0][:, 14::6].sum())
    assert found > 50


def test_what_the_tile_just_laid_offers() -> None:
    offered = 0
    for play, viewer in plays(4):
        state, rows = play.state, play.section("laid", viewer)
        if state.phase not in (c.CLAIM, c.TOKEN):
            assert not rows.any()
            continue
        if state.phase == c.CLAIM:
            free = [c.FIRST_CLAIM + k for k in np.flatnonzero(rows[:, 5])]
            supply = state.hand[int(state.to_play)] > 0
            assert play.legal() == (free if supply else []) + [c.CLAIM_NONE]
            offered += len(free)
        number = int(state.tile_count) - 1
        types = play.types[int(state.tile_type[number])]
        kinds = [segment.kind for segment in types.segments]
        assert rows[:, 0].sum() == len(kinds)
        assert rows[:, 1:5].sum(axis=0).tolist() == [kinds.count(kind) for kind in range(4)]
    assert offered > 50


def test_openings_say_what_the_seat_to_play_may_do_with_tokens() -> None:
    met = set()
    for seed in range(12):
        play = Play({"tunnel_variant": c.VARIANTS[seed % 5]}, seed)
        for _ in play.positions():
            state = play.state
            if state.phase != c.TOKEN:
                continue
            rows, legal = play.section("openings", int(state.to_play)), play.legal()
            starts = [a - c.FIRST_TOKEN for a in legal if c.FIRST_TOKEN <= a < c.FIRST_TUNNEL]
            assert np.flatnonzero(rows[:, 9]).tolist() == starts
            joins = [a for a in legal if c.FIRST_TUNNEL <= a < c.TOKEN_NONE]
            assert rows[:, 10].any() == bool(joins)
            assert np.array_equal(rows[:, 0], (state.mouth_node >= 0))
            assert np.array_equal(rows[:, 4], (state.mouth_partner >= 0))
            half = (state.mouth_colour >= 0) & (state.mouth_partner < 0)
            assert np.array_equal(rows[:, 2] + rows[:, 3], half)
            met |= {"start"} if starts else set()
            met |= {"join"} if joins else set()
    assert met == {"start", "join"}


EVERY_SWITCH = [
    *SWITCHES,
    {"tunnel": False, "followers": 20, "players": 3, "table": 30},
    {f"points.{key}": 100 for key in ("city", "road", "shield", "farm", "farm_first", "cloister_open")},
    {"points.city_open": 100, "points.road_open": 100, "points.shield_open": 100, "small_city": 2},
    {"points.cloister": 100, "farm_scoring": "first", "robber_baron": True},
]


@pytest.mark.parametrize("switches", EVERY_SWITCH, ids=str)
def test_what_is_seen_lies_in_the_space_under_every_switch(switches: dict[str, Any]) -> None:
    rules = load_ruleset("carcassonne").with_values(switches)
    low, high = rules.spec.observation.bounds(rules)
    assert math.isfinite(low) and math.isfinite(high) and low < 0 < 1 <= high
    batch = BatchGame(8, rules, seed=1, observe=True)
    rng, over = np.random.default_rng(1), np.zeros(8, np.bool_)
    while not over.all():
        for viewer in range(len(batch.seats)):
            seen = batch.observe(viewer)
            assert np.float32(low) <= seen.min() and seen.max() <= np.float32(high)
        draws = np.where(batch.masks, rng.random(batch.masks.shape), -1.0)
        batch.step(np.where(over, -1, draws.argmax(axis=1)))
        over |= batch.terminated


def test_the_highest_points_of_a_position_lie_in_the_space() -> None:
    rules = load_ruleset("carcassonne")
    most = most_points(rules.data)
    position = {"board": ["D 0 0 0"], "tile": "E", "score": [most, 0]}
    game, space = Game.from_position(position), seen_space(rules)
    assert all(space.contains(game.observation(seat)) for seat in range(2))
    assert game.observation(1).max() > 0.45 * space.high.max()  # the bound is no guess


def test_the_space_of_several_rulesets_holds_what_each_of_them_shows() -> None:
    rules = load_ruleset("carcassonne")
    rich = rules.with_values({"points.city": 100})
    assert seen_space(rules).high.max() < seen_space(rules, rich).high.max()
    assert seen_space(rich, rules) == seen_space(rules, rich) == seen_space(rich)


def test_every_face_down_tile_is_as_likely_as_another_to_come_next_in_an_imagined_world() -> None:
    play, worlds = Play({}, 7), 4000
    next(itertools.islice(play.positions(), 60, None))
    place, counts = int(play.state.drawn), np.zeros(c.MAX_TYPES)
    for seed in range(worlds):
        states = play.states.copy()
        kernels.determinize_game(states, 0, play.tables, 0, seed, play.work)
        counts[int(states["deck"][0, place])] += 1
    expected = play.state.unseen / (int(play.state.deck_size) - place)
    error = np.sqrt(expected * (1 - expected) / worlds)
    assert (np.abs(counts / worlds - expected) <= 4 * error + 1e-9).all()


def test_no_seed_gives_the_true_deck_back() -> None:
    """Not even the game's own."""
    for seed in range(40):
        game = Game(seed=seed)
        assert game.determinize(0, seed).state.deck.tolist() != game.state.deck.tolist()
