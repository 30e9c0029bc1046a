"""How much of a result is luck, by source: each source of luck is re-dealt while the others stay.

Pick-freeze (Sobol' 1993; Saltelli et al. 2010; the squares of Jansen 1999). For every deal there are two
independent sets of luck, A and B. A game is played with A, one with B, and one for each source of luck
with that source from A and all others from B. Both seats are played by the same agent.

    alone(s) = 1 - mean (y_A - y_s)^2 / mean (y_A - y_B)^2     games that share s alone
    total(s) =     mean (y_B - y_s)^2 / mean (y_A - y_B)^2     games that share all but s

The variance from the agents' own random choices is found by playing B again, and is subtracted from
a source's total.

Agents react to what they see, so re-dealing one source changes the course of the whole game. Totals
near 1 with small `alone` shares mean that games branch early and luck evens out, not that each
source decides. Evening out a source removes its `alone` share. A game with a single source owes it all but the
agents' own choices: what splits that is when it comes out (`deck_luck`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.deals import CHUNK, PairsOfDeals, check_count, chunks
from channel_tunnel_agents.balance.measuring.figures import bootstrap_shares, figures_of
from channel_tunnel_agents.balance.measuring.game import measured_game
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.statistics import Figure, mean_figure, share_figure
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.games import DEFAULT_GAME, find_game

_EXTRA_GAMES = 3  # per deal: A, B and B again


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
        workers: processes; None: one per core. The numbers do not depend on it.
        progress: called with the number of games just finished.

    Raises:
        ValueError: fewer than two deals.
        AgentError, VersionError: an agent that is unknown or does not fit the ruleset.
    """
    check_count("deals", deals, 2)
    make_agent(agent, ruleset)
    tasks = [PairsOfDeals(agent, ruleset, seed, *chunk) for chunk in chunks(deals, CHUNK)]
    parts = spread_in_order(_play_mixed, tasks, workers, progress, lambda part: part[0].size)
    outcomes = np.concatenate(parts, axis=2)
    names = luck_sources(ruleset)
    points, margin = (deal_spread(y[0], y[1], y[2], y[_EXTRA_GAMES:], names) for y in outcomes)
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
    one: NDArray[np.int64],
    other: NDArray[np.int64],
    sources: Sequence[str],
    streams: Sequence[str] = find_game(DEFAULT_GAME).luck.streams,
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


def deal_spread(
    one: NDArray[np.float64],
    other: NDArray[np.float64],
    again: NDArray[np.float64],
    mixed: NDArray[np.float64],
    names: Sequence[str],
) -> Spread:
    """Shares of the variance from outcomes of pick-freeze games, with bootstrap intervals over deals.

    Args:
        one, other: (n,) outcomes with the luck A and B.
        again: (n,) B once more.
        mixed: (S, n) outcomes with one source from A and the rest from B.
        names: the S sources.

    Returns:
        Shares; NaN if every deal has the same outcome.
    """
    squares = np.concatenate([[(one - other) ** 2, (other - again) ** 2], (one - mixed) ** 2, (other - mixed) ** 2])
    value = _shares(squares.mean(axis=1))
    low, high = bootstrap_shares(squares, _shares)
    figures = figures_of(value, low, high, one.size)
    variance = mean_figure(squares[0] / 2)
    alone, total = figures[2 : 2 + len(names)], figures[2 + len(names) :]
    sources = tuple(Source(*each) for each in zip(names, alone, total, strict=True))
    return Spread(variance, sources, figures[0], figures[1])


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
