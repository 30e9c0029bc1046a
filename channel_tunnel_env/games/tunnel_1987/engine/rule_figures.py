"""The rules as a seat sees them: every figure of a ruleset that play depends on, in [0, 1].

They are worked out once per ruleset and viewer, when its tables are made; an observation copies them. "own" is
the viewer's, as in every section. Figures are whole numbers times the scale of their entry; points may be
negative, so 20 is added to them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.games.tunnel_1987.engine import constants as c

POINTS_OFFSET = 20  # the lowest points of a ruleset are -20
MAX_HAND = 25
MAX_TOKENS_PER_COLOUR = 20
NUM_DEVIATION_VALUES = 10  # cards of 0, -1 ... -9
_POINTS = 1 / 60  # from -20 to 40
# Last space, points of spaces 0 to 7, prices and benefits of spaces 1 to 7.
_TRACK_SCALES = [1 / c.MAX_TRACK] + [_POINTS] * (c.MAX_TRACK + 1) + [1 / 21] * c.MAX_TRACK + [1 / 3] * c.MAX_TRACK
_CARD_SCALES = [1 / c.NUM_CARD_KINDS, 1 / 40, 1 / (len(c.COSTS) - 1), 1 / c.MAX_MONEY, 1 / 3]


class Switch(NamedTuple):
    """A field of `Tables` that a switch fills.

    Attributes:
        key: of the switch in a ruleset.
        values: of the switch; the field holds the place of its value.
    """

    key: str
    values: tuple[str | bool, ...] = (False, True)


SWITCHES = {
    "first_to_pass": Switch("first_player_card", ("last_to_pass", "first_to_pass")),
    "final_check": Switch("final_tunnel_deviation_check"),
    "machinery_same_type": Switch("heavy_machinery_same_type"),
    "without_move": Switch("technology_without_move", ("never", "when_blocked", "always")),
    "new_card_usable": Switch("new_card_usable_same_action"),
    "supervision_strict": Switch("supervision_mode", ("soft", "strict")),
    "facedown_visible": Switch("facedown_observation", ("hidden", "visible")),
    "stalemate_scored": Switch("stalemate_result", ("draw", "score")),
    "auto_forced": Switch("auto_forced"),
    "hand_capped": Switch("hand_cap", ("draw", "always")),
    "supervision_at_placement": Switch("supervision_completed", ("after_action", "at_placement")),
    "null_actions": Switch("null_actions"),
}
"""By field, in the order of the observation."""
NEVER, WHEN_BLOCKED, ALWAYS = range(3)  # values of `without_move`

SCORED = ("centre_bonus", "centre_per_rival_token", "political_duel", "european_speech", "media_relations")
"""Figures of `scoring` in points."""
COUNTED = ("european_speech_per", "extra_finance")
"""Influence cards and millions."""


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(name.replace("_", " ") for name in names)


# name, scale of every entry (or a list of them), size, meaning
RULE_SHAPES: tuple[tuple[str, float | list[float], int, str], ...] = (
    (
        "rule_discs",
        [1 / c.MAX_DISCS_PER_COLOUR, 1 / MAX_HAND, 1 / MAX_HAND],
        3,
        "discs of a colour / 5, own hand / 25, limit of kept discs / 25 (1: none)",
    ),
    ("rule_route", [1 / c.MAX_ROUTE, 1 / 3], 2, "spaces a side / 9, tokens stored at the start / 3"),
    ("rule_tokens", 1 / MAX_TOKENS_PER_COLOUR, c.NUM_COLOURS, "rubble tokens of each colour / 20"),
    ("rule_symbols", 1 / MAX_TOKENS_PER_COLOUR, c.NUM_COLOURS, "those with an agenda symbol / 20"),
    ("rule_storage", 1 / c.MAX_STORAGE, c.NUM_SEATS, "own, rival: storage spaces at the start / 6"),
    (
        "rule_tracks",
        _TRACK_SCALES * (c.NUM_SEATS * c.NUM_TRACKS),
        c.NUM_SEATS * c.NUM_TRACKS * len(_TRACK_SCALES),
        "own a, own b, rival a, rival b: last space / 7; (points + 20) / 60 of spaces 0 to 7, 0 beyond the last; "
        "(price + 1) / 21 of entering spaces 1 to 7, 0 without a barrier; their benefit / 3 (peek, disc, storage)",
    ),
    (
        "rule_deviation",
        [1 / c.MAX_DEVIATION] + [1 / 40] * (c.MAX_DEVIATION + 1),
        c.MAX_DEVIATION + 2,
        "last safe level / 7; points lost at levels 0 to 7 / 40",
    ),
    (
        "rule_deviation_deck",
        1 / c.MAX_DEVIATION_CARDS,
        len(c.DEVIATION_COLOURS) + NUM_DEVIATION_VALUES,
        "deviation cards / 24: red, green, yellow, purple, none; then those of 0, -1 ... -9",
    ),
    ("rule_water", 1 / 4, c.NUM_SEATS, "own, rival: cards drawn for water / 4"),
    (
        "rule_scoring",
        [_POINTS] * len(SCORED) + [1 / 20] * len(COUNTED),
        len(SCORED) + len(COUNTED),
        f"(points + 20) / 60: {_listed(SCORED)}; then / 20: {_listed(COUNTED)}",
    ),
    ("rule_topographical", _POINTS, c.NUM_COLOURS + 1, "(points + 20) / 60 of 0 to 5 rubble colours"),
    (
        "rule_cards",
        _CARD_SCALES * c.MAX_CARDS,
        c.MAX_CARDS * len(_CARD_SCALES),
        "by card id: (kind + 1) / 16, (points + 20) / 40, cost / 3, money / 3, secondary action / 3; 0 if there is none",
    ),
    (
        "rule_agenda",
        [1] + [_POINTS] * c.NUM_AGENDA,
        c.NUM_AGENDA + 1,
        "the agenda is in use; (points + 20) / 60 of each kind",
    ),
    ("rule_limits", [1 / 100, 1 / 200], 2, "empty rounds / 100 and rounds / 200 that stop a game"),
    (
        "rule_switches",
        [1 / (len(switch.values) - 1) for switch in SWITCHES.values()],
        len(SWITCHES),
        "first player card to the first to pass, deviation check at the centre, machinery of the same type, technology "
        "without a move (never 0, when blocked 0.5, always 1), new card usable at once, strict supervision, face-down "
        "cards visible, stopped games scored, forced decisions skipped, hand always capped, supervision completed at "
        "placement, null actions",
    ),
)


def scales_of(scale: float | list[float], size: int) -> tuple[float, ...]:
    """The scale of each entry of a section."""
    return tuple(map(float, scale)) if isinstance(scale, list) else (float(scale),) * size


RULE_SCALES = np.array([x for _, s, size, _ in RULE_SHAPES for x in scales_of(s, size)], np.float32)
RULE_SIZE = len(RULE_SCALES)


def figures_seen(row: np.record, viewer: int) -> NDArray[np.float32]:
    """The rule sections (RULE_SIZE,) of a filled record of the tables, from one seat's side."""
    parts = [
        [row.per_colour, row.hand[viewer, 1], min(int(row.keep_limit), MAX_HAND)],
        [row.route_length, row.stored_at_start],
        _by_colour(row, np.ones_like(row.token_symbol)),
        _by_colour(row, row.token_symbol),
        [row.storage[viewer], row.storage[1 - viewer]],
        *(_track(row, seat, k) for seat in (viewer, 1 - viewer) for k in range(c.NUM_TRACKS)),
        [row.deviation_limit, *row.penalties],
        _deviation_deck(row),
        [row.water_draws[viewer], row.water_draws[1 - viewer]],
        [*_points([row[name] for name in SCORED]), *(row[name] for name in COUNTED)],
        _points(row.topographical),
        _cards(row),
        [row.agenda_enabled, *_points(row.agenda_points)],
        [row.max_empty_rounds, row.max_rounds],
        [row[name] for name in SWITCHES],
    ]
    figures = np.concatenate([np.ravel(np.asarray(part, np.float32)) for part in parts])
    return np.asarray(figures * RULE_SCALES, np.float32)


def _points(points: Any) -> NDArray[np.int64]:
    return np.asarray(points, np.int64) + POINTS_OFFSET


def _by_colour(row: np.record, weights: Any) -> NDArray[np.float64]:
    """Tokens of each colour, each counted `weights` times."""
    tokens = int(row.num_tokens)
    return np.bincount(row.token_colour[:tokens], weights[:tokens], minlength=c.NUM_COLOURS)


def _track(row: np.record, seat: int, track: int) -> list[int]:
    last = int(row.track_last[seat, track])
    points = np.zeros(c.MAX_TRACK + 1, np.int64)
    points[: last + 1] = _points(row.track_points[seat, track, : last + 1])
    prices = row.barrier[seat, track, 1:] + 1  # NO_BARRIER is -1
    return [last, *points, *prices, *row.benefit[seat, track, 1:]]


def _deviation_deck(row: np.record) -> list[int]:
    size = int(row.num_deviation)
    colours = np.bincount(row.deviation_colour[:size], minlength=len(c.DEVIATION_COLOURS))
    return [*colours, *np.bincount(row.deviation_value[:size], minlength=NUM_DEVIATION_VALUES)]


def _cards(row: np.record) -> NDArray[np.int64]:
    """Figures by card id: (MAX_CARDS, 5)."""
    cards, size = np.zeros((c.MAX_CARDS, len(_CARD_SCALES)), np.int64), int(row.num_cards)
    columns = (
        row.card_kind.astype(np.int64) + 1,  # 0 stands for no card
        _points(row.card_points),
        row.card_cost,
        row.card_money,
        row.card_secondary,
    )
    for place, column in enumerate(columns):
        cards[:size, place] = column[:size]
    return cards
