"""A ruleset in words: sentences, its values one by one with their sources, and what differs between two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from channel_tunnel_env.games.tunnel_1987.engine.constants import SEATS
from channel_tunnel_env.rulesets.overlay import NAMING_KEYS, any_row
from channel_tunnel_env.rulesets.ruleset import Provenance, Ruleset

_UNKNOWN = Provenance("house")
HEAD_START_WORDS = {
    "allowance": "{n} to the discs that it draws up to",
    "first_discs": "{n} to those of round 1",
    "money_cards": "{n} cards dealt as money at the start",
    "points": "{n} to its points at the end",
}
CARD_COLUMNS = ("card", "kind", "points", "cost", "money", "secondary")


@dataclass(frozen=True)
class Setting:
    """One value of a ruleset, and where it comes from."""

    key: str
    value: Any
    provenance: Provenance

    @property
    def section(self) -> str:
        """The first word of the key."""
        return self.key.split(".")[0]

    @property
    def text(self) -> str:
        """The value as YAML would show it on one line."""
        return show(self.value)


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
    for side in SEATS:
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


def settings(ruleset: Ruleset) -> Iterator[Setting]:
    """Every value except those of the cards, in the order and grouping of the file."""
    yield from _walk("", ruleset.plain(), ruleset.provenance)


def _walk(key: str, node: Any, provenance: dict[str, Provenance]) -> Iterator[Setting]:
    if key in (*NAMING_KEYS, "deck.cards"):
        return
    if isinstance(node, dict) and key not in provenance:
        for name, value in node.items():
            yield from _walk(f"{key}.{name}" if key else str(name), value, provenance)
    else:
        found = provenance.get(key) or provenance.get(any_row(key), _UNKNOWN)
        yield Setting(key, node, found)


def show(value: Any) -> str:
    """A value as a YAML file would hold it, on one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "null"
    if isinstance(value, list):
        return f"[{', '.join(map(show, value))}]"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {show(inner)}" for key, inner in value.items()) or "none"
    return str(value)


def words(section: str) -> str:
    """A key of the file as a heading."""
    return section.replace("_", " ").capitalize()


def differences(base: Ruleset, other: Ruleset) -> list[tuple[str, str, str]]:
    """(key, value in base, value in other) of every value that differs; "-" if there is none."""
    old, new = base.flat, other.flat
    keys = [
        key for key in [*old, *(k for k in new if k not in old)] if key not in ("name", "title")
    ]
    return [
        (key, show(old[key]) if key in old else "-", show(new[key]) if key in new else "-")
        for key in keys
        if key not in old or key not in new or old[key] != new[key]
    ]
