"""Positions as plain data (YAML, JSON): written from a game, and read back.

    read_states:  dict -> schema (shape) -> layout (pieces) -> the record of a game

A position written without a viewer holds everything, including hidden orders and random streams, so
reading it back gives the same record. With a viewer it holds only what that seat knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from channel_tunnel_env.core import kernels
from channel_tunnel_env.core.machine import fault_words
from channel_tunnel_env.errors import PositionError, RulesetError
from channel_tunnel_env.game import first_record
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.invariants import find_faults
from channel_tunnel_env.games.tunnel_1987.engine.state import new_states
from channel_tunnel_env.games.tunnel_1987.engine.tables import deviation_names
from channel_tunnel_env.games.tunnel_1987.game import Game, tables_of
from channel_tunnel_env.games.tunnel_1987.positions.layout import TALLIES, Layout, was_placed
from channel_tunnel_env.games.tunnel_1987.positions.schema import SLOTS, parse_position
from channel_tunnel_env.games.tunnel_1987.spec import SPEC
from channel_tunnel_env.rulesets.entry import entry_ruleset, ruleset_entry
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset, load_ruleset


def read_states(position: Mapping[str, Any], ruleset: AnyRuleset | None = None) -> tuple[np.ndarray, Ruleset]:
    """The record that a position describes (an array of one, no decision resolved) and its rules.

    Args:
        position: see `schema.Position`; missing keys mean "as at the start of a game".
        ruleset: replaces the one that the position names.

    Raises:
        PositionError: unknown keys, values out of range, pieces that do not add up, or a position that
            play cannot reach.
    """
    data = parse_position(position)
    try:
        named = entry_ruleset(data.ruleset, ruleset, data.ruleset_digest)
        rules = load_ruleset(named, game=SPEC.name)
    except RulesetError as error:
        raise PositionError(str(error)) from None
    luck, tables = new_states(1), tables_of(rules)
    kernels.key_position(luck, 0, data.seed)
    states = Layout(data, rules, tables[0], luck["rng_key"][0]).states
    code = int(find_faults(states, tables)[0])
    if code:
        raise PositionError(f"not a possible position: {fault_words(SPEC, code)}")
    return states, rules


def write_position(game: Game, seat: int | None = None) -> dict[str, Any]:
    """The position of a game as dicts, lists, text and numbers.

    Args:
        game: any game.
        seat: writes only what it knows; None writes everything.
    """
    return write_state(game.state, game.ruleset, seat)


def write_start(game: Game) -> dict[str, Any]:
    """The first record of a game as a position.

    Raises:
        RecordError: the game was dealt from its seed.
    """
    return write_state(first_record(game), game.ruleset)


def write_state(state: Any, ruleset: Ruleset, viewer: int | None = None) -> dict[str, Any]:
    """`write_position` of a record (see `engine.state`)."""
    keys = ruleset.card_keys
    position: dict[str, Any] = {"ruleset": ruleset_entry(ruleset), "ruleset_digest": ruleset.digest}
    if viewer is None:
        position["seed"] = int(state.seed)
    position |= _write_round(state)
    position |= _write_table(state, keys, viewer)
    position |= _write_deviation(state, deviation_names(ruleset), viewer)
    if ruleset.data.agenda.enabled:
        position |= _write_agenda(state, viewer)
    if viewer is not None:
        position["unseen_tokens"] = _unseen(state, viewer, ruleset.data.route.length)
    for seat, side in enumerate(c.SEATS):
        position[side] = _write_side(state, seat, viewer, ruleset)
    position |= _write_turn(state, keys)
    if viewer is None:
        position["streams"] = {
            name: [int(state.rng_key[i]), int(state.rng_counter[i])] for i, name in enumerate(c.STREAMS)
        }
    tallies = {name: np.asarray(state[name]).tolist() for name in TALLIES}
    new = {"leader": c.DRAW}
    position["tallies"] = {k: v for k, v in tallies.items() if np.any(np.array(v) != new.get(k, 0))}
    return position


def _counts(counts: Any) -> dict[str, int]:
    return {colour: int(n) for colour, n in zip(c.COLOURS, counts, strict=True) if n}


def _names(mask: int, names: list[str] | tuple[str, ...]) -> list[str]:
    return [name for i, name in enumerate(names) if int(mask) >> i & 1]


def _name(index: int, names: list[str] | tuple[str, ...]) -> str | None:
    return names[int(index)] if index >= 0 else None


def _write_round(state: Any) -> dict[str, Any]:
    entries: dict[str, Any] = {
        "round": int(state.round_no),
        "to_play": c.SEATS[int(state.to_play)],
        "first_player": c.SEATS[int(state.first_player)],
        "passed": [side for seat, side in enumerate(c.SEATS) if state.passed[seat]],
        "previous": _name(state.previous, c.SEATS),
        "empty_rounds": int(state.empty_rounds),
    }
    if int(state.round_placed) != was_placed(state):
        entries["round_placed"] = bool(state.round_placed)
    return entries


def _write_table(state: Any, keys: list[str], viewer: int | None) -> dict[str, Any]:
    entries: dict[str, Any] = {
        "spaces": {
            name: {c.COLOURS[int(state.stack_colour[space])]: int(state.stack_height[space])}
            for space, name in enumerate(c.SPACES)
            if state.stack_height[space] or state.stack_colour[space]
        },
        "display": [_name(card, keys) for card in state.slots],
    }
    if viewer is None:
        entries["deck"] = [keys[i] for i in reversed(state.deck[: int(state.deck_size)])]
    entries["discard"] = _names(state.discard, keys)
    entries["bag"] = {colour: int(n) for colour, n in zip(c.COLOURS, state.bag, strict=True)}
    entries["out_of_game"] = _counts(state.out_of_game)
    return entries


def _write_deviation(state: Any, names: list[str], viewer: int | None) -> dict[str, Any]:
    drawn = int(state.deviation_drawn)
    cards = [names[int(i)] for i in state.deviation_deck[: len(names)]]
    deck = {"deviation_deck": cards[drawn:]} if viewer is None else {}
    return {**deck, "deviation_discard": cards[:drawn]}


def _write_agenda(state: Any, viewer: int | None) -> dict[str, Any]:
    cards = [c.AGENDA_KINDS[int(i)] for i in state.agenda_deck]
    drawn = cards[: int(state.agenda_drawn)]
    held = int(state.agenda_completed[0]) | int(state.agenda_completed[1])
    for kind in (*state.agenda_pending, state.agenda_card):
        held |= 1 << int(kind) if kind >= 0 else 0
    entries: dict[str, Any] = {}
    if viewer is None:
        entries["agenda_deck"] = cards[len(drawn) :]
    entries["agenda_discard"] = [k for k in drawn if not held >> c.AGENDA_KINDS.index(k) & 1]
    entries["agenda_drawn"] = drawn
    return entries


def _token(state: Any, side: int, index: int) -> str:
    return c.COLOURS[int(state.route_colour[side, index])] + "*" * int(state.route_symbol[side, index])


def _unseen(state: Any, viewer: int, length: int) -> list[str]:
    """The face-down tokens that a seat did not peek at, sorted: it knows them by elimination."""
    return sorted(
        _token(state, side, index)
        for side in range(len(c.SEATS))
        for index in range(int(state.revealed[side]), length)
        if not int(state.peeked[viewer, side]) >> index & 1
    )


def _write_route(state: Any, side: int, viewer: int | None, length: int) -> list[str]:
    route = []
    for index in range(int(state.tbm[side]), length):
        name = _token(state, side, index)
        if index >= state.revealed[side]:
            known = viewer is None or int(state.peeked[viewer, side]) >> index & 1
            name = f"?{name}" if known else "?"
        route.append(name)
    return route


def _write_side(state: Any, seat: int, viewer: int | None, ruleset: Ruleset) -> dict[str, Any]:
    keys = ruleset.card_keys
    side: dict[str, Any] = {
        "discs": _counts(state.discs[seat]),
        "tbm": int(state.tbm[seat]),
        "route": _write_route(state, seat, viewer, ruleset.data.route.length),
        "storage": [colour for colour, n in _counts(state.storage[seat]).items() for _ in range(n)],
        "deviation": int(state.deviation[seat]),
        "technology": [int(place) for place in state.counter[seat]],
        "money": [keys[int(i)] for i in state.money_order[seat, : int(state.money_count[seat])]],
        "cards": [
            {
                "card": key,
                "rubble": [c.COLOURS[int(token) - 1] for token in state.card_rubble[i] if token],
                "used": bool(int(state.used) >> i & 1),
            }
            for i, key in enumerate(keys)
            if int(state.area[seat]) >> i & 1
        ],
        "peeked": [
            [c.SEATS[where], index]
            for where in range(len(c.SEATS))
            for index in range(c.MAX_ROUTE)
            if int(state.peeked[seat, where]) >> index & 1
        ],
    }
    if ruleset.data.agenda.enabled:
        side["agenda"] = {
            "pending": _name(state.agenda_pending[seat], c.AGENDA_KINDS),
            "completed": _names(state.agenda_completed[seat], c.AGENDA_KINDS),
        }
    return side


def _write_turn(state: Any, keys: list[str]) -> dict[str, Any]:
    """The phase and the fields of the turn in progress."""
    card = state.slots[int(state.action_slot)] if state.action_slot >= 0 else -1
    placed = state.card_rubble[int(card), : int(state.rubble_placed)] if card >= 0 else []
    turn = {
        "space": _name(state.turn_space, c.SPACES),
        "action": _name(state.action, c.ACTION_KINDS),
        "last": _name(state.last, c.ACTION_KINDS),
        "slot": _name(state.action_slot, SLOTS),
        "new_card": _name(state.new_card, keys),
        "rubble_placed": [c.COLOURS[int(colour) - 1] for colour in placed],
        "repairing": bool(state.repairing),
        "supervised": bool(state.supervised),
        "agenda_card": _name(state.agenda_card, c.AGENDA_KINDS),
        "promotion_paid": int(state.promotion_paid),
        "keep_colour": c.COLOURS[int(state.keep_colour)] if state.phase == c.KEEP else None,
        "kept": int(state.kept),
    }
    entries: dict[str, Any] = {
        "phase": c.PHASES[int(state.phase)],
        "turn": {name: value for name, value in turn.items() if value},
    }
    if state.phase == c.OVER:
        entries["result"] = {
            "winner": None if state.winner == c.DRAW else c.SEATS[int(state.winner)],
            "end_cause": c.END_CAUSES[int(state.end_cause)],
            "reacher": _name(state.reacher, c.SEATS),
        }
    return entries
