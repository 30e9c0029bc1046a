"""How much of a result is luck: by source, and by when it comes out of a deck.

By source (pick-freeze: Sobol' 1993; Saltelli et al. 2010; the squares of Jansen 1999), each source of luck is re-dealt
while the others stay. For every deal there are two independent sets of luck, A and B. A game is played with A, one with
B, and one for each source of luck with that source from A and all others from B. Both seats are played by the same agent.

    alone(s) = 1 - mean (y_A - y_s)^2 / mean (y_A - y_B)^2     games that share s alone
    total(s) =     mean (y_B - y_s)^2 / mean (y_A - y_B)^2     games that share all but s

The variance from the agents' own random choices is found by playing B again, and is subtracted from a source's total.

Agents react to what they see, so re-dealing one source changes the course of the whole game. Totals near 1 with small
`alone` shares mean that games branch early and luck evens out, not that each source decides. Evening out a source
removes its `alone` share.

A game with a single source, the order of a deck, owes it all but the agents' own choices. That can be split by when it
comes out. For every deal there are two decks, A and B. A game is played with A, one with B, and one for each part of the
deck but the last, with the cards of A up to the end of that part and the others of A in a new order.

    by then(k) = 1 - mean (y_A - y_k)^2 / mean (y_A - y_B)^2     games that share the parts up to k
    of part k  = by then(k) - by then(k - 1)

`by then` is the share of the variance that the cards up to there settle, whatever follows, so the parts add up. B played
again shows what the agents' own random choices do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.deals import CHUNK, check_count, chunk_deals, chunks, seat_agents
from channel_tunnel_agents.balance.measuring.figures import bootstrap_shares
from channel_tunnel_agents.balance.measuring.game import DeckOfLuck, measured_game
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.matches.arena import by_seat, first_margin, first_points, play_out
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.statistics import Figure, mean_figure, share_figure
from channel_tunnel_env import BatchGame, Ruleset

_EXTRA_GAMES = 3  # per deal: A, B and B again
PARTS = 4  # of a deck
GAMES = PARTS + 2  # of a deal: A, B and B again, then one for each part but the last


@dataclass(frozen=True)
class PairsOfDeals:
    """A task: an agent against itself on the pairs of deals from `start` to `stop` (exclusive)."""

    agent: str
    ruleset: Ruleset
    seed: int
    start: int
    stop: int

    def seeds(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Game seeds of the first and of the second deal of each pair, (n,) each."""
        found = chunk_deals(self.seed, 2 * self.start, 2 * self.stop)
        return found[::2], found[1::2]

    def outcomes(self, batch: BatchGame) -> NDArray[np.float64]:
        """Play a batch to its end: the first seat's points and its margin, (2, B)."""
        agents = seat_agents((self.agent, self.agent), self.ruleset, self.seed, self.start)
        play_out(batch, by_seat(batch, *agents))
        return np.stack([first_points(batch), first_margin(batch)])


def _outcomes(
    play: Callable[[PairsOfDeals], NDArray[np.float64]],
    whole: PairsOfDeals,
    workers: int | None,
    progress: Callable[[int], object] | None,
) -> NDArray[np.float64]:
    """Play all pairs, in chunks: points and margins, (2, games of a pair, deals)."""
    make_agent(whole.agent, whole.ruleset)
    tasks = [replace(whole, start=start, stop=stop) for start, stop in chunks(whole.stop, CHUNK)]
    return np.concatenate(spread_in_order(play, tasks, workers, progress, lambda part: part[0].size), axis=2)


# --- by source --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Source:
    """A source of luck and its share of the variance, 0..1; n counts deals."""

    name: str
    alone: Figure
    """Share it decides by itself, whatever the other sources deal."""
    total: Figure
    """Share that changes when only it is re-dealt: by itself and together with others."""


@dataclass(frozen=True)
class Spread:
    """Where the variance of one outcome comes from; shares are of all variance, n counts deals.

    Attributes:
        variance: variance of the outcome between deals, in its own unit squared.
        sources: one per source of luck of the ruleset.
        together: what no source decides by itself: interactions, and the agents' own random
            choices.
        agents: share of the agents' own random choices; 0 if the same deal always gives the same
            game.
    """

    variance: Figure
    sources: tuple[Source, ...]
    together: Figure
    agents: Figure


@dataclass(frozen=True)
class Luck:
    """What decides games between two copies of an agent.

    Attributes:
        points: spread of the first seat's result, 1, 0.5 or 0.
        margin: spread of the first seat's points at the end minus those of the second.
        britain: mean result of the first seat.
    """

    agent: str
    ruleset: str
    deals: int
    games: int
    seed: int
    britain: Figure
    points: Spread
    margin: Spread


def measure_luck(
    agent: str,
    ruleset: Ruleset,
    deals: int,
    seed: int,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Luck:
    """Play an agent against itself, re-dealing each source of luck in turn.

    Args:
        deals: pairs of independent deals; each takes three games and one for every source.
        seed: of the deals and of the agents' dice.
        workers, progress: as of `spread_in_order`; the numbers do not depend on the workers.

    Raises:
        ValueError: fewer than two deals.
        AgentError, VersionError: an agent that is unknown or does not fit the ruleset.
    """
    check_count("deals", deals, 2)
    outcomes = _outcomes(_play_mixed, PairsOfDeals(agent, ruleset, seed, 0, deals), workers, progress)
    names = luck_sources(ruleset)
    points, margin = (deal_spread(y, names) for y in outcomes)
    both = outcomes[0, :2]
    britain = share_figure(both.ravel(), np.tile(np.arange(deals), len(both)))
    return Luck(agent, ruleset.name, deals, outcomes[0].size, seed, britain, points, margin)


def games_of_luck(ruleset: Ruleset) -> int:
    """How many games `measure_luck` plays of each deal."""
    return _EXTRA_GAMES + len(luck_sources(ruleset))


def luck_sources(ruleset: Ruleset) -> tuple[str, ...]:
    """The sources of luck that a ruleset has."""
    return measured_game(ruleset).sources(ruleset)


def mixed_seeds(
    one: NDArray[np.int64], other: NDArray[np.int64], sources: Sequence[str], streams: Sequence[str]
) -> NDArray[np.int64]:
    """Seeds of the random streams for the games of some deals.

    Args:
        one, other: (n,) seeds of the two sets of luck, A and B.
        sources: the streams that a game is dealt anew by.
        streams: all of the game's.

    Returns:
        (games, n, streams): A, B, B again, then one for each source: that source from A, the rest from B.
    """
    games = np.repeat(other[None, :, None], _EXTRA_GAMES + len(sources), axis=0)
    games = np.repeat(games, len(streams), axis=2)
    games[0] = one[:, None]
    for game, name in zip(games[_EXTRA_GAMES:], sources, strict=True):
        game[:, streams.index(name)] = one
    return games


def deal_spread(outcomes: NDArray[np.float64], names: Sequence[str]) -> Spread:
    """Shares of the variance, with bootstrap intervals over deals.

    Args:
        outcomes: (3 + S, n) with the luck A, B, B again, and with one source from A and the rest from B.
        names: the S sources.

    Returns:
        Shares; NaN if every deal has the same outcome.
    """
    one, other, again = outcomes[:_EXTRA_GAMES]
    mixed = outcomes[_EXTRA_GAMES:]
    squares = np.concatenate([[(one - other) ** 2, (other - again) ** 2], (one - mixed) ** 2, (other - mixed) ** 2])
    together, agents, *figures = bootstrap_shares(squares, _shares)
    alone, total = figures[: len(names)], figures[len(names) :]
    sources = tuple(Source(*each) for each in zip(names, alone, total, strict=True))
    return Spread(mean_figure(squares[0] / 2), sources, together, agents)


def _shares(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean squares (2 + 2S, ...) -> together, agents, alone (S), total (S)."""
    count = (len(means) - 2) // 2
    with np.errstate(invalid="ignore", divide="ignore"):
        ratios = means[1:] / means[0]
    agents, alone, total = ratios[0], 1 - ratios[1 : 1 + count], ratios[1 + count :] - ratios[0]
    return np.concatenate([[1 - alone.sum(axis=0), agents], alone, total])


def _play_mixed(task: PairsOfDeals) -> NDArray[np.float64]:
    """Play; points and margins of the games of some deals: (2, games, n)."""
    streams = task.ruleset.spec.luck.streams
    mixed = mixed_seeds(*task.seeds(), luck_sources(task.ruleset), streams)
    batch = BatchGame(mixed[..., 0].size, task.ruleset)
    batch.reset(seeds=mixed.reshape(-1, len(streams)))
    return task.outcomes(batch).reshape(2, *mixed.shape[:2])


# --- by part of a deck ------------------------------------------------------------------------------


@dataclass(frozen=True)
class DeckPart:
    """A part of the deck, in the order of drawing, and its share of the variance, 0..1.

    Attributes:
        share: what its cards settle once the earlier ones are known.
        by_then: what is settled when its last card is known.
    """

    share: Figure
    by_then: Figure


@dataclass(frozen=True)
class DeckSpread:
    """Where the variance of one outcome comes out; n counts deals.

    Attributes:
        variance: of the outcome between deals, in its own unit squared.
        parts: equally long, in the order of drawing.
        agents: share of the agents' own random choices; 0 if the same deck always gives the same game.
    """

    variance: Figure
    parts: tuple[DeckPart, ...]
    agents: Figure


@dataclass(frozen=True)
class DeckLuck:
    """When games between two copies of an agent are decided by the deck.

    Attributes:
        points: spread of the first seat's result, 1, 0.5 or 0.
        margin: spread of the first seat's points at the end minus those of the second.
    """

    agent: str
    ruleset: str
    deals: int
    games: int
    seed: int
    points: DeckSpread
    margin: DeckSpread


def measure_deck_luck(
    agent: str,
    ruleset: Ruleset,
    deals: int,
    seed: int,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> DeckLuck:
    """Play an agent against itself, putting what is left of each deck into a new order part by part.

    Args:
        deals: pairs of independent decks; each takes GAMES games.
        seed: of the decks, their new orders and the agents' dice.
        workers, progress: as of `spread_in_order`; the numbers do not depend on the workers.

    Raises:
        AgentError: a game with other luck than a deck; an unknown agent, or fewer than two deals.
        VersionError: an agent that does not fit the ruleset.
    """
    check_count("deals", deals, 2)
    _deck_of(ruleset)
    outcomes = _outcomes(_play_decks, PairsOfDeals(agent, ruleset, seed, 0, deals), workers, progress)
    points, margin = (deck_spread(y) for y in outcomes)
    return DeckLuck(agent, ruleset.name, deals, outcomes[0].size, seed, points, margin)


def _deck_of(ruleset: Ruleset) -> DeckOfLuck:
    deck = measured_game(ruleset).deck
    if deck is None:
        raise AgentError(
            f"luck of the deck: game {ruleset.spec.name} has luck of {len(ruleset.spec.luck.streams)} sources"
        )
    return deck


def deck_spread(outcomes: NDArray[np.float64]) -> DeckSpread:
    """Shares of the variance, with bootstrap intervals over deals.

    Args:
        outcomes: (GAMES, n) of A, B, B again, and with the parts of A up to each but the last.

    Returns:
        Shares; NaN if every deck has the same outcome.
    """
    one, other, again, *shared = outcomes
    squares = np.stack([(one - other) ** 2, (other - again) ** 2, *((one - y) ** 2 for y in shared)])
    agents, *figures = bootstrap_shares(squares, _deck_shares)
    parts = zip(figures[:PARTS], figures[PARTS:], strict=True)
    return DeckSpread(mean_figure(squares[0] / 2), tuple(DeckPart(share, by_then) for share, by_then in parts), agents)


def _deck_shares(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean squares (1 + PARTS, ...) -> agents, share of each part, by the end of each part."""
    with np.errstate(invalid="ignore", divide="ignore"):
        agents, *shared = means[1:] / means[0]
    by_then = np.stack([*(1 - share for share in shared), 1 - agents])
    first = np.zeros_like(by_then[:1])
    return np.concatenate([agents[None], np.diff(by_then, axis=0, prepend=first), by_then])


def _play_decks(task: PairsOfDeals) -> NDArray[np.float64]:
    """Play; points and margins of the games of some deals: (2, GAMES, n)."""
    one, other = task.seeds()
    batch = BatchGame(GAMES * one.size, task.ruleset)
    batch.reset(seeds=np.concatenate([one, other, other, *[one] * (PARTS - 1)]))
    states = batch.records.copy()
    shuffle_the_rest(states.reshape(GAMES, -1)[3:], _deck_of(task.ruleset), other)
    batch.restore(states)
    return task.outcomes(batch).reshape(2, GAMES, -1)


def shuffle_the_rest(states: NDArray[np.void], deck: DeckOfLuck, seeds: NDArray[np.int64]) -> None:
    """Put the cards behind the first part, the first two parts and so on into a new order, in place.

    Args:
        states: records of freshly dealt games (PARTS - 1, n); row k keeps its first k + 1 parts.
        seeds: (n,) of the new orders.
    """
    for number, row in enumerate(states, 1):
        for record, seed in zip(row, seeds, strict=True):
            size = int(record[deck.size])
            kept = max(number * size // PARTS, int(record[deck.drawn]))
            rng = np.random.default_rng([int(seed), number])
            record[deck.cards][kept:size] = rng.permutation(record[deck.cards][kept:size])
