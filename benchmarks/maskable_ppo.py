"""A baseline of a stock library for the benchmark: MaskablePPO of sb3-contrib, as it comes.

    python benchmarks/maskable_ppo.py train runs/maskable-ppo --decisions 1000000 --seed 1
    channel-tunnel benchmark duel-v1 'process:python benchmarks/maskable_ppo.py play runs/maskable-ppo'

    channel-tunnel benchmark few-decisions-v1 'process:python benchmarks/maskable_ppo.py play {out}' \\
        --budgets 1000000 --train 'python benchmarks/maskable_ppo.py train {out} --decisions {decisions} --seed {seed}'

It learns both seats by playing itself: a row of the batch is one seat, its rival the model as it is now. The rival's
decisions are counted, though nothing is learned from them. No figure of `SETTINGS` was tuned; what is not there is the
library's default, such as its network of two layers of 64 units. `play` is an agent in a process of its own.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from value_player import answer_questions

from channel_tunnel_env.envs.sb3 import SeatVecEnv

MODEL = "model.zip"
GAMES = 64  # side by side
SEATS = 2
SETTINGS: dict[str, Any] = {
    "n_steps": 64,
    "batch_size": 512,
    "n_epochs": 4,
    "learning_rate": 3e-4,
    "ent_coef": 0.01,
    "gamma": 1.0,  # only the result counts
    "gae_lambda": 0.8,
}


def new_model(ruleset: str, seed: int) -> MaskablePPO:
    """A model that has learned nothing, and meets itself.

    Args:
        seed: of the weights, the games and the sampling.
    """
    torch.set_num_threads(1)

    def itself(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        return model.predict(observations, action_masks=masks)[0]

    env = SeatVecEnv(GAMES, ruleset, side="both", opponent=itself, seed=seed)
    model = MaskablePPO("MlpPolicy", env, seed=seed, device="cpu", **SETTINGS)
    return model


def train(folder: Path, decisions: int, seed: int, ruleset: str = "standard") -> MaskablePPO:
    """Train from nothing and save the model.

    Args:
        decisions: of both seats together, half of which are learned from.
        seed: as of `new_model`.
    """
    model = new_model(ruleset, seed)
    rows = GAMES * SETTINGS["n_steps"]
    model.learn(max(1, decisions // SEATS // rows) * rows)  # whole updates, and none more
    folder.mkdir(parents=True, exist_ok=True)
    model.save(folder / MODEL)
    return model


def play(folder: Path) -> None:
    """Answer the questions of the benchmark with the likeliest action."""
    torch.set_num_threads(1)
    model = MaskablePPO.load(folder / MODEL, device="cpu")

    def likeliest(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        return model.predict(observations, action_masks=masks, deterministic=True)[0]

    answer_questions(likeliest)


def main() -> None:
    """Train, or play."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("train", "play"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.what == "train":
        train(arguments.folder, arguments.decisions, arguments.seed)
    else:
        play(arguments.folder)


if __name__ == "__main__":
    main()
