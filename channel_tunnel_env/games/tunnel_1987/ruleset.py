"""The shape of a ruleset: its figures, their types and their allowed ranges.

The models hold plain values. `ruleset` reads the files and keeps the source of each figure
(`source`, `why`) separately.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import AfterValidator, Field

from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.outside.documents import StrictModel
from channel_tunnel_env.outside.hints import NAME

T = TypeVar("T")
MAX_DISCS = 25
Points = Annotated[int, Field(ge=-20, le=40)]
Count = Annotated[int, Field(ge=0, le=40)]
Price = Annotated[int, Field(ge=0, le=20)]
MoreDiscs = Annotated[int, Field(ge=-24, le=24)]
TrackSpace = Annotated[int, Field(ge=1, le=c.MAX_TRACK)]
Benefits = Annotated[
    dict[TrackSpace, Literal["peek", "extra_disc", "storage"]],
    AfterValidator(lambda spaces: dict(sorted(spaces.items()))),
]
DeviationCard = Annotated[str, Field(pattern=r"^(red|green|yellow|purple|none)(0|-[1-9])$")]


class PerSide(StrictModel, Generic[T]):
    """A value for each country."""

    france: T
    britain: T


class PerTrack(StrictModel, Generic[T]):
    """A value for each of a board's two technology tracks."""

    a: T
    b: T


class PerColour(StrictModel):
    """Number of rubble tokens of each colour."""

    blue: Annotated[int, Field(ge=0, le=20)]
    black: Annotated[int, Field(ge=0, le=20)]
    orange: Annotated[int, Field(ge=0, le=20)]
    yellow: Annotated[int, Field(ge=0, le=20)]
    white: Annotated[int, Field(ge=0, le=20)]


class Discs(StrictModel):
    """Action discs."""

    per_colour: Annotated[int, Field(ge=1, le=c.MAX_DISCS_PER_COLOUR)]
    hand: Annotated[int, Field(ge=1, le=MAX_DISCS)]
    keep_limit: Annotated[int, Field(ge=0, le=MAX_DISCS)] | None


class Route(StrictModel):
    """The route under the sea."""

    length: Annotated[int, Field(ge=1, le=c.MAX_ROUTE)]


class Rubble(StrictModel):
    """Rubble tokens and their agenda symbols."""

    tokens: PerColour
    stored_at_start: Annotated[int, Field(ge=0, le=3)]
    agenda_symbols: PerColour


class Deviation(StrictModel):
    """The deviation track and deck; levels are stored as 0, 1, 2 ... for 0, -1, -2 ..."""

    limit: Annotated[int, Field(ge=0, le=c.MAX_DEVIATION)]
    penalties: Annotated[list[Annotated[int, Field(ge=0, le=40)]], Field(max_length=c.MAX_DEVIATION + 1)]
    cards: Annotated[list[DeviationCard], Field(max_length=c.MAX_DEVIATION_CARDS)]
    water_draws: PerSide[Annotated[int, Field(ge=0, le=4)]]


class Scoring(StrictModel):
    """Points at the end (rules, Final scoring)."""

    centre_bonus: Points
    centre_per_rival_token: Points
    political_duel: Points
    european_speech: Points
    european_speech_per: Annotated[int, Field(ge=1, le=20)]
    media_relations: Points
    topographical_analysis: Annotated[list[Points], Field(min_length=6, max_length=6)]


class Card(StrictModel):
    """One playing card."""

    card: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=100)]
    kind: Literal[c.CARD_KINDS]  # type: ignore[valid-type]
    name: Annotated[str, Field(max_length=200)]
    points: Annotated[int, Field(ge=-20, le=20)]
    cost: Literal[c.COSTS]  # type: ignore[valid-type]
    money: Annotated[int, Field(ge=1, le=c.MAX_MONEY)]
    secondary: Literal["plan", "tunnel", "finance", "technology"]


class Deck(StrictModel):
    """The playing cards; `size` and `influence_cards` must match the list."""

    size: Annotated[int, Field(ge=3, le=c.MAX_CARDS)]
    influence_cards: Count
    cards: Annotated[list[Card], Field(max_length=c.MAX_CARDS)]


class AgendaPoints(StrictModel):
    """Points of each agenda card."""

    training: Points
    warehouse_inspection: Points
    check_up: Points
    repairs: Points
    supervision: Points
    promotion: Points


class HeadStart(StrictModel):
    """What a country has more or less than the rules give it; nothing in the box."""

    allowance: PerSide[MoreDiscs] = PerSide(france=0, britain=0)
    first_discs: PerSide[MoreDiscs] = PerSide(france=0, britain=0)
    money_cards: PerSide[Annotated[int, Field(ge=0, le=5)]] = PerSide(france=0, britain=0)
    points: PerSide[Points] = PerSide(france=0, britain=0)


class Agenda(StrictModel):
    """The expansion."""

    enabled: bool
    points: AgendaPoints


class Limits(StrictModel):
    """When a game without progress is stopped (rules A56)."""

    max_empty_rounds: Annotated[int, Field(ge=1, le=100)]
    max_rounds: Annotated[int, Field(ge=1, le=200)]


class Switches(StrictModel):
    """Rulings that a ruleset can switch."""

    first_player_card: Literal["first_to_pass", "last_to_pass"]
    final_tunnel_deviation_check: bool
    heavy_machinery_same_type: bool
    technology_without_move: Literal["never", "when_blocked", "always"]
    new_card_usable_same_action: bool
    supervision_mode: Literal["strict", "soft"]
    facedown_observation: Literal["visible", "hidden"]
    stalemate_result: Literal["score", "draw"]
    auto_forced: bool
    # A default does not count in the digest, so a policy fits whether a file names it or not.
    hand_cap: Literal["draw", "always"] = "draw"
    supervision_completed: Literal["after_action", "at_placement"] = "after_action"
    null_actions: bool = False


class RulesetData(StrictModel):
    """Every value of a ruleset."""

    game: Literal["tunnel_1987"] = "tunnel_1987"
    name: Annotated[str, Field(pattern=NAME, max_length=1000)]
    title: Annotated[str, Field(max_length=3000)]
    discs: Discs
    route: Route
    rubble: Rubble
    storage: PerSide[Annotated[int, Field(ge=1, le=c.MAX_STORAGE)]]
    track_points: PerSide[PerTrack[Annotated[list[Points], Field(min_length=1, max_length=c.MAX_TRACK + 1)]]]
    barrier_spaces: PerSide[PerTrack[Annotated[list[TrackSpace], Field(max_length=c.MAX_TRACK)]]]
    barriers: PerSide[PerTrack[Annotated[list[Price], Field(max_length=c.MAX_TRACK)]]]
    benefits: PerSide[PerTrack[Benefits]]
    deviation: Deviation
    scoring: Scoring
    extra_finance: Annotated[int, Field(ge=1, le=20)]
    deck: Deck
    agenda: Agenda
    limits: Limits
    switches: Switches
    head_start: HeadStart = HeadStart()  # added later, too


Fault = tuple[str, object, str]
"""Dotted key, value, what must hold."""


def check_consistency(data: RulesetData) -> list[Fault]:
    """Errors that involve several figures: (dotted key, value, what must hold)."""
    return [
        *_check_rubble(data),
        *_check_tracks(data),
        *_check_deviation(data),
        *_check_deck(data),
        *_check_head_start(data),
    ]


def _check_rubble(data: RulesetData) -> Iterator[Fault]:
    tokens, stored = data.rubble.tokens.model_dump(), data.rubble.stored_at_start
    needed = 2 * data.route.length + 2 * stored
    if sum(tokens.values()) != needed:
        spaces = f"{data.route.length} route spaces a side and {stored} stored by each player"
        yield "rubble.tokens", sum(tokens.values()), f"the tokens must add up to {needed}: {spaces}"
    for colour, symbols in data.rubble.agenda_symbols.model_dump().items():
        if symbols > tokens[colour]:
            most = f"at most the {tokens[colour]} {colour} tokens can show the symbol"
            yield f"rubble.agenda_symbols.{colour}", symbols, most
    for side in c.SEATS:
        storage = getattr(data.storage, side)
        if stored > storage:
            yield "rubble.stored_at_start", stored, f"{side} has only {storage} storage spaces"


def _check_tracks(data: RulesetData) -> Iterator[Fault]:
    for side in c.SEATS:
        extra_storage = 0
        for track in ("a", "b"):
            where = f"{side}.{track}"
            last = len(getattr(getattr(data.track_points, side), track)) - 1
            spaces = getattr(getattr(data.barrier_spaces, side), track)
            prices = getattr(getattr(data.barriers, side), track)
            benefits = getattr(getattr(data.benefits, side), track)
            if len(spaces) != len(prices):
                yield f"barriers.{where}", prices, f"one price for each of barrier_spaces {spaces}"
            if spaces != sorted(set(spaces)):
                yield f"barrier_spaces.{where}", spaces, "ascending, no space twice"
            for space in spaces:
                if space > last:
                    yield f"barrier_spaces.{where}", space, f"a barrier stands before a space of 1..{last}"
            for space in benefits:
                if space > last:
                    yield f"benefits.{where}.{space}", space, f"a benefit lies on a space of 1..{last}"
            extra_storage += sum(benefit == "storage" for benefit in benefits.values())
        storage = getattr(data.storage, side)
        if storage + extra_storage > c.MAX_STORAGE:
            yield f"storage.{side}", storage, f"with technology at most {c.MAX_STORAGE} spaces"


def _check_deviation(data: RulesetData) -> Iterator[Fault]:
    penalties, limit, cards = data.deviation.penalties, data.deviation.limit, data.deviation.cards
    if len(penalties) != limit + 1:
        yield "deviation.penalties", penalties, f"{limit + 1} levels, 0 to the limit {limit}"
    colours = Counter(re.sub(r"[0-9-]+$", "", card) for card in cards)
    colours.pop("none", None)
    if colours.total() <= len(colours):
        yield "deviation.cards", cards, "one colour at least twice, or the deck runs out before it is reshuffled"


def _check_deck(data: RulesetData) -> Iterator[Fault]:
    deck = data.deck
    if len(deck.cards) != deck.size:
        yield "deck.size", deck.size, f"deck.cards lists {len(deck.cards)} cards"
    influence = sum(card.kind == "european_influence" for card in deck.cards)
    if influence != deck.influence_cards:
        yield "deck.influence_cards", deck.influence_cards, f"deck.cards lists {influence}"
    for key, n in Counter(card.card for card in deck.cards).items():
        if n > 1:
            yield "deck.cards", key, "each card once"
    for card in deck.cards:
        places = card.cost in ("place1", "place1or2")
        key = f"deck.cards.{card.card}.cost"
        if c.CARD_KINDS.index(card.kind) >= c.FIRST_ABILITY and not places:
            yield key, card.cost, "a card with an ability needs place1 or place1or2 (rules A40)"
        if card.kind == "topographical_analysis" and card.cost != "place1":
            yield key, card.cost, "Topographical analysis needs place1"
        if c.CARD_KINDS.index(card.kind) < c.FIRST_ABILITY - 1 and places:
            yield key, card.cost, "only cards that use their rubble place it: free, discard1"
    capacity = sum({"free": 0, "place1or2": 2}.get(card.cost, 1) for card in deck.cards)
    needed = sum(
        max(0, data.route.length + data.rubble.stored_at_start - getattr(data.storage, side)) for side in c.SEATS
    )
    if capacity < needed:
        jam = "or both storages jam before the centre (rules A58)"
        yield "deck.cards", capacity, f"the cards must take at least {needed} rubble tokens, {jam}"


def _check_head_start(data: RulesetData) -> Iterator[Fault]:
    """Every country can draw discs in every round, and three cards are left to be shown."""
    start, hand = data.head_start, data.discs.hand
    for side in c.SEATS:
        more, first = (getattr(figure, side) for figure in (start.allowance, start.first_discs))
        for key, value, discs in (("allowance", more, hand + more), ("first_discs", first, hand + more + first)):
            if not 1 <= discs <= MAX_DISCS:
                allowed = f"{side} would draw up to {discs} discs; allowed: 1..{MAX_DISCS}"
                yield f"head_start.{key}.{side}", value, allowed
    dealt = start.money_cards.britain + start.money_cards.france
    if data.deck.size - dealt < c.NUM_SLOTS:
        yield "head_start.money_cards", dealt, f"the deck of {data.deck.size} must leave 3 to show"


assert tuple(AgendaPoints.model_fields) == c.AGENDA_KINDS
assert tuple(PerColour.model_fields) == c.COLOURS
