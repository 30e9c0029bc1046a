"""Luck against skill, measured and shown."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.measuring.luck import GAMES, games_of_luck, measure_deck_luck, measure_luck
from channel_tunnel_agents.balance.measuring.seats import EVEN
from channel_tunnel_agents.balance.measuring.variance import LEAST_DEALS_OF_SHARES, of_seats, variance_shares
from channel_tunnel_agents.balance.report.drawing import (
    INK,
    MUTED,
    NEUTRAL,
    STRESS,
    draw,
    forest,
    legend_above,
    name_rows,
    per_cent,
)
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.measurements import Advance, Job, Measurement, on_own_deals
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, count, of_dict
from channel_tunnel_agents.balance.report.page import Chart, Data, Item, Shown, Table, Words
from channel_tunnel_agents.balance.report.settings import slow_agents
from channel_tunnel_agents.matches.tournament import Results

PARTS = {
    "skill": "who plays whom",
    "deal": "the deal itself, no matter who plays it",
    "side": "the {place}",
    "rest": "luck within a deal and how the players met it",
}
ORDINALS = ("first", "second", "third", "last")  # quarters
PART = 4  # of the deals
VARIANCE_DEALS = 2000


# --- measured ---


def _measure_variance(job: Job, advance: Advance) -> Any:
    shares = variance_shares(even_games(job.results))
    means = np.asarray(shares.deal_means)
    counts, edges = np.histogram(means, bins=10, range=(0.0, 1.0))
    return {"shares": shares, "deals_by_first": counts, "edges": edges}


def even_games(results: Results) -> pd.DataFrame:
    """Games of the deals that every pairing of the agents that are not slow has played."""
    slow = slow_agents(results)
    names = [name for name in results.tournament.agents if name not in slow]
    games = of_seats(results.games, results.seats)
    chosen = games[games["first"].isin(names) & games["second"].isin(names)]
    deals = chosen.groupby(["first", "second"])["deal"].max().min()
    return chosen[chosen["deal"] <= min(deals, VARIANCE_DEALS - 1)]


VARIANCE = Measurement(
    "variance", "luck", lambda job: {"plan": asdict(job.results.tournament)}, lambda job: 0, _measure_variance
)
LUCK = on_own_deals(
    "luck", "luck", measure_luck, lambda job: job.settings.share_of_deals(PART), lambda job: games_of_luck(job.ruleset)
)
DECK_LUCK = on_own_deals("deck_luck", "luck", measure_deck_luck, lambda job: job.deals_of(PART), lambda job: GAMES)


# --- shown ---


def luck(evidence: Evidence) -> Shown:
    """Where results come from, and which luck matters."""
    items: list[Item] = []
    lead: list[str] = []
    measured = {
        "variance": ("Where results come from", _variance),
        "luck": ("Luck by source", _streams),
        "deck_luck": ("Luck by part of the deck", _deck),
    }
    for name, (title, write) in measured.items():
        if name in evidence.measures:
            lines, new = write(evidence, evidence.measures[name])
            lead += lines
            items += new
        elif name in evidence.missing:  # otherwise the game has no such measurement
            items.append(Words((evidence.why_missing(name),), title))
    return lead, items


Part = tuple[list[str], list[Item]]


def _few(deals: int) -> str:
    few = f" With {deals:,} deals these intervals are a little too narrow: {LEAST_DEALS_OF_SHARES} are needed."
    return few if deals < LEAST_DEALS_OF_SHARES else ""


def _variance(evidence: Evidence, found: dict[str, Any]) -> Part:
    rows = tuple(
        (text.format(place=evidence.game.place), of_dict(found["shares"][key], style="share"))
        for key, text in PARTS.items()
    )
    table = Table(
        "variance",
        "What decides a game, over all agents that do not search",
        Data(("source", "share of the variance"), rows),
        "Shares add up to 100 %. 'The deal itself' is what all pairings of one deal share: with a "
        "large share luck would decide no matter who plays."
        + (" Below 0 %: what helps one pairing on a deal harms another." if rows[1][1].high < 0 else "")
        + _few(found["shares"]["skill"]["n"]),
    )
    first = evidence.game.first
    counts, edges = np.asarray(found["deals_by_first"]), np.asarray(found["edges"])
    data = tuple((float(a), float(b), int(n)) for a, b, n in zip(edges, edges[1:], counts))  # noqa: B905
    if counts.sum() < FEWEST:
        return [], [table]
    chart = Chart(
        "deals",
        "How even the deals are",
        draw("deals", partial(_paint_deals, first, counts, edges), 2.3),
        Data((f"{evidence.game.at_first}'s points from", "to", "deals"), data),
        f"Each of {count(int(counts.sum()))} deals is played by every pairing; across: the share that "
        f"{first} wins. Deals at the edges are won by one {evidence.game.place} no matter who plays.",
        f"Histogram of {first}'s share by deal",
    )
    return [], [table, chart]


def _paint_deals(first: str, counts: np.ndarray, edges: np.ndarray, axis: Axes) -> None:
    axis.bar(edges[:-1], counts / counts.sum(), np.diff(edges) * 0.92, align="edge", color=NEUTRAL)
    axis.axvline(EVEN, color=INK, lw=0.8)
    axis.set_xlabel(f"share of a deal's games that {first} wins")
    per_cent(axis)
    per_cent(axis, x=False)


def _streams(evidence: Evidence, found: dict[str, Any]) -> Part:
    sources = found["points"]["sources"]
    if found["deals"] < FEWEST:
        return [f"Luck by source cannot be estimated: {found['deals']} deals are too few."], []
    rows = tuple(
        (
            evidence.game.streams[source["name"]],
            of_dict(source["alone"], style="share"),
            of_dict(source["total"], style="share"),
        )
        for source in sources
    )
    largest = max(rows, key=lambda row: row[1].value)
    told = "no source of luck is shown to decide games by itself; each works through the others."
    if largest[1].low > 0:
        told = f"the source of luck that decides most by itself: {largest[0]}, {largest[1]} of the variance of results."
    chart = Chart(
        "streams",
        f"Which luck decides ({found['agent']} against itself)",
        draw("streams", partial(_paint_streams, rows), 1.0 + 0.42 * len(rows)),
        Data(("source of luck", "by itself", "together with the rest"), rows),
        "Found by redrawing one source of luck and keeping the rest. Filled: what it decides by itself, "
        "which is what evening it out would take away. Hollow: what changes when only it changes; near "
        "100 % everywhere means that games branch early, not that each source decides. n "
        f"{count(found['deals'])} pairs of deals.",
        "Shares of variance by source of luck",
    )
    return [f"Between two copies of {found['agent']} {told}"], [chart]


def _paint_streams(rows: tuple[tuple[str, Number, Number], ...], axis: Axes) -> None:
    places = np.arange(len(rows))[::-1]
    names, *numbers = zip(*rows, strict=True)
    looks = (("by itself", STRESS, STRESS, 0.14), ("together with the rest", MUTED, "none", -0.14))
    for own, (words, colour, fill, shift) in zip(numbers, looks, strict=True):
        for place, number in zip(places, own, strict=True):
            y, label = place + shift, words if place == places[0] else None
            axis.plot([number.low, number.high], [y, y], color=colour, lw=1.4)
            axis.plot([number.value], [y], "o", ms=5, color=colour, mfc=fill, label=label, ls="none")
    axis.axvline(0, color=MUTED, lw=0.8)
    name_rows(axis, places, names)
    per_cent(axis)
    legend_above(axis)


def _deck(evidence: Evidence, found: dict[str, Any]) -> Part:
    """When the deck decides, where it is the only source of luck."""
    if found["deals"] < FEWEST:
        return [f"Luck of the deck cannot be estimated: {found['deals']} deals are too few."], []
    deck = evidence.game.streams["deck"]
    parts = found["points"]["parts"]
    names = [f"{ORDINALS[k]} quarter" for k in range(len(parts))]
    rows = tuple(
        (name, of_dict(part["share"], style="share"), of_dict(part["by_then"], style="share"))
        for name, part in zip(names, parts, strict=True)
    )
    agents = of_dict(found["points"]["agents"], style="share")
    decided = f"all but {agents} of the variance of results, which the players' own choices by chance do"
    if agents.value == 0:
        decided = "everything, because neither chooses by chance"
    lead = (
        f"Luck has one source here, {deck}: between two copies of {found['agent']} it decides {decided}. "
        f"{rows[-1][1]} of the variance of results is open until the last quarter is drawn."
    )
    chart = Chart(
        "deck",
        f"Which part of the deck decides ({found['agent']} against itself)",
        draw("deck", partial(_paint_deck, rows), 1.0 + 0.42 * len(rows)),
        Data(("part of the deck", "its tiles settle", "settled by then"), rows),
        "Found by putting the tiles behind a quarter into a new order while all before stay. A quarter's share is "
        "what its tiles settle of the variance of results once the earlier ones are known; the shares and that of the "
        "players' own choices add up to 100 %. Large late shares mean that games stay open. n "
        f"{count(found['deals'])} pairs of decks." + _few(found["deals"]),
        "Shares of variance by quarter of the deck",
    )
    return [lead], [chart]


def _paint_deck(rows: tuple[tuple[str, Number, Number], ...], axis: Axes) -> None:
    forest(axis, [row[0] for row in rows], [row[1] for row in rows])
    axis.axvline(0, color=MUTED, lw=0.8)
    per_cent(axis)
