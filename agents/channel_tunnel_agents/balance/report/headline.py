"""The answer in a headline and a few plain sentences, with its certainty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from channel_tunnel_agents.balance.empirical.verdict import DECIDED, FAIR, SLIGHT, FairAnswer, Fairness, Trouble
from channel_tunnel_agents.balance.measuring.seats import GAP
from channel_tunnel_agents.balance.measuring.significance import MAY_BE_LUCK, how_sure
from channel_tunnel_agents.balance.measuring.trend import Trend, find_trend
from channel_tunnel_agents.balance.report.contents import Topic
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.game import ReportedGame
from channel_tunnel_agents.balance.report.measurements import MEETINGS
from channel_tunnel_agents.balance.report.numbers import (
    EVEN,
    FEWEST,
    HUNDRED,
    Number,
    count,
    of_dict,
    of_estimate,
    share,
)
from channel_tunnel_agents.balance.report.page import PageVerdict, known
from channel_tunnel_agents.matches.tables import clock_column
from channel_tunnel_agents.statistics import estimate_share
from channel_tunnel_env.outside.sentences import capital, listed
from channel_tunnel_env.outside.terminal import percent

YES, NO, OPEN, FEW = (answer.value for answer in FairAnswer)
WIN, SEEM = ("wins", "win"), ("seems to win", "seem to win")
"""The verb for one seat, and for several."""


def fair_words(even: float) -> str:
    """What counts as fair beside an equal part, in wins of a hundred games: "48 to 52"."""
    return f"{HUNDRED * (even - FAIR):.0f} to {HUNDRED * (even + FAIR):.0f}"


def make_page_verdict(evidence: Evidence, topics: Mapping[str, Topic]) -> PageVerdict:
    """The sentences and every number in them."""
    figures: dict[str, Any] = {}
    told = {topic: write(evidence, figures) for topic, write in topics.items()}
    told = {topic: sentence for topic, sentence in told.items() if sentence}
    who = "good players play" if evidence.settings.judged else f"{evidence.strongest} plays"
    place, seats = evidence.game.place, len(evidence.seats)
    each = f"each {place}" if evidence.is_of_two else f"each of the {seats} {place}s"
    question = f"Is it fair? Does {each} win {fair_words(evidence.even)} games of 100 when {who} {evidence.game.all}?"
    headline = headline_of(evidence.top, evidence.game).removesuffix(".")
    return PageVerdict(question, evidence.top.answer.value, tuple(told.values()), figures, headline, tuple(told))


# --- the headline ---------------------------------------------------------------------------------


def headline_of(found: Fairness, game: ReportedGame) -> str:
    """Fair or not; what makes the question idle comes first."""
    if trouble := trouble_words(found):
        return f"{trouble}."
    if found.answer == FairAnswer.YES:
        return "Yes, it is fair."
    if found.answer == FairAnswer.NO:
        return f"No, {_how_unfair(found, game)}."
    if found.answer == FairAnswer.FEW:
        return "Too few games to tell."
    if seeming := unlike(found, game, 0.0, SEEM):
        return f"Probably not: {seeming}."
    return "Perhaps: it is not far from fair." if found.is_near else "These games cannot tell yet."


IDLE = {
    Trouble.STOPPED: "games get stuck",
    Trouble.DRAWN: "games have no winner",
    Trouble.ONE_ACTION: "decisions are for the same action",
}
"""What leaves no question of fairness; that one seat always wins answers it."""


def trouble_words(found: Fairness) -> str:
    """How many games are not worth asking about, in a sentence without its end; "" if all are."""
    if found.trouble not in IDLE:
        return ""
    return f"{games_of_hundred(found.troubled)} of {HUNDRED} {IDLE[found.trouble]}"


def _how_unfair(found: Fairness, game: ReportedGame) -> str:
    """Who wins too often; of one seat among two, and of one that wins nearly always, how far too often."""
    better = game.seats[found.best]
    if found.trouble == Trouble.DECIDED:
        return f"{better} wins nearly every game"
    if not found.is_of_two:
        return unlike(found, game)
    one = found.shares[found.best]
    near, far = one.low - EVEN, one.high - EVEN
    slight = SLIGHT * EVEN
    size = "far " if near > slight else "a little " if far <= slight + 1e-12 else ""
    return f"{better} wins {'nearly every game' if near >= DECIDED - EVEN else f'{size}too often'}"


def unlike(found: Fairness, game: ReportedGame, leeway: float = FAIR, verbs: tuple[str, str] = WIN) -> str:
    """The seats whose interval lies beyond a leeway: "France wins too often and Italy too seldom"; "" if there is none.

    With two seats only the better one is named: the other one's share follows.

    Args:
        leeway: how far from an equal part does not count.
        verbs: of one seat, and of several.
    """
    above, below = ([game.seats[place] for place in places] for places in found.beyond(leeway))
    told = [(above, "often"), *([] if found.is_of_two else [(below, "seldom")])]
    told = [(names, how) for names, how in told if names]
    parts = [
        f"{listed(names)}{f' {verbs[len(names) > 1]}' * (k == 0)} too {how}" for k, (names, how) in enumerate(told)
    ]
    return " and ".join(parts)


def possible(found: Fairness, game: ReportedGame) -> str:
    """What the intervals leave possible, such as "even, or slightly for France"."""
    if found.answer == FairAnswer.FEW:
        return ""
    if not found.is_of_two:
        return unlike(found, game, 0.0, SEEM) or f"no {game.place} is shown to differ"
    first = found.shares[0]
    told = ["even"] if first.low <= EVEN + FAIR and first.high >= EVEN - FAIR else []
    for seat, reach in zip(game.seats, (first.high - EVEN, EVEN - first.low), strict=True):
        if reach > FAIR:
            told.append(f"{'slightly' if reach <= SLIGHT * EVEN + 1e-12 else 'strongly'} for {seat}")
    return ", or ".join(told)


def games_of_hundred(part: float) -> int:
    """A share as whole games of a hundred."""
    return round(HUNDRED * part)


# --- the sentences --------------------------------------------------------------------------------


def note(figures: dict[str, Any], name: str, number: Number) -> str:
    """The number as text; also recorded for report.json."""
    figures[name] = {key: known(value) for key, value in asdict(number).items()} | {"text": str(number)}
    return str(number)


def who_plays(evidence: Evidence, name: str = "") -> str:
    """Whose games are told, as a sentence begins.

    Args:
        name: of the strongest agent, if it is called otherwise.
    """
    judged = evidence.settings.judged
    if judged is not None and judged.is_trained:
        return f"When good players play {evidence.game.all}"
    every = evidence.game.all if evidence.is_of_two else f"every {evidence.game.place}"
    return f"When {name or evidence.strongest}, the strongest {'player' if name else 'agent'} here, plays {every}"


def fair(evidence: Evidence, figures: dict[str, Any]) -> str:
    """What each seat has when good players play."""
    found, game = evidence.top, evidence.game
    figures["deals"] = found.deals
    if found.answer == FairAnswer.FEW:
        return (
            f"Whether it is fair cannot be said yet: {evidence.strongest}, the strongest agent here, played {found.deals} deals "
            f"with itself, and below {FEWEST} this page makes no claim."
        )
    numbers = [of_estimate(each, found.deals, "share") for each in found.shares]
    if evidence.is_of_two:
        text = note(figures, f"{evidence.first}_at_the_top", numbers[0])
        head = f"{who_plays(evidence)}, {game.first} wins {text} of {count(found.deals)} deals"
    else:
        told = zip(evidence.seats, game.seats, numbers, strict=True)
        parts = [f"{name} {note(figures, f'share_{seat}', number)}" for seat, name, number in told]
        gap = note(figures, GAP, of_estimate(evidence.seats_of(evidence.strongest).gap, found.deals, "share"))
        head = (
            f"{who_plays(evidence)}, the shares of the win over {count(found.deals)} deals are {listed(parts)}; even would be "
            f"{percent(evidence.even)}, and the best has {gap} more than the worst"
        )
    names = unplayed(evidence)
    rest = f" Nobody plays {listed(names)}; what is kept there is no part of this." if names else ""
    return f"{head}{_answer_words(evidence, found, figures)}.{rest}"


def _answer_words(evidence: Evidence, found: Fairness, figures: dict[str, Any]) -> str:
    if trouble := trouble_words(found):
        return f"; yet {trouble}"
    if found.answer == FairAnswer.YES:
        return f": fair within {HUNDRED * FAIR:.0f} points in a hundred; no interval reaches beyond them"
    if found.answer == FairAnswer.NO:
        return f": not fair within {HUNDRED * FAIR:.0f} points in a hundred; {_how_unfair(found, evidence.game)}"
    if not evidence.is_of_two:
        return f": not settled; {possible(found, evidence.game)}"
    low, high = (round(HUNDRED * end) for end in (found.shares[0].low, found.shares[0].high))
    figures |= {f"{evidence.first}_from": low, f"{evidence.first}_to": high}
    return f": probably {low} to {high} in a hundred: {possible(found, evidence.game)}"


def unplayed(evidence: Evidence) -> list[str]:
    """The seats that nobody plays."""
    return [seat.replace("_", " ").capitalize() for seat in evidence.results.seats if seat not in evidence.seats]


def against_base(evidence: Evidence, figures: dict[str, Any]) -> str:
    """What the ruleset did to the seats, against the base on the same deals; "" without a base."""
    base, agent = evidence.base, evidence.strongest
    if base is None:
        return ""
    if base.results is None or agent in base.unfit:
        return f"{agent} does not play {base.title}, so there is nothing to compare at that level."
    found = {name: each for name in evidence.share_measures if (each := evidence.compared.get((agent, name)))}
    if not found or (deals := next(iter(found.values())).deals) < FEWEST:
        return f"What these rules change against {base.title} cannot be said: too few games."
    parts = []
    for name, each in found.items():
        sure, seat = how_sure(each.p_holm, each.change), evidence.share_measures[name]
        if sure == MAY_BE_LUCK and not evidence.is_of_two:
            continue
        was, now = f"base_{name}", f"change_of_{name}"
        if evidence.is_of_two:
            was, now = "base_at_the_top", "change_at_the_top"
        nearer = abs(each.other.value - evidence.even) < abs(each.one.value - evidence.even)
        how = f"which {sure}" if sure == MAY_BE_LUCK else f"{sure} {'towards' if nearer else 'away from'} an even game"
        parts.append(
            f"{seat} wins {note(figures, was, of_estimate(each.one, deals, 'share'))} there; these rules change that by "
            f"{note(figures, now, of_estimate(each.change, deals, 'change'))}, {how}"
        )
    head = f"Against {base.title}, on the same {count(deals)} deals, played by {agent} on both"
    if not parts:
        return f"{head}, no {evidence.game.place}'s share changes by more than luck may explain."
    return f"{head}: {'. '.join([parts[0], *map(capital, parts[1:])])}."


def levels(evidence: Evidence, figures: dict[str, Any]) -> str:
    """How the seats fare at every level of skill."""
    found = {name: evidence.seats_of(name) for name in evidence.ladder}
    shown = {name: each for name, each in found.items() if each.deals >= FEWEST}
    place = evidence.game.place
    if len(shown) < 2:
        return f"How the {place}s' chances change with skill cannot be said: too few games of each level."
    if not evidence.is_of_two:
        weaker = [(name, each) for name, each in shown.items() if name != evidence.strongest]
        gaps = [(name, of_estimate(each.gap, each.deals, "share")) for name, each in weaker]
        parts = [f"{name} {note(figures, f'{GAP}_{name}', gap)}" for name, gap in gaps]
        return f"The best {place} less the worst where weaker agents play them all: {listed(parts)}."
    firsts = {name: of_estimate(each.shares[0], each.deals, "share") for name, each in shown.items()}
    parts = [f"{name} {note(figures, f'{evidence.first}_{name}', number)}" for name, number in firsts.items()]
    trend = find_trend([evidence.shares_of(name)[:, 0] for name in shown])
    return (
        f"{evidence.game.at_first}'s share of wins from the weakest agent to the strongest: {listed(parts)}; "
        f"{_trend_words(trend, evidence.game, figures, min(number.n for number in firsts.values()))}."
    )


def _trend_words(found: Trend, game: ReportedGame, figures: dict[str, Any], deals: int) -> str:
    if found.turns_back:
        return "it rises and falls from level to level, with no trend"
    if found.certainty == MAY_BE_LUCK:
        return "no trend with skill is to be seen"
    gains = game.seats[0 if found.slope.value > 0 else 1]
    slope = note(figures, "change_per_level", of_estimate(found.slope, deals, "change"))
    return f"{gains}'s chances {found.certainty} grow with skill, {game.first}'s share by {slope} a level"


def skill(evidence: Evidence, figures: dict[str, Any]) -> str:
    """How much who plays counts, and how much luck."""
    if len(evidence.agents) < 2:
        return "Skill cannot be judged with a single agent."
    strong, weak = evidence.by_strength[-1], evidence.by_strength[-2]
    number = pair_share(evidence, strong, weak)
    if number is None:
        return "Skill cannot be judged: no two agents met."
    if not number.shown:
        return "How much skill counts cannot be said: too few games between different agents."
    text, (one, other) = note(figures, "strongest_over_next", number), (evidence.agents[i] for i in (strong, weak))
    if not evidence.is_of_two:
        rest = pair_share(evidence, weak, strong)
        assert rest is not None
        is_sure = number.low > evidence.even and rest.high < evidence.even
        return (
            f"{one} against {other} in all other {evidence.game.place}s has {text} of the win, and {other} against {one} "
            f"{note(figures, 'next_alone', rest)}; an equal would have {percent(evidence.even)}. "
            f"{'The better player wins more.' if is_sure else 'That the better player wins more is not settled.'}"
        )
    figures["pair_games"] = evidence.results.pair(strong, weak).both.n
    names, luck = f"{one} wins {text} of its games against {other}", evidence.measures.get("variance")
    if luck is None:
        return f"{names}, the next best, seats swapped on the same deals."
    part, rest = (of_dict(luck["shares"][key], style="share") for key in ("skill", "rest"))
    return (
        f"{names}, the next best; over all pairings the choice of players explains {note(figures, 'skill_share', part)} of the results, "
        f"and luck within a deal {note(figures, 'rest_share', rest)}."
    )


def pair_share(evidence: Evidence, one: int, other: int) -> Number | None:
    """What one agent has against another over all seats, clustered by deal: with more than two seats, one against all others.

    None if they did not meet.
    """
    if not evidence.is_of_two:
        names = evidence.agents[one], evidence.agents[other]
        met = evidence.measures.get(MEETINGS.name, {"meetings": ()})["meetings"]
        return next(
            (of_dict(each["share"], style="share") for each in met if (each["agent"], each["rest"]) == names), None
        )
    home, away = evidence.results.matches[one, other], evidence.results.matches[other, one]
    first, second = evidence.results.seats
    points = np.concatenate([home.points(first), away.points(second)])
    deals = np.concatenate([np.arange(home.games), np.arange(away.games)])
    return of_estimate(estimate_share(points, deals), home.games, "share")


def length(evidence: Evidence, figures: dict[str, Any]) -> str:
    """How long games are, and how they end."""
    own, clock = evidence.own_games(evidence.strongest), clock_column(evidence.ruleset.spec)
    if len(own) < FEWEST:
        return ""
    figures[f"median_{clock}"] = middle = float(own[clock].median())
    ends = {words: number for words, number in end_shares(evidence, evidence.strongest).items() if number.value}
    parts = [f"{words} {note(figures, f'ended_{words}', number)}" for words, number in ends.items()]
    said = f"Half of the games of {evidence.strongest} take {middle:g} {clock} or fewer"
    return f"{said}. How they end: {listed(parts)}." if len(parts) > 1 else f"{said}."


def end_shares(evidence: Evidence, agent: str) -> dict[str, Number]:
    """How often an agent's games with itself end in each way, those that the rules stop marked."""
    outcome, found = evidence.ruleset.spec.outcome, evidence.own_games(agent)["end_cause"]
    first = outcome.first_stop or len(outcome.end_causes)
    return {
        f"{'stopped: ' * (k >= first)}{cause.replace('_', ' ')}": share((found == cause).to_numpy(np.float64))
        for k, cause in enumerate(outcome.end_causes)
        if k
    }


def seats_note(evidence: Evidence, figures: dict[str, Any]) -> str:
    """What is known of the seats before any game."""
    said = evidence.game.seats_note(evidence.ruleset)
    figures |= {"turns": {"text": said}} if said else {}
    return said
