"""Helpers for tests that lay out positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import yaml

from channel_tunnel_env import Game, Ruleset, load_ruleset
from tests.random_games import walk


def rules(base: str = "standard", **switches: Any) -> Ruleset:
    """A ruleset with some switches turned, or other figures by their dotted keys."""
    return load_ruleset(base).with_values({k if "." in k else f"switches.{k}": v for k, v in switches.items()})


def position(text: str, ruleset: str = "standard", **switches: Any) -> Game:
    """A game from a position in YAML."""
    return Game.from_position(yaml.safe_load(text) or {}, rules(ruleset, **switches))


SIDES = pytest.mark.parametrize(("me", "rival"), [("britain", "france"), ("france", "britain")])


def built(cards: str) -> str:
    """Developed cards, their rubble and whether they are used, in YAML, from "exchange_1:blue,blue new_workers_1::used"."""
    entries = []
    for card in cards.split():
        key, rubble, used = (card + "::").split(":")[:3]
        entries.append(f"{{card: {key}, rubble: [{rubble}], used: {bool(used)}}}")
    return f"cards: [{', '.join(entries)}]"


def turn(
    discs: str,
    own: str = "",
    table: str = "",
    *,
    cards: str = "",
    theirs: str = "discs: {blue: 2}, storage: []",
    me: str = "britain",
    base: str = "standard",
    **switches: Any,
) -> Game:
    """The turn of `me`, who holds these discs, as "white: 2, black: 3", in an otherwise fresh position.

    `own`, `theirs` and `table` say more of both sides and of the table, in YAML; `cards` are those of `built`.
    """
    rival = "france" if me == "britain" else "britain"
    mine = f"discs: {{{discs}}}, {built(cards)}, {own}"
    return position(f"{{to_play: {me}, {me}: {{{mine}}}, {rival}: {{{theirs}}}, {table}}}", base, **switches)


def met(name: str, seed: int = 0, games: int = 2, every: int = 1) -> list[Game]:
    """Positions of random games that reach all phases, the last of each game included."""
    found = []
    for i in range(games):
        game = Game(name, seed + i)
        for number in walk(game, seed + i, eager=i % 2 == 0):
            if number % every == 0 or game.is_over:
                found.append(game.clone())
    return found


def record_bytes(game: Game) -> bytes:
    """Every field of the record; the padding between them is left out."""
    return b"".join(np.asarray(game._states[name]).tobytes() for name in game._states.dtype.names)


def differing_fields(a: Game, b: Game) -> list[str]:
    """Names of the record's fields that differ."""
    return [f for f in a._states.dtype.names if np.any(a._states[f] != b._states[f])]


def side(game: Game, name: str = "britain") -> dict[str, Any]:
    """What lies before a player, in names."""
    return game.to_position()[name]


def area(game: Game, name: str = "britain") -> dict[str, int]:
    """A player's discs by colour."""
    return side(game, name)["discs"]


def held(game: Game, name: str = "britain") -> int:
    """Number of discs in a player's area."""
    return sum(area(game, name).values())


def spaces(game: Game) -> dict[str, dict[str, int]]:
    """The stacks on the table."""
    return game.to_position()["spaces"]


def legal(game: Game, *words: str) -> list[str]:
    """The legal actions that hold all of these words."""
    return [a for a in game.legal_actions() if set(words) <= set(a.split())]


def card(game: Game, key: str, name: str = "britain") -> dict[str, Any]:
    """A developed card of a player: its rubble, and whether it was used."""
    return next(entry for entry in side(game, name)["cards"] if entry["card"] == key)


def other_cards(*named: str) -> str:
    """Every other playing card, as a YAML list: to empty the deck."""
    keys = [key for key in load_ruleset("standard").card_keys if key not in named]
    return "[" + ", ".join(keys) + "]"


def play(game: Game, *actions: str) -> Game:
    """Take some actions one after the other."""
    for action in actions:
        game.play(action)
    return game


def end_round(game: Game) -> Game:
    """Pass, and keep nothing, until the round or the game has ended."""
    begun = game.round
    while game.round == begun and not game.is_over:
        play(game, "pass" if "pass" in game.legal_actions() else game.legal_actions()[0])
    return game
