"""Random play of single games."""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.games.eurotunnel.game import Game


def play_on(game: Game, seed: int, decisions: int = 1_000_000) -> Game:
    """Uniformly random decisions, to the end or at most `decisions`; returns the game itself."""
    rng, goal = np.random.default_rng(seed), len(game.action_ids) + decisions
    while not game.is_over and len(game.action_ids) < goal:
        game.play(int(rng.choice(game.legal_ids())))
    return game
