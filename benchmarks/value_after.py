"""How far does looking one move ahead carry? The value of what the mover sees after its move.

    python benchmarks/value_after.py runs/positions           # files of `search_positions.py`; one JSON line
    python benchmarks/value_after.py runs/positions --start None --width 512

A network learns the mean outcome of each move that the searches looked at, from what the mover sees after it. A player
that looks one move ahead with it needs no search. It is judged on positions of other games: which share of the search's
gain its choices capture, as in `search_gain.py`. It also plays `--deals` deals, both seats, against the policy.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from search_gain import Arrays, step
from search_positions import JUDGES, TEMPERATURE, files_in, judged, load, own_view

from channel_tunnel_agents import evaluate, make_agent
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.card import Architecture, network_of
from channel_tunnel_agents.players.policy.network import SIDE, SelfPlayNetwork
from channel_tunnel_agents.players.pretrained import load_policy
from channel_tunnel_agents.search.policy_search import PolicySearchAgent, SearchSettings
from channel_tunnel_agents.search.worlds import Worlds
from channel_tunnel_env import BatchGame

ROWS = 4096  # of a forward pass


@dataclass(frozen=True)
class Value:
    """Teach a network what each move is worth, and judge it."""

    folders: tyro.conf.Positional[tuple[Path, ...]]
    """Of `search_positions.py`; the first files of the first judge, all others teach."""
    policy: str = "master"
    """Proposes the moves, and is the rival."""
    start: str | None = "master"
    """Policy whose network goes on learning; None: a new one."""
    network: Architecture = "game"
    """The new network ..."""
    width: int = 256
    """... its width ..."""
    depth: int = 2
    """... and depth."""
    epochs: int = 3
    """Passes."""
    learning_rate: float = 3e-4
    """AdamW's step size at the start; falls to 0."""
    batch_size: int = 400
    """Positions a step, with all their moves."""
    within: float = 10.0
    """Weight of the differences between the moves of a position, beside that of the outcomes themselves, 1."""
    temperature: float = TEMPERATURE
    """The gain that outweighs one nat of the policy's preference."""
    files: int | None = None
    """How many teach; None: all."""
    deals: int = 400
    """Of the match."""
    out: Path | None = None
    """Gets the network."""
    seed: int = 1
    """Of weights, the order of the rows and the deals."""
    threads: int = 1
    """Threads of torch."""


class AfterValue:
    """A network that says from what a seat sees, after its move, how the game ends for it: -1 to 1."""

    def __init__(self, size: dict[str, Any]) -> None:
        self.size = size
        self.network = SelfPlayNetwork(**size)

    @classmethod
    def of_policy(cls, name: str) -> AfterValue:
        """That of a policy, which knows positions in which its seat is to move."""
        policy = load_policy(name)
        found = cls(network_of(policy.card))
        found.network.load_seat_weights(policy.networks)
        return found

    @classmethod
    def load(cls, file: Path) -> AfterValue:
        """What `save` wrote."""
        kept = torch.load(file, weights_only=True)
        found = cls(kept["size"])
        found.network.load_state_dict(kept["weights"])
        return found

    def save(self, file: Path) -> None:
        """Size and weights."""
        torch.save({"size": self.size, "weights": self.network.state_dict()}, file)

    def of_rows(self, seen: torch.Tensor) -> torch.Tensor:
        """float (n, D) -> (n,), in the view of the seat that sees it."""
        side = seen[:, SIDE]
        first_view = self.network.values(self.network.features(seen), side)
        return torch.where(side == 0, first_view, -first_view)

    def __call__(self, seen: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
        parts = np.array_split(seen, max(1, -(-len(seen) // ROWS)))
        with torch.inference_mode():
            found = [self.of_rows(torch.from_numpy(part.astype(np.float32))) for part in parts]
        return torch.cat(found).clamp(-1, 1).numpy()


class OneMoveAhead(PolicySearchAgent):
    """Takes the policy's move unless the network values another one more after it."""

    def __init__(self, policy: PolicyAgent, value: AfterValue, settings: SearchSettings) -> None:
        super().__init__(policy, settings, name="one-move-ahead")
        self.value = value

    def _play_on(
        self,
        batch: BatchGame,
        rows: NDArray[np.intp],
        seeds: NDArray[np.uint64],
        moves: NDArray[np.int64],
    ) -> tuple[NDArray[np.float32], Worlds]:
        worlds = Worlds(batch, rows, seeds, moves)
        viewers = np.repeat(batch.to_play[rows], seeds.shape[1] * moves.shape[1])
        values = self.value(own_view(worlds, viewers))
        return values.reshape(*seeds.shape, moves.shape[1]), worlds


@dataclass(frozen=True)
class Rows:
    """What movers saw after their moves.

    Attributes:
        seen: float16 (n, D), moves of the same position behind one another.
        outcomes: float32 (n,), the means of the searches, in the mover's view.
        moves: int (positions,), how many each has.
    """

    seen: NDArray[np.float16]
    outcomes: NDArray[np.float32]
    moves: NDArray[np.int64]


def rows_of(files: list[tuple[Path, int]]) -> Rows:
    """Files, each of a folder and with a number, as one: filled in turn, as two copies would not fit."""
    outcomes, moves = [], []
    for folder, number in files:
        part = load(folder, range(number, number + 1), ("after_of", "gains"))
        at = tuple(part["after_of"].T)
        outcomes.append(part["gains"].mean(axis=1)[at])
        moves.append(np.bincount(at[0]))
    ends = np.cumsum([len(part) for part in outcomes])
    seen: NDArray[np.float16] | None = None
    for (folder, number), end, part in zip(files, ends, outcomes, strict=True):
        rows = load(folder, range(number, number + 1), ("after",))["after"]
        if seen is None:
            seen = np.empty((ends[-1], rows.shape[1]), np.float16)
        seen[end - len(part) : end] = rows
    assert seen is not None
    return Rows(seen, np.concatenate(outcomes), np.concatenate(moves))


def value(asked: Value) -> None:
    """Print what the network explains, captures and wins; see `Value`."""
    torch.set_num_threads(asked.threads)
    files = [(folder, number) for folder in asked.folders for number in range(files_in(folder))]
    known = rows_of(files[JUDGES:][: asked.files])
    student, begun = new_student(asked), time.process_time()
    fit_values(student, known, asked)
    spent = time.process_time() - begun
    if asked.out is not None:
        student.save(asked.out)
    judges = load(asked.folders[0], range(JUDGES), ("moves", "prior", "gains", "after", "after_of"))
    own, explained = one_move_ahead(student, judges, asked.temperature)
    print(
        json.dumps(
            {
                "start": asked.start,
                "parameters": sum(weights.numel() for weights in student.network.parameters()),
                "positions": len(known.moves),
                "rows": len(known.outcomes),
                "learning_rate": asked.learning_rate,
                "epochs": asked.epochs,
                "within": asked.within,
                "cpu_seconds": round(spent),
                "explained": round(explained, 4),
                **judged(own, judges, asked.temperature),
                **match(student, asked),
            }
        ),
        flush=True,
    )


def new_student(asked: Value) -> AfterValue:
    """The network before it learns."""
    torch.manual_seed(asked.seed)
    if asked.start is not None:
        return AfterValue.of_policy(asked.start)
    return AfterValue({"width": asked.width, "depth": asked.depth, "network": asked.network})


def fit_values(
    student: AfterValue,
    known: Rows,
    asked: Value,
) -> None:
    """Least squares of the outcomes, and of the differences within each position."""
    optimizer = torch.optim.AdamW(student.network.parameters(), asked.learning_rate)
    rng, steps = np.random.default_rng(asked.seed), max(1, len(known.moves) // asked.batch_size)
    moves, ends = known.moves, known.moves.cumsum()
    falling = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, asked.epochs * steps)
    for epoch in range(asked.epochs):
        total = 0.0
        for chosen in np.array_split(rng.permutation(len(moves)), steps):
            rows = np.concatenate([np.arange(ends[k] - moves[k], ends[k]) for k in chosen])
            error = student.of_rows(torch.from_numpy(known.seen[rows].astype(np.float32)))
            error = error - torch.from_numpy(known.outcomes[rows])
            loss = error.square().mean()
            total += float(loss.detach())
            loss = loss + asked.within * less_mean(error, moves[chosen]).square().mean()
            step(optimizer, student.network, loss)
            falling.step()
        print(f"pass {epoch + 1}: mean squared error {total / steps:.4f}", flush=True)


def less_mean(rows: torch.Tensor, sizes: NDArray[np.int64]) -> torch.Tensor:
    """Rows of groups that follow one another, less the mean of their group."""
    group = torch.from_numpy(np.repeat(np.arange(len(sizes)), sizes))
    means = torch.zeros(len(sizes)).index_add(0, group, rows) / torch.from_numpy(sizes).float()
    return rows - means[group]


def one_move_ahead(
    student: AfterValue, judges: Arrays, temperature: float
) -> tuple[NDArray[np.float64], float]:
    """What its choices gain, and the share of the variance of the outcomes that it explains."""
    at, mean = tuple(judges["after_of"].T), judges["gains"].mean(axis=1)
    said = np.full(mean.shape, -np.inf)
    said[at] = student(judges["after"])
    chosen = (judges["prior"] + said / temperature).argmax(axis=1)
    own = np.asarray(mean[np.arange(len(mean)), chosen] - mean[:, 0], np.float64)
    return own, float(1 - np.mean((said[at] - mean[at]) ** 2) / np.var(mean[at]))


def match(student: AfterValue, asked: Value) -> dict[str, Any]:
    """Its share against the policy."""
    policy = make_agent(asked.policy)
    assert isinstance(policy, PolicyAgent)
    ahead = OneMoveAhead(
        policy, student, SearchSettings(worlds=4, depth=0, temperature=asked.temperature)
    )
    (found,) = evaluate(ahead, (asked.policy,), asked.deals, seed=910_000 + asked.seed)
    return {"deals": asked.deals, "match": str(found)}


if __name__ == "__main__":
    value(tyro.cli(Value, description=__doc__))
