"""Ruleset -> Tables: the figures as one read-only numpy record for the kernels.

Every figure reaches the compiled code as data, so another ruleset needs no compilation, and a batch
can hold one table per ruleset.

Figures that can change nothing under the rest of a ruleset, such as the points of an agenda that is not in use, are shown to a
seat as the base game has them. So no player can play otherwise because of a figure that is no rule, and two rulesets that
differ in nothing else are played alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from channel_tunnel_env.core.spec import Rules
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.rule_figures import (
    NUM_DEVIATION_VALUES,
    RULE_SIZE,
    SCORED,
    SWITCHES,
    figures_seen,
)

BASE: dict[str, Any] = {
    "agenda_points": (2, 3, 2, 2, 1, 3),
    "supervision_strict": 1,
    "supervision_at_placement": 0,
    "political_duel": 3,
    "european_speech": 1,
    "european_speech_per": 2,
    "media_relations": 2,
    "topographical": (0, 1, 3, 6, 10, 15),
    "extra_finance": 3,
    "machinery_same_type": 1,
    "keep_limit": c.NO_KEEP_LIMIT,
    "water_draws": (2, 0),
}
"""Fields of the tables as the base game fills them; a test compares them."""
OF_AGENDA = ("agenda_points", "supervision_strict", "supervision_at_placement")
OF_CARDS = {
    "political_duel": c.POLITICAL_DUEL,
    "european_speech": c.EUROPEAN_SPEECH,
    "european_speech_per": c.EUROPEAN_SPEECH,
    "media_relations": c.MEDIA_RELATIONS,
    "topographical": c.TOPOGRAPHICAL_ANALYSIS,
    "extra_finance": c.EXTRA_FINANCE,
    "machinery_same_type": c.HEAVY_MACHINERY,
}
"""What belongs to the cards of one kind."""
BASE_TOKENS = 4  # of each colour
BASE_SYMBOLS = 1  # of each colour


def dead_figures(row: np.record) -> Iterator[str]:
    """The fields of a filled record of the tables that change nothing in it; see `_show_symbols` for one more."""
    if not row.agenda_enabled:
        yield from OF_AGENDA
    for name, kind in OF_CARDS.items():
        if not row.kind_cards[kind]:
            yield name
    # No allowance is larger than this, so the limit is never met.
    if row.keep_limit >= row.hand.max() + row.extra_discs.max(axis=2).sum(axis=1).max():
        yield "keep_limit"
    if c.BLUE not in row.token_colour[: row.num_tokens]:
        yield "water_draws"


def without_dead_figures(row: np.record) -> np.record:
    """A copy of a record whose dead figures are those of the base game."""
    shown = row.copy()
    for name in dead_figures(row):
        shown[name] = BASE[name]
    _show_symbols(shown)
    return shown


def _show_symbols(row: np.record) -> None:
    """The symbols of an agenda that is not in use, where the tokens are those of the base game.

    Of other tokens there is nothing that they could be shown as.
    """
    colours = row.token_colour[: row.num_tokens]
    counts = np.bincount(colours, minlength=c.NUM_COLOURS)
    if row.agenda_enabled or (counts != BASE_TOKENS).any():
        return
    row.token_symbol[: row.num_tokens] = 0
    for colour in range(c.NUM_COLOURS):
        row.token_symbol[np.flatnonzero(colours == colour)[:BASE_SYMBOLS]] = 1


NO_BARRIER = -1  # less than a price of 0

_TRACK_SHAPE = (c.NUM_SEATS, c.NUM_TRACKS, c.MAX_TRACK + 1)

TABLES_DTYPE = np.dtype(
    [
        ("kind_cards", np.int64, c.NUM_CARD_KINDS),  # bit mask of the cards of a kind
        ("chain_cards", np.int64, c.NUM_ACTION_KINDS),  # cards that can be used after an action
        ("money_cards", np.int64, c.MAX_MONEY + 1),  # cards by their worth in million
        ("ability_cards", np.int64),
        ("all_cards", np.int64),
        ("num_cards", np.int16),
        ("per_colour", np.int16),
        ("hand", np.int16, (c.NUM_SEATS, 2)),  # discs drawn up to without technology: round 1, later
        ("keep_limit", np.int16),
        ("route_length", np.int16),
        ("num_tokens", np.int16),
        ("stored_at_start", np.int16),
        ("token_colour", np.int8, c.MAX_TOKENS),
        ("token_symbol", np.int8, c.MAX_TOKENS),
        ("storage", np.int16, c.NUM_SEATS),
        ("start_money", np.int16, c.NUM_SEATS),  # money cards at the start
        ("start_points", np.int16, c.NUM_SEATS),
        ("track_last", np.int16, (c.NUM_SEATS, c.NUM_TRACKS)),
        ("track_points", np.int16, _TRACK_SHAPE),
        ("barrier", np.int16, _TRACK_SHAPE),  # price of entering a space, or NO_BARRIER
        ("benefit", np.int16, _TRACK_SHAPE),  # gained on entering a space
        ("extra_discs", np.int16, _TRACK_SHAPE),  # gained on this space and those before it
        ("extra_storage", np.int16, _TRACK_SHAPE),  # likewise
        ("deviation_limit", np.int16),
        ("penalties", np.int16, c.MAX_DEVIATION + 1),
        ("num_deviation", np.int16),
        ("deviation_colour", np.int8, c.MAX_DEVIATION_CARDS),
        ("deviation_value", np.int8, c.MAX_DEVIATION_CARDS),
        ("heaviest_deviation", np.int16),  # the most levels that one card costs
        ("deviation_cards", np.int64),  # all of them as a bit mask
        ("colour_cards", np.int64, len(c.DEVIATION_COLOURS)),  # those of a colour; the colourless have none
        ("heavier_cards", np.int64, NUM_DEVIATION_VALUES),  # those that cost more than that number of levels
        ("water_draws", np.int16, c.NUM_SEATS),
        *((name, np.int16) for name in SCORED),
        ("european_speech_per", np.int16),
        ("topographical", np.int16, 6),
        ("extra_finance", np.int16),
        ("card_kind", np.int8, c.MAX_CARDS),
        ("card_points", np.int8, c.MAX_CARDS),
        ("card_cost", np.int8, c.MAX_CARDS),
        ("card_money", np.int8, c.MAX_CARDS),
        ("card_secondary", np.int8, c.MAX_CARDS),
        ("agenda_enabled", np.int8),
        ("agenda_points", np.int16, c.NUM_AGENDA),
        ("max_empty_rounds", np.int16),
        ("max_rounds", np.int16),
        *((name, np.int8) for name in SWITCHES),
        ("seen", np.float32, (c.NUM_SEATS, RULE_SIZE)),  # these figures as each seat observes them
    ],
    align=True,
)


def make_tables(rulesets: Sequence[Rules]) -> np.recarray:
    """One record per ruleset, read-only."""
    tables = np.zeros(len(rulesets), TABLES_DTYPE).view(np.recarray)
    for row, ruleset in zip(tables, rulesets, strict=True):
        _fill_numbers(row, ruleset)
        _fill_head_start(row, ruleset)
        _fill_tracks(row, ruleset)
        _fill_cards(row, ruleset)
        _fill_switches(row, ruleset)
        shown = without_dead_figures(row)  # last, because it looks at all the others
        for seat in range(c.NUM_SEATS):
            row.seen[seat] = figures_seen(shown, seat)
    tables.flags.writeable = False
    return tables


def token_names(tables: Any) -> list[str]:
    """Colours of a ruleset's tokens by id, those with the agenda symbol as `yellow*`."""
    return [
        c.COLOURS[tables.token_colour[i]] + "*" * int(tables.token_symbol[i]) for i in range(int(tables.num_tokens))
    ]


def deviation_names(ruleset: Rules) -> list[str]:
    """Names of the deviation cards by id, as the ruleset writes them."""
    return list(ruleset.data.deviation.cards)


def _fill_numbers(row: np.record, ruleset: Rules) -> None:
    data = ruleset.data
    row.per_colour = data.discs.per_colour
    limit = data.discs.keep_limit
    row.keep_limit = c.NO_KEEP_LIMIT if limit is None else limit
    row.route_length = data.route.length
    row.stored_at_start = data.rubble.stored_at_start
    tokens = [
        (colour, int(i < getattr(data.rubble.agenda_symbols, name)))
        for colour, name in enumerate(c.COLOURS)
        for i in range(getattr(data.rubble.tokens, name))
    ]
    row.num_tokens = len(tokens)
    for i, (colour, symbol) in enumerate(tokens):
        row.token_colour[i], row.token_symbol[i] = colour, symbol
    row.deviation_limit = data.deviation.limit
    row.penalties[: len(data.deviation.penalties)] = data.deviation.penalties
    row.num_deviation = len(data.deviation.cards)
    for i, name in enumerate(data.deviation.cards):
        colour, value = re.fullmatch(r"([a-z]+)(.*)", name).groups()  # type: ignore[union-attr]
        row.deviation_colour[i] = c.DEVIATION_COLOURS.index(colour)
        row.deviation_value[i] = -int(value)  # names carry a minus, as `red-1`
        row.heaviest_deviation = max(row.heaviest_deviation, row.deviation_value[i])
        row.deviation_cards |= 1 << i
        if row.deviation_colour[i] != c.COLOURLESS:
            row.colour_cards[row.deviation_colour[i]] |= 1 << i
        row.heavier_cards[: row.deviation_value[i]] |= 1 << i  # it costs more than 0, 1, ... value - 1
    scoring = data.scoring
    for name in SCORED:
        row[name] = getattr(scoring, name)
    row.european_speech_per = scoring.european_speech_per
    row.topographical[:] = scoring.topographical_analysis
    row.extra_finance = data.extra_finance
    row.agenda_enabled = data.agenda.enabled
    row.agenda_points[:] = [getattr(data.agenda.points, name) for name in c.AGENDA_KINDS]
    row.max_empty_rounds = data.limits.max_empty_rounds
    row.max_rounds = data.limits.max_rounds


def _fill_head_start(row: np.record, ruleset: Rules) -> None:
    start, hand = ruleset.data.head_start, ruleset.data.discs.hand
    for seat, side in enumerate(c.SEATS):
        later = hand + getattr(start.allowance, side)
        row.hand[seat] = later + getattr(start.first_discs, side), later
        row.start_money[seat] = getattr(start.money_cards, side)
        row.start_points[seat] = getattr(start.points, side)


def _fill_tracks(row: np.record, ruleset: Rules) -> None:
    data = ruleset.data
    row.barrier[:] = NO_BARRIER
    for seat, side in enumerate(c.SEATS):
        row.storage[seat] = getattr(data.storage, side)
        row.water_draws[seat] = getattr(data.deviation.water_draws, side)
        for track, name in enumerate("ab"):
            points = getattr(getattr(data.track_points, side), name)
            last = len(points) - 1
            row.track_last[seat, track] = last
            row.track_points[seat, track, : last + 1] = points
            spaces = getattr(getattr(data.barrier_spaces, side), name)
            for space, price in zip(spaces, getattr(getattr(data.barriers, side), name), strict=True):
                row.barrier[seat, track, space] = price
            for space, benefit in getattr(getattr(data.benefits, side), name).items():
                row.benefit[seat, track, space] = c.BENEFITS.index(benefit)
            gained = row.benefit[seat, track]
            row.extra_discs[seat, track] = np.cumsum(gained == c.EXTRA_DISC)
            row.extra_storage[seat, track] = np.cumsum(gained == c.STORAGE_SPACE)


def _fill_cards(row: np.record, ruleset: Rules) -> None:
    cards = ruleset.data.deck.cards
    row.num_cards = len(cards)
    row.all_cards = (1 << len(cards)) - 1
    for i, card in enumerate(cards):
        kind = c.CARD_KINDS.index(card.kind)
        row.card_kind[i] = kind
        row.card_points[i] = card.points
        row.card_cost[i] = c.COSTS.index(card.cost)
        row.card_money[i] = card.money
        row.card_secondary[i] = c.ACTION_KINDS.index(card.secondary)
        row.kind_cards[kind] |= 1 << i
        row.money_cards[card.money] |= 1 << i
    row.ability_cards = np.bitwise_or.reduce(row.kind_cards[c.FIRST_ABILITY :])
    for last in range(c.NUM_ACTION_KINDS):
        kinds = [c.NEW_MATERIALS, c.HEAVY_MACHINERY]  # these follow any action (3)
        if last == c.PLAN:
            kinds += [c.CONTROL_ROOM_1, c.CONTROL_ROOM_3, c.CONTROL_ROOM_4]
        if last == c.TECHNOLOGY:
            kinds += [c.CONTROL_ROOM_2, c.CONTROL_ROOM_5, c.IMPROVE_TECHNOLOGY]
        row.chain_cards[last] = np.bitwise_or.reduce(row.kind_cards[kinds])


def _fill_switches(row: np.record, ruleset: Rules) -> None:
    for name, switch in SWITCHES.items():
        row[name] = switch.values.index(getattr(ruleset.data.switches, switch.key))
