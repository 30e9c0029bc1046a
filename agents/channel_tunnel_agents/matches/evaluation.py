"""How well an agent plays, in one call: its share of the points against each opponent, with intervals.

from channel_tunnel_agents import evaluate

for score in evaluate("heuristic", ["random", "rookie"], deals=1000):
    print(score)

The ladder is the fixed yardsticks of a training run, never trained and never changed: a change to one of these players is a
new version, because results against different versions are not comparable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from channel_tunnel_agents.base import Agent, AgentError, AnyAgent
from channel_tunnel_agents.games import PerGame
from channel_tunnel_agents.matches.arena import MatchResult, check_deals, play_pair, play_table
from channel_tunnel_agents.registry import as_agent, make_agent
from channel_tunnel_agents.statistics import Estimate, Figure, estimate_share, percent_words, rate_of, share_figure
from channel_tunnel_env import Ruleset
from channel_tunnel_env.batch import AnyRuleset
from channel_tunnel_env.core.whole_numbers import seeds_from
from channel_tunnel_env.rulesets.ruleset import load_ruleset

BOTH, EVERY = "both", "every"  # seat: two names for the same


@dataclass(frozen=True)
class Score:
    """An agent's result against one opponent.

    Attributes:
        opponent: its name.
        points: share of the points (a win 1, a draw 0.5; of more than two seats the seat's share of the
            game), with a 95 % interval. If several seats are played, the games of one deal count as one.
        seats: the same for each seat that was played.
        games: in all.
        draws: games without a winner.
        stopped: games that were stopped because they went nowhere.
    """

    opponent: str
    points: Estimate
    seats: dict[str, Estimate]
    games: int
    draws: int
    stopped: int

    def __str__(self) -> str:
        parts = [f"v {self.opponent:<12} {percent_words(self.points)} of {self.games:,} games"]
        if len(self.seats) > 1:
            parts += [f"{seat} {percent_words(found)}" for seat, found in self.seats.items()]
        return "; ".join(parts)


def evaluate(
    agent: Any,
    opponents: Sequence[Any] | str = ("random", "heuristic"),
    deals: int = 1000,
    *,
    side: str = BOTH,
    ruleset: AnyRuleset = "standard",
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
) -> list[Score]:
    """Play an agent against opponents, all on the same deals.

    In a game for more than two an opponent sits in all seats but the agent's. Between equals the agent then has
    one share of as many as there are seats.

    Args:
        agent: a name (`make_agent`), a callable (observations, masks) -> actions, a `SearchAgent`, or a
            model of Stable-Baselines3.
        opponents: likewise, one after the other; or the name of one.
        deals: against each opponent; each is played once from every seat of `side`.
        side: the agent's seat, such as "britain", "player_0" or "turkey"; or "both", "every".
        ruleset: of any game.
        seed: seeds the deals and the agents' random streams. Use a seed that was not trained on.
        progress: called with the number of games just finished.

    Returns:
        One score per opponent, in the given order.

    Raises:
        AgentError: an unknown agent or side, or a wrong number of deals or seed.
        VersionError: a policy made for another ruleset or version.
        IllegalActionError: an agent answered with an illegal action.
    """
    seed = check_deals(deals, seed)
    own_seed, rivals_seed = seeds_from(seed, 2)
    rules = load_ruleset(ruleset)
    names = rules.played_seats
    all_seats = BOTH if rules.num_seats == 2 else EVERY
    if side not in (BOTH, EVERY, *names):
        raise AgentError(f"side {side!r}: allowed: {', '.join((*names, all_seats))}")
    seats = names if side in (BOTH, EVERY) else (side,)
    player = as_agent(agent, rules, own_seed)
    named = [opponents] if isinstance(opponents, str) else opponents
    rivals = [as_agent(opponent, rules, rivals_seed) for opponent in named]
    return [_score(player, rival, seats, deals, seed, rules, progress) for rival in rivals]


def _score(
    player: AnyAgent,
    rival: AnyAgent,
    seats: Sequence[str],
    deals: int,
    seed: int,
    ruleset: Ruleset,
    progress: Callable[[int], object] | None,
) -> Score:
    matches: dict[str, MatchResult] = {}
    for place, seat in enumerate(ruleset.seats):
        if seat in seats:
            cast = [rival] * ruleset.num_seats
            cast[place] = player
            matches[seat] = play_table(cast, deals, seed, ruleset, progress)
    points = {seat: match.points(seat) for seat, match in matches.items()}
    of_deal = np.tile(np.arange(deals), len(points))
    return Score(
        opponent=rival.name,
        points=estimate_share(np.concatenate([*points.values()]), of_deal),
        seats={seat: estimate_share(found) for seat, found in points.items()},
        games=deals * len(points),
        draws=sum(match.draws for match in matches.values()),
        stopped=sum(match.stopped for match in matches.values()),
    )


LADDER_VERSION = 1
LADDERS: Mapping[str, tuple[str, ...]] = PerGame(lambda spec: spec.ladder)
"""By game."""
EVALUATION_SEED = 987_654_321  # never a training seed's deals


def yardstick_of(name: str) -> str:
    """The yardstick in a name such as "britain v random"."""
    return name.rpartition(" v ")[2]


def climb(agent: Agent, games: int, ruleset: Ruleset) -> dict[str, Figure]:
    """Win rates of the agent in each seat against each yardstick, the strongest last.

    With more than two seats: its mean share of the game from all seats in turn, a yardstick in all the others.
    """
    if ruleset.num_seats > 2:
        return _climb_alone(agent, games, ruleset)
    rates = {}
    for name in LADDERS[ruleset.spec.name]:
        rival = make_agent(name, ruleset)
        matches = play_pair(agent, rival, games, EVALUATION_SEED, ruleset)
        for side, match in zip(ruleset.seats, matches, strict=True):
            rates[f"{side} v {name}"] = rate_of(match.wins(side), games)
    return rates


def _climb_alone(agent: Agent, games: int, ruleset: Ruleset) -> dict[str, Figure]:
    """The games are shared out among the seats, the first ones taking what is left over."""
    seats = ruleset.num_seats
    rates: dict[str, Figure] = {}
    for name in LADDERS[ruleset.spec.name]:
        rival, shares = make_agent(name, ruleset), []
        for seat in range(min(seats, games)):
            cast = [rival] * seat + [agent] + [rival] * (seats - seat - 1)
            part = len(range(seat, games, seats))
            shares.append(play_table(cast, part, EVALUATION_SEED, ruleset).shares[:, seat])
        deals = np.concatenate([np.arange(len(part)) for part in shares])
        rates[f"one seat v {name}"] = share_figure(np.concatenate(shares), deals)
    return rates
