"""Speeds of everything: one JSON line a figure, medians; the first line names the machine and the versions.

    python benchmarks/speed.py                      # the games and their adapters: every figure of the README
    python benchmarks/speed.py board training       # other sections, as listed by --help
    python benchmarks/speed.py games --rulesets eurotunnel --seconds 0.1

Rates are of the processor's time of one core, and works of one section take turns, so that what else runs slows all of them
alike. Threads, processes, servers and starts are timed by the clock; they say something on idle cores only. Peers are
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
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro

from channel_tunnel_env import BatchGame, Game, load_ruleset
from channel_tunnel_env.cli.bench import BATCH, MEASUREMENTS, Work, batch_of, medians, pettingzoo
from channel_tunnel_env.core.encoding import DTYPES
from channel_tunnel_env.envs.opponents import random_legal

REPEATS = 7
BIG = 2**27  # bytes, more than any cache holds
GAMES = 1024  # of batches that Python steps
PACKAGES = "channel-tunnel-env numpy numba pettingzoo gymnasium stable-baselines3 torch onnxruntime rlcard open-spiel"
Figures = Iterator[tuple[str, float, str]]
"""Name, value, unit."""


@dataclass(frozen=True)
class Arguments:
    """What to measure."""

    sections: tyro.conf.Positional[tuple[str, ...]] = ("games", "adapters")
    """games, adapters, start, threads, peers, eurotunnel, search, judges, training, tournament, board, ray."""
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
        batch = BatchGame(2 * GAMES, ruleset, 0, autoreset=True, num_threads=count)
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


def adapters(asked: Arguments) -> Figures:
    """Vector environments of Stable-Baselines3 with masks, and copies of games in a batch."""
    from channel_tunnel_env.envs import sb3

    def stepping(env: Any) -> Work:
        rng = np.random.default_rng(0)
        env.reset()

        def work() -> int:
            env.step(random_legal(np.stack(env.env_method("action_masks")), rng))
            return GAMES

        return work

    batch = BatchGame(4 * GAMES, seed=1, observe=False)
    ours = batch.records.view(np.uint8)
    saved = ours.copy()

    def copying() -> int:
        np.copyto(saved, ours)
        return batch.num_games

    works = {
        f"SelfPlayVecEnv, {GAMES} games, rows": stepping(sb3.SelfPlayVecEnv(GAMES, seed=1, credit="zero_sum")),
        f"SeatVecEnv, {GAMES} games, rows": stepping(sb3.SeatVecEnv(GAMES, seed=1)),
        "copies of games in a batch": copying,
    }
    for name, rate in rates(works, asked).items():
        yield name, rate, "per second"


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


def eurotunnel(asked: Arguments) -> Figures:
    """Movement phases adjudicated on random boards, and how long random games are, by switches of the rules."""
    from scattered import scatter_game

    from channel_tunnel_env.games.eurotunnel.engine import constants as c
    from channel_tunnel_env.games.eurotunnel.engine import kernels
    from channel_tunnel_env.games.eurotunnel.engine.state import new_states, new_workspaces

    phases = 20_000
    # Uniform play changes permissions again and again; without them a game is units and winters.
    for switches in ({}, {"rulebook": "datc"}, {"permissions": False}, {"tunnels": False}):
        ruleset = load_ruleset({"base": "eurotunnel", **switches})
        tables = ruleset.spec.rules.make_tables([ruleset])
        rows, blank, work = new_states(phases), new_states(1), new_workspaces(1)
        source = np.array([1], np.uint64)
        for i in range(phases):
            scatter_game(rows, i, tables, source, blank, work)

        def adjudicating(rows: Any = rows, tables: Any = tables, work: Any = work) -> int:
            kernels.adjudicate_rows(rows.copy(), tables, work)
            return phases

        name = ", ".join(f"{key} {value}" for key, value in switches.items()) or "standard"
        yield (f"{name}: units a board", float((rows["unit_power"] >= 0).sum()) / phases, "units")
        batch, rng, decisions, legal = BatchGame(BATCH, ruleset, 0, observe=False), np.random.default_rng(0), 0, 0  # fmt: skip
        while (going := batch.states.end_cause == c.PLAYING).any():
            actions = np.full(BATCH, -1, np.int64)
            actions[going] = random_legal(batch.masks[going], rng)
            decisions += int(going.sum())
            legal += int(batch.masks[going].sum())
            batch.step_unchecked(actions)
        yield f"{name}: decisions of a random game", decisions / BATCH, "decisions"
        yield f"{name}: legal ids of a decision", legal / decisions, "ids"
        works = {"movement phases": adjudicating}
        for what, (mask, observe) in {"state only": (False, False), "with masks": (True, False), "with masks and observations": (True, True)}.items():  # fmt: skip
            works[what] = batch_of(mask, observe)(ruleset)
        for what, rate in rates(works, asked).items():
            yield f"{name}: {what}", rate, "per second"


# --- agents and training ----------------------------------------------------------------------------


def midgame(ruleset: str, rows: int, decisions: int = 30) -> BatchGame:
    """Games after some random decisions."""
    batch, rng = BatchGame(rows, ruleset, seed=1, autoreset=True), np.random.default_rng(1)
    for _ in range(decisions):
        batch.step(random_legal(batch.masks, rng))
    return batch


def search(asked: Arguments) -> Figures:
    """Tree search without a network: its simulations over playouts without a tree, and the time of a decision."""
    from channel_tunnel_agents import IsmctsAgent
    from channel_tunnel_agents.search.ismcts import EXPLORATION, SearchTree

    iterations, batch = 10_000, midgame("standard", 8)
    tree = SearchTree(iterations, batch.machine)
    plies: dict[str, int] = {"tree": 0, "playouts": 0}
    seconds = dict.fromkeys(plies, 0.0)
    tree.plant(0)
    for grow in (lambda row: tree.grow(batch, row, 10, EXPLORATION), lambda row: tree.roll_out_only(batch, row, 10)):  # fmt: skip
        grow(0)  # compiles
    for row in range(batch.num_games):
        for name in plies:
            tree.plant(row)
            begun = time.process_time()
            if name == "tree":
                tree.grow(batch, row, iterations, EXPLORATION)
            else:
                tree.roll_out_only(batch, row, iterations)
            seconds[name] += time.process_time() - begun
            plies[name] += tree.plies
    speeds = {name: plies[name] / seconds[name] for name in plies}
    yield "plies of a tree search over those of playouts", speeds["tree"] / speeds["playouts"], "ratio"  # fmt: skip
    for budget in (100, 1000, 10_000):
        agent, spent = IsmctsAgent(budget), []
        for row in range(batch.num_games):
            begun = time.process_time()
            agent.search(batch, np.array([row]))
            spent.append(1000 * (time.process_time() - begun))
        yield f"a decision of {budget} simulations", statistics.median(spent), "ms"


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


def ray(asked: Arguments) -> Figures:
    """Random games of a tournament on one Ray worker and on two, once both are up."""
    from channel_tunnel_agents.cluster.parallel import spread_on
    from channel_tunnel_agents.cluster.ray_parallel import LOCAL, ray_cluster
    from channel_tunnel_agents.matches.tournament import PART, Tournament, play_tournament

    whole, speeds = Tournament(("random",), 100_000, mirror=True), {}
    for workers in (1, 2):
        with ray_cluster(LOCAL, workers=workers) as cluster, spread_on(cluster):
            play_tournament(Tournament(("random",), PART * workers * 4, seed=1, mirror=True))
            begun = time.perf_counter()
            play_tournament(whole)
            speeds[workers] = whole.deals / (time.perf_counter() - begun)
        yield f"{workers} Ray worker(s), random games", speeds[workers], "games/s"
    yield "two workers over one", speeds[2] / speeds[1], "ratio"


# --- the board and the table ------------------------------------------------------------------------


def board(asked: Arguments) -> Figures:
    """Pictures of 1987's board, and a move at the table over HTTP: of a person, of a scripted and of a trained player."""
    from channel_tunnel_env.faces.registry import pictures_of

    games_, rng = [], random.Random(0)
    for seed in range(20):
        game = Game("standard", seed)
        for _ in range(rng.randrange(5, 100)):
            game.play(rng.choice(game.legal_ids()))
        games_.append(game)
    pixels = pictures_of(games_[0].spec).to_rgb
    begun = time.process_time()
    pixels(games_[0])
    yield "1200 pixels as an array, the first", 1000 * (time.process_time() - begun), "ms"
    film = Game("standard", 7)

    def frame() -> int:
        if film.is_over:
            film.reset(7)
        film.play(rng.choice(film.legal_ids()))
        pixels(film)
        return 1

    shown = iter(range(10**9))
    works: dict[str, Work] = {"1200 pixels as an array, next frame of a game": frame}
    works["SVG"] = once(lambda: games_[next(shown) % 20].to_svg())
    for name, rate in rates(works, asked).items():
        yield name, 1000 / rate, "ms"
    with table() as address:
        for who in ("person", "heuristic", "master"):
            spent = moves_over_http(address, who, 40)
            yield f"a move at the table over HTTP: {who}", 1000 * statistics.median(spent), "ms"


@contextmanager
def table() -> Iterator[str]:
    """A table on a free port; its address."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "channel_tunnel_env", "table", "--port", "0", "--folder", folder]  # fmt: skip
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            yield next(word for line in process.stdout for word in line.split() if word.startswith("http"))  # fmt: skip
        finally:
            process.terminate()
            process.wait()


def moves_over_http(address: str, who: str, moves: int) -> list[float]:
    """Seconds of the moves of a game in which `who` holds both seats, after one that loads what is needed."""
    import httpx

    spent = []
    with httpx.Client(base_url=address, timeout=300) as client:
        asked = {"seed": 8, "seats": dict.fromkeys(("britain", "france"), who)}
        made = client.post("/api/games", json=asked).json()
        path = f"/api/games/{made['key']}"
        headers = {"Table-Seats": ",".join(made["tokens"].values())}
        seen = client.get(path, headers=headers).json()
        for i in range(moves + 1):
            move = {"version": seen["version"]}
            if who == "person":
                move |= {"action": seen["moves"][i % len(seen["moves"])]["action"]}
            begun = time.perf_counter()
            way = "play" if who == "person" else "step"
            answer = client.post(f"{path}/{way}", json=move, headers=headers)
            spent.append(time.perf_counter() - begun)
            seen = answer.raise_for_status().json()
            if seen["over"]:
                break
    return spent[1:]


SECTIONS: dict[str, Callable[[Arguments], Figures]] = {each.__name__: each for each in (games, adapters, start, threads, peers, eurotunnel, search, judges, training, tournament, board, ray)}  # fmt: skip


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
