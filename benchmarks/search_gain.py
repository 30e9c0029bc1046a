"""How much of what a search finds can a network learn? The gate before a search becomes a teacher.

    python benchmarks/search_gain.py collect runs/gain.npz                  # positions, each searched twice
    python benchmarks/search_gain.py fit runs/gain.npz --network game       # one JSON line
    python benchmarks/search_gain.py fit runs/gain.npz --start master       # today's network, going on from its weights

Every position of the policy's own games is searched twice, with other worlds. The search's gain is the mean
outcome of the move that one search prefers over the policy's own move, as the other search judges it: so luck in
the worlds gains nothing. A student learns from five sixths of the games and moves in the rest. Its gain is
judged by both searches, which it never saw; the figure is its share of the search's gain, with a 95 % bootstrap
interval over games. A student is the policy's own preference plus a new network's correction of it, so that it
begins as strong as the policy; with `--start` it is that policy's network, which goes on learning.
"""

from __future__ import annotations

import itertools
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from torch import nn

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.balance.measuring.figures import bootstrap_deals
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.card import Architecture, network_of
from channel_tunnel_agents.players.policy.network import SIDE, SelfPlayNetwork
from channel_tunnel_agents.players.pretrained import load_policy
from channel_tunnel_agents.search.policy_search import LookAhead, PolicySearchAgent, SearchSettings
from channel_tunnel_agents.search.worlds import NO_MOVE
from channel_tunnel_env import BatchGame

GAMES = 512  # side by side
WARM_UP = 150  # decisions before the first lesson, so that the games stand at different rounds
HELD_OUT = 6  # every sixth game
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Collect:
    """Play, search, write."""

    file: tyro.conf.Positional[Path]
    """Where to write the positions."""
    policy: str = "master"
    """Plays, and is searched."""
    positions: int = 40_000
    """Positions with more than one move to look at."""
    share: float = 0.2
    """Share of the decisions that are searched."""
    search: SearchSettings = field(default_factory=lambda: SearchSettings(worlds=10))
    """Each of the two searches."""
    seed: int = 1
    """Of games and searches."""


@dataclass(frozen=True)
class Fit:
    """Teach a network, and judge it."""

    files: tyro.conf.Positional[tuple[Path, ...]]
    """Positions of `collect`, one file or several with different seeds."""
    network: Architecture = "game"
    """The student's network ..."""
    width: int = 256
    """... its width ..."""
    depth: int = 2
    """... and depth."""
    start: str | None = None
    """Policy whose network goes on learning, instead of a new one."""
    epochs: int = 4
    """Passes over the lessons."""
    learning_rate: float = 3e-4
    """AdamW's step size at the start; falls to 0."""
    batch_size: int = 512
    """Rows per step."""
    temperature: float = 0.05
    """The gain that outweighs one nat of the policy's preference."""
    positions: int | None = None
    """Lessons to use; none: all."""
    seed: int = 1
    """Of the weights and of the order of the rows."""
    threads: int = 1
    """Threads of torch."""


def collect(arguments: Collect) -> None:
    """Write the positions; see `Collect`."""
    torch.set_num_threads(1)
    policy, player = make_agent(arguments.policy), make_agent(arguments.policy, seed=arguments.seed)
    assert isinstance(policy, PolicyAgent) and isinstance(player, PolicyAgent)
    player.greedy = False
    rng = np.random.default_rng(arguments.seed)
    batch = BatchGame(GAMES, "standard", arguments.seed, autoreset=True)
    for _ in range(WARM_UP):
        batch.step(player(batch.observations, batch.masks))
    search = PolicySearchAgent(policy, arguments.search)
    games, found, count = np.arange(GAMES), [], 0
    begun, told = time.monotonic(), 0.0
    while count < arguments.positions:
        asked = (batch.masks.sum(axis=1) > 1) & (rng.random(GAMES) < arguments.share)
        part, rows = looked_at(search, batch, np.flatnonzero(asked), rng)
        found.append(part | {"games": games[rows]})
        count += len(rows)
        batch.step(player(batch.observations, batch.masks))
        games[batch.dones] = games.max() + 1 + np.arange(batch.dones.sum())
        spent = time.monotonic() - begun
        if spent - told > 30:
            told = spent
            left = spent * (arguments.positions / max(count, 1) - 1)
            print(f"{count:,} positions, about {left:.0f} s left", flush=True)
    arguments.file.parent.mkdir(parents=True, exist_ok=True)
    np.savez(arguments.file, **{k: np.concatenate([part[k] for part in found]) for k in found[0]})
    print(f"{count:,} positions of {games.max() + 1:,} games in {time.monotonic() - begun:.0f} s")


def looked_at(
    search: PolicySearchAgent,
    batch: BatchGame,
    rows: NDArray[np.intp],
    rng: np.random.Generator,
) -> tuple[Arrays, NDArray[np.intp]]:
    """What two searches say of the rows that have several moves worth looking at, and these rows."""
    look, gains = twice(search, batch, rows, rng)
    several = (look.moves != NO_MOVE).sum(axis=1) > 1
    rows = rows[several]
    return {
        "observations": batch.observations[rows].astype(np.float16),
        "moves": look.moves[several].astype(np.int16),
        "prior": look.prior[several],
        "gains": gains[several],
    }, rows


def twice(
    search: PolicySearchAgent,
    batch: BatchGame,
    rows: NDArray[np.intp],
    rng: np.random.Generator,
) -> tuple[LookAhead, NDArray[np.float32]]:
    """One of two independent looks, and the gains of both (n, 2, M)."""
    looks = []
    for _ in range(2):
        search.seed = int(rng.integers(1 << 40))
        looks.append(search.look_ahead(batch, rows))
    gains = np.stack([look.gains for look in looks]).swapaxes(0, 1)
    return looks[0], np.asarray(gains, np.float32)


def load(files: tuple[Path, ...]) -> Arrays:
    """The positions of all files; every file has games of its own."""
    parts = [dict(np.load(file)) for file in files]
    for earlier, part in itertools.pairwise(parts):
        part["games"] += earlier["games"].max() + 1
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def search_gain(lessons: Arrays, temperature: float) -> NDArray[np.float64]:
    """Per position: what each search's choice gains over the policy's move in the other's worlds."""
    known, rows = lessons["moves"] != NO_MOVE, np.arange(len(lessons["moves"]))
    total = np.zeros(len(rows))
    for one in range(2):
        judge = lessons["gains"][:, 1 - one]
        scores = lessons["prior"] + lessons["gains"][:, one] / temperature
        chosen = np.where(known, scores, -np.inf).argmax(axis=1)
        total += (judge[rows, chosen] - judge[:, 0]) / 2
    return total


class Student:
    """A network for both seats that prefers among the moves looked at."""

    def __init__(self, arguments: Fit) -> None:
        torch.manual_seed(arguments.seed)
        self.corrects = arguments.start is None
        if arguments.start is None:
            size = (arguments.width, arguments.depth)
            self.network = SelfPlayNetwork(*size, "shared", arguments.network)
        else:
            policy = load_policy(arguments.start)
            self.network = SelfPlayNetwork(**network_of(policy.card))
            self.network.load_seat_weights(policy.networks)

    def __call__(self, lessons: Arrays, rows: NDArray[np.intp]) -> torch.Tensor:
        """Log-probabilities (n, M) of the moves looked at."""
        seen = torch.from_numpy(lessons["observations"][rows].astype(np.float32))
        moves = torch.from_numpy(lessons["moves"][rows].astype(np.int64))
        logits = self.network.logits(self.network.features(seen), seen[:, SIDE])
        chosen = logits.gather(1, moves.clamp_min(0))
        if self.corrects:
            chosen = chosen + torch.from_numpy(lessons["prior"][rows])
        return chosen.masked_fill(moves == NO_MOVE, -torch.inf).log_softmax(1)

    def gain(self, lessons: Arrays, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Per position: what its choice gains over the policy's move."""
        mean = lessons["gains"][rows].mean(axis=1)
        with torch.inference_mode():
            parts = np.array_split(rows, -(-len(rows) // 4096))
            chosen = np.concatenate([self(lessons, part).argmax(1).numpy() for part in parts])
        return np.asarray(mean[np.arange(len(rows)), chosen] - mean[:, 0], np.float64)


def teach(student: Student, lessons: Arrays, rows: NDArray[np.intp], arguments: Fit) -> float:
    """Fit to softmax(prior + gain / temperature); returns the rows learned per second."""
    known = lessons["moves"] != NO_MOVE
    scores = lessons["prior"] + lessons["gains"].mean(axis=1) / arguments.temperature
    wanted = torch.from_numpy(np.where(known, scores, -np.inf)).float().softmax(1)
    optimizer = torch.optim.AdamW(student.network.parameters(), arguments.learning_rate)
    rng, begun = np.random.default_rng(arguments.seed), time.process_time()
    steps = arguments.epochs * (len(rows) // arguments.batch_size)
    falling = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, steps)
    for _ in range(arguments.epochs):
        order = rng.permutation(rows)
        for k in range(len(rows) // arguments.batch_size):
            chosen = order[k * arguments.batch_size : (k + 1) * arguments.batch_size]
            log_probs = student(lessons, chosen).clamp_min(-1e8)
            loss = -(wanted[chosen] * log_probs).sum(1).mean()
            step(optimizer, student.network, loss)
            falling.step()
    return arguments.epochs * len(rows) / (time.process_time() - begun)


def step(optimizer: torch.optim.Optimizer, network: nn.Module, loss: torch.Tensor) -> None:
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(network.parameters(), 0.5)
    optimizer.step()


def fit(arguments: Fit) -> None:
    """Print the student's share of the search's gain; see `Fit`."""
    torch.set_num_threads(arguments.threads)
    lessons = load(arguments.files)
    held_out = lessons["games"] % HELD_OUT == 0
    learned, judged = np.flatnonzero(~held_out)[: arguments.positions], np.flatnonzero(held_out)
    student = Student(arguments)
    speed = teach(student, lessons, learned, arguments)
    theirs = search_gain(lessons, arguments.temperature)[judged]
    own = student.gain(lessons, judged)
    share, interval = share_of(own, theirs, lessons["games"][judged])
    figures = {
        "network": "as " + arguments.start if arguments.start else arguments.network,
        "parameters": sum(weights.numel() for weights in student.network.parameters()),
        "lessons": len(learned),
        "held_out": len(judged),
        "search_gain": round(float(theirs.mean()), 5),
        "student_gain": round(float(own.mean()), 5),
        "share": round(share, 4),
        "interval": [round(bound, 4) for bound in interval],
        "gain_on_lessons": round(float(student.gain(lessons, learned[: len(judged)]).mean()), 5),
        "moves_changed": round(float(np.mean(own != 0)), 4),
        "rows_per_cpu_second": round(speed),
    }
    print(json.dumps(figures))


def share_of(
    own: NDArray[np.float64], theirs: NDArray[np.float64], games: NDArray[np.int64]
) -> tuple[float, tuple[float, float]]:
    """The ratio of the sums, with its interval over games."""
    _, of_game = np.unique(games, return_inverse=True)
    sums = np.stack([np.bincount(of_game, gains) for gains in (own, theirs)])
    low, high = bootstrap_deals(
        sums.shape[1],
        lambda drawn: (sums[0][drawn].sum(axis=-1) / sums[1][drawn].sum(axis=-1))[None],
    )
    return float(own.sum() / theirs.sum()), (float(low[0]), float(high[0]))


def main() -> None:
    """Collect or fit."""
    arguments = tyro.cli(Collect | Fit, description=__doc__)  # type: ignore[call-overload]
    if isinstance(arguments, Collect):
        collect(arguments)
    else:
        fit(arguments)


if __name__ == "__main__":
    main()
