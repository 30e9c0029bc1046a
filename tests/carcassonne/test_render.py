"""The table as text shows every tile, follower and token where it lies."""

from __future__ import annotations

import numpy as np
import pytest

import channel_tunnel_env
from channel_tunnel_env.games.carcassonne.game import Game

START = """\
      0
     .c.
   0 -.-
     ..."""


def test_a_game_begins_with_the_start_tile() -> None:
    text = Game(seed=3).render()
    assert text.startswith(START)
    assert "player_0: 0 points, 7 followers, 6 tunnel tokens" in text
    assert "Turn 1: player_0 has tile U, next choice: cell; 74 tiles left" in text


@pytest.mark.parametrize("seed", range(3))
def test_everything_on_the_table_is_shown_at_every_decision(seed: int) -> None:
    game, rng = Game({"base": "carcassonne", "players": 3}, seed), np.random.default_rng(seed)
    while not game.is_over:
        game.play(int(rng.choice(game.legal_ids())))
        table = game.render().split("\n\n")[0].splitlines()[1:]
        drawn = "".join(line[5:] for line in table)
        followers = game.state.follower[: int(game.state.first_node[int(game.state.tile_count)])]
        for seat in range(3):
            assert drawn.count(str(seat)) == (followers == seat).sum()
        assert len(drawn.replace(" ", "")) == 9 * int(game.state.tile_count)
    assert "won." in game.render()


def test_an_environment_shows_it_and_offers_nothing_more() -> None:
    env = channel_tunnel_env.raw_env(ruleset="carcassonne", render_mode="ansi")
    env.reset(seed=3)
    assert env.render().startswith(START)
    with pytest.raises(ValueError, match="render_mode 'human': allowed: ansi or None"):
        channel_tunnel_env.raw_env(ruleset="carcassonne", render_mode="human")
