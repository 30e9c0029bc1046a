"""The whole rulebook in our own words, with the figures of a ruleset; `rulebook.md` has the text."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from channel_tunnel_env.faces.rulebook import read_sections
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.rule_table import BENEFITS
from channel_tunnel_env.games.tunnel_1987.rule_words import ability_sentence, agenda_effect, total_price, values_of
from channel_tunnel_env.games.tunnel_1987.words import in_number, points_words, rival_of, title
from channel_tunnel_env.outside.sentences import as_sentence, listed
from channel_tunnel_env.rulesets.ruleset import Ruleset

SOURCE = Path(__file__).with_name("rulebook.md")
AGENDA_SECTION = "agenda"


@lru_cache(maxsize=16)
def rulebook(ruleset: Ruleset) -> tuple[dict[str, Any], ...]:
    """The sections (see `faces.rulebook`)."""
    left_out = () if ruleset.data.agenda.enabled else (AGENDA_SECTION,)
    lists = {name: partial(items, ruleset) for name, items in LISTS.items()}
    return read_sections(SOURCE, values_of(ruleset), lists, left_out, in_number)


# --- lists ----------------------------------------------------------------------------------------


def _tracks(ruleset: Ruleset) -> list[str]:
    """Points and barriers of every track."""
    data = ruleset.data
    rows = []
    for side in c.SEATS:
        for track in "ab":
            points = getattr(getattr(data.track_points, side), track)
            prices = getattr(getattr(data.barriers, side), track)
            spaces = getattr(getattr(data.barrier_spaces, side), track)
            gates = [f"{price} M before space {at}" for price, at in zip(prices, spaces, strict=True)]
            gains = getattr(getattr(data.benefits, side), track)
            signs = [f"{BENEFITS[gains[at]].short} on space {at}" for at in sorted(gains)]
            rows.append(
                f"**{title(side)}, track {track.upper()}**: {', '.join(map(str, points))} points; "
                f"barriers: {', '.join(gates) or 'none'}; benefits: {', '.join(signs) or 'none'}."
            )
    return rows


def _abilities(ruleset: Ruleset) -> list[str]:
    """What each kind of card in the deck does."""
    kinds = {card.kind for card in ruleset.data.deck.cards}
    return [
        f"**{title(kind)}**: {ability_sentence(ruleset, kind)}"
        for kind in c.CARD_KINDS[c.FIRST_ABILITY :]
        if kind in kinds
    ]


def _agenda(ruleset: Ruleset) -> list[str]:
    points = ruleset.data.agenda.points
    return [
        f"**{title(kind)}**, {points_words(getattr(points, kind))}: {agenda_effect(ruleset, kind)}"
        for kind in c.AGENDA_KINDS
    ]


LISTS: dict[str, Callable[[Ruleset], list[str]]] = {"tracks": _tracks, "abilities": _abilities, "agenda": _agenda}


# --- in two lines ---------------------------------------------------------------------------------


def goal(ruleset: Ruleset) -> tuple[str, str]:
    """The goal of the game in two lines."""
    return (
        f"Dig your half of the tunnel: {ruleset.data.route.length} spaces from your coast to your flag.",
        "The first machine at its flag ends the game, and the side with more points wins.",
    )


def seat_words(ruleset: Ruleset, side: str) -> str:
    """What is special about a side, in a sentence or two."""
    data, rival = ruleset.data, rival_of(side)
    begins = side == c.SEATS[0]
    own, theirs = total_price(ruleset, side), total_price(ruleset, rival)
    traits = ["begins the first round"] if begins else []
    if own != theirs:
        traits.append(f"has {'cheaper' if own < theirs else 'dearer'} technology")
    room, other = getattr(data.storage, side), getattr(data.storage, rival)
    if room != other:
        traits.append(f"has {'more' if room > other else 'less'} storage")
    water, their_water = (getattr(data.deviation.water_draws, who) for who in (side, rival))
    if water != their_water:
        traits.append(f"{'fears' if water > their_water else 'does not fear'} water")
    return as_sentence(listed(traits) if traits else "is like its rival")
