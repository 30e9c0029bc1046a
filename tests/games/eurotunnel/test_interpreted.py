"""The rules are plain Python: interpreted and compiled they play the same game."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import pytest

from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.game import Game
from tests.games.eurotunnel.arena import ruleset_with
from tests.interpreted import interpreted


def digest_of_a_game(seed: int) -> str:
    """Of all that a game of one year gives to its powers, in which tunnels are built and a draw is refused."""
    game = Game(ruleset_with(max_year=1901, draw_vote=True), seed)
    rng, digest = np.random.default_rng(seed), sha256()
    while not game.is_over:
        for text in (game.mask, game.observation(), game.explain(int(rng.integers(c.NUM_ACTIONS)))):
            digest.update(text.encode() if isinstance(text, str) else text.tobytes())
        ids = game.legal_ids()
        digs = [i for i in ids if c.FIRST_DIG <= i < c.FIRST_SUPPORT_HOLD]
        refusal = [c.ID_VOTE_NO] if c.ID_VOTE_NO in ids else []
        game.play(int(rng.choice(refusal or (digs if rng.random() < 0.5 else []) or ids)))
    assert game.state.built.sum() > 3
    again = Game.from_states(game.determinize("france", 5).states, game.ruleset)
    for text in (game.render("france"), str(game.report("england")), again.render()):
        digest.update(text.encode())
    return digest.hexdigest()


@pytest.mark.heavy
def test_interpreted_and_compiled_rules_play_the_same_game() -> None:
    # Numbers that leave their type are errors, but for those of the streams.
    filters = ("error::RuntimeWarning", "ignore:::channel_tunnel_env.core.rng")
    assert interpreted(digest_of_a_game, 3, warnings=filters) == digest_of_a_game(3)
