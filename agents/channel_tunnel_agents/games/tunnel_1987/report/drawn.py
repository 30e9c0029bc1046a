"""The boards and the cards as a player sees them, with what they are worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from channel_tunnel_agents.balance.measuring.significance import LEVEL, holm, how_sure, paired_p
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, of_dict, of_estimate
from channel_tunnel_agents.balance.report.page import Data, Drawing, Gallery, PageSection, Row
from channel_tunnel_agents.games.tunnel_1987.report.names import SIDE_NAMES
from channel_tunnel_agents.statistics import estimate_change
from channel_tunnel_env.games.tunnel_1987.board.excerpt import card_svg, country_svg
from channel_tunnel_env.games.tunnel_1987.board.view import printed_cards
from channel_tunnel_env.games.tunnel_1987.game import Game

SHOWN = 6  # cards
WEAKEST = 2  # of them
OF_A_TRACK = ("track_points", "barrier_spaces", "barriers", "benefits")
COLUMNS = ("card", "worth here", "worth in the base", "change", "p (Holm)")


def drawn(evidence: Evidence) -> PageSection:
    """Both countries' boards, changes framed; the cards that matter most."""
    return PageSection("drawn", "On the table", (), (_boards(evidence), *_cards(evidence)))


# --- boards ---------------------------------------------------------------------------------------


def _boards(evidence: Evidence) -> Gallery:
    game = Game(evidence.ruleset, seed=evidence.settings.seed)
    frames = set(_changed_places(evidence))
    drawings = tuple(Drawing(country_svg(game, side, frames), SIDE_NAMES[side], wide=True) for side in SIDE_NAMES)
    reading = "Framed: what the ruleset changes." if frames else ""
    return Gallery("boards", "The boards at the start of a game", drawings, reading=reading)


def _changed_places(evidence: Evidence) -> Iterator[str]:
    """The names of the board's places whose figures are not the base's."""
    if evidence.base is None:
        return
    old, new = evidence.base.ruleset.flat, evidence.ruleset.flat
    for key in {*old, *new}:
        if old.get(key) == new.get(key):
            continue
        section, *rest = key.split(".")
        if section in OF_A_TRACK:
            yield f"track:{rest[0]}:{rest[1]}"
        elif section == "storage":
            yield f"storage:{rest[0]}"
        elif section == "deviation" and rest[0] in ("limit", "penalties"):
            yield from (f"deviation:{side}" for side in SIDE_NAMES)


# --- cards ----------------------------------------------------------------------------------------


def _cards(evidence: Evidence) -> list[Gallery]:
    worth = _worth(evidence)
    keys = _chosen(evidence, worth)
    if not keys:
        return []
    cards = {card.key: card for card in printed_cards(evidence.ruleset)}
    drawings = tuple(Drawing(card_svg(cards[key]), cards[key].name, _lines(evidence, worth.get(key))) for key in keys)
    rows: tuple[Row, ...] = tuple((cards[key].name, *row) for key, row in worth.items())
    data = Data(COLUMNS, rows) if rows else None
    return [Gallery("cards-drawn", "Cards", drawings, data, _reading(evidence, rows))]


def _reading(evidence: Evidence, rows: tuple[Row, ...]) -> str:
    if not rows:
        return "What a card is worth: " + evidence.why_missing("card_effects") + "."
    base = evidence.base
    text = (
        "Changed cards first, then the most and the least useful. Worth: how much more often a side wins "
        f"that has the card from the start, free of charge ({evidence.agent} plays both sides)."
    )
    if base is None or "card_effects" not in base.measured:
        return text
    return f"{text} Changes are taken deal by deal and tested over all cards ({LEVEL})."


WorthOfCard = tuple[Number, Number | None, Number | None, float | None]
Worth = dict[str, WorthOfCard]


def _worth(evidence: Evidence) -> Worth:
    """Card -> its worth here and in the base, the change and its corrected p-value."""
    here = _effects(evidence.measures.get("card_effects"))
    there = _effects(evidence.base.measured.get("card_effects") if evidence.base else None)
    shared = [key for key in here if key in there]
    changes = {key: np.subtract(here[key]["by_deal"], there[key]["by_deal"])[: here[key]["n"]] for key in shared}
    corrected = dict(zip(shared, holm([paired_p(changes[key]) for key in shared]), strict=True))
    found: Worth = {}
    for key, row in here.items():
        was = change = p = None
        if key in there:
            was = of_dict(there[key]["both"], there[key]["n"], "change")
            change = of_estimate(estimate_change(changes[key]), row["n"], "change")
            p = float(corrected[key])
        found[key] = (of_dict(row["both"], row["n"], "change"), was, change, p)
    return found


def _effects(found: dict[str, Any] | None) -> dict[str, dict[str, Any]]:
    if found is None or found["deals"] < FEWEST:
        return {}
    return {row["key"]: row for row in found["cards"]}


def _chosen(evidence: Evidence, worth: Worth) -> list[str]:
    """Cards that the ruleset changes, then those worth most and least."""
    changed = _changed_cards(evidence)[:SHOWN]
    ranked = sorted((key for key in worth if key not in changed), key=lambda key: -worth[key][0].value)
    room = SHOWN - len(changed)
    weakest = min(WEAKEST, room // 2)
    best = ranked[: room - weakest]
    return [*changed, *best, *[key for key in ranked[::-1] if key not in best][:weakest]]


def _changed_cards(evidence: Evidence) -> list[str]:
    if evidence.base is None:
        return []
    old = {card.card: card for card in evidence.base.ruleset.data.deck.cards}
    return [card.card for card in evidence.ruleset.data.deck.cards if old.get(card.card) != card]


def _lines(evidence: Evidence, worth: WorthOfCard | None) -> tuple[str, ...]:
    """Such as "+38.0 pp [34.0, 42.0], was +16.0 pp"."""
    if worth is None:
        return ()
    here, was, change, p = worth
    lines = [f"worth {here}"]
    if was is not None and change is not None and evidence.base is not None:
        lines.append(f"was {was.text} in {evidence.base.title}")
        lines.append(f"change {change}, {how_sure(p, change)}")
    return tuple(lines)
