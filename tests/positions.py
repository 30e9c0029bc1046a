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
    """The record without what no rule and no reader looks at: dealt cards left in the deck's array,
    and the tokens of spaces already bored."""
    states = game._states.copy()
    states["deck"][0, int(states["deck_size"][0]) :] = 0
    for side in range(2):
        bored = int(states["tbm"][0, side])
        states["route_colour"][0, side, :bored] = 0
        states["route_symbol"][0, side, :bored] = 0
    return b"".join(np.asarray(states[name]).tobytes() for name in states.dtype.names)


def differing_fields(a: Game, b: Game) -> list[str]:
    """Names of the record's fields that differ."""
    return [f for f in a._states.dtype.names if np.any(a._states[f] != b._states[f])]
