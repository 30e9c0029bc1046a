"""Whole games of random moves, under every switch: what must hold in each position does."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.games.carcassonne.oracle.oracle import COLOURS, FOLLOWERS, SWITCHES, Oracle
from tests.games.carcassonne.oracle.random_play import choose, shuffled
from tests.games.carcassonne.oracle.table import Laid, Table, beside
from tests.games.carcassonne.oracle.tiles import START, bag

SINGLE = [{name: value} for name, values in SWITCHES.items() if name != "table" for value in values[1:]]
MIXED: list[dict[str, Any]] = [
    {},
    {"table": 3},
    {"table": 8, "players": 3, "tunnel_variant": "steal"},
    {"tunnel_variant": "steal", "token_window": "before_meeple", "players": 3},
    {"tunnel_variant": "paired", "token_window": "before_meeple", "players": 4},
    {"tunnel_variant": "follower", "token_window": "before_meeple", "token_sets_two": 1},
    {"tunnel_variant": "no_block", "players": 5, "robber_baron": True},
    {"players": 6, "farm_scoring": "first", "small_city": 2, "robber_baron": True},
    {"tunnel": False, "robber_baron": True, "farm_scoring": "second"},
    {"tunnel": False, "auto_forced": False, "table": 6},
]
switches = pytest.mark.parametrize("rules", SINGLE + MIXED, ids=str)


@switches
def test_random_game(rules: dict[str, Any]) -> None:
    """A game comes to its end, and every position on the way is sound."""
    luck = random.Random(str(rules))
    game = Oracle(rules, shuffled(rules, luck))
    decisions = 0
    while not game.over:
        before = game.scores()
        game.play(choose(game, luck))
        decisions += 1
        assert all(new >= old for new, old in zip(game.scores(), before, strict=True))
        if game.phase in ("CELL", "OVER"):
            check_position(game)
    assert decisions <= 300
    assert game.legal() == []
    assert game.to_play is None
    assert game.scores() == game.final_scores()
    assert not game.draws


def check_position(game: Oracle) -> None:
    """Check what must hold after a whole turn (section 12)."""
    check_tiles(game)
    check_followers(game)
    check_tokens(game)
    check_open_ends(game.table)
    check_the_table_turned(game.table)
    snapshot = game.snapshot()
    assert snapshot == game.copy().snapshot()


def check_tiles(game: Oracle) -> None:
    """No tile is lost, all lie within the table, and all touching edges are equal."""
    in_hand = [game.tile] if game.phase == "CELL" else []
    lying = [tile.kind for tile in game.tiles.values()]
    everywhere = Counter(lying + game.draws + game.out + in_hand)
    assert everywhere == Counter([START, *bag(game.rules["tunnel"])])
    for cell, tile in game.tiles.items():
        assert game.table.edges_match(cell, tile)
        assert game.table.within(cell, game.rules["table"])


def check_followers(game: Oracle) -> None:
    """No follower is lost, none shares its tile, and none stands in anything complete."""
    for seat in range(game.players):
        assert game.hand[seat] + list(game.followers.values()).count(seat) == FOLLOWERS
    cells = [cell for cell, _ in game.followers]
    assert len(cells) == len(set(cells))
    assert not any(feature.complete and feature.occupied for feature in game.table.features())


def check_tokens(game: Oracle) -> None:
    """No opening has two tokens, no colour is dealt twice, and there are at most five tunnels."""
    claimed = [opening for one in game.sets for opening in one.openings]
    assert len(claimed) == len(set(claimed))
    assert set(claimed) <= set(game.table.openings())
    assert all(len(one.openings) <= 2 for one in game.sets)
    colours = [one.colour for one in game.sets]
    assert len(colours) == len(set(colours))
    assert set(colours) <= set(range(len(COLOURS)))
    assert len(game.table.tunnels) <= 5


def check_open_ends(table: Table) -> None:
    """The open ends of roads and cities are the edges at free cells and the mouths not joined."""
    letters = {"city": "C", "road": "R"}
    openings = len(table.openings()) - 2 * len(table.tunnels)
    for kind, letter in letters.items():
        edges = sum(
            tile.facts.edges[side] == letter and beside(cell, side) not in table.tiles
            for cell, tile in table.tiles.items()
            for side in range(4)
        )
        ends = sum(feature.open for feature in table.features() if feature.kind == kind)
        assert ends == edges + (openings if kind == "road" else 0)


def check_the_table_turned(table: Table) -> None:
    """Seen from the east side of the table, everything is the same."""
    turned = Table(
        {(-y, x): Laid(tile.kind, (tile.rotation + 1) % 4) for (x, y), tile in table.tiles.items()},
        {((-y, x), name): seat for ((x, y), name), seat in table.followers.items()},
        table.tunnels,
    )
    assert facts(turned) == facts(table)


def facts(table: Table) -> Counter[object]:
    """Describe the features without saying where they lie."""
    return Counter(
        (f.kind, len(f.places), f.tiles, f.shields, f.open, *sorted(f.men.items())) for f in table.features()
    )


@pytest.mark.parametrize("variant", SWITCHES["tunnel_variant"])
def test_forced_actions_change_nothing(variant: str) -> None:
    """A game in which forced actions are asked for goes as the one in which they are not."""
    luck = random.Random(variant)
    rules = {"tunnel_variant": variant}
    deck = shuffled(rules, luck)
    asked = Oracle(rules | {"auto_forced": False}, deck)
    unasked = Oracle(rules, deck)
    while not asked.over:
        legal = asked.legal()
        action = choose(asked, luck)
        asked.play(action)
        if len(legal) > 1:
            unasked.play(action)
    assert unasked.snapshot() == asked.snapshot()
