"""What is measured in games of Eurotunnel Diplomacy: how each power fares, and what becomes of tunnels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.game import STEP, Effect, MeasuredGame, Turns
from channel_tunnel_agents.balance.measuring.measure import Measure, column, ended
from channel_tunnel_agents.balance.measuring.measures import GameMeasures
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.spec import SPEC

POWERS = tuple(power.lower() for power in load_board().powers)
# For each power: name, title, unit, column.
_OF_A_POWER = (
    ("squares", "share of the sum of squares", "share", "squares"),
    ("centres", "centres at the end", "centres", "score"),
    ("survived", "games in which it has a unit or a centre at the end", "share", "survived"),
    ("solo", "solos", "share", "solo"),
    ("units", "units at the end", "units", "units"),
    ("tunnels", "tunnels built", "tunnels", "tunnels"),
)
_WHOLE_GAME = (
    Measure("solos", "games that one power wins alone", "share", ended(["solo"])),
    Measure("turns", "springs and falls played", "turns", column("turns")),
    Measure(
        "survivors",
        "powers with a unit or a centre at the end",
        "powers",
        lambda games: games[[f"survived_{power}" for power in POWERS]].sum(axis=1).to_numpy(np.float64),
    ),
    Measure(
        "largest",
        "centres of the largest power",
        "centres",
        lambda games: games[[f"score_{power}" for power in POWERS]].max(axis=1).to_numpy(np.float64),
    ),
    Measure("tunnels", "tunnels built", "tunnels", column("tunnels_built")),
    Measure("tunnels_opened", "tunnels opened", "tunnels", column("tunnels_opened")),
    Measure("tunnels_demolished", "tunnels demolished", "tunnels", column("tunnels_demolished")),
    Measure("tunnels_standing", "tunnels at the end", "tunnels", column("tunnels_standing")),
    Measure(
        "turns_hidden", "turns for which tunnels are hidden, of all tunnels together", "turns", column("turns_hidden")
    ),
)


MEASURES = {
    measure.name: measure
    for measure in (
        *_WHOLE_GAME,
        *(
            Measure(f"{name}_{power}", f"{power.capitalize()}: {title}", unit, column(f"{source}_{power}"))
            for name, title, unit, source in _OF_A_POWER
            for power in POWERS
        ),
    )
}
MAIN = ("solos", "survivors", "largest", "tunnels", "turns_hidden")
"""What a sweep reports by default."""


GAME = GameMeasures(MEASURES, MAIN, "dumb")


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


LEVERS_AND_LUCK = MeasuredGame(
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
