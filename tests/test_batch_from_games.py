"""`BatchGame.from_games`: single games side by side, wherever they stand."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_env import BatchGame, Game
from tests.random_games import builtin, fields, walk


def standing(ruleset: str, seed: int, plies: int) -> Game:
    game = Game(builtin(ruleset), seed)
    for _ in walk(game, seed, eager=True, most=plies):
        pass
    return game


def test_rows_are_the_games_and_go_on_as_they_would() -> None:
    games = [standing("standard", seed, 9 * seed) for seed in range(8)]
    before = [game.states.tobytes() for game in games]
    batch = BatchGame.from_games(games)
    for _ in range(60):
        for row, game in enumerate(games):
            assert batch.to_play[row] == game.mover or game.is_over
            assert (batch.masks[row] == game.action_mask).all()
            assert (batch.observations[row] == game.observation()).all() or game.is_over
        actions = np.array([-1 if game.is_over else game.legal_ids()[-1] for game in games])
        if before:
            assert [game.states.tobytes() for game in games] == before, "the games stay as they are"
            before = []
        batch.step(actions)
        for game, action in zip(games, actions, strict=True):
            if action >= 0:
                game.play(int(action))
    assert all(fields(game.states[0]) == fields(row) for game, row in zip(games, batch.states, strict=True))


def test_games_of_several_rulesets_keep_their_own() -> None:
    names = ["tiny", "standard", "tiny", "agenda"]
    games = [standing(name, 3, 20) for name in names]
    batch = BatchGame.from_games(games, observe=False)
    assert [ruleset.name for ruleset in batch.rulesets] == ["tiny", "standard", "agenda"]
    for row, game in enumerate(games):
        assert (batch.masks[row] == game.action_mask).all()
        assert batch.game(row).ruleset.name == names[row]
        assert batch.game(row).scores() == game.scores()


def test_games_that_are_over_wait() -> None:
    over = standing("tiny", 1, 10_000)
    assert over.is_over
    batch = BatchGame.from_games([over, standing("tiny", 2, 5)])
    assert batch.masks.any(axis=1).tolist() == [False, True]
    batch.step([-1, int(batch.masks[1].argmax())])


def test_no_games_are_refused() -> None:
    with pytest.raises(ValueError, match=r"games \[\]: at least one is needed"):
        BatchGame.from_games([])
