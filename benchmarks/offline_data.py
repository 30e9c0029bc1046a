"""The data sets for offline learning: one of each game, played by players of different strength, with its card.

    python benchmarks/offline_data.py                    # makes those that are not there, and their cards in docs/data
    python benchmarks/offline_data.py --only eurotunnel
    python benchmarks/offline_data.py --check            # whether the local ones are those of the cards

Each is a local Minari data set of every seat's decisions: some 150 MB together, in a few minutes of one core. The data are
not part of the repository; the cards are. Networks are rounded otherwise on some processors, so a data set made there may
differ in a game or two, and --check says so.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import tyro
from minari.storage import get_dataset_path

from channel_tunnel_agents.matches.data_card import CARD, DataCardError, check_data, read_data_card
from channel_tunnel_agents.matches.dataset import ALL
from channel_tunnel_env.cli import main as channel_tunnel

CARDS = Path(__file__).parents[1] / "docs" / "data"
GAMES = Path("runs") / "data"


@dataclass(frozen=True)
class DataPlan:
    """What is played: every agent in every seat against every agent."""

    ruleset: str
    agents: tuple[str, ...]
    games: int
    seed: int

    def command(self, name: str) -> list[str]:
        """Arguments of `channel-tunnel`."""
        return [
            *("generate", "--out", str(GAMES / name), "--games", str(self.games)),
            *("--agents", *self.agents, "--ruleset", self.ruleset, "--seed", str(self.seed)),
            *("--workers", "1", "--minari", dataset_of(name), "--side", ALL),
        ]


PLANS = {
    "duel-mixed-v0": DataPlan("standard", ("random", "heuristic", "club", "adept", "master"), 1500, 34_700_001),
    "carcassonne-mixed-v0": DataPlan("carcassonne", ("random", "points", "greedy", "club"), 160, 34_700_002),
    "eurotunnel-mixed-v0": DataPlan("eurotunnel", ("dumb", "greedy", "club"), 45, 34_700_003),
}


def dataset_of(name: str) -> str:
    """The id of a data set."""
    return f"channel-tunnel/{name}"


def make(name: str) -> None:
    """Play, write the data set and keep its card, unless it is there."""
    if get_dataset_path(dataset_of(name)).exists():
        print(f"{name}: is there")
        return
    if channel_tunnel(PLANS[name].command(name)):
        raise SystemExit(2)
    CARDS.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(GAMES / name / CARD, CARDS / f"{name}.json")


def main(only: str = "", check: bool = False) -> None:
    """Make, or check.

    Args:
        only: A part of a name. Default: all.
        check: Compare the local data sets with their cards.
    """
    for name in PLANS:
        if only not in name:
            continue
        path = CARDS / f"{name}.json"
        if check:
            try:
                check_data(read_data_card(path))
                print(f"{name}: as its card says")
            except DataCardError as error:
                print(error)
        else:
            make(name)


if __name__ == "__main__":
    tyro.cli(main)
