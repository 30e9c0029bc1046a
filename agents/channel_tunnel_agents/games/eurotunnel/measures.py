"""What is measured in games of Eurotunnel Diplomacy: how each power fares, and what becomes of tunnels."""

from __future__ import annotations

import numpy as np

from channel_tunnel_agents.balance.measuring.measure import Measure, column, ended
from channel_tunnel_agents.balance.measuring.measures import GameMeasures
from channel_tunnel_env.games.eurotunnel.provinces import load_board

POWERS = tuple(power.lower() for power in load_board().powers)
# Of a power: name, title, unit, column.
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
        lambda games: (
            games[[f"survived_{power}" for power in POWERS]].sum(axis=1).to_numpy(np.float64)
        ),
    ),
    Measure(
        "largest",
        "centres of the largest power",
        "centres",
        lambda games: (
            games[[f"score_{power}" for power in POWERS]].max(axis=1).to_numpy(np.float64)
        ),
    ),
    Measure("tunnels", "tunnels built", "tunnels", column("tunnels_built")),
    Measure("tunnels_opened", "tunnels opened", "tunnels", column("tunnels_opened")),
    Measure("tunnels_demolished", "tunnels demolished", "tunnels", column("tunnels_demolished")),
    Measure("tunnels_standing", "tunnels at the end", "tunnels", column("tunnels_standing")),
    Measure(
        "turns_hidden",
        "turns for which tunnels are hidden, of all tunnels together",
        "turns",
        column("turns_hidden"),
    ),
)


MEASURES = {
    measure.name: measure
    for measure in (
        *_WHOLE_GAME,
        *(
            Measure(
                f"{name}_{power}",
                f"{power.capitalize()}: {title}",
                unit,
                column(f"{source}_{power}"),
            )
            for name, title, unit, source in _OF_A_POWER
            for power in POWERS
        ),
    )
}
MAIN = ("solos", "survivors", "largest", "tunnels", "turns_hidden")
"""What a sweep reports by default."""


GAME = GameMeasures(MEASURES, MAIN, "dumb")
