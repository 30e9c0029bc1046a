"""One recipe trained with several seeds, to tell the recipe's strength from the luck of one seed.

Every seed is a separate run in its own folder. The runs' curves are read from their logs,
interpolated to the same numbers of decisions, and drawn together.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.learning.config import TrainConfig
from channel_tunnel_agents.learning.run_curve import HIGH, INK, LOW, draw_panels, read_ladder
from channel_tunnel_agents.statistics import Estimate, Figure, estimate_mean
from channel_tunnel_env.outside.files import write_whole

CURVES, FIGURE, SUMMARY = "curves.csv", "curves.svg", "summary.json"
POINTS = 60  # per curve


def seed_configs(config: TrainConfig, seeds: int) -> list[TrainConfig]:
    """The runs' configs: the config's seed and those after it, each in a subfolder of its folder."""
    return [
        config.model_copy(update={"seed": seed, "run": str(Path(config.run) / f"seed-{seed}")})
        for seed in range(config.seed, config.seed + seeds)
    ]


def read_curves(folders: Mapping[int, Path]) -> pd.DataFrame:
    """Win rates against the ladder over the course of training.

    Args:
        folders: seed -> its run's folder.

    Returns:
        One row per number of decisions and yardstick: `decisions`, `name`, `mean`, `low` and `high`
        (over the seeds), and `seed_N` for each seed. No rows if the runs were evaluated fewer than
        two times.
    """
    logs = {seed: read_ladder(folder) for seed, folder in folders.items()}
    columns = set.intersection(*(set(log.columns) for log in logs.values()))
    names = {column for column in columns if not column.endswith((LOW, HIGH))}
    tables = [_curve(name, {s: log[name].dropna() for s, log in logs.items()}) for name in sorted(names)]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame({"name": []})


def _curve(name: str, by_seed: Mapping[int, pd.Series[float]]) -> pd.DataFrame:
    """The seeds' curves at the same numbers of decisions, as far as all were evaluated."""
    if min(len(series) for series in by_seed.values()) < 2:
        return pd.DataFrame({"name": []})
    first = max(float(series.index[0]) for series in by_seed.values())
    last = min(float(series.index[-1]) for series in by_seed.values())
    if first >= last:
        return pd.DataFrame({"name": []})
    decisions = np.linspace(first, last, POINTS)
    shares = np.array([np.interp(decisions, s.index, s.to_numpy()) for s in by_seed.values()])
    table = pd.DataFrame({"decisions": decisions.round().astype(np.int64), "name": name})
    table["mean"], table["low"], table["high"] = shares.mean(0), shares.min(0), shares.max(0)
    for seed, values in zip(by_seed, shares, strict=True):
        table[f"seed_{seed}"] = values
    return table


def summarise(rates: Sequence[Mapping[str, Figure]]) -> dict[str, Estimate]:
    """Yardstick -> the mean of the seeds' final shares, with a 95 % t interval over seeds.

    The interval is for the recipe: each seed is one sample. With few seeds it is wide.
    """
    return {name: estimate_mean([found[name].value for found in rates]) for name in rates[0]}


def write_summary(
    folder: Path, configs: Sequence[TrainConfig], rates: Sequence[Mapping[str, Figure]]
) -> dict[str, Estimate]:
    """Write curves.csv, curves.svg (where there are curves) and summary.json; returns the means."""
    folders = {config.seed: Path(config.run) for config in configs}
    curves, found = read_curves(folders), summarise(rates)
    write_whole(folder / CURVES, curves.to_csv(index=False).encode())
    if len(curves):
        write_whole(folder / FIGURE, draw_curves(curves))
    document: dict[str, Any] = {
        "seeds": [config.seed for config in configs],
        "games": {name: rate.n for name, rate in rates[0].items()},
        "shares": {name: [seed[name].value for seed in rates] for name in rates[0]},
        "means": {name: asdict(estimate) for name, estimate in found.items()},
        "config": configs[0].model_dump() | {"run": str(folder)},
    }
    write_whole(folder / SUMMARY, json.dumps(document, indent=1).encode())
    return found


def draw_curves(curves: pd.DataFrame) -> bytes:
    """One panel per yardstick as SVG: every seed thin, their mean bold."""

    def paint(axes: Any, name: str) -> None:
        mine = curves[curves["name"] == name]
        millions: NDArray[np.float64] = mine["decisions"].to_numpy() / 1e6
        for column in mine.columns:
            if column.startswith("seed_"):
                axes.plot(millions, 100 * mine[column], color=INK, alpha=0.35, linewidth=0.8)
        axes.plot(millions, 100 * mine["mean"], color=INK, linewidth=2)
        axes.set_ylim(0, 100)

    settings = {"svg.hashsalt": "seeds", "svg.fonttype": "none", "font.size": 9}
    return draw_panels(list(curves["name"].unique()), paint, settings, format="svg", metadata={"Date": None})
