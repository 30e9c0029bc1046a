"""Positions of a policy's own games, and what searches say of every move worth a look.

    python benchmarks/search_positions.py runs/positions      # 25 files of 20,000; a stopped run goes on with the next

Two short searches look at every position; the tenth in which they find most to gain gets two longer ones. The first
files judge, the others teach: `regret_lessons.py` and `value_after.py` say what.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from search_gain import GAMES, WARM_UP, Arrays, looked_at, search_gain, share_of, twice

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.search.policy_search import PolicySearchAgent, SearchSettings
from channel_tunnel_agents.search.worlds import NO_MOVE, Worlds
from channel_tunnel_env import BatchGame
from channel_tunnel_env.core import kernels
from channel_tunnel_env.core.records import new_records

JUDGES = 2  # files whose positions judge and teach nothing
TEMPERATURE = SearchSettings().temperature


@dataclass(frozen=True)
class Collect:
    """Play, search, write."""

    folder: tyro.conf.Positional[Path]
    """Gets the files."""
    policy: str = "master"
    """Plays, and is searched."""
    files: int = 25
    """How many."""
    positions: int = 20_000
    """Of a file, with more than one move to look at."""
    share: float = 0.2
    """Share of the decisions that are searched."""
    screen: SearchSettings = field(default_factory=lambda: SearchSettings(worlds=5))
    """Each of the two searches of every position ..."""
    deep: SearchSettings = field(default_factory=lambda: SearchSettings(worlds=8))
    """... and of those in which most is to be gained."""
    kept: float = 0.1
    """Share of the latter; 0: none."""
    seed: int = 71
    """Of the first file; the others follow."""
    worker: int = 0
    """Of several commands that share the work, on a core each: which one this is."""
    workers: int = 1
    """How many there are."""


def file_of(folder: Path, number: int) -> Path:
    return folder / f"positions-{number:03d}.npz"


def collect(asked: Collect) -> None:
    """Write the files that are not there yet; see `Collect`."""
    torch.set_num_threads(1)
    asked.folder.mkdir(parents=True, exist_ok=True)
    for number in range(asked.worker, asked.files, asked.workers):
        file = file_of(asked.folder, number)
        if file.exists():
            continue
        begun = time.monotonic()
        found = positions_of(asked, asked.seed + number)
        part = file.with_suffix(".part.npz")
        np.savez_compressed(part, **found)
        part.replace(file)
        print(f"{file}: {len(found['games']):,}, {time.monotonic() - begun:.0f} s", flush=True)


def positions_of(asked: Collect, seed: int) -> Arrays:
    """The positions of a file, in the order in which they were met.

    `deep` are the places of those that were searched for longer, `deep_gains` (k, 2, M) what was found; `after` (m, D) is
    what the mover sees after each move, `after_of` (m, 2) its position and its place among the moves.
    """
    policy, player = make_agent(asked.policy), make_agent(asked.policy, seed=seed)
    assert isinstance(policy, PolicyAgent) and isinstance(player, PolicyAgent)
    player.greedy = False
    rng = np.random.default_rng(seed)
    batch = BatchGame(GAMES, "standard", seed, autoreset=True)
    for _ in range(WARM_UP):
        batch.step(player(batch.observations, batch.masks))
    screen, deep = (PolicySearchAgent(policy, each) for each in (asked.screen, asked.deep))
    games, found, count = np.arange(GAMES), [], 0
    hopes = np.zeros(0)
    while count < asked.positions:
        wanted = (batch.masks.sum(axis=1) > 1) & (rng.random(len(games)) < asked.share)
        part, rows = looked_at(screen, batch, np.flatnonzero(wanted), rng)
        hope = hoped_for(part, asked.screen.temperature)
        hopes = np.concatenate([hopes, hope])[-5000:]
        best = np.flatnonzero(hope >= np.quantile(hopes, 1 - asked.kept) if asked.kept else [])
        part |= {
            "movers": batch.to_play[rows].copy(),
            "games": games[rows],
            "deep": best + count,
            "deep_gains": twice(deep, batch, rows[best], rng)[1]
            if asked.kept
            else part["gains"][:0],
        } | seen_after(batch, rows, np.asarray(part["moves"], np.int64), count, rng)
        found.append(part)
        count += len(rows)
        batch.step(player(batch.observations, batch.masks))
        games[batch.dones] = games.max() + 1 + np.arange(batch.dones.sum())
    return {name: np.concatenate([part[name] for part in found]) for name in found[0]}


def hoped_for(part: Arrays, temperature: float) -> NDArray[np.float64]:
    """What both looks together would gain over the policy's move; too high, as the same worlds choose and judge."""
    mean, rows = part["gains"].mean(axis=1), np.arange(len(part["moves"]))
    scores = np.where(part["moves"] != NO_MOVE, part["prior"] + mean / temperature, -np.inf)
    return np.asarray(mean[rows, scores.argmax(axis=1)] - mean[:, 0], np.float64)


def seen_after(
    batch: BatchGame,
    rows: NDArray[np.intp],
    moves: NDArray[np.int64],
    count: int,
    rng: np.random.Generator,
) -> Arrays:
    """What the mover sees after each move, in one world."""
    seeds = rng.integers(1 << 62, size=(len(rows), 1), dtype=np.uint64)
    seen = own_view(
        Worlds(batch, rows, seeds, moves), np.repeat(batch.to_play[rows], moves.shape[1])
    )
    at = np.argwhere(moves != NO_MOVE)
    return {
        "after": seen.reshape(*moves.shape, -1)[tuple(at.T)].astype(np.float16),
        "after_of": (at + np.array([count, 0])).astype(np.int32),
    }


def own_view(worlds: Worlds, viewers: NDArray[np.int8]) -> NDArray[np.float32]:
    """What a seat sees of each world, whoever is to move."""
    seen = np.empty_like(worlds.observations)
    work = new_records(1, worlds.machine.spec.record.work_dtype)
    kernels.observe_batch(worlds.states, worlds.tables, viewers, work, seen)
    return seen


def load(folder: Path, numbers: range, names: tuple[str, ...]) -> Arrays:
    """Files of `collect` as one."""
    parts: list[Arrays] = []
    positions = games = 0
    for number in numbers:
        with np.load(file_of(folder, number)) as kept:
            part = {name: kept[name] for name in names}
            part["games"] = kept["games"] + games
            if "deep" in part:
                part["deep"] = part["deep"] + positions
            if "after_of" in part:
                part["after_of"] = part["after_of"] + np.array([positions, 0])
        positions, games = positions + len(part["games"]), int(part["games"].max()) + 1
        parts.append(part)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def files_in(folder: Path) -> int:
    """How many there are without a gap."""
    return next(number for number in range(10_000) if not file_of(folder, number).exists())


# --- for the students


def judged(
    own: NDArray[np.float64], judges: Arrays, temperature: float = TEMPERATURE
) -> dict[str, Any]:
    """The share of the search's gain that a student's choices capture, with its interval over games."""
    theirs = search_gain(judges, temperature)
    share, interval = share_of(own, theirs, judges["games"])
    return {
        "judged": len(own),
        "search_gain": round(float(theirs.mean()), 5),
        "student_gain": round(float(own.mean()), 5),
        "share": round(share, 4),
        "interval": [round(bound, 4) for bound in interval],
        "moves_changed": round(float(np.mean(own != 0)), 4),
    }


if __name__ == "__main__":
    collect(tyro.cli(Collect, description=__doc__))
