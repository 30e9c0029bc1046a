"""The cards of the baselines in docs/leaderboard made again, and the table of all cards with them.

    python benchmarks/leaderboard.py                    # cards that are missing, or that do not fit this package any more
    python benchmarks/leaderboard.py --only adept       # those of one agent

Where strengths or goals have been measured (`references.py`) since a card was written, its scores are computed again from its
results. About forty minutes of one core for all but `ismcts-300`, with twelve minutes, and the searches of `search-v1`, with
five and forty. Baselines that are trained for their card are trained if their
folder in `runs` is not there; the cloned ones need the data set of `benchmarks/offline_data.py`, `tianshou-dqn` needs Tianshou, and
`exact-v1` the games of docs/examples/exact_games.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import tyro

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.benchmark.board import figure_words, write_board
from channel_tunnel_agents.benchmark.checking import check_numbers
from channel_tunnel_agents.benchmark.contests import DECISIONS, MS, OUT, SEED, choose_budgets
from channel_tunnel_agents.benchmark.playing import files_of
from channel_tunnel_agents.benchmark.running import (
    CARD,
    BenchmarkEntry,
    contests_of,
    enter,
    opponents_of,
    reference_digest,
    reference_of,
)
from channel_tunnel_agents.benchmark.scoring import score
from channel_tunnel_agents.matches.store import StoreError
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.tracks import TrackError, load_track
from channel_tunnel_env.tracks.card import card_text, read_card

CARDS = Path(__file__).parents[1] / "docs" / "leaderboard"
RUNS = Path("runs") / "leaderboard"
PYTHON = "python"  # of the environment, as somebody else would write it
STOCK = f"{PYTHON} benchmarks/maskable_ppo.py"
STOCK_DQN = f"{PYTHON} benchmarks/tianshou_dqn.py"
VALUES = f"{PYTHON} benchmarks/value_player.py"
CLONING = f"{PYTHON} -m channel_tunnel_agents.learning.cloning channel-tunnel/duel-mixed-v0"


@dataclass(frozen=True)
class Baseline:
    """An agent on a track.

    Attributes:
        name: of its card, after the track's.
        agent: as on the command line; none: the name.
        budgets: of the track's; none: all.
        train: of few-decisions-v1.
        made_by: the command that makes the agent in `folder`, if that is not there.
    """

    track: str
    name: str
    agent: str = ""
    budgets: tuple[int, ...] = ()
    train: str = ""
    made_by: str = ""
    folder: str = ""

    @property
    def stem(self) -> str:
        """Of the card's file."""
        return f"{self.track}-{self.name}"

    @property
    def entry(self) -> BenchmarkEntry:
        """What is played."""
        return BenchmarkEntry(load_track(self.track), self.agent or self.name, self.budgets, self.train)


ZERO_SHOT = (0,)  # minutes of adaptation in rules-v1
ONE_MINUTE = (0, 1)  # an hour of a core that is free; ten minutes take seven
MILLION = 1_000_000  # decisions of few-decisions-v1; ten million take hours
# Milliseconds of search-v1. The games of 10 take five minutes, those of 100 half an hour, those of 1000 nearly two hours.
TEN, HUNDRED = (10,), (10, 100)
SEEDS = (1, 2, 3)  # of training


def learner(name: str, agent: str, train: str) -> Baseline:
    """What a million decisions leave; `agent` and `train` have the fields of few-decisions-v1."""
    return Baseline("few-decisions-v1", name, agent, (MILLION,), train)


def cloned(name: str, more: str, seed: int) -> Baseline:
    """A cloned policy on duel-v1."""
    folder = f"runs/{name}"
    made_by = f"{CLONING} {folder}{more}" + (f" --seed {seed}" if seed > 1 else "")
    return Baseline("duel-v1", name, f"ppo:{folder}", made_by=made_by, folder=folder)


BASELINES = (
    *(Baseline("duel-v1", n) for n in ("random", "heuristic", "club", "adept", "master")),
    *(Baseline("duel-v1", f"ismcts-{each}", f"ismcts:{each}") for each in (30, 100, 300)),
    *(
        cloned(f"cloned{kind}" + (f"-seed-{seed}" if seed > 1 else ""), more, seed)
        for kind, more in (("", ""), ("-winners", " --winners"))
        for seed in SEEDS
    ),
    *(Baseline("rules-v1", n, "", ZERO_SHOT) for n in ("random", "heuristic")),
    Baseline("rules-v1", "adept", "", ONE_MINUTE),
    Baseline("rules-v1", "frozen-master", "frozen:master", ZERO_SHOT),
    Baseline("search-v1", "heuristic"),
    Baseline("search-v1", "master-search", f"master-search@{MS}ms", HUNDRED),
    Baseline("search-v1", "master-puct", f"master-puct@{MS}ms", TEN),
    *(Baseline("carcassonne-v1", n) for n in ("random", "points", "greedy", "adept")),
    *(Baseline("seven-v1", n) for n in ("random", "dumb", "club")),
    Baseline("exact-v1", "random"),
    *(Baseline("exact-v1", f"ismcts-{each}", f"ismcts:{each}") for each in (30, 100, 300)),
    learner(
        "maskable-ppo", f"process:{STOCK} play {OUT}",
        f"{STOCK} train {OUT} --decisions {DECISIONS} --seed {SEED}",
    ),
    learner(
        "demo", f"ppo:{OUT}",
        f"channel-tunnel train demo --imitate None --threads 1 --decisions {DECISIONS} --seed {SEED} --run {OUT}",
    ),
    learner(
        "tianshou-dqn", f"process:{VALUES} {OUT}",
        f"{STOCK_DQN} {OUT} --decisions {DECISIONS} --seed {SEED}",
    ),
)  # fmt: skip


def fits(path: Path, entry: BenchmarkEntry) -> bool:
    """Whether a card is there and was played by this agent against these opponents.

    A trained agent that is not here any more is taken for that of the card.
    """
    try:
        card = read_card(path)
    except (OSError, TrackError, DocumentError):
        return False
    contests = contests_of(entry, RUNS / path.stem)
    try:
        files = files_of(contests[0].agent, contests[0].ruleset)
    except AgentError:
        files = card.agent.files
    return (
        card.opponents == opponents_of(contests)
        and card.agent.files == files
        and card.budgets == choose_budgets(entry.track, entry.budgets)
    )


def score_anew(path: Path) -> None:
    """Read a card's results against what has been measured for its track since it was written."""
    card = read_card(path)
    track = load_track(card.track.name)
    reference = reference_of(track)
    digest = reference_digest(reference)
    if card.reference == digest:
        return
    contests = check_numbers(card, str(path), RUNS / path.stem)
    scores = score(track, contests, card.results, reference, card.opponents)
    changed = {"reference": digest, "scores": scores}
    write_whole(path, card_text(card.model_copy(update=changed)).encode())


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


def main(only: str = "") -> None:
    """Make what does not fit.

    Args:
        only: A track or an agent. Default: all.
    """
    for baseline in BASELINES:
        if only not in ("", baseline.track, baseline.name):
            continue
        path = CARDS / f"{baseline.stem}.json"
        if not fits(path, baseline.entry):
            if baseline.made_by and not Path(baseline.folder).exists():
                subprocess.run(shlex.split(baseline.made_by), check=True)
            make(baseline.entry, path)
            card = read_card(path)
            last = card.scores[-1]
            print(f"{path.name}: {last.title} {figure_words(last)}, {card.processor_seconds:.0f} s", flush=True)
    for path in CARDS.glob("*.json"):
        score_anew(path)
    write_board(CARDS)


if __name__ == "__main__":
    tyro.cli(main)
