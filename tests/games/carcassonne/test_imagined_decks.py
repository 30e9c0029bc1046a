"""An imagined world keeps what is known, deals the rest evenly, and tells nothing of the true deck."""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core import kernels
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.kernels import check_game
from tests.games.carcassonne.test_observation import Play


def middle(seed: int, moves: int = 60) -> Play:
    play = Play({}, seed)
    for number, _ in enumerate(play.positions()):
        if number == moves:
            break
    return play


def imagined(play: Play, seed: int) -> np.ndarray:
    states = play.states.copy()
    kernels.determinize_game(states, 0, play.tables, 0, seed, play.work)
    return states


def test_only_the_face_down_tiles_and_the_luck_change() -> None:
    play = middle(3)
    world = imagined(play, 11)
    changed = {name for name in play.states.dtype.names if not np.array_equal(play.states[name], world[name])}
    assert changed == {"deck", "rng_key", "rng_counter", "seed"}
    drawn, size = int(play.state.drawn), int(play.state.deck_size)
    ours, theirs = play.state.deck, world["deck"][0]
    assert np.array_equal(ours[:drawn], theirs[:drawn])
    assert sorted(ours[drawn:size]) == sorted(theirs[drawn:size])
    assert not np.array_equal(ours[drawn:size], theirs[drawn:size])
    assert check_game(world, 0, play.tables, play.work) == 0


def test_equal_looking_positions_imagine_the_same_world() -> None:
    play = middle(4)
    worlds = [imagined(play, 5)["deck"]]
    down = slice(int(play.state.drawn), int(play.state.deck_size))
    play.state.deck[down] = play.state.deck[down][::-1].copy()
    worlds.append(imagined(play, 5)["deck"])
    assert np.array_equal(*worlds)
    assert not np.array_equal(imagined(play, 6)["deck"], worlds[0])


def test_no_seed_gives_the_true_deck_back() -> None:
    """Not even the game's own."""
    for seed in range(40):
        play = middle(seed, 0)
        world = imagined(play, seed)
        assert not np.array_equal(world["deck"], play.states["deck"])
        assert world["seed"][0] != seed


def test_every_face_down_tile_is_as_likely_as_another_to_come_next() -> None:
    play = middle(7)
    worlds = 4000
    place = int(play.state.drawn)
    counts = np.zeros(c.MAX_TYPES)
    for seed in range(worlds):
        counts[int(imagined(play, seed)["deck"][0, place])] += 1
    down = int(play.state.deck_size) - place
    expected = play.state.unseen / down
    error = np.sqrt(expected * (1 - expected) / worlds)
    assert (np.abs(counts / worlds - expected) <= 4 * error + 1e-9).all()
