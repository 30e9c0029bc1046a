"""Positions of a game: a board (see `board_positions`) with the ruleset that it is played by, at the beginning of a phase or over.

What was ordered in the running phase, and what was reported of the last one, is no part of a position.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.core import kernels as core_kernels
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.errors import PositionError, RecordError, RulesetError, StateError
from channel_tunnel_env.games.eurotunnel import board_positions
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.spec import SPEC
from channel_tunnel_env.rulesets.entry import entry_ruleset, ruleset_entry
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset

# Fields on which nothing depends that can still be decided: luck, counts, and what was reported.
_HISTORY = [
    "rng_key",
    "rng_counter",
    "seed",
    "ply",
    "ruleset",
    "told_order",
    "told_power",
    "told_type",
    "told_result",
    "held",
    "tunnel_pair",
    "tunnel_state",
]


def read_states(position: Mapping[str, Any], ruleset: AnyRuleset | None = None) -> tuple[NDArray[Any], Ruleset]:
    """The record that a position describes, an array of one, and its rules.

    Args:
        position: as `write_position` writes it, or a person (see `board_positions`).
        ruleset: replaces the one that the position names.

    Raises:
        PositionError: a key or value is wrong, or play cannot reach the position.
    """
    position = board_positions.need_position(position)
    entry, digest = position.get("ruleset", SPEC.name), position.get("ruleset_digest")
    try:
        rules = entry_ruleset(entry, ruleset, digest)
    except RulesetError as error:
        raise PositionError(str(error)) from None
    if rules.spec is not SPEC:
        raise PositionError(f"ruleset {rules.name}: it is of the game {rules.spec.name}")
    machine = machine_of(rules)
    states = board_positions.read_position(position, machine.tables)
    core_kernels.key_position(states, 0, 0)
    over = states["phase"][0] == c.OVER
    if not over and not kernels.ask_in_game(states, 0, machine.tables):
        raise PositionError("position: no power has anything to decide in this phase")
    try:
        return machine.possible_state(states), rules
    except StateError as error:
        raise PositionError(f"position: {error}") from None


def write_position(game: Game, seat: int | None = None) -> dict[str, Any]:
    """The board, centres and tunnels of a game.

    Args:
        seat: writes only what that power knows; None writes everything.
    """
    named = {"ruleset": ruleset_entry(game.ruleset), "ruleset_digest": game.ruleset.digest}
    if seat is None:
        return named | board_positions.write_position(game.states, 0)
    absent = game.ruleset.data.absent
    return named | board_positions.write_known_position(game.states, game.tables, seat, absent)


def write_start(game: Game) -> dict[str, Any]:
    """The first record of a game as a position.

    Raises:
        RecordError: the game begins in the middle of a phase, or with tunnels in other slots than those of a
            position.
    """
    start = game.start if game.start is not None else game.states
    position = board_positions.write_position(start, 0)
    again = board_positions.read_position(position, game.tables)
    if again["phase"][0] == c.OVER:
        again["to_play"] = start["to_play"]  # the power asked last, which no position says
    else:
        kernels.ask_in_game(again, 0, game.tables)
    if _what_can_be_decided(start) != _what_can_be_decided(again):
        raise RecordError(
            "this game began in the middle of a phase, or with tunnels that no position describes; "
            "a record says how a game began"
        )
    return position


def _what_can_be_decided(states: Any) -> list[Any]:
    """All of a record but its history; of the tunnels those that stand."""
    state = states[0]
    standing = np.isin(state["tunnel_state"], (c.HIDDEN, c.OPENED))
    values = [state[name].tolist() for name in state.dtype.names if name not in _HISTORY]
    kept = [np.where(standing, state[name], 0) for name in ("tunnel_state", "tunnel_pair")]
    return values + [value.tolist() for value in kept]
