"""Play agents against each other: every pair on the same deals, both ways round.

python evaluate.py random heuristic ppo:runs/demo --games 2000
"""

from __future__ import annotations

import os
import sys

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress
from rich.table import Table

from agents import AgentError, AnyAgent, make_agent
from agents.arena import MatchResult, play_match
from agents.statistics import Rate
from channel_tunnel_env import ChannelTunnelError, __version__, load_ruleset


@dataclass(frozen=True)
class Arguments:
    """Every agent as Britain against every agent as France."""

    agents: tyro.conf.Positional[tuple[str, ...]]
    """random, heuristic, racer, engineer, politician, ismcts:1000, ismcts:50ms, ppo:FOLDER, module:attribute."""
    games: int = 2000
    """Deals for each pairing; the same ones for all."""
    seed: int = 20_000
    """Seed of the deals."""
    ruleset: str = "standard"
    """Ruleset name or YAML file."""
    out: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Also write report.md and results.json there."""


def main(argv: list[str] | None = None) -> int:
    """Exit status 0; 2 for an unknown agent, ruleset or a policy that does not fit."""
    given = sys.argv[1:] if argv is None else list(argv)
    arguments = tyro.cli(Arguments, args=given, prog="evaluate.py", description=__doc__)
    console = Console()
    try:
        if arguments.games < 1 or len(arguments.agents) < 2:
            raise AgentError("at least two agents and one game are needed")
        ruleset = load_ruleset(arguments.ruleset)
        agents = [make_agent(spec, ruleset, seed=i) for i, spec in enumerate(arguments.agents)]
        started = time.monotonic()
        results = play_all(agents, arguments, console)
        seconds = time.monotonic() - started
    except (AgentError, ChannelTunnelError) as error:
        Console(stderr=True).print(f"evaluate.py: {error}", style="red", highlight=False)
        return 2
    for table in (side_table(agents, results), pair_table(agents, results)):
        console.print(table)
    games = sum(result.games for result in results.values())
    console.print(f"{games:,} games of {ruleset.name} ({ruleset.digest}) in {seconds:.0f} s")
    if arguments.out:
        write_report(arguments, given, agents, results)
        console.print(f"Report: {arguments.out / 'report.md'}")
    return 0


Results = dict[tuple[int, int], MatchResult]


def play_all(agents: list[AnyAgent], arguments: Arguments, console: Console) -> Results:
    """(Britain's agent, France's agent) -> result, for every ordered pair."""
    pairs = [(i, j) for i in range(len(agents)) for j in range(len(agents))]
    with Progress(
        *Progress.get_default_columns(), MofNCompleteColumn(), console=console, transient=True
    ) as bar:
        task = bar.add_task("games", total=len(pairs) * arguments.games)
        return {
            (i, j): play_match(
                agents[i],
                agents[j],
                arguments.games,
                arguments.seed,
                arguments.ruleset,
                lambda ended: bar.advance(task, ended),
            )
            for i, j in pairs
        }


def side_table(agents: list[AnyAgent], results: Results) -> Table:
    """Britain's win rate: rows as Britain, columns as France."""
    table = Table(
        title="Britain's share of wins [95 % Wilson interval]; row plays Britain, column France"
    )
    table.add_column("")
    for agent in agents:
        table.add_column(agent.name, justify="right")
    for i, agent in enumerate(agents):
        cells = [
            str(Rate(results[i, j].wins("britain"), results[i, j].games))
            for j in range(len(agents))
        ]
        table.add_row(agent.name, *cells)
    return table


def pair_table(agents: list[AnyAgent], results: Results) -> Table:
    """Each agent's wins over each other agent, per seat and in both together."""
    table = Table(title="Each pair on the same deals, seats swapped")
    for column in (
        "agent",
        "against",
        "as Britain",
        "as France",
        "both",
        "drawn",
        "stopped",
        "rounds",
    ):
        table.add_column(column, justify="left" if column in ("agent", "against") else "right")
    for row in pair_rows(agents, results):
        table.add_row(*row)
    return table


def pair_rows(agents: list[AnyAgent], results: Results) -> list[tuple[str, ...]]:
    """The cells of `pair_table`."""
    rows: list[tuple[str, ...]] = []
    for i, one in enumerate(agents):
        for j, other in enumerate(agents):
            if i <= j:
                continue
            home, away = results[i, j], results[j, i]
            wins = home.wins("britain"), away.wins("france")
            games = home.games + away.games
            rows.append(
                (
                    one.name,
                    other.name,
                    str(Rate(wins[0], home.games)),
                    str(Rate(wins[1], away.games)),
                    str(Rate(sum(wins), games)),
                    f"{(home.draws + away.draws) / games:.1%}",
                    f"{(home.truncated + away.truncated) / games:.1%}",
                    f"{(home.rounds.mean() + away.rounds.mean()) / 2:.1f}",
                )
            )
    return rows


def write_report(
    arguments: Arguments, given: list[str], agents: list[AnyAgent], results: Results
) -> None:
    """report.md for a person, results.json for a program."""
    assert arguments.out is not None
    arguments.out.mkdir(parents=True, exist_ok=True)
    ruleset = load_ruleset(arguments.ruleset)
    names = [agent.name for agent in agents]
    lines = [
        f"# Evaluation on {ruleset.name}",
        "",
        f"- command: `python evaluate.py {' '.join(given)}`",
        f"- ruleset: {ruleset.name}, digest {ruleset.digest}; package {__version__}",
        f"- {arguments.games} deals a pairing, deal seed {arguments.seed}; the same deals for all",
        "- intervals: 95 % Wilson",
        "",
        "## Each pair, seats swapped",
        "",
        "| agent | against | as Britain | as France | both | drawn | stopped | rounds |",
        "|---|---|---|---|---|---|---|---|",
        *("| " + " | ".join(row) + " |" for row in pair_rows(agents, results)),
        "",
        "## Britain's share of wins (row plays Britain, column France)",
        "",
        "| | " + " | ".join(names) + " |",
        "|---" * (len(names) + 1) + "|",
    ]
    for i, name in enumerate(names):
        cells = [
            str(Rate(results[i, j].wins("britain"), results[i, j].games)) for j in range(len(names))
        ]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    (arguments.out / "report.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (arguments.out / "results.json").write_text(
        json.dumps(_plain_results(arguments, names, results), indent=1), encoding="utf-8"
    )


def _plain_results(arguments: Arguments, names: list[str], results: Results) -> dict[str, Any]:
    return {
        "ruleset": arguments.ruleset,
        "seed": arguments.seed,
        "agents": names,
        "matches": [
            {
                "britain": result.britain,
                "france": result.france,
                "games": result.games,
                "britain_wins": result.wins("britain"),
                "france_wins": result.wins("france"),
                "draws": result.draws,
                "stopped": result.truncated,
                "decisions": result.decisions,
                "mean_rounds": float(result.rounds.mean()),
            }
            for result in results.values()
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
