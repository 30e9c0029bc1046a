"""What `reset(options=...)` may ask for: a position, other rules for one game, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import Game, Ruleset, load_ruleset
from channel_tunnel_env.envs.aec import env as aec_env
from channel_tunnel_env.envs.aec import parallel_env
from channel_tunnel_env.envs.simultaneous import simultaneous_env
from channel_tunnel_env.envs.single import ChannelTunnelEnv
from channel_tunnel_env.envs.vector import ChannelTunnelVectorEnv
from channel_tunnel_env.errors import RulesetError, VersionError

MINE = {"base": "standard", "name": "mine", "discs": {"hand": 7}}
SHORT = {"base": "eurotunnel", "name": "short", "max_year": 1902}
ENVIRONMENTS: dict[str, tuple[Callable[[], Any], Any]] = {
    "aec": (lambda: aec_env("standard"), MINE),
    "parallel": (lambda: parallel_env("standard"), MINE),
    "single": (lambda: ChannelTunnelEnv("standard", opponent="heuristic"), MINE),
    "simultaneous": (lambda: simultaneous_env("eurotunnel"), SHORT),
}
every = pytest.mark.parametrize(("make", "rules"), ENVIRONMENTS.values(), ids=ENVIRONMENTS)


def game_of(env: Any) -> Any:
    return env.unwrapped.aec_env.unwrapped.game if hasattr(env.unwrapped, "aec_env") else env.unwrapped.game


@every
def test_a_reset_plays_one_game_by_other_rules(make: Callable[[], Any], rules: Any) -> None:
    env, usual, other = make(), make(), load_ruleset(rules)
    env.reset(seed=5, options={"ruleset": rules})
    assert game_of(env).ruleset.digest == other.digest
    if not isinstance(env, ChannelTunnelEnv):  # in which the rival may begin
        assert np.array_equal(game_of(env).observation(0), Game(other, 5).observation(0))
    env.reset()
    usual.reset(seed=5)
    usual.reset()
    assert game_of(env).ruleset.digest == game_of(usual).ruleset.digest
    assert game_of(env).to_position() == game_of(usual).to_position()


@every
def test_what_a_reset_cannot_do_is_refused_and_the_game_goes_on(make: Callable[[], Any], rules: Any) -> None:
    env = make()
    env.reset(seed=5)
    before = game_of(env).to_position()
    over = Game(game_of(env).ruleset, 1)
    while not over.is_over:
        over.play(over.legal_ids()[-1])
    elsewhere = "carcassonne" if rules is SHORT else "eurotunnel"
    for options, error, words in (
        ({"rulset": rules}, ValueError, "did you mean 'ruleset'"),
        ({"ruleset": elsewhere}, ValueError, f"ruleset {elsewhere}: it has another game"),
        ({"ruleset": "nowhere"}, RulesetError, "nowhere"),
        ({"ruleset": rules, "position": 3}, ValueError, "position"),
        ({"position": over.to_position()}, ValueError, "the game is over there"),
    ):
        with pytest.raises(error, match=words):
            env.reset(options=options)
        assert game_of(env).to_position() == before


def test_a_position_is_read_by_the_rules_that_are_given_with_it() -> None:
    env, game = ChannelTunnelEnv("standard"), Game(MINE, 3)
    env.reset(options={"ruleset": MINE, "position": game.to_position()})
    assert env.game.ruleset.digest == game.ruleset.digest


class TrainedForStandard:
    """A rival that plays by the rules it was trained for."""

    def check_ruleset(self, ruleset: Ruleset) -> None:
        if ruleset.name != "standard":
            raise VersionError(f"trained for standard, not for {ruleset.name}")

    def __call__(self, observations: Any, masks: Any) -> Any:
        return masks.argmax(1)


def test_a_rival_that_cannot_play_the_rules_is_refused() -> None:
    env = ChannelTunnelEnv("standard", opponent=TrainedForStandard())
    env.reset(seed=5)
    before = env.game.to_position()
    with pytest.raises(VersionError, match="trained for standard, not for mine"):
        env.reset(options={"ruleset": MINE})
    assert env.game.to_position() == before


def test_a_batch_says_what_takes_other_rules() -> None:
    env = ChannelTunnelVectorEnv(2)
    env.reset(seed=5)
    for options, words in (({"ruleset": MINE}, "a list of rulesets"), ({"rules": MINE}, "allowed: reset_mask")):
        with pytest.raises(ValueError, match=words):
            env.reset(options=options)
