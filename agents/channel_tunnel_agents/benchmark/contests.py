"""What a track plays: one contest for each ruleset, budget and opponent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.rulesets.held_apart import held_rulesets
from channel_tunnel_env import Ruleset, load_ruleset
from channel_tunnel_env.tracks import PARTS, BenchmarkTrack, TrackError, TrackRuleset, TrackTable

VERSUS = " v "  # in a key, before the opponent
MS = "{ms}"  # in an agent's name: the milliseconds of a move
RULESET = "{ruleset}"  # in an agent's name: the key of a ruleset that is solved
BEST_RESPONSE = "best response"  # the opponent in such a ruleset
DECISIONS, SEED, OUT = ("{decisions}", "{seed}", "{out}")  # in a training command; the last in the agent's name, too
OVERRUN = 3  # a search may take as many times its budget: it looks at the clock between rounds


@dataclass(frozen=True)
class Contest:
    """An agent against one opponent on one ruleset, in every seating of the same deals.

    Attributes:
        key: unique in the track.
        group: contests that are scored together.
        budget: of the group, if the track has budgets: milliseconds, minutes or decisions.
        agent: its name, budgets filled in.
        rival: the opponent.
        seatings: for each, whether the agent has the seat.
        milliseconds: the limit of a move.
        told: the milliseconds that are announced to an agent, if fewer.
        minutes: that the agent may adapt to the ruleset before.
        whole_in: the part that has all deals, so that the agent adapts once; None: every part has some.
    """

    key: str
    group: str
    budget: int
    ruleset: Ruleset
    agent: str
    rival: str
    seatings: tuple[tuple[bool, ...], ...]
    deals: int
    milliseconds: float
    told: float = 0.0
    minutes: float = 0.0
    whole_in: int | None = None

    @property
    def even(self) -> float:
        """The agent's share between equals."""
        return sum(self.seatings[0]) / len(self.seatings[0])

    @property
    def is_solved(self) -> bool:
        """Whether its shares are computed from all of the game's luck, and no deal is played."""
        return self.rival == BEST_RESPONSE

    @property
    def played_as(self) -> str:
        """What its games are called while they are played: games of one budget take much longer than those of another."""
        if self.is_solved:
            return "games that are solved"
        if self.minutes:
            return f"games after {self.minutes:g} min of adaptation"
        return f"games at {self.told:g} ms a move" if self.told else "games"

    def deals_of(self, part: int) -> int:
        """How many deals a part has."""
        if self.whole_in is not None:
            return self.deals if part == self.whole_in else 0
        return int(self.are_in([part]).sum())

    def are_in(self, parts: Sequence[int]) -> NDArray[np.bool_]:
        """Which deals are in some parts, if all parts have some: (deals,)."""
        return np.isin(np.arange(self.deals) // -(-self.deals // PARTS), parts)

    @property
    def parts(self) -> list[int]:
        """The parts that have deals."""
        return [part for part in range(PARTS) if self.deals_of(part)]


def budgets_of(track: BenchmarkTrack) -> list[int]:
    """The budgets of a track, in its unit; none for a track without."""
    if track.rules is not None:
        return list(track.rules.minutes)
    if track.training is not None:
        return list(track.training.decisions)
    return [each.milliseconds for each in track.budgets]


def choose_budgets(track: BenchmarkTrack, wanted: Sequence[int]) -> list[int]:
    """The budgets to play, all if none is wanted; an AgentError for one that the track does not have."""
    known = budgets_of(track)
    for budget in wanted:
        if budget not in known:
            there = ", ".join(map(str, known)) or "none"
            raise AgentError(f"--budgets {budget}: {track.track} has {there}")
    return [budget for budget in known if budget in wanted] if wanted else known


def list_contests(track: BenchmarkTrack, agent: str, budgets: Sequence[int]) -> list[Contest]:
    """Every contest of a track for an agent, with some of its budgets.

    Raises:
        TrackError: a ruleset is not the one that the track was made with.
    """
    if track.kind == "rules":
        return list(_rules_contests(track, agent, budgets))
    if track.kind == "search":
        return list(_search_contests(track, agent, budgets))
    if track.kind == "training":
        return list(_training_contests(track, agent, budgets))
    if track.kind == "exact":
        return list(_exact_contests(track, agent))
    return [each for table in track.tables for each in _table_contests(track, table, agent)]


def ruleset_of(table: TrackRuleset) -> Ruleset:
    """The ruleset of a table; a TrackError if its digest is another one than the track says."""
    ruleset = load_ruleset(table.ruleset)
    if table.changes:
        ruleset = ruleset.with_values(dict(table.changes), table.ruleset)
    if ruleset.digest != table.digest:
        raise TrackError(f"ruleset {table.ruleset}: digest {ruleset.digest}, the track was made with {table.digest}")
    return ruleset


def _seatings(seats: int, role: str) -> tuple[tuple[bool, ...], ...]:
    one = [tuple(place == seat for place in range(seats)) for seat in range(seats)]
    return tuple(one if role == "one" else [tuple(not has for has in each) for each in one])


def _table_contests(
    track: BenchmarkTrack, table: TrackTable, agent: str, group: str = "", budget: int = 0
) -> Iterator[Contest]:
    ruleset = ruleset_of(table)
    for rival in table.opponents:
        yield Contest(
            key=f"{group or table.key}{VERSUS}{rival}",
            group=group or table.key,
            budget=budget,
            ruleset=ruleset,
            agent=agent,
            rival=rival,
            seatings=_seatings(ruleset.num_seats, table.role),
            deals=table.deals,
            milliseconds=track.milliseconds,
        )


def _search_contests(track: BenchmarkTrack, agent: str, budgets: Sequence[int]) -> Iterator[Contest]:
    for each in track.budgets:
        told = each.milliseconds
        if told in budgets:
            name = agent.replace(MS, str(told))
            for table in track.tables:
                for contest in _table_contests(track, table, name, f"{told} ms", told):
                    yield replace(contest, deals=each.deals, milliseconds=OVERRUN * told, told=told)


def _training_contests(track: BenchmarkTrack, agent: str, budgets: Sequence[int]) -> Iterator[Contest]:
    assert track.training is not None
    for decisions in budgets:
        for seed in track.training.seeds:
            name = trained_name(agent, decisions, seed)
            for table in track.tables:
                group = f"{decisions} decisions, seed {seed}"
                yield from _table_contests(track, table, name, group, decisions)


def _exact_contests(track: BenchmarkTrack, agent: str) -> Iterator[Contest]:
    for each in track.exact:
        ruleset = ruleset_of(each)
        yield Contest(
            key=f"{each.key}{VERSUS}{BEST_RESPONSE}",
            group=each.key,
            budget=0,
            ruleset=ruleset,
            agent=agent.replace(RULESET, each.key),
            rival=BEST_RESPONSE,
            seatings=_seatings(ruleset.num_seats, "one"),
            deals=1,
            milliseconds=track.milliseconds,
        )


def trained_name(agent: str, decisions: int, seed: int) -> str:
    """The agent that a training of this budget and seed left."""
    return agent.replace(DECISIONS, str(decisions)).replace(SEED, str(seed))


def _rules_contests(track: BenchmarkTrack, agent: str, budgets: Sequence[int]) -> Iterator[Contest]:
    draw = track.rules
    assert draw is not None
    groups = held_rulesets(track)
    for minutes in budgets:
        number = 0
        for group, rulesets in groups.items():
            for place, ruleset in enumerate(rulesets, 1):
                number += 1
                yield Contest(
                    key=f"{minutes} min, {group} {place:02d}",
                    group=group,
                    budget=minutes,
                    ruleset=ruleset,
                    agent=agent,
                    rival=draw.rival,
                    seatings=_seatings(ruleset.num_seats, "one"),
                    deals=draw.deals,
                    milliseconds=track.milliseconds,
                    minutes=minutes,
                    whole_in=number % PARTS if minutes else None,
                )
