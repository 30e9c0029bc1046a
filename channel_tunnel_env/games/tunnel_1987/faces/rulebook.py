"""The whole rulebook in our own words, with the figures of a ruleset; `rulebook.md` has the text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from channel_tunnel_env.faces.rulebook import read_sections
from channel_tunnel_env.games.tunnel_1987.board.rules_at_hand import AGENDA_TEXTS, ability
from channel_tunnel_env.games.tunnel_1987.board.words import points_words, rival_of, title
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.rule_words import head_start_words, total_price
from channel_tunnel_env.rulesets.ruleset import Ruleset

SOURCE = Path(__file__).with_name("rulebook.md")
AGENDA_SECTION = "agenda"
BENEFIT_WORDS = {"peek": "a look", "extra_disc": "an extra disc", "storage": "a storage space"}


@lru_cache(maxsize=16)
def rulebook(ruleset: Ruleset) -> tuple[dict[str, Any], ...]:
    """The sections (see `faces.rulebook`)."""
    left_out = () if ruleset.data.agenda.enabled else (AGENDA_SECTION,)
    lists = {name: partial(items, ruleset) for name, items in LISTS.items()}
    return read_sections(SOURCE, figures(ruleset), lists, left_out)


# --- figures --------------------------------------------------------------------------------------


def figures(ruleset: Ruleset) -> dict[str, str]:
    """Every `{name}` of the text for a ruleset."""
    data = ruleset.data
    scoring = data.scoring
    return {
        "route": str(data.route.length),
        "limit": str(-data.deviation.limit),
        "discs": str(5 * data.discs.per_colour),
        "per_colour": str(data.discs.per_colour),
        "cards": str(data.deck.size),
        "deviation_cards": str(len(data.deviation.cards)),
        "drifts": _between(ruleset),
        "keep": "."
        if data.discs.keep_limit is None
        else f", at most {data.discs.keep_limit} in all.",
        "hand": str(data.discs.hand),
        "head_start": " ".join(head_start_words(ruleset)),
        "penalties": ", ".join(map(str, data.deviation.penalties)),
        "empty_rounds": str(data.limits.max_empty_rounds),
        "max_rounds": str(data.limits.max_rounds),
        "centre": points_words(scoring.centre_bonus),
        "per_token": str(scoring.centre_per_rival_token),
        "duel": points_words(scoring.political_duel),
        "speech": points_words(scoring.european_speech),
        "speech_per": str(scoring.european_speech_per),
        "media": points_words(scoring.media_relations),
        "topography": ", ".join(map(str, scoring.topographical_analysis)),
        **{f"storage_{side}": str(getattr(data.storage, side)) for side in c.SEATS},
        **{f"water_{side}": _draws(getattr(data.deviation.water_draws, side)) for side in c.SEATS},
        **_switches(ruleset),
    }


def _between(ruleset: Ruleset) -> str:
    """The smallest and the largest number on a deviation card."""
    levels = sorted({int(re.search(r"\d+$", card)[0]) for card in ruleset.data.deviation.cards})  # type: ignore[index]
    return f"{levels[0]} to {levels[-1]}" if len(levels) > 1 else str(levels[0])


def _draws(number: int) -> str:
    return "no card" if number == 0 else f"{number} card" + "s" * (number > 1)


def _switches(ruleset: Ruleset) -> dict[str, str]:
    """Sentences that depend on a switch."""
    switches = ruleset.data.switches
    first = switches.first_player_card == "first_to_pass"
    return {
        "first_player": f"The {'first' if first else 'last'} to pass takes this card.",
        "null_actions": "The action may be without effect; only Tunnel must be possible."
        if switches.null_actions
        else "The action must be possible: you cannot place a stack for nothing.",
        "no_move": {
            "never": "If no counter can move, Technology is not possible, and money cannot lower "
            "your deviation.",
            "when_blocked": "If no counter can move, you may still spend money to lower your deviation.",
        }.get(
            str(switches.technology_without_move),
            "You may also leave both counters where they are and only lower your deviation.",
        ),
        "machinery": "Heavy machinery allows any of the five actions."
        if switches.heavy_machinery_same_type
        else "Heavy machinery allows any of the five actions but the one just taken.",
        "same_action": "A card may work with the very action that built it."
        if switches.new_card_usable_same_action
        else "A card does not work with the action that built it.",
        "final_check": "This is done on the last space, too."
        if switches.final_tunnel_deviation_check
        else "On the last space no card is drawn.",
        "stalemate": "Points are counted without a bonus for the centre."
        if switches.stalemate_result == "score"
        else "This is a draw.",
    }


# --- lists ----------------------------------------------------------------------------------------


def _tracks(ruleset: Ruleset) -> list[str]:
    """Points and barriers of every track, equal ones once."""
    data = ruleset.data
    rows = []
    for side in c.SEATS:
        for track in "ab":
            points = getattr(getattr(data.track_points, side), track)
            prices = getattr(getattr(data.barriers, side), track)
            spaces = getattr(getattr(data.barrier_spaces, side), track)
            gates = [
                f"{price} M before space {at}" for price, at in zip(prices, spaces, strict=True)
            ]
            gains = getattr(getattr(data.benefits, side), track)
            signs = [f"{BENEFIT_WORDS[gains[at]]} on space {at}" for at in sorted(gains)]
            rows.append(
                f"**{title(side)}, track {track.upper()}**: {', '.join(map(str, points))} points; "
                f"barriers: {', '.join(gates) or 'none'}; benefits: {', '.join(signs) or 'none'}."
            )
    return rows


def _abilities(ruleset: Ruleset) -> list[str]:
    """What each kind of card in the deck does."""
    kinds = dict.fromkeys(card.kind for card in ruleset.data.deck.cards)
    return [
        f"**{title(kind)}**: {ability(ruleset, kind)}"
        for kind in c.CARD_KINDS[c.FIRST_ABILITY :]
        if kind in kinds
    ]


def _agenda(ruleset: Ruleset) -> list[str]:
    soft = ruleset.data.switches.supervision_mode == "soft"
    unless = ", as long as you can lay one" if soft else ""
    points = ruleset.data.agenda.points
    return [
        f"**{title(kind)}**, {points_words(getattr(points, kind))}: "
        f"{AGENDA_TEXTS[kind].format(unless=unless, price=c.PROMOTION_PRICE)}"
        for kind in c.AGENDA_KINDS
    ]


LISTS: dict[str, Callable[[Ruleset], list[str]]] = {
    "tracks": _tracks,
    "abilities": _abilities,
    "agenda": _agenda,
}


# --- in two lines ---------------------------------------------------------------------------------


def goal(ruleset: Ruleset) -> tuple[str, str]:
    """The goal of the game in two lines."""
    return (
        f"Dig your half of the tunnel: {ruleset.data.route.length} spaces from your coast to your "
        "flag.",
        "The first machine at its flag ends the game, and the side with more points wins.",
    )


def side_words(ruleset: Ruleset, side: str) -> str:
    """What is special about a side, in a sentence or two."""
    data, rival = ruleset.data, rival_of(side)
    begins = side == c.SEATS[0]
    own, theirs = (total_price(getattr(data.barriers, who)) for who in (side, rival))
    traits = ["begins the first round"] if begins else []
    if own != theirs:
        traits.append(f"has {'cheaper' if own < theirs else 'dearer'} technology")
    room, other = getattr(data.storage, side), getattr(data.storage, rival)
    if room != other:
        traits.append(f"has {'more' if room > other else 'less'} storage")
    water, their_water = (getattr(data.deviation.water_draws, who) for who in (side, rival))
    if water != their_water:
        traits.append(f"{'fears' if water > their_water else 'does not fear'} water")
    words = (
        ", ".join(traits[:-1]) + " and " * (len(traits) > 1) + traits[-1]
        if traits
        else "is like its rival"
    )
    return f"{words[0].upper()}{words[1:]}."
