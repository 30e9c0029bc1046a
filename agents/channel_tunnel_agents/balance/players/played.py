"""Games between a ruleset's players, kept beside the policies that were trained for it: no verdict plays them twice.

They hold for the players that still are what they were, by the digests of their weights, and for this version of the package.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

import numpy as np

from channel_tunnel_agents.balance.empirical.payoffs import Payoffs
from channel_tunnel_agents.balance.players.population import Population
from channel_tunnel_agents.balance.players.training import DIGITS, identity
from channel_tunnel_env import __version__
from channel_tunnel_env.outside.files import read_whole, write_whole

MOST = 100_000_000  # bytes of a file


def known_payoffs(population: Population, deals: int, seed: int) -> Payoffs | None:
    """The games of a population that are kept; None if there are none, or if their file is damaged.

    Args:
        deals, seed: of the games.
    """
    if not population.trained:
        return None
    ruleset = population.ruleset
    players = {identity(name, ruleset): name for name in population.names}
    try:
        with np.load(io.BytesIO(read_whole(_file(population, deals, seed), MOST))) as kept:
            if str(kept["version"]) != __version__:
                return None
            there = tuple(players.get(str(player), "") for player in kept["players"])
            shares, stopped = {}, {}
            for cast, own, part in zip(kept["casts"].tolist(), kept["shares"], kept["stopped"].tolist(), strict=True):
                if all(there[p] for p in cast):
                    shares[tuple(cast)], stopped[tuple(cast)] = own, part
    except (OSError, EOFError, ValueError, LookupError, zipfile.BadZipFile, zlib.error):
        return None
    return Payoffs(there, ruleset.played_seats, shares, stopped, seed) if shares else None


def keep_payoffs(population: Population, payoffs: Payoffs) -> None:
    """Keep the games of a population for which policies were trained; without room for them they are played again."""
    if not population.trained:
        return
    content = io.BytesIO()
    np.savez_compressed(
        content,
        version=__version__,
        players=[identity(name, population.ruleset) for name in payoffs.names],
        casts=list(payoffs.shares),
        shares=np.array(list(payoffs.shares.values())),
        stopped=list(payoffs.stopped.values()),
    )
    with suppress(OSError):
        write_whole(_file(population, payoffs.deals, payoffs.seed), content.getvalue())


def _file(population: Population, deals: int, seed: int) -> Path:
    return population.trained[0].folder.parent / f"games-{population.ruleset.digest[:DIGITS]}-{deals}-{seed}.npz"
