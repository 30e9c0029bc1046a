"""Speeds of everything: one JSON line a figure, medians; the first line names the machine and the versions.

    python benchmarks/speed.py                      # the games: the first table of docs/explanation/speed.md
    python benchmarks/speed.py start training       # other sections, as listed by --help
    python benchmarks/speed.py games --rulesets eurotunnel --seconds 0.1

Rates are of the processor's time of one core, and works of one section take turns, so that what else runs slows all of them
alike. Threads, processes and starts are timed by the clock; they say something on idle cores only. Peers are
optional: pip install 'pettingzoo[classic]' rlcard open_spiel.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import importlib
import importlib.metadata
import json
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro

from channel_tunnel_env import BatchGame
from channel_tunnel_env.cli.bench import BATCH, MEASUREMENTS, Work, batch_of, medians, pettingzoo
from channel_tunnel_env.core.encoding import DTYPES
from channel_tunnel_env.envs.opponents import random_legal

REPEATS = 7
BIG = 2**27  # bytes, more than any cache holds
GAMES = 2048  # that threads share
PACKAGES = "channel-tunnel-env numpy numba pettingzoo gymnasium stable-baselines3 torch onnxruntime rlcard open-spiel"
Figures = Iterator[tuple[str, float, str]]
"""Name, value, unit."""


@dataclass(frozen=True)
class Arguments:
    """What to measure."""

    sections: tyro.conf.Positional[tuple[str, ...]] = ("games", "threads")
    """games, threads, start, peers, judges, training, tournament."""
    rulesets: tuple[str, ...] = ("standard", "carcassonne", "eurotunnel")
    """Of games, start and threads: names or YAML files."""
    seconds: Annotated[float, tyro.conf.arg(help="of each of the seven repeats")] = 0.4
    preset: str = "demo"
    """Of training: its network, batch and rivals."""
    rivals: bool = False
    """Of training: keep the preset's rivals, whose time is neither the learner's nor the game's."""
    agents: tuple[str, ...] = ("club", "adept")
    """Of judges: shipped policies, of every game that has them."""


def rates(works: dict[str, Work], asked: Arguments) -> dict[str, float]:
    """Units per second of the processor's time."""
    return medians(works, asked.seconds, REPEATS, time.process_time)


# --- the games, and what stands around them ---------------------------------------------------------


def filling(size: int) -> Work:
    """Fills an array of `size` bytes with zeros; returns how many."""
    array = np.empty(size, np.uint8)

    def work() -> int:
        array.fill(0)
        return size

    return work


def games(asked: Arguments) -> Figures:
    """Random play in the kernels and from Python, beside how quickly the memory is filled."""
    for ruleset in asked.rulesets:
        batch = BatchGame(BATCH, ruleset, seed=0)
        works = {name: make(ruleset) for name, make in MEASUREMENTS.items()}
        held = {f"the same, held as {d}": batch_of(True, True, d)(ruleset) for d in DTYPES[1:]}
        found = rates(works | held | {"memory": filling(BIG)}, asked)
        memory = found.pop("memory")
        yield f"{ruleset}: filling memory", memory / 1e9, "GB/s"
        row = (batch.masks.nbytes + batch.observations.nbytes) // BATCH
        yield f"{ruleset}: a row of mask and observation", row, "bytes"
        for name, rate in found.items():
            yield f"{ruleset}: {name}", rate, "per second"


def threads(asked: Arguments) -> Figures:
    """Steps of two threads over steps of one, by the clock; actions were chosen before."""

    def stepping(ruleset: str, count: int) -> Work:
        batch = BatchGame(GAMES, ruleset, 0, autoreset=True, num_threads=count)
        rng, saved, actions = np.random.default_rng(0), batch.records.copy(), []
        for _ in range(20):
            actions.append(random_legal(batch.masks, rng))
            batch.step_unchecked(actions[-1])

        def work() -> int:
            batch.records[:] = saved
            for chosen in actions:
                batch.step_unchecked(chosen)
            return batch.num_games * len(actions)

        return work

    for ruleset in asked.rulesets:
        works = {f"{count}": stepping(ruleset, count) for count in (1, 2)}
        found = medians(works, asked.seconds, REPEATS)
        yield f"{ruleset}: two threads over one", found["2"] / found["1"], "ratio"


def start(asked: Arguments) -> Figures:
    """Processor seconds of a fresh process to import and make one step: compiled before, and the very first time."""
    code = "import time, channel_tunnel_env as c; g = c.Game({!r}, seed=1); g.play(g.legal_ids()[0]); print(time.process_time())"
    for ruleset in asked.rulesets:
        for name, repeats in (("the very first", 1), ("later", 3)):
            with tempfile.TemporaryDirectory() as folder:
                cold = {"NUMBA_CACHE_DIR": folder} if repeats == 1 else {}
                words = [sys.executable, "-c", code.format(ruleset)]
                spent = [float(subprocess.check_output(words, env=os.environ | cold)) for _ in range(repeats)]
            yield f"{ruleset}: import and first step, {name}", statistics.median(spent), "s"


def peers(asked: Arguments) -> Figures:
    """Other libraries' games doing the same work, where installed, and ours through a like interface."""

    def random_play(new: Callable[[], Any], step: Callable[[Any], Any]) -> Work:
        def work() -> int:
            state, done = new(), 0
            while (state := step(state)) is not None:
                done += 1
            return done

        return work

    def aec(make: Any) -> Work:
        env, rng = make(), random.Random(0)

        def work() -> int:
            env.reset(seed=1)
            done = 0
            for _ in env.agent_iter():
                seen, _, terminated, truncated, info = env.last()
                mask = seen["action_mask"] if isinstance(seen, dict) else info["action_mask"]
                over = terminated or truncated
                env.step(None if over else rng.choice(np.flatnonzero(mask).tolist()))
                done += not over
            return done

        return work

    works: dict[str, Work] = {}
    for module in ("connect_four_v3", "chess_v6"):
        try:
            found = importlib.import_module(f"pettingzoo.classic.{module}")
            works[f"PettingZoo {module}"] = aec(found.env)
        except ImportError:
            continue
    rng = np.random.default_rng(0)
    if importlib.util.find_spec("rlcard"):
        env = importlib.import_module("rlcard").make("gin-rummy")

        def rlcard_step(state: Any) -> Any:
            chosen = list(state["legal_actions"])[int(rng.random() * len(state["legal_actions"]))]
            state, _ = env.step(chosen)
            return None if env.is_over() else state

        works["RLCard gin-rummy"] = random_play(lambda: env.reset()[0], rlcard_step)
    if importlib.util.find_spec("pyspiel"):
        spiel = importlib.import_module("pyspiel")
        for name in ("backgammon", "gin_rummy", "hanabi"):
            game = spiel.load_game(name)
            whole = game.get_type().provides_observation_tensor
            seen = "observation_tensor" if whole else "information_state_tensor"
            works[f"OpenSpiel {name}"] = random_play(game.new_initial_state, partial(spiel_step, seen=seen, rng=rng))
    ours = {f"1987: PettingZoo {n}": pettingzoo(n == "env")("standard") for n in ("raw_env", "env")}
    for name, rate in rates(works | ours, asked).items():
        yield name, rate, "decisions/s"


def spiel_step(state: Any, seen: str, rng: np.random.Generator) -> Any:
    """One decision with mask and tensor; None at the end."""
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(outcomes[rng.choice(len(outcomes), p=weights)])
    if state.is_terminal():
        return None
    state.legal_actions_mask()
    getattr(state, seen)(state.current_player())
    legal = state.legal_actions()
    state.apply_action(legal[int(rng.random() * len(legal))])
    return state


# --- agents and training ----------------------------------------------------------------------------


def midgame(ruleset: str, rows: int, decisions: int = 30) -> BatchGame:
    """Games after some random decisions."""
    batch, rng = BatchGame(rows, ruleset, seed=1, autoreset=True), np.random.default_rng(1)
    for _ in range(decisions):
        batch.step(random_legal(batch.masks, rng))
    return batch


def judges(asked: Arguments) -> Figures:
    """A pass of shipped networks by ONNX Runtime and by torch, and whole decisions of the searches of 1987."""
    from channel_tunnel_agents.games import AGENT_SPECS
    from channel_tunnel_agents.games.tunnel_1987.tree import PuctAgent
    from channel_tunnel_agents.players.policy.agent import PolicyAgent
    from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
    from channel_tunnel_agents.players.shipped import folder_of
    from channel_tunnel_agents.search.policy_search import PolicySearchAgent

    ways = {"ONNX Runtime": PolicyAgent, "torch": TorchAgent}
    for game, spec in AGENT_SPECS.items():
        for name in set(spec.shipped) & set(asked.agents):
            pair = {way: kind.load(folder_of(name, game)) for way, kind in ways.items()}
            for rows in (1, 4, 16, 64, 256, 1024):
                ruleset = "standard" if game == "tunnel_1987" else game
                seen = midgame(ruleset, rows).observations.copy()
                works = {way: once(partial(agent.judge, seen)) for way, agent in pair.items()}
                for way, rate in rates(works, replace(asked, seconds=0.05)).items():
                    yield f"{game}, {name}, {rows} rows: {way}", 1e6 / rate, "us"
    batch, row = midgame("standard", 1), np.zeros(1, np.intp)
    for label, search_kind in {"rollouts": PolicySearchAgent, "tree": PuctAgent}.items():
        agents = {way: search_kind(kind.load(folder_of("master"))) for way, kind in ways.items()}
        works = {way: once(partial(agent.search, batch, row)) for way, agent in agents.items()}
        for way, rate in rates(works, replace(asked, seconds=0.05)).items():
            yield f"a decision of master by {label}: {way}", 1000 / rate, "ms"


def once(call: Callable[[], object]) -> Work:
    """A call as a work of one."""

    def work() -> int:
        call()
        return 1

    return work


def training(asked: Arguments) -> Figures:
    """A training run against the bare passes of its network, update by update: no game, no sampling, no credit, no copies."""
    import torch

    from channel_tunnel_agents.learning.config import NEVER, load_config
    from channel_tunnel_agents.learning.training import TrainingRun
    from channel_tunnel_agents.players.policy.network import side_flags

    changes: dict[str, Any] = {"threads": 1, "imitate": None, "start_from": None, "max_minutes": None, "evaluate_every": NEVER, "checkpoint_every": NEVER, "pool_slots": 0}  # fmt: skip
    changes |= {} if asked.rivals else {"rivals": (), "rival_share": 0.0}
    config = load_config(asked.preset).model_copy(update=changes)
    with tempfile.TemporaryDirectory() as folder:
        run = TrainingRun(config.model_copy(update={"run": str(Path(folder) / "run")}))
        policy, rows = run.model.policy, config.num_games * config.steps
        seen = torch.from_numpy(run.env.batch.observations.copy()).to(policy.device)
        side = side_flags(seen, policy.form)[:, 0]
        chosen = torch.arange(config.batch_size, device=policy.device) % len(seen)
        chosen = chosen[side[chosen].argsort(stable=True)]  # as the run's minibatches
        masks = torch.from_numpy(run.env.action_masks()).to(policy.device)[chosen]
        actions = masks.int().argmax(dim=1)

        def bare() -> int:
            with torch.no_grad():
                for _ in range(config.steps):
                    features = policy.features_extractor.features(seen)
                    policy.action_net(features, side)
                    policy.value_net(features, side)
            for _ in range(config.epochs * rows // config.batch_size):
                values, log_probs, entropy = policy.evaluate_actions(seen[chosen], actions, masks)
                ratio = (log_probs - log_probs.detach()).exp()
                kept = torch.min(ratio, ratio.clamp(1 - config.clip, 1 + config.clip)).mean()
                loss = (values.flatten() - 1).square().mean() / 2 - kept - entropy.mean() / 1000
                policy.optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(policy.parameters(), config.max_gradient)
                policy.optimizer.step()
            return rows

        spent = {"games": 0.0, "acting": 0.0, "updates": 0.0}
        for part, owner, name in (("games", run.env, "step_wait"), ("acting", policy, "forward"), ("updates", run.model, "train")):  # fmt: skip
            setattr(owner, name, timed(getattr(owner, name), spent, part))

        def whole() -> int:
            run.model.learn(rows)
            return rows

        whole(), bare()
        spent.update(dict.fromkeys(spent, 0.0))
        found: dict[str, list[float]] = {"run": [], "bare passes": []}
        for _ in range(REPEATS):
            for name, work in (("run", whole), ("bare passes", bare)):
                begun = time.process_time()
                work()
                found[name].append(time.process_time() - begun)
    total = sum(found["run"])
    for name, each in found.items():
        yield f"{asked.preset}: {name}", rows / statistics.median(each), "decisions/s"
    yield f"{asked.preset}: bare passes over the run", sum(found["bare passes"]) / total, "ratio"
    for part, each in spent.items():
        yield f"{asked.preset}: {part} of the run", each / total, "ratio"


def timed(call: Callable[..., Any], spent: dict[str, float], part: str) -> Callable[..., Any]:
    """A method whose processor seconds are added to `spent`."""

    def noted(*args: Any, **kwargs: Any) -> Any:
        begun = time.process_time()
        try:
            return call(*args, **kwargs)
        finally:
            spent[part] += time.process_time() - begun

    return noted


def tournament(asked: Arguments) -> Figures:
    """Games of scripted players on every core, and what two policies cost beside the bare passes of their networks."""
    from channel_tunnel_agents.matches.tournament import TablePart, Tournament, play_part, play_tournament  # fmt: skip
    from channel_tunnel_agents.players.policy.agent import PolicyAgent

    whole = Tournament(("random", "heuristic"), 20_000)
    begun = time.perf_counter()
    play_tournament(whole)
    yield "random and heuristic, every core", whole.total_games / (time.perf_counter() - begun), "games/s"  # fmt: skip
    part = TablePart(Tournament(("club", "master"), 1024), (0, 1), 0, 1024)
    spent, judge = {"passes": 0.0}, PolicyAgent.judge
    PolicyAgent.judge = timed(judge, spent, "passes")  # type: ignore[method-assign]
    try:
        play_part(part)  # warms up
        spent["passes"], begun = 0.0, time.process_time()
        play_part(part)
        total = time.process_time() - begun
    finally:
        PolicyAgent.judge = judge  # type: ignore[method-assign]
    yield "club and master: passes of the networks", spent["passes"] / total, "ratio"


SECTIONS: dict[str, Callable[[Arguments], Figures]] = {
    each.__name__: each for each in (games, threads, start, peers, judges, training, tournament)
}


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    versions = {}
    for package in PACKAGES.split():
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    cpu = next((x.split(": ")[1] for x in lines if x.startswith("model name")), "unknown")
    return {"python": platform.python_version(), "cpu": cpu, "cores": os.cpu_count(), **versions}


def main() -> None:
    """One JSON line a figure."""
    asked = tyro.cli(Arguments, description=__doc__)
    if unknown := set(asked.sections) - set(SECTIONS):
        sys.exit(f"{', '.join(unknown)}: known: {', '.join(SECTIONS)}")
    print(json.dumps({"machine": machine()}))
    for section in asked.sections:
        for name, value, unit in SECTIONS[section](asked):
            line = {"section": section, "figure": name, "value": float(f"{value:.4g}"), "unit": unit}  # fmt: skip
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
