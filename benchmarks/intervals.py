"""How often 95 % intervals hold the true value: measurements repeated on other deals, as a user would make them.

    python benchmarks/intervals.py                         # the tables of docs/explanation/how-sure.md; about 50 minutes of one core
    python benchmarks/intervals.py --agents heuristic      # some agents only
    python benchmarks/intervals.py --agents seats          # only the seats of larger tables; five minutes
    python benchmarks/intervals.py --agents controls       # only nothing and planted changes of three sizes; half an hour

Where nothing differs the true value is known: a ruleset against itself on other deals changes by 0. Elsewhere it is taken
to be the mean over all runs, which rests on many times the deals of one run. Every row of a study is one interval:

    run, figure, value, low, high    what a run found
    truth                            0 where nothing differs; NaN: the mean over the runs
    support                          deals that differ in the figure, of which the interval is made
    significant                      whether the run calls it more than luck

Each study is kept in a folder, so a stopped command goes on where it was; delete the folder after a change of the code.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
import tyro
from numpy.typing import NDArray

from channel_tunnel_agents.balance.changing.compare import compare
from channel_tunnel_agents.balance.changing.parameters import Point, base_point, make_point
from channel_tunnel_agents.balance.changing.sweep import Sweep, Swept
from channel_tunnel_agents.balance.measuring.luck import measure_luck
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.balance.measuring.restricted import measure_restrictions
from channel_tunnel_agents.balance.measuring.seats import measure_seats, shares_in
from channel_tunnel_agents.balance.measuring.significance import is_significant, noticeable
from channel_tunnel_agents.balance.measuring.tension import watch_games
from channel_tunnel_agents.balance.measuring.variance import LEAST_DEALS_OF_SHARES, of_seats, variance_shares
from channel_tunnel_agents.base import FROZEN
from channel_tunnel_agents.games.tunnel_1987.card_effects import measure_card_effects
from channel_tunnel_agents.matches.rating import fit
from channel_tunnel_agents.matches.tournament import Results, Tournament, play_tournament
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.search.policy_search import PolicySearchAgent, SearchSettings
from channel_tunnel_agents.statistics import CONFIDENCE, LEAST_DEALS, Estimate, Figure, estimate_share, rate_of
from channel_tunnel_env import Ruleset, load_ruleset

Row = dict[str, Any]
UNKNOWN = float("nan")
SEED = 5_000_000


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
            wanted = Tournament((self.agent,), self.deals, self.seed + number, ruleset, mirror=True)
            self._kept[key] = play_tournament(wanted, workers=1).games
        return self._kept[key]

    def pair(self, run: int, changed: bool) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Games of the ruleset, and of the changed one on the same deals, or of itself on others."""
        base = self.games(self.ruleset, 2 * run)
        if not changed:
            return base, self.games(self.ruleset, 2 * run + 1)
        return base, self.games(self.changed.ruleset, 2 * run)

    @cached_property
    def changed(self) -> Point:
        """The other ruleset."""
        return make_point(self.ruleset, self.changes)


@dataclass(frozen=True)
class Coverage:
    """How well a study's intervals did.

    Attributes:
        held: share of the intervals that contain the true value; its own interval is clustered by run.
        intervals: number of intervals.
        runs: number of runs they come from.
        alarms: runs with a significant effect where there is none; None where the true value is not known to be 0.
        sparse: intervals that contain the true value, among those of figures in which hardly any deal differs (fewer than
            `LEAST_DEALS` in the mean run); they are in no other number here.
    """

    held: Estimate
    intervals: int
    runs: int
    alarms: Figure | None
    sparse: Figure


def cover(rows: pd.DataFrame) -> Coverage:
    """Sum up the rows of one study of one agent."""
    rows = rows[rows[["low", "high"]].notna().all(axis=1)]
    by_figure = rows.groupby("figure")
    truth = rows["truth"].fillna(by_figure["value"].transform("mean"))
    held = (rows["low"] <= truth) & (truth <= rows["high"])
    is_sparse = by_figure["support"].transform("mean") < LEAST_DEALS
    sparse = rate_of(int(held[is_sparse].sum()), int(is_sparse.sum()))
    runs = rows["run"].nunique()
    rows, held = rows[~is_sparse], held[~is_sparse]
    alarms = None
    if len(rows) and (rows["truth"] == 0).all():
        alarms = rate_of(int(rows.groupby("run")["significant"].any().sum()), runs)
    share = estimate_share(held.astype(float), rows["run"])
    return Coverage(share, len(rows), runs, alarms, sparse)


def _row(run: int, figure: str, found: Any, support: int, truth: float = UNKNOWN, significant: bool = False) -> Row:
    ends = {"value": found.value, "low": found.low, "high": found.high}
    told = {"truth": truth, "support": support, "significant": significant}
    return {"run": run, "figure": figure, **ends, **told}


# --- the agent against itself -----------------------------------------------------------------------


def comparisons(setting: Setting, changed: bool) -> Iterator[Row]:
    """`compare` of the ruleset with itself on other deals, or with the changed one on the same."""
    measures = [*measures_of(setting.ruleset).known.values()]
    for run in range(setting.runs):
        for d in compare(*setting.pair(run, changed), measures):
            truth = UNKNOWN if changed else 0.0
            yield _row(run, d.measure.name, d.change, d.differing, truth, d.is_significant)


def sweeps(setting: Setting, changed: bool) -> Iterator[Row]:
    """A sweep to itself on other deals, or to the changed ruleset on the same."""
    points = base_point((), setting.ruleset), setting.changed
    sweep = Sweep((), agent=setting.agent, deals=setting.deals)
    for run in range(setting.runs):
        base, other = setting.pair(run, changed)
        swept = Swept(sweep, setting.ruleset, (), points, (), (base, other))
        rows = swept.figures_of([setting.changed]).to_dict("records")
        for measure, row in zip(swept.measures, rows, strict=True):
            differing = np.count_nonzero(measure.of(other) - measure.of(base))
            truth = UNKNOWN if changed else 0.0
            change = Estimate(row["change"], row["change_low"], row["change_high"])
            yield _row(run, measure.name, change, int(differing), truth, is_significant(row["p_holm"]))


def levels(setting: Setting) -> Iterator[Row]:
    """The report's figures of an agent against itself: side advantage, ends, length, economy."""
    for run in range(setting.runs):
        games = setting.games(setting.ruleset, run)
        for measure in measures_of(setting.ruleset).known.values():
            values = np.asarray(measure.of(games))
            unlike = len(values) - int(pd.Series(values).value_counts().iloc[0])
            yield _row(run, measure.name, measure.estimate(games), unlike)


def elo_of_a_copy(setting: Setting) -> Iterator[Row]:
    """A tournament of an agent and a copy of it, with different deals in every pairing."""
    half, won = setting.deals // 2, f"{setting.ruleset.seats[0]}_points"
    pairings = [(i, j) for i in range(2) for j in range(2)]
    for run in range(setting.runs):
        sets = (each[won] for each in setting.pair(run, changed=False))
        parts = [part for points in sets for part in (points[:half], points[half : 2 * half])]
        outcomes = {p: part.to_numpy() for p, part in zip(pairings, parts, strict=True)}
        gap = fit(outcomes).strength(1)
        yield _row(run, "Elo of the copy", gap, half, 0.0, gap.excludes_zero)


# --- against others, and the report's measurements --------------------------------------------------


def tournament(setting: Setting, rival: str) -> Iterator[Row]:
    """Win shares, Elo and the split of the variance in tournaments with a rival."""
    for run in range(setting.runs):
        agents, seed = (setting.agent, rival), setting.seed + run
        results = play_tournament(Tournament(agents, setting.deals, seed, setting.ruleset), workers=1)
        for figure, found in _tournament_figures(results):
            yield _row(run, figure, found, setting.deals)


def _tournament_figures(results: Results) -> Iterator[tuple[str, Estimate]]:
    pair = results.pair(1, 0)
    first, second = results.seats
    shares = {f"as {first}": pair.in_first, f"as {second}": pair.in_second, "both seats": pair.both}
    shares |= {f"share of {first} {p}": results.first_seat(p) for p in ((0, 0), (1, 1))}
    for name, rate in shares.items():
        yield name, rate
    rating = fit({pair: match.points(first) for pair, match in results.matches.items()})
    yield "Elo", rating.strength(1)
    yield "Elo of the side", rating.side
    if results.tournament.deals >= LEAST_DEALS_OF_SHARES:
        split = variance_shares(of_seats(results.games, results.seats))
        for name in ("side", "skill", "deal", "rest"):
            yield f"variance: {name}", getattr(split, name)


def measurements(setting: Setting, of_run: Callable[..., Any]) -> Iterator[Row]:
    """What a measurement of the report finds: `of_run` gives figures with their estimate and support."""
    for run in range(setting.runs):
        asked = (setting.agent, setting.ruleset, setting.deals, setting.seed + run, 1)
        for figure, found, support in of_run(asked):
            yield _row(run, figure, found, setting.deals if support is None else support)


def _card_effects(asked: tuple[Any, ...]) -> Iterator[tuple[str, Any, int | None]]:
    cards = ("extra_finance_1", "control_room_4", "influence_greece")
    for card in measure_card_effects(*asked, cards=cards).cards:
        for name in ("britain", "france", "both", "margin"):
            yield f"{card.key} {name}", getattr(card, name), None


def _restrictions(asked: tuple[Any, ...]) -> Iterator[tuple[str, Any, int | None]]:
    for effect in measure_restrictions(*asked, names=("align", "pass"), modes=("ban",)):
        name = f"{effect.family} {effect.side}"
        yield name, effect.effect, effect.differing
        yield f"{name} bound", effect.bound, None


def _tension(asked: tuple[Any, ...]) -> Iterator[tuple[str, Any, int | None]]:
    agent, *others = asked
    for name, found in vars(watch_games(agent, "score", *others).course).items():
        yield name, found, None


def _luck(asked: tuple[Any, ...]) -> Iterator[tuple[str, Any, int | None]]:
    found = measure_luck(*asked)
    for outcome in ("points", "margin"):
        spread = getattr(found, outcome)
        yield f"{outcome} variance", spread.variance, None
        yield f"{outcome} together", spread.together, None
        for source in spread.sources:
            yield f"{outcome} {source.name} alone", source.alone, None
            yield f"{outcome} {source.name} total", source.total, None


Study = Callable[[Setting], Iterator[Row]]
compare_null = partial(comparisons, changed=False)
SELF_PLAY: dict[str, Study] = {
    "compare, nothing changed": compare_null,
    "compare, one rule changed": partial(comparisons, changed=True),
    "sweep, nothing changed": partial(sweeps, changed=False),
    "sweep, one rule changed": partial(sweeps, changed=True),
    "report: figures of games": levels,
    "tournament: Elo of a copy": elo_of_a_copy,
}
"""Studies that share their games, of every game that is measured."""
MEASURED: dict[str, Study] = {
    "report: card effects": partial(measurements, of_run=_card_effects),
    "report: restricted play": partial(measurements, of_run=_restrictions),
    "report: course of games": partial(measurements, of_run=_tension),
    "report: luck by source": partial(measurements, of_run=_luck),
}


# --- the seats of larger tables ---------------------------------------------------------------------

KINDS = ("even", "planted", "as played")
"""Each deal's seats turned by a number drawn at random; then some wins given to the first seat; nothing done."""
PLANTED = 0.15  # of the deals


@dataclass(frozen=True)
class Held:
    """How runs of a table did.

    Attributes:
        together: runs in which the intervals of all seats hold the truth.
        gap: runs in which that of the best seat over the worst does.
        found: runs that call the seats unlike at 5 %.
        named: runs in which the interval of the gap leaves out 0.
    """

    together: Figure
    gap: Figure
    found: Figure
    named: Figure


def played(agent: str, ruleset: Ruleset, games: int, seed: int = SEED) -> NDArray[np.float64]:
    """The shares of an agent's games with itself: (games, S)."""
    wanted = Tournament((agent,), games, seed, ruleset, mirror=True)
    return shares_in(play_tournament(wanted, workers=1).games, ruleset.seats)


def study(shares: NDArray[np.float64], runs: int, kind: str, times: int = 1) -> Held:
    """Split games into runs and look how often the intervals hold the truth.

    Args:
        times: how often the seats of all games are turned, each time for as many runs.
    """
    seats = shares.shape[1]
    truth = shares.mean(axis=0) if kind == "as played" else np.full(seats, 1 / seats)
    if kind == "planted":
        truth = truth * (1 - PLANTED) + PLANTED * np.eye(seats)[0]
    gap = float(np.ptp(truth))
    parts = [
        measure_seats(part)
        for seed in range(1 if kind == "as played" else times)
        for part in np.array_split(_prepared(shares, kind, seed), runs)
    ]
    hits = [
        (
            all(e.low <= t <= e.high for e, t in zip(p.shares, truth, strict=True)),
            p.gap.low <= gap <= p.gap.high,
            p.p < 0.05,
            p.gap.low > 0,
        )
        for p in parts
    ]
    return Held(*(rate_of(sum(column), len(parts)) for column in zip(*hits, strict=True)))


def _prepared(shares: NDArray[np.float64], kind: str, seed: int) -> NDArray[np.float64]:
    """The shares with what the kind of study does to them."""
    if kind == "as played":
        return shares
    games, seats = shares.shape
    random = np.random.default_rng(seed)
    places = (np.arange(seats) + random.integers(0, seats, games)[:, None]) % seats
    turned = np.take_along_axis(shares, places, axis=1)
    if kind == "planted":
        turned = np.where(random.random(games)[:, None] < PLANTED, np.eye(seats)[0], turned)
    return turned


def seats_lines() -> Iterator[str]:
    """The table of the seats."""
    yield "| agent, game | truth | runs | deals | all seats hold | gap holds | unlike at 5 % | gap not 0 |"
    yield "|---|---|---|---|---|---|---|---|"
    for agent, game, changes, runs, deals in (
        ("random", "carcassonne", {"players": 3}, 200, 150),
        ("random", "carcassonne", {"players": 6}, 200, 150),
        ("greedy", "carcassonne", {"players": 4}, 60, 100),
        ("dumb", "eurotunnel", {}, 20, 100),
    ):
        ruleset = load_ruleset(game).with_values(changes, game) if changes else load_ruleset(game)
        shares = played(agent, ruleset, runs * deals, SEED + 1_000_000)
        for kind in KINDS:
            found = study(shares, runs, kind, times=10)
            figures = " | ".join(map(str, (found.together, found.gap, found.found, found.named)))
            made = found.gap.n
            yield f"| {agent}, {game} for {shares.shape[1]} | {kind} | {made} | {deals} | {figures} |"


# --- controls: nothing, and planted changes of three sizes -------------------------------------------


@dataclass(frozen=True)
class Control:
    """A figure that is set to other values, the measure that must rise with it, and a figure that decides nothing here."""

    agent: str
    ruleset: str
    key: str
    values: tuple[int, ...]
    measure: str
    dead: str
    runs: int = 40
    deals: int = 100


DEAD = 20
PLANTS = (
    Control("heuristic", "standard", "track_points.britain.b.1", (4, 7, 10), "britain_wins", "agenda.points.promotion"),
    Control("adept", "standard", "track_points.britain.b.1", (4, 7, 10), "britain_wins", "agenda.points.promotion"),
    Control("greedy", "carcassonne", "points.cloister", (11, 14, 17), "score", "points.farm_first"),
)


@dataclass(frozen=True)
class Answered:
    """What the comparisons of a control said.

    Attributes:
        effect: mean of what they found.
        limit: mean of the change that they say they would notice.
        sure: comparisons that call the measure surely higher.
        wrong: comparisons that call it surely lower.
        placebo: comparisons after a change of the dead figure in which any measure of any deal differs.
    """

    effect: float
    limit: float
    sure: Figure
    wrong: Figure
    placebo: Figure


def answered(control: Control, setting: Setting) -> Answered:
    """Compare a ruleset with the changed one, and with a placebo, on the deals of many seeds."""
    base = setting.ruleset
    measures = [*measures_of(base).known.values()]
    placebo = make_point(base, {control.dead: DEAD}).ruleset
    found, moved = [], 0
    for run in range(control.runs):
        differences = compare(*setting.pair(run, changed=True), measures)
        found += [d for d in differences if d.measure.name == control.measure]
        games = setting.games(base, 2 * run), setting.games(placebo, 2 * run)
        moved += any(d.differing for d in compare(*games, measures))
    sure = [d.change.value for d in found if d.is_significant]
    return Answered(
        float(np.mean([d.change.value for d in found])),
        float(np.mean([noticeable(d.change, len(measures)) for d in found])),
        rate_of(sum(change > 0 for change in sure), len(found)),
        rate_of(sum(change < 0 for change in sure), len(found)),
        rate_of(moved, len(found)),
    )


def controls_lines() -> Iterator[str]:
    """The table of the controls."""
    yield "| agent, ruleset | changed | measure | effect | noticed in 4 of 5 | surely higher | surely lower | placebo moves |"
    yield "|---|---|---|---|---|---|---|---|"
    for control in PLANTS:
        base = load_ruleset(control.ruleset)
        setting = Setting(control.agent, base, {}, control.runs, control.deals, SEED + 2_000_000)
        for value in control.values:
            found = answered(
                control, replace(setting, changes={control.key: value})
            )  # base and placebo are played once
            sizes = f"{found.effect:+.3f} | {found.limit:.3f}"
            counts = " | ".join(map(_counted, (found.sure, found.wrong, found.placebo)))
            who = f"{control.agent}, {control.ruleset} | {control.key} {value}"
            yield f"| {who} | {control.measure} | {sizes} | {counts} |"


# --- the command ------------------------------------------------------------------------------------


class SmallSearch(PolicySearchAgent):
    """A search that looks ahead as little as can be, so that there are enough games."""

    def __init__(self) -> None:
        settings = SearchSettings(worlds=2, depth=2, top=3)
        super().__init__(PolicyAgent.load(shipped.FOLDER / "rookie"), settings, name="search")


# The real effect by ruleset: France's first barrier is free; one token set for each player.
CHANGES = {
    "standard": {"barriers.france.a.0": 0},
    "tiny": {"barriers.france.a.0": 0},
    "carcassonne": {"token_sets_two": 1},
}
# Agent -> ruleset, runs, deals. Frozen: the changed ruleset is not the one they were trained for.
PLAYERS = {
    "random": ("standard", 60, 200),
    "heuristic": ("standard", 60, 200),
    "racer": ("standard", 40, 200),
    f"{FROZEN}rookie": ("standard", 40, 200),
    f"{FROZEN}ppo-sample:{shipped.FOLDER / 'rookie'}": ("standard", 40, 200),
    "ismcts:20": ("tiny", 40, 60),
    f"{Path(__file__).stem}:SmallSearch": ("tiny", 40, 60),
    "greedy": ("carcassonne", 40, 50),
}
SEATS, CONTROLS = "seats", "controls"
TO_MEASURE = ("random", "heuristic")


@dataclass(frozen=True)
class Arguments:
    """Which agents, and where to keep what was found."""

    agents: tuple[str, ...] = (*PLAYERS, SEATS, CONTROLS)
    """Names of those that are known here; seats: larger tables; controls: planted changes."""
    out: Path = Path("runs/coverage")
    """Folder."""


def pieces(agent: str) -> Iterator[tuple[str, Study, Setting]]:
    """The studies of an agent; those of self-play share their games."""
    name, runs, deals = PLAYERS[agent]
    setting = Setting(agent, load_ruleset(name), CHANGES[name], runs, deals, SEED)
    rival = "heuristic" if agent == "random" else "random"
    yield from ((study, run, setting) for study, run in SELF_PLAY.items())
    yield f"tournament with {rival}", partial(tournament, rival=rival), setting
    if agent in TO_MEASURE:
        few = Setting(agent, setting.ruleset, setting.changes, runs, deals // 3, SEED)
        yield from ((study, run, few) for study, run in MEASURED.items())


def kept(study: str, run: Study, setting: Setting, folder: Path) -> pd.DataFrame:
    """The rows of a study, made or read."""
    agent = Path(setting.agent).name if ":" in setting.agent else setting.agent
    name = f"{agent} {study} {setting.runs}x{setting.deals}"
    path = folder / (re.sub(r"[^\w.@-]+", "-", name) + ".parquet")
    if not path.exists():
        part = path.with_suffix(".part")
        pd.DataFrame(run(setting)).to_parquet(part)
        part.replace(path)
    return pd.read_parquet(path)


def _counted(rate: Figure) -> str:
    return f"{round(rate.value * rate.n):,} of {rate.n:,}"


def line(study: str, setting: Setting, found: Coverage) -> str:
    """A row of the page's table."""
    low, high = (f"{100 * end:.1f}" for end in (found.held.low, found.held.high))
    share = f"{100 * found.held.value:.1f} % [{low}, {high}]" if found.intervals else "none to tell"
    off = found.held.high < CONFIDENCE or found.held.low > CONFIDENCE
    false = "" if found.alarms is None else _counted(found.alarms)
    few = _counted(found.sparse) if found.sparse.n else ""
    who = f"{setting.agent.replace(f'{shipped.FOLDER}/', '')}, {setting.ruleset.name}"
    words = (who, study, found.runs, setting.deals, found.intervals)
    return f"| {' | '.join(map(str, words))} | {share}{' **off**' * off} | {few} | {false} |"


def main() -> None:
    """Play what is not there yet, agent by agent, and print the tables."""
    arguments = tyro.cli(Arguments, description=__doc__)
    if unknown := [agent for agent in arguments.agents if agent not in Arguments().agents]:
        sys.exit(f"agents {', '.join(unknown)}: known: {', '.join(Arguments().agents)}")
    torch.set_num_threads(1)
    gc.freeze()  # statsmodels collects garbage at every correction: keep what is imported out of it
    arguments.out.mkdir(parents=True, exist_ok=True)
    head = "agent, ruleset | study | runs | deals | intervals | hold the truth | few deals differ | false alarms"
    print(f"| {head} |\n|---|---|---|---|---|---|---|---|")
    for agent in arguments.agents:
        for study, run, setting in pieces(agent) if agent in PLAYERS else ():
            found = cover(kept(study, run, setting, arguments.out))
            print(line(study, setting, found), flush=True)
    if SEATS in arguments.agents:
        print(*seats_lines(), sep="\n")
    if CONTROLS in arguments.agents:
        print(*controls_lines(), sep="\n")


if __name__ == "__main__":
    main()
