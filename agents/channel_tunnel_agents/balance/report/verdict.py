"""The answer in a few plain sentences, with its certainty."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, of_dict, of_estimate, share
from channel_tunnel_agents.balance.report.page import Verdict
from channel_tunnel_agents.balance.report.unused import ABILITIES_USED, ACTIONS, CARDS, unused
from channel_tunnel_agents.balance.report.words import (
    END_NAMES,
    SIDE_NAMES,
    STOPPED,
    card_names,
    count,
    listed,
)
from channel_tunnel_agents.balance.significance import survives
from channel_tunnel_agents.statistics import estimate_share

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
SIDE_SHARE = "britain_wins"
USES = {
    CARDS: "cards",
    ABILITIES_USED: "abilities",
    ACTIONS: "legal actions",
}
"""Rows of the table of rule health -> what the verdict calls them."""
NAMED = 3
"""Names of each that the verdict gives."""
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
    """The sentences and every number in them."""
    fairness = judge_fairness(evidence.britain(evidence.by_strength[-1]))
    figures: dict[str, Any] = {}
    told = {
        "The sides": _fair(evidence, fairness, figures),
        "The change": _against_base(evidence, figures),
        "Skill levels": _levels(evidence, figures),
        "Endings": _ends(evidence, figures),
        "Stalls": _stalls(evidence, figures),
        "Never used": _never_used(evidence, figures),
        "Cards": _cards(evidence, figures),
        "Skill and luck": _skill(evidence, figures),
    }
    told = {topic: sentence for topic, sentence in told.items() if sentence}
    answer, sentences = fairness.answer, tuple(told.values())
    return Verdict(QUESTION, answer, sentences, figures, _headline(fairness), tuple(told))


def _headline(found: Fairness) -> str:
    """The answer with its direction."""
    if found.answer == YES:
        return "Yes, it is fair"
    if found.answer == NO:
        return f"No, {_how_much(found.britain)} better off"
    if found.answer == OPEN:
        return f"Not settled: {found.known}"
    return "Too few games to say"


def _how_much(britain: Number) -> str:
    """Such as "France is slightly", where the interval leaves out an even game."""
    side = SIDE_NAMES["britain" if britain.value > EVEN else "france"]
    ends = sorted((abs(britain.low - EVEN), abs(britain.high - EVEN)))
    size = "clearly " if ends[0] > SLIGHT else "slightly " if ends[1] <= SLIGHT else ""
    return f"{side} is {size}".rstrip()


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
        return head + "fair within two points in a hundred, and that is sure."
    if found.answer == NO:
        side = SIDE_NAMES["britain" if britain.value > EVEN else "france"]
        return (
            head
            + f"not fair within two points in a hundred; that {side} has the better side is sure."
        )
    low, high = round(100 * britain.low), round(100 * britain.high)
    figures |= {"britain_from": low, "britain_to": high}
    return head + f"probably {low} to {high} in a hundred: {found.known}."


def _against_base(evidence: Evidence, figures: dict[str, Any]) -> str:
    """What the ruleset did to the sides, against the base on the same deals; "" without a base."""
    base, agent = evidence.base, evidence.strongest
    if base is None:
        return ""
    own = evidence.own_games(agent)
    found = base.differences(agent, own, (SIDE_SHARE,)).get(SIDE_SHARE)
    if found is None:
        return f"{agent} does not play {base.title}, so there is nothing to compare at that level."
    was = of_estimate(found.one, found.deals, "share")
    change = of_estimate(found.change, found.deals, "change")
    if not was.shown:
        return f"What these rules change against {base.title} cannot be said: too few games."
    head = (
        f"On {base.title} Britain wins {_note(figures, 'base_at_the_top', was)} of the same deals; these "
        f"rules change that by {_note(figures, 'change_at_the_top', change)}, "
    )
    if not change.excludes_zero:
        return head + "which may be luck."
    nearer = abs(found.other.value - EVEN) < abs(found.one.value - EVEN)
    sure = "surely" if survives(found.p) else "probably"
    return head + f"{sure} {'towards' if nearer else 'away from'} an even game."


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


def _stalls(evidence: Evidence, figures: dict[str, Any]) -> str:
    """Games that the rules had to stop, at the top and below."""
    own = evidence.own_games(evidence.strongest)
    if len(own) < FEWEST:
        return "Whether games stall cannot be said: too few games."
    causes = own["end_cause"].astype(str)
    top = _note(figures, "stopped_at_the_top", share(causes.isin(STOPPED)))
    everybody = evidence.games["end_cause"].astype(str)
    stopped = everybody[everybody.isin(STOPPED)]
    figures |= {"games": len(everybody), "games_stopped": len(stopped)}
    if stopped.empty:
        return f"No game stalled: none of {count(len(everybody))} was stopped; at that level {top}."
    worst = END_NAMES[str(stopped.value_counts().index[0])].removeprefix("stopped: ")
    return (
        f"Stalls: {top} of the games at that level were stopped, and {count(len(stopped))} of all "
        f"{count(len(everybody))} games, most often by this: {worst}."
    )


def _never_used(evidence: Evidence, figures: dict[str, Any]) -> str:
    """Cards, abilities and actions that no agent ever used."""
    found = {what: names for what, names in unused(evidence) if what in USES and names}
    games = count(len(evidence.games))
    figures["games"] = len(evidence.games)
    if not found:
        return f"In {games} games every card was developed and every ability and legal action used."
    parts = []
    for what, names in found.items():
        shown = ", ".join(names[:NAMED])
        more = len(names) - NAMED
        text = f"{USES[what]} ({shown}" + (f" and {more} more)" if more > 0 else ")")
        figures[f"never: {what}"] = {"names": names, "text": text}
        parts.append(f"{len(names)} {text}")
        figures[f"never: {what}, number"] = len(names)
    return f"In {games} games nobody used {listed(parts)}."


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
        f"the most powerful is {names[best['key']]}, {text}{_in_the_base(evidence, best['key'], figures)}."
    )


def _in_the_base(evidence: Evidence, key: str, figures: dict[str, Any]) -> str:
    """What the card is worth in the base; "" if that is unknown."""
    base = evidence.base
    rows = base.effects["cards"] if base and base.effects else []
    row = next((row for row in rows if row["key"] == key), None)
    if base is None or row is None:
        return ""
    was = _note(figures, "the_same_card_in_the_base", of_dict(row["both"], row["n"], "change"))
    return f" (in {base.title} {was})"


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
        return f"{names}, the next best, seats swapped on the same deals."
    shares = luck["shares"]
    skill, rest = (of_dict(shares[key], style="share") for key in ("skill", "rest"))
    return (
        f"{names}, the next best; over all pairings who plays whom explains "
        f"{_note(figures, 'skill_share', skill)} of the results, and luck within a deal "
        f"{_note(figures, 'rest_share', rest)}."
    )


def pair_share(evidence: Evidence, one: int, other: int) -> Number:
    """Points of one agent against another over both seatings, clustered by deal."""
    home, away = evidence.results.matches[one, other], evidence.results.matches[other, one]
    points = np.concatenate([home.points("britain"), away.points("france")])
    deals = np.concatenate([np.arange(home.games), np.arange(away.games)])
    return of_estimate(estimate_share(points, deals), home.games, "share")
