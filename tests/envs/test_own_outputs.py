"""What an environment hands out is the caller's own: whoever writes into it changes nothing that comes later."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.lib.recfunctions import repack_fields

import channel_tunnel_env
from channel_tunnel_env import BatchGame, Game
from channel_tunnel_env.envs.mask_in_observation import MaskInObservation
from channel_tunnel_env.envs.opponents import RandomOpponent
from channel_tunnel_env.envs.sb3 import SeatVecEnv, SelfPlayVecEnv
from channel_tunnel_env.envs.single import ChannelTunnelEnv
from channel_tunnel_env.envs.vector import ChannelTunnelVectorEnv

Told = Generator[Any, Any, None]
"""Yields what was handed out, and is sent a copy of it, made before anybody wrote into it."""

GAMES: dict[str, Any] = {
    "tunnel_1987": "tiny",
    "carcassonne": {"base": "carcassonne", "name": "small", "table": 4},
    "eurotunnel": {"base": "eurotunnel", "name": "short", "max_year": 1901},
}
SIMULTANEOUS = ["eurotunnel"]
ROWS = 3


# --- writing into everything ----------------------------------------------------------------------


def parts_of(given: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Everything within what was handed out, containers after their contents."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(given, dict):
        inner = list(given.items())
    elif isinstance(given, (list, tuple)):
        inner = list(enumerate(given))
    elif isinstance(given, np.ndarray) and given.dtype == object:
        inner = list(enumerate(given.tolist()))
    for key, value in inner:
        yield from parts_of(value, f"{path}/{key}")
    yield path, given


def spoil(given: Any) -> None:
    """Write into every array, dict and list."""
    for path, part in parts_of(given):
        if isinstance(part, np.ndarray):
            assert part.flags.writeable, f"{path} is read-only"
            if part.dtype == object:
                part[...] = None
            elif part.dtype.names:
                part.view(np.uint8)[...] += 1
            else:
                np.subtract(1, part, out=part, casting="unsafe")  # what was allowed is forbidden
        elif isinstance(part, dict):
            part.clear()
            part["written"] = "by the caller"
        elif isinstance(part, list):
            part[:] = ["written by the caller"]


def check_apart(given: Any) -> None:
    """No two things handed out at once are the same memory."""
    boxes: dict[int, str] = {}
    arrays: list[tuple[str, np.ndarray]] = []
    for path, part in parts_of(given):
        if isinstance(part, (dict, list)):
            assert id(part) not in boxes, f"{path} is {boxes[id(part)]}"
            boxes[id(part)] = path
        elif isinstance(part, np.ndarray) and part.size:
            for other, array in arrays:
                assert not np.shares_memory(part, array), f"{path} shares memory with {other}"
            arrays.append((path, part))


def digest(given: Any) -> dict[str, Any]:
    """What was handed out, by its place."""
    found = {}
    for path, part in parts_of(given):
        if isinstance(part, np.ndarray) and part.dtype.names:
            found[path] = repack_fields(part, recurse=True).tobytes()  # without the bytes between
        elif isinstance(part, np.ndarray) and part.dtype != object:
            found[path] = hashlib.sha256(part.tobytes()).hexdigest(), part.dtype, part.shape
        elif isinstance(part, (dict, list, tuple, np.ndarray)):
            found[path] = sorted(part) if isinstance(part, dict) else len(part)
        else:
            found[path] = part
    return found


def all_told(told: Told, *, is_written_into: bool) -> list[dict[str, Any]]:
    """Everything that a run of an adapter hands out; what nobody writes into is still there one step later."""
    found = []
    given = next(told)
    while True:
        kept = copy.deepcopy(given)
        found.append(digest(kept))
        if is_written_into:
            check_apart(given)
            spoil(given)
        try:
            after = told.send(kept)
        except StopIteration:
            return found
        assert is_written_into or digest(given) == found[-1], f"number {len(found) - 1} is overwritten by the next"
        given = after


class Chooser:
    """Legal actions at random, drawn from masks (n, A) or (A,)."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng(1)

    def one(self, mask: Any) -> int:
        return int(self._rng.choice(np.flatnonzero(mask)))

    def each(self, masks: Any) -> np.ndarray:
        return np.array([self.one(mask) for mask in masks])


# --- what each adapter hands out ------------------------------------------------------------------

# Documented as views of the game or batch itself, or as what all games of a ruleset share.
SHARED = {"mask", "state", "states", "tables", "ruleset", "spec"}


def of_game(game: Game) -> dict[str, Any]:
    """All that a game gives without being asked for more than a seat."""
    kind = type(game)
    names = [n for n in dir(kind) if isinstance(getattr(kind, n), property) and n not in SHARED]
    given = {name: getattr(game, name) for name in names}
    given |= {
        "observations": [game.observation(seat) for seat in game.seats],
        "calls": [game.legal_ids(), game.legal_actions(), game.scores(), game.result()],
        "positions": [game.to_position(), *map(game.to_position, game.seats)],
        "record": game.record(),
    }
    if hasattr(game, "report"):
        given["reports"] = [game.report(seat) for seat in game.seats]
    return given


def tell_game(ruleset: Any) -> Told:
    """From its seed, from a position, and from a record; a clone goes on after its original was written into."""
    chooser, games = Chooser(), [Game(ruleset, 3)]
    for _ in range(10):
        games[0].play(chooser.one(games[0].mask))
    while not games[0].is_over and "phase_key" in dir(games[0]):
        before = games[0].phase_key
        games[0].play(games[0].legal_ids()[-1])
        if games[0].phase_key != before:  # positions begin with a phase
            break
    games += [Game.from_position(games[0].to_position()), Game.from_record(games[0].record())]
    games += [game.clone() for game in games]
    for _ in range(3):
        for game in games:
            yield of_game(game)
            if game.start is not None:
                yield game.start_position()
        for game in games:
            game.play(game.legal_ids()[-1])
    while not games[0].is_over:
        games[0].play(chooser.one(games[0].mask))
    yield of_game(games[0])


def tell_ruleset(ruleset: Any) -> Told:
    """The rules that games share: what is written into one answer is not in the next."""
    rules = channel_tunnel_env.load_ruleset(ruleset)
    for _ in range(2):
        given = [rules.plain(), rules.flat, rules.played_places, rules.seats]
        yield [*given, rules.card_keys] if hasattr(rules.data, "deck") else given
    yield rules.with_values({}).plain()
    yield channel_tunnel_env.load_ruleset(ruleset).plain()


def tell_pictures(ruleset: Any) -> Told:
    """Frames, twice of the same position and once of the next."""
    pytest.importorskip("resvg_py")
    env = channel_tunnel_env.raw_env(ruleset=ruleset, render_mode="rgb_array")
    env.reset(seed=3)
    yield env.render()
    yield env.render()
    env.step(env.game.legal_ids()[0])
    yield env.render()


def tell_batch(ruleset: Any, dtype: str) -> Told:
    """All but its buffers, which are documented as such."""
    batch = BatchGame(ROWS, ruleset, 3, autoreset=True, observation_dtype=dtype)
    chooser, rows = Chooser(), np.arange(ROWS)
    for _ in range(60):
        masks = batch.masks.copy()
        yield {
            "observe": [batch.observe(seat) for seat in range(len(batch.seats))],
            "scores": [batch.scores(), batch.scores_of(batch.final_states)],
            "records": [batch.record_of(row)[0] for row in rows],
            "numbers": batch.numbers(rows),
            "others": [batch.dones, batch.row_seeds(1)],
            "encoding": [batch.encoding.steps, batch.encoding.exact],
            "games": [batch.game(row).states for row in rows],
            "checked": batch.check(masks.argmax(axis=1)),
        }
        batch.step(chooser.each(masks))


def tell_aec(ruleset: Any, make: Callable[..., Any], max_cycles: int | None = None) -> Told:
    """What `last`, `observe`, `infos` and `state` give, for every agent, its dead step included.

    The dicts of rewards and ends are the environment's own, as in PettingZoo, which writes into them itself.
    """
    env, chooser = make(ruleset=ruleset, max_cycles=max_cycles), Chooser()
    for seed in (3, None):
        env.reset(seed=seed)
        while env.agents:
            mover, agents = env.agent_selection, env.possible_agents
            given = yield {
                "last": env.last(),  # its info is that of `infos`, as PettingZoo's own test requires
                "infos": [env.infos[agent] for agent in env.agents if agent != mover],
                "observe": [env.observe(agent) for agent in agents],
                "ends": [env.terminations.copy(), env.truncations.copy(), env.rewards.copy()],
                "state": env.state(),
            }
            yield [env.observe(agent) for agent in agents]
            seen, _, terminated, truncated, _ = given["last"]
            is_over = terminated or truncated
            env.step(None if is_over else chooser.one(seen["action_mask"]))


def tell_illegal(ruleset: Any) -> Told:
    """An illegal action ends the game whatever was written into the mask that forbids it."""
    env = channel_tunnel_env.env(ruleset=ruleset)
    env.reset(seed=3)
    seen, *_ = yield env.last()
    env.step(int(seen["action_mask"].argmin()))
    while env.agents:
        yield [env.last(), [env.observe(agent) for agent in env.possible_agents]]
        env.step(None)


def tell_parallel(ruleset: Any, make: Callable[..., Any], max_cycles: int | None = None) -> Told:
    """All that `reset` and `step` return."""
    env, chooser = make(ruleset=ruleset, max_cycles=max_cycles), Chooser()
    for seed in (3, None):
        seen, _ = yield env.reset(seed=seed)
        while env.agents:
            actions = {agent: chooser.one(seen[agent]["action_mask"]) for agent in env.agents}
            seen, *_ = yield env.step(actions)


def tell_gymnasium(ruleset: Any, wrap: Callable[[Any], Any] = lambda env: env) -> Told:
    """All that `reset`, `step` and `action_masks` return."""
    env = wrap(gymnasium.make("ChannelTunnel-v1", ruleset=ruleset))
    chooser = Chooser()
    for seed in (3, None):
        _, info = yield env.reset(seed=seed)
        done = False
        while not done:
            yield env.unwrapped.action_masks()
            _, _, done, _, info = yield env.step(chooser.one(info["action_mask"]))


def tell_losing(ruleset: Any) -> Told:
    """An illegal action that loses."""
    env = ChannelTunnelEnv(ruleset, illegal_action="lose")
    _, info = yield env.reset(seed=3)
    yield env.step(int(info["action_mask"].argmin()))
    yield env.reset(seed=3)


def tell_vector(ruleset: Any, mode: str) -> Told:
    """All that `reset`, `step` and `action_masks` return, over several games a row."""
    env, chooser = ChannelTunnelVectorEnv(ROWS, ruleset, autoreset_mode=mode), Chooser()
    _, info = yield env.reset(seed=3)
    for _ in range(150):
        yield env.action_masks()
        _, _, _, _, info = yield env.step(chooser.each(info["action_mask"]))


def tell_vec_env(ruleset: Any, make: Callable[..., Any]) -> Told:
    """All that Stable-Baselines3 gets, over several games a row."""
    env, chooser = make(ROWS, ruleset, seed=3), Chooser()
    yield env.reset()
    for _ in range(150):
        masks, _ = yield [env.action_masks(), env.env_method("action_masks")]
        actions = chooser.each(masks)
        env.step_async(actions)
        actions[:] = 0  # theirs again
        yield env.step_wait()


def tell_rllib(ruleset: Any, max_cycles: int | None = None) -> Told:
    """All that RLlib gets."""
    rllib = pytest.importorskip("channel_tunnel_env.envs.rllib")
    env = rllib.ChannelTunnelMultiAgentEnv({"ruleset": ruleset, "max_cycles": max_cycles})
    chooser = Chooser()
    seen, _ = yield env.reset(seed=3)
    is_over = False
    while not is_over:
        ((agent, own),) = seen.items()
        action = chooser.one(own["action_mask"])
        seen, _, ended, cut, _ = yield env.step({agent: action})
        is_over = ended["__all__"] or cut["__all__"]


def tell_openspiel(ruleset: Any) -> Told:
    """All that a state and its observer give."""
    openspiel = pytest.importorskip("channel_tunnel_env.envs.openspiel")
    game = openspiel.ChannelTunnelGame({"ruleset": ruleset, "seed": 3})
    state, chooser = game.new_initial_state(), Chooser()
    observer = game.make_py_observer()
    state.apply_action(openspiel.DEAL)
    while not state.is_terminal():
        player = state.current_player()
        observer.set_from(state, player)
        given = {
            "legal": [state.legal_actions(), state.legal_actions_mask()],
            "state": [state.history(), state.returns(), state.information_state_tensor(player)],
            "outcomes": state.chance_outcomes(),
            "observer": observer.tensor,
        }
        kept = yield given
        state.apply_action(chooser.one(kept["legal"][1]))
    yield [state.returns(), state.history()]


ADAPTERS: dict[str, Callable[[Any], Told]] = {
    "Game": tell_game,
    "Ruleset": tell_ruleset,
    "pictures": tell_pictures,
    **{f"BatchGame {d}": partial(tell_batch, dtype=d) for d in ("float32", "uint8")},
    "raw_env": partial(tell_aec, make=channel_tunnel_env.raw_env),
    "raw_env cut": partial(tell_aec, make=channel_tunnel_env.raw_env, max_cycles=7),
    "env": partial(tell_aec, make=channel_tunnel_env.env),
    "env cut": partial(tell_aec, make=channel_tunnel_env.env, max_cycles=7),
    "env lost": tell_illegal,
    "parallel_env": partial(tell_parallel, make=channel_tunnel_env.parallel_env),
    "parallel_env cut": partial(tell_parallel, make=channel_tunnel_env.parallel_env, max_cycles=7),
    "gymnasium": tell_gymnasium,
    "gymnasium lost": tell_losing,
    "MaskInObservation": partial(tell_gymnasium, wrap=MaskInObservation),
    "vector NextStep": partial(tell_vector, mode="NextStep"),
    "vector SameStep": partial(tell_vector, mode="SameStep"),
    "SeatVecEnv": partial(tell_vec_env, make=SeatVecEnv),
    "SelfPlayVecEnv": partial(tell_vec_env, make=partial(SelfPlayVecEnv, credit="per_seat")),
    "RLlib": tell_rllib,
    "RLlib cut": partial(tell_rllib, max_cycles=7),
    "OpenSpiel": tell_openspiel,
}
CASES = [
    (adapter, game)
    for adapter in ADAPTERS
    for game in GAMES
    if adapter != "OpenSpiel" or game == "tunnel_1987"  # which it serves only
]


def check(tell: Callable[[], Told]) -> None:
    """Two runs hand out the same, though the caller writes into all that the second one gives."""
    untouched = all_told(tell(), is_written_into=False)
    written = all_told(tell(), is_written_into=True)
    assert len(written) == len(untouched)
    for step, (one, other) in enumerate(zip(untouched, written, strict=True)):
        differing = [path for path in one | other if one.get(path) != other.get(path)]
        assert not differing, f"handed out as number {step}: {differing[:3]}"


@pytest.mark.parametrize(("adapter", "game"), CASES)
def test_what_is_handed_out_is_the_callers_own(adapter: str, game: str) -> None:
    check(partial(ADAPTERS[adapter], GAMES[game]))


@pytest.mark.parametrize("game", SIMULTANEOUS)
@pytest.mark.parametrize("max_cycles", [None, 7])
def test_what_phases_answered_unseen_hand_out_is_the_callers_own(game: str, max_cycles: int | None) -> None:
    make = channel_tunnel_env.simultaneous_env
    check(partial(tell_parallel, GAMES[game], make, max_cycles))


class Scribbler(RandomOpponent):
    """A random opponent that may write into what it is shown."""

    def __init__(self, *, writes: bool) -> None:
        super().__init__(3)
        self.writes = writes

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        chosen = super().__call__(observations, masks)
        if self.writes:
            spoil([observations, masks])
        return chosen

    def choose(self, mask: np.ndarray) -> int:
        chosen = super().choose(mask)
        if self.writes:
            spoil(mask)
        return chosen


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("asks", ["choose", "call"])
def test_what_an_opponent_is_shown_is_its_own(game: str, asks: str) -> None:
    def tell(writes: bool) -> Told:
        opponent: Any = Scribbler(writes=writes)
        if asks == "call":
            opponent = partial(opponent)  # which has no `choose`
        env, chooser = ChannelTunnelEnv(GAMES[game], opponent=opponent), Chooser()
        _, info = yield env.reset(seed=3)
        done = False
        while not done:
            _, _, done, _, info = yield env.step(chooser.one(info["action_mask"]))
        rows = SeatVecEnv(ROWS, GAMES[game], opponent=opponent, seed=3)
        yield rows.reset()
        for _ in range(50):
            yield rows.step(chooser.each(rows.action_masks()))
        both = SelfPlayVecEnv(ROWS, GAMES[game], seed=3, rivals=[opponent], rival_share=1.0, credit="per_seat")
        yield both.reset()
        for _ in range(50):
            yield both.step(chooser.each(both.action_masks()))

    untouched = all_told(tell(False), is_written_into=False)
    assert all_told(tell(True), is_written_into=False) == untouched


@pytest.mark.parametrize("game", GAMES)
def test_infos_that_are_emptied_are_made_again(game: str) -> None:
    env = channel_tunnel_env.env(ruleset=GAMES[game])
    env.reset(seed=3)
    kept = copy.deepcopy(env.infos)
    env.infos.clear()
    assert env.infos.keys() == kept.keys()
    for agent, info in kept.items():
        np.testing.assert_array_equal(env.infos[agent]["action_mask"], info["action_mask"])
    assert env.last()[-1] is env.infos[env.agent_selection]


def test_writing_into_outputs_is_noticed() -> None:
    """The harness sees memory that is shared, read-only, computed from or written into again."""
    kept = np.zeros(3)

    def shares() -> Told:
        yield kept
        yield kept

    def twice() -> Told:
        yield [kept, kept[1:]]

    def frozen() -> Told:
        yield np.broadcast_to(kept, (2, 3))

    def reuses() -> Told:
        for number in range(2):
            kept[:] = number
            yield kept

    for tell in (shares, twice, frozen, reuses):
        with pytest.raises(AssertionError):
            check(tell)
