"""The answer in a few plain sentences, for more than two seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from channel_tunnel_agents.balance.empirical.verdict import FAIR
from channel_tunnel_agents.balance.measuring.seats import GAP, SeatShares
from channel_tunnel_agents.balance.measuring.significance import MAY_BE_LUCK, how_sure
from channel_tunnel_agents.balance.report.evidence import TableEvidence
from channel_tunnel_agents.balance.report.measurements import MEETINGS
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, of_dict, of_estimate, share
from channel_tunnel_agents.balance.report.page import PageVerdict
from channel_tunnel_agents.balance.report.verdict import NO, OPEN, YES, note
from channel_tunnel_agents.balance.report.words import capital, count, listed
from channel_tunnel_agents.matches.tables import clock_column
from channel_tunnel_env.outside.percent import percent

TOO_FEW = "too few games"
Topic = Callable[[TableEvidence, dict[str, Any]], str]


def judge(found: SeatShares) -> str:
    """Whether every seat lies within `FAIR` of the even share, by intervals that hold together."""
    if found.deals < FEWEST:
        return TOO_FEW
    even = found.even
    if all(even - FAIR <= e.low and e.high <= even + FAIR for e in found.shares):
        return YES
    if any(e.low > even + FAIR or e.high < even - FAIR for e in found.shares):
        return NO
    return OPEN


def make_verdict(evidence: TableEvidence) -> PageVerdict:
    """The sentences and every number in them."""
    figures: dict[str, Any] = {}
    said = {topic: write(evidence, figures) for topic, write in TOPICS.items()}
    said = {topic: sentence for topic, sentence in said.items() if sentence}
    place, seats = evidence.game.place, len(evidence.seats)
    low, high = (percent(evidence.even + d) for d in (-FAIR, FAIR))
    question = (
        f"Is it fair? Does each of the {seats} {place}s have {low} to {high} of the win when the strongest agent "
        f"plays them all?"
    )
    found = evidence.seats_of(evidence.strongest)
    answer = judge(found)
    headline = _headline(evidence, found, answer)
    return PageVerdict(question, answer, tuple(said.values()), figures, headline, tuple(said))


def _headline(evidence: TableEvidence, found: SeatShares, answer: str) -> str:
    if answer == YES:
        return "Yes, it is fair"
    if answer == NO:
        return f"No: {listed(_unlike(evidence, found))}"
    if answer == TOO_FEW:
        return "Too few games to say"
    unlike = listed(_unlike(evidence, found, "probably ") or [f"no {evidence.game.place} is shown to differ"])
    return f"Not settled: {unlike}"


def _unlike(evidence: TableEvidence, found: SeatShares, sure: str = "") -> list[str]:
    """The seats whose interval excludes the even share, in words, the best first."""
    named = sorted(zip(_names(evidence), found.shares, strict=True), key=lambda n: -n[1].value)
    even = evidence.even
    better = [name for name, e in named if e.low > even]
    worse = [name for name, e in named if e.high < even]
    found_words = [f"{listed(better)} {_is(better)} {sure}better off"] if better else []
    return found_words + ([f"{listed(worse)} {_is(worse)} {sure}worse off"] if worse else [])


def _is(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _names(evidence: TableEvidence) -> list[str]:
    return [evidence.game.called(seat) for seat in evidence.seats]


def fair(evidence: TableEvidence, figures: dict[str, Any]) -> str:
    """What each seat has when the strongest agent plays them all."""
    found, agent = evidence.seats_of(evidence.strongest), evidence.strongest
    figures["deals"] = found.deals
    if found.deals < FEWEST:
        return (
            f"Whether it is fair cannot be said yet: {agent}, the strongest agent here, played {found.deals} deals "
            f"with itself, and below {FEWEST} this page makes no claim."
        )
    parts = [
        f"{name} {note(figures, f'share_{seat}', of_estimate(e, found.deals, 'share'))}"
        for seat, name, e in zip(evidence.seats, _names(evidence), found.shares, strict=True)
    ]
    gap = note(figures, GAP, of_estimate(found.gap, found.deals, "share"))
    figures["p_of_even"] = found.p if np.isfinite(found.p) else None
    sure = how_sure(found.p, found.gap)
    verb = "differ" if sure == MAY_BE_LUCK else f"{sure} differ"
    told = f"the {evidence.game.place}s {verb}"
    if sure == MAY_BE_LUCK:
        told = f"that the {evidence.game.place}s differ {sure}"
    return (
        f"When {agent}, the strongest agent here, plays every {evidence.game.place}, the shares of the win over "
        f"{count(found.deals)} deals are {listed(parts)}; even would be {percent(evidence.even)}. The best has {gap} "
        f"more than the worst: {told}.{_unplayed(evidence)}"
    )


def _unplayed(evidence: TableEvidence) -> str:
    """Of seats that nobody plays, as a further sentence."""
    names = evidence.unplayed
    return f" Nobody plays {listed(names)}; what is kept there is no part of this." if names else ""


def against_base(evidence: TableEvidence, figures: dict[str, Any]) -> str:
    """What the ruleset did to the seats, against the base on the same deals; "" without a base."""
    base, agent = evidence.base, evidence.strongest
    if base is None:
        return ""
    names = {f"share_{seat}": evidence.game.called(seat) for seat in evidence.seats}
    found = evidence.differences(agent, evidence.own_games(agent), tuple(names))
    if not found:
        return f"{agent} does not play {base.title}, so there is nothing to compare at that level."
    one = next(iter(found.values()))
    if one.deals < FEWEST:
        return f"What these rules change against {base.title} cannot be said: too few games."
    sure = {name: how_sure(d.p_holm, d.change) for name, d in found.items()}  # corrected for the seats
    moved = [
        f"{names[name]} {note(figures, f'change_of_{name}', of_estimate(d.change, d.deals, 'change'))}, {sure[name]}"
        for name, d in found.items()
        if sure[name] != MAY_BE_LUCK
    ]
    if not moved:
        return (
            f"Against {base.title}, on the same {count(one.deals)} deals, no {evidence.game.place}'s share changes by "
            "more than luck may explain."
        )
    return f"Against {base.title}, on the same {count(one.deals)} deals: {'; '.join(moved)}."


def levels(evidence: TableEvidence, figures: dict[str, Any]) -> str:
    """Whether the seats differ at the other levels of skill."""
    parts = []
    for i in evidence.by_strength[:-1]:
        name, found = evidence.agents[i], evidence.seats_of(evidence.agents[i])
        if found.deals < FEWEST:
            continue
        best = evidence.seats[int(np.argmax([e.value for e in found.shares]))]
        gap = note(figures, f"{GAP}_{name}", of_estimate(found.gap, found.deals, "share"))
        sure = how_sure(found.p, found.gap)
        first = f", {evidence.game.called(best)} first" if found.gap.value else ""
        parts.append(f"{name} {gap}, {sure}{first}")
    if not parts:
        return ""
    return f"The best {evidence.game.place} over the worst where weaker agents play them all: {'; '.join(parts)}."


def skill(evidence: TableEvidence, figures: dict[str, Any]) -> str:
    """Whether the better player wins more."""
    found = evidence.measures.get(MEETINGS.name)
    if found is None or len(evidence.agents) < 2:
        return "Skill cannot be judged: no two agents met."
    strong, weak = evidence.strongest, evidence.agents[evidence.by_strength[-2]]
    both = {(m["agent"], m["rest"]): of_dict(m["share"], style="share") for m in found["meetings"]}
    one, other = both[strong, weak], both[weak, strong]
    if not one.shown:
        return "How much skill counts cannot be said: too few games between different agents."
    return (
        f"{strong} alone against {weak} in all other {evidence.game.place}s has "
        f"{note(figures, 'strongest_alone', one)} of the win, and {weak} alone against {strong} "
        f"{note(figures, 'next_alone', other)}; an equal would have {percent(evidence.even)}. {_worth(evidence, one, other)}"
    )


def _worth(evidence: TableEvidence, one: Number, other: Number) -> str:
    if one.low > evidence.even and other.high < evidence.even:
        return "The better player wins more."
    return "That the better player wins more is not settled."


def length(evidence: TableEvidence, figures: dict[str, Any]) -> str:
    """How long games are, and how many are stopped."""
    own, clock = evidence.own_games(evidence.strongest), clock_column(evidence.ruleset.spec)
    if len(own) < FEWEST:
        return ""
    middle = float(own[clock].median())
    figures[f"median_{clock}"] = middle
    said = f"Half of the games of {evidence.strongest} take {middle:g} {clock} or fewer"
    ends = ends_of(evidence, evidence.strongest)
    if len(ends) < 2:
        return f"{said}."
    parts = [f"{words} {note(figures, f'ended_{words}', number)}" for words, number in ends.items()]
    return f"{said}. How they end: {listed(parts)}."


def ends_of(evidence: TableEvidence, agent: str, all_causes: bool = False) -> dict[str, Number]:
    """How often an agent's games end in each way, those that the rules stop marked; without `all_causes` only what
    occurs."""
    outcome, found = evidence.ruleset.spec.outcome, evidence.own_games(agent)["end_cause"]
    first = outcome.first_stop or len(outcome.end_causes)
    named = {
        f"{'stopped: ' * (k >= first)}{cause.replace('_', ' ')}": (found == cause).to_numpy(np.float64)
        for k, cause in enumerate(outcome.end_causes)
        if k
    }
    return {words: share(own) for words, own in named.items() if all_causes or own.any()}


TOPICS: dict[str, Topic] = {
    "The seats": fair,
    "The change": against_base,
    "Skill levels": levels,
    "Skill": skill,
    "Length": length,
}


def at_start(name: str) -> str:
    """A seat's name as a row begins."""
    return capital(name.removeprefix("the "))
