"""The learning curves of the last runs of Carcassonne's `adept` and Eurotunnel's `club`, from the snapshots that they kept.

    python benchmarks/player_curves.py carcassonne=runs/carcassonne eurotunnel=runs/eurotunnel      # minutes of a core

The commands that made the runs stand in the cards of the players, in agents/channel_tunnel_agents/players/shipped. Writes
docs/images/player-curves.png and .csv: shares against the scripted player of the game with 95 % intervals, by decisions.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from channel_tunnel_agents import evaluate
from channel_tunnel_agents.players.policy.card import policy_paths
from channel_tunnel_agents.players.policy.saved_policy import policy_card

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SCRIPTED = {
    "carcassonne": ("greedy", 200, 50.0),
    "eurotunnel": ("dumb", 10, 100 / 7),
}  # deals, and what equals get in %
SNAPSHOTS = 10
SEED = 61_000


def curve(ruleset: str, run: Path) -> pd.DataFrame:
    """One row a snapshot, and one for what the run ended with."""
    rival, deals, _ = SCRIPTED[ruleset]
    kept = sorted((run / "snapshots").glob("*/"))  # in the order of their decisions
    rows = []
    for place in [*kept[:: max(1, len(kept) // SNAPSHOTS)], run]:
        (score,) = evaluate(f"ppo:{place}", [rival], deals, ruleset=ruleset, seed=SEED)
        decisions = policy_card(policy_paths(place)["player"])["decisions"]
        rows.append((ruleset, decisions, score.points.value, score.points.low, score.points.high))
        print(*rows[-1], flush=True)
    return pd.DataFrame(rows, columns=["ruleset", "decisions", "share", "low", "high"])


def draw(found: pd.DataFrame) -> Figure:
    """A panel a game."""
    figure = Figure(figsize=(8, 2.8), layout="constrained")
    for axis, (ruleset, part) in zip(figure.subplots(1, 2), found.groupby("ruleset", sort=False), strict=False):
        rival, _, even = SCRIPTED[str(ruleset)]
        millions = part["decisions"] / 1e6
        axis.fill_between(millions, 100 * part["low"], 100 * part["high"], color="#12355b", alpha=0.2, lw=0)
        axis.plot(millions, 100 * part["share"], color="#12355b", marker="o", ms=3)
        axis.axhline(even, color="#8a8a8a", lw=0.8, ls=":")
        axis.set(title=str(ruleset), xlabel="million decisions", ylabel=f"share v {rival}, %")
    return figure


def main(runs: list[str]) -> None:
    """Play what each run kept, and draw."""
    found = pd.concat([curve(name, Path(folder)) for name, folder in (run.split("=", 1) for run in runs)])
    found.to_csv(IMAGES / "player-curves.csv", index=False, float_format="%.4f")
    draw(found).savefig(IMAGES / "player-curves.png", dpi=150)


if __name__ == "__main__":
    main(sys.argv[1:])
