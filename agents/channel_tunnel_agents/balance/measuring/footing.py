"""How a learned player fares against the scripted one on the very rules that are judged.

A figure can lie inside the range that a learned player was trained on, and the rules as a whole may still be strange
to it. A player that barely beats the scripted one plays such rules badly, and its games say little about them. So a
short match is played, both seats on the same deals, on seeds that nothing else uses. It costs two games a deal: with the
usual number of deals about 1 s of one core for 1987 Channel Tunnel, about 2 s for Carcassonne.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.deals import chunk_seed
from channel_tunnel_agents.balance.measuring.knowledge import kind_of
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.matches.arena import MatchResult, play_pair
from channel_tunnel_agents.matches.tournament import Results
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.statistics import LEAST_DEALS, Estimate, estimate_share, percent_words
from channel_tunnel_env import Ruleset
from channel_tunnel_env.outside.percent import percent

DEALS = 100
SEED = 1_234_567_893  # deals that nothing else is measured on
LEAST_SHARE = 0.6
"""A learned player that wins less against the scripted one is warned of."""
MANY_STOPPED = 0.1
"""Share of games without a result from which this comes before any question of balance."""
DECIDED = 0.95
"""A seat that wins more, whoever plays it, leaves nothing to see of the players."""
LEARNED = ("reads", "tuned", "trained", "frozen")
Pair = tuple[str, Ruleset]
"""A learned player and the rules it plays by, for two seats."""


@dataclass(frozen=True)
class Footing:
    """A learned player against the scripted one, in both seats of the same deals.

    Attributes:
        learner, scripted: their names; the second is the scripted player unless another rival was asked for.
        ruleset: its name.
        share: points per game of the learned player; a draw is half a win.
        deals: played twice each.
        stopped: share of the games that were stopped because they went nowhere.
        first_seat: share of the first seat over both seatings: 0.5 where neither seat is better off.
    """

    learner: str
    scripted: str
    ruleset: str
    share: Estimate
    deals: int
    stopped: float = 0.0
    first_seat: float = 0.5

    @property
    def is_known(self) -> bool:
        """Whether it rests on enough deals for a claim."""
        return self.deals >= LEAST_DEALS

    @property
    def percent(self) -> str:
        """The share and its interval: "71.0 % [64.0, 78.0]"."""
        return percent_words(self.share)

    @property
    def favoured(self) -> float:
        """The share of the better seat, whoever plays it: 0.5 to 1."""
        return max(self.first_seat, 1 - self.first_seat)

    @property
    def even_share(self) -> float:
        """The learned player's share as it would be if no seat were better off.

        Where a seat wins a share f whoever plays it, the best player has at most 1.5 - f over both seats; the way from
        a half to there counts as that from a half to 1.
        """
        room = 2 * (1 - self.favoured)
        return 0.5 + (self.share.value - 0.5) / max(room, 1e-9)

    @property
    def is_decided_by_seat(self) -> bool:
        """Whether one seat wins so often that who plays better cannot be seen."""
        return self.favoured > DECIDED

    @property
    def is_weak(self) -> bool:
        """Whether the learned player falls short of `LEAST_SHARE`, and not because one seat wins anyway."""
        best = max(self.share.value, self.even_share)
        return self.is_known and not self.is_decided_by_seat and best < LEAST_SHARE

    @classmethod
    def of_dict(cls, found: Mapping[str, Any]) -> Footing:
        """From the JSON values of its fields."""
        return cls(**{**found, "share": Estimate(**found["share"])})

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self) | {"weak": self.is_weak}


def learners_of(results: Results) -> list[str]:
    """The players of a tournament that learned to play, in its order; none at tables of more than two."""
    if len(results.seats) != 2:
        return []
    policies = results.store.plan["policies"]
    return [
        name
        for name in results.tournament.agents
        if kind_of(name, results.searching, results.reading, policies[name]) in LEARNED
    ]


def footing_of_games(results: Results, learner: str) -> Footing | None:
    """Taken from a tournament's own games; None if the scripted player takes no part in it."""
    scripted = measures_of(results.ruleset).player
    agents = results.tournament.agents
    if scripted not in agents or results.tournament.mirror:
        return None
    own, other = agents.index(learner), agents.index(scripted)
    home, away = results.matches[own, other], results.matches[other, own]
    first, second = results.seats
    share = _share(home.points(first), away.points(second))
    return Footing(learner, scripted, results.ruleset.name, share, home.games, *_of_both(home, away))


def measure_footings(
    pairs: Iterable[Pair],
    deals: int = DEALS,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> list[Footing]:
    """Play every learned player against the scripted one of its game; the result depends only on the arguments.

    Args:
        pairs: a learned player and a ruleset each.
        deals: of each pair, two games a deal.
        workers: processes; None: one per core. The numbers do not depend on it.
        progress: called with the number of games just finished.
    """
    tasks = [(learner, ruleset, deals) for learner, ruleset in pairs]
    return spread_in_order(_play, tasks, workers, progress, lambda found: 2 * found.deals)


def _play(task: tuple[str, Ruleset, int]) -> Footing:
    return footing_against(task[0], measures_of(task[1]).player, *task[1:])


def footing_against(learner: str, rival: str, ruleset: Ruleset, deals: int = DEALS, seed: int = SEED) -> Footing:
    """Play a player against any other one, in this process.

    Args:
        learner, rival: names of agents.
        deals: two games each.
        seed: of the deals and the players.
    """
    one, other = (make_agent(name, ruleset, chunk_seed(seed, 0, place)) for place, name in enumerate((learner, rival)))
    home, away = play_pair(one, other, deals, seed, ruleset)
    first, second = ruleset.seats
    share = _share(home.points(first), away.points(second))
    return Footing(learner, rival, ruleset.name, share, deals, *_of_both(home, away))


def _of_both(home: MatchResult, away: MatchResult) -> tuple[float, float]:
    """Of two seatings: the share of games that were stopped, and that of the first seat."""
    stopped = (home.stopped + away.stopped) / (home.games + away.games)
    first = home.seats[0]
    points = np.concatenate([home.points(first), away.points(first)])
    return stopped, float(points.mean())


def _share(home: NDArray[np.float64], away: NDArray[np.float64]) -> Estimate:
    """Of the points (n,) in the first seat and in the second on the same deals."""
    return estimate_share(np.concatenate([home, away]), np.tile(np.arange(len(home)), 2))


def footing_lines(found: Iterable[Footing]) -> list[str]:
    """A sentence for each."""
    return [_line(each) for each in found]


def _line(found: Footing) -> str:
    if not found.is_known:
        return (
            f"How {found.learner} fares against {found.scripted} on {found.ruleset} cannot be said: "
            f"{found.deals} deals are too few."
        )
    return (
        f"On {found.ruleset} {found.learner} wins {found.percent} of its games against "
        f"{found.scripted}, the scripted player ({found.deals:,} deals, seats swapped)."
    )


def surprising(found: Iterable[Footing], ruleset: Ruleset) -> list[Footing]:
    """Without the players whose level is meant to be below the scripted player's: that they lose to it says nothing."""
    order = [level.agent for level in agents_of(ruleset.spec.name).levels]
    return [
        each
        for each in found
        if not {each.learner, each.scripted} <= {*order} or order.index(each.learner) > order.index(each.scripted)
    ]


def weak_lines(found: Sequence[Footing]) -> list[str]:
    """A warning for each learned player that plays the rules too badly to judge them."""
    return [
        f"Warning: on {each.ruleset} {each.learner} wins fewer than {percent(LEAST_SHARE, 0)} of its games against "
        f"{each.scripted}, the scripted player. It does not know these rules well, so its games say little about them."
        for each in found
        if each.is_weak
    ]
