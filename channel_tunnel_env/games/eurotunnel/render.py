"""The board as text: powers, the last orders, tunnels, and what is to be answered.

For a viewer only what that power knows is shown: of tunnels those known to it, of the running phase its own
answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.faces.plain_words import result_words
from channel_tunnel_env.games.eurotunnel.board_positions import known_tunnels, powers_in, tunnel_ends, unit_text
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.explain import question
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.words import order_text, season_and_year

__all__ = ["result_words", "to_text"]


def to_text(game: Game, viewer: int | None = None, *, orders: bool = True) -> str:
    """The position as a viewer knows it; all of it without one.

    Args:
        orders: whether the last orders are among it.
    """
    parts = (
        _head(game),
        _powers(game),
        _dislodged(game),
        _last_orders(game) if orders else (),
        _tunnels(game, viewer),
        _answers(game, viewer),
        [question_for(game, viewer)],
    )
    return "\n\n".join("\n".join(part) for part in map(list, parts) if part)


def _head(game: Game) -> Iterator[str]:
    state = game.states[0]
    yield f"{game.ruleset.data.title}: {season_and_year(state)}, {game.phase}"


def _powers(game: Game) -> Iterator[str]:
    state, board = game.states[0], load_board()
    for number, power in enumerate(board.powers):
        centres = [board.provinces[place] for place in np.flatnonzero(state["owner"] == number)]
        units = [unit_text(state, place) for place in np.flatnonzero(state["unit_power"] == number)]
        if not int(state["alive"]) >> number & 1:
            yield f"{power:<8} out of the game"
            continue
        yield f"{power:<8} {len(centres):>2} centres: {' '.join(centres) or '-'}"
        yield f"{'':<8} {len(units):>2} units:   {', '.join(units) or '-'}"
    free = [board.provinces[place] for place in board.centres if state["owner"][place] < 0]
    if free:
        yield f"{'nobody':<8} {len(free):>2} centres: {' '.join(free)}"


def _dislodged(game: Game) -> Iterator[str]:
    """By the report: whether another's unit has a place to go may be a secret."""
    state = game.states[0]
    if state["phase"] != c.RETREATS:
        return
    for place in np.flatnonzero(state["told_result"] >= c.DISLODGED):
        yield f"dislodged: {_told_unit(state, place)}"
    if state["contested"].any():
        names = [load_board().provinces[place] for place in np.flatnonzero(state["contested"])]
        yield f"left empty by a stand-off: {' '.join(names)}"


def _told_unit(state: Any, place: Any) -> str:
    power = load_board().powers[int(state["told_power"][place])]
    letter = c.UNIT_LETTERS[int(state["told_type"][place])]
    return f"{power} {letter} {load_board().provinces[place]}"


def _last_orders(game: Game) -> Iterator[str]:
    state = game.states[0]
    places = np.flatnonzero(state["told_order"] >= 0)
    if places.size:
        yield "last orders"
    for number, power in enumerate(load_board().powers):
        orders = []
        for place in places[state["told_power"][places] == number]:
            letter = c.UNIT_LETTERS[int(state["told_type"][place])]
            told_order, types = int(state["told_order"][place]), state["told_type"]
            text = order_text(told_order, letter, int(place), types)
            told = int(state["told_result"][place])
            gone = ", dislodged" if told >= c.DISLODGED else ""
            orders.append(f"{text} ({c.RESULTS[told % c.DISLODGED]}{gone})")
        if orders:
            yield f"  {power}: {'; '.join(orders)}"


def _tunnels(game: Game, viewer: int | None) -> Iterator[str]:
    state = game.states[0]
    known = known_tunnels(game.states, viewer)
    if known:
        yield "tunnels" if viewer is None else f"tunnels that {game.seats[viewer]} knows"
    for owner, slot in known:
        ends = "-".join(tunnel_ends(int(state["tunnel_pair"][owner, slot])))
        what = c.TUNNEL_STATES[int(state["tunnel_state"][owner, slot])]
        number = f" {slot}" if viewer in (None, owner) else ""
        line = f"  {load_board().powers[owner]}{number} {ends} {what}"
        yield line + _permits(state, owner, slot, viewer)


def _permits(state: Any, owner: int, slot: int, viewer: int | None) -> str:
    """Who may use a tunnel, as its owner knows it; a guest knows only of itself."""
    bits = int(state["tunnel_permits"][owner, slot])
    if viewer not in (None, owner):
        return ", permitted" if bits >> int(viewer or 0) & 1 else ""
    guests = powers_in(bits)
    return f", permitted to {', '.join(guests)}" if guests else ""


def _answers(game: Game, viewer: int | None) -> Iterator[str]:
    """What is written in the running phase; a viewer sees its own."""
    state = game.states[0]
    for number, power in enumerate(load_board().powers):
        if viewer in (None, number):
            answers = [*_orders_of(state, number), *_changes_of(state, number)]
            if answers:
                yield f"written by {power}: {'; '.join(answers)}"


def _orders_of(state: Any, power: int) -> Iterator[str]:
    board = load_board()
    for place in map(int, np.flatnonzero(state["written"] >= 0)):
        if state["phase"] == c.ADJUSTMENTS:
            builds = state["unit_power"][place] < 0
            owner = board.home[place] if builds else state["unit_power"][place]
            letter, location = "", place
        else:
            what = "lost" if state["phase"] == c.RETREATS else "unit"
            owner = state[f"{what}_power"][place]
            letter = c.UNIT_LETTERS[int(state[f"{what}_type"][place])]
            location = int(state[f"{what}_location"][place])
        if owner == power:
            yield order_text(int(state["written"][place]), letter, location, state["unit_type"])


def _changes_of(state: Any, power: int) -> Iterator[str]:
    changed = state["tunnel_next"][power] ^ state["tunnel_permits"][power]
    for slot in np.flatnonzero(changed):
        for guest in powers_in(changed[slot]):
            given = guest in powers_in(state["tunnel_next"][power, slot])
            yield f"tunnel {slot} {'permitted to' if given else 'withdrawn from'} {guest}"


def outcome(game: Game) -> str:
    """That a game is over, and why."""
    return f"The game is over ({game.end_cause})"


def question_for(game: Game, viewer: int | None) -> str:
    """What is asked, as far as a viewer may know, or how the game ended."""
    if game.is_over:
        shares = zip(game.seats, game.states["share"][0], strict=True)
        parts = ", ".join(f"{seat} {share:.3f}" for seat, share in shares if share > 0)
        return f"{outcome(game)}; shares: {parts}"
    if viewer is None or game.mover == viewer:
        return f"{game.to_play} is asked for {question(game.states[0])}"
    return "waiting for the powers" if viewer == c.NOBODY else f"{game.seats[viewer]} waits for others"
