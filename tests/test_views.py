"""`decode` and `action_names_of` serve every game by its ruleset."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_env import Game, action_names, action_names_of, decode

RULESETS = ("tiny", "carcassonne", "eurotunnel")


def test_without_a_ruleset_it_is_the_first_game() -> None:
    seen = Game("standard", seed=7).observation("france")
    assert decode(seen) == decode(seen, "standard") and action_names is action_names_of()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_observation_of_another_size_is_refused(ruleset: str) -> None:
    size = Game(ruleset, seed=1).observation(0).size
    for wrong in (np.zeros(size + 1, np.float32), np.zeros((2, size), np.float32)):
        with pytest.raises(ValueError, match=rf"expected one of shape \({size},\) under .* {ruleset}"):
            decode(wrong, ruleset)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_actions_have_their_names(ruleset: str) -> None:
    game, names = Game(ruleset, seed=3), action_names_of(ruleset)
    assert len(names) == game.action_mask.size
    assert [names[action] for action in game.legal_ids()] == list(game.legal_actions())
