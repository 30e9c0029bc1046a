"""How games end, reported alike by every adapter: a termination, winner, cause and scores, a mask that masks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv

import channel_tunnel_env
from channel_tunnel_env import BatchGame, Game
from channel_tunnel_env.envs.opponents import random_legal
from channel_tunnel_env.envs.sb3 import SeatVecEnv, SelfPlayVecEnv
from channel_tunnel_env.envs.single import ChannelTunnelEnv
from channel_tunnel_env.envs.vector import ChannelTunnelVectorEnv
from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

RESULT = ("winner", "end_cause", "scores", "ruleset")
STOPPED = "empty_rounds"  # of games in which everybody passes
KEEP_NONE = [a.KEEP_0 + 6 * colour for colour in range(5)]


def stall(masks: np.ndarray) -> np.ndarray:
    """Pass, and keep no disc: legal in every row where play is only passing; ends in `empty_rounds`."""
    wanted = np.array([a.PASS, *KEEP_NONE])
    return wanted[np.asarray(masks)[:, wanted].astype(bool).argmax(axis=1)]


def staller(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """`stall` as an opponent."""
    return stall(masks)


# --- stopped games terminate --------------------------------------------------------------------------


def ends_of_aec() -> Iterator[tuple[Any, Any, dict[str, Any]]]:
    env = channel_tunnel_env.raw_env()
    env.reset(seed=5)
    while not env.game.is_over:
        env.step(int(stall(env.game.action_mask[None])[0]))
    for agent in env.possible_agents:
        yield env.terminations[agent], env.truncations[agent], env.infos[agent]


def ends_of_parallel() -> Iterator[tuple[Any, Any, dict[str, Any]]]:
    env = channel_tunnel_env.parallel_env()
    seen, _ = env.reset(seed=5)
    while env.agents:
        masks = np.stack([seen[agent]["action_mask"] for agent in env.agents])
        answers = dict(zip(env.agents, stall(masks).tolist(), strict=True))
        seen, _, terminated, truncated, infos = env.step(answers)
    for agent in env.possible_agents:
        yield terminated[agent], truncated[agent], infos[agent]


def ends_of_gymnasium() -> Iterator[tuple[Any, Any, dict[str, Any]]]:
    env = gymnasium.make("ChannelTunnel-v1", opponent=staller)
    _, info = env.reset(seed=5)
    terminated = truncated = False
    while not (terminated or truncated):
        _, _, terminated, truncated, info = env.step(int(stall(info["action_mask"][None])[0]))
    yield terminated, truncated, info


def ends_of_vector() -> Iterator[tuple[Any, Any, dict[str, Any]]]:
    env = gymnasium.make_vec("ChannelTunnel-v1", num_envs=2, opponent=staller)
    _, info = env.reset(seed=5)
    terminated = truncated = np.zeros(2, bool)
    while not (terminated | truncated).any():
        _, _, terminated, truncated, info = env.step(stall(info["action_mask"]))
    for row in np.flatnonzero(terminated | truncated):
        yield terminated[row], truncated[row], row_of(info, row)


def ends_of_vec_env(env: Any) -> Iterator[tuple[Any, Any, dict[str, Any]]]:
    env.reset()
    dones = np.zeros(env.num_envs, bool)
    while not dones.any():
        _, _, dones, infos = env.step(stall(env.action_masks()))
    for row in np.flatnonzero(dones):
        yield dones[row], infos[row].get("TimeLimit.truncated", False), infos[row]


def row_of(info: dict[str, Any], row: int) -> dict[str, Any]:
    """One environment's info out of a vector environment's, where its `_key` says that it holds."""
    return {
        key: row_of(value, row) if isinstance(value, dict) else value[row]
        for key, value in info.items()
        if not key.startswith("_") and info[f"_{key}"][row]
    }


ADAPTERS = {
    "aec": ends_of_aec,
    "parallel": ends_of_parallel,
    "gymnasium": ends_of_gymnasium,
    "vector": ends_of_vector,
    "SeatVecEnv": lambda: ends_of_vec_env(SeatVecEnv(2, opponent=staller, seed=5)),
    "SelfPlayVecEnv": lambda: ends_of_vec_env(SelfPlayVecEnv(2, seed=5, credit="zero_sum")),
}


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_stopped_game_terminates_and_says_why(adapter: str) -> None:
    """It is scored: a learner that saw a truncation would add its own guess to the result."""
    ends = list(ADAPTERS[adapter]())
    assert ends
    for terminated, truncated, info in ends:
        assert terminated and not truncated
        assert info["end_cause"] == STOPPED
        totals = [info["scores"][side]["total"] for side in c.SEATS]
        assert info["winner"] == (None if totals[0] == totals[1] else c.SEATS[np.argmax(totals)])


def test_a_batch_terminates_a_stopped_game() -> None:
    batch = BatchGame(2, seed=5)
    while not batch.dones.any():
        batch.step(stall(batch.masks))
    assert batch.terminated.any() and not batch.truncated.any()
    assert c.END_CAUSES[batch.states["end_cause"][batch.dones.argmax()]] == STOPPED


def test_max_cycles_truncates_and_nothing_else_does() -> None:
    env = channel_tunnel_env.raw_env(max_cycles=7)
    env.reset(seed=2)
    for _ in range(7):
        assert not any(env.truncations.values())
        env.step(int(env.game.legal_ids()[0]))
    assert all(env.truncations.values()) and not any([*env.terminations.values(), *env.rewards.values()])
    for agent in env.possible_agents:
        assert [env.infos[agent][key] for key in RESULT] == [
            None,
            "max_cycles",
            env.game.scores(),
            env.game.ruleset.name,
        ]


def test_an_illegal_action_ends_the_game_is_charged_to_the_mover_and_told_as_the_cause() -> None:
    env = channel_tunnel_env.env()
    env.reset(seed=1)
    mover = env.agent_selection
    env.step(108)
    assert env.rewards[mover] == -1
    assert all(env.terminations.values()) and not any(env.truncations.values())
    assert {info["end_cause"] for info in env.infos.values()} == {"illegal_action"}
    single = gymnasium.make("ChannelTunnel-v1", illegal_action="lose")
    single.reset(seed=1)
    _, reward, terminated, truncated, info = single.step(108)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert (info["end_cause"], info["winner"]) == ("illegal_action", None)


# --- what the infos say -----------------------------------------------------------------------------


def test_aec_infos_hold_the_result_at_the_end_and_not_before() -> None:
    env, rng = channel_tunnel_env.raw_env(ruleset="tiny"), np.random.default_rng(1)
    env.reset(seed=3)
    while not env.game.is_over:
        assert all(set(info) == {"action_mask"} for info in env.infos.values())
        env.step(int(rng.choice(env.game.legal_ids())))
    game = env.game
    for agent in env.possible_agents:
        told = [env.infos[agent][key] for key in RESULT]
        assert told == [game.winner, game.end_cause, game.scores(), "tiny"]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_the_vector_env_shows_infos_as_gymnasiums_own_does(mode: str) -> None:
    """Keys, masks, shapes and types; and each row's result is its game's."""
    native = ChannelTunnelVectorEnv(3, "tiny", autoreset_mode=mode)
    own = SyncVectorEnv([lambda: ChannelTunnelEnv("tiny")] * 3, autoreset_mode=mode)
    rng, shapes = np.random.default_rng(0), []
    for env in (native, own):
        _, info = env.reset(seed=4)
        ended = np.zeros(3, bool)
        while not ended.any():
            _, rewards, ended, _, info = env.step(random_legal(info["action_mask"] != 0, rng))
        shapes.append(shape_of(info))
        told = info["final_info"] if mode == "SameStep" else info
        for row in np.flatnonzero(ended):
            result = row_of(told, int(row))
            paid = {"britain": 1.0, "france": -1.0, None: 0.0}[result["winner"]]
            assert rewards[row] == paid
            assert result["action_mask"].sum() == 1
            assert set(result["scores"]) == set(c.SEATS)
    assert shapes[0] == shapes[1]


def shape_of(info: Any) -> Any:
    """The keys of a nested info, with shape and type of the arrays."""
    if isinstance(info, dict):
        return {key: shape_of(value) for key, value in info.items()}
    return info.shape, info.dtype


def test_vec_env_infos_tell_each_games_own_result() -> None:
    other = {"base": "tiny", "name": "seven", "discs": {"hand": 7}}
    env, rng = SelfPlayVecEnv(16, ["tiny", other], seed=1, credit="zero_sum"), np.random.default_rng(0)
    env.reset()
    twins = [env.batch.game(row) for row in range(16)]
    ended = 0
    while ended < 10:
        actions = random_legal(env.action_masks(), rng)
        for twin, action in zip(twins, actions, strict=True):
            twin.play(int(action))
        _, _, dones, infos = env.step(actions)
        for row in np.flatnonzero(dones):
            told = [infos[row][key] for key in RESULT]
            assert told == [twins[row].winner, twins[row].end_cause, twins[row].scores(), ("tiny", "seven")[row % 2]]
            twins[row] = env.batch.game(int(row))
            ended += 1
        assert not any(infos[row] for row in np.flatnonzero(~dones))


# --- masks that can always be sampled from ------------------------------------------------------------


def test_in_the_parallel_env_every_agent_can_always_answer() -> None:
    env, rng = channel_tunnel_env.parallel_env(ruleset="tiny"), np.random.default_rng(0)
    seen, infos = env.reset(seed=1)
    while env.agents:
        answers = {}
        for agent in env.agents:
            assert (seen[agent]["action_mask"] == infos[agent]["action_mask"]).all()
            answers[agent] = int(rng.choice(np.flatnonzero(seen[agent]["action_mask"])))
        seen, _, _, _, infos = env.step(answers)
    assert [look["action_mask"].sum() for look in seen.values()] == [1, 1]


def test_game_mask_is_a_live_view_that_cannot_be_written() -> None:
    game = Game(seed=1)
    mask = game.mask
    assert (mask == game.action_mask).all()
    with pytest.raises(ValueError, match="read-only"):
        mask[0] = 1
    game.play(game.legal_ids()[0])
    assert (mask == game.action_mask).all()
