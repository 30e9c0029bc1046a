"""The cards of the baselines in docs/leaderboard made again, and the table of all cards with them.

    python benchmarks/leaderboard.py                    # cards that are missing, or that do not fit this package any more
    python benchmarks/leaderboard.py --only adept       # those of one agent
    python benchmarks/leaderboard.py --ladder           # first the strengths of the opponents, after one of them changed

After a trained player was shipped anew: with --ladder. About ten minutes of one core for all.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import tyro

from channel_tunnel_agents.benchmark.board import write_board
from channel_tunnel_agents.benchmark.contests import choose_budgets
from channel_tunnel_agents.benchmark.ladder import measure_ladder
from channel_tunnel_agents.benchmark.running import (
    CARD,
    BenchmarkEntry,
    contests_of,
    enter,
    files_of,
    opponents_of,
    reference_digest,
    reference_of,
)
from channel_tunnel_agents.benchmark.scores_sheet import figure_words
from channel_tunnel_agents.matches.store import StoreError
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.tracks import TrackError, load_track
from channel_tunnel_env.tracks.card import read_card

CARDS = Path(__file__).parents[1] / "docs" / "leaderboard"
RUNS = Path("runs") / "leaderboard"
ENTRIES = {
    "duel-v1": ("random", "heuristic", "club", "adept", "master"),
    "rules-v1": ("random", "heuristic", "adept"),
    "carcassonne-v1": ("random", "points", "greedy"),
    "seven-v1": ("random", "dumb"),
}
BUDGETS = {"rules-v1": (0,)}
"""Zero-shot alone: with adaptation a card takes hours."""


@dataclass(frozen=True)
class Arguments:
    """Which cards."""

    only: str = ""
    """A track or an agent. Default: all."""
    ladder: bool = False
    """Measure the strengths of the opponents first."""


def fits(path: Path, entry: BenchmarkEntry) -> bool:
    """Whether a card is there and was played by this agent against these opponents and this ladder."""
    try:
        card = read_card(path)
    except (OSError, TrackError, DocumentError):
        return False
    contests = contests_of(entry, RUNS)
    return (
        card.opponents == opponents_of(contests)
        and card.agent.files == files_of(entry.agent, contests[0].ruleset)
        and card.reference == reference_digest(reference_of(entry.track))
        and card.budgets == choose_budgets(entry.track, entry.budgets)
    )


def make(entry: BenchmarkEntry, path: Path) -> None:
    """Play and keep the card; games of another agent or opponent of the same name are thrown away."""
    folder = RUNS / path.stem
    try:
        enter(entry, folder)
    except StoreError:
        shutil.rmtree(folder)
        enter(entry, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(folder / CARD, path)


def main() -> None:
    """Make what does not fit."""
    arguments = tyro.cli(Arguments)
    if arguments.ladder:
        print(measure_ladder(load_track("duel-v1"))["strengths"], flush=True)
    for name, agents in ENTRIES.items():
        for agent in agents:
            if arguments.only not in ("", name, agent):
                continue
            entry = BenchmarkEntry(load_track(name), agent, BUDGETS.get(name, ()))
            path = CARDS / f"{name}-{agent}.json"
            if not fits(path, entry):
                make(entry, path)
                card = read_card(path)
                score = card.scores[-1]
                print(
                    f"{path.name}: {score.title} {figure_words(score)}, {card.processor_seconds:.0f} s",
                    flush=True,
                )
    write_board(CARDS)


if __name__ == "__main__":
    main()
