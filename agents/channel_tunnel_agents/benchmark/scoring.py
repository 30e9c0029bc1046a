"""The scores of a track, computed from nothing but its results and its reference; with 95 % intervals.

Both seatings of a deal are one sample. Which interval over several rulesets is honest depends on what is claimed. For a
fixed list of rulesets, only the deals are random (`mean_of_fixed`). For the distribution that they were drawn from, the
rulesets are a sample, and the deals add what they add (`mean_of_drawn`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.benchmark.contests import Contest
from channel_tunnel_agents.matches.rating import place
from channel_tunnel_agents.statistics import REACH, Estimate, estimate_mean, estimate_share, student_reach, wilson
from channel_tunnel_env.tracks import FILES, BenchmarkTrack
from channel_tunnel_env.tracks.card import CardScore

Shares = NDArray[np.float64]
"""Each deal's mean over both seatings: (deals,)."""


def mean_of_fixed(lists: Sequence[Shares]) -> Estimate:
    """The mean over a fixed list of rulesets, each with deals of its own: a Wilson interval of equal standard error."""
    value = float(np.mean([shares.mean() for shares in lists]))
    deals = sum(map(len, lists))
    error = _error_of_fixed(lists)
    reach = student_reach(max(1, deals - len(lists))) / REACH
    size = float(deals)
    if error > 0 and 0 < value < 1:
        size = float(np.clip(value * (1 - value) / (reach * error) ** 2, 1.0, None))
    return wilson(value, size)


def _error_of_fixed(lists: Sequence[Shares]) -> float:
    """The standard error of the mean over a fixed list."""
    spread = [shares.var(ddof=1) / len(shares) if len(shares) > 1 else np.nan for shares in lists]
    return float(np.sqrt(np.sum(spread))) / len(lists)


def mean_of_drawn(lists: Sequence[Shares]) -> Estimate:
    """The mean over the distribution that the rulesets were drawn from; Student's interval, kept within 0 and 1."""
    found = estimate_mean([float(shares.mean()) for shares in lists])
    return Estimate(found.value, max(0.0, found.low), min(1.0, found.high))


def way_to(reached: Sequence[Shares], goal: Estimate) -> Estimate:
    """How much of the way from even play to a goal is reached by the mean over a fixed list: 0 none, 1 all.

    The delta method, with the goal's own error, which is independent.

    Args:
        goal: a mean share of the same rulesets on other deals; above `CHANCE`.
    """
    share = float(np.mean([shares.mean() for shares in reached]))
    length = goal.value - CHANCE
    value = (share - CHANCE) / length
    goal_error = (goal.high - goal.low) / 2 / REACH
    error = np.hypot(_error_of_fixed(reached), value * goal_error) / length
    return Estimate(value, float(value - REACH * error), float(value + REACH * error))


Results = Mapping[str, Sequence[Sequence[float]]]
"""Contest -> for each seating the agent's share of each deal."""
ROUNDED = 6  # digits of a score: less than any interval, more than machines differ by
STRENGTHS, SIDE, GOALS = "strengths", "side", "goals"  # keys of references
CHANCE = 0.5  # share of the scripted player against itself, and of perfect play in both seats


def score(
    track: BenchmarkTrack,
    contests: Sequence[Contest],
    results: Results,
    reference: Mapping[str, Any] | None,
    opponents: Mapping[str, str | None],
) -> list[CardScore]:
    """Every score, each with its interval.

    Args:
        reference: what was measured once for the track; without it there is no rating and no way.
        opponents: digests of their files. An opponent that is not the one of the reference is not rated against.
    """
    groups: dict[tuple[int, str], list[Contest]] = {}
    for contest in contests:
        groups.setdefault((contest.budget, contest.group), []).append(contest)
    found: list[CardScore] = []
    ratings: dict[int, list[float]] = {}
    for (budget, group), members in groups.items():
        if track.kind == "rules":
            found += _rules_scores(budget, group, members, results, reference)
            continue
        if track.kind == "exact":
            found += [_exact(contest.key, [results[contest.key]]) for contest in members]
            continue
        found += [_against(contest, results) for contest in members]
        rating = _rating(members, results, reference, opponents) if track.ladder else None
        if rating is not None:
            title = "Rating" if track.kind == "duel" else f"Rating, {group}"
            found.append(_as_score(f"rating {group}", title, "Elo", rating, members[0].deals))
            ratings.setdefault(budget, []).append(rating.value)
    if track.kind == "training":
        found += list(_over_seeds(ratings))
    if track.kind == "exact":
        found.insert(0, _exact(f"Mean of {len(results)} games", list(results.values())))
    return found


def _as_score(
    key: str, title: str, unit: Any, found: Estimate, number: int, sample: Any = "deals", even: float | None = None
) -> CardScore:
    value, low, high = (round(x, ROUNDED) for x in (found.value, found.low, found.high))
    return CardScore(
        key=key,
        title=title,
        unit=unit,
        value=value,
        low=min(low, value),
        high=max(high, value),
        sample=sample,
        number=number,
        even=even,
    )


def _exact(key: str, shares: Sequence[Sequence[Sequence[float]]]) -> CardScore:
    """The mean share against a best response in both seats, with nothing left to chance: perfect play has half."""
    value = float(np.mean(shares))
    return _as_score(key, key, "share", Estimate(value, value, value), len(shares), "games", CHANCE)


def _against(contest: Contest, results: Results) -> CardScore:
    """The share against one opponent: the deal is the unit, regardless of the number of its seatings."""
    shares = np.asarray(results[contest.key], np.float64)
    deals = np.tile(np.arange(shares.shape[1]), len(shares))
    found = estimate_share(shares.reshape(-1), deals)
    return _as_score(contest.key, contest.key, "share", found, contest.deals, even=round(contest.even, ROUNDED))


def _rating(
    members: Sequence[Contest],
    results: Results,
    reference: Mapping[str, Any] | None,
    opponents: Mapping[str, str | None],
) -> Estimate | None:
    """The strength on the fixed ladder; None without one, or if no opponent is the ladder's."""
    if reference is None:
        return None
    strengths, files = reference[STRENGTHS], reference[FILES]
    games = []
    for contest in members:
        if contest.rival not in strengths or opponents.get(contest.rival) != files[contest.rival]:
            continue
        for seating, shares in zip(contest.seatings, results[contest.key], strict=True):
            games.append((seating[0], float(strengths[contest.rival]), np.asarray(shares)))
    return place(games, float(reference[SIDE])) if games else None


def _over_seeds(ratings: Mapping[int, Sequence[float]]) -> Iterator[CardScore]:
    """Per budget the mean over training seeds: Student's interval with a degree of freedom less than seeds."""
    for decisions, values in ratings.items():
        if len(values) > 1:
            title = f"Rating after {decisions:,} decisions"
            found = estimate_mean(values)
            yield _as_score(f"{decisions} decisions", title, "Elo", found, len(values), "seeds")


def _rules_scores(
    minutes: int, group: str, members: Sequence[Contest], results: Results, reference: Mapping[str, Any] | None
) -> Iterator[CardScore]:
    """A group of rulesets at one budget of adaptation: shares, and the way to the tuned policy."""
    lists = [np.asarray(results[each.key], np.float64).mean(axis=0) for each in members]
    after = f"after {minutes} min" if minutes else "zero-shot"
    key = f"{minutes} min, {group}"
    deals = sum(each.deals for each in members)
    title = f"Share on the {len(members)} {group} rulesets, {after}"
    yield _as_score(key, title, "share", mean_of_fixed(lists), deals, even=CHANCE)
    title = f"Share on {group} rulesets like these, {after}"
    drawn = mean_of_drawn(lists)
    yield _as_score(f"{key}, drawn", title, "share", drawn, len(lists), "rulesets", even=CHANCE)
    goal = _goal(group, members, reference)
    if goal is not None and goal.low > CHANCE:
        title = f"Way from the scripted to the tuned player, {group}, {after}"
        yield _as_score(f"{key}, way", title, "way", way_to(lists, goal), deals)


def _goal(group: str, members: Sequence[Contest], reference: Mapping[str, Any] | None) -> Estimate | None:
    """The mean share of the tuned policies on a group; None unless all its rulesets have been measured."""
    if reference is None:
        return None
    goals = reference[GOALS]
    if any(each.ruleset.digest not in goals for each in members):
        return None
    return mean_of_fixed([np.asarray(goals[each.ruleset.digest]) for each in members])
