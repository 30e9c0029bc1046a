"""Helpers for tests that lay out positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import yaml

from channel_tunnel_env import Game, Ruleset, load_ruleset


def rules(base: str = "standard", **switches: Any) -> Ruleset:
    """A ruleset with some switches turned."""
    return load_ruleset(base).with_values({f"switches.{k}": v for k, v in switches.items()})


def position(text: str, ruleset: str = "standard", **switches: Any) -> Game:
    """A game from a position in YAML."""
    return Game.from_position(yaml.safe_load(text) or {}, rules(ruleset, **switches))


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
