"""`bench`: quick speed figures of this machine, medians of five; `benchmarks/speed.py` has careful ones, and more."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import tyro
from rich.console import Console
from rich.table import Table

from channel_tunnel_env.batch import BatchGame
from channel_tunnel_env.cli.taking import RulesetFirst
from channel_tunnel_env.core import kernels
from channel_tunnel_env.core.encoding import FLOAT
from channel_tunnel_env.envs.opponents import random_legal
from channel_tunnel_env.game import game_class
from channel_tunnel_env.outside.progress import show_progress
from channel_tunnel_env.rulesets.ruleset import load_ruleset

Work = Callable[[], int]
"""Does something, and returns how many times."""
BATCH = 256
REPEATS = 5
MOST_SECONDS = 3600


def bench(
    ruleset: RulesetFirst = "standard",
    seconds: Annotated[float, tyro.conf.arg(help="per repeat; five repeats per line")] = 0.5,
) -> int:
    """Measure random play on this machine, one thread: decisions per second, medians of five.

    For example:
        channel-tunnel bench carcassonne

    Args:
        ruleset: a name or a YAML file.
    """
    if not 0 < seconds <= MOST_SECONDS:
        raise ValueError(f"--seconds {seconds:g}: above 0, up to {MOST_SECONDS:,}")
    table = Table(title=f"{ruleset}, one thread, medians of {REPEATS}", title_justify="left")
    for column in ("what", "per second", "us each"):
        table.add_column(column, justify="left" if column == "what" else "right")
    with show_progress() as progress:
        stage = progress.begin("measurements", len(MEASUREMENTS))
        for number, (name, make) in enumerate(MEASUREMENTS.items()):
            stage.reach(number, name)
            rate = medians({name: make(ruleset)}, seconds)[name]
            table.add_row(name, f"{rate:,.0f}", f"{1e6 / rate:,.2f}")
    Console(highlight=False).print(table)
    return 0


def medians(
    works: dict[str, Work], seconds: float, repeats: int = REPEATS, clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """Units per second of each work, which returns how many it did: medians of repeats that take turns.

    Args:
        seconds: of each repeat.
        clock: in seconds, of the wall or of the processor.
    """
    for work in works.values():
        work()  # compile, warm up
    rates: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            done, begun = 0, clock()
            while (spent := clock() - begun) < seconds or done == 0:
                done += work()
            rates[name].append(done / spent)
    return {name: statistics.median(found) for name, found in rates.items()}


def batch_of(mask: bool, observe: bool, dtype: str = FLOAT) -> Callable[[str], Work]:
    """Random play of a whole batch inside one kernel, with observations of a dtype."""

    def make(ruleset: str) -> Work:
        steps = 20
        batch = BatchGame(BATCH, ruleset, seed=0, observe=False, observation_dtype=dtype)
        masks = np.zeros((BATCH if mask else 0, batch.spec.actions.count), np.int8)
        seen = (BATCH if observe else 0, batch.machine.observation_size)
        observations = batch.encoding.empty(seen)
        source = np.zeros(1, np.uint64)

        def work() -> int:
            kernels.random_play(
                batch.records,
                batch.tables,
                steps,
                source,
                batch.machine.blank,
                batch.work,
                masks,
                observations,
                batch.to_play,
            )
            return steps * BATCH

        return work

    return make


def _step(ruleset: str) -> Work:
    batch = BatchGame(BATCH, ruleset, seed=0, autoreset=True)
    rng = np.random.default_rng(0)

    def work() -> int:
        batch.step(random_legal(batch.masks, rng))
        return BATCH

    return work


def _play(ruleset: str) -> Work:
    """Whole games through Game.play, including the time to choose actions."""
    rules = load_ruleset(ruleset)
    kind = game_class(rules.spec)
    seeds = iter(range(10**9))

    def work() -> int:
        game, done = kind(rules, next(seeds)), 0
        while not game.is_over:
            ids = game.legal_ids()
            game.play(ids[done * 7919 % len(ids)])
            done += 1
        return done

    return work


def _clone(ruleset: str) -> Work:
    rules = load_ruleset(ruleset)
    game = game_class(rules.spec)(rules, 0)

    def work() -> int:
        for _ in range(100):
            game.clone()
        return 100

    return work


def pettingzoo(wrapped: bool) -> Callable[[str], Work]:
    """Whole games through PettingZoo, including the time to choose actions."""

    def make(ruleset: str) -> Work:
        from channel_tunnel_env.envs import aec

        env = (aec.env if wrapped else aec.raw_env)(ruleset=ruleset)
        seeds = iter(range(10**9))

        def work() -> int:
            env.reset(seed=next(seeds))
            done = 0
            for _ in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                env.step(None if termination or truncation else _pick(observation, done))
                done += not (termination or truncation)
            return done

        return work

    return make


def _pick(observation: Any, done: int) -> int:
    # As bool: numpy finds what is set in a mask of Eurotunnel in 1 us instead of 7, most of what a decision takes.
    ids = np.flatnonzero(observation["action_mask"].view(np.bool_))
    return int(ids[done * 7919 % len(ids)])


def _gymnasium(ruleset: str) -> Work:
    """One learner's decisions; the opponent's decisions are part of its steps."""
    import gymnasium

    env = gymnasium.make("ChannelTunnel-v1", ruleset=ruleset, opponent="random")
    seeds = iter(range(10**9))

    def work() -> int:
        _, info = env.reset(seed=next(seeds))
        done, over = 0, False
        while not over:
            ids = np.flatnonzero(info["action_mask"])
            _, _, terminated, truncated, info = env.step(int(ids[done * 7919 % len(ids)]))
            over, done = terminated or truncated, done + 1
        return done

    return work


MEASUREMENTS: dict[str, Callable[[str], Work]] = {
    f"random play in the engine, state only (batch {BATCH})": batch_of(False, False),
    "the same with masks": batch_of(True, False),
    "the same with masks and observations": batch_of(True, True),
    f"BatchGame.step from Python, checked (batch {BATCH})": _step,
    "Game.play": _play,
    "Game.clone": _clone,
    "PettingZoo, raw_env": pettingzoo(False),
    "PettingZoo, env (wrapped)": pettingzoo(True),
    "Gymnasium, learner's steps against random": _gymnasium,
}
