"""`warm-up`: compile what playing needs, so that the first game begins at once."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Literal

import numpy as np

from channel_tunnel_agents.base import choose_actions
from channel_tunnel_agents.cluster.parallel import available_workers, spread
from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.players.scripted import TREES, names_in
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env.batch import BatchGame
from channel_tunnel_env.cli.taking import RulesetsFirst
from channel_tunnel_env.core.encoding import FLOAT
from channel_tunnel_env.core.kernel_cache import cache_folder
from channel_tunnel_env.envs.opponents import random_legal
from channel_tunnel_env.game import game_class
from channel_tunnel_env.games import game_names
from channel_tunnel_env.rulesets.ruleset import Ruleset, builtin_rulesets, load_ruleset

SEED = 1
PLIES = 40  # of a batch in which games end and restart
MANY = "many games at once"
Part = Callable[[Ruleset], Iterator[Any]]


def warm_up(
    ruleset: RulesetsFirst = (), workers: int | None = None, observation_dtype: tuple[Literal["uint8"], ...] = ()
) -> int:
    """Compile the rules and the players for this machine, in parallel; for containers and classes.

    The compiled code is kept, so a second run takes seconds, and later games begin at once.

    For example:
        channel-tunnel warm-up standard

    Args:
        ruleset: names or YAML files; their games are compiled. Default: every game.
        workers: processes. Default: every core.
        observation_dtype: what many games at once are observed in, besides float32.
    """
    if workers is not None and workers < 1:
        raise ValueError(f"workers {workers}: 1 or more are needed")
    folder = cache_folder()
    if folder is None:
        raise ValueError("there is no folder to keep compiled code in")
    # A built-in ruleset of each game: those of a game share its code.
    rules = [load_ruleset(name) for name in ruleset or (builtin_rulesets(game)[0] for game in game_names())]
    cores = workers or available_workers()
    parts = PARTS | {f"{MANY}, {dtype}": partial(_step, dtype=dtype) for dtype in observation_dtype}
    tasks = [(part, each) for part in parts for each in rules]
    print(f"{len(tasks)} parts, {cores} at a time; compiled code goes to {folder}")
    begun = time.monotonic()
    for (part, each), seconds in spread(partial(_compile, parts), tasks, cores):
        print(f"{each.spec.name}: {part}, {seconds:.0f} s", flush=True)
    print(f"Ready after {time.monotonic() - begun:.0f} s.")
    return 0


def _compile(parts: Mapping[str, Part], task: tuple[str, Ruleset]) -> float:
    """Do one part; returns its seconds."""
    part, ruleset = task
    begun = time.monotonic()
    for _ in parts[part](ruleset):
        pass
    return time.monotonic() - begun


def _play(ruleset: Ruleset) -> Iterator[Any]:
    """One game: a decision, and everything that is asked of it."""
    game = game_class(ruleset.spec)(ruleset, SEED)
    game.play(game.legal_ids()[0])
    yield game.observation()
    yield game.scores()
    yield game.clone()
    illegal = set(range(ruleset.spec.actions.count)) - set(game.legal_ids())
    yield game.explain(min(illegal))


def _record(ruleset: Ruleset) -> Iterator[Any]:
    """One game: its record, and its hidden cards dealt again."""
    game = game_class(ruleset.spec)(ruleset, SEED)
    game.play(game.legal_ids()[0])
    yield game.record()
    yield game.determinize(game.mover, SEED)


def _step(ruleset: Ruleset, dtype: str = FLOAT) -> Iterator[Any]:
    batch = BatchGame(2, ruleset, SEED, autoreset=True, observation_dtype=dtype)
    rng = np.random.default_rng(SEED)
    for _ in range(PLIES):
        yield batch.observations
        batch.step(random_legal(batch.masks, rng))


def _scripted(ruleset: Ruleset) -> Iterator[Any]:
    """A decision of each scripted player and of the tree search."""
    yield from _decide(ruleset, (*names_in(ruleset.spec.name), "ismcts:8"))


def _trained(ruleset: Ruleset) -> Iterator[Any]:
    """A decision of each trained player, and of the weakest with each search; nothing without their library."""
    if importlib.util.find_spec("onnxruntime") is None:
        return
    shipped = agents_of(ruleset.spec.name).shipped
    weakest = shipped[:1] if ruleset.spec.name in TREES else ()
    searches = (f"frozen:{name}-{way}@1ms" for name in weakest for way in ("search", "puct"))
    yield from _decide(ruleset, (*(f"frozen:{name}" for name in shipped), *searches))


def _decide(ruleset: Ruleset, names: tuple[str, ...]) -> Iterator[Any]:
    batch = BatchGame(1, ruleset, SEED)
    for name in names:
        yield choose_actions(make_agent(name, ruleset), batch, np.zeros(1, np.intp))


PARTS: dict[str, Part] = {
    "games": _play,
    MANY: _step,
    "scripted players and tree search": _scripted,
    "records and worlds": _record,
    "trained players": _trained,
}
"""What is compiled of each game, the longest first."""
