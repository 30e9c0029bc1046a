"""Luck against skill."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.measuring.variance import LEAST_DEALS_OF_SHARES
from channel_tunnel_agents.balance.report.drawing import (
    INK,
    MUTED,
    NEUTRAL,
    STRESS,
    draw,
    forest,
    legend_above,
    per_cent,
)
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, count, of_dict
from channel_tunnel_agents.balance.report.page import Chart, Data, Item, PageSection, Table, Words

PARTS = {
    "skill": "who plays whom",
    "deal": "the deal itself, no matter who plays it",
    "side": "the {place}",
    "rest": "luck within a deal and how the players met it",
}
EVEN = 0.5
ORDINALS = ("first", "second", "third", "last")  # quarters


def luck(evidence: Evidence) -> PageSection:
    """Where results come from, and which luck matters."""
    items: list[Item] = []
    lead: list[str] = []
    for name, write in (("variance", _variance), ("luck", _streams), ("deck_luck", _deck)):
        found = evidence.measures.get(name)
        if found is None and name not in evidence.missing:
            continue  # the game has no such measurement
        if found is None:
            items.append(Words((evidence.why_missing(name),), _NAMES[name]))
        else:
            lines, new = write(evidence, found)
            lead += lines
            items += new
    return PageSection("luck", evidence.game.sections["luck"], tuple(lead), tuple(items))


_NAMES = {"variance": "Where results come from", "luck": "Luck by source", "deck_luck": "Luck by part of the deck"}
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
        "What decides a game, over all agents that play from sight",
        Data(("source", "share of the variance"), rows),
        "Shares add up to 100 %. 'The deal itself' is what all pairings of one deal share: with a "
        "large share luck would decide no matter who plays." + _few(found["shares"]["skill"]["n"]),
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
    who = f"Between two copies of {found['agent']} "
    lead = [who + "no source of luck is shown to decide games by itself; each works through the others."]
    if largest[1].low > 0:
        lead = [
            f"{who}the source of luck that decides most by itself: {largest[0]}, {largest[1]} of the "
            "variance of results."
        ]
    chart = Chart(
        "streams",
        f"Which luck decides ({found['agent']} against itself)",
        draw("streams", partial(_paint_streams, rows), 1.0 + 0.42 * len(rows)),
        Data(("source of luck", "by itself", "together with the rest"), rows),
        "Found by dealing one source again while all others stay. Filled: what it decides by itself, "
        "which is what evening it out would take away. Hollow: what changes when only it changes; near "
        "100 % everywhere means that games branch early, not that each source decides. n "
        f"{count(found['deals'])} pairs of deals.",
        "Shares of variance by source of luck",
    )
    return lead, [chart]


def _paint_streams(rows: tuple[tuple[str, Number, Number], ...], axis: Axes) -> None:
    places = np.arange(len(rows))[::-1]
    labels = ("by itself", "together with the rest")
    looks = ((STRESS, STRESS, 0.14), (MUTED, "none", -0.14))
    for k, (colour, fill, shift) in enumerate(looks):
        for place, row in zip(places, rows, strict=True):
            number = row[1 + k]
            assert isinstance(number, Number)
            y = place + shift
            label = labels[k] if place == places[0] else None
            axis.plot([number.low, number.high], [y, y], color=colour, lw=1.4)
            axis.plot([number.value], [y], "o", ms=5, color=colour, mfc=fill, label=label, ls="none")
    axis.axvline(0, color=MUTED, lw=0.8)
    axis.set_yticks(places, [row[0] for row in rows])
    axis.tick_params(axis="y", length=0)
    axis.grid(axis="x")
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
    lead = (
        f"Luck has one source here, {deck}: between two copies of {found['agent']} it decides {_all_but(agents)}. "
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


def _all_but(agents: Number) -> str:
    """What the deck decides, where the agents' own choices by chance have this share."""
    if agents.value == 0:
        return "everything, because neither chooses by chance"
    return f"all but {agents} of the variance of results, which the players' own choices by chance do"


def _paint_deck(rows: tuple[tuple[str, Number, Number], ...], axis: Axes) -> None:
    forest(axis, [row[0] for row in rows], [row[1] for row in rows])
    axis.axvline(0, color=MUTED, lw=0.8)
    per_cent(axis)
