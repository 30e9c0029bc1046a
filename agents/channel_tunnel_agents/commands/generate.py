"""`generate`: a data set of games, as Parquet tables and records."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from channel_tunnel_env.cli.taking import RulesetFirst
from channel_tunnel_env.outside.progress import Stage, show_progress
from channel_tunnel_env.rulesets.ruleset import load_ruleset


def generate(
    out: Annotated[Path, tyro.conf.arg(metavar="FOLDER")],
    games: int = 10_000,
    agents: Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT ...")] = ("random",),
    ruleset: RulesetFirst = "standard",
    seed: int = 0,
    workers: int | None = None,
    minari: Annotated[str | None, tyro.conf.arg(metavar="DATASET")] = None,
    side: str = "",
) -> int:
    """Play games and save tables of games, decisions, cards and actions, and records that replay.

    For example:
        channel-tunnel generate --games 100 --out runs/data

    Args:
        out: the output folder; the same command continues where it was stopped.
        games: total number, spread over every agent in the first seat against every agent in the second.
        agents: random, heuristic, rookie, club, master, adept, ppo:FOLDER and others; a single agent plays
            itself.
        ruleset: a name or a YAML file.
        seed: seed of the deals and of the agents' own luck.
        workers: number of processes; the games do not depend on it. Default: every core.
        minari: also write one seat's view as this local Minari data set, such as channel-tunnel/britain-v0, and
            its card, data-card.json, into the folder.
        side: the seat of that view, or all. Default: the first.
    """
    # Their libraries come with an extra; the help needs none.
    from channel_tunnel_agents.matches import data_card, dataset

    rules = load_ruleset(ruleset)
    side = side or rules.seats[0]
    if minari:
        dataset.check_minari(minari, side, rules)  # before the games, not after
    console, started = Console(), time.monotonic()
    with show_progress() as progress:

        def begin(total: int) -> Stage:
            return progress.begin("games", total)

        results = dataset.generate(agents, games, out, ruleset, seed, workers, begin)
    seconds = time.monotonic() - started
    played = results.tournament.total_games
    console.print(f"{played:,} games in {out} ({seconds:.0f} s)", highlight=False, soft_wrap=True)
    if minari:
        count = dataset.export_minari(out, minari, side, ruleset)
        console.print(f"{count:,} episodes of {side} in the Minari data set {minari}", highlight=False)
        # The arguments that make the same data set again.
        words = ["--out", str(out), "--games", str(games), "--agents", *agents, "--ruleset", ruleset]
        words += ["--seed", str(seed), "--minari", minari, "--side", side]
        seats = [each for each in rules.seats if side in (each, dataset.ALL)]
        card = data_card.make_data_card(minari, out, rules, seats, f"channel-tunnel generate {shlex.join(words)}")
        data_card.write_data_card(card, out / data_card.CARD)
        console.print(f"its card: {out / data_card.CARD}", highlight=False, soft_wrap=True)
    return 0
