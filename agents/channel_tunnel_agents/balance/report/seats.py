"""What each seat has, at every level of skill."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.empirical.verdict import FAIR, SLIGHT, FairAnswer, Fairness
from channel_tunnel_agents.balance.measuring.seats import GAP
from channel_tunnel_agents.balance.measuring.significance import MAY_BE_LUCK
from channel_tunnel_agents.balance.measuring.trend import Trend, find_trend
from channel_tunnel_agents.balance.report.drawing import (
    FIRST_SEAT,
    INK,
    NEUTRAL,
    ROW,
    SECOND_SEAT,
    draw,
    forest,
    per_cent,
    seats_axis,
)
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.game import ReportedGame
from channel_tunnel_agents.balance.report.games import TOO_FEW
from channel_tunnel_agents.balance.report.numbers import EVEN, FEWEST, HUNDRED, Number, count, mean, note, of_estimate
from channel_tunnel_agents.balance.report.page import Chart, Data, Row, Shown, Table
from channel_tunnel_agents.balance.report.verdict import (
    fair_words,
    how_unfair,
    possible,
    trouble_words,
    unplayed,
    who_plays,
)
from channel_tunnel_agents.statistics import REACH, Estimate
from channel_tunnel_env.outside.sentences import listed
from channel_tunnel_env.outside.terminal import percent

LEVELS = 3
LADDER_ROW = "all agents together"
MARGIN_BINS = 25


# --- in the verdict ---


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
        return f": not fair within {HUNDRED * FAIR:.0f} points in a hundred; {how_unfair(found, evidence.game)}"
    if not evidence.is_of_two:
        return f": not settled; {possible(found, evidence.game)}"
    low, high = (round(HUNDRED * end) for end in (found.shares[0].low, found.shares[0].high))
    figures |= {f"{evidence.first}_from": low, f"{evidence.first}_to": high}
    return f": probably {low} to {high} in a hundred: {possible(found, evidence.game)}"


def seats_note(evidence: Evidence, figures: dict[str, Any]) -> str:
    """What is known of the seats before any game."""
    said = evidence.game.seats_note(evidence.ruleset)
    figures |= {"turns": {"text": said}} if said else {}
    return said


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


# --- the section ---


def seats(evidence: Evidence) -> Shown:
    """The seats' shares for every agent that plays them all; of two, also over all games, adjusted for skill, and the final lead."""
    agents = evidence.levels
    if not agents:
        return TOO_FEW
    shown = _chart(evidence), _table(evidence, agents)
    return (_lead(evidence), [*shown, *_margin(evidence)]) if evidence.is_of_two else ((), shown)


def _chart(evidence: Evidence) -> Chart:
    """Two seats: the first one's share by agent. More: every seat's share of the strongest agent."""
    game, is_of_two = evidence.game, evidence.is_of_two
    rows = [*zip(game.heads, evidence.numbers_of(evidence.strongest), strict=True)]
    title, columns = (
        f"Each {game.place}'s share of the win ({evidence.strongest} in all of them)",
        (game.place, "share of the win"),
    )
    says = f"Share of the win by {game.place}"
    reading = (
        f"One agent plays every {game.place} of the same deals, so skill cancels out and what is left is the {game.place}. Lines: "
        f"95 % intervals, which hold together. Stroke: the even share, {percent(evidence.even)}; band: fair, {percent(FAIR, 0)} either way."
    )
    if is_of_two:
        rows = [(name, evidence.numbers_of(name)[0]) for name in evidence.ladder]
        rows.append((LADDER_ROW, _between_equals(evidence)))
        title, columns = f"{game.at_first}'s share of wins, weakest agent on top", ("agent", f"{game.heads[0]} wins")
        says = f"{game.at_first}'s share of wins by agent, with intervals"
        reading = (
            f"Each agent plays both {game.place}s of the same deals, so skill cancels out and what is left is the {game.place}. The line "
            f"is the 95 % interval: where the truth most likely lies. The band is {fair_words(EVEN)} %. "
            f"'{LADDER_ROW}' uses every game of every pairing: {game.first}'s chance between equals once strength is accounted for (a "
            "Bradley-Terry model with a side term)."
        )
    return Chart(
        "side-advantage" if is_of_two else "seats",
        title,
        draw("sides" if is_of_two else "seats", partial(_paint, evidence, rows), 0.8 + ROW * 1.2 * len(rows)),
        Data(columns, tuple(rows)),
        reading,
        says,
    )


def _between_equals(evidence: Evidence) -> Number:
    deals = max(match.games for match in evidence.results.matches.values())
    assert evidence.rated is not None
    return of_estimate(evidence.rated.rating.first_between_equals, deals, "share")


def _paint(evidence: Evidence, rows: list[tuple[str, Number]], axis: Axes) -> None:
    markers = ["D" if name == LADDER_ROW else "o" for name, _ in rows]
    forest(axis, [name for name, _ in rows], [number for _, number in rows], None, markers)
    seats_axis(axis, evidence.even, [number for _, number in rows if number.shown])
    if evidence.is_of_two:
        axis.set_xlabel(evidence.game.towards_first("better"), loc="right")


def _table(evidence: Evidence, agents: list[str]) -> Table:
    """Two seats: a row an agent, the weakest first. More: a row a seat and a column an agent, the strongest first."""
    game = evidence.game
    within = f"within {fair_words(evidence.even)} %?"
    found = {agent: evidence.fairness_of(agent) for agent in agents}
    if evidence.is_of_two:
        number = _between_equals(evidence)
        second = Estimate(1 - number.value, 1 - number.high, 1 - number.low)
        found[LADDER_ROW] = Fairness((number, second), EVEN, number.n)
        rows = [
            (name, of_estimate(each.shares[0], each.deals, "share"), each.answer.value, possible(each, game))
            for name, each in found.items()
        ]
        reading = (
            f"'Slightly': by at most {percent(SLIGHT * EVEN, 0)}. To tell a share of 50 % to one point takes about "
            f"{count(round((REACH / 0.01) ** 2 / 4))} deals."
        )
        columns = ("agent", f"{game.heads[0]} wins", within, "what the games leave possible")
        return Table("side-table", "Every agent", Data(columns, tuple(rows)), reading)
    seats = {agent: evidence.seats_of(agent) for agent in reversed(agents)}
    by_seat: list[Row] = [
        (head, *(evidence.numbers_of(agent)[place] for agent in seats)) for place, head in enumerate(game.heads)
    ]
    by_seat.append(("best less worst", *(of_estimate(each.gap, each.deals, "share") for each in seats.values())))
    by_seat.append(("p of equal seats", *(each.p for each in seats.values())))
    by_seat.append((within, *(found[agent].answer.value for agent in seats)))
    reading = (
        "The intervals of one column hold together with 95 % confidence (Bonferroni); 'best less worst' joins those of all pairs, because "
        "luck makes some seat the best even where all are alike. The p-value is that of Hotelling's T squared."
    )
    return Table("seat-table", "Every agent, the strongest first", Data((game.place, *seats), tuple(by_seat)), reading)


def _lead(evidence: Evidence) -> tuple[str, ...]:
    assert evidence.rated is not None
    value, game = of_estimate(evidence.rated.rating.side, evidence.results.tournament.deals, "signed"), evidence.game
    few = len(evidence.agents) < LEVELS
    levels = (f"Fewer than {LEVELS} levels of skill were played; name more with --agents.",) * few
    if not value.shown:
        return (*levels, f"There are too few games for a claim about the {game.place}s.")
    if not value.excludes_zero:
        return (*levels, f"Which {game.place} is the better one over all levels of skill together is not settled.")
    ends = sorted((abs(value.low), abs(value.high)))
    size = Number(abs(value.value), ends[0], ends[1], value.n, "whole")
    return (
        *levels,
        f"Over all levels of skill together playing {game.seats[0 if value.value > 0 else 1]} is worth as much as being {size} Elo points "
        "stronger (100 Elo points are a chance of 64 %). What counts for the rules is the strongest level.",
    )


def _margin(evidence: Evidence) -> tuple[Chart, ...]:
    own = evidence.own_games(evidence.strongest)
    if len(own) < FEWEST:
        return ()
    game, margin = evidence.game, own["margin"].to_numpy(np.float64)
    limit = max(1, math.ceil(float(np.quantile(np.abs(margin), 0.995))))
    width = max(1, math.ceil((2 * limit + 1) / MARGIN_BINS))
    half = width * (math.ceil((limit + 0.5) / width)) + width / 2
    edges = np.arange(-half, half + width / 2, width)
    counts, _ = np.histogram(np.clip(margin, edges[0], edges[-1]), edges)
    middles = (edges[:-1] + edges[1:]) / 2
    rows = tuple((float(x), int(n)) for x, n in zip(middles, counts, strict=True))
    return (
        Chart(
            "margin",
            f"{game.at_first}'s lead in victory points at the end ({evidence.strongest_text})",
            draw("margin", partial(_paint_margin, game, middles, counts, width)),
            Data(("lead", "games"), rows),
            f"On average {mean(margin, 'signed')} points, n {count(len(own))}." + game.margin_note,
            "Histogram of the final lead",
        ),
    )


def _paint_margin(game: ReportedGame, middles: np.ndarray, counts: np.ndarray, width: float, axis: Axes) -> None:
    colours = [SECOND_SEAT if x < 0 else FIRST_SEAT if x > 0 else NEUTRAL for x in middles]
    axis.bar(middles, counts / counts.sum(), width * 0.9, color=colours)
    axis.axvline(0, color=INK, lw=0.8)
    axis.set_xlabel(game.towards_first("ahead"))
    axis.set_ylabel("share of games")
    per_cent(axis, x=False)
