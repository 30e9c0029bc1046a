"""Openings: the first turns of games as a tree, how often each is played and how often it wins.

A turn is named by its space and the action chosen there, whatever the colour of its discs:
`plan_tunnel tunnel`, `slot_2 develop`, `pass`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.deals import CHUNK, check_count, chunk_deals, chunks, seat_agents
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.matches.arena import by_seat, deal_games, first_points, play_out
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.statistics import Figure, share_figure
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

DEPTH = 3  # turns
LEAST = 20  # games; fewer say nothing
REST, END = "other", "end"


@dataclass(frozen=True)
class Opening:
    """The games that began with a line of turns.

    Attributes:
        move: the last turn of the line; "" at the root, `other` for all rare moves together, `end` if the game has ended.
        games: number of games that followed the line.
        share: of the games that reached the turn before, 0..1.
        britain: mean points of Britain, which moves first in every game; clustered by deal.
        replies: the next turns, the most frequent first, then `other` and `end`.
    """

    move: str
    games: int
    share: float
    britain: Figure
    replies: tuple[Opening, ...]


@dataclass(frozen=True)
class OpeningGames:
    """Games by their first turns.

    Attributes:
        lines: the first turns of each game, up to the requested depth.
        britain_points: (G,) 1, 0.5 or 0.
        deals: (G,) deal seeds.
    """

    lines: list[list[str]]
    britain_points: NDArray[np.float64]
    deals: NDArray[np.int64]


def opening_tree(
    lines: Sequence[Sequence[str]],
    britain_points: NDArray[np.float64],
    deals: NDArray[np.int64],
    depth: int = DEPTH,
    least: int = LEAST,
) -> Opening:
    """The tree of the first turns; `dataclasses.asdict` makes it JSON-serialisable.

    Args:
        lines: names of the turns of each game.
        britain_points: (G,) 1, 0.5 or 0.
        deals: (G,) the deal of each game; games of one deal share its luck.
        depth: number of turns.
        least: moves with fewer games are merged into `other`, without replies.

    Raises:
        ValueError: no games, or lines, points and deals differ in length.
    """
    check_count("depth", depth)
    check_count("least", least)
    sizes = len(lines), len(britain_points), len(deals)
    if len(set(sizes)) > 1 or not lines:
        raise ValueError(
            f"openings: {sizes[0]} lines, {sizes[1]} points, {sizes[2]} deals; one of each a game is needed"
        )
    table = pd.DataFrame({turn: [line[turn] if turn < len(line) else None for line in lines] for turn in range(depth)})
    table["points"], table["deal"] = np.asarray(britain_points), np.asarray(deals)
    return _node("", table, 0, depth, least, len(table))


def _node(move: str, table: pd.DataFrame, turn: int, depth: int, least: int, before: int) -> Opening:
    britain = share_figure(table["points"], table["deal"])
    replies: list[Opening] = []
    if turn < depth and move not in (REST, END):
        counts = table[turn].value_counts()
        counts = counts.sort_index().sort_values(ascending=False, kind="stable")
        names = [str(name) for name in counts.index if counts[name] >= least]
        rare = table[table[turn].notna() & ~table[turn].isin(names)]
        parts = [(name, table[table[turn] == name]) for name in names]
        parts += [(name, part) for name, part in ((REST, rare), (END, table[table[turn].isna()])) if len(part)]
        replies = [_node(n, part, turn + 1, depth, least, len(table)) for n, part in parts]
    return Opening(move, len(table), len(table) / before, britain, tuple(replies))


def play_openings(
    agent: str,
    ruleset: Ruleset,
    games: int,
    seed: int,
    depth: int = DEPTH,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> OpeningGames:
    """Play an agent against itself and keep each game's first turns.

    Args:
        games: deals, each played once.
        seed: of the deals and of the agents' dice.
        depth: turns kept.
        workers: processes; None: one per core. The games do not depend on it.
        progress: called with the number of games just finished.

    Raises:
        ValueError: no games or no depth.
        AgentError, VersionError: an agent that is unknown or does not fit the ruleset.
    """
    check_count("games", games)
    check_count("depth", depth)
    make_agent(agent, ruleset)
    tasks = [_Task(agent, ruleset, seed, depth, *chunk) for chunk in chunks(games, CHUNK)]
    parts = spread_in_order(_play, tasks, workers, progress, lambda part: len(part.lines))
    return OpeningGames(
        [line for part in parts for line in part.lines],
        np.concatenate([part.britain_points for part in parts]),
        np.concatenate([part.deals for part in parts]),
    )


@dataclass(frozen=True)
class _Task:
    agent: str
    ruleset: Ruleset
    seed: int
    depth: int
    start: int
    stop: int


def _play(task: _Task) -> OpeningGames:
    seeds = chunk_deals(task.seed, task.start, task.stop)
    batch = deal_games(seeds, task.ruleset)
    lines: list[list[str]] = [[] for _ in seeds]

    def note(rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        for row in rows[batch.states["phase"][rows] == c.TURN]:
            if len(lines[row]) < task.depth:
                lines[row].append(turn_name(int(actions[row])))

    agents = seat_agents((task.agent, task.agent), task.ruleset, task.seed, task.start)
    play_out(batch, by_seat(batch, *agents), note)
    return OpeningGames(lines, first_points(batch), seeds)


def turn_name(action: int) -> str:
    """The name of a turn without its colour.

    Raises:
        ValueError: the action is neither a placement nor a pass.
    """
    if not a.PLACE <= action <= a.PASS:
        raise ValueError(f"action {action}: only a placement or a pass is a turn")
    words = a.ACTION_NAMES[action].split()
    return words[0] if action == a.PASS else " ".join(words[2:])
