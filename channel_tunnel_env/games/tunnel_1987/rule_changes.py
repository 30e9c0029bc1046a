"""What a ruleset of 1987 changes against another, in sentences: "Britain starts with 3 storage spaces instead of 2."

Each sentence names the rule as a player knows it. A figure without a phrase of its own is named by its key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from channel_tunnel_env.faces.plain_words import figure_changes, plain_line, plain_value
from channel_tunnel_env.games.tunnel_1987.board.words import COSTS_IN_WORDS, title
from channel_tunnel_env.rulesets.ruleset import Ruleset

CARDS = "deck.cards"
UNSAID = ("name", "title", "deck.size", "deck.influence_cards")  # names, and counts of the cards
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
MOST_NAMES = 6  # cards named in a sentence that lists them
# "1 storage spaces", but not the end of a list such as "0, 1 points".
_ONE = re.compile(
    r"(?<![-,] )(?<![-\d])1 (?:[a-z]+ ){0,2}?(?:points|spaces|discs|cards|tokens|rounds)\b"
)
_SIDE, _TRACK = r"(?P<side>britain|france)", r"(?P<side>britain|france)\.(?P<track>a|b)"
_BENEFITS = {
    "peek": "a look at a face-down token",
    "extra_disc": "an extra disc each round",
    "storage": "an extra storage space",
    None: "nothing",
}
# Pattern of a dotted key -> what is said of it. {new} and {old} are the values; the groups of the
# pattern are words. A list whose pattern has no number at its end is described as a whole.
_PHRASES = {
    rf"barriers\.{_TRACK}\.(?P<nth>\d+)": "{side}'s {nth} barrier on track {track} costs {new} million instead of {old}",
    rf"barriers\.{_TRACK}": "{side}'s barriers on track {track} cost {new} million instead of {old}",
    rf"barrier_spaces\.{_TRACK}\.(?P<nth>\d+)": (
        "{side}'s {nth} barrier on track {track} stands before space {new} instead of {old}"
    ),
    rf"barrier_spaces\.{_TRACK}": "{side}'s barriers on track {track} stand before spaces {new} instead of {old}",
    rf"track_points\.{_TRACK}\.(?P<i>\d+)": "space {i} of {side}'s track {track} brings {new} points instead of {old}",
    rf"track_points\.{_TRACK}": "the spaces of {side}'s track {track} bring {new} points instead of {old}",
    rf"benefits\.{_TRACK}\.(?P<i>\d+)": "space {i} of {side}'s track {track} gives {new} instead of {old}",
    rf"storage\.{_SIDE}": "{side} starts with {new} storage spaces instead of {old}",
    r"discs\.per_colour": "each colour has {new} discs instead of {old}",
    r"discs\.hand": "players draw up to {new} discs instead of {old}",
    rf"head_start\.allowance\.{_SIDE}": "{side}'s head start is {new} discs each round instead of {old}",
    rf"head_start\.first_discs\.{_SIDE}": "{side}'s head start is {new} discs in round 1 instead of {old}",
    rf"head_start\.money_cards\.{_SIDE}": "{side}'s head start is {new} money cards instead of {old}",
    rf"head_start\.points\.{_SIDE}": "{side}'s head start is {new} points instead of {old}",
    r"discs\.keep_limit": "the most discs a player keeps on passing is {new} instead of {old}",
    r"route\.length": "each side bores {new} spaces to the centre instead of {old}",
    r"rubble\.tokens\.(?P<colour>\w+)": "the rubble has {new} {colour} tokens instead of {old}",
    r"rubble\.stored_at_start": "each player starts with {new} rubble tokens in storage instead of {old}",
    r"rubble\.agenda_symbols\.(?P<colour>\w+)": "the agenda symbol is on {new} {colour} tokens instead of {old}",
    r"deviation\.limit": "the last safe deviation level is -{new} instead of -{old}",
    r"deviation\.penalties\.(?P<i>\d+)": "deviation level -{i} costs {new} points at the end instead of {old}",
    r"deviation\.penalties": "deviation costs {new} points at the end, level by level, instead of {old}",
    r"deviation\.cards": "the deviation deck holds {new} instead of {old}",
    rf"deviation\.water_draws\.{_SIDE}": "water makes {side} draw {new} deviation cards instead of {old}",
    r"scoring\.centre_bonus": "reaching the centre first brings {new} points instead of {old}",
    r"scoring\.centre_per_rival_token": (
        "each token left in front of the rival brings {new} points at the centre instead of {old}"
    ),
    r"scoring\.european_speech_per": "European speech counts every {new} influence cards instead of every {old}",
    r"scoring\.topographical_analysis\.(?P<i>\d+)": (
        "Topographical analysis of {i} colours brings {new} points instead of {old}"
    ),
    r"scoring\.topographical_analysis": (
        "Topographical analysis brings {new} points, by number of colours, instead of {old}"
    ),
    r"scoring\.(?P<card>\w+)": "{card} brings {new} points instead of {old}",
    r"extra_finance": "Extra finance stands for {new} million instead of {old}",
    r"agenda\.enabled": "the Agenda expansion is {new} instead of {old}",
    r"agenda\.points\.(?P<card>\w+)": "the agenda card {card} is worth {new} points instead of {old}",
    r"limits\.max_empty_rounds": "a game is stopped after {new} rounds without a placement instead of {old}",
    r"limits\.max_rounds": "a game is stopped after {new} rounds instead of {old}",
}
_OF_A_CARD = {
    "points": "brings {new} points instead of {old}",
    "cost": "costs “{new}” instead of “{old}”",
    "money": "stands for {new} million instead of {old}",
    "secondary": "has {new} as its second action instead of {old}",
    "kind": "is a card of the kind {new} instead of {old}",
    "name": "is called {new} instead of {old}",
}


def changes_in_words(base: Ruleset, other: Ruleset) -> list[str]:
    """What `other` changes against `base`, a sentence each; empty if they are the same game."""
    found = figure_changes(
        base, other, (CARDS, *UNSAID), _line, lambda key: _phrase(key) is not None
    )
    return [_sentence(line) for line in [*found, *_cards(base, other)]]


def figure_in_words(key: str, value: Any) -> str:
    """What a figure says: "Players draw up to 10 discs."; "" for a figure without a phrase.

    Args:
        key: dotted, not of a card.
        value: a number, a word, a list, or the mapping of `benefits`.
    """
    if isinstance(value, dict):
        return " ".join(figure_in_words(f"{key}.{i}", one) for i, one in value.items())
    if _phrase(key) is None:
        return ""
    return _sentence(_line(key, value, value).partition(" instead of ")[0].rstrip(","))


def _sentence(words: str) -> str:
    words = _ONE.sub(lambda found: found[0][:-1], words)
    return f"{words[0].upper()}{words[1:]}."


def _phrase(key: str) -> tuple[str, dict[str, str]] | None:
    """The phrase for a key, and the words that its pattern found in it."""
    for pattern, phrase in _PHRASES.items():
        if match := re.fullmatch(pattern, key):
            return phrase, match.groupdict()
    return None


def _line(key: str, old: Any, new: Any) -> str:
    values = {"old": _value(key, old), "new": _value(key, new)}
    found = _phrase(key)
    if found is None:
        return plain_line(key, old, new)
    phrase, groups = found
    return phrase.format(**values, **{name: _word(name, text) for name, text in groups.items()})


def _word(name: str, text: str) -> str:
    if name == "nth":
        return ORDINALS[int(text)] if int(text) < len(ORDINALS) else f"barrier {int(text) + 1},"
    if name == "track":
        return text.upper()
    return title(text) if name in ("side", "card") else text


def _value(key: str, value: Any) -> str:
    if key.startswith("benefits."):
        return _BENEFITS[value]
    if key == "discs.keep_limit" and value is None:
        return "the allowance"
    return plain_value(value)


# --- cards --------------------------------------------------------------------------------------


def _cards(base: Ruleset, other: Ruleset) -> Iterator[str]:
    old = {card.card: card for card in base.data.deck.cards}
    new = {card.card: card for card in other.data.deck.cards}
    gone = [card.name for key, card in old.items() if key not in new]
    added = [card.name for key, card in new.items() if key not in old]
    if gone:
        yield f"{_counted(gone)} left out: {_names(gone)}"
    if added:
        yield f"{_counted(added)} added: {_names(added)}"
    for key, card in new.items():
        if key in old:
            parts = list(_card(old[key], card))
            if parts:
                yield f"{old[key].name} {', and '.join(parts)}"


def _counted(names: list[str]) -> str:
    return f"{len(names)} card is" if len(names) == 1 else f"{len(names)} cards are"


def _names(names: list[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def _card(old: Any, new: Any) -> Iterator[str]:
    for column, phrase in _OF_A_CARD.items():
        was, now = getattr(old, column), getattr(new, column)
        if was != now:
            yield phrase.format(old=_of_card(column, was), new=_of_card(column, now))


def _of_card(column: str, value: Any) -> str:
    if column == "cost":
        return COSTS_IN_WORDS[value]
    return title(value) if column in ("secondary", "kind") else str(value)
