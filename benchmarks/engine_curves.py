"""The learning curves of the engines `sb3` and `torch`, five seeds each: they must lie on each other.

    python benchmarks/engine_curves.py runs/engines        # a quarter of an hour of a free core; a stopped run goes on

Writes docs/images/engine-curves.png and .csv: shares of games against random play, by seat, after each eighth of a run.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from channel_tunnel_agents import evaluate
from channel_tunnel_agents.learning.config import NEVER, load_config
from channel_tunnel_agents.learning.training import TrainingRun

IMAGES = Path(__file__).parents[1] / "docs" / "images"
BUDGETS = {"tiny": 400_000, "standard": 800_000}
ENGINES = {"sb3": ("#b5651d", "-"), "torch": ("#12355b", (0, (2, 2)))}
SEEDS = range(1, 6)
PARTS = 8
DEALS = 200


def curve(folder: Path, engine: str, ruleset: str, seed: int) -> pd.DataFrame:
    """What the policies of a run win, one row a snapshot and seat."""
    own = {"engine": engine, "ruleset": ruleset, "seed": seed, "run": str(folder), "threads": 1}
    own |= {"decisions": BUDGETS[ruleset], "max_minutes": None, "snapshots": PARTS, "evaluate_every": NEVER}
    kept = folder / "curve.csv"
    if not kept.exists():
        TrainingRun(load_config("smoke").model_copy(update=own), resume=folder.exists()).train()
        rows = []
        for place in sorted((folder / "snapshots").glob("*/")):  # named by their decisions
            (score,) = evaluate(f"ppo:{place}", "random", deals=DEALS, ruleset=ruleset, seed=99)
            rows += [(int(place.name), seat, share.value) for seat, share in score.seats.items()]
        pd.DataFrame(rows, columns=["decisions", "seat", "share"]).to_csv(kept, index=False)
    return pd.read_csv(kept).assign(engine=engine, ruleset=ruleset, seed=seed)


def draw(found: pd.DataFrame) -> Figure:
    """A panel for each ruleset and seat, a line for each engine and seed."""
    figure = Figure(figsize=(9, 2.6), layout="constrained")
    panels = figure.subplots(1, 2 * len(BUDGETS), sharey=True)
    for axis, ((ruleset, seat), part) in zip(panels, found.groupby(["ruleset", "seat"], sort=False), strict=True):
        for (engine, _), line in part.groupby(["engine", "seed"]):
            colour, dashes = ENGINES[str(engine)]
            axis.plot(line["decisions"] / 1000, 100 * line["share"], color=colour, ls=dashes, lw=1.1)
        axis.set(title=f"{ruleset}, as {seat}", xlabel="thousand decisions")
    panels[0].set_ylabel("% of games v random")
    for engine, (colour, dashes) in ENGINES.items():
        panels[0].plot([], [], color=colour, ls=dashes, label=engine)
    panels[0].legend(frameon=False)
    return figure


def main(out: Path) -> None:
    """Train what is missing, and draw."""
    runs = [(engine, ruleset, seed) for ruleset in BUDGETS for seed in SEEDS for engine in ENGINES]
    found = pd.concat(
        [curve(out / f"{ruleset}-{engine}-{seed}", engine, ruleset, seed) for engine, ruleset, seed in runs]
    )
    found.to_csv(IMAGES / "engine-curves.csv", index=False, float_format="%.4f")
    draw(found).savefig(IMAGES / "engine-curves.png", dpi=150)
    apart = found.pivot(index=["ruleset", "seat", "seed", "decisions"], columns="engine", values="share")
    print(f"Furthest apart: {100 * (apart['sb3'] - apart['torch']).abs().max():.1f} points.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
