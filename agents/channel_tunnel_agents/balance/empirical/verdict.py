"""The verdict on a ruleset as data: what each seat gets when good players choose their policies well, and how sure that is.

Pages, sentences and commands write what stands here; none of them judges for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.empirical.payoffs import Payoffs
from channel_tunnel_agents.balance.empirical.value import SeatValue, Solved
from channel_tunnel_agents.statistics import LEAST_DEALS, REACH, Estimate

FAIR = 0.02
"""The largest deviation of a seat's share from an equal one that still counts as fair."""
EDGE = FAIR / 2
"""Nearer to the edge of fair than this, hardly any number of deals would tell on which side a share lies."""
SLIGHT = 0.2
"""The largest deviation that is called slight, as a part of an equal share; words of size say nothing of certainty."""
SURELY_BEATEN = 0.6
"""Share of games, over all seats, by which one policy beats another so often that the other is no good player."""
STILL_IMPROVES = 0.52
"""Share of games by which a policy beats itself of one part of its training earlier, if it still improves."""
MANY_STOPPED = 0.1
"""Share of games without a result from which the rules have to be mended before fairness is asked for."""
DECIDED = 0.95
"""A share of games, or of decisions, that leaves hardly anything else: games that nobody wins, that one seat wins, one action."""


class FairAnswer(StrEnum):
    """Whether a ruleset is fair."""

    YES = "yes"
    NO = "no"
    OPEN = "not settled"
    FEW = "too few games"


class Trouble(StrEnum):
    """What comes before any question of fairness."""

    STOPPED = "games end without a result"
    DRAWN = "nobody is ahead"
    DECIDED = "one seat wins whichever policies play"
    ONE_ACTION = "one action is always played"


def level(shares: NDArray[np.float64]) -> float:
    """The share of games in which nobody gets more than another, from the shares (D, S) of the seats that somebody plays."""
    return float(((np.ptp(shares, axis=1) < 1e-9) & (shares.max(axis=1) > 0)).mean())


def unwon(shares: NDArray[np.float64]) -> float:
    """The share of games that nobody wins alone, from the shares (D, S) of the seats that somebody plays."""
    most = shares.max(axis=1)  # 0: a seat that nobody plays has won
    return float(((most > 0) & (most < 1 - 1e-9)).mean())


@dataclass(frozen=True)
class Games:
    """The games that an answer rests on.

    Attributes:
        players: names of agents; one plays itself, several play each against each.
        deals: that each of them played: the first ones of a seed.
        seed: of the deals.
    """

    players: tuple[str, ...]
    deals: int
    seed: int


@dataclass(frozen=True)
class Ends:
    """How these games end, and how they are played, as shares from 0 to 1.

    Attributes:
        stuck: games that the rules stopped, because nothing moved on.
        drawn: games without a single winner, the stuck ones among them.
        level: those of them in which nobody gets more than another.
        commonest: decisions that the commonest action takes; 0 if the actions were not counted.
    """

    stuck: float = 0.0
    drawn: float = 0.0
    level: float = 0.0
    commonest: float = 0.0


@dataclass(frozen=True)
class Fairness:
    """What the seats get, read against an equal part: the one place where a game is called fair.

    Attributes:
        shares: of the seats, with intervals that hold together.
        games: on which they rest.
        ends: of these games.
    """

    shares: tuple[Estimate, ...]
    games: Games
    ends: Ends

    @property
    def deals(self) -> int:
        """On which the shares rest."""
        return self.games.deals

    @property
    def even(self) -> float:
        """What each seat has where all are alike: less than 1 of their number where seats that nobody plays have a part."""
        return float(np.mean([share.value for share in self.shares]))

    @property
    def trouble(self) -> Trouble | None:
        """What comes before the question of fairness, if anything does."""
        return self._trouble[0]

    @property
    def troubled(self) -> float:
        """The share of games, or of decisions, that have the trouble; 0 if there is none."""
        return self._trouble[1]

    @property
    def _trouble(self) -> tuple[Trouble | None, float]:
        ends, most = self.ends, self.shares[self.best].value
        found = {
            Trouble.STOPPED: (ends.stuck, MANY_STOPPED),
            Trouble.DRAWN: (ends.level, DECIDED),
            Trouble.DECIDED: (most, DECIDED),
            Trouble.ONE_ACTION: (ends.commonest, DECIDED),
        }
        there = [(each, share) for each, (share, many) in found.items() if share >= many]
        return there[0] if there and self.deals >= LEAST_DEALS else (None, 0.0)

    @property
    def answer(self) -> FairAnswer:
        """Fair, unfair or open, as the intervals of all seats leave it."""
        if self.deals < LEAST_DEALS:
            return FairAnswer.FEW
        if any(self.beyond()):
            return FairAnswer.NO
        low, high = self.even - FAIR, self.even + FAIR
        is_within = all(low <= share.low and share.high <= high for share in self.shares)
        return FairAnswer.YES if is_within and not self.trouble else FairAnswer.OPEN

    @property
    def seems_unfair(self) -> bool:
        """An open answer of which it is known that the seats are not even: "Probably not" on every page."""
        return self.answer == FairAnswer.OPEN and any(self.beyond(0.0))

    @property
    def is_of_two(self) -> bool:
        """Whether what one seat gets follows from what the other gets."""
        return len(self.shares) == 2 and abs(self.even - 0.5) < 1e-9

    def beyond(self, leeway: float = FAIR) -> tuple[list[int], list[int]]:
        """The places of the seats whose whole interval lies above an equal part by more than a leeway, and below."""
        low, high = self.even - leeway, self.even + leeway
        above = [place for place, share in enumerate(self.shares) if share.low > high]
        return above, [place for place, share in enumerate(self.shares) if share.high < low]

    @property
    def lean(self) -> int:
        """Where the first seat's share should move: +1 up, -1 down, 0 if its interval leaves an equal part possible."""
        above, below = self.beyond(0.0)
        return 0 if self.deals < LEAST_DEALS else -1 if 0 in above else 1 if 0 in below else 0

    @property
    def is_near(self) -> bool:
        """Whether no seat can be further from an equal part than is slight."""
        ends = [end for share in self.shares for end in (share.low, share.high)]
        return all(abs(end - self.even) <= SLIGHT * self.even + 1e-12 for end in ends)

    @property
    def furthest(self) -> int:
        """The place of the seat that is furthest from an equal part."""
        return int(np.argmax([abs(share.value - self.even) for share in self.shares]))

    @property
    def from_edge(self) -> float:
        """How far that seat's share lies from the edge of fair, on either side."""
        return abs(abs(self.shares[self.furthest].value - self.even) - FAIR)

    @property
    def best(self) -> int:
        """The place of the seat that has most; the first of equals."""
        return int(np.argmax([share.value for share in self.shares]))


class Doubt(StrEnum):
    """Why the value may be further off than its interval says. A doubt stays until a further run removes it."""

    UNTRAINED = "no policy was trained for these rules"
    SHORT = "a policy has had fewer decisions than planned"
    IMPROVES = "a policy still improves"
    BEATEN = "the best policy loses most games to another"
    EXPLOITED = "a best response gains much"


class Step(StrEnum):
    """What would settle an open answer."""

    TRAINING = "more training"
    DEALS = "more deals"
    NOTHING = "nothing"


@dataclass(frozen=True)
class PlayerFound:
    """A player of the empirical game.

    Attributes:
        name: the agent's.
        weights: how often each seat plays it in the equilibrium: (S,).
        decisions: of training for these rules alone; 0: none.
        is_answer: trained as a best response.
        worst: its least share of games against another player, over all seats; an equal part: none beats it.
        beaten_by: that player.
        improves: it beats itself of one part of its training earlier; None: not played.
    """

    name: str
    weights: tuple[float, ...]
    decisions: int
    is_answer: bool
    worst: float
    beaten_by: str
    improves: bool | None = None


@dataclass(frozen=True)
class Verdict:
    """What is known about a ruleset.

    Attributes:
        ruleset, digest: the rules.
        seats: what each seat gets.
        players: those of the empirical game.
        deals: that every pairing has played.
        seed: of these deals.
        ends: of the games of good players.
        doubts: why the value may be further off.
    """

    ruleset: str
    digest: str
    seats: tuple[SeatValue, ...]
    players: tuple[PlayerFound, ...]
    deals: int
    seed: int
    ends: Ends
    doubts: tuple[Doubt, ...]

    @property
    def fairness(self) -> Fairness:
        """What the seats get, read against an equal part."""
        games = Games(tuple(player.name for player in self.players), self.deals, self.seed)
        return Fairness(tuple(seat.share for seat in self.seats), games, self.ends)

    @property
    def answer(self) -> FairAnswer:
        """Fair, unfair or open."""
        return self.fairness.answer

    @property
    def choice(self) -> tuple[str, ...]:
        """The players whose games the shares are of: those that a seat chooses, the most frequent first."""
        chosen = sorted(self.players, key=lambda each: -sum(each.weights))
        return tuple(each.name for each in chosen if sum(each.weights) > 0)

    @property
    def furthest(self) -> SeatValue:
        """The seat that is furthest from an equal part."""
        return self.seats[self.fairness.furthest]

    @property
    def from_edge(self) -> float:
        """How far that seat lies from the edge of fair, on either side, less what its players may be off by."""
        return max(0.0, self.fairness.from_edge - REACH * self.furthest.policy_error)

    @property
    def deals_narrow(self) -> bool:
        """The luck of the deals leaves the widest interval at least as open as the players do."""
        widest = max(self.seats, key=lambda seat: seat.share.high - seat.share.low)
        return widest.deals_error >= widest.policy_error

    @property
    def step(self) -> Step:
        """What would settle the answer; nothing if it is known."""
        if self.answer != FairAnswer.OPEN:
            return Step.NOTHING
        return Step.DEALS if self.deals_narrow and self.from_edge >= EDGE else Step.TRAINING

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        found = self.fairness
        more = {"answer": self.answer, "step": self.step, "trouble": found.trouble, "troubled": found.troubled}
        return asdict(self) | more


def head_to_head(payoffs: Payoffs) -> NDArray[np.float64]:
    """What each policy gets against each other over all seats, as a share of what all get: (P, P), 0.5 for equals.

    At a table of more than two seats a policy sits alone among copies of the other, seat by seat, and the other way round.
    """
    seats, own = len(payoffs.seats), payoffs.own()
    alone = own.mean(axis=0)  # (P, P): the lone policy's mean share over the seats
    if payoffs.is_of_two:
        return np.asarray(alone)
    against = alone / (alone + (1 - alone) / (seats - 1))
    return np.asarray((against + 1 - against.T) / 2)


def make_verdict(
    ruleset: str,
    digest: str,
    solved: Solved,
    decisions: Mapping[str, int],
    answers: frozenset[str],
    planned: Mapping[str, int],
    improves: Mapping[str, bool],
) -> Verdict:
    """The verdict that an empirical game leaves.

    Args:
        ruleset, digest: the rules.
        solved: their game.
        decisions: that each policy has been trained for these rules alone.
        answers: names of the best responses.
        planned: how many decisions were to be had.
        improves: for the trained policies, whether they beat themselves of a part of their training earlier.
    """
    payoffs = solved.payoffs
    met = head_to_head(payoffs)
    players = []
    for p, name in enumerate(payoffs.names):
        worst = int(met[p].argmin())
        weights = tuple(float(w) for w in solved.equilibrium.mixtures[:, p])
        own, beaten_by = decisions.get(name, 0), payoffs.names[worst] if worst != p else ""
        least = float(met[p, worst])
        players.append(PlayerFound(name, weights, own, name in answers, least, beaten_by, improves.get(name)))
    each = (
        payoffs.stopped.__getitem__,
        lambda cast: unwon(payoffs.shares[cast]),
        lambda cast: level(payoffs.shares[cast]),
    )
    ends = Ends(*map(solved.often, each))
    doubts = _doubts(solved, players, planned)
    return Verdict(ruleset, digest, solved.seats, tuple(players), payoffs.deals, payoffs.seed, ends, doubts)


def _doubts(solved: Solved, players: list[PlayerFound], planned: Mapping[str, int]) -> tuple[Doubt, ...]:
    trained = [each for each in players if each.decisions]
    most_played = max(players, key=lambda each: sum(each.weights))
    gained = max(seat.bracket[1] - seat.share.value for seat in solved.seats)  # by a best response
    found = {
        Doubt.UNTRAINED: not trained,
        Doubt.SHORT: any(each.decisions < planned.get(each.name, 0) for each in trained),
        Doubt.IMPROVES: any(each.improves for each in trained if not each.is_answer),
        Doubt.BEATEN: most_played.worst <= 1 - SURELY_BEATEN,
        Doubt.EXPLOITED: max(gained, solved.equilibrium.gains.max()) > 2 * FAIR,
    }
    return tuple(doubt for doubt, is_there in found.items() if is_there)
