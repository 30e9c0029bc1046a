"""Does a policy learn from the moves that it regrets most? Lessons of searches, each weighted by its gain.

    python benchmarks/regret_lessons.py runs/positions        # files of `search_positions.py`; a JSON line for each number

The policy's network goes on learning from the tenth of the positions in which the searches find most to gain. It is
judged on positions of other games, chosen by no search: which share of the search's gain it captures, with a 95 %
interval over games, as in `search_gain.py`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from search_gain import Arrays, Fit, Student, search_gain, step
from search_positions import JUDGES, TEMPERATURE, files_in, judged, load

from channel_tunnel_agents.search.worlds import NO_MOVE


@dataclass(frozen=True)
class Lessons:
    """Teach the policy what the searches prefer, and judge it."""

    folder: tyro.conf.Positional[Path]
    """Of `search_positions.py`."""
    policy: str = "master"
    """Whose network goes on learning."""
    screened: tuple[int, ...] = (30_000, 100_000, 300_000, 1_000_000)
    """Positions looked at, of which a tenth are lessons."""
    epochs: int = 4
    """Passes over the lessons."""
    learning_rate: float = 1e-4
    """AdamW's step size at the start; falls to 0."""
    batch_size: int = 512
    """Lessons a step; as many other positions, in which the policy shall stay as it is, are beside them."""
    stay: float = 0.5
    """Weight of these."""
    seed: int = 1
    """Of the order of the rows."""
    threads: int = 1
    """Threads of torch."""


def lessons(asked: Lessons) -> None:
    """Print the share of the search's gain after so many positions; see `Lessons`."""
    torch.set_num_threads(asked.threads)
    names = ("observations", "moves", "prior", "gains", "deep", "deep_gains")
    judges = load(asked.folder, range(JUDGES), names)
    known = load(asked.folder, range(JUDGES, files_in(asked.folder)), names)
    for screened in asked.screened:
        if screened > len(known["games"]):
            break
        student = Student(Fit(files=(), start=asked.policy, seed=asked.seed))
        taught = known["deep"] < screened
        places, gains = known["deep"][taught], known["deep_gains"][taught]
        teach(student, known, places, gains, screened, asked)
        print(
            json.dumps(
                {
                    "screened": screened,
                    "lessons": len(places),
                    "learning_rate": asked.learning_rate,
                    "epochs": asked.epochs,
                    "stay": asked.stay,
                    **judged(student.gain(judges, np.arange(len(judges["games"]))), judges),
                }
            ),
            flush=True,
        )


def teach(
    student: Student,
    known: Arrays,
    places: NDArray[np.int64],
    gains: NDArray[np.float32],
    screened: int,
    asked: Lessons,
) -> None:
    """Fit to what the longer searches prefer, weighted by what they gain, and to the policy itself elsewhere."""
    lesson = {"moves": known["moves"][places], "prior": known["prior"][places], "gains": gains}
    weights = np.clip(search_gain(lesson, TEMPERATURE), 0, None)
    weights = torch.from_numpy(weights / weights.mean()).float()
    scores = lesson["prior"] + gains.mean(axis=1) / TEMPERATURE
    wanted = preferences(scores, lesson["moves"])
    others = np.setdiff1d(np.arange(screened), places)
    optimizer = torch.optim.AdamW(student.network.parameters(), asked.learning_rate)
    rng, steps = np.random.default_rng(asked.seed), max(1, len(places) // asked.batch_size)
    falling = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, asked.epochs * steps)
    for _ in range(asked.epochs):
        for chosen in np.array_split(rng.permutation(len(places)), steps):
            beside = rng.choice(others, len(chosen))
            told = student(known, places[chosen]).clamp_min(-1e8)
            stayed = student(known, beside).clamp_min(-1e8)
            as_before = preferences(known["prior"][beside], known["moves"][beside])
            loss = -(weights[chosen, None] * wanted[chosen] * told).sum(1).mean()
            loss = loss - asked.stay * (as_before * stayed).sum(1).mean()
            step(optimizer, student.network, loss)
            falling.step()


def preferences(scores: NDArray[np.floating[Any]], moves: NDArray[np.int16]) -> torch.Tensor:
    """Probabilities of the moves looked at."""
    return torch.from_numpy(np.where(moves != NO_MOVE, scores, -np.inf)).float().softmax(1)


if __name__ == "__main__":
    lessons(tyro.cli(Lessons, description=__doc__))
