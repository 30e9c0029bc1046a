"""Speeds of the engine and its adapters: one JSON line a figure, medians, with machine and versions.

python benchmarks/run.py                 everything here
python benchmarks/run.py --peers         also the peers that are installed, in the same run
python benchmarks/run.py --only batch    figures whose name holds a word
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import channel_tunnel_env
from channel_tunnel_env import BatchGame, Game
from channel_tunnel_env.core import kernels
from channel_tunnel_env.games.tunnel_1987.engine.actions import NUM_ACTIONS
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE
from channel_tunnel_env.games.tunnel_1987.game import BLANK

REPEATS = 7
SECONDS = 0.4  # of one repeat
PEER = "peer: "


def per_second(step: Callable[[], int]) -> float:
    """Median rate of a step that returns how much it did, over REPEATS runs of about SECONDS."""
    step()
    rates = []
    for _ in range(REPEATS):
        done, begun = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - begun) < SECONDS:
            done += step()
        rates.append(done / elapsed)
    return statistics.median(rates)


class RandomPlay:
    """Random play inside one kernel: a batch with its buffers."""

    def __init__(self, games: int, mask: bool, observe: bool, ruleset: str = "standard") -> None:
        self.batch = BatchGame(games, ruleset, seed=1, observe=False)
        self.steps = max(1, 65_536 // games)
        self.masks = np.zeros((games if mask else 0, NUM_ACTIONS), np.int8)
        self.observations = np.zeros((games if observe else 0, OBSERVATION_SIZE), np.float32)
        self.source = np.zeros(1, np.uint64)

    def __call__(self) -> int:
        kernels.random_play(
            self.batch._states,
            self.batch.tables,
            self.steps,
            self.source,
            BLANK,
            self.batch.work,
            self.masks,
            self.observations,
            self.batch.to_play,
        )
        return self.steps * self.batch.num_games


def two_threads() -> float:
    """Rate of two threads with a batch each over the rate of one."""
    one, other = RandomPlay(1024, True, True), RandomPlay(1024, True, True)
    with ThreadPoolExecutor(2) as pool:
        both = per_second(lambda: sum(pool.map(lambda play: play(), (one, other))))
    return both / per_second(one)


def batch_step() -> float:
    """`BatchGame.step` from Python with its checks; the next actions are the last legal ones."""
    batch = BatchGame(1024, seed=1, autoreset=True)
    rows = np.arange(1024)

    def step() -> int:
        actions = NUM_ACTIONS - 1 - batch._masks[rows, ::-1].argmax(axis=1)
        batch.step(actions)
        return 1024

    return per_second(step)


def batch_clone() -> float:
    """Microseconds to copy one game of a batch of 4096."""
    batch = BatchGame(4096, seed=1, observe=False)
    target = batch._states.copy()
    source_bytes, target_bytes = batch._states.view(np.uint8), target.view(np.uint8)

    def step() -> int:
        np.copyto(target_bytes, source_bytes)
        return 4096

    return 1e6 / per_second(step)


def game_clone() -> float:
    """Microseconds of `Game.clone`."""
    game = Game(seed=1)

    def step() -> int:
        for _ in range(1000):
            game.clone()
        return 1000

    return 1e6 / per_second(step)


def game_play() -> float:
    """`Game.play` by id, random legal, new games as they end."""
    game, numbers = Game(seed=1), np.random.default_rng(0).random(1 << 16).tolist()

    def step() -> int:
        for number in numbers[:2000]:
            if game.is_over:
                game.reset(7)
            legal = game.mask.nonzero()[0]
            game.play(int(legal[int(number * len(legal))]))
        return 2000

    return per_second(step)


def aec(make: Any) -> float:
    """`last()`, a masked sample and `step` of a PettingZoo environment."""
    env, numbers = make(), np.random.default_rng(0).random(1 << 12).tolist()
    env.reset(seed=1)

    def step() -> int:
        for number in numbers:
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.reset()
                continue
            mask = (
                observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
            )
            legal = mask.nonzero()[0]
            env.step(int(legal[int(number * len(legal))]))
        return len(numbers)

    return per_second(step)


def gymnasium_single() -> float:
    """`gymnasium.make` against the random opponent; the learner's steps."""
    import gymnasium

    env, numbers = (
        gymnasium.make("ChannelTunnel-v1"),
        np.random.default_rng(0).random(4096).tolist(),
    )
    info = env.reset(seed=1)[1]

    def step() -> int:
        nonlocal info
        for number in numbers:
            legal = info["action_mask"].nonzero()[0]
            *_, terminated, truncated, info = env.step(int(legal[int(number * len(legal))]))
            if terminated or truncated:
                info = env.reset()[1]
        return len(numbers)

    return per_second(step)


def vec_env(name: str, **options: Any) -> float:
    """An SB3 VecEnv of 1024 games, masks included; rows a second."""
    from channel_tunnel_env.envs import sb3
    from channel_tunnel_env.envs.opponents import random_legal

    env, rng = getattr(sb3, name)(1024, seed=1, **options), np.random.default_rng(0)
    env.reset()

    def step() -> int:
        env.step(random_legal(np.stack(env.env_method("action_masks")), rng))
        return 1024

    return per_second(step)


def start_seconds(cold: bool) -> float:
    """Seconds of a fresh process to import, start a game and make one step."""
    code = "import channel_tunnel_env as c; g = c.Game(seed=1); g.play(g.legal_ids()[0])"
    environment = dict(os.environ)
    times = []
    for i in range(1 if cold else 3):
        if cold:
            environment["NUMBA_CACHE_DIR"] = f"/tmp/channel_tunnel_bench_{os.getpid()}_{i}"
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env=environment)
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


FIGURES: dict[str, tuple[str, Callable[[], float]]] = {
    "batch 256 random play, state only": (
        "decisions/s",
        lambda: per_second(RandomPlay(256, False, False)),
    ),
    "batch 256 random play, mask": (
        "decisions/s",
        lambda: per_second(RandomPlay(256, True, False)),
    ),
    "batch 256 random play, mask + observation": (
        "decisions/s",
        lambda: per_second(RandomPlay(256, True, True)),
    ),
    "batch 4096 random play, mask + observation": (
        "decisions/s",
        lambda: per_second(RandomPlay(4096, True, True)),
    ),
    "batch 256 agenda random play, mask + observation": (
        "decisions/s",
        lambda: per_second(RandomPlay(256, True, True, "agenda")),
    ),
    "two threads over one, mask + observation": ("ratio", two_threads),
    "BatchGame.step, 1024 games, checked": ("decisions/s", batch_step),
    "clone in a batch": ("us", batch_clone),
    "Game.clone": ("us", game_clone),
    "Game.play": ("decisions/s", game_play),
    "PettingZoo raw_env": ("decisions/s", lambda: aec(channel_tunnel_env.raw_env)),
    "PettingZoo env": ("decisions/s", lambda: aec(channel_tunnel_env.env)),
    "gymnasium.make": ("learner steps/s", gymnasium_single),
    "SelfPlayVecEnv, 1024 games": ("rows/s", lambda: vec_env("SelfPlayVecEnv", credit="zero_sum")),
    "SeatVecEnv, 1024 games": ("rows/s", lambda: vec_env("SeatVecEnv")),
    "import and first step, warm": ("s", lambda: start_seconds(cold=False)),
    "import and first step, cold": ("s", lambda: start_seconds(cold=True)),
}


def peer_figures() -> dict[str, tuple[str, Callable[[], float]]]:
    """PettingZoo's own classics and other engines, where installed."""
    figures: dict[str, tuple[str, Callable[[], float]]] = {}
    for module, name in (
        ("pettingzoo.classic.connect_four_v3", "peer: PettingZoo connect_four env"),
        ("pettingzoo.classic.chess_v6", "peer: PettingZoo chess env"),
    ):
        try:
            made = importlib.import_module(module)
            made.env().reset(seed=1)
        except ImportError:
            continue
        figures[name] = ("decisions/s", lambda made=made: aec(made.env))
    try:
        import rlcard
    except ImportError:
        pass
    else:
        figures[f"{PEER}RLCard gin-rummy"] = (
            "decisions/s",
            lambda: rlcard_play(rlcard.make("gin-rummy")),
        )
    try:
        import pyspiel
    except ImportError:
        return figures
    for game in ("backgammon", "gin_rummy", "hanabi"):
        figures[f"{PEER}OpenSpiel {game}, mask + tensor from Python"] = (
            "decisions/s",
            lambda game=game: open_spiel(pyspiel.load_game(game)),
        )
    return figures


def rlcard_play(env: Any) -> float:
    """Random play of an RLCard environment: legal actions and observation at every step."""
    rng = np.random.default_rng(0)

    def step() -> int:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return per_second(step)


def open_spiel(game: Any) -> float:
    """Random play of an OpenSpiel game with mask and observation or information-state tensor."""
    rng = np.random.default_rng(0)
    kind = game.get_type()
    observe = (
        "observation_tensor" if kind.provides_observation_tensor else "information_state_tensor"
    )

    def step() -> int:
        decisions, state = 0, game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                weights = [p for _, p in outcomes]
                state.apply_action(outcomes[rng.choice(len(outcomes), p=weights)][0])
                continue
            state.legal_actions_mask()
            getattr(state, observe)(state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return per_second(step)


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    packages = (
        "channel-tunnel-env",
        "numpy",
        "numba",
        "pettingzoo",
        "gymnasium",
        "stable-baselines3",
        "rlcard",
        "open-spiel",
    )
    versions = {}
    for package in packages:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = None
    model = "unknown"
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = [x for x in info.read_text().splitlines() if x.startswith("model name")]
        model = lines[0].split(":")[1].strip() if lines else model
    return {"python": platform.python_version(), "cpu": model, "cores": os.cpu_count(), **versions}


def main() -> None:
    """One JSON line a figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", action="store_true", help="also the peers that are installed")
    parser.add_argument("--only", default="", help="figures whose name holds this")
    arguments = parser.parse_args()
    figures = FIGURES | (peer_figures() if arguments.peers else {})
    print(json.dumps({"machine": machine()}))
    for name, (unit, measure) in figures.items():
        if arguments.only not in name:
            continue
        value = measure()
        report(name, value, unit)
        if name.startswith(PEER):
            ours = like_work(name)
            report(
                f"{ours}, again, over {name.removeprefix(PEER)}",
                figures[ours][1]() / value,
                "ratio",
            )


def like_work(peer: str) -> str:
    """Our figure for what the peer does at every step: mask and observation, through a like interface."""
    return "PettingZoo env" if "PettingZoo" in peer else "PettingZoo raw_env"


def report(name: str, value: float, unit: str) -> None:
    """One line."""
    print(json.dumps({"figure": name, "value": float(f"{value:.4g}"), "unit": unit}), flush=True)


if __name__ == "__main__":
    main()
