"""A ruleset of 1987 Channel Tunnel in words: in a few sentences, thing by thing, and what it changes against another.

The words are in `rule_table`; here are the figures that a ruleset puts into it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from channel_tunnel_env.faces.plain_words import PLAIN, figure_changes, plain_value
from channel_tunnel_env.games.tunnel_1987 import rule_table as t
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.rule_table import Rule, RuleFigure
from channel_tunnel_env.games.tunnel_1987.words import in_number, kind_name, points_words, title
from channel_tunnel_env.outside.sentences import capital, counted
from channel_tunnel_env.rulesets.ruleset import Provenance, Ruleset

CARDS = "deck.cards"
UNSAID = ("name", "title", "deck.size", "deck.influence_cards")  # names, and counts of the cards
HEAD_STARTS = ("allowance", "first_discs", "money_cards", "points")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
MOST_NAMES = 6  # cards named in a sentence that lists them
HOUSE = Provenance("house", "changed by this ruleset")
SOURCE_WORDS = {
    "rulebook": "from the rulebook",
    "review": "from a published review",
    "reconstructed": "reconstructed by this project",
    "house": "set by this ruleset",
}

# --- figures --------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def values_of(ruleset: Ruleset) -> Mapping[str, Any]:
    """Everything that a text may name in braces: the parts of the ruleset, whose keys follow, and `figures`."""
    data = ruleset.data
    return {**{name: getattr(data, name) for name in type(data).model_fields}, **figures(ruleset)}


def figures(ruleset: Ruleset) -> dict[str, str]:
    """What texts say of a ruleset that is not one of its figures as it stands."""
    data = ruleset.data
    scoring, tokens = data.scoring, data.rubble.tokens
    costs = Counter(card.cost for card in data.deck.cards)
    return {
        "limit": str(-data.deviation.limit),
        "all_discs": str(5 * data.discs.per_colour),
        "tokens": ", ".join(f"{getattr(tokens, colour)} {colour}" for colour in c.COLOURS),
        "deviation_cards": str(len(data.deviation.cards)),
        "drifts": _drifts(data.deviation.cards),
        "keep": "" if data.discs.keep_limit is None else f", at most {data.discs.keep_limit} in all",
        "penalties": ", ".join(map(str, data.deviation.penalties)),
        "centre": points_words(scoring.centre_bonus),
        "duel": points_words(scoring.political_duel),
        "speech": points_words(scoring.european_speech),
        "media": points_words(scoring.media_relations),
        "topography": ", ".join(map(str, scoring.topographical_analysis)),
        **{f"cost_{cost}": str(costs[cost]) for cost in c.COSTS},
        **{f"water_{side}": _draws(getattr(data.deviation.water_draws, side)) for side in c.SEATS},
        **{f"price_{side}": str(total_price(ruleset, side)) for side in c.SEATS},
        **{f"head_start_{side}": _head_start(ruleset, side) for side in c.SEATS},
        **_switches(ruleset),
    }


def total_price(ruleset: Ruleset, side: str) -> int:
    """Millions for all barriers of a side."""
    tracks = getattr(ruleset.data.barriers, side)
    return int(sum(tracks.a) + sum(tracks.b))


def _drifts(cards: list[str]) -> str:
    """The smallest and the largest number on a deviation card."""
    levels = sorted({int(re.search(r"\d+$", card)[0]) for card in cards})  # type: ignore[index]
    return f"{levels[0]} to {levels[-1]}" if len(levels) > 1 else str(levels[0])


def _draws(number: int) -> str:
    return counted(number, "card") if number else "no card"


def _head_start(ruleset: Ruleset, side: str) -> str:
    """What a country has more or less than the rules give it; "" if nothing."""
    parts = []
    for key in HEAD_STARTS:
        value = getattr(getattr(ruleset.data.head_start, key), side)
        if value:
            parts.append(f"{value:+d} {_figure(f'head_start.{key}.{side}')[0].name}")
    return f"Head start of {title(side)}: {', '.join(parts)}." if parts else ""


def _switches(ruleset: Ruleset) -> dict[str, str]:
    """Words that depend on a switch."""
    switches = ruleset.data.switches
    return {
        "agenda_is": "on" if ruleset.data.agenda.enabled else "off",
        "passer": "first" if switches.first_player_card == "first_to_pass" else "last",
        "flag_check": "after" if switches.final_tunnel_deviation_check else "without",
        "unless": ", as long as you can lay one" if switches.supervision_mode == "soft" else "",
        "null_actions": "The action may be without effect; only Tunnel must be possible."
        if switches.null_actions
        else "The action must be possible: you cannot place a stack for nothing.",
        "no_move": {
            "never": "If no counter can move, Technology is not possible, and money cannot lower your deviation.",
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
        "stopped": "scored as it is" if switches.stalemate_result == "score" else "drawn",
        "stalemate": "Points are counted without a bonus for the centre."
        if switches.stalemate_result == "score"
        else "This is a draw.",
    }


# --- the whole ruleset ----------------------------------------------------------------------------


def in_words(ruleset: Ruleset) -> list[str]:
    """The ruleset in a few sentences."""
    sentences = (in_number(text.format(**values_of(ruleset))) for text in t.SUMMARY)
    return [f"- {sentence}" for sentence in sentences if sentence]


# --- thing by thing -------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def rule_sentences(ruleset: Ruleset) -> dict[str, dict[str, Any]]:
    """Key -> title, text and sources, for everything that a board of the ruleset can show.

    The keys are the `data-rule` of the drawing: "card:KEY", "step:SIDE:TRACK:SPACE", "action:KIND" ...
    """
    values = values_of(ruleset)
    return {
        key: {
            "title": rule.title,
            "text": in_number(rule.text.format(**values)),
            "sources": tuple(_source(ruleset, figure) for figure in rule.figures),
        }
        for key, rule in _rules(ruleset)
    }


def ability_words(ruleset: Ruleset, kind: str) -> str:
    """What a developed card of a kind does, with the ruleset's figures."""
    return t.ABILITIES[kind].format(**values_of(ruleset))


def ability_sentence(ruleset: Ruleset, kind: str) -> str:
    """What a kind of card does, as a sentence."""
    return _sentence(ability_words(ruleset, kind))


def agenda_effect(ruleset: Ruleset, kind: str) -> str:
    """What an agenda card that was kept does, as a sentence."""
    return t.AGENDA[kind].format(**values_of(ruleset))


def _rules(ruleset: Ruleset) -> Iterator[tuple[str, Rule]]:
    yield from t.RULES.items()
    yield from _card_rules(ruleset)
    for side in c.SEATS:
        for key, rule in t.SIDE_RULES.items():
            yield key.replace("SIDE", side), _for(rule, side)
        for track in "ab":
            yield f"track:{side}:{track}", _for(t.TRACK_RULE, side, track)
            yield from _step_rules(ruleset, side, track)
        last = ruleset.data.route.length - 1
        for index in range(last + 1):
            rule = _for(t.FLAG_RULE if index == last else t.ROUTE_RULE, side)
            yield f"route:{side}:{index}", rule._replace(title=f"{rule.title} {index}")
    for kind in c.AGENDA_KINDS:
        points = points_words(getattr(ruleset.data.agenda.points, kind))
        text = t.AGENDA_TEXT.format(effect=agenda_effect(ruleset, kind), points=points)
        yield f"agenda:{kind}", Rule(title(kind), text, (f"agenda.points.{kind}",))


def _for(rule: Rule, side: str, track: str = "") -> Rule:
    """A rule of every country, or of each of its tracks, for one."""

    def told(words: str, side: str, track: str) -> str:
        return words.replace("SIDE", side).replace("TRACK", track)

    return Rule(
        told(rule.title, title(side), track.upper()),
        told(rule.text, side, track),
        tuple(told(key, side, track) for key in rule.figures),
    )


def _card_rules(ruleset: Ruleset) -> Iterator[tuple[str, Rule]]:
    for card in ruleset.data.deck.cards:
        text = t.CARD_TEXT.format(
            ability=ability_sentence(ruleset, card.kind),
            points=points_words(card.points),
            cost=t.COSTS[card.cost].sentence,
            money=card.money,
            secondary=kind_name(card.secondary),
        )
        keys = tuple(f"{CARDS}.{card.card}.{column}" for column, figure in t.CARD_FIGURES.items() if figure.name)
        yield f"card:{card.card}", Rule(card.name, text, keys)


def _step_rules(ruleset: Ruleset, side: str, track: str) -> Iterator[tuple[str, Rule]]:
    """The spaces of a track."""

    def of_track(part: str) -> Any:
        return getattr(getattr(getattr(ruleset.data, part), side), track)

    barriers, benefits = list(of_track("barrier_spaces")), of_track("benefits")
    for space, score in enumerate(of_track("track_points")):
        text = t.STEP.format(points=points_words(score))
        keys = [f"track_points.{side}.{track}.{space}"]
        if space in barriers:
            nth = barriers.index(space)
            text += t.BARRIER.format(price=of_track("barriers")[nth])
            keys += [f"{part}.{side}.{track}.{nth}" for part in ("barriers", "barrier_spaces")]
        if space in benefits:
            text += f" {t.BENEFITS[benefits[space]].sentence}"
            keys.append(f"benefits.{side}.{track}.{space}")
        name = _for(t.TRACK_RULE, side, track).title
        yield f"step:{side}:{track}:{space}", Rule(f"{name}, space {space}", text, tuple(keys))


def _source(ruleset: Ruleset, key: str) -> str:
    """Where a figure comes from, in a sentence; a note on an enclosing part of the file counts too."""
    keys = list(_upwards(key))
    if key.startswith(CARDS):
        column = key.rpartition(".")[2]
        name = t.CARD_FIGURES[column].name
        keys[1:] = _upwards(f"{CARDS}.*.{column}")
    else:
        name = _figure(key)[0].name
    found = next((ruleset.provenance[k] for k in keys if k in ruleset.provenance), HOUSE)
    why = f" ({found.why})" if found.why else ""
    return f"{name}: {SOURCE_WORDS[found.source]}{why}"


def _upwards(key: str) -> Iterator[str]:
    parts = key.split(".")
    for stop in range(len(parts), 0, -1):
        yield ".".join(parts[:stop])


# --- against another ------------------------------------------------------------------------------


def changes_in_words(base: Ruleset, other: Ruleset) -> list[str]:
    """What `other` changes against `base`, a sentence each: "Britain starts with 3 storage spaces instead of 2."

    Empty if they are the same game. A figure without a clause of its own is named by its key.
    """
    found = figure_changes(base, other, (CARDS, *UNSAID), _line, _has_clause)
    return [_sentence(line) for line in [*found, *_card_changes(base, other)]]


def figure_in_words(key: str, value: Any) -> str:
    """What a figure says: "Players draw up to 10 discs."; "" for a figure without a clause.

    Args:
        key: dotted, not of a card.
        value: a number, a word, a list, or the mapping of `benefits`.
    """
    if isinstance(value, dict):
        return " ".join(figure_in_words(f"{key}.{i}", one) for i, one in value.items())
    if not _has_clause(key):
        return ""
    return _sentence(_clause(key, value).rstrip(","))


def figure_label(key: str) -> str:
    """What a form calls a figure: "Each Political duel"; "" if the words of its key do."""
    figure, words = _figure(key)
    return figure.label.format(**words)


def _sentence(words: str) -> str:
    return f"{capital(in_number(words))}."


@lru_cache(maxsize=1024)
def _figure(key: str) -> tuple[RuleFigure, Mapping[str, str]]:
    """The figure of a key, and in words what its pattern found in it."""
    for pattern, figure in t.FIGURES.items():
        if match := re.fullmatch(pattern, key):
            return figure, {name: _word(name, text) for name, text in match.groupdict().items()}
    return RuleFigure(), {}


def _has_clause(key: str) -> bool:
    return bool(_figure(key)[0].says)


def _clause(key: str, value: Any) -> str:
    figure, words = _figure(key)
    return figure.says.format(figure.value.format(_value(key, value)), **words)


def _line(key: str, old: Any, new: Any) -> str:
    if not _has_clause(key):
        return PLAIN.line(key, old, new)
    return f"{_clause(key, new)} instead of {_figure(key)[0].value.format(_value(key, old))}"


def _word(name: str, text: str) -> str:
    if name == "nth":
        return ORDINALS[int(text)] if int(text) < len(ORDINALS) else f"barrier {int(text) + 1},"
    if name == "track":
        return text.upper()
    return title(text) if name in ("side", "card") else text


def _value(key: str, value: Any) -> str:
    if key.startswith("benefits."):
        return t.BENEFITS[value].long if value else "nothing"
    if key == "discs.keep_limit" and value is None:
        return "the allowance"
    return t.SWITCH_VALUES.get(key, {}).get(str(value)) or plain_value(value)


def _card_changes(base: Ruleset, other: Ruleset) -> Iterator[str]:
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
            parts = list(_card_parts(old[key], card))
            if parts:
                yield f"{old[key].name} {', and '.join(parts)}"


def _counted(names: list[str]) -> str:
    return f"{counted(len(names), 'card')} {'is' if len(names) == 1 else 'are'}"


def _names(names: list[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def _card_parts(old: Any, new: Any) -> Iterator[str]:
    for column, figure in t.CARD_FIGURES.items():
        was, now = (_printed(column, getattr(card, column)) for card in (old, new))
        if was != now:
            was, now = figure.value.format(was), figure.value.format(now)
            yield f"{figure.says.format(now)} instead of {was}"


def _printed(column: str, value: Any) -> str:
    if column == "cost":
        return t.COSTS[value].short
    return title(value) if column in ("secondary", "kind") else str(value)
