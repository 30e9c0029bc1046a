"""What Carcassonne tells the measurements of itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.game import (
    STEP,
    DeckOfLuck,
    Effect,
    MeasuredGame,
    Turns,
)
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.games.carcassonne.engine import constants as c

# Figures a designer can turn without touching another one. The number of each tile is none of them: one tile more is
# another deck in another order, so the change could not be taken deal by deal.
LEVERS: dict[str, Turns] = {
    r"points\.(road|city|shield|farm|farm_first)": STEP,
    r"points\.(road|city|shield|cloister)_open": STEP,
    r"points\.cloister": (-3, 3),
    r"followers": STEP,
    r"token_sets_(two|three)": STEP,
    r"small_city": (-2, 2),
    r"farm_scoring": ("third", "second", "first", "none"),
    r"tunnel_variant": ("none", "follower", "steal", "paired", "no_block"),
    r"token_window": ("after_meeple", "before_meeple"),
    r"robber_baron": (False, True),
}


def _idle(ruleset: Ruleset) -> frozenset[str]:
    data = ruleset.data
    idle = {"points.farm"} if data.farm_scoring in ("first", "none") else set()
    idle |= {"points.farm_first"} if data.farm_scoring != "first" else set()
    own = {2: "token_sets_two", 3: "token_sets_three"}.get(data.players)  # more have one set each
    idle |= {"token_sets_two", "token_sets_three"} - ({own} if data.tunnel else set())
    idle |= set() if data.tunnel else {"token_window", "tunnel_variant"}
    return frozenset(idle)


def _score(batch: BatchGame) -> NDArray[np.float64]:
    return np.asarray(batch.scores()[:, :, -1].sum(axis=1), np.float64)


def _distance(batch: BatchGame) -> NDArray[np.float64]:
    """The first's points less the last's."""
    return np.asarray(np.ptp(batch.scores()[:, :, -1].astype(np.float64), axis=1))


GAME = MeasuredGame(
    levers=LEVERS,
    idle=_idle,
    effects={
        "score": Effect("points, both seats", _score),
        "distance": Effect("points between winner and loser", _distance),
    },
    deficits=((1, 5), (6, 10), (11, 20), (21, 30), (31, None)),
    turn_phase=None,
    stride=5,
    playout="frozen:club",
    judge="score",
    sources=lambda ruleset: c.STREAMS,
    deck=DeckOfLuck("deck", "deck_size", "drawn"),
)
