"""A ruleset of 1987 Channel Tunnel in a few sentences."""

from __future__ import annotations

from typing import Any

from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.rulesets.ruleset import Ruleset

HEAD_START_WORDS = {
    "allowance": "{n} to the discs that it draws up to",
    "first_discs": "{n} to those of round 1",
    "money_cards": "{n} cards dealt as money at the start",
    "points": "{n} to its points at the end",
}


def in_words(ruleset: Ruleset) -> list[str]:
    """The ruleset in a few sentences."""
    data = ruleset.data
    limit, length = data.deviation.limit, data.route.length
    costs = [card.cost for card in data.deck.cards]
    switches = data.switches
    sentences = [
        f"Each side bores {length} spaces to the centre; reaching it first ends the game and brings "
        f"{data.scoring.centre_bonus} points, and {data.scoring.centre_per_rival_token} for every token "
        "left in front of the rival.",
        f"Players draw up to {data.discs.hand} of {5 * data.discs.per_colour} discs; technology adds to "
        "that.",
        *head_start_words(ruleset),
        f"A deviation beyond -{limit} loses at once. Water (blue rubble) draws "
        f"{data.deviation.water_draws.britain} cards for Britain and "
        f"{data.deviation.water_draws.france} for France, other rubble one.",
        f"Storage: Britain {data.storage.britain}, France {data.storage.france} spaces at the start.",
        f"Barriers cost Britain {total_price(data.barriers.britain)} M in all, France "
        f"{total_price(data.barriers.france)} M.",
        f"The deck has {data.deck.size} cards, {data.deck.influence_cards} of them European influence. "
        f"Cards by cost: {costs.count('free')} free, {costs.count('discard1')} for a token discarded, "
        f"{costs.count('place1')} for one placed, {costs.count('place1or2')} for one or two placed.",
        f"The Agenda expansion is {'on' if data.agenda.enabled else 'off'}.",
        f"The first-player card goes to the {switches.first_player_card.split('_')[0]} player to pass.",
        f"A game is stopped after {data.limits.max_empty_rounds} rounds without a placement or "
        f"{data.limits.max_rounds} rounds, and then "
        + ("scored as it is." if switches.stalemate_result == "score" else "drawn."),
    ]
    return [f"- {sentence}" for sentence in sentences]


def head_start_words(ruleset: Ruleset) -> list[str]:
    """A sentence for each country that has more or less than the rules give it."""
    found = []
    for side in c.SEATS:
        parts = []
        for key, what in HEAD_START_WORDS.items():
            value = getattr(getattr(ruleset.data.head_start, key), side)
            if value:
                parts.append(what.format(n=f"{value:+d}"))
        if parts:
            found.append(f"Head start of {side.title()}: {', '.join(parts)}.")
    return found


def total_price(tracks: Any) -> int:
    """Millions for all barriers of a side."""
    return int(sum(tracks.a) + sum(tracks.b))
