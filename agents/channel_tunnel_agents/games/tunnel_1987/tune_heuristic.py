"""Tune the scripted player's weights against a pool of rivals.

    python -m channel_tunnel_agents.games.tunnel_1987.tune_heuristic --trials 40 --rounds 2 --out runs/tune

Some fifty weights are too many to search at once with noisy results, so a round goes through them
in blocks of neighbours: optuna searches each block with the others fixed. A trial is the mean win
rate over rivals and seats on deals that the trials of a block share; the leading trials and the
weights so far are then compared on separate deals, so that luck on the shared ones does not
choose the winner. After each round its best weights join the pool.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

import numpy as np
import optuna
import tyro
import yaml

from channel_tunnel_agents.base import Agent, AgentError
from channel_tunnel_agents.games.tunnel_1987.players import HeuristicAgent
from channel_tunnel_agents.games.tunnel_1987.players.weights import HEURISTIC, Weights
from channel_tunnel_agents.matches.arena import play_pair
from channel_tunnel_agents.registry import make_plain_agent
from channel_tunnel_env.outside.documents import quote, read_yaml
from channel_tunnel_env.outside.terminal import percent, tolerate_any_terminal

LEAST_SPREAD = 0.3  # how far a weight near 0 may move, times the spread
TUNING_DEALS = 1_000_000  # first seed of the deals, away from those of evaluations
STUDIES = "studies.db"
FIXED = ("finish",)  # sets the scale, not a preference


@dataclass
class Options:
    """How to tune."""

    trials: int = 40
    """Weights tried for each block."""
    rounds: int = 2
    """Passes over all blocks."""
    block: int = 8
    """Weights searched together."""
    deals: int = 400
    """Deals of each trial against each rival in each seat."""
    finalists: int = 4
    """Leading trials compared on three times as many fresh deals."""
    spread: float = 0.7
    """How far a weight may move from its current value, as a share of it; halved every round."""
    rivals: tuple[str, ...] = ("random", "heuristic", "racer", "engineer", "politician")
    """The pool: agent names, as for evaluate.py."""
    seed: int = 0
    out: Path = Path("runs/tune")
    """New folder for the studies and the best weights."""
    start: Path | None = None
    """A best.yaml to start from; default: the weights in use."""


@dataclass(frozen=True)
class BlockSearch:
    """One block's search."""

    name: str
    seed: int  # of its deals; the next seed is that of the finalists' deals
    spread: float


def win_rate(weights: Weights, pool: list[Agent], deals: int, seed: int) -> float:
    """Mean share of wins over the pool and both seats."""
    shares = []
    for rival in pool:
        home, away = play_pair(HeuristicAgent(0, weights), rival, deals, seed)
        shares += [home.wins("britain") / deals, away.wins("france") / deals]
    return float(np.mean(shares))


def suggest(trial: optuna.Trial, now: Weights, block: list[str], spread: float) -> Weights:
    """Weights that differ from the current ones in one block."""
    found = {}
    for name in block:
        value = getattr(now, name)
        reach = spread * max(abs(value), LEAST_SPREAD)
        found[name] = trial.suggest_float(name, value - reach, value + reach)
    return replace(now, **found)


def search(now: Weights, block: list[str], pool: list[Agent], options: Options, step: BlockSearch) -> Weights:
    """The block's best finalist on fresh deals; the current weights are one of the finalists."""
    study = optuna.create_study(
        direction="maximize",
        sampler=optuna.samplers.TPESampler(seed=step.seed, multivariate=True),
        storage=f"sqlite:///{options.out / STUDIES}",
        study_name=step.name,
    )
    study.enqueue_trial({name: getattr(now, name) for name in block})
    study.optimize(
        lambda trial: win_rate(suggest(trial, now, block, step.spread), pool, options.deals, step.seed),
        n_trials=options.trials,
    )
    leading = sorted(study.trials, key=lambda trial: -(trial.value or 0))[: options.finalists]
    finalists = [now, *(replace(now, **trial.params) for trial in leading)]
    rates = [win_rate(weights, pool, 3 * options.deals, step.seed + 1) for weights in finalists]
    best = int(np.argmax(rates))
    print(f"{step.name} ({block[0]} ...): {percent(rates[0])} -> {percent(rates[best])}", flush=True)
    return finalists[best]


def blocks(size: int) -> list[list[str]]:
    """The weights to tune, in runs of neighbours."""
    names = [field.name for field in fields(Weights) if field.name not in FIXED]
    return [names[start : start + size] for start in range(0, len(names), size)]


def read_weights(path: Path) -> Weights:
    """Weights from a file that a tuning wrote; those it does not name stay as they are.

    Raises:
        AgentError: an unknown weight, or one that is not a number; the message says where.
        DocumentError, OSError: the file cannot be read.
    """
    document = read_yaml(path)
    content = document.mapping("a file of weights")
    known = [field.name for field in fields(Weights)]
    for name, value in content.items():
        where = f"{path}: {document.place([name])}: {quote(name)}"
        if name not in known:
            raise AgentError(f"{where}: no such weight")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise AgentError(f"{where}: {quote(value)}: allowed: a number")
    return Weights(**content)


def main(options: Options) -> Weights:
    """Tune; write `studies.db` and, after every block, `best.yaml`.

    Raises:
        FileExistsError: the folder already holds studies.
    """
    studies = options.out / STUDIES
    if studies.exists():
        raise FileExistsError(f"{studies}: from an earlier run; give another --out")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    options.out.mkdir(parents=True, exist_ok=True)
    best = HEURISTIC
    if options.start:
        best = read_weights(options.start)
    pool: list[Agent] = [make_plain_agent(name) for name in options.rivals]
    for number in range(options.rounds):
        for i, block in enumerate(blocks(options.block)):
            seed = TUNING_DEALS + 1000 * options.seed + 2 * (100 * number + i)
            step = BlockSearch(f"round {number} block {i}", seed, options.spread / 2**number)
            best = search(best, block, pool, options, step)
            (options.out / "best.yaml").write_text(yaml.safe_dump(asdict(best), sort_keys=False))
        pool.append(HeuristicAgent(1, best, f"round {number}"))
    for field in fields(best):
        print(f"{field.name}: {getattr(best, field.name):.3g}")
    return best


if __name__ == "__main__":
    tolerate_any_terminal()
    main(tyro.cli(Options))
