"""How often 95 % intervals hold the truth: compare, sweep, report and tournament played again and again on other deals.

    python benchmarks/interval_coverage.py                       # docs/coverage.md; about 45 minutes of one core
    python benchmarks/interval_coverage.py --agents heuristic    # some agents alone

Each study of each agent is kept in a folder, so a stopped command goes on where it was; delete the folder after a
change of the code. Prints the table of the page.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import interval_studies
import pandas as pd
import torch
import tyro
from interval_studies import SELF_PLAY, Coverage, Setting, Study, cover
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress

from channel_tunnel_agents.base import FROZEN
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.search.policy_search import PolicySearchAgent, SearchSettings
from channel_tunnel_agents.statistics import CONFIDENCE
from channel_tunnel_env import load_ruleset

# The real effect by ruleset: France's first barrier is free; one token set for each player.
CHANGES = {
    "standard": {"barriers.france.a.0": 0},
    "tiny": {"barriers.france.a.0": 0},
    "carcassonne": {"token_sets_two": 1},
}
CARDS = ("extra_finance_1", "control_room_4", "influence_greece")
FAMILIES = ("align", "pass")
HEAD = (
    "| agent, ruleset | study | runs | deals | intervals | hold the truth | few deals differ | false alarms |",
    "|---|---|---|---|---|---|---|---|",
)
RIVALS = ("random", "heuristic")
SEED = 5_000_000
MEASURED: dict[str, Study] = {
    "report: card effects": partial(interval_studies.card_effects, cards=CARDS),
    "report: restricted play": partial(interval_studies.restrictions, families=FAMILIES),
    "report: course of games": interval_studies.tension,
    "report: luck by source": interval_studies.luck,
}


@dataclass(frozen=True)
class Sizes:
    """Of the studies of an agent.

    Attributes:
        milliseconds: a game takes about; for the time left alone.
    """

    ruleset: str
    runs: int
    deals: int
    milliseconds: float
    measured: bool = False


PLAYERS = {
    "random": Sizes("standard", 60, 200, 0.4, measured=True),
    "heuristic": Sizes("standard", 60, 200, 2.1, measured=True),
    "racer": Sizes("standard", 40, 200, 2.1),
    # Frozen: the ruleset with the change is not the one they were trained for.
    f"{FROZEN}rookie": Sizes("standard", 40, 200, 1.2),
    f"{FROZEN}ppo-sample:{shipped.FOLDER / 'rookie'}": Sizes("standard", 40, 200, 1.2),
    "ismcts:20": Sizes("tiny", 40, 60, 10.0),
    f"{Path(__file__).stem}:SmallSearch": Sizes("tiny", 40, 60, 20.0),
    "greedy": Sizes("carcassonne", 40, 50, 25.0),
}


class SmallSearch(PolicySearchAgent):
    """A search that looks ahead as little as can be, so that there are enough games."""

    def __init__(self) -> None:
        settings = SearchSettings(worlds=2, depth=2, top=3)
        super().__init__(PolicyAgent.load(shipped.FOLDER / "rookie"), settings, name="search")


@dataclass(frozen=True)
class Arguments:
    """Which agents, and where to keep what was found."""

    agents: tuple[str, ...] = tuple(PLAYERS)
    """Names of those that are known here."""
    out: Path = Path("runs/coverage")
    """Folder."""


@dataclass(frozen=True)
class Piece:
    """One study of one agent."""

    study: str
    run: Study
    setting: Setting
    cost: float  # seconds, about

    @property
    def name(self) -> str:
        """Of its file."""
        agent = Path(self.setting.agent).name if ":" in self.setting.agent else self.setting.agent
        sizes = f"{self.setting.runs}x{self.setting.deals}"
        return re.sub(r"[^\w.@-]+", "-", f"{agent} {self.study} {sizes}") + ".parquet"


def pieces(agent: str) -> Iterator[Piece]:
    """The studies of an agent; those of self-play share their games."""
    sizes = PLAYERS[agent]
    ruleset = load_ruleset(sizes.ruleset)
    second, changes = sizes.milliseconds / 1000, CHANGES[sizes.ruleset]
    setting = Setting(agent, ruleset, changes, sizes.runs, sizes.deals, SEED)
    games = sizes.runs * sizes.deals
    for i, (study, run) in enumerate(SELF_PLAY.items()):
        yield Piece(study, run, setting, (3 * games * second if i == 0 else 0) + sizes.runs / 5)
    rival = next(name for name in RIVALS if name != agent)
    against = partial(interval_studies.tournament, rival=rival)
    yield Piece(f"tournament with {rival}", against, setting, 3 * games * second)
    if sizes.measured:
        few = Setting(agent, ruleset, changes, sizes.runs, sizes.deals // 3, SEED)
        for study, run in MEASURED.items():
            yield Piece(study, run, few, 2 * games * second)


def play(piece: Piece, folder: Path, progress: Progress) -> pd.DataFrame:
    """The rows of a piece, made or read."""
    path = folder / piece.name
    if path.exists():
        return pd.read_parquet(path)
    bar = progress.add_task(f"{piece.setting.agent}: {piece.study}", total=piece.setting.runs)
    rows = []
    for row in piece.run(piece.setting):
        rows.append(row)
        progress.update(bar, completed=row["run"])
    progress.remove_task(bar)
    table = pd.DataFrame(rows)
    part = path.with_suffix(".part")
    table.to_parquet(part)
    part.replace(path)
    return table


def line(piece: Piece, found: Coverage) -> str:
    """A row of the page's table."""
    held, alarms = found.held, found.alarms
    low, high = (f"{100 * end:.1f}" for end in (held.low, held.high))
    share = f"{100 * held.value:.1f} % [{low}, {high}]" if found.intervals else "none to tell"
    miss = " **off**" if held.high < CONFIDENCE or held.low > CONFIDENCE else ""
    false = "" if alarms is None else f"{alarms.wins} of {alarms.games}"
    setting = piece.setting
    where = f"{setting.agent.replace(str(shipped.FOLDER) + '/', '')}, {setting.ruleset.name}"
    few = f"{found.sparse.wins:,} of {found.sparse.games:,}" if found.sparse.games else ""
    words = (
        where,
        piece.study,
        found.runs,
        setting.deals,
        found.intervals,
        share + miss,
        few,
        false,
    )
    return "| " + " | ".join(str(word) for word in words) + " |"


def main() -> None:
    """Play what is not there yet, agent by agent, then print the table."""
    arguments = tyro.cli(Arguments, description=__doc__)
    if unknown := [agent for agent in arguments.agents if agent not in PLAYERS]:
        sys.exit(f"agents {', '.join(unknown)}: known: {', '.join(PLAYERS)}")
    torch.set_num_threads(1)
    gc.freeze()  # statsmodels collects garbage at every correction: keep what is imported out of it
    arguments.out.mkdir(parents=True, exist_ok=True)
    todo = {agent: list(pieces(agent)) for agent in arguments.agents}
    total = sum(piece.cost for found in todo.values() for piece in found)
    lines = []
    with Progress(
        *Progress.get_default_columns(), MofNCompleteColumn(), console=Console(stderr=True)
    ) as progress:
        whole = progress.add_task("all, seconds about", total=total)
        for agent in list(todo):
            for piece in todo.pop(agent):
                lines.append(line(piece, cover(play(piece, arguments.out, progress))))
                progress.console.print(lines[-1], markup=False)
                progress.advance(whole, piece.cost)
    print(*HEAD, sep="\n")
    print(*lines, sep="\n")


if __name__ == "__main__":
    main()
