"""How fast tournaments are: games a second of scripted players, and what policies cost beside their networks.

    python benchmarks/tournament.py

Prints one JSON line a figure. The second figure is a ratio of times taken in turns, so a busy machine moves it
little: the bare forward passes are those of the same games, on the same rows.
"""

from __future__ import annotations

import json
import os
import statistics
import time

os.environ.setdefault("GOMP_SPINCOUNT", "10000")  # as evaluate.py

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import tyro

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.matches.tournament import (
    TablePart,
    Tournament,
    play_part,
    play_tournament,
)
from channel_tunnel_agents.players.policy.agent import PolicyAgent


@dataclass(frozen=True)
class Arguments:
    """What to time."""

    games: int = 20_000
    """Deals of each of the four pairings of random and heuristic."""
    workers: int | None = None
    """Processes. Default: every core."""
    policies: Annotated[tuple[str, str], tyro.conf.arg(metavar="AGENT AGENT")] = ("club", "master")
    """Two policies that play 1024 deals on one core."""
    repeats: int = 5
    """Turns of games and bare passes."""


def main() -> None:
    """Time both."""
    arguments = tyro.cli(Arguments, description=__doc__)
    tournament = Tournament(("random", "heuristic"), arguments.games)
    begun = time.perf_counter()
    play_tournament(tournament, workers=arguments.workers)
    seconds = time.perf_counter() - begun
    _print("tournament, random and heuristic, games/s", tournament.total_games / seconds)
    _print("tournament, policies, share of bare passes", _share_of_bare_passes(arguments))


def _share_of_bare_passes(arguments: Arguments) -> float:
    """Time of the networks' forward passes over the time of the whole part of a tournament."""
    part = TablePart(Tournament(arguments.policies, 1024), (0, 1), 0, 1024)
    calls = _record_calls(part)
    networks = [_policy(name) for name in arguments.policies]
    shares = []
    for _ in range(arguments.repeats):
        begun = time.perf_counter()
        play_part(part)
        whole = time.perf_counter() - begun
        begun = time.perf_counter()
        for place, rows in calls:
            networks[place].judge(rows)
        shares.append((time.perf_counter() - begun) / whole)
    return statistics.median(shares)


def _policy(name: str) -> PolicyAgent:
    agent = make_agent(name)
    assert isinstance(agent, PolicyAgent), f"{name}: a policy is needed"
    return agent


def _record_calls(part: TablePart) -> list[tuple[int, np.ndarray]]:
    """Whose network was asked, and the rows, call by call."""
    calls: list[tuple[int, np.ndarray]] = []
    play = PolicyAgent.__call__

    def noted(self, observations, masks):  # type: ignore[no-untyped-def]
        calls.append((part.tournament.agents.index(self.name), observations.copy()))
        return play(self, observations, masks)

    PolicyAgent.__call__ = noted  # type: ignore[method-assign]
    try:
        play_part(part)
    finally:
        PolicyAgent.__call__ = play  # type: ignore[method-assign]
    return calls


def _print(name: str, value: float) -> None:
    print(json.dumps({"name": name, "value": round(value, 4)}), flush=True)


if __name__ == "__main__":
    main()
