"""Restricted play: what a side loses when a family of actions is forbidden to it, or forced on it.

Jaffe, Miller, Andersen, Liu, Karlin & Popovic, "Evaluating Competitive Game Balance with Restricted
Play" (AIIDE 2012). The restriction is a filter over the mask of legal actions, so any plain agent can
be restricted. The agent does not plan for its restriction; what it costs a player who does may be less.

Until a restriction takes away what the agent would have done, its game is the unrestricted one. So every deal is
played without restriction beside its restricted games, and these follow it, at no cost, up to there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.deals import check_count, chunk_seed
from channel_tunnel_agents.balance.measuring.significance import Tested, corrected, paired_p
from channel_tunnel_agents.base import Agent, agent_seed, keeps_choice
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.matches.arena import MAX_BATCH, Rows, deal_games, deal_seeds, first_points, play_out
from channel_tunnel_agents.players.restricted import MODES, Restriction, families, find_family
from channel_tunnel_agents.registry import make_plain_agent
from channel_tunnel_agents.statistics import Estimate, estimate_change, estimate_share
from channel_tunnel_env import BatchGame, Ruleset

DEALS_AT_ONCE = 512  # of one restriction in one batch


@dataclass(frozen=True)
class RestrictionEffect(Tested):
    """The effect of one restriction on one side.

    Attributes:
        mode, family, sentence: the restriction; see `Restriction` and `Family`.
        side: the restricted side; its rival plays unrestricted.
        effect: the side's share of wins (a draw is half of one) restricted minus unrestricted, -1 to 1.
        bound: share of the side's decisions at which the restriction changed the mask, 0 to 1.
        p: p-value of no effect, see `paired_p`.
        p_holm: the same, corrected for the number of rows.
        n: deals.
        differing: deals whose result differs.
    """

    mode: str
    family: str
    sentence: str
    side: str
    effect: Estimate
    bound: Estimate
    p: float
    p_holm: float
    n: int
    differing: int


Arm = tuple[str, str, int]
"""Mode and family of a restriction, and the seat that it binds."""


@dataclass(frozen=True)
class _Task:
    """Some arms on some deals, and everything their results depend on."""

    agent: str
    ruleset: Ruleset
    arms: tuple[Arm, ...]
    seeds: tuple[int, ...]
    agent_seed: int
    place: tuple[int, int]  # indices of the first arm and the first deal


def measure_restrictions(
    agent: str,
    ruleset: Ruleset,
    deals: int,
    seed: int,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
    names: Sequence[str] | None = None,
    modes: Sequence[str] = MODES,
) -> list[RestrictionEffect]:
    """Play every restriction on every side, and the unrestricted agent, on the same deals.

    Args:
        agent: its name, see `agents.make_agent`; it must play from observations.
        deals: 1 or more; a deal is one game per row.
        seed: of the deals and of the agent's own luck; 0 or more.
        workers, progress: as of `spread_in_order`, of the restricted games; the figures do not depend on the workers.
        names: names of families; None: all that exist in the ruleset.
        modes: "ban", "force" or both.

    Returns:
        One row per family, mode and side, in the order of `families`.

    Raises:
        AgentError: an unknown agent, family or mode, the message gives the nearest ones; an agent
            that searches; a wrong number.
        VersionError: a policy made for another ruleset or version.
    """
    check_count("deals", deals)
    agent_seed(seed)
    make_plain_agent(agent, ruleset)
    game = ruleset.spec.name
    chosen = families(ruleset) if names is None else [find_family(name, game) for name in names]
    restrictions = [Restriction(mode, family) for family in chosen for mode in modes]
    seats = ruleset.seats
    laid = [(r, seat) for r in restrictions for seat in range(len(seats))]
    arms = tuple((r.mode, r.family.name, seat) for r, seat in laid)
    tasks = _tasks(agent, ruleset, arms, deals, seed)
    parts = spread_in_order(_play_task, tasks, workers, progress, lambda part: part[0].size)
    found = np.empty((3, len(arms), deals))
    for task, part in zip(tasks, parts, strict=True):
        arm, deal = task.place
        found[:, arm : arm + len(task.arms), deal : deal + len(task.seeds)] = part
    return _rows(laid, seats, found)


def _tasks(agent: str, ruleset: Ruleset, arms: tuple[Arm, ...], deals: int, seed: int) -> list[_Task]:
    """Batches of at most MAX_BATCH games: few arms on many deals, because each arm adds overhead. The unrestricted
    games are played in every batch, for its arms to follow."""
    seeds = deal_seeds(deals, seed).tolist()
    width = min(deals, DEALS_AT_ONCE)
    height = max(1, MAX_BATCH // width - 1)
    places = [(i, j) for j in range(0, deals, width) for i in range(0, len(arms), height)]
    return [
        _Task(
            agent,
            ruleset,
            arms[i : i + height],
            tuple(seeds[j : j + width]),
            chunk_seed(seed, j),  # the same for all arms, so that only the restriction differs
            (i, j),
        )
        for i, j in places
    ]


def _play_task(task: _Task) -> NDArray[np.float64]:
    """The restricted seat's gain in points, its decisions, and how many were bound: (3, arms, deals)."""
    deals, arms = len(task.seeds), len(task.arms)
    batch = deal_games(np.tile(np.asarray(task.seeds, np.int64), 1 + arms), task.ruleset)
    table = _Table(make_plain_agent(task.agent, task.ruleset, task.agent_seed), batch, task)
    play_out(batch, table.decide)
    shape = 1 + arms, deals
    points = first_points(batch).reshape(shape)
    asked, bound = table.asked.reshape(shape), table.bound.reshape(shape)
    # The first seat's gain is the second one's loss.
    signs = np.array([1.0 if seat == 0 else -1.0 for *_, seat in task.arms])[:, None]
    return np.stack([signs * (points[1:] - points[0]), asked[1:], bound[1:]])


class _Table:
    """All games of a task at once: the agent decides for both seats, the arm's seat restricted.

    The unrestricted games come first; those of an arm follow them deal by deal until the agent does something else.
    """

    def __init__(self, agent: Agent, batch: BatchGame, task: _Task) -> None:
        self.agent, self.batch = agent, batch
        self.deals = len(task.seeds)
        game = task.ruleset.spec.name
        self.arms = [
            (i, seat, Restriction.of(mode, family, game)) for i, (mode, family, seat) in enumerate(task.arms, 1)
        ]
        self.asked = np.zeros(batch.num_games, np.int64)
        self.bound = np.zeros(batch.num_games, np.int64)
        self.follows = np.arange(batch.num_games) >= self.deals
        self.unrestricted = np.zeros(self.deals, np.int64)

    def decide(self, rows: Rows) -> NDArray[np.integer[Any]]:
        """Actions for the rows, which are in ascending order."""
        masks, is_bound = self._restricted(rows)
        usual = self._usual(rows, masks)
        stays = ~is_bound
        if keeps_choice(self.agent):
            stays |= masks[np.arange(len(rows)), usual]
        stays &= self.follows[rows]
        stays[: np.searchsorted(rows, self.deals)] = True
        asked = np.flatnonzero(~stays)
        if asked.size:
            found = self.agent(self.batch.observations[rows[asked]], masks[asked])
            self.follows[rows[asked]] &= found == usual[asked]
            usual[asked] = found
        return usual

    def _restricted(self, rows: Rows) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """What each row may do (n, A), and whether that is less than the rules allow (n,)."""
        masks, is_bound = self.batch.masks[rows], np.zeros(len(rows), bool)
        to_play = self.batch.to_play[rows]
        for i, seat, restriction in self.arms:
            start, stop = np.searchsorted(rows, (i * self.deals, (i + 1) * self.deals))
            own = start + np.flatnonzero(to_play[start:stop] == seat)
            if own.size:
                left = restriction.apply(self.batch.observations[rows[own]], masks[own])
                is_bound[own] = (left != masks[own]).any(axis=1)
                masks[own] = left
                self.asked[rows[own]] += 1
        self.bound[rows] += is_bound
        return masks, is_bound

    def _usual(self, rows: Rows, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """What is done in the unrestricted game of each row's deal; of a deal whose game is over, what was done last."""
        own = rows[: np.searchsorted(rows, self.deals)]
        if own.size:
            self.unrestricted[own] = self.agent(self.batch.observations[own], masks[: own.size])
        return self.unrestricted[rows % self.deals]


def _rows(
    laid: Sequence[tuple[Restriction, int]], seats: Sequence[str], found: NDArray[np.float64]
) -> list[RestrictionEffect]:
    """What `_play_task` found of all deals -> one row per restriction."""
    gains, (asked, bound) = found[0], found[1:].astype(np.int64)
    return corrected(
        [
            RestrictionEffect(
                mode=restriction.mode,
                family=restriction.family.name,
                sentence=restriction.family.sentence,
                side=seats[seat],
                effect=estimate_change(gains[i]),
                bound=_share(bound[i], asked[i]),
                p=paired_p(gains[i]),
                p_holm=1.0,
                n=len(gains[i]),
                differing=int(np.count_nonzero(gains[i])),
            )
            for i, (restriction, seat) in enumerate(laid)
        ]
    )


def _share(parts: NDArray[np.int64], wholes: NDArray[np.int64]) -> Estimate:
    """Share of all decisions, clustered by deal, from counts (deals,) of the part and the whole."""
    rest = wholes - parts
    deals = np.arange(len(parts))
    values = np.repeat([1.0, 0.0], [parts.sum(), rest.sum()])
    return estimate_share(values, np.concatenate([deals.repeat(parts), deals.repeat(rest)]))
