"""A tournament: every agent as Britain against every agent as France, all on the same deals.

An agent also meets itself: those games show the side's share at that strength. Every match makes its
two agents anew from the tournament's seed, so the figures of a pairing do not depend on who else plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from agents import AgentError, make_agent
from agents.arena import MatchResult, play_match
from agents.statistics import Rate
from channel_tunnel_env import Ruleset, load_ruleset
from channel_tunnel_env.engine.constants import SEATS

Pairing = tuple[int, int]  # index of Britain's agent, of France's


@dataclass(frozen=True)
class Tournament:
    """Who plays how many games on which rules.

    Raises:
        AgentError: fewer than two agents, one named twice, a number below 1, or a limit for an agent
            that does not play.
    """

    agents: tuple[str, ...]
    games: int = 2000
    """Deals of each pairing."""
    seed: int = 20_000
    """Of the deals and of the agents' own random streams."""
    ruleset: str = "standard"
    limits: Mapping[str, int] = field(default_factory=dict)
    """Agent -> the most deals of any pairing it is part of."""

    def __post_init__(self) -> None:
        if len(self.agents) < 2:
            raise AgentError(f"agents: {len(self.agents)} given; at least two are needed")
        twice = sorted({name for name in self.agents if self.agents.count(name) > 1})
        if twice:
            raise AgentError(
                f"agents: {', '.join(twice)} named twice; each agent meets itself anyway"
            )
        if self.games < 1:
            raise AgentError(f"games: {self.games}; at least 1 is needed")
        if self.seed < 0:
            raise AgentError(f"seed: {self.seed}; expected 0 or more")
        for name, games in self.limits.items():
            if name not in self.agents:
                raise AgentError(
                    f"limit {name}={games}: no such agent plays; expected one of "
                    f"{', '.join(self.agents)}"
                )
            if games < 1:
                raise AgentError(f"limit {name}={games}: at least 1 game is needed")

    @property
    def pairings(self) -> list[Pairing]:
        """Every ordered pair, an agent with itself included."""
        indices = range(len(self.agents))
        return [(i, j) for i in indices for j in indices]

    def deals(self, pairing: Pairing) -> int:
        """Deals of a pairing: the smaller limit of the two agents counts."""
        limits = [self.limits.get(self.agents[i], self.games) for i in pairing]
        return min(self.games, *limits)

    @property
    def total_games(self) -> int:
        """Games of all pairings together."""
        return sum(self.deals(pairing) for pairing in self.pairings)


@dataclass(frozen=True)
class PairRecord:
    """One agent's record against another over both seatings."""

    agent: str
    rival: str
    as_britain: Rate
    as_france: Rate
    both: Rate
    drawn: float  # share of the games
    stopped: float  # share of the games
    rounds: float  # mean of all games


@dataclass(frozen=True)
class Results:
    """What was played: one match for every pairing."""

    tournament: Tournament
    ruleset: Ruleset
    matches: Mapping[Pairing, MatchResult]

    def britain(self, pairing: Pairing) -> Rate:
        """Games that Britain won in a pairing."""
        match = self.matches[pairing]
        return Rate(match.wins("britain"), match.games)

    def pair(self, i: int, j: int) -> PairRecord:
        """Agent i against agent j, seats swapped on the same deals."""
        home, away = self.matches[i, j], self.matches[j, i]
        wins = home.wins("britain"), away.wins("france")
        games = home.games + away.games
        return PairRecord(
            self.tournament.agents[i],
            self.tournament.agents[j],
            Rate(wins[0], home.games),
            Rate(wins[1], away.games),
            Rate(sum(wins), games),
            (home.draws + away.draws) / games,
            (home.truncated + away.truncated) / games,
            float(np.concatenate([home.rounds, away.rounds]).mean()),
        )

    @property
    def pairs(self) -> list[PairRecord]:
        """Every two different agents once, the later named one first."""
        return [self.pair(i, j) for i, j in self.tournament.pairings if i > j]


def play_tournament(
    tournament: Tournament, progress: Callable[[int], object] | None = None
) -> Results:
    """Play every pairing.

    Args:
        progress: called with the number of games just finished.

    Raises:
        AgentError, ChannelTunnelError: an unknown agent or ruleset, or a policy that does not fit;
            before the first game.
    """
    ruleset = load_ruleset(tournament.ruleset)
    for spec in tournament.agents:
        make_agent(spec, ruleset)
    return Results(
        tournament,
        ruleset,
        {pairing: _play(tournament, pairing, ruleset, progress) for pairing in tournament.pairings},
    )


def _play(
    tournament: Tournament,
    pairing: Pairing,
    ruleset: Ruleset,
    progress: Callable[[int], object] | None,
) -> MatchResult:
    britain, france = (
        make_agent(tournament.agents[i], ruleset, _stream_seed(tournament.seed, seat))
        for seat, i in enumerate(pairing)
    )
    return play_match(
        britain, france, tournament.deals(pairing), tournament.seed, ruleset, progress
    )


def _stream_seed(seed: int, seat: int) -> int:
    """The seats draw from different streams, so that an agent does not mirror itself."""
    return int(np.random.SeedSequence([seed, len(SEATS), seat]).generate_state(1)[0])


def parse_limits(words: Iterable[str]) -> dict[str, int]:
    """AGENT=GAMES, as typed, as a mapping.

    Raises:
        AgentError: another form, or an agent limited twice.
    """
    limits: dict[str, int] = {}
    for word in words:
        name, _, games = word.rpartition("=")
        if not name or not games.isdecimal():
            raise AgentError(
                f"limit {word!r}: expected AGENT=GAMES with a whole number, such as ismcts:1000=40"
            )
        if name in limits:
            raise AgentError(f"limit {word!r}: {name} already has the limit {limits[name]}")
        limits[name] = int(games)
    return limits
