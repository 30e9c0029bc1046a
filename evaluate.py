"""Measure agents and rules.

python evaluate.py tournament random heuristic ppo:runs/demo --games 2000
python evaluate.py exploit master --games 2000
python evaluate.py report --ruleset my.yaml --quick
"""

from __future__ import annotations

import os
import sys

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import torch
import tyro
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress
from tyro.conf import Positional, arg

from agents import AgentError, AnyAgent
from agents.balance.report.build import write_report
from agents.balance.report.settings import ReportSettings
from agents.exploit import HEADROOM, measure_gain, open_victim, search_response, train_response
from agents.policy_search import SearchSettings
from agents.ppo.guards import TrainingCollapse
from agents.tournament import Results, Tournament, parse_limits, play_tournament
from agents.tournament_report import Report
from channel_tunnel_env import ChannelTunnelError, load_ruleset

AGENTS_HELP = (
    "The first one is the ladder's zero. random, heuristic, racer, engineer, politician, rookie, club, "
    "master, master-search@50ms, ismcts:1000, ismcts:50ms, ppo:FOLDER, module:attribute."
)

WIDTH_OF_FILES = 130


def tournament(
    agents: Annotated[
        Positional[tuple[str, ...]], arg(metavar="AGENT AGENT ...", help=AGENTS_HELP)
    ],
    games: int = 2000,
    seed: int = 20_000,
    ruleset: str = "standard",
    limit: Annotated[tuple[str, ...], arg(metavar="AGENT=GAMES")] = (),
    out: Annotated[Path | None, arg(metavar="FOLDER")] = None,
    workers: int | None = None,
) -> None:
    """Every agent as Britain against every agent as France, and a ladder of strengths.

    Args:
        agents: See AGENTS_HELP.
        games: Deals for each pairing; the same ones for all.
        seed: Seed of the deals and of the agents' own luck.
        ruleset: Ruleset name or YAML file.
        limit: At most so many deals for each pairing with a slow agent: ismcts:10000=40.
        out: Keep the games there as Parquet, with report.md and results.json; a stopped tournament goes on.
        workers: Processes; the games are the same. Default: every core.
    """
    console = _console()
    settings = Tournament(agents, games, seed, ruleset, parse_limits(limit))
    started = time.monotonic()
    results = _play_with_a_bar(settings, console, workers, out)
    seconds = time.monotonic() - started
    report = Report.of(results)
    for sheet in reversed(report.sheets):  # the ladder last: a terminal shows the end
        console.print(sheet.to_rich())
    console.print("", *report.notes, sep="\n", highlight=False)
    rules = f"{results.ruleset.name} ({results.ruleset.digest})"
    console.print(
        f"\n{settings.total_games:,} games of {rules} in {seconds:.0f} s", highlight=False
    )
    if out:
        report.write(out)
        console.print(f"Report: {out / 'report.md'}", highlight=False)


def exploit(
    agent: Annotated[Positional[str], arg(metavar="AGENT")],
    method: Literal["search", "training"] = "search",
    games: int = 2000,
    seed: int = 20_000,
    ruleset: str = "standard",
    search: Annotated[SearchSettings, arg(name="")] = HEADROOM,
    decisions: int = 2_000_000,
    run: Annotated[Path | None, arg(metavar="FOLDER")] = None,
    threads: int = 1,
) -> None:
    """How much a best response wins against a frozen policy: a lower bound on its exploitability.

    Args:
        agent: The policy: ppo:FOLDER, rookie, club or master.
        method: A search that knows the policy, or a learner that starts as the policy.
        games: Deals a seat.
        seed: Seed of the deals.
        ruleset: Ruleset name or YAML file.
        search: How far the search looks.
        decisions: Budget of the learner, decisions of both seats.
        run: Folder of the learner's run.
        threads: Threads of torch.
    """
    console = _console()
    torch.set_num_threads(threads)
    rules = load_ruleset(ruleset)
    victim = open_victim(agent, rules)
    response: AnyAgent
    if method == "search":
        response = search_response(victim, search, seed)
        how = f"search, {search.worlds} worlds, {search.depth} plies, top {search.top}"
    else:
        if run is None:
            raise AgentError("--method training: --run FOLDER is needed for the learner")
        response = train_response(
            victim, run, decisions, ruleset=ruleset, seed=seed, threads=threads
        )
        how = f"warm-started PPO, {decisions:,} decisions"
    gain = measure_gain(response, victim, games, seed, rules)
    console.print(f"Best response to {agent} ({how}), {games} deals a seat:", highlight=False)
    console.print(f"  {gain}", f"  both seats {gain.rate}", sep="\n", highlight=False)
    console.print("  A lower bound: a better response may exist.", highlight=False)


def report(
    ruleset: str = "standard",
    agents: Annotated[tuple[str, ...], arg(metavar="AGENT AGENT ...")] = (),
    deals: int | None = None,
    quick: bool = False,
    seed: int = 20_000,
    workers: int | None = None,
    out: Annotated[Path | None, arg(metavar="FOLDER")] = None,
    skip: Annotated[tuple[str, ...], arg(metavar="SECTION ...")] = (),
) -> None:
    """A balance report: one HTML page that says whether a ruleset is fair, and why.

    Args:
        ruleset: Ruleset name or YAML file.
        agents: Default: random heuristic rookie club master; for rules without trained policies random
            heuristic ismcts:100.
        deals: Deals of every pairing. Default: 5000, with --quick 500.
        quick: About a minute: fewer agents and deals, no restricted play.
        seed: Seed of the deals and of the agents' own luck.
        workers: Processes; the numbers are the same. Default: every core, with --quick one.
        out: Keep everything there; a stopped report goes on. Default: runs/report-RULESET.
        skip: Sections to leave out: sides, matrix, endings, length, luck, tension, economy, cards,
            actions, restricted, openings, health.
    """
    console = _console()
    settings = ReportSettings(ruleset, agents, deals, quick, seed, skip)
    started = time.monotonic()
    with Progress(
        *Progress.get_default_columns(), MofNCompleteColumn(), console=console, transient=True
    ) as bar:

        def begin(stage: str, total: int) -> Callable[[int], object]:
            task = bar.add_task(stage, total=total or None)
            return lambda ended: bar.advance(task, ended)

        written = write_report(settings, out or settings.folder, begin, workers, console.print)
    verdict = written.page.verdict
    console.print(f"{verdict.question} {verdict.answer.capitalize()}.\n", highlight=False)
    for sentence in verdict.sentences:
        console.print(f"- {sentence}", highlight=False)
    seconds = time.monotonic() - started
    console.print(f"\nReport: {written.html} ({seconds:.0f} s)", highlight=False)


def _console() -> Console:
    """As wide as the terminal; in a file wide enough that names are not folded."""
    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = WIDTH_OF_FILES
    return console


def _play_with_a_bar(
    settings: Tournament, console: Console, workers: int | None, folder: Path | None
) -> Results:
    with Progress(
        *Progress.get_default_columns(), MofNCompleteColumn(), console=console, transient=True
    ) as bar:
        task = bar.add_task("games", total=settings.total_games)
        return play_tournament(settings, lambda ended: bar.advance(task, ended), workers, folder)


COMMANDS: dict[str, Callable[..., Any]] = {
    "tournament": tournament,
    "exploit": exploit,
    "report": report,
}


def main(argv: list[str] | None = None) -> int:
    """Exit status 0; 2 for a wrong argument, agent or ruleset, or a policy that does not fit."""
    try:
        tyro.extras.subcommand_cli_from_dict(
            COMMANDS, prog="evaluate.py", description=__doc__, args=argv
        )
    except (AgentError, ChannelTunnelError, TrainingCollapse, OSError) as error:
        Console(stderr=True).print(
            f"evaluate.py: {error}", style="red", highlight=False, soft_wrap=True
        )
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
