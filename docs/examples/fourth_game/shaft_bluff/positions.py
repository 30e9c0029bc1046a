"""Positions as plain data. Cards are written by depth.

    ruleset: shaft_bluff
    turn: 3
    phase: answer              # dig, announce, answer or over
    hands: {north: [2, 5], south: [1, 1, 6]}
    shafts: {north: [3], south: [4]}
    shown: []
    card: 2                    # dug in; only in the phases announce and answer
    said: 6                    # announced; only in the phase answer
    points: {north: [4, 0, 0], south: [5, 0, 0]}   # believed, proved, caught
    deck: [..]                 # the next card first

A number in place of a list of cards says how many there are; which ones is drawn from `seed`, and so is a deck that is
left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, ValidationError

from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.errors import PositionError, RecordError, RulesetError, StateError
from channel_tunnel_env.outside.documents import StrictModel, describe_errors
from channel_tunnel_env.rulesets.entry import entry_ruleset, ruleset_entry
from shaft_bluff import constants as c

Cards = list[Annotated[int, Field(ge=1, le=c.MAX_DEPTHS)]]
Count = Annotated[int, Field(ge=0, le=c.MAX_CARDS)]
Points = Annotated[list[Annotated[int, Field(ge=0, le=9999)]], Field(min_length=3, max_length=3)]


class BySeat(StrictModel):
    """Cards, or their number, of each seat."""

    north: Cards | Count
    south: Cards | Count


class PointsBySeat(StrictModel):
    """Points by source of each seat."""

    north: Points
    south: Points


class PositionData(StrictModel):
    """A position."""

    ruleset: str | dict[str, Any] = "shaft_bluff"
    ruleset_digest: str | None = None
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = 0
    turn: Annotated[int, Field(ge=1, le=c.SEATS * c.MAX_TURNS)]
    phase: Literal["dig", "announce", "answer", "over"]
    hands: BySeat
    shafts: BySeat
    shown: Cards = Field(default=[])
    card: Annotated[int, Field(ge=1, le=c.MAX_DEPTHS)] | None = None
    said: Annotated[int, Field(ge=1, le=c.MAX_DEPTHS)] | None = None
    points: PointsBySeat
    deck: Cards | None = None
    ply: Annotated[int, Field(ge=0, le=2**30)] = 0
    stream: Annotated[list[int], Field(min_length=2, max_length=2)] | None = None


def read_states(position: Mapping[str, Any], ruleset: Any | None = None) -> tuple[Any, Any]:
    """The record that a position describes, an array of one, and its rules.

    Raises:
        PositionError: a key or value is wrong, or play cannot reach the position.
    """
    try:
        data = PositionData.model_validate(dict(position))
        rules = entry_ruleset(data.ruleset, ruleset, data.ruleset_digest)
    except ValidationError as error:
        lines = describe_errors(error, lambda p: f"{'.'.join(map(str, p['loc']))}: {p['msg']}")
        raise PositionError("\n".join(lines)) from None
    except RulesetError as error:
        raise PositionError(str(error)) from None
    if rules.spec.name != "shaft_bluff":
        raise PositionError(f"ruleset: {rules.name} is of the game {rules.spec.name}")
    machine = machine_of(rules)
    states = machine.new_states(1)
    _lay_out(states[0], data, rules.data)
    try:
        return machine.possible_state(states), rules
    except StateError as error:
        raise PositionError(f"not a possible position: {error}") from None


def _lay_out(state: Any, data: PositionData, figures: Any) -> None:
    state["turn"], state["phase"] = data.turn, c.PHASES.index(data.phase)
    state["ply"], state["seed"] = data.ply, data.seed
    over, turn_of = data.phase == "over", (data.turn - 1) % c.SEATS
    state["to_play"] = 1 - turn_of if data.phase in ("answer", "over") else turn_of
    state["said"] = c.NONE if data.said is None else data.said - 1
    for seat, name in enumerate(c.SEAT_NAMES):
        state["points"][seat] = getattr(data.points, name)
    _lay_cards(state, data, figures)
    state["end_cause"] = c.LAST_TURN if over else 0
    totals = state["points"].sum(axis=1)
    state["winner"] = c.NOBODY
    if over:
        state["winner"] = c.DRAW if totals[0] == totals[1] else int(totals.argmax())
    key = [data.seed ^ 0x5AF7, 0] if data.stream is None else data.stream
    if not 0 <= key[0] < 2**64 or not 0 <= key[1] < 2**61:
        raise PositionError(f"stream: {key}; allowed: key 0..2**64-1, counter 0..2**61-1")
    state["rng_key"][0], state["rng_counter"][0] = key


def _lay_cards(state: Any, data: PositionData, figures: Any) -> None:
    """Lay known cards where they lie, then deal the others from the seed."""
    pool = [depth for depth in range(1, figures.depths + 1) for _ in range(figures.copies)]
    _take(pool, data.shown, "shown")
    state["shown"] = _counts(data.shown)
    given = [
        (f"{key}.{name}", getattr(getattr(data, key), name), field, seat)
        for key, field in (("hands", "hand"), ("shafts", "buried"))
        for seat, name in enumerate(c.SEAT_NAMES)
    ]
    for where, cards, field, seat in given:
        if isinstance(cards, list):
            _take(pool, cards, where)
            state[field][seat] = _counts(cards)
    if data.card is not None:
        _take(pool, [data.card], "card")
    order = np.random.default_rng(data.seed).permutation(pool).tolist()
    for where, cards, field, seat in given:
        if isinstance(cards, int):
            if cards > len(order):
                raise PositionError(f"{where}: {cards}; only {len(order)} cards are left")
            state[field][seat] = _counts([order.pop() for _ in range(cards)])
    hidden = data.card is None and data.phase in ("announce", "answer")
    card = order.pop() if hidden and order else data.card
    state["card"] = c.NONE if card is None else card - 1
    if data.deck is not None:
        if sorted(data.deck) != sorted(order):
            raise PositionError(f"deck: it must hold the other {len(order)} cards")
        order = data.deck
    size = figures.depths * figures.copies
    state["deck_size"], state["drawn"] = size, size - len(order)
    state["deck"][size - len(order) : size] = [depth - 1 for depth in order]


def _take(pool: list[int], cards: Sequence[int], where: str) -> None:
    for depth in cards:
        if depth not in pool:
            raise PositionError(f"{where}: there are no more cards {depth}")
        pool.remove(depth)


def _counts(cards: Sequence[int]) -> list[int]:
    return [cards.count(depth) for depth in range(1, c.MAX_DEPTHS + 1)]


# --- writing --------------------------------------------------------------------------------------


def write_position(game: Any, seat: int | None = None) -> dict[str, Any]:
    """The position of a game; with a seat, only what that seat knows."""
    return _write(game.states[0], game.ruleset, seat)


def write_start(game: Any) -> dict[str, Any]:
    """The first record of a game as a position.

    Raises:
        RecordError: the game was dealt from its seed.
    """
    if game.start is None:
        raise RecordError("the game was dealt from its seed")
    return _write(game.start[0], game.ruleset, None)


def _write(state: Any, ruleset: Any, seat: int | None) -> dict[str, Any]:
    position: dict[str, Any] = {
        "ruleset": ruleset_entry(ruleset),
        "ruleset_digest": ruleset.digest,
        "turn": int(state["turn"]),
        "phase": c.PHASES[int(state["phase"])],
        "hands": _by_seat(state["hand"], seat),
        "shafts": _by_seat(state["buried"], seat),
        "shown": _cards(state["shown"]),
        "points": {n: state["points"][k].tolist() for k, n in enumerate(c.SEAT_NAMES)},
        "ply": int(state["ply"]),
    }
    if state["card"] != c.NONE and seat in (None, (int(state["turn"]) - 1) % c.SEATS):
        position["card"] = int(state["card"]) + 1
    if state["said"] != c.NONE:
        position["said"] = int(state["said"]) + 1
    if seat is None:
        drawn, size = int(state["drawn"]), int(state["deck_size"])
        position["deck"] = [int(card) + 1 for card in state["deck"][drawn:size]]
        position["seed"] = int(state["seed"])
        position["stream"] = [int(state["rng_key"][0]), int(state["rng_counter"][0])]
    return position


def _by_seat(counts: Any, seat: int | None) -> dict[str, Any]:
    return {
        name: _cards(counts[k]) if seat in (None, k) else int(counts[k].sum()) for k, name in enumerate(c.SEAT_NAMES)
    }


def _cards(counts: Any) -> list[int]:
    return [card + 1 for card, count in enumerate(counts) for _ in range(int(count))]
