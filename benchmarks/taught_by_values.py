"""Can a policy learn what looking one move ahead finds? Lessons without end, as they cost no search.

    python benchmarks/value_after.py runs/positions --out runs/values.pt
    python benchmarks/taught_by_values.py runs/values.pt runs/taught --positions 4000000

The policy plays itself. In every position the likely moves are valued by the network of `value_after.py`, from what the
mover sees after each; the lesson is softmax(log of the first policy's probability + value / temperature). A JSON line
after every part says how the student fares against the policy that it began as, on deals of its own.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from search_gain import GAMES, WARM_UP, step
from search_positions import TEMPERATURE
from torch import nn
from value_after import AfterValue, OneMoveAhead

from channel_tunnel_agents import evaluate, make_agent
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.card import network_of
from channel_tunnel_agents.players.policy.network import SIDE, SelfPlayNetwork
from channel_tunnel_agents.players.policy.saved_policy import save_policies
from channel_tunnel_agents.players.pretrained import load_policy
from channel_tunnel_agents.search.policy_search import LookAhead, SearchSettings
from channel_tunnel_agents.search.worlds import NO_MOVE
from channel_tunnel_env import BatchGame
from channel_tunnel_env.games.tunnel_1987.engine import constants as c


@dataclass(frozen=True)
class Teach:
    """Play, value, learn."""

    values: tyro.conf.Positional[Path]
    """Network of `value_after.py`."""
    out: tyro.conf.Positional[Path]
    """Folder of the taught policy."""
    policy: str = "master"
    """Who learns."""
    positions: int = 4_000_000
    """Lessons in all."""
    parts: int = 4
    """After each the student plays and is written."""
    deals: int = 1000
    """Of a match."""
    temperature: float = TEMPERATURE
    """The gain that outweighs one nat of the policy's preference."""
    learning_rate: float = 2e-4
    """AdamW's step size at the start; falls to 0."""
    value_weight: float = 0.5
    """Of the student's own value, which shall stay as it is."""
    worlds: int = 1
    """In which each move is valued."""
    seed: int = 1
    """Of games and worlds."""
    threads: int = 1
    """Threads of torch."""


def teach(asked: Teach) -> None:
    """Learn, and print how the student fares; see `Teach`."""
    torch.set_num_threads(asked.threads)
    policy, begun = make_agent(asked.policy), time.monotonic()
    assert isinstance(policy, PolicyAgent)
    teacher = OneMoveAhead(
        policy,
        AfterValue.load(asked.values),
        SearchSettings(worlds=asked.worlds, depth=0, temperature=asked.temperature),
    )
    known = load_policy(asked.policy)
    student = SelfPlayNetwork(**network_of(known.card))
    student.load_seat_weights(known.networks)
    optimizer = torch.optim.AdamW(student.parameters(), asked.learning_rate)
    steps = asked.positions // GAMES
    falling = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, steps)
    rng = np.random.default_rng(asked.seed)
    batch = BatchGame(GAMES, "standard", asked.seed, autoreset=True)
    changed = []
    for done in range(-WARM_UP, steps):
        teacher.seed = int(rng.integers(1 << 40))
        found = teacher.look_ahead(batch, np.arange(GAMES))
        if done >= 0:
            step(optimizer, student, loss_of(student, batch, found, asked))
            falling.step()
            changed.append(float(np.mean(found.actions != found.moves[:, 0])))
        batch.step(drawn(found.prior, found.moves, rng))
        if done >= 0 and (done + 1) % (steps // asked.parts) == 0:
            weights = {side: student.seat_weights(side) for side in c.SEATS}
            save_policies(asked.out, weights, {**known.card, "taught": str(asked.values)})
            (score,) = evaluate(
                make_agent(f"ppo:{asked.out}"), (asked.policy,), asked.deals, seed=920_000
            )
            figures = {
                "lessons": (done + 1) * GAMES,
                "seconds": round(time.monotonic() - begun),
                "moves_changed_by_teacher": round(float(np.mean(changed)), 4),
                "match": str(score),
            }
            print(json.dumps(figures), flush=True)


def loss_of(
    student: SelfPlayNetwork, batch: BatchGame, found: LookAhead, asked: Teach
) -> torch.Tensor:
    """Cross-entropy to the lesson where there are several moves, and the distance from the first policy's values."""
    seen = torch.from_numpy(batch.observations.copy())
    features = student.features(seen)
    logits = student.logits(features, seen[:, SIDE])
    logits = logits.masked_fill(~torch.from_numpy(batch.masks), -1e8).log_softmax(1)
    moves = torch.from_numpy(found.moves.astype(np.int64))
    wanted = torch.from_numpy(found.scores(asked.temperature)).float().softmax(1)
    told = logits.gather(1, moves.clamp_min(0)).clamp_min(-1e8)
    lesson = -(wanted * told).sum(1)[torch.from_numpy(found.worlds > 0)].mean()
    values = student.values(features, seen[:, SIDE])
    kept = nn.functional.mse_loss(values, torch.from_numpy(found.values))
    return lesson + asked.value_weight * kept


def drawn(
    prior: NDArray[np.float32], moves: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """A move of each position by the policy's preference."""
    chances = np.where(moves != NO_MOVE, np.exp(prior), 0)
    chances = chances.cumsum(axis=1) / chances.sum(axis=1, keepdims=True)
    chosen = (chances < rng.random((len(moves), 1))).sum(axis=1).clip(0, moves.shape[1] - 1)
    return np.asarray(moves[np.arange(len(moves)), chosen])


if __name__ == "__main__":
    teach(tyro.cli(Teach, description=__doc__))
