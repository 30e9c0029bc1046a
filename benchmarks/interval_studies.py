"""How often 95 % intervals contain the true value: measurements repeated on other deals.

A run is one measurement as a user would make it. Where nothing differs the true value is known: a
ruleset against itself on other deals changes by 0. Elsewhere it is taken to be the mean over all
runs, which rests on many times the deals of one run. Every row of a study is one interval:

    run, figure, value, low, high    what a run found
    truth                            0 where nothing differs; NaN: the mean over the runs
    support                          deals that differ in the figure, of which the interval is made
    survives                         whether the run calls it more than luck
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from channel_tunnel_agents.balance.changing.compare import compare
from channel_tunnel_agents.balance.changing.parameters import Point, base_point, make_point
from channel_tunnel_agents.balance.changing.sweep import Sweep, Swept
from channel_tunnel_agents.balance.measuring.luck import measure_luck
from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.balance.measuring.restricted import measure_restrictions
from channel_tunnel_agents.balance.measuring.tension import watch_games
from channel_tunnel_agents.balance.measuring.variance import (
    LEAST_DEALS_OF_SHARES,
    of_seats,
    variance_shares,
)
from channel_tunnel_agents.games.tunnel_1987.measuring.card_effects import measure_card_effects
from channel_tunnel_agents.matches.rating import fit
from channel_tunnel_agents.matches.tournament import Results, Tournament, play_tournament
from channel_tunnel_agents.statistics import LEAST_DEALS, Estimate, Rate, estimate_share
from channel_tunnel_env import Ruleset

Row = dict[str, Any]
UNKNOWN = float("nan")
FROZEN_WAY = "frozen"


@dataclass(frozen=True)
class Setting:
    """What the runs of a study share; games are played once and kept.

    Attributes:
        agent: plays both sides.
        changes: changes of the ruleset that make the real effect: key -> value.
        deals: deals per run.
        seed: runs take the seeds from this one on.
    """

    agent: str
    ruleset: Ruleset
    changes: dict[str, int]
    runs: int
    deals: int
    seed: int
    _kept: dict[tuple[str, int], pd.DataFrame] = field(default_factory=dict, repr=False)

    def games(self, ruleset: Ruleset, number: int) -> pd.DataFrame:
        """The agent against itself on the deals with this number."""
        key = ruleset.digest, number
        if key not in self._kept:
            agents, seed = (self.agent,), self.seed + number
            wanted = Tournament(agents, self.deals, seed, ruleset, mirror=True)
            self._kept[key] = play_tournament(wanted, workers=1).store.read("games")
        return self._kept[key]

    @cached_property
    def measures(self) -> list[Measure]:
        """Everything that is measured in the game."""
        return list(measures_of(self.ruleset).known.values())

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """Their names."""
        return self.ruleset.seats

    @cached_property
    def changed(self) -> Point:
        """The other ruleset."""
        return make_point(self.ruleset, self.changes)


@dataclass(frozen=True)
class Coverage:
    """How well a study's intervals did.

    Attributes:
        held: share of the intervals that contain the true value; its own interval is clustered by
            run.
        intervals: number of intervals.
        runs: number of runs they come from.
        alarms: runs with a significant effect where there is none; None where the true value is not
            known to be 0.
        sparse: intervals that contain the true value, among those of figures in which hardly any deal
            differs (fewer than `LEAST_DEALS` in the mean run); they are in no other number here.
    """

    held: Estimate
    intervals: int
    runs: int
    alarms: Rate | None
    sparse: Rate


def cover(rows: pd.DataFrame) -> Coverage:
    """Sum up the rows of one study of one agent."""
    rows = rows[rows[["low", "high"]].notna().all(axis=1)]
    by_figure = rows.groupby("figure")
    truth = rows["truth"].fillna(by_figure["value"].transform("mean"))
    held = (rows["low"] <= truth) & (truth <= rows["high"])
    is_sparse = by_figure["support"].transform("mean") < LEAST_DEALS
    sparse = Rate(int(held[is_sparse].sum()), int(is_sparse.sum()))
    runs = rows["run"].nunique()
    rows, held = rows[~is_sparse], held[~is_sparse]
    alarms = None
    if len(rows) and (rows["truth"] == 0).all():
        alarms = Rate(int(rows.groupby("run")["survives"].any().sum()), runs)
    return Coverage(
        estimate_share(held.astype(float), rows["run"]), len(rows), runs, alarms, sparse
    )


def _row(
    run: int, figure: str, found: Any, support: int, truth: float = UNKNOWN, survives: bool = False
) -> Row:
    return {
        "run": run,
        "figure": figure,
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "truth": truth,
        "support": support,
        "survives": survives,
    }


# --- the agent against itself --------------------------------------------------------------------


def compare_null(setting: Setting) -> Iterator[Row]:
    """`compare` of the ruleset with itself on other deals."""
    for run in range(setting.runs):
        one, other = (setting.games(setting.ruleset, 2 * run + k) for k in range(2))
        for d in compare(one, other, setting.measures):
            yield _row(run, d.measure.name, d.change, d.differing, 0.0, d.survives)


def compare_effect(setting: Setting) -> Iterator[Row]:
    """`compare` with the changed ruleset on the same deals."""
    for run in range(setting.runs):
        rules = setting.ruleset, setting.changed.ruleset
        one, other = (setting.games(ruleset, 2 * run) for ruleset in rules)
        for d in compare(one, other, setting.measures):
            yield _row(run, d.measure.name, d.change, d.differing)


def sweep_null(setting: Setting) -> Iterator[Row]:
    """A sweep whose second setting is the base on other deals."""
    for run in range(setting.runs):
        yield from _sweep(setting, run, setting.games(setting.ruleset, 2 * run + 1), 0.0)


def sweep_effect(setting: Setting) -> Iterator[Row]:
    """A sweep to the changed ruleset on the same deals."""
    for run in range(setting.runs):
        yield from _sweep(setting, run, setting.games(setting.changed.ruleset, 2 * run))


def _sweep(
    setting: Setting, run: int, changed: pd.DataFrame, truth: float = UNKNOWN
) -> Iterator[Row]:
    """The changes of a sweep over the base and one other setting."""
    base = setting.games(setting.ruleset, 2 * run)
    points = base_point((), setting.ruleset), setting.changed
    games = {(0, FROZEN_WAY): base, (1, FROZEN_WAY): changed}
    sweep = Sweep((), agent=setting.agent, deals=setting.deals)
    swept = Swept(sweep, setting.ruleset, (), points, (FROZEN_WAY,), games, ())
    for figure in swept.figures_of(points[1], FROZEN_WAY):
        differing = int(np.count_nonzero(figure.measure.of(changed) - figure.measure.of(base)))
        assert figure.change is not None
        yield _row(run, figure.measure.name, figure.change, differing, truth, figure.survives)


def levels(setting: Setting) -> Iterator[Row]:
    """The report's figures of an agent against itself: side advantage, ends, length, economy."""
    for run in range(setting.runs):
        games = setting.games(setting.ruleset, run)
        for measure in setting.measures:
            values = measure.of(games)
            yield _row(run, measure.name, measure.estimate(games), _support(values))


def _support(values: Any) -> int:
    """Number of deals whose value is not the most common one."""
    return int(len(values) - pd.Series(np.asarray(values)).value_counts().iloc[0])


# --- against others ------------------------------------------------------------------------------


def elo_null(setting: Setting) -> Iterator[Row]:
    """A tournament of an agent and a copy of it, with different deals in every pairing."""
    half = setting.deals // 2
    pairings = [(i, j) for i in range(2) for j in range(2)]
    for run in range(setting.runs):
        won = f"{setting.seats[0]}_points"
        sets = (setting.games(setting.ruleset, 2 * run + k)[won] for k in range(2))
        parts = [part for points in sets for part in (points[:half], points[half : 2 * half])]
        outcomes = {p: part.to_numpy() for p, part in zip(pairings, parts, strict=True)}
        gap = fit(outcomes).strength(1)
        yield _row(run, "Elo of the copy", gap, half, 0.0, gap.excludes_zero)


def tournament(setting: Setting, rival: str) -> Iterator[Row]:
    """Win shares, Elo and the split of the variance in tournaments with a rival."""
    for run in range(setting.runs):
        wanted = Tournament(
            (setting.agent, rival), setting.deals, setting.seed + run, setting.ruleset
        )
        results = play_tournament(wanted, workers=1)
        for figure, found in _tournament_figures(results):
            yield _row(run, figure, found, setting.deals)


def _tournament_figures(results: Results) -> Iterator[tuple[str, Estimate]]:
    pair = results.pair(1, 0)
    first, second = results.seats
    shares = {f"as {first}": pair.in_first, f"as {second}": pair.in_second, "both seats": pair.both}
    shares |= {f"share of {first} {p}": results.first_seat(p) for p in ((0, 0), (1, 1))}
    for name, rate in shares.items():
        yield name, Estimate(rate.share, *rate.interval)
    rating = fit({pair: match.points(first) for pair, match in results.matches.items()})
    yield "Elo", rating.strength(1)
    yield "Elo of the side", rating.side
    if results.tournament.games < LEAST_DEALS_OF_SHARES:
        return
    split = variance_shares(of_seats(results.store.read("games"), results.seats))
    for name in ("side", "skill", "deal", "rest"):
        yield f"variance: {name}", getattr(split, name)


# --- the report's measurements -------------------------------------------------------------------


def card_effects(setting: Setting, cards: Sequence[str]) -> Iterator[Row]:
    """Effects of some cards for the side that holds them."""
    for run in range(setting.runs):
        found = measure_card_effects(
            setting.agent, setting.ruleset, setting.deals, setting.seed + run, 1, cards=cards
        )
        for card in found.cards:
            for name in ("britain", "france", "both", "margin"):
                yield _row(run, f"{card.key} {name}", getattr(card, name), setting.deals)


def restrictions(setting: Setting, families: Sequence[str]) -> Iterator[Row]:
    """The cost to a side of never taking a family of actions."""
    for run in range(setting.runs):
        found = measure_restrictions(
            setting.agent,
            setting.ruleset,
            setting.deals,
            setting.seed + run,
            1,
            names=families,
            modes=("ban",),
        )
        for effect in found:
            name = f"{effect.family} {effect.side}"
            yield _row(run, name, effect.effect, effect.differing)
            yield _row(run, f"{name} bound", effect.bound, setting.deals)


def tension(setting: Setting) -> Iterator[Row]:
    """The course of games by the score."""
    for run in range(setting.runs):
        course = watch_games(
            setting.agent, "score", setting.ruleset, setting.deals, setting.seed + run, 1
        ).course
        for name, found in vars(course).items():
            yield _row(run, name, found, setting.deals)


def luck(setting: Setting) -> Iterator[Row]:
    """Luck by source."""
    for run in range(setting.runs):
        found = measure_luck(setting.agent, setting.ruleset, setting.deals, setting.seed + run, 1)
        for outcome in ("points", "margin"):
            spread = getattr(found, outcome)
            yield _row(run, f"{outcome} variance", spread.variance, setting.deals)
            yield _row(run, f"{outcome} together", spread.together, setting.deals)
            for source in spread.sources:
                yield _row(run, f"{outcome} {source.name} alone", source.alone, setting.deals)
                yield _row(run, f"{outcome} {source.name} total", source.total, setting.deals)


Study = Callable[[Setting], Iterator[Row]]
SELF_PLAY: dict[str, Study] = {
    "compare, nothing changed": compare_null,
    "compare, one rule changed": compare_effect,
    "sweep, nothing changed": sweep_null,
    "sweep, one rule changed": sweep_effect,
    "report: figures of games": levels,
    "tournament: Elo of a copy": elo_null,
}
"""Studies that share their games, of every game that is measured."""
