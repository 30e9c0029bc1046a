"""Which tunnels were dug in a folder of Eurotunnel games, by whom, and for how long they stayed hidden.

channel-tunnel sweep --ruleset eurotunnel --param tunnels_per_power=0 --agent dumb_tunnel --out runs/digging
python benchmarks/eurotunnel_tunnels.py runs/digging/points/tunnels_per_power=4
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

MOST_PAIRS = 10
RESAMPLES = 2000


def ratio(games: pd.DataFrame, name: str) -> str:
    """The sum of a column per tunnel built, with a 95 % interval from a bootstrap over deals."""
    parts, wholes = games[name].to_numpy(float), games["tunnels_built"].to_numpy(float)
    rows = np.random.default_rng(0).integers(len(games), size=(RESAMPLES, len(games)))
    low, high = np.percentile(parts[rows].sum(axis=1) / wholes[rows].sum(axis=1), [2.5, 97.5])
    return f"{parts.sum() / wholes.sum():.3f} [{low:.3f}, {high:.3f}]"


def main() -> None:
    """Print three tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="one setting's games of a sweep")
    folder = parser.parse_args().folder
    games, tunnels = (pd.read_parquet(folder / name) for name in ("games", "tunnels"))
    print(f"{len(games):,} games, {len(tunnels) / len(games):.2f} tunnels in each; per tunnel:")
    for name in ("tunnels_opened", "tunnels_demolished", "turns_hidden"):
        print(f"  {name:<20} {ratio(games, name)}")
    print("by power, in a game:")
    for power, count in tunnels["power"].value_counts().items():
        print(f"  {power:<20} {count / len(games):.2f}")
    pairs = tunnels["ends"].value_counts()
    print(f"by their ends, in a game ({(pairs > 0).sum()} pairs in all):")
    for ends, count in pairs.head(MOST_PAIRS).items():
        diggers = tunnels.loc[tunnels["ends"] == ends, "power"].value_counts(normalize=True)
        who = ", ".join(f"{power} {share:.0%}" for power, share in diggers.head(3).items())
        print(f"  {ends:<20} {count / len(games):.2f}   {who}")


if __name__ == "__main__":
    main()
