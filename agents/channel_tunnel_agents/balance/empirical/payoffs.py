"""What policies get against each other: one of them in a seat, another in all the others, every seat in turn.

All games are of the same deals, so that two entries differ by their players and not by their luck. Of two seats this is
the whole game; of more it holds every profile that a single seat can reach from one that all seats play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.deals import chunk_seed, chunks
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.matches.arena import deal_seeds, play_seeds
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset

CHUNK = 256  # deals of a task
SEED = 987_654_321  # of deals that no policy is trained on


@dataclass(frozen=True)
class Cast:
    """Who sits where: one policy in a seat, another in all the others."""

    seat: int
    lone: int
    others: int

    def players(self, seats: int) -> tuple[int, ...]:
        """The policy of every seat."""
        return tuple(self.lone if seat == self.seat else self.others for seat in range(seats))


@dataclass(frozen=True)
class Payoffs:
    """Shares of all seats on the same deals.

    Attributes:
        names: of the policies.
        seats: names of the seats.
        shares: by the policies that sit in the seats, (D, S) each: a row per deal.
        stopped: by the policies that sit in the seats, the share of games that ended without a result.
    """

    names: tuple[str, ...]
    seats: tuple[str, ...]
    shares: dict[tuple[int, ...], NDArray[np.float64]]
    stopped: dict[tuple[int, ...], float]

    @property
    def deals(self) -> int:
        """Number of deals."""
        return len(next(iter(self.shares.values())))

    def of(self, seat: int, lone: int, others: int) -> NDArray[np.float64]:
        """Per deal, the shares of all seats where one policy sits in a seat and another in the rest: (D, S)."""
        return self.shares[Cast(seat, lone, others).players(len(self.seats))]

    def own(self) -> NDArray[np.float64]:
        """What a seat gets with a policy while all others play another one: means (S, P, P)."""
        policies = range(len(self.names))
        means = [
            [[self.of(seat, p, q)[:, seat].mean() for q in policies] for p in policies]
            for seat in range(len(self.seats))
        ]
        return np.array(means)

    def first(self, deals: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
        """Of two seats, the first one's mean share (P, P) by both seats' policies.

        Args:
            deals: rows to average; None: all.
        """
        policies, rows = range(len(self.names)), slice(None) if deals is None else deals
        return np.array([[self.shares[p, q][rows, 0].mean() for q in policies] for p in policies])


@dataclass(frozen=True)
class _Task:
    players: tuple[str, ...]
    ruleset: Ruleset
    seed: int
    start: int
    stop: int


def play_payoffs(
    names: Sequence[str],
    ruleset: Ruleset,
    deals: int,
    seed: int = SEED,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
    known: Payoffs | None = None,
) -> Payoffs:
    """Play the empirical game.

    Args:
        names: of the policies, each once.
        deals: per cast; two games of one deal differ only by their players.
        seed: of the deals and of the players' own chance.
        workers: processes; None: one per core. The numbers do not depend on it.
        progress: called with the number of games just finished.
        known: the game of some of the policies on the same deals, which is not played again.

    Raises:
        AgentError: an unknown agent, or one that does not fit the ruleset.
    """
    seats = len(ruleset.seats)
    missing = [cast for cast in casts(len(names), seats) if not _is_known(cast, names, known, deals)]
    tasks = [
        _Task(tuple(names[p] for p in cast), ruleset, seed, *chunk)
        for cast in missing
        for chunk in chunks(deals, CHUNK)
    ]
    parts = iter(spread_in_order(_play, tasks, workers, progress, lambda part: len(part[0])))
    shares: dict[tuple[int, ...], NDArray[np.float64]] = {}
    stopped: dict[tuple[int, ...], float] = {}
    for cast in missing:
        played = [next(parts) for _ in chunks(deals, CHUNK)]
        shares[cast] = np.concatenate([each for each, _ in played])
        stopped[cast] = sum(number for _, number in played) / deals
    if known is not None:
        places = {name: place for place, name in enumerate(names)}
        for cast, own in known.shares.items():
            here = tuple(places.get(known.names[p], -1) for p in cast)
            if -1 not in here:
                shares[here], stopped[here] = own, known.stopped[cast]
    return Payoffs(tuple(names), tuple(ruleset.seats), shares, stopped)


def casts(policies: int, seats: int) -> Iterator[tuple[int, ...]]:
    """The policies of all seats in every game that is played, each once."""
    found = {
        Cast(seat, lone, others).players(seats): None
        for seat in range(seats)
        for others in range(policies)
        for lone in range(policies)
    }
    return iter(found)


def _is_known(cast: tuple[int, ...], names: Sequence[str], known: Payoffs | None, deals: int) -> bool:
    if known is None or known.deals != deals or not {names[p] for p in cast} <= {*known.names}:
        return False
    return tuple(known.names.index(names[p]) for p in cast) in known.shares


def _play(task: _Task) -> tuple[NDArray[np.float64], int]:
    """The shares of a chunk of deals (n, S), and how many games ended without a result."""
    agents = [
        make_agent(name, task.ruleset, chunk_seed(task.seed, task.start, seat))
        for seat, name in enumerate(task.players)
    ]
    seeds = deal_seeds(task.stop, task.seed)[task.start :]
    played = play_seeds(agents, seeds, task.ruleset)
    return played.shares, played.stopped
