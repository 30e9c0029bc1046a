"""What is measured in games of 1987 Channel Tunnel. Measures of single cards need `with_cards`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from channel_tunnel_agents.balance.measuring.game import STEP, Effect, MeasuredGame
from channel_tunnel_agents.balance.measuring.measure import Floats, Measure, close, column, distance, ended
from channel_tunnel_agents.balance.measuring.measures import GameMeasures, Singles
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.scoring import HEAD_START, SCORE_SOURCES

MAIN = ("britain_wins", "rounds", "distance", "stopped")
"""What a sweep reports by default."""
SIDES = ("Britain", "France")
CLOSE = 3  # points


def _whole_game() -> list[Measure]:
    return [
        Measure("britain_wins", "Britain's share of wins", "share", column("britain_points"), SIDES),
        Measure("rounds", "rounds played", "rounds", column("rounds")),
        Measure("decisions", "decisions of both sides, forced ones too", "decisions", column("decisions")),
        Measure("lead_changes", "changes of the lead", "times", column("lead_changes")),
        Measure("margin", "Britain's lead at the end", "points", column("margin")),
        distance(),
        close(CLOSE),
        Measure("stopped", "games that went nowhere", "share", ended(c.END_CAUSES[c.FIRST_STOP :])),
        *(Measure(f"end_{cause}", f"games ended by: {cause}", "share", ended([cause])) for cause in c.END_CAUSES[1:]),
    ]


_OF_A_SIDE = (
    ("score", "final score", "points"),
    *((f"points_{source}", f"points from {source}", "points") for source in SCORE_SOURCES if source != HEAD_START),
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
    *((f"laid_{colour}", f"{colour} discs laid", "discs") for colour in c.COLOURS),
    *((f"did_{kind}", f"{kind} actions", "times") for kind in c.ACTION_KINDS),
    *((f"used_{kind}", f"uses of {kind}", "times") for kind in c.CARD_KINDS[c.FIRST_ABILITY :]),
)


def _of_sides() -> list[Measure]:
    return [
        Measure(f"{name}_{side}", f"{side.capitalize()}: {title}", unit, column(f"{name}_{side}"))
        for name, title, unit in _OF_A_SIDE
        for side in c.SEATS
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
                    column(f"developed_{key}_{side}"),
                )
                for side in c.SEATS
            ),
            Measure(f"money_{key}", f"{name} taken as money", "times", column(f"money_{key}")),
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
        for side in c.SEATS:
            deals = cards.loc[mine & (cards["developed_by"] == side), "deal"]
            columns[f"developed_{key}_{side}"] = games["deal"].isin(deals).to_numpy(np.float64)
        taken = times[mine].groupby(cards.loc[mine, "deal"]).sum()
        columns[f"money_{key}"] = games["deal"].map(taken).fillna(0).to_numpy(np.float64)
    return pd.concat([games, pd.DataFrame(columns, index=games.index)], axis=1)


def shared_cards(one: Ruleset, other: Ruleset) -> dict[str, str]:
    """Key -> name of the cards that both rulesets have."""
    there = set(one.card_keys)
    return {card.card: card.name for card in other.data.deck.cards if card.card in there}


def _single_cards(one: Ruleset, other: Ruleset) -> Singles:
    names = shared_cards(one, other)
    return Singles(card_measures(names), "cards", lambda games, cards: with_cards(games, cards, names))


GAME = GameMeasures(MEASURES, MAIN, "heuristic", _single_cards)


# Numbers a designer can turn without touching another one, by how they are written.
LEVERS = (
    r"barriers\.\w+\.[ab]\.\d+",
    r"storage\.\w+",
    r"deviation\.water_draws\.\w+",
    r"scoring\.(centre_bonus|centre_per_rival_token|political_duel|european_speech|media_relations)",
    r"extra_finance",
    r"discs\.hand",
    r"head_start\.\w+\.\w+",
)


def _sources(ruleset: Ruleset) -> tuple[str, ...]:
    return tuple(s for s in c.STREAMS if s != "agenda" or ruleset.data.agenda.enabled)


LEVERS_AND_LUCK = MeasuredGame(
    levers=dict.fromkeys(LEVERS, STEP),
    idle=lambda ruleset: frozenset(),
    effects={
        "rounds": Effect("rounds", lambda batch: batch.states["round_no"]),
        "stopped": Effect("stopped", lambda batch: batch.states["end_cause"] >= c.FIRST_STOP, True),
    },
    deficits=((1, 2), (3, 4), (5, 7), (8, 11), (12, None)),
    turn_phase=c.TURN,
    playout="heuristic",
    judge="rollout:8",
    sources=_sources,
)
