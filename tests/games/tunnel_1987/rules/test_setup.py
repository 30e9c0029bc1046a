"""Setting up, and the first round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from channel_tunnel_env import Game
from tests.games.tunnel_1987.positions import held, position, side

each_start = pytest.mark.parametrize(
    "start", [*(partial(Game, "agenda", seed) for seed in range(6)), partial(position, "", "agenda")]
)


@each_start
def test_a03_one_left_over_token_for_each_player(start: Callable[[], Game]) -> None:
    """Eighteen tokens on the route, one in each storage, four of each colour in all."""
    game = start()
    for name in ("britain", "france"):
        assert len(side(game, name)["storage"]) == 1 and len(side(game, name)["route"]) == 9
        assert [t[0] == "?" for t in side(game, name)["route"]] == [False] + [True] * 8
    tokens = [t for s in ("britain", "france") for t in side(game, s)["route"] + side(game, s)["storage"]]
    assert set(Counter(t.strip("?*") for t in tokens).values()) == {4} and len(tokens) == 20


@each_start
def test_a01_discs_of_the_first_round(start: Callable[[], Game]) -> None:
    """Ten each, five stay in the bag; five of each colour."""
    game = start()
    assert held(game, "britain") == held(game, "france") == 10
    total = Counter(game.to_position()["bag"])
    total.update(side(game, "britain")["discs"])
    total.update(side(game, "france")["discs"])
    assert sum(game.to_position()["bag"].values()) == 5 and set(total.values()) == {5}


@each_start
def test_the_table_at_the_start(start: Callable[[], Game]) -> None:
    """Three cards shown, thirty in the deck, nine deviation cards, everything else at nought."""
    game = start()
    written = game.to_position()
    assert len(written["display"]) == 3 and len(written["deck"]) == 30 and written["discard"] == []
    assert len(set(written["deck"]) | set(written["display"])) == 33
    assert sorted(written["deviation_deck"]) == sorted(
        [f"{c}{v}" for c in ("red", "green", "yellow", "purple") for v in ("0", "-1")] + ["none-2"]
    )
    assert len(set(written["agenda_deck"])) == 6 and written["spaces"] == {}
    assert (game.to_play, game.round, written["first_player"]) == ("britain", 1, "britain")
    for name in ("britain", "france"):
        assert side(game, name)["tbm"] == side(game, name)["deviation"] == 0
        assert side(game, name)["technology"] == [0, 0]


@each_start
def test_a02_one_token_of_each_colour_shows_the_symbol(start: Callable[[], Game]) -> None:
    """Five symbols in all, whether on the route or stored."""
    game = start()
    shown = [t for s in ("britain", "france") for t in side(game, s)["route"] if t.endswith("*")]
    assert 3 <= len(shown) <= 5 and len({t.strip("?*") for t in shown}) == len(shown)
