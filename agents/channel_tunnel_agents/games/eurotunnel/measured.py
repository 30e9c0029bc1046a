"""What Eurotunnel Diplomacy tells the measurements of itself: its levers and their other effects."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.game import STEP, Effect, MeasuredGame, Turns
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.games.eurotunnel.spec import SPEC

# The limit of years and the score of an undecided game are house rules, which a designer may turn as well.
LEVERS: dict[str, Turns] = {
    r"rulebook": ("1971", "datc"),
    r"tunnels": (False, True),
    r"tunnels_per_(power|turn|province)": STEP,
    r"permissions": (False, True),
    r"max_year": (-5, 5),
    r"limit_score": ("sos", "dss", "centres", "pieces"),
    r"victory_centres": (-2, 2),
}


def _idle(ruleset: Ruleset) -> frozenset[str]:
    data = ruleset.data
    per = frozenset(f"tunnels_per_{what}" for what in ("power", "turn", "province"))
    return frozenset() if data.tunnels else per | {"permissions"}


def _solo(batch: BatchGame) -> NDArray[np.float64]:
    winner = batch.states["winner"]
    return np.asarray((winner >= 0) & (winner < len(batch.seats)), np.float64)


def _tunnels(batch: BatchGame) -> NDArray[np.float64]:
    return np.asarray(batch.states["built"].sum(axis=1), np.float64)


GAME = MeasuredGame(
    levers=LEVERS,
    idle=_idle,
    effects={
        "solos": Effect("games that one power wins alone", _solo, is_share=True),
        "tunnels": Effect("tunnels built", _tunnels),
    },
    deficits=(),
    turn_phase=None,
    playout="dumb",
    judge="score",
    sources=lambda ruleset: SPEC.luck.streams,
)
