"""How much skill a game has: search against half as much (SkillTrace of Ludii, SkillLadder of TAG).

If twice the search still wins more, thinking longer still finds something.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.deals import check_count, chunk_deals, chunk_seed, chunks
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.matches.arena import by_seat, play_out
from channel_tunnel_agents.matches.shares import shares_of
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.search.ismcts import MAX_ITERATIONS
from channel_tunnel_agents.statistics import Figure, share_figure
from channel_tunnel_env import BatchGame, Ruleset

FACTOR = 2
DEALS_A_TASK = 8  # a game of a strong search takes seconds


@dataclass(frozen=True)
class SkillRung:
    """A search against one with half the simulations, both seatings on the same deals.

    Attributes:
        iterations: simulations per decision of the weaker search.
        stronger: simulations per decision of the stronger one.
        win_rate: points per game of the stronger one over both seatings; n counts games.
        as_side: the same, by side of the stronger one.
    """

    iterations: int
    stronger: int
    win_rate: Figure
    as_side: dict[str, Figure]


def measure_skill_ladder(
    sizes: Sequence[int],
    ruleset: Ruleset,
    deals: int,
    seed: int,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> list[SkillRung]:
    """Play `ismcts:2n` against `ismcts:n` for each n, in both seats of the same deals.

    Args:
        sizes: the values of n, simulations per decision; one rung each, in this order.
        deals: deals per rung, two games each.
        seed: of the deals and the searches.
        workers: processes; None: one per core. The numbers do not depend on it.
        progress: called with the number of games just finished; those of the largest size come first, so that what is
            left takes no longer than what was done.

    Raises:
        AgentError: no sizes, or one that is given twice or out of range.
        ValueError: no deals.
    """
    check_count("deals", deals)
    _check_sizes(sizes)
    tasks = [
        _Task(size, ruleset, seed, start, stop)
        for size in sorted(sizes, reverse=True)
        for start, stop in chunks(deals, DEALS_A_TASK)
    ]
    parts = spread_in_order(_play, tasks, workers, progress, lambda part: part.size)
    played = [*zip(tasks, parts, strict=True)]
    seats = ruleset.seats
    return [_rung(size, seats, [part for task, part in played if task.size == size]) for size in sizes]


def _check_sizes(sizes: Sequence[int]) -> None:
    most = MAX_ITERATIONS // FACTOR
    wrong = [size for size in sizes if not 1 <= size <= most]
    if not sizes or wrong or len(set(sizes)) < len(sizes):
        raise AgentError(f"skill ladder: sizes {list(sizes)}; expected different numbers of iterations, 1 to {most}")


def _rung(size: int, seats: Sequence[str], parts: list[NDArray[np.float64]]) -> SkillRung:
    points = np.concatenate(parts, axis=1)
    deals = np.tile(np.arange(points.shape[1]), len(seats))
    sides = {side: share_figure(points[seat]) for seat, side in enumerate(seats)}
    return SkillRung(size, FACTOR * size, share_figure(points.ravel(), deals), sides)


@dataclass(frozen=True)
class _Task:
    size: int
    ruleset: Ruleset
    seed: int
    start: int
    stop: int


def _play(task: _Task) -> NDArray[np.float64]:
    """Points of the stronger search by its seat and deal: (2, n)."""
    weaker, stronger = (
        make_agent(f"ismcts:{size}", task.ruleset, chunk_seed(task.seed, 0, size))
        for size in (task.size, FACTOR * task.size)
    )
    batch = BatchGame(task.stop - task.start, task.ruleset)
    points = []
    for pair in ((stronger, weaker), (weaker, stronger)):
        batch.reset(seeds=chunk_deals(task.seed, task.start, task.stop))
        play_out(batch, by_seat(batch, *pair))
        points.append(shares_of(batch)[:, 0])
    return np.stack([points[0], 1 - points[1]])
