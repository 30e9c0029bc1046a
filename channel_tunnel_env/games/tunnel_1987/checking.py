"""Random games of 1987 Channel Tunnel, checked inside one kernel: round starts are looked at, too."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from channel_tunnel_env.core.checking import DRAW, CheckedGames
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine import invariants
from channel_tunnel_env.games.tunnel_1987.engine.state import new_states, new_workspaces
from channel_tunnel_env.games.tunnel_1987.game import BLANK, tables_of
from channel_tunnel_env.rulesets.ruleset import Ruleset


def check_games(ruleset: Ruleset, games: int, seed: Sequence[int]) -> CheckedGames:
    """Play uniformly random games one after the other; see `checking`."""
    words = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    states, before = new_states(1), new_states(1)
    tallies = np.zeros(invariants.NUM_TALLIES, np.int64)
    code = invariants.check_random_games(
        states,
        tables_of(ruleset),
        games,
        int(words[0] >> np.uint64(1)),
        words[1:].copy(),
        BLANK,
        new_workspaces(1),
        before,
        tallies,
    )
    count = [int(n) for n in tallies]
    wins = (count[invariants.BRITAIN_WINS], count[invariants.FRANCE_WINS])
    return CheckedGames(
        count[invariants.GAMES],
        count[invariants.DECISIONS],
        count[invariants.PLIES],
        count[invariants.ROUNDS],
        count[invariants.STOPS],
        dict(zip(c.SEATS, wins, strict=True)) | {DRAW: count[invariants.DRAWS]},
        dict(zip(c.END_CAUSES[1:], count[invariants.FIRST_CAUSE + 1 :], strict=True)),
        (int(code), states) if code else None,
    )
