"""What is measured in a set of games: named figures with intervals, shared by all commands.

Compare, gate, sweep and tune all use these names. A measure has one value per deal, so two rulesets
can be compared deal by deal. Measures of single cards need `with_cards`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.statistics import CONFIDENCE, Estimate, estimate_mean, estimate_share
from channel_tunnel_env.documents import quote
from channel_tunnel_env.engine.constants import (
    ACTION_KINDS,
    CARD_KINDS,
    COLOURS,
    END_CAUSES,
    FIRST_ABILITY,
    FIRST_STOP,
    SEATS,
)
from channel_tunnel_env.engine.scoring import SCORE_SOURCES
from channel_tunnel_env.hints import did_you_mean

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Measure:
    """A figure of games.

    Attributes:
        name: what the user types.
        title: description in words.
        unit: unit of its values: share (0..1), points, rounds, million, times, ...
        of: computes its values (n,) from the rows (n,) of the games table.
    """

    name: str
    title: str
    unit: str
    of: Callable[[pd.DataFrame], Floats]

    def estimate(self, games: pd.DataFrame, confidence: float = CONFIDENCE) -> Estimate:
        """Its mean over the games, clustered by deal, with an interval of this confidence."""
        estimate = estimate_share if self.unit == "share" else estimate_mean
        return estimate(self.of(games), games["deal"], confidence)


def _column(name: str) -> Callable[[pd.DataFrame], Floats]:
    return lambda games: games[name].to_numpy(np.float64)


def _ended(causes: Iterable[str]) -> Callable[[pd.DataFrame], Floats]:
    wanted = list(causes)
    return lambda games: games["end_cause"].isin(wanted).to_numpy(np.float64)


def _whole_game() -> list[Measure]:
    return [
        Measure("britain_wins", "Britain's share of wins", "share", _column("britain_points")),
        Measure("rounds", "rounds played", "rounds", _column("rounds")),
        Measure("decisions", "decisions of both sides", "decisions", _column("decisions")),
        Measure("lead_changes", "changes of the lead", "times", _column("lead_changes")),
        Measure("margin", "Britain's lead at the end", "points", _column("margin")),
        Measure(
            "distance",
            "points between winner and loser",
            "points",
            lambda games: games["margin"].abs().to_numpy(np.float64),
        ),
        Measure(
            "close",
            "games decided by 3 points or fewer",
            "share",
            lambda games: (games["margin"].abs() <= 3).to_numpy(np.float64),
        ),
        Measure("stopped", "games that went nowhere", "share", _ended(END_CAUSES[FIRST_STOP:])),
        *(
            Measure(f"end_{cause}", f"games ended by: {cause}", "share", _ended([cause]))
            for cause in END_CAUSES[1:]
        ),
    ]


_OF_A_SIDE = (
    ("score", "final score", "points"),
    *((f"points_{source}", f"points from {source}", "points") for source in SCORE_SOURCES),
    ("tbm", "spaces bored", "spaces"),
    ("deviation", "deviation at the end", "levels"),
    ("counter_a", "technology track a at the end", "spaces"),
    ("counter_b", "technology track b at the end", "spaces"),
    ("cards", "cards developed", "cards"),
    ("income", "money taken by Finance", "million"),
    ("barrier_money", "money paid for barriers", "million"),
    ("align_money", "money spent on alignment", "million"),
    ("deviation_draws", "deviation cards drawn", "times"),
    ("placements", "stacks placed", "times"),
    *((f"laid_{colour}", f"{colour} discs laid", "discs") for colour in COLOURS),
    *((f"did_{kind}", f"{kind} actions", "times") for kind in ACTION_KINDS),
    *((f"used_{kind}", f"uses of {kind}", "times") for kind in CARD_KINDS[FIRST_ABILITY:]),
)


def _of_sides() -> list[Measure]:
    return [
        Measure(f"{name}_{side}", f"{side.capitalize()}: {title}", unit, _column(f"{name}_{side}"))
        for name, title, unit in _OF_A_SIDE
        for side in SEATS
    ]


MEASURES = {measure.name: measure for measure in (*_whole_game(), *_of_sides())}


def card_measures(names: Mapping[str, str]) -> list[Measure]:
    """What becomes of single cards.

    Args:
        names: card key -> its name.
    """
    return [
        measure
        for key, name in names.items()
        for measure in (
            *(
                Measure(
                    f"developed_{key}_{side}",
                    f"{side.capitalize()} develops {name}",
                    "share",
                    _column(f"developed_{key}_{side}"),
                )
                for side in SEATS
            ),
            Measure(f"money_{key}", f"{name} taken as money", "times", _column(f"money_{key}")),
        )
    ]


def with_cards(games: pd.DataFrame, cards: pd.DataFrame, keys: Iterable[str]) -> pd.DataFrame:
    """The games table with the columns that `card_measures` reads.

    Args:
        games, cards: tables of the same games, one per deal; see `matches.tables`.
        keys: of the cards.
    """
    times = cards["financed_britain"] + cards["financed_france"]
    columns: dict[str, Floats] = {}
    for key in keys:
        mine = cards["card"] == key
        for side in SEATS:
            deals = cards.loc[mine & (cards["developed_by"] == side), "deal"]
            columns[f"developed_{key}_{side}"] = games["deal"].isin(deals).to_numpy(np.float64)
        taken = times[mine].groupby(cards.loc[mine, "deal"]).sum()
        columns[f"money_{key}"] = games["deal"].map(taken).fillna(0).to_numpy(np.float64)
    return pd.concat([games, pd.DataFrame(columns, index=games.index)], axis=1)


def find_measures(names: Iterable[str]) -> list[Measure]:
    """Measures by name.

    Raises:
        AgentError: an unknown name, with the nearest ones.
    """
    found = []
    for name in names:
        if name not in MEASURES:
            raise AgentError(f"measure {quote(name)}: unknown{did_you_mean(name, MEASURES, 3)}")
        found.append(MEASURES[name])
    return found
