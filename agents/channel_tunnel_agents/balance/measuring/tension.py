"""The course of games: how long they stay open, how often they turn, and when they are decided.

Computed from traces of the first seat's chance turn by turn (`traces`), as in Browne & Maire (2010), Ludii
and TAG: lead changes, drama, decisiveness, comebacks, snowball, a fan of chances, and three games
to look at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import quantile_test, rankdata

from channel_tunnel_agents.balance.measuring.deals import CHUNK, check_count, chunks
from channel_tunnel_agents.balance.measuring.game import Deficits, measured_game
from channel_tunnel_agents.balance.measuring.judges import SCORE, make_judge
from channel_tunnel_agents.balance.measuring.seats import EVEN
from channel_tunnel_agents.balance.measuring.series import NO_SEAT, count_changes
from channel_tunnel_agents.balance.measuring.traces import Traces, WatchTask, join, judge_by_score, watch
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.statistics import CONFIDENCE, Figure, mean_figure, share_figure
from channel_tunnel_env import Ruleset

SURE = 0.9  # from here on a game counts as settled
DESPERATE = 0.25  # a win from here or below is a comeback
TENTHS = 10
FAN_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FIT_GAMES = 512  # of the judge that uses the points only
FIT_SEED = 1_234_567_891  # its deals, on which nothing else is measured


@dataclass(frozen=True)
class JudgedTenth:
    """The results of turns at which the judge's estimate for the first seat fell in one tenth of the
    scale."""

    low: float
    high: float
    chance: Figure  # estimated
    result: Figure  # The first seat's points; clustered by game
    turns: int


@dataclass(frozen=True)
class Deficit:
    """Seats this many points behind at the middle turn, and how often they still won."""

    least: int
    most: int | None
    win_rate: Figure


@dataclass(frozen=True)
class Snowball:
    """At the first turn of a round, in the games that get there.

    Attributes:
        leader_wins: points of the seat ahead in victory points; level games are left out.
        favourite_wins: points of the seat ahead in chance.
        level: share of games in which the victory points are level.
    """

    round: int
    leader_wins: Figure
    favourite_wins: Figure
    level: Figure


@dataclass(frozen=True)
class FanPoint:
    """The first seat's chance over all games once this share of each has been played.

    Attributes:
        played: share of the game's turns, 0..1; at 1 the last turn is about to be taken.
        quantiles: quantile -> the first seat's chance.
    """

    played: float
    quantiles: dict[float, Figure]


@dataclass(frozen=True)
class ChosenGame:
    """One game to look at.

    Attributes:
        why: the reason for choosing it.
        chance: (turns,) the first seat's chance.
        lead: (turns,) the first seat's points so far minus those of the second.
        record: can be replayed with `channel-tunnel replay` (see `channel_tunnel_env.records.record`).
    """

    why: str
    seed: int
    points: float
    chance: NDArray[np.float64]
    lead: NDArray[np.float64]
    record: dict[str, Any]


@dataclass(frozen=True)
class Course:
    """Means over games, most of them of a function below; n counts games. All but the first three leave drawn games out.

    Attributes:
        turns: turns of a game, of both seats.
        britain_chance: mean over the whole game.
        winner_behind: share of games whose winner was at some point not the favourite.
        comebacks: share of games won by a seat that was at some point at `DESPERATE` or less.
    """

    turns: Figure
    lead_changes: Figure
    britain_chance: Figure
    winner_behind: Figure
    drama: Figure
    settled: Figure
    loser_peak: Figure
    comebacks: Figure


@dataclass(frozen=True)
class Tension:
    """How games between two copies of an agent go, as a judge sees them.

    Attributes:
        calibration: one row per tenth of the scale that the judge's estimates fell in.
        error: the judge's mean squared error (Brier score), all games weighted equally.
        error_of_ignorance: the error of always estimating the first seat's share of the points.
        chosen: games by "dramatic", "typical", "lopsided"; if no game has a winner, only "typical".
    """

    agent: str
    judge: str
    ruleset: str
    seed: int
    games: int
    course: Course
    deficits: tuple[Deficit, ...]
    snowball: tuple[Snowball, ...]
    fan: tuple[FanPoint, ...]
    calibration: tuple[JudgedTenth, ...]
    error: Figure
    error_of_ignorance: Figure
    chosen: dict[str, ChosenGame]
    traces: Traces


def watch_games(
    agent: str,
    judge: str,
    ruleset: Ruleset,
    games: int,
    seed: int,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Tension:
    """Play an agent against itself and follow each game.

    Args:
        judge: a policy, `rollout:N`, `rollout:N:AGENT` (see `judges`) or `score`. Where no policy
            was trained for the ruleset, `score` costs FIT_GAMES more games; `rollout:16` is more
            accurate and takes about a second per game.
        games: deals, each played once.
        seed: of the deals, the agents' dice and the judge's playouts.
        workers, progress: as of `spread_in_order`; the numbers do not depend on the workers.

    Raises:
        ValueError: zero games.
        AgentError, VersionError: an agent or judge that is unknown or does not fit the ruleset.
    """
    check_count("games", games)
    make_agent(agent, ruleset)
    if judge != SCORE:
        make_judge(judge, ruleset)
    tasks = partial(WatchTask, agent, judge, ruleset)
    traces = _watched(tasks, seed, games, workers, progress)
    if judge == SCORE:
        traces = replace(traces, chance=judge_by_score(traces, _watched(tasks, FIT_SEED, FIT_GAMES, workers, None)))
    game = measured_game(ruleset)
    errors = (traces.chance - traces.points[:, None]) ** 2
    return Tension(
        agent,
        judge,
        ruleset.name,
        seed,
        games,
        course=read_course(traces),
        deficits=comebacks_from(traces, game.deficits),
        snowball=snowball(traces, game.stride),
        fan=fan(traces),
        calibration=calibration(traces),
        error=mean_figure(np.nanmean(errors, axis=1)),
        error_of_ignorance=mean_figure((traces.points - traces.points.mean()) ** 2),
        chosen=choose_games(traces, ruleset),
        traces=traces,
    )


def _watched(
    task: Callable[[int, int, int], WatchTask],
    seed: int,
    games: int,
    workers: int | None,
    progress: Callable[[int], object] | None,
) -> Traces:
    tasks = [task(seed, *chunk) for chunk in chunks(games, CHUNK)]
    return join(spread_in_order(watch, tasks, workers, progress, lambda traces: traces.games))


# --- game by game: (G,), NaN where a game has no winner -----------------------------------------


def lead_changes(traces: Traces) -> NDArray[np.float64]:
    """How often the favourite, the seat with more than an even chance, changed; at an even chance it stays the same."""
    return count_changes(np.where(traces.chance > EVEN, 0, np.where(traces.chance < EVEN, 1, NO_SEAT)))


def drama(traces: Traces) -> NDArray[np.float64]:
    """The winner's mean distance below an even chance at the turns when it was behind; 0 where it never was."""
    deficit = np.maximum(EVEN - traces.winner_chance, 0)
    turns_behind = (deficit > 0).sum(axis=1)
    mean = np.nansum(deficit, axis=1) / np.maximum(turns_behind, 1)
    return _decided_only(traces, mean)


def settled(traces: Traces) -> NDArray[np.float64]:
    """Share of the turns after the winner's chance had last been at `SURE` or less."""
    open_turns = traces.winner_chance <= SURE
    width = open_turns.shape[1]
    last_open = np.where(open_turns.any(axis=1), width - open_turns[:, ::-1].argmax(axis=1), 0)
    return _decided_only(traces, (traces.turns - last_open) / traces.turns)


def loser_peak(traces: Traces) -> NDArray[np.float64]:
    """The best chance the loser ever had."""
    return _decided_only(traces, 1 - np.nan_to_num(traces.winner_chance, nan=1.0).min(axis=1))


def _decided_only(traces: Traces, values: NDArray[Any]) -> NDArray[np.float64]:
    return np.where(traces.points == EVEN, np.nan, values)


# --- over all games -------------------------------------------------------------------------------


def read_course(traces: Traces) -> Course:
    """The means over games."""
    peak = loser_peak(traces)
    behind = _decided_only(traces, peak > EVEN)
    back = _decided_only(traces, peak >= 1 - DESPERATE)
    return Course(
        mean_figure(traces.turns),
        mean_figure(lead_changes(traces)),
        mean_figure(np.nanmean(traces.chance, axis=1)),
        share_figure(behind),
        mean_figure(drama(traces)),
        mean_figure(settled(traces)),
        mean_figure(peak),
        share_figure(back),
    )


def comebacks_from(traces: Traces, deficits: Deficits) -> tuple[Deficit, ...]:
    """How often a seat behind at the middle turn still wins, by deficit; rows without games are
    left out."""
    lead = _at(traces.lead, traces.turns // 2)
    behind_won = np.where(lead > 0, 1 - traces.points, traces.points)
    rows = []
    for least, most in deficits:
        there = (np.abs(lead) >= least) & (np.abs(lead) <= (np.inf if most is None else most))
        if there.any():
            rows.append(Deficit(least, most, share_figure(behind_won[there])))
    return tuple(rows)


def snowball(traces: Traces, stride: int = 1) -> tuple[Snowball, ...]:
    """How well being ahead at the start of a round predicts the winner, for every round or every few rounds."""
    rows = []
    for number in range(1, int(np.nanmax(traces.round)) + 1, stride):
        reached = (traces.round == number).any(axis=1)
        if reached.any():
            first = (traces.round == number).argmax(axis=1)
            lead = _at(traces.lead, first)[reached]
            edge = _at(traces.chance, first)[reached] - EVEN
            points = traces.points[reached]
            leader, favourite = _points_of(lead, points), _points_of(edge, points)
            rows.append(Snowball(number, share_figure(leader), share_figure(favourite), share_figure(lead == 0)))
    return tuple(rows)


def _points_of(ahead: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points of the seat ahead: the first where the sign is positive; NaN where neither is ahead."""
    return np.where(ahead > 0, points, np.where(ahead < 0, 1 - points, np.nan))


def fan(traces: Traces) -> tuple[FanPoint, ...]:
    """Quantiles of the first seat's chance at every tenth of the game, with exact order-statistic
    intervals."""
    points = []
    for tenth in range(TENTHS + 1):
        place = np.rint(tenth / TENTHS * (traces.turns - 1)).astype(np.int64)
        chances = _at(traces.chance, place)
        points.append(FanPoint(tenth / TENTHS, {q: _quantile(chances, q) for q in FAN_QUANTILES}))
    return tuple(points)


def _quantile(values: NDArray[np.float64], share: float) -> Figure:
    """A quantile and its interval; with few games an end of the interval is open: NaN."""
    value = float(np.quantile(values, share))
    found = quantile_test(values, q=value, p=share).confidence_interval(CONFIDENCE)
    return Figure(value, float(found.low), float(found.high), len(values))


def calibration(traces: Traces) -> tuple[JudgedTenth, ...]:
    """The judge's estimates against the results, by tenths of the scale."""
    there = np.isfinite(traces.chance)
    chance, game = traces.chance[there], np.nonzero(there)[0]
    tenth = np.minimum((chance * TENTHS).astype(np.int64), TENTHS - 1)
    rows = []
    for number in range(TENTHS):
        mine = tenth == number
        if mine.any():
            said = _of_games(chance[mine], game[mine])
            result = _of_games(traces.points[game[mine]], game[mine])
            ends = number / TENTHS, (number + 1) / TENTHS
            rows.append(JudgedTenth(*ends, said, result, int(mine.sum())))
    return tuple(rows)


def _of_games(values: NDArray[np.float64], game: NDArray[np.int64]) -> Figure:
    """A mean over turns, clustered by game; n counts games."""
    return replace(share_figure(values, game), n=len(np.unique(game)))


def _at(values: NDArray[np.float64], place: NDArray[np.int64]) -> NDArray[np.float64]:
    """Entry `place[g]` of each row."""
    return np.take_along_axis(values, place[:, None], axis=1)[:, 0]


# --- three games ----------------------------------------------------------------------------------


def choose_games(traces: Traces, ruleset: Ruleset) -> dict[str, ChosenGame]:
    """The most dramatic, the most typical and the most lopsided game; ties go to the first.

    Dramatic: where the winner's distance below an even chance, over all turns, is the largest. Lopsided:
    where the winner's mean chance is the largest. Typical: the game whose ranks in turns, lead
    changes, drama and settled share are nearest the median.
    """
    typical = {"typical": (_typical(traces), "nearest to the middle in length and course")}
    chosen, decided = typical, traces.points != EVEN
    if decided.any():
        chance = np.where(decided[:, None], traces.winner_chance, EVEN)
        below = np.nanmean(np.maximum(EVEN - chance, 0), axis=1)
        mean = np.where(decided, np.nanmean(chance, axis=1), -1)
        dramatic = int(below.argmax()), "the winner was furthest behind for longest"
        lopsided = int(mean.argmax()), "the winner was the favourite by the most"
        chosen = {"dramatic": dramatic, **typical, "lopsided": lopsided}
    return {name: _chosen(traces, *found, ruleset) for name, found in chosen.items()}


def _typical(traces: Traces) -> int:
    measures = (traces.turns, lead_changes(traces), drama(traces), settled(traces))
    middle = (traces.games + 1) / 2
    ranks = [rankdata(np.nan_to_num(measure)) - middle for measure in measures]
    return int(np.square(ranks).sum(axis=0).argmin())


def _chosen(traces: Traces, row: int, why: str, ruleset: Ruleset) -> ChosenGame:
    turns = int(traces.turns[row])
    return ChosenGame(
        why,
        int(traces.seeds[row]),
        float(traces.points[row]),
        traces.chance[row, :turns].copy(),
        traces.lead[row, :turns].copy(),
        traces.record(row, ruleset),
    )
