"""Opponents by name: made for the ruleset that is played, or refused."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.players.pretrained import load_policy
from channel_tunnel_env import BatchGame, Ruleset, VersionError
from channel_tunnel_env.envs import opponents
from channel_tunnel_env.envs.opponents import RandomOpponent, make_opponents, register_opponent
from channel_tunnel_env.envs.sb3 import SeatVecEnv
from channel_tunnel_env.envs.seated import SeatedBatch
from channel_tunnel_env.rulesets.ruleset import load_ruleset

MAKERS = {
    "make": lambda **options: gymnasium.make("ChannelTunnel-v1", **options),
    "make_vec": lambda **options: gymnasium.make_vec("ChannelTunnel-v1", num_envs=2, **options),
    "SeatVecEnv": lambda **options: SeatVecEnv(2, seed=1, **options),
}


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is gone after it."""
    monkeypatch.setattr(opponents, "_FACTORIES", dict(opponents._FACTORIES))


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("name", ["rookie", "master"])
def test_a_policy_made_for_another_ruleset_is_refused(maker: str, name: str) -> None:
    with pytest.raises(VersionError, match=f"opponent '{name}' cannot play ruleset 'tiny': .*digest"):
        MAKERS[maker](ruleset="tiny", opponent=name)
    MAKERS[maker](ruleset="standard", opponent=name).reset()


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("name", ["rookie", "rookie-search"])
def test_a_policy_that_was_made_without_a_ruleset_is_refused_like_its_name(maker: str, name: str) -> None:
    with pytest.raises(VersionError, match=r"cannot play ruleset 'tiny': .*frozen:rookie"):
        MAKERS[maker](ruleset="tiny", opponent=make_agent(name))
    with pytest.raises(VersionError, match=r"is of the game carcassonne"):
        MAKERS[maker](ruleset="carcassonne", opponent=[make_agent(name), "random"])
    MAKERS[maker](ruleset="standard", opponent=make_agent(name)).reset()
    with pytest.raises(VersionError, match=r"cannot play ruleset 'tiny'"):
        MAKERS[maker](ruleset="tiny", opponent=load_policy("rookie"))
    MAKERS[maker](ruleset="tiny", opponent=load_policy("frozen:rookie")).reset()
    for free in (f"frozen:{name}", "adept"):
        MAKERS[maker](ruleset="tiny", opponent=make_agent(free)).reset()


def test_one_wrong_ruleset_among_many_is_refused() -> None:
    with pytest.raises(VersionError, match="cannot play ruleset 'tiny'"):
        SeatVecEnv(4, ["standard", "tiny"], opponent="rookie")


def test_opponents_that_take_no_ruleset_play_any(registry: None) -> None:
    register_opponent("plain", RandomOpponent)
    for maker in MAKERS.values():
        maker(ruleset="tiny", opponent="plain").reset()


def test_each_row_is_answered_by_the_opponent_made_for_its_ruleset(registry: None) -> None:
    names = ["tiny", "standard", "tiny"]
    asked: dict[str, list[np.ndarray]] = {"tiny": [], "standard": []}

    def make(seed: int, ruleset: Ruleset) -> Any:
        def play(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
            asked[ruleset.name].append(observations.copy())
            return masks.argmax(axis=1)

        return play

    register_opponent("knowing", make, takes_ruleset=True)
    rulesets = [load_ruleset(name) for name in names]
    first, second, third = make_opponents("knowing", 0, rulesets)
    assert first is third is not second, "one for each ruleset"
    seated = SeatedBatch(6, names, side="france", opponent="knowing", seed=1)
    starts = BatchGame(6, names, seed=1).observations  # Britain's, which is to begin
    seated.reset(1)
    assert (asked["tiny"][0] == starts[[0, 2, 3, 5]]).all()
    assert (asked["standard"][0] == starts[[1, 4]]).all()


# --- mixtures and searches --------------------------------------------------------------------------


class Noted(RandomOpponent):
    """Plays at random and counts the games and rows it is asked for."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.rows = 0

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        self.rows += len(masks)
        return super().__call__(observations, masks)

    def choose(self, mask: np.ndarray) -> int:
        self.rows += 1
        return super().choose(mask)


class Ahead:
    """Looks into the game it is handed, and leaves it as it is."""

    def __init__(self) -> None:
        self.asked = 0

    def search(self, batch: BatchGame, rows: np.ndarray) -> np.ndarray:
        self.asked += len(rows)
        assert (batch.to_play[rows] == batch.states["to_play"][rows]).all()
        return batch.masks[rows].argmax(axis=1)


def play_seated(opponent: Any, steps: int = 400) -> SeatedBatch:
    seated = SeatedBatch(8, "tiny", opponent=opponent, seed=3)
    seated.reset(3)
    for _ in range(steps):
        seated.step(seated.masks.argmax(axis=1))
    return seated


def test_each_game_of_a_mixture_draws_its_opponent_by_weight() -> None:
    often, seldom, never = Noted(1), Noted(2), Noted(3)
    play_seated({often: 3, seldom: 1, never: 0})
    share = often.rows / (often.rows + seldom.rows)
    assert 0.6 < share < 0.9 and never.rows == 0


def test_a_game_keeps_its_opponent_to_its_end() -> None:
    seated = SeatedBatch(8, "tiny", opponent=[Noted(1), Noted(2)], seed=3)
    seated.reset(3)
    before = seated._opponent_of.copy()
    changed = 0
    for _ in range(300):
        seated.step(seated.masks.argmax(axis=1))
        differ = seated._opponent_of != before
        assert not (differ & ~seated.terminated).any()
        changed += int(differ.sum())
        before = seated._opponent_of.copy()
    assert changed


def test_the_same_seed_draws_the_same_mixture_and_seeds_the_callers_own_opponent() -> None:
    own = Noted(5)
    one, two = (play_seated(["random", own], 60) for _ in range(2))
    assert (one.observations == two.observations).all()


def test_a_single_environment_draws_an_opponent_at_every_reset() -> None:
    rivals = [Noted(1), Noted(2)]
    env = gymnasium.make("ChannelTunnel-v1", ruleset="tiny", opponent=rivals)
    env.reset(seed=1)
    asked = set()
    for _ in range(12):
        before = [rival.rows for rival in rivals]
        env.reset()
        mask = env.unwrapped.action_masks()
        for _ in range(30):
            _, _, over, _, info = env.step(int(mask.argmax()))
            mask = info["action_mask"]
            if over:
                break
        grown = [i for i, rival in enumerate(rivals) if rival.rows > before[i]]
        assert len(grown) <= 1, "one opponent a game"
        asked.update(grown)
    assert asked == {0, 1}


@pytest.mark.parametrize("maker", MAKERS)
def test_a_search_plays_as_an_opponent(maker: str) -> None:
    ahead = Ahead()
    env = MAKERS[maker](ruleset="tiny", side="france", opponent=ahead)
    env.reset()
    assert ahead.asked
    MAKERS[maker](ruleset="tiny", side="france", opponent="ismcts:5").reset()


@pytest.mark.parametrize("wrong", [[], {}, {"random": 0}, {"random": -1}, {"random": float("nan")}])
def test_a_mixture_of_nobody_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="a mixture has one opponent or more"):
        SeatedBatch(2, "tiny", opponent=wrong)


def test_what_is_no_opponent_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a name, a callable"):
        SeatedBatch(2, "tiny", opponent=3)  # type: ignore[arg-type]
