"""Rulesets around those of 1987 Channel Tunnel: how far every figure goes, and what changes as a whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import numpy as np

from channel_tunnel_agents.games.tunnel_1987 import ruleset_themes as wide
from channel_tunnel_agents.games.tunnel_1987.ruleset_themes import (
    KEPT,
    RULINGS,
    THEMES,
    count_cards,
    fit_symbols,
    one_of,
    up_to,
)
from channel_tunnel_agents.rulesets.space import Numbers, Plain, RulesetSpace, WordValues
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.ruleset import Card

MOST_TOKENS = 8  # of a colour
SPACES = Numbers(4, 8)  # of a technology track, the start included
LENGTH, STORED = Numbers(6, 9, turned=False), Numbers(0, 2, turned=False)
SYMBOLS = Numbers(0, 3, turned=False)
LIMIT, PENALTY = Numbers(2, 6, turned=False), Numbers(0, 10)
DECK, DEVIATION_DECK = Numbers(27, 38, turned=False), (6, 14)
_COLOURED = ("red0", "red-1", "green0", "green-1", "yellow0", "yellow-1", "purple0", "purple-1")
DEVIATION_CARDS = (*_COLOURED, "none0", "none-1", "none-2", "none-3", "red-2", "green-2")
_SECONDARY = get_args(Card.model_fields["secondary"].annotation)
_SWITCHES = {rf"switches\.{name}": WordValues(values) for name, values in RULINGS.items()} | {
    rf"switches\.{KEPT}": WordValues((True,), turned=False)
}

FIGURES: dict[str, Numbers | WordValues] = {
    r"discs\.per_colour": Numbers(3, 5),
    r"discs\.hand": wide.HANDS,
    r"discs\.keep_limit": WordValues((None, 0, 2, 4, 6, 8, 10)),
    r"route\.length": wide.ROUTES,
    r"rubble\.tokens\.\w+": Numbers(0, wide.MOST_TOKENS, turned=False),
    r"rubble\.stored_at_start": wide.STORED,
    r"rubble\.agenda_symbols\.\w+": SYMBOLS,
    r"storage\.\w+": Numbers(1, 5),
    r"track_points\.\w+\.[ab]\.\d": Numbers(0, wide.MOST_TRACK),
    r"barrier_spaces\.\w+\.[ab]\.\d": Numbers(1, 7),
    r"barriers\.\w+\.[ab]\.\d": Numbers(0, wide.MOST_PRICE),
    r"benefits\.\w+\.[ab]\.\d": WordValues(tuple(c.BENEFITS[c.NO_BENEFIT + 1 :])),
    r"deviation\.limit": Numbers(1, c.MAX_DEVIATION, turned=False),
    r"deviation\.penalties\.\d": Numbers(0, wide.MOST_PENALTY),
    r"deviation\.cards\.\d+": WordValues(DEVIATION_CARDS),
    r"deviation\.water_draws\.\w+": Numbers(0, 4),
    r"scoring\.centre_bonus": Numbers(0, wide.MOST_BONUS),
    r"scoring\.centre_per_rival_token": Numbers(0, 6),
    r"scoring\.political_duel": Numbers(0, 12),
    r"scoring\.european_speech": Numbers(0, 6),
    r"scoring\.european_speech_per": Numbers(1, 5),
    r"scoring\.media_relations": Numbers(0, 12),
    r"scoring\.topographical_analysis\.\d": Numbers(0, 40),
    r"extra_finance": Numbers(1, 12),
    r"deck\.size": Numbers(20, 38, turned=False),
    r"deck\.influence_cards": Numbers(2, 13, turned=False),
    r"deck\.cards\.\w+\.kind": WordValues(c.CARD_KINDS, turned=False),
    r"deck\.cards\.\w+\.points": Numbers(-1, 10),
    r"deck\.cards\.\w+\.cost": WordValues(c.COSTS, turned=False),
    r"deck\.cards\.\w+\.money": Numbers(1, c.MAX_MONEY),
    r"deck\.cards\.\w+\.secondary": WordValues(_SECONDARY),
    r"agenda\.enabled": WordValues((False, True)),
    r"agenda\.points\.\w+": Numbers(0, 10),
    r"limits\.max_empty_rounds": Numbers(2, 6),
    r"limits\.max_rounds": Numbers(40, 80),
    **_SWITCHES,
    r"head_start\.allowance\.\w+": wide.ALLOWANCES,
    r"head_start\.first_discs\.\w+": Numbers(-4, 4),
    r"head_start\.money_cards\.\w+": Numbers(0, 3),
    r"head_start\.points\.\w+": Numbers(-12, 12),
}


def _tracks(plain: Plain, figure: str) -> list[tuple[dict[str, Any], str]]:
    """The four technology tracks' entries of a figure: (its board's, "a" or "b")."""
    return [(plain[figure][side], track) for side in c.SEATS for track in "ab"]


def change_route(plain: Plain, rng: np.random.Generator) -> None:
    """Another length and other tokens stored at the start; tokens are added or taken one by one."""
    plain["route"]["length"] = length = up_to(rng, LENGTH.low, LENGTH.high)
    plain["rubble"]["stored_at_start"] = stored = up_to(rng, STORED.low, STORED.high)
    tokens = plain["rubble"]["tokens"]
    while sum(tokens.values()) != 2 * (length + stored):
        step = 1 if sum(tokens.values()) < 2 * (length + stored) else -1
        colour = one_of(rng, c.COLOURS)
        tokens[colour] = min(max(tokens[colour] + step, 0), MOST_TOKENS)
    fit_symbols(plain)


def move_tokens(plain: Plain, rng: np.random.Generator) -> None:
    """Up to three tokens become others of another colour."""
    tokens = plain["rubble"]["tokens"]
    for _ in range(1 + int(rng.integers(3))):
        one, other = rng.permutation(c.COLOURS)[:2].tolist()
        if tokens[one] > 0 and tokens[other] < MOST_TOKENS:
            tokens[one] -= 1
            tokens[other] += 1
    fit_symbols(plain)


def change_symbols(plain: Plain, rng: np.random.Generator) -> None:
    """Two colours get other numbers of tokens with the agenda symbol."""
    for _ in range(2):
        plain["rubble"]["agenda_symbols"][one_of(rng, c.COLOURS)] = up_to(rng, SYMBOLS.low, SYMBOLS.high)
    fit_symbols(plain)


def change_tracks(plain: Plain, rng: np.random.Generator) -> None:
    """One track gets a space more or loses its last one."""
    board, track = one_of(rng, _tracks(plain, "track_points"))
    points = board[track]
    if rng.random() < 0.5 and len(points) < SPACES.high:
        points.append(points[-1] + 1 + int(rng.integers(4)))
    elif len(points) > SPACES.low:
        points.pop()


def move_barriers(plain: Plain, rng: np.random.Generator) -> None:
    """One track gets other barriers: none to three, at any space."""
    place = int(rng.integers(4))
    (spaces, track), (prices, _) = (_tracks(plain, name)[place] for name in ("barrier_spaces", "barriers"))
    last = len(_tracks(plain, "track_points")[place][0][track]) - 1
    count = int(rng.integers(4))
    spaces[track] = sorted((1 + rng.permutation(last)[:count]).tolist())
    prices[track] = [up_to(rng, 0, 6) for _ in spaces[track]]


def move_benefits(plain: Plain, rng: np.random.Generator) -> None:
    """One track gets other benefits: none to three, at any space."""
    place = int(rng.integers(4))
    benefits, track = _tracks(plain, "benefits")[place]
    last = len(_tracks(plain, "track_points")[place][0][track]) - 1
    spaces = sorted((1 + rng.permutation(last)[: int(rng.integers(4))]).tolist())
    benefits[track] = {space: one_of(rng, c.BENEFITS[c.NO_BENEFIT + 1 :]) for space in spaces}


def change_limit(plain: Plain, rng: np.random.Generator) -> None:
    """Another last safe level of deviation; levels that are added cost a point more each."""
    deviation = plain["deviation"]
    deviation["limit"] = limit = up_to(rng, LIMIT.low, LIMIT.high)
    penalties = deviation["penalties"][: limit + 1]
    while len(penalties) <= limit:
        penalties.append(min(penalties[-1] + 1, PENALTY.high))
    deviation["penalties"] = penalties


def change_deviation_deck(plain: Plain, rng: np.random.Generator) -> None:
    """Up to four deviation cards more or less."""
    cards = plain["deviation"]["cards"]
    for _ in range(1 + int(rng.integers(4))):
        if rng.random() < 0.5 and len(cards) < DEVIATION_DECK[1]:
            cards.append(one_of(rng, DEVIATION_CARDS))
        elif len(cards) > DEVIATION_DECK[0]:
            cards.pop(int(rng.integers(len(cards))))


def change_costs(plain: Plain, rng: np.random.Generator) -> None:
    """A third of the cards cost what others of their family may cost."""
    for card in plain["deck"]["cards"]:
        kind = c.CARD_KINDS.index(card["kind"])
        if rng.random() < 1 / 3 and kind != c.TOPOGRAPHICAL_ANALYSIS:
            allowed = (c.PLACE_1, c.PLACE_1_OR_2) if kind >= c.FIRST_ABILITY else (c.FREE, c.DISCARD_1)
            card["cost"] = c.COSTS[one_of(rng, allowed)]


def change_deck(plain: Plain, rng: np.random.Generator) -> None:
    """Up to three playing cards are taken out or doubled."""
    cards = plain["deck"]["cards"]
    for number in range(1 + int(rng.integers(3))):
        place = int(rng.integers(len(cards)))
        if rng.random() < 0.5 and len(cards) < DECK.high:
            again = cards[place]
            cards.append(again | {"card": f"{again['card'][:90]}_again_{number}"})
        elif len(cards) > DECK.low:
            cards.pop(place)
    count_cards(plain)


TRACK_SPACE = RulesetSpace(
    game="tunnel_1987",
    version=2,
    bases=("standard", "agenda"),
    figures=FIGURES,
    names=(r"deck\.cards\.\w+\.(card|name)",),
    reshapes=(
        change_route,
        move_tokens,
        change_symbols,
        change_tracks,
        move_barriers,
        move_benefits,
        change_limit,
        change_deviation_deck,
        change_deck,
        change_costs,
    ),
    themes=THEMES,
)
"""What `rules-v1` is drawn from: two thirds of the draws pay nearly as much for tracks and rubble as the box does."""

SPACE = replace(TRACK_SPACE, version=3, more_themes=(0.6, 0.9), earlier=(TRACK_SPACE,))
"""What a policy for all rulesets is trained on."""
