"""What policies get against each other: one of them in a seat, another in all the others, every seat in turn.

All games are of the same deals, so that two entries differ by their players and not by their luck. Of two seats this is
the whole game; of more it holds every profile that a single seat can reach from one that all seats play.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.deals import chunk_seed, chunks
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.matches.arena import deal_seeds, play_seeds
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.statistics import Estimate, estimate_share
from channel_tunnel_env import Ruleset

CHUNK = 256  # deals of a task


@dataclass(frozen=True)
class Payoffs:
    """Shares of all seats on the same deals.

    Attributes:
        names: of the policies.
        seats: names of the seats that somebody plays.
        shares: by the policies that sit in the seats, (D, S) each: a row per deal, with less than 1 in all where seats
            that nobody plays have a part.
        stopped: by the policies that sit in the seats, the share of games that ended without a result.
        seed: of the deals.
    """

    names: tuple[str, ...]
    seats: tuple[str, ...]
    shares: dict[tuple[int, ...], NDArray[np.float64]]
    stopped: dict[tuple[int, ...], float]
    seed: int

    @property
    def deals(self) -> int:
        """Number of deals."""
        return len(next(iter(self.shares.values())))

    @property
    def is_of_two(self) -> bool:
        """Whether what one seat gets follows from what the other gets."""
        return len(self.seats) == 2 and all(np.allclose(own.sum(axis=1), 1) for own in self.shares.values())

    def among(self, names: Collection[str]) -> Payoffs:
        """Only the games of some policies."""
        kept = [cast for cast in self.shares if {self.names[p] for p in cast} <= {*names}]
        return replace(
            self, shares={each: self.shares[each] for each in kept}, stopped={each: self.stopped[each] for each in kept}
        )

    def of(self, seat: int, lone: int, others: int) -> NDArray[np.float64]:
        """Per deal, the shares of all seats where one policy sits in a seat and another in the rest: (D, S)."""
        return self.shares[cast_of(len(self.seats), seat, lone, others)]

    def own(self) -> NDArray[np.float64]:
        """What a seat gets with a policy while all others play another one: means (S, P, P)."""
        policies = range(len(self.names))
        means = [
            [[self.of(seat, p, q)[:, seat].mean() for q in policies] for p in policies]
            for seat in range(len(self.seats))
        ]
        return np.array(means)


def play_payoffs(
    names: Sequence[str],
    ruleset: Ruleset,
    deals: int,
    seed: int,
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
    places = tuple(names)
    missing = missing_casts(places, ruleset, deals, seed, known)
    played = play_casts(missing, places, ruleset, deals, seed, workers, progress)
    shares = {cast: own for cast, (own, _) in played.items()}
    stopped = {cast: part for cast, (_, part) in played.items()}
    if known is not None and (known.deals, known.seed) == (deals, seed):
        for cast, own in known.shares.items():
            if {known.names[p] for p in cast} <= {*places}:
                here = tuple(places.index(known.names[p]) for p in cast)
                shares[here], stopped[here] = own, known.stopped[cast]
    return Payoffs(places, ruleset.played_seats, shares, stopped, seed)


def missing_casts(
    names: Sequence[str], ruleset: Ruleset, deals: int, seed: int, known: Payoffs | None = None
) -> list[tuple[int, ...]]:
    """What `play_payoffs` plays, each for all deals."""
    wanted = casts(len(names), len(ruleset.played_seats))
    if known is None or (known.deals, known.seed) != (deals, seed):
        return wanted
    there = {tuple(known.names[p] for p in cast) for cast in known.shares}
    return [cast for cast in wanted if tuple(names[p] for p in cast) not in there]


def share_against(
    one: str,
    other: str,
    ruleset: Ruleset,
    deals: int,
    seed: int,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Estimate:
    """What one policy gets against another in a game of two: a mean over both seats of the same deals.

    Args:
        progress: called with the number of games just finished, of `2 * deals`.
    """
    played = play_casts([(0, 1), (1, 0)], (one, other), ruleset, deals, seed, workers, progress)
    own = [played[0, 1][0][:, 0], played[1, 0][0][:, 1]]
    return estimate_share(np.concatenate(own), np.tile(np.arange(deals), 2))


def play_casts(
    wanted: Sequence[tuple[int, ...]],
    names: Sequence[str],
    ruleset: Ruleset,
    deals: int,
    seed: int,
    workers: int | None,
    progress: Callable[[int], object] | None,
) -> dict[tuple[int, ...], tuple[NDArray[np.float64], float]]:
    """Of each cast the shares per deal (D, S), and the share of games that ended without a result."""
    tasks = [
        _Task(tuple(names[p] for p in cast), ruleset, seed, *chunk) for cast in wanted for chunk in chunks(deals, CHUNK)
    ]
    parts = iter(spread_in_order(_play, tasks, workers, progress, lambda part: len(part[0])))
    found = {}
    for cast in wanted:
        played = [next(parts) for _ in chunks(deals, CHUNK)]
        found[cast] = np.concatenate([each for each, _ in played]), sum(number for _, number in played) / deals
    return found


def casts(policies: int, seats: int) -> list[tuple[int, ...]]:
    """The policies of all seats in every game that is played, each once."""
    every = product(range(seats), range(policies), range(policies))
    return [*dict.fromkeys(cast_of(seats, seat, lone, others) for seat, others, lone in every)]


def cast_of(seats: int, own: int, lone: int, others: int) -> tuple[int, ...]:
    """The policy of every seat: one in a seat, another in all the others."""
    return tuple(lone if seat == own else others for seat in range(seats))


class _Task(NamedTuple):
    players: tuple[str, ...]
    ruleset: Ruleset
    seed: int
    start: int
    stop: int


def _play(task: _Task) -> tuple[NDArray[np.float64], int]:
    """The shares of a chunk of deals (n, S), and how many games ended without a result."""
    places = task.ruleset.played_places
    players = dict(zip(places, task.players, strict=True))
    seats = range(task.ruleset.num_seats)  # a seat that nobody plays is never asked
    seeds = [chunk_seed(task.seed, task.start, seat) for seat in seats]
    agents = [make_agent(players.get(seat, task.players[0]), task.ruleset, seeds[seat]) for seat in seats]
    played = play_seeds(agents, deal_seeds(task.stop, task.seed)[task.start :], task.ruleset)
    return played.shares[:, places], played.stopped
