"""The answer in a few plain sentences, with its certainty."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from channel_tunnel_agents.balance.empirical.verdict import FAIR, FairAnswer
from channel_tunnel_agents.balance.measuring.significance import MAY_BE_LUCK, how_sure
from channel_tunnel_agents.balance.measuring.trend import Trend, find_trend
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.game import ReportedGame
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, of_dict, of_estimate
from channel_tunnel_agents.balance.report.page import PageVerdict
from channel_tunnel_agents.balance.report.words import count, listed
from channel_tunnel_agents.statistics import estimate_share

EVEN = 0.5
SLIGHT = 0.10
"""The largest deviation from a half that is called slight; words of size say nothing of certainty."""
YES, NO, OPEN = (answer.value for answer in FairAnswer)
Topic = Callable[[Evidence, dict[str, Any]], str]
"""A sentence, "" for none; notes every number in it under a name."""


@dataclass(frozen=True)
class Fairness:
    """Whether the first seat's share of wins lies within `FAIR` of a half.

    Attributes:
        answer: "yes", "no", "not settled" or, with fewer than `FEWEST` deals, "too few games".
        known: what the interval leaves possible, in words; empty with too few games.
    """

    first: Number
    answer: str
    known: str


def judge_fairness(first: Number, seats: Sequence[str]) -> Fairness:
    """Read the interval of the first seat's share against the fair band; what the seats are called."""
    if first.n < FEWEST:
        return Fairness(first, "too few games", "")
    low, high = EVEN - FAIR, EVEN + FAIR
    answer = OPEN
    if first.low >= low and first.high <= high:
        answer = YES
    elif first.low > high or first.high < low:
        answer = NO
    return Fairness(first, answer, _what_is_known(first, seats))


def _what_is_known(first: Number, seats: Sequence[str]) -> str:
    """Such as "even, or slightly for France"."""
    found = []
    if first.low <= EVEN + FAIR and first.high >= EVEN - FAIR:
        found.append("even")
    for seat, reach in zip(seats, (first.high - EVEN, EVEN - first.low), strict=True):
        if reach > FAIR:
            found.append(f"{'slightly' if reach <= SLIGHT else 'strongly'} for {seat}")
    return ", or ".join(found)


def make_verdict(evidence: Evidence, topics: Mapping[str, Topic]) -> PageVerdict:
    """The sentences and every number in them."""
    figures: dict[str, Any] = {}
    told = {topic: write(evidence, figures) for topic, write in topics.items()}
    told = {topic: sentence for topic, sentence in told.items() if sentence}
    fairness, place = _at_the_top(evidence), evidence.game.place
    question = f"Is it fair? Does each {place} win 48 to 52 games of 100 when good players play both?"
    headline = headline_of(fairness, evidence.game)
    sentences = tuple(told.values())
    return PageVerdict(question, fairness.answer, sentences, figures, headline, tuple(told))


def _at_the_top(evidence: Evidence) -> Fairness:
    return judge_fairness(evidence.top_share, evidence.game.seats)


def headline_of(found: Fairness, game: ReportedGame) -> str:
    """The answer with its direction."""
    if found.answer == YES:
        return "Yes, it is fair"
    if found.answer == NO:
        return f"No, {_how_much(found.first, game)}"
    if found.answer == OPEN:
        return f"Not settled: {found.known}"
    return "Too few games to say"


def _how_much(first: Number, game: ReportedGame) -> str:
    """Such as "slightly in favour of France", where the interval leaves out an even game."""
    ends = sorted((abs(first.low - EVEN), abs(first.high - EVEN)))
    size = "strongly " if ends[0] > SLIGHT else "slightly " if ends[1] <= SLIGHT else ""
    return f"{size}in favour of {game.better(first.value)}"


def note(figures: dict[str, Any], name: str, number: Number) -> str:
    """The number as text; also recorded for report.json."""
    figures[name] = {
        "value": number.value if math.isfinite(number.value) else None,
        "low": number.low if math.isfinite(number.low) else None,
        "high": number.high if math.isfinite(number.high) else None,
        "n": number.n,
        "style": number.style,
        "text": str(number),
    }
    return str(number)


def fair(evidence: Evidence, figures: dict[str, Any]) -> str:
    """Who wins how often when the strongest agent plays both seats."""
    agent, found, game = evidence.strongest, _at_the_top(evidence), evidence.game
    if found.answer == "too few games":
        figures["deals"] = found.first.n
        return (
            f"Whether it is fair cannot be said yet: {agent}, the strongest agent here, played "
            f"{found.first.n} deals against itself, and below {FEWEST} this page makes no claim."
        )
    text = note(figures, f"{evidence.first}_at_the_top", found.first)
    figures["deals"] = found.first.n
    head = f"{_who_plays(evidence)}, {game.first} wins {text} of {count(found.first.n)} deals: "
    if found.answer == YES:
        return head + "fair within two points in a hundred; the whole interval lies within them."
    if found.answer == NO:
        return head + f"not fair within two points in a hundred, but {_how_much(found.first, game)}."
    low, high = round(100 * found.first.low), round(100 * found.first.high)
    figures |= {f"{evidence.first}_from": low, f"{evidence.first}_to": high}
    return head + f"probably {low} to {high} in a hundred: {found.known}."


def _who_plays(evidence: Evidence) -> str:
    place = evidence.game.place
    if evidence.settings.has_trained:
        return f"When good players play both {place}s"
    return f"When {evidence.strongest}, the strongest agent here, plays both {place}s"


def against_base(evidence: Evidence, figures: dict[str, Any]) -> str:
    """What the ruleset did to the seats, against the base on the same deals; "" without a base."""
    base, agent = evidence.base, evidence.strongest
    if base is None:
        return ""
    own, name = evidence.own_games(agent), evidence.share.name
    found = evidence.differences(agent, own, (name,)).get(name)
    if found is None:
        return f"{agent} does not play {base.title}, so there is nothing to compare at that level."
    was = of_estimate(found.one, found.deals, "share")
    change = of_estimate(found.change, found.deals, "change")
    if not was.shown:
        return f"What these rules change against {base.title} cannot be said: too few games."
    head = (
        f"On {base.title} {evidence.game.first} wins {note(figures, 'base_at_the_top', was)} of the same "
        f"deals; these rules change that by {note(figures, 'change_at_the_top', change)}, "
    )
    sure = how_sure(found.p, change)
    if sure == MAY_BE_LUCK:
        return head + f"which {sure}."
    nearer = abs(found.other.value - EVEN) < abs(found.one.value - EVEN)
    return head + f"{sure} {'towards' if nearer else 'away from'} an even game."


def levels(evidence: Evidence, figures: dict[str, Any]) -> str:
    """How the first seat fares at every level of skill."""
    game = evidence.game
    shares = {i: evidence.first_share(i) for i in evidence.by_strength}
    shown = {i: number for i, number in shares.items() if number.shown}
    if len(shown) < 2:
        return f"How the {game.place}s' chances change with skill cannot be said: too few games of each level."
    names = evidence.agents
    parts = [f"{names[i]} {note(figures, f'{evidence.first}_{names[i]}', n)}" for i, n in shown.items()]
    found = find_trend([evidence.results.matches[i, i].points(evidence.first) for i in shown])
    return (
        f"{game.at_first}'s share of wins from the weakest agent to the strongest: {listed(parts)}; "
        f"{_trend_words(found, evidence, figures, min(n.n for n in shown.values()))}."
    )


def _trend_words(found: Trend, evidence: Evidence, figures: dict[str, Any], deals: int) -> str:
    game = evidence.game
    if found.turns_back:
        return "it rises and falls from level to level, with no trend"
    if found.certainty == MAY_BE_LUCK:
        return "no trend with skill is to be seen"
    gains = game.seats[0 if found.slope.value > 0 else 1]
    slope = note(figures, "change_per_level", of_estimate(found.slope, deals, "change"))
    return f"{gains}'s chances {found.certainty} grow with skill, {game.first}'s share by {slope} a level"


def skill(evidence: Evidence, figures: dict[str, Any]) -> str:
    """How much who plays counts, and how much luck."""
    if len(evidence.by_strength) < 2:
        return "Skill cannot be judged with a single agent."
    strong, weak = evidence.by_strength[-1], evidence.by_strength[-2]
    pair = evidence.results.pair(strong, weak)
    number = pair_share(evidence, strong, weak)
    figures["pair_games"] = pair.both.n
    if not number.shown:
        return "How much skill counts cannot be said: too few games between different agents."
    text = note(figures, "strongest_over_next", number)
    names = f"{evidence.agents[strong]} wins {text} of its games against {evidence.agents[weak]}"
    luck = evidence.measures.get("variance")
    if luck is None:
        return f"{names}, the next best, seats swapped on the same deals."
    shares = luck["shares"]
    skill, rest = (of_dict(shares[key], style="share") for key in ("skill", "rest"))
    return (
        f"{names}, the next best; over all pairings who plays whom explains "
        f"{note(figures, 'skill_share', skill)} of the results, and luck within a deal "
        f"{note(figures, 'rest_share', rest)}."
    )


def pair_share(evidence: Evidence, one: int, other: int) -> Number:
    """Points of one agent against another over both seatings, clustered by deal."""
    home, away = evidence.results.matches[one, other], evidence.results.matches[other, one]
    first, second = evidence.results.seats
    points = np.concatenate([home.points(first), away.points(second)])
    deals = np.concatenate([np.arange(home.games), np.arange(away.games)])
    return of_estimate(estimate_share(points, deals), home.games, "share")
