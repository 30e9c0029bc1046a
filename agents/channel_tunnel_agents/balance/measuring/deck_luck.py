"""How much of a result comes out of which part of a deck, where the order of the deck is all the luck there is.

Splitting luck by source says nothing of such a game: its one source decides all that the agents do not decide by
chance themselves. It can be split by when it comes out. For every deal there are two decks, A and B. A game is played
with A, one with B, and one for each part of the deck but the last, with the cards of A up to the end of that part and
the others of A in a new order. Both seats are played by the same agent.

    by then(k) = 1 - mean (y_A - y_k)^2 / mean (y_A - y_B)^2     games that share the parts up to k
    of part k  = by then(k) - by then(k - 1)

`by then` is the share of the variance that the cards up to there settle, whatever follows (Sobol' 1993), so the parts
add up. B played again shows what the agents' own random choices do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.deals import CHUNK, PairsOfDeals, check_count, chunks
from channel_tunnel_agents.balance.measuring.figures import bootstrap_shares, figures_of
from channel_tunnel_agents.balance.measuring.game import DeckOfLuck, measured_game
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.statistics import Figure, mean_figure
from channel_tunnel_env import BatchGame, Ruleset

PARTS = 4
GAMES = PARTS + 2  # of a deal: A, B and B again, then one for each part but the last


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
        workers: processes; None: one per core. The numbers do not depend on it.
        progress: called with the number of games just finished.

    Raises:
        AgentError: a game with other luck than a deck; an unknown agent, or fewer than two deals.
        VersionError: an agent that does not fit the ruleset.
    """
    check_count("deals", deals, 2)
    _deck_of(ruleset)
    make_agent(agent, ruleset)
    tasks = [PairsOfDeals(agent, ruleset, seed, *chunk) for chunk in chunks(deals, CHUNK)]
    parts = spread_in_order(_play, tasks, workers, progress, lambda part: part[0].size)
    outcomes = np.concatenate(parts, axis=2)
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
    low, high = bootstrap_shares(squares, _shares)
    agents, *figures = figures_of(_shares(squares.mean(axis=1)), low, high, one.size)
    parts = zip(figures[:PARTS], figures[PARTS:], strict=True)
    return DeckSpread(mean_figure(squares[0] / 2), tuple(DeckPart(share, by_then) for share, by_then in parts), agents)


def _shares(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean squares (1 + PARTS, ...) -> agents, share of each part, by the end of each part."""
    with np.errstate(invalid="ignore", divide="ignore"):
        agents, *shared = means[1:] / means[0]
    by_then = np.stack([*(1 - share for share in shared), 1 - agents])
    first = np.zeros_like(by_then[:1])
    return np.concatenate([agents[None], np.diff(by_then, axis=0, prepend=first), by_then])


def _play(task: PairsOfDeals) -> NDArray[np.float64]:
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
