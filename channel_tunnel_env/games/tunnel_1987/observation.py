"""What an observation of 1987 Channel Tunnel holds: its sections, and each in names and whole numbers.

    from channel_tunnel_env import Game, decode

    seen = decode(Game("standard", seed=7).observation("france"))
    seen["phase"], seen["own_discs"], seen["own_tracks"]

Card ids depend on the ruleset, so sections by card are dicts keyed by card id. docs/reference/1987/observation.md
describes every section; `engine.observation` fills them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.faces.observation import Section, one_of
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.observation import LEAST_LEAD, SECTIONS
from channel_tunnel_env.games.tunnel_1987.engine.rule_figures import (
    COUNTED,
    NUM_DEVIATION_VALUES,
    POINTS_OFFSET,
    SCORED,
    SWITCHES,
)


def sections(ruleset: Any) -> tuple[Section, ...]:
    """The sections; the same under every ruleset."""
    return tuple(Section(part.name, part.start, part.size, part.meaning) for part in SECTIONS)


# --- in words -------------------------------------------------------------------------------------


Reader = Callable[[NDArray[np.float64]], Any]
"""Converts the entries of a section, each divided by its scale, to plain values."""

SIDES = ("own", "rival")
TRACKS = ("a", "b")
BLUE_KINDS, ABILITIES = c.CARD_KINDS[: c.FIRST_ABILITY], c.CARD_KINDS[c.FIRST_ABILITY :]
SLOTS = tuple(f"slot_{number}" for number in range(1, c.NUM_SLOTS + 1))
DEVIATION_VALUES = ("0", "-1", "-2")  # the last one means -2 or less


def decode(observation: NDArray[np.float64], ruleset: Any) -> dict[str, Any]:
    """An observation (D,) section by section, the same under every ruleset; "own" is the viewer.

    Returns:
        Name of a section -> a name or None (one-hot), True or False, a number, or a dict of these by name.
    """
    return {
        section.name: READERS[section.name](observation[section.slice] / np.array(section.scales))
        for section in SECTIONS
    }


# --- readers for a run of entries -----------------------------------------------------------------


def _one_of(names: Sequence[str]) -> Reader:
    """One-hot."""
    return partial(one_of, names)


def _flag(values: NDArray[np.float64]) -> bool:
    return bool(values[0])


def _count(values: NDArray[np.float64]) -> int:
    """A thermometer: at least 1, 2, ..."""
    return int(values.sum())


def _number(value: float) -> int | float:
    """An int if the value is whole up to rounding."""
    return round(value) if abs(value - round(value)) < 1e-4 else float(value)


def _numbers(*names: str) -> Reader:
    return lambda values: {name: _number(value) for name, value in zip(names, values.tolist(), strict=True)}


def _flags(*names: str) -> Reader:
    return lambda values: {name: bool(value) for name, value in zip(names, values, strict=True)}


def _each(names: Sequence[str], reader: Reader) -> Reader:
    """Apply one reader to equal parts; results by name."""
    return lambda values: {name: reader(part) for name, part in zip(names, np.split(values, len(names)), strict=True)}


def _in_turn(reader: Reader) -> Reader:
    """Apply one reader to the spaces of a route, nearest first."""
    return lambda values: [reader(part) for part in np.split(values, c.MAX_ROUTE)]


def _those(names: Sequence[str]) -> Reader:
    """Several-hot."""
    return lambda values: [name for name, value in zip(names, values, strict=True) if value]


def _by_card(*meanings: str) -> Reader:
    """Cards by id; the value of the entry says where the card is."""
    return lambda values: {card: meanings[round(value) - 1] for card, value in enumerate(values.tolist()) if value}


def _space(values: NDArray[np.float64]) -> dict[str, Any]:
    """A stack of discs."""
    return {"colour": _one_of(c.COLOURS)(values[:5]), "height": _count(values[5:])}


def _slot(values: NDArray[np.float64]) -> dict[str, Any]:
    """A card of the display."""
    kinds, costs = len(c.CARD_KINDS), len(c.COSTS)
    kind, cost, secondary, (points, money) = np.split(values, [kinds, kinds + costs, len(values) - 2])
    return {
        "kind": _one_of(c.CARD_KINDS)(kind),
        "cost": _one_of(c.COSTS)(cost),
        "secondary": _one_of(c.ACTION_KINDS)(secondary),
        "points": _number(float(points)),
        "money": _number(float(money)),
    }


def _ability(values: NDArray[np.float64]) -> dict[str, Any]:
    return {"tokens": _number(float(values[0])), "usable": bool(values[1])}


def _barrier(values: NDArray[np.float64]) -> dict[str, Any]:
    return {"price": _number(float(values[0])), "can_be_taken": bool(values[1])}


def _token(values: NDArray[np.float64]) -> dict[str, Any]:
    """A space of a route; no colour if the viewer does not know it or the space is bored."""
    return {"colour": _one_of(c.COLOURS)(values[:5]), "symbol": bool(values[5])}


def _leads(values: NDArray[np.float64]) -> int:
    """A lead, as a thermometer from LEAST_LEAD; LEAST_LEAD - 1 if not even that is reached."""
    return LEAST_LEAD - 1 + _count(values)


def _keep(values: NDArray[np.float64]) -> dict[str, Any]:
    return {"colour": _one_of(c.COLOURS)(values[:5]), "kept": _number(float(values[5]))}


def _raised(*names: str) -> Reader:
    """Points, stored with POINTS_OFFSET added."""
    return lambda values: {name: round(value) - POINTS_OFFSET for name, value in zip(names, values, strict=True)}


def _shown_points(values: NDArray[np.float64]) -> dict[str, int | None]:
    """Points of the cards shown; the lowest value stands for an empty slot."""
    points = _raised(*SLOTS)(values)
    return {slot: None if n == -POINTS_OFFSET else n for slot, n in points.items()}


def _track(values: NDArray[np.float64]) -> dict[str, Any]:
    """A technology track; prices and benefits by space."""
    numbers = [round(value) for value in values.tolist()]
    last, points, rest = numbers[0], numbers[1 : c.MAX_TRACK + 2], numbers[c.MAX_TRACK + 2 :]
    return {
        "points": [n - POINTS_OFFSET for n in points[: last + 1]],
        "barriers": {space: n - 1 for space, n in enumerate(rest[: c.MAX_TRACK], 1) if n},
        "benefits": {space: c.BENEFITS[n] for space, n in enumerate(rest[c.MAX_TRACK :], 1) if n},
    }


def _printed(values: NDArray[np.float64]) -> list[dict[str, Any]]:
    """Every card of the ruleset, by id."""
    cards = [[round(value) for value in card] for card in np.split(values, c.MAX_CARDS)]
    return [
        {
            "kind": c.CARD_KINDS[kind - 1],
            "points": points - POINTS_OFFSET,
            "cost": c.COSTS[cost],
            "money": money,
            "secondary": c.ACTION_KINDS[secondary],
        }
        for kind, points, cost, money, secondary in cards
        if kind
    ]


_PLACEMENTS = _each(c.SPACES, _each(("first", "second"), _those(c.COLOURS)))
_CARDS = _numbers(*BLUE_KINDS, "all")
_DISCS = _each(c.COLOURS, _count)
_TRACKS = _each(TRACKS, _count)
_ROUTE = _in_turn(_token)
_STORED = _numbers(*c.COLOURS)

READERS: dict[str, Reader] = {
    "phase": _one_of(c.PHASES),
    "to_move": _flag,
    "side": lambda values: "france" if values[0] else "britain",
    "first_player": _flag,
    "passed": _flags(*SIDES),
    "round": _numbers("round", "empty_rounds_share"),
    "score": _numbers(*SIDES, "half_and_lead"),
    "lead_at_centre": _each(SIDES, _leads),
    "own_discs": _DISCS,
    "rival_discs": _DISCS,
    "disc_totals": _numbers("own", "rival", "own_allowance", "rival_allowance"),
    "bag": _numbers(*c.COLOURS),
    "spaces": _each(c.SPACES, _space),
    "display": _each(SLOTS, _slot),
    "unseen_cards": _by_card("discard", "deck"),
    "money_cards": _by_card("rival", "own"),
    "money": _each(SIDES, _numbers("1", "2", "3")),
    "purse": _numbers("own", "rival", "own_extra_finance", "rival_extra_finance"),
    "own_cards": _CARDS,
    "rival_cards": _CARDS,
    "own_abilities": _each(ABILITIES, _ability),
    "rival_abilities": _each(ABILITIES, _ability),
    "topographical": _each(SIDES, _those(c.COLOURS)),
    "own_tracks": _TRACKS,
    "rival_tracks": _TRACKS,
    "barriers": _each([f"{side}_{track}" for side in SIDES for track in TRACKS], _barrier),
    "own_deviation": _count,
    "rival_deviation": _count,
    "deviation_risk": _numbers(*SIDES),
    "deviation_deck": _each(c.DEVIATION_COLOURS, _numbers(*DEVIATION_VALUES)),
    "deviation_colours": _those(c.DEVIATION_COLOURS[:-1]),
    "own_tbm": _count,
    "rival_tbm": _count,
    "route_left": _numbers("own", "rival", "own_face_up", "rival_face_up"),
    "own_route": _ROUTE,
    "rival_route": _ROUTE,
    "rival_peeks": _each(SIDES, lambda values: [bool(value) for value in values]),
    "unseen_tokens": _numbers(*c.COLOURS),
    "unseen_symbols": _numbers(*c.COLOURS),
    "storage": _each(SIDES, _STORED),
    "storage_room": _numbers("own_free", "rival_free", "own", "rival"),
    "agenda_pending": _each(SIDES, _one_of(c.AGENDA_KINDS)),
    "agenda_completed": _each(SIDES, _those(c.AGENDA_KINDS)),
    "agenda_unseen": _those(c.AGENDA_KINDS),
    "agenda_drawn": _one_of(c.AGENDA_KINDS),
    "used_space": _one_of(c.SPACES),
    "action": _one_of(c.ACTION_KINDS),
    "last_action": _one_of(c.ACTION_KINDS),
    "action_slot": _one_of(SLOTS),
    "placed_rubble": _one_of(c.COLOURS),
    "keep": _keep,
    "turn_flags": _numbers("supervised", "repairs", "promotion_paid", "rival_placed_last"),
    "tunnel_risk": _numbers(*SIDES, "own_water", "rival_water"),
    "own_placements": _PLACEMENTS,
    "rival_placements": _PLACEMENTS,
    "tunnel_next": _each(SIDES, _flags("tunnel", "centre", "win")),
    "closing": _each(SIDES, _those(c.SPACES)),
    "display_points": _shown_points,
    "rule_discs": _numbers("per_colour", "hand", "keep_limit"),
    "rule_route": _numbers("length", "stored_at_start"),
    "rule_tokens": _numbers(*c.COLOURS),
    "rule_symbols": _numbers(*c.COLOURS),
    "rule_storage": _numbers(*SIDES),
    "rule_tracks": _each([f"{side}_{track}" for side in SIDES for track in TRACKS], _track),
    "rule_deviation": _numbers("limit", *(f"penalty_{n}" for n in range(c.MAX_DEVIATION + 1))),
    "rule_deviation_deck": _numbers(
        *c.DEVIATION_COLOURS, *(f"-{n}" if n else "0" for n in range(NUM_DEVIATION_VALUES))
    ),
    "rule_water": _numbers(*SIDES),
    "rule_scoring": lambda values: {
        **_raised(*SCORED)(values[: len(SCORED)]),
        **_numbers(*COUNTED)(values[len(SCORED) :]),
    },
    "rule_topographical": lambda values: [round(value) - POINTS_OFFSET for value in values],
    "rule_cards": _printed,
    "rule_agenda": lambda values: {"enabled": bool(values[0]), "points": _raised(*c.AGENDA_KINDS)(values[1:])},
    "rule_limits": _numbers("max_empty_rounds", "max_rounds"),
    "rule_switches": _numbers(*SWITCHES),
}
