"""The gap between rules that a policy was trained on and rules that it never saw, by the number of training rulesets.

    python benchmarks/rules_gap.py runs/gap                 # two hours of a core; a stopped run goes on

Every policy has the same network and the same decisions; only the number of rulesets differs. Each is measured against the
scripted player, in both seats of the same deals: on rulesets of its training, and on those of the track rules-v1, from which
training keeps away. Keeps its results in FOLDER/gap.json; writes docs/images/rules-gap.png and .csv.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
import tyro
from matplotlib.figure import Figure

from channel_tunnel_agents.balance.empirical.payoffs import share_against
from channel_tunnel_agents.balance.judging import SEED
from channel_tunnel_agents.benchmark.scoring import mean_of_drawn
from channel_tunnel_agents.learning.config import NEVER, TrainConfig, make_config
from channel_tunnel_agents.learning.run_rulesets import rulesets_of_run
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.rulesets.held_apart import held_rulesets
from channel_tunnel_env import Ruleset, load_ruleset
from channel_tunnel_env.outside.files import write_whole

IMAGES = Path(__file__).parents[1] / "docs" / "images"
COLOURS = {"seen": "#8a8a8a", "near": "#12355b", "far": "#b5651d"}
TRACK, RIVAL = "rules-v1", "heuristic"
NUMBERS = (1, 10, 100, 1_000, 10_000)
SEEDS = (1, 2)
SEEN = 20  # rulesets of its training on which a policy is measured
DEALS = 200
TRAINING = {
    "ruleset": "standard",
    "apart_from": TRACK,
    "imitate": RIVAL,
    "imitate_decisions": 1_000_000,
    "rivals": (RIVAL,),
    "rival_share": 0.2,
    "decisions": 4_000_000,
    "steps": 32,
    "batch_size": 1024,
    "width": 128,
    "engine": "torch",
    "learning_rate": 1e-3,
    "final_learning_rate": 1e-4,
    "threads": 1,
    "evaluate_every": NEVER,
    "evaluate_games": 1,
}


def main(
    folder: tyro.conf.Positional[Path], numbers: tuple[int, ...] = NUMBERS, seeds: tuple[int, ...] = SEEDS
) -> None:
    """Train what is not trained yet, measure it and draw.

    Args:
        folder: Keeps the policies and gap.json.
        numbers: Of training rulesets.
        seeds: Of training.
    """
    kept = folder / "gap.json"
    found = json.loads(kept.read_text()) if kept.exists() else {}
    rows = []
    for seed in seeds:
        for number in numbers:
            name = f"{number}-{seed}"
            if name not in found:
                found[name] = measured(folder / name, number, seed)
                write_whole(kept, (json.dumps(found, indent=1) + "\n").encode())
            for group, shares in found[name].items():
                mean = mean_of_drawn([np.asarray([each]) for each in shares])
                ends = (
                    (mean.low, mean.high) if len(shares) > 1 else (np.nan, np.nan)
                )  # one ruleset says nothing of others
                rows.append((number, seed, group, len(shares), mean.value, *ends))
                print(*rows[-1], flush=True)
    table = pd.DataFrame(rows, columns=["number", "seed", "group", "rulesets", "share", "low", "high"])
    table.to_csv(IMAGES / "rules-gap.csv", index=False, float_format="%.4f")
    draw(table).savefig(IMAGES / "rules-gap.png", dpi=150)


def measured(run: Path, number: int, seed: int) -> dict[str, list[float]]:
    """Group of rulesets -> the share of the points on each."""
    config = make_config({**TRAINING, "run": str(run), "drawn_rulesets": number, "seed": seed})
    TrainingRun(config, resume=True).train()
    groups = {"seen": seen_rulesets(config)} | held_rulesets(TRACK)
    return {group: [share(run, ruleset) for ruleset in rulesets] for group, rulesets in groups.items()}


def seen_rulesets(config: TrainConfig) -> list[Ruleset]:
    """Some of those that were drawn for the run."""
    return rulesets_of_run(config, load_ruleset(config.ruleset), [])[-config.drawn_rulesets :][:SEEN]


def share(run: Path, ruleset: Ruleset) -> float:
    """Of the points against the scripted player, in both seats."""
    return share_against(f"ppo:{run}", RIVAL, ruleset, DEALS, SEED, workers=1).value


def draw(table: pd.DataFrame) -> Figure:
    """A line a group, its mean over the seeds; a point each seed, with the interval over rulesets."""
    figure = Figure(figsize=(7, 3.2), layout="constrained")
    axis = figure.subplots()
    for place, (group, part) in enumerate(table.groupby("group", sort=False)):
        colour, share = COLOURS[str(group)], 100 * part["share"]
        axis.errorbar(
            part["number"] * 1.06**place,  # side by side
            share,
            [share - 100 * part["low"], 100 * part["high"] - share],
            fmt="o",
            ms=3,
            lw=0.8,
            color=colour,
        )
        means = part.groupby("number")["share"].mean()
        axis.plot(means.index, 100 * means, color=colour, label=group)
    axis.set(xscale="log", xlabel="rulesets trained on", ylabel=f"share v {RIVAL}, %")
    axis.legend(frameon=False, loc="lower right")
    return figure


if __name__ == "__main__":
    tyro.cli(main)
