"""Cards: seen, taken, used, and what they are worth."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.measuring.significance import LEVEL, how_sure, is_significant
from channel_tunnel_agents.balance.report.drawing import INK, MUTED, ROW, STRESS, draw, forest, percentage_points
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.measurements import Advance, Job, Measurement
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, count, mean, of_dict, share
from channel_tunnel_agents.balance.report.page import Cell, Chart, Data, Item, Row, Shown, Table, Words
from channel_tunnel_agents.games.tunnel_1987.card_effects import ARMS, GIVEN, measure_card_effects
from channel_tunnel_agents.games.tunnel_1987.report.names import ABILITIES, SIDE_NAMES, card_names
from channel_tunnel_env.games.tunnel_1987.words import title
from channel_tunnel_env.outside.sentences import listed
from channel_tunnel_env.outside.terminal import percent

BY_SIDE = {"britain": "given to Britain", "france": "given to France"}
RARELY, ALWAYS = 0.05, 0.95  # share of the games in which a card is seen
KNOWN = Path(__file__).parent / "known"  # `benchmarks/known_measures.py` writes it
CARD_PART = 5  # of the deals


def _card_effects(by_side: Callable[[Job], bool]) -> Measurement:
    """The worth of each card, on request also to each side."""

    def plan(job: Job) -> dict[str, Any]:
        own = {"deals": job.settings.share_of_deals(CARD_PART), "by_deal": True}
        return own if by_side(job) else own | {"by_side": False}

    def games(job: Job) -> int:
        arms = len(ARMS if by_side(job) else GIVEN)
        return job.settings.share_of_deals(CARD_PART) * len(job.ruleset.card_keys) * arms

    def run(job: Job, advance: Advance) -> Any:
        deals = job.settings.share_of_deals(CARD_PART)
        return measure_card_effects(job.agent, job.ruleset, deals, job.seed, job.workers, advance, by_side=by_side(job))

    return Measurement("card_effects", "cards", plan, games, run, known=KNOWN)


CARD_EFFECTS = _card_effects(lambda job: not job.settings.quick)
EFFECTS_IN_BASE = _card_effects(lambda job: False)
"""Only what a card is worth to both sides stands beside the report's own."""


def cards(evidence: Evidence) -> Shown:
    """What happens to every card, and the difference it makes when it is given or withheld."""
    own = evidence.own_games(evidence.agent)
    if len(own) < FEWEST:
        return f"{len(own)} deals are too few for a claim"
    seen = _seen(evidence)
    effects = evidence.measures.get("card_effects")
    by_key = {} if effects is None else {row["key"]: row for row in effects["cards"]}
    items: list[Item] = []
    lead = [_never_and_always(evidence, seen)]
    if effects is None or effects["deals"] < FEWEST:
        why = evidence.why_missing("card_effects") if effects is None else f"{effects['deals']} deals are too few."
        items.append(Words((why,), "What a card is worth"))
    else:
        lead.insert(0, _effect_words(evidence, effects))
        items.append(_effects(evidence, effects))
    items += [*_abilities(evidence, own), _table(evidence, seen, by_key)]
    return lead, items


def _effect_words(evidence: Evidence, effects: dict[str, Any]) -> str:
    names = card_names(evidence.ruleset)
    sure = [row for row in effects["cards"] if is_significant(row["p_holm"])]
    if not sure:
        return "No card's effect stands out from chance yet."
    best = sorted(sure, key=lambda row: -row["both"]["value"])
    top = [f"{names[r['key']]} ({_both(r)})" for r in best[:3] if r["both"]["value"] > 0]
    bad = [f"{names[r['key']]} ({_both(r)})" for r in best[::-1][:3] if r["both"]["value"] < 0]
    text = f"Most powerful for the side that is given it: {listed(top)}." if top else ""
    return text + (f" Harmful: {listed(bad)}." if bad else "")


def _both(row: dict[str, Any]) -> Number:
    return of_dict(row["both"], row["n"], "change")


def _effects(evidence: Evidence, effects: dict[str, Any]) -> Chart:
    names = card_names(evidence.ruleset)
    ranked = sorted(effects["cards"], key=lambda row: -row["both"]["value"])
    apart = {side: words for side, words in BY_SIDE.items() if ranked[0][side] is not None}
    columns = ("card", "kind", "both sides", *apart.values(), "victory points", "how sure?", "p (Holm)")
    beside = "to the other side; half the difference is what it is worth to either"
    rows = tuple(
        (
            names[row["key"]],
            title(row["kind"]),
            *(of_dict(row[side], row["n"], "change") for side in ("both", *apart)),
            of_dict(row["margin"], row["n"], "signed"),
            how_sure(row["p_holm"], _both(row)),
            row["p_holm"],
        )
        for row in ranked
    )
    colours = [STRESS if is_significant(row["p_holm"]) else MUTED for row in ranked]
    return Chart(
        "card-effects",
        "What a card is worth: chance of winning with it, less without it",
        draw("effects", partial(_paint, rows, colours), 0.7 + ROW * len(rows)),
        Data(columns, rows),
        f"The same deals with the card given to a side at the start, and {'with the card out of the game' if apart else beside}; "
        f"{effects['agent']} plays both sides. It is the card's own doing, without its cost in turns and "
        f"rubble. In colour: significant even with this many cards ({LEVEL}). n "
        f"{count(effects['deals'])} deals per card.",
        "Effect of each card on the chance of winning",
    )


def _paint(rows: tuple[tuple[Any, ...], ...], colours: list[str], axis: Axes) -> None:
    axis.axvline(0, color=INK, lw=0.8)
    forest(axis, [row[0] for row in rows], [row[2] for row in rows], colours)
    percentage_points(axis)


def _seen(evidence: Evidence) -> pd.DataFrame:
    """Cards that were shown, with their holder's points minus that side's average."""
    table = evidence.own_table("cards").copy()
    usual = float(evidence.own_games(evidence.agent)["britain_points"].mean())
    holder = table["developed_by"]
    gain = np.where(holder == "britain", table["britain_points"] - usual, np.nan)
    table["gain"] = np.where(holder == "france", usual - table["britain_points"], gain)
    return table


def _never_and_always(evidence: Evidence, seen: pd.DataFrame) -> str:
    names = card_names(evidence.ruleset)
    grouped = seen.groupby("card", observed=True)
    taken = grouped["developed_by"].agg(lambda by: by.notna().mean())
    counts = grouped.size()
    claims = taken[counts >= FEWEST]
    rare = [names[str(key)] for key in claims.index[claims < RARELY]]
    often = [names[str(key)] for key in claims.index[claims > ALWAYS]]
    unseen = [names[key] for key in evidence.ruleset.card_keys if key not in counts.index]
    parts = [
        f"developed in fewer than {percent(RARELY, 0)} of the games that show them: {listed(rare) if rare else 'none'}",
        f"in more than {percent(ALWAYS, 0)}: {listed(often) if often else 'none'}",
    ]
    if unseen:
        parts.append(f"never seen: {listed(unseen)}")
    return f"Cards of {evidence.agent} against itself, {'; '.join(parts)}."


def _table(evidence: Evidence, seen: pd.DataFrame, effects: dict[str, Any]) -> Table:
    names, games = card_names(evidence.ruleset), len(evidence.own_games(evidence.agent))
    by_card = {str(key): rows for key, rows in seen.groupby("card", observed=True)}
    rows = []
    for key in evidence.ruleset.card_keys:
        mine = by_card.get(key, seen.iloc[:0])
        effect = effects.get(key)
        worth: Cell = _both(effect) if effect else None
        is_seen = np.repeat([1.0, 0.0], [len(mine), games - len(mine)])
        rows.append((names[key], share(is_seen), *_fate(mine), worth))
    columns = (
        "card",
        "seen",
        "developed, if seen",
        "by Britain",
        "by France",
        "in round",
        "taken as money, if seen",
        "holder wins more by",
        "worth (given, not taken)",
    )
    return Table(
        "cards",
        f"Every card ({evidence.agent} against itself)",
        Data(columns, tuple(rows)),
        "'Holder wins more by': wins of the sides that developed it, less what that side usually wins; "
        "good cards and good positions mix in it. 'Worth' is the card's own doing, from the chart above.",
    )


def _fate(mine: pd.DataFrame) -> tuple[Number, ...]:
    """How often developed, by which side, when, taken as money, and the holder's gain."""
    developed = mine["developed_by"].notna()
    sides = [share(mine["developed_by"] == side) for side in SIDE_NAMES]
    financed = (mine["financed_britain"] + mine["financed_france"]) > 0
    rounds = mine.loc[developed, "developed_round"]
    gain = mine.loc[developed, "gain"]
    return share(developed), *sides, mean(rounds), share(financed), mean(gain, "change")


def _abilities(evidence: Evidence, own: pd.DataFrame) -> list[Table]:
    """How often an ability is used in the games in which a side holds it."""
    rows: list[Row] = []
    kinds = {card.kind for card in evidence.ruleset.data.deck.cards}
    for kind in ABILITIES:
        if kind not in kinds:
            continue
        uses = [own[f"used_{kind}_{side}"] for side in SIDE_NAMES]
        rows.append((title(kind), *(mean(u) for u in uses), share((uses[0] + uses[1]) > 0)))
    if not rows:
        return []
    columns = ("ability", "uses per game, Britain", "uses per game, France", "games in which it is used")
    return [Table("abilities", "Abilities used", Data(columns, tuple(rows)))]
