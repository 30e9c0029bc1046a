"""What designers change together: themes that move many figures of 1987 Channel Tunnel at once.

A designer who wants a shorter game cuts the route and the tracks; one who wants politics raises duels, speeches and
media and lowers tracks. Figures turned one by one never make such rulesets, so each theme here makes one idea of them,
weak or strong. Each changes a plain ruleset in place; what does not go together is refused by the ruleset's own checks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import numpy as np

from channel_tunnel_agents.rulesets.space import Numbers, Plain
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.ruleset import Switches

KEPT = "auto_forced"  # a switch of the environment, which changes no game and stays on
RULINGS: dict[str, tuple[Any, ...]] = {
    name: get_args(field.annotation) or (False, True) for name, field in Switches.model_fields.items()
}
"""Every switch and its values."""


def one_of(rng: np.random.Generator, choices: Any) -> Any:
    """Any of some choices."""
    return choices[int(rng.integers(len(choices)))]


def fit_symbols(plain: Plain) -> None:
    """No more symbols than tokens."""
    rubble = plain["rubble"]
    for colour, tokens in rubble["tokens"].items():
        rubble["agenda_symbols"][colour] = min(rubble["agenda_symbols"][colour], tokens)


def count_cards(plain: Plain) -> None:
    """The sizes that the deck states are those of its list."""
    cards = plain["deck"]["cards"]
    plain["deck"]["size"] = len(cards)
    influence = sum(card["kind"] == c.CARD_KINDS[c.EUROPEAN_INFLUENCE] for card in cards)
    plain["deck"]["influence_cards"] = influence


Rng = np.random.Generator
MOST_TRACK = 30  # points of a space
MOST_PRICE = 12  # of a barrier
MOST_PENALTY = 16
MOST_BONUS = 20  # for the centre
MOST_TOKENS = 16  # of a colour
HANDS, ALLOWANCES = Numbers(5, 18), Numbers(-5, 5)
ROUTES, STORED = Numbers(3, c.MAX_ROUTE, turned=False), Numbers(0, 3, turned=False)
TRACK_SPACES = Numbers(3, 8)  # the start included
HEAVY_CARDS = ("none-2", "none-3", "red-2", "green-2", "none-1")
LIGHT_CARDS = ("none0", "red0", "green0", "yellow0", "purple0")


def up_to(rng: Rng, low: int, high: int) -> int:
    """A whole number from `low` to `high`."""
    return int(rng.integers(low, high + 1))


def _sides(rng: Rng) -> tuple[str, ...]:
    """Both countries, twice as often as one of them."""
    sides: tuple[str, ...] = one_of(rng, (c.SEATS, c.SEATS, c.SEATS[:1], c.SEATS[1:]))
    return sides


def _scaled(value: int, by: float, most: int) -> int:
    return min(int(value * by + 0.5), most)


def scale_tracks(plain: Plain, rng: Rng) -> None:
    """All track points become none, a fraction or a multiple."""
    by = one_of(rng, (0, 0.25, 0.5, 0.5, 1.5, 2, 2, 3))
    for side in _sides(rng):
        for track, points in plain["track_points"][side].items():
            plain["track_points"][side][track] = [_scaled(p, by, MOST_TRACK) for p in points]


def shape_tracks(plain: Plain, rng: Rng) -> None:
    """Tracks rise evenly, early, or pay only on the last space."""
    shape = one_of(rng, ("even", "early", "last"))
    top = up_to(rng, 2, 16)
    for side in _sides(rng):
        for track, points in plain["track_points"][side].items():
            last = max(len(points) - 1, 1)
            rise = {"even": 1.0, "early": 0.4, "last": 50.0}[shape]
            plain["track_points"][side][track] = [round(top * (space / last) ** rise) for space in range(len(points))]


def cut_tracks(plain: Plain, rng: Rng) -> None:
    """All tracks get the same number of spaces, few or many; what lay beyond is gone."""
    spaces = up_to(rng, TRACK_SPACES.low, TRACK_SPACES.high)
    for side in c.SEATS:
        for track, points in plain["track_points"][side].items():
            rise = max(points[-1] - points[-2], 1) if len(points) > 1 else 1
            while len(points) < spaces:
                points.append(min(points[-1] + rise, MOST_TRACK))
            del points[spaces:]
            _drop_beyond(plain, side, track, spaces - 1)


def _drop_beyond(plain: Plain, side: str, track: str, last: int) -> None:
    """Take barriers and benefits off spaces that are gone."""
    pairs = zip(plain["barrier_spaces"][side][track], plain["barriers"][side][track], strict=True)
    kept = [(space, price) for space, price in pairs if space <= last]
    plain["barrier_spaces"][side][track] = [space for space, _ in kept]
    plain["barriers"][side][track] = [price for _, price in kept]
    benefits = plain["benefits"][side][track]
    plain["benefits"][side][track] = {s: what for s, what in benefits.items() if s <= last}


def set_route(plain: Plain, rng: Rng) -> None:
    """A short or long route with its tokens; colours stay about as even as they were."""
    length, stored = up_to(rng, ROUTES.low, ROUTES.high), up_to(rng, STORED.low, STORED.high)
    plain["route"]["length"] = length
    plain["rubble"]["stored_at_start"] = min(stored, *plain["storage"].values())
    _fit_tokens(plain, np.ones(len(c.COLOURS)))


def skew_rubble(plain: Plain, rng: Rng) -> None:
    """A few colours hold most of the tokens."""
    _fit_tokens(plain, rng.dirichlet(np.full(len(c.COLOURS), 0.6)) + 0.02)


def _fit_tokens(plain: Plain, weights: Any) -> None:
    """As many tokens as route and storages hold, by the colours' weights."""
    rubble = plain["rubble"]
    total = 2 * (plain["route"]["length"] + rubble["stored_at_start"])
    shares = total * weights / weights.sum()
    counts = np.floor(shares).astype(int)
    for colour in np.argsort(counts - shares, kind="stable")[: total - counts.sum()]:
        counts[colour] += 1
    rubble["tokens"] = dict(zip(c.COLOURS, np.minimum(counts, MOST_TOKENS).tolist(), strict=True))
    fit_symbols(plain)


def set_barriers(plain: Plain, rng: Rng) -> None:
    """No barriers, dear ones, cheap ones, or one before every second space."""
    way = one_of(rng, ("none", "dear", "cheap", "many"))
    more = up_to(rng, 2, 6)
    for side in _sides(rng):
        for track, prices in plain["barriers"][side].items():
            spaces = plain["barrier_spaces"][side][track]
            if way == "none":
                spaces, prices = [], []
            elif way == "many":
                spaces = list(range(1, len(plain["track_points"][side][track]), 2))
                prices = [up_to(rng, 1, 4) for _ in spaces]
            elif way == "cheap":
                prices = [price // 2 for price in prices]
            else:
                prices = [min(price + more, MOST_PRICE) for price in prices]
            plain["barrier_spaces"][side][track] = spaces
            plain["barriers"][side][track] = prices


def set_money(plain: Plain, rng: Rng) -> None:
    """Poor or rich: the money of all cards, and what Extra finance brings."""
    poor = rng.random() < 0.5
    money = 1 if poor else one_of(rng, (2, c.MAX_MONEY))
    for card in plain["deck"]["cards"]:
        if rng.random() < 0.8:
            card["money"] = money
    plain["extra_finance"] = up_to(rng, 1, 3) if poor else up_to(rng, 4, 12)


def set_deviation(plain: Plain, rng: Rng) -> None:
    """Digging off course is harmless or dangerous: limit, penalties, cards and water together."""
    deviation = plain["deviation"]
    if rng.random() < 0.4:
        limit, rise, cards, water = up_to(rng, 5, c.MAX_DEVIATION), 0, LIGHT_CARDS, (0, 1)
    else:
        limit, rise, cards, water = up_to(rng, 1, 4), up_to(rng, 1, 4), HEAVY_CARDS, (1, 4)
    deviation["limit"] = limit
    deviation["penalties"] = [min(rise * level, MOST_PENALTY) for level in range(limit + 1)]
    for _ in range(up_to(rng, 0, 5)):
        deviation["cards"][up_to(rng, 0, len(deviation["cards"]) - 1)] = one_of(rng, cards)
    if rng.random() < 0.5:
        deviation["water_draws"] = {side: up_to(rng, *water) for side in c.SEATS}


def set_politics(plain: Plain, rng: Rng) -> None:
    """Blue cards decide: duels, speeches, media and the points of influence."""
    scoring = plain["scoring"]
    scoring["political_duel"] = up_to(rng, 3, 12)
    scoring["european_speech"] = up_to(rng, 1, 5)
    scoring["european_speech_per"] = up_to(rng, 1, 2)
    scoring["media_relations"] = up_to(rng, 2, 12)
    if rng.random() < 0.5:
        more = up_to(rng, 1, 3)
        for card in plain["deck"]["cards"]:
            if card["kind"] == c.CARD_KINDS[c.EUROPEAN_INFLUENCE]:
                card["points"] += more


def scale_cards(plain: Plain, rng: Rng) -> None:
    """Cards print no points, or more."""
    by, more = one_of(rng, ((0, 0), (1, 1), (2, 0), (2, 1), (1, 3)))
    for card in plain["deck"]["cards"]:
        if card["points"] > 0:
            card["points"] = min(card["points"] * by + more, 10)


def scale_analysis(plain: Plain, rng: Rng) -> None:
    """Topographical analysis pays little or much."""
    by = one_of(rng, (0, 0.3, 0.6, 1.5, 2, 2.5))
    points = plain["scoring"]["topographical_analysis"]
    plain["scoring"]["topographical_analysis"] = [_scaled(p, by, 40) for p in points]


def set_centre(plain: Plain, rng: Rng) -> None:
    """Reaching the centre is worth nothing, or nearly the game."""
    plain["scoring"]["centre_bonus"] = one_of(rng, (0, 5, 8, 12, MOST_BONUS))
    plain["scoring"]["centre_per_rival_token"] = up_to(rng, 0, 5)


def set_hands(plain: Plain, rng: Rng) -> None:
    """Few or many discs a round, of more or fewer discs in all."""
    discs = plain["discs"]
    discs["per_colour"] = up_to(rng, 3, 5)
    discs["hand"] = up_to(rng, HANDS.low, HANDS.high)
    discs["keep_limit"] = one_of(rng, (None, None, 0, 2, 6))


def set_storage(plain: Plain, rng: Rng) -> None:
    """Both countries store little or much, or only one does."""
    plain["storage"] = {side: up_to(rng, 1, 5) for side in c.SEATS}
    stored = plain["rubble"]["stored_at_start"]
    if stored > min(plain["storage"].values()):
        plain["storage"] = dict.fromkeys(c.SEATS, max(stored, 1))


def favour_one(plain: Plain, rng: Rng) -> None:
    """One country has clearly more: discs, points, money, free barriers or better tracks."""
    side, other = rng.permutation(c.SEATS).tolist()
    start = plain["head_start"]
    for _ in range(up_to(rng, 1, 3)):
        match up_to(rng, 0, 4):
            case 0:
                start["allowance"] = {side: up_to(rng, 0, 3), other: up_to(rng, -4, 0)}
            case 1:
                start["points"] = {side: up_to(rng, 2, 12), other: 0}
            case 2:
                start["money_cards"] = {side: up_to(rng, 1, 3), other: 0}
            case 3:
                for track in "ab":
                    plain["barrier_spaces"][side][track] = []
                    plain["barriers"][side][track] = []
            case _:
                by = one_of(rng, (1.5, 2, 3))
                for track, points in plain["track_points"][side].items():
                    scaled = [_scaled(p, by, MOST_TRACK) for p in points]
                    plain["track_points"][side][track] = scaled


def kill_features(plain: Plain, rng: Rng) -> None:
    """Some parts of the game are worth nothing."""
    scoring = plain["scoring"]
    for name in ("political_duel", "european_speech", "media_relations", "centre_bonus"):
        if rng.random() < 0.4:
            scoring[name] = 0
    if rng.random() < 0.4:
        scoring["centre_per_rival_token"] = 0
    if rng.random() < 0.4:
        scoring["topographical_analysis"] = [0] * 6
    if rng.random() < 0.4:
        for side in c.SEATS:
            plain["benefits"][side] = {"a": {}, "b": {}}


def set_benefits(plain: Plain, rng: Rng) -> None:
    """Every second space of the tracks, or more, gives a benefit."""
    what = [one_of(rng, c.BENEFITS[c.NO_BENEFIT + 1 :]) for _ in range(2)]
    for side in _sides(rng):
        for track, points in plain["track_points"][side].items():
            spaces = [s for s in range(1, len(points)) if rng.random() < 0.6]
            plain["benefits"][side][track] = {s: one_of(rng, what) for s in spaces}


def set_agenda(plain: Plain, rng: Rng) -> None:
    """The expansion is on, its cards worth little or much, its symbols frequent."""
    plain["agenda"]["enabled"] = True
    top = one_of(rng, (1, 4, 10))
    points = plain["agenda"]["points"]
    plain["agenda"]["points"] = {name: up_to(rng, 0, top) for name in points}
    for colour, tokens in plain["rubble"]["tokens"].items():
        plain["rubble"]["agenda_symbols"][colour] = min(up_to(rng, 0, 3), tokens)


def set_switches(plain: Plain, rng: Rng) -> None:
    """Several rulings at once."""
    switches = plain["switches"]
    for name, values in RULINGS.items():
        if name != KEPT and rng.random() < 0.4:
            switches[name] = one_of(rng, values)


def thin_deck(plain: Plain, rng: Rng) -> None:
    """A family of cards is rare: some of it leaves the deck."""
    cards = plain["deck"]["cards"]
    influence, analysis = c.CARD_KINDS[c.EUROPEAN_INFLUENCE], c.CARD_KINDS[c.TOPOGRAPHICAL_ANALYSIS]
    family = one_of(rng, ("influence", "analysis", "abilities"))
    kinds = {"influence": {influence}, "analysis": {analysis}}.get(
        family, {card["kind"] for card in cards} - {influence, analysis}
    )
    of_family = [card for card in cards if card["kind"] in kinds]
    gone = {card["card"] for card in of_family if rng.random() < 0.4}
    plain["deck"]["cards"] = [card for card in cards if card["card"] not in gone]
    count_cards(plain)


THEMES: tuple[Callable[[Plain, Rng], None], ...] = (
    scale_tracks,
    shape_tracks,
    cut_tracks,
    set_route,
    skew_rubble,
    set_barriers,
    set_money,
    set_deviation,
    set_politics,
    scale_cards,
    scale_analysis,
    set_centre,
    set_hands,
    set_storage,
    favour_one,
    kill_features,
    set_benefits,
    set_agenda,
    set_switches,
    thin_deck,
)
