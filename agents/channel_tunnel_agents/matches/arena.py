"""Matches: who sits where, and the same deals played with the seats swapped, all games at once.

A seating names an agent, by its number, for every seat of a table of a tournament.

Two seats: every agent in the first against every agent in the second, itself included.

More seats, `mixed`: every set of as many different agents as there are seats, each of them around the table in both
directions from every seat; if there are fewer agents than seats, every way to fill the seats with all of them.

More seats, `one against the rest`: every agent in every seat, with every other agent in all the others; and every
agent in all seats. For games in which seats differ much and a table of rivals is the measure.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError, AnyAgent, agent_seed, choose_actions, is_blind
from channel_tunnel_agents.games import PerGame, agents_of
from channel_tunnel_agents.games.spec import MIXED
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.batch import NO_ACTION, AnyRuleset
from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.rulesets.ruleset import load_ruleset

Seating = tuple[int, ...]
KINDS: Mapping[str, str] = PerGame(lambda spec: spec.seating)
"""By game, the tables of more than two seats."""


def list_seatings(ruleset: Ruleset, agents: int, mirror: bool = False) -> list[Seating]:
    """Every table of a tournament of `agents` agents; with `mirror` every agent plays only itself."""
    seats = ruleset.num_seats
    if mirror:
        return [(i,) * seats for i in range(agents)]
    if seats == 2:
        return list(itertools.product(range(agents), repeat=2))
    if KINDS[ruleset.spec.name] == MIXED:
        return _mixed(agents, seats)
    return _one_against_the_rest(agents, seats, ruleset.played_places)


def _one_against_the_rest(agents: int, seats: int, played: Sequence[int]) -> list[Seating]:
    found = []
    for one, rest in itertools.product(range(agents), repeat=2):
        places = played if one != rest else [0]  # with itself every place is the same table
        found += [(rest,) * place + (one,) + (rest,) * (seats - place - 1) for place in places]
    return found


def _mixed(agents: int, seats: int) -> list[Seating]:
    if agents >= seats:
        chosen = list(itertools.combinations(range(agents), seats))
    else:
        filled = itertools.combinations_with_replacement(range(agents), seats)
        chosen = [table for table in filled if len(set(table)) == agents]
    return [seating for table in chosen for seating in _around(table)]


def _around(table: Seating) -> list[Seating]:
    """The same neighbours from every seat on, in both directions, each seating once."""
    turned = [way[start:] + way[:start] for way in (table, table[::-1]) for start in range(len(table))]
    return list(dict.fromkeys(turned))


MAX_BATCH = 4096
MAX_DEALS = 10_000_000  # per match: deal numbers have seven digits in the names of its parts

Rows = NDArray[np.intp]
Decide = Callable[[Rows], NDArray[np.integer[Any]]]
"""Maps rows (n,) of a batch, all of games that are not over, to actions (n,)."""
Watch = Callable[[Rows, NDArray[np.int64]], object]
"""Called with running rows (n,) and the actions (B,) to be taken; must not change the batch."""


@dataclass(frozen=True)
class MatchResult:
    """Games at one table, an agent in every seat, one entry per deal."""

    agents: tuple[str, ...]  # by seat
    winners: NDArray[np.int8]  # seat, or the number of seats for a draw
    end_causes: NDArray[np.int8]
    rounds: NDArray[np.int16]  # or turns if the game counts those
    decisions: int  # including forced ones
    spec: GameSpec
    seats: tuple[str, ...]
    shares: NDArray[np.float64]  # (games, S), see `shares_of`
    results: NDArray[np.float32] | None = None  # (games, S), what each seat got; None: not kept

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.winners)

    def wins(self, side: str) -> int:
        """Games that a seat won."""
        return int((self.winners == self.seats.index(side)).sum())

    def points(self, side: str) -> NDArray[np.float64]:
        """Per deal, the seat's share: 1 for a win, of two seats 0.5 for a draw, 0 for a loss: (games,)."""
        return self.shares[:, self.seats.index(side)]

    def won(self, side: str) -> NDArray[np.float64]:
        """Per deal, half of what the seat of a game for two won of the other: points, but for a constant: (games,)."""
        if self.results is None:
            return self.points(side)
        return self.results[:, self.seats.index(side)].astype(np.float64) / 2

    @property
    def draws(self) -> int:
        """Games without a winner."""
        return int((self.winners == len(self.seats)).sum())

    @property
    def stopped(self) -> int:
        """Games stopped because they went nowhere."""
        first = self.spec.outcome.first_stop
        return 0 if first is None else int((self.end_causes >= first).sum())


def check_deals(deals: int, seed: int) -> int:
    """The seed as an int; an AgentError if the number of deals, or the seed, is out of range."""
    if not 1 <= deals <= MAX_DEALS:
        raise AgentError(f"deals: {deals:,}; allowed: 1 to {MAX_DEALS:,}")
    return agent_seed(seed)


def deal_seeds(deals: int, seed: int) -> NDArray[np.int64]:
    """Game seeds of a match, checked as by `check_deals`; the same seed gives the same deals to every pairing."""
    words = np.random.SeedSequence([check_deals(deals, seed), 0xDEA1]).generate_state(deals, np.uint64)
    return (words >> np.uint64(1)).astype(np.int64)


def winners_of(batch: BatchGame) -> NDArray[np.int8]:
    """Who won the finished games: the seat, or the number of seats for a draw: (B,)."""
    winner: NDArray[np.int8] = batch.states["winner"]
    return np.where(winner == batch.spec.outcome.draw, np.int8(len(batch.seats)), winner)


def results_of(batch: BatchGame) -> NDArray[np.float32]:
    """What each seat of the finished games got: (B, S)."""
    results = np.zeros((batch.num_games, len(batch.seats)), np.float32)
    for row in range(batch.num_games):
        batch.machine.result_game(batch.records, row, batch.tables, results)
    return results


def two_seats(ruleset: AnyRuleset) -> Ruleset:
    """The ruleset; an AgentError if it is not for two seats."""
    loaded = load_ruleset(ruleset)
    seats = loaded.seats
    if len(seats) != 2:
        raise AgentError(f"ruleset {loaded.name}: {len(seats)} seats; a match is between two agents, one a seat")
    return loaded


def play_match(
    one: AnyAgent,
    other: AnyAgent,
    deals: int,
    seed: int,
    ruleset: AnyRuleset = "standard",
    progress: Callable[[int], object] | None = None,
) -> MatchResult:
    """`play_table` of a game for two; use the same seed for the swapped match."""
    return play_table((one, other), deals, seed, two_seats(ruleset), progress)


def play_table(
    cast: Sequence[AnyAgent], deals: int, seed: int, rules: Ruleset, progress: Callable[[int], object] | None = None
) -> MatchResult:
    """Play deals at one table, each once.

    Args:
        cast: the agent in each seat.
        seed: seeds the deals.
        progress: called with the number of games just finished.
    """
    return play_seeds(cast, deal_seeds(deals, seed), rules, progress)


def play_seeds(
    cast: Sequence[AnyAgent], seeds: NDArray[np.int64], rules: Ruleset, progress: Callable[[int], object] | None = None
) -> MatchResult:
    """`play_table` of the deals with these game seeds, (deals,)."""
    clock = rules.spec.record.clock[0]
    parts = []
    for start in range(0, len(seeds), MAX_BATCH):
        batch = deal_games(seeds[start : start + MAX_BATCH], rules, *cast)
        play_out(batch, by_seat(batch, *cast), progress=progress)
        states = batch.states
        ends = (states["end_cause"], states[clock], states["ply"], shares_of(batch), results_of(batch))
        parts.append((winners_of(batch), *ends))
    winners, causes, rounds, plies, shares, results = map(np.concatenate, zip(*parts, strict=True))
    names, seats = tuple(agent.name for agent in cast), rules.seats
    return MatchResult(names, winners, causes, rounds, int(plies.sum()), rules.spec, seats, shares, results)


def play_pair(
    one: AnyAgent, other: AnyAgent, deals: int, seed: int, ruleset: AnyRuleset = "standard"
) -> tuple[MatchResult, MatchResult]:
    """Both seatings of two agents on the same deals: `one` in the first seat, then in the second; two games a deal."""
    return play_match(one, other, deals, seed, ruleset), play_match(other, one, deals, seed, ruleset)


def deal_games(seeds: NDArray[np.int64], ruleset: AnyRuleset, *players: AnyAgent) -> BatchGame:
    """A batch with one new game per seed; without observations if all `players` are blind."""
    seeing = not players or not all(is_blind(player) for player in players)
    batch = BatchGame(len(seeds), ruleset, observe=seeing)
    batch.reset(seeds=seeds)
    return batch


def by_seat(batch: BatchGame, *agents: AnyAgent) -> Decide:
    """A `Decide` that asks the agent of each row's seat to move, one of `agents` a seat."""

    def decide(rows: Rows) -> NDArray[np.int64]:
        actions = np.empty(rows.size, np.int64)
        for seat, agent in enumerate(agents):
            own = batch.to_play[rows] == seat
            if own.any():
                actions[own] = choose_actions(agent, batch, rows[own])
        return actions

    return decide


def play_out(
    batch: BatchGame, decide: Decide, *watchers: Watch, progress: Callable[[int], object] | None = None
) -> None:
    """Play every game of a batch to its end, from wherever it stands.

    Args:
        decide: chooses the actions.
        watchers: called before every step.
        progress: called with the number of games just finished.
    """
    rows = np.flatnonzero(batch.states["end_cause"] == 0)
    actions = np.empty(batch.num_games, np.int64)
    while rows.size:
        actions[:] = NO_ACTION
        actions[rows] = decide(rows)
        for watch in watchers:
            watch(rows, actions)
        batch.step(actions)
        going_on = ~batch.dones[rows]
        if progress is not None and not going_on.all():
            progress(int((~going_on).sum()))
        rows = rows[going_on]


def first_points(batch: BatchGame) -> NDArray[np.float64]:
    """Results of finished games of two: 1 for the first seat's win, 0.5 for a draw, 0 for a loss: (B,)."""
    winner = batch.states["winner"]
    return np.where(winner == batch.spec.outcome.draw, 0.5, winner == 0)


def first_margin(batch: BatchGame) -> NDArray[np.float64]:
    """The first seat's current points minus those of the second: (B,)."""
    totals = batch.scores()[:, :, -1].astype(np.float64)
    return np.asarray(totals[:, 0] - totals[:, 1])


def shares_of(batch: BatchGame) -> NDArray[np.float64]:
    """The share of each seat in finished games: (B, S).

    A winner has 1. In a draw two seats have a half each; with more seats, those with the highest score have equal parts.
    """
    field = agents_of(batch.spec.name).share_field
    if field is not None:
        kept: NDArray[np.float64] = batch.states[field].astype(np.float64)
        return kept
    winner = batch.states["winner"].astype(np.int64)
    won = winner[:, None] == np.arange(len(batch.seats))
    totals = batch.scores()[:, :, -1]
    leading = (totals == totals.max(axis=1, keepdims=True)) | (len(batch.seats) == 2)
    parts = leading / leading.sum(axis=1, keepdims=True)
    found: NDArray[np.float64] = np.where(winner[:, None] == batch.spec.outcome.draw, parts, won)
    return found
