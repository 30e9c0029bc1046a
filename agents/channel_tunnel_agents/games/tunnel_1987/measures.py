"""What is kept and measured of games of 1987 Channel Tunnel. Measures of single cards need `with_cards`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.game import STEP, Effect, MeasuredGame
from channel_tunnel_agents.balance.measuring.measure import Floats, Measure, close, column, distance, ended
from channel_tunnel_agents.balance.measuring.measures import GameMeasures, Singles
from channel_tunnel_agents.matches.tables import Columns, GameTables, Series, by_seat, points_so_far
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.core.jit import kernel
from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.scoring import SCORE_SOURCES, VARIANT_SOURCES

NUM_COLOURS = len(c.COLOURS)  # the ids of a space's option are its colours in turn
NEVER = 0  # the round given for a card that was not developed


def course(states: Any) -> Columns:
    """How the game went."""
    return {"lead_changes": states["lead_changes"]}


def _by_side(name: str, values: NDArray[Any]) -> Columns:
    return by_seat(name, values, c.SEATS)


def ends(states: Any) -> Columns:
    """Each side's board at the end, and what it did in the whole game."""
    columns = {
        **_by_side("tbm", states["tbm"]),
        **_by_side("deviation", states["deviation"]),
        **_by_side("counter_a", states["counter"][:, :, 0]),
        **_by_side("counter_b", states["counter"][:, :, 1]),
        **_by_side("money", states["money_total"]),
        **_by_side("cards", states["kind_count"].sum(axis=2)),
        **_by_side("discs", states["discs"].sum(axis=2)),
        **_by_side("stored", states["storage"].sum(axis=2)),
        **_by_side("income", states["tally_income"]),
        **_by_side("barrier_money", states["tally_barrier"]),
        **_by_side("align_money", states["tally_align"]),
        **_by_side("deviation_draws", states["tally_draws"]),
        **_by_side("drift", states["tally_drift"]),
        **_by_side("kept_discs", states["tally_kept"]),
        **_by_side("placements", states["tally_placed"].sum(axis=(2, 3))),
    }
    for k, kind in enumerate(c.ACTION_KINDS):
        columns |= _by_side(f"did_{kind}", states["tally_action"][:, :, k])
    for k, space in enumerate(c.SPACES):
        for option in range(2):
            columns |= _by_side(f"placed_{space}_{option}", states["tally_placed"][:, :, k, option])
    for k, kind in enumerate(c.CARD_KINDS[c.FIRST_ABILITY :], c.FIRST_ABILITY):
        columns |= _by_side(f"used_{kind}", states["tally_ability"][:, :, k])
    return columns


def cards_table(batch: BatchGame, deals: NDArray[np.int64]) -> pd.DataFrame:
    """One row per game and card that came to a slot.

    Columns: deal, card (key), shown (times), financed_britain and financed_france (times taken as money),
    developed_by (a side, or missing), developed_round (0 never), britain_points.
    """
    states, keys = batch.states, batch.rulesets[0].card_keys
    games, cards = np.nonzero(states["card_shown"][:, : len(keys)])
    area = states["area"]
    britain = (area[games, 0] >> cards) & 1
    france = (area[games, 1] >> cards) & 1
    developed = np.where(britain == 1, 0, np.where(france == 1, 1, -1))
    winner = states["winner"][games].astype(np.int64)
    return pd.DataFrame(
        {
            "deal": deals[games],
            "card": pd.Categorical.from_codes(cards, keys),
            "shown": states["card_shown"][games, cards],
            "financed_britain": states["card_financed"][games, 0, cards],
            "financed_france": states["card_financed"][games, 1, cards],
            "developed_by": pd.Categorical.from_codes(developed, list(c.SEATS)),
            "developed_round": states["card_developed"][games, cards],
            "britain_points": np.where(winner == c.DRAW, 0.5, winner == 0),
        }
    )


@kernel
def _count_discs(rows, to_play, actions, discs, laid):  # type: ignore[no-untyped-def]
    for i in rows:
        if actions[i] < a.PASS:  # all discs of a colour are laid on a space
            seat, colour = to_play[i], (actions[i] - a.PLACE) % NUM_COLOURS
            laid[i, seat, colour] += discs[i, seat, colour]


class DiscCount:
    """A watcher for `arena.play_out` that counts by game, side and colour the discs that were laid."""

    def __init__(self, batch: BatchGame) -> None:
        self._batch = batch
        self.laid = np.zeros((batch.num_games, c.NUM_SEATS, len(c.COLOURS)), np.int16)

    def __call__(self, rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        _count_discs(rows, self._batch.to_play, actions, self._batch.states["discs"], self.laid)

    def of_games(self) -> Columns:
        """Columns of the games table: discs of each colour that a side laid, laid_COLOUR_SIDE."""
        columns: Columns = {}
        for k, colour in enumerate(c.COLOURS):
            columns |= _by_side(f"laid_{colour}", self.laid[:, :, k])
        return columns


SERIES = Series(
    "round_no",
    "round",
    {
        "points": ("victory points", points_so_far),
        "money": ("money in million", lambda batch, states: states["money_total"]),
        "discs": ("discs in hand", lambda batch, states: states["discs"].sum(axis=2)),
    },
)
TABLES = GameTables(course, lambda states, seats: ends(states), DiscCount, {"cards": cards_table}, series=SERIES)


MAIN = ("britain_wins", "rounds", "distance", "stopped")
"""What a sweep reports by default."""
AIMS = ("britain_wins", "rounds", "margin", "distance", "stopped")
"""What a designer may set a range for."""
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
        Measure("stopped", "games that the rules stop", "share", ended(c.END_CAUSES[c.FIRST_STOP :])),
        *(Measure(f"end_{cause}", f"games ended by: {cause}", "share", ended([cause])) for cause in c.END_CAUSES[1:]),
    ]


_OF_A_SIDE = (
    ("score", "final score", "points"),
    *(
        (f"points_{source}", f"points from {source}", "points")
        for source in SCORE_SOURCES
        if source not in VARIANT_SOURCES
    ),
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


GAME = GameMeasures(MEASURES, MAIN, "heuristic", _single_cards, aims=AIMS)


# Numbers a designer can turn without touching another one, by how they are written.
LEVERS = (
    r"barriers\.\w+\.[ab]\.\d+",
    r"storage\.\w+",
    r"deviation\.water_draws\.\w+",
    r"scoring\.(?!european_speech_per)\w+",
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
