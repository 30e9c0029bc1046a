"""The answer in five plain sentences, with its certainty."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, of_dict, of_estimate, share
from channel_tunnel_agents.balance.report.page import Verdict
from channel_tunnel_agents.balance.report.words import SIDE_NAMES, card_names, count, listed
from channel_tunnel_agents.balance.significance import survives
from channel_tunnel_agents.statistics import Estimate, estimate_mean

EVEN = 0.5
FAIR = 0.02
"""The largest deviation of a side's share of wins from a half that still counts as fair."""
SLIGHT = 0.10
"""The largest deviation from a half that is called a slight advantage."""
QUESTION = (
    "Is it fair? Does each side win 48 to 52 games of 100 when the strongest agent plays both?"
)
YES, NO, OPEN = "yes", "no", "not settled"
END_WORDS = {
    "centre": "at the centre",
    "deviation": "because a side went off course",
    "max_rounds": "at the round limit",
    "empty_rounds": "after rounds without a placement",
    "dead_position": "because nobody could do anything more",
}
"""Every cause of an end, so that the shares add up to 100 %."""
USUAL_ENDS = ("centre", "deviation")
"""Mentioned even if they did not occur."""


@dataclass(frozen=True)
class Fairness:
    """Whether Britain's share lies within `FAIR` of a half.

    Attributes:
        answer: "yes", "no", "not settled" or, with fewer than `FEWEST` deals, "too few games".
        known: what the interval leaves possible, in words; empty with too few games.
    """

    britain: Number
    answer: str
    known: str


def judge_fairness(britain: Number) -> Fairness:
    """Read the interval against the fair band."""
    if britain.n < FEWEST:
        return Fairness(britain, "too few games", "")
    low, high = EVEN - FAIR, EVEN + FAIR
    answer = OPEN
    if britain.low >= low and britain.high <= high:
        answer = YES
    elif britain.low > high or britain.high < low:
        answer = NO
    return Fairness(britain, answer, _what_is_known(britain))


def _what_is_known(britain: Number) -> str:
    """Such as "even, or slightly for France"."""
    found = []
    if britain.low <= EVEN + FAIR and britain.high >= EVEN - FAIR:
        found.append("even")
    for side, reach in (("britain", britain.high - EVEN), ("france", EVEN - britain.low)):
        if reach > FAIR:
            found.append(f"{'slightly' if reach <= SLIGHT else 'clearly'} for {SIDE_NAMES[side]}")
    return ", or ".join(found)


def make_verdict(evidence: Evidence) -> Verdict:
    """Five sentences and every number in them."""
    fairness = judge_fairness(evidence.britain(evidence.by_strength[-1]))
    figures: dict[str, Any] = {}
    sentences = (
        _fair(evidence, fairness, figures),
        _levels(evidence, figures),
        _ends(evidence, figures),
        _cards(evidence, figures),
        _skill(evidence, figures),
    )
    return Verdict(QUESTION, fairness.answer, sentences, figures)


def _note(figures: dict[str, Any], name: str, number: Number) -> str:
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


def _fair(evidence: Evidence, found: Fairness, figures: dict[str, Any]) -> str:
    agent, britain = evidence.strongest, found.britain
    if found.answer == "too few games":
        figures["deals"] = britain.n
        return (
            f"Whether it is fair cannot be said yet: {agent}, the strongest agent here, played "
            f"{britain.n} deals against itself, and below {FEWEST} this page makes no claim."
        )
    text = _note(figures, "britain_at_the_top", britain)
    figures["deals"] = britain.n
    head = (
        f"When {agent}, the strongest agent here, plays both sides, Britain wins {text} of "
        f"{count(britain.n)} deals: "
    )
    if found.answer == YES:
        return head + "fair within two points in a hundred."
    if found.answer == NO:
        side = SIDE_NAMES["britain" if britain.value > EVEN else "france"]
        return head + f"not fair within two points in a hundred; {side} has the better side."
    low, high = round(100 * britain.low), round(100 * britain.high)
    figures |= {"britain_from": low, "britain_to": high}
    return head + f"probably {low} to {high} in a hundred: {found.known}."


def _levels(evidence: Evidence, figures: dict[str, Any]) -> str:
    weak, *rest = evidence.by_strength
    shares = {evidence.agents[i]: evidence.britain(i) for i in evidence.by_strength}
    shown = {name: number for name, number in shares.items() if number.shown}
    if len(shown) < 2:
        return (
            "How the sides' chances change with skill cannot be said: too few games of each level."
        )
    parts = [f"{name} {_note(figures, f'britain_{name}', n)}" for name, n in shown.items()]
    first, last = shares[evidence.agents[weak]], shares[evidence.agents[rest[-1]]]
    if first.shown and last.shown and (first.high < last.low or last.high < first.low):
        better = SIDE_NAMES["britain" if last.value > first.value else "france"]
        trend = f"{better}'s chances grow with skill"
    else:
        trend = "from the weakest to the strongest there is no clear trend"
    return f"Britain's share of wins from the weakest agent to the strongest: {listed(parts)}; {trend}."


def _ends(evidence: Evidence, figures: dict[str, Any]) -> str:
    own = evidence.own_games(evidence.strongest)
    if len(own) < FEWEST:
        return "How games end and how long they are cannot be said: too few games."
    causes = own["end_cause"].astype(str)
    parts = [
        f"{_note(figures, f'ends_{cause}', share(causes == cause))} {words}"
        for cause, words in END_WORDS.items()
        if cause in USUAL_ENDS or (causes == cause).any()
    ]
    rounds, decisions = int(own["rounds"].median()), int(own["decisions"].median())
    figures |= {"median_rounds": rounds, "median_decisions": decisions}
    return (
        f"At that level games end {listed(parts)}; a typical game has {rounds} rounds and "
        f"{decisions} decisions."
    )


def _cards(evidence: Evidence, figures: dict[str, Any]) -> str:
    found = evidence.measures.get("card_effects")
    if found is None:
        return f"What each card is worth was not measured ({evidence.why_missing('card_effects')})."
    rows, names = found["cards"], card_names(evidence.ruleset)
    if found["deals"] < FEWEST:
        return f"What each card is worth cannot be said yet: {found['deals']} deals are too few."
    sure = [row for row in rows if survives(row["p_holm"])]
    figures |= {"cards_with_effect": len(sure), "cards": len(rows)}
    if not sure:
        return (
            f"None of the {len(rows)} cards changes the chances of the side that holds it by enough "
            "to be sure of it."
        )
    best = max(sure, key=lambda row: abs(row["both"]["value"]))
    text = _note(figures, "largest_card_effect", of_dict(best["both"], best["n"], "change"))
    return (
        f"{len(sure)} of {len(rows)} cards surely change the chances of the side that is given them; "
        f"the most powerful is {names[best['key']]}, {text}."
    )


def _skill(evidence: Evidence, figures: dict[str, Any]) -> str:
    if len(evidence.by_strength) < 2:
        return "Skill cannot be judged with a single agent."
    strong, weak = evidence.by_strength[-1], evidence.by_strength[-2]
    pair = evidence.results.pair(strong, weak)
    number = pair_share(evidence, strong, weak)
    figures["pair_games"] = pair.both.games
    if not number.shown:
        return "How much skill counts cannot be said: too few games between different agents."
    text = _note(figures, "strongest_over_next", number)
    names = f"{evidence.agents[strong]} wins {text} of its games against {evidence.agents[weak]}"
    luck = evidence.measures.get("variance")
    if luck is None:
        return f"On skill and luck: {names}, the next best, seats swapped on the same deals."
    shares = luck["shares"]
    skill, rest = (of_dict(shares[key], style="share") for key in ("skill", "rest"))
    return (
        f"On skill and luck: {names}, the next best; over all pairings who plays whom explains "
        f"{_note(figures, 'skill_share', skill)} of the results, and luck within a deal "
        f"{_note(figures, 'rest_share', rest)}."
    )


def pair_share(evidence: Evidence, one: int, other: int) -> Number:
    """Points of one agent against another over both seatings, clustered by deal."""
    home, away = evidence.results.matches[one, other], evidence.results.matches[other, one]
    points = np.concatenate([home.points("britain"), away.points("france")])
    deals = np.concatenate([np.arange(home.games), np.arange(away.games)])
    found = estimate_mean(points, deals)
    clipped = Estimate(found.value, max(found.low, 0.0), min(found.high, 1.0))
    return of_estimate(clipped, home.games, "share")
