"""Orders, choices and phases in the words of somebody who plays, and orders in the hobby's notation: `A BRE S A LON - PIC`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.games.eurotunnel.actions import ACTION_NAMES, all_actions
from channel_tunnel_env.games.eurotunnel.board_positions import powers_in, tunnel_ends
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.explain import asked_unit
from channel_tunnel_env.games.eurotunnel.provinces import load_board

_SEASONS = dict(zip(c.SEASON_LETTERS, ("Spring", "Fall", "Winter"), strict=True))
_COASTS = {"NC": "north coast", "SC": "south coast", "EC": "east coast"}


def season_of(name: str) -> str:
    """Such as "Spring 1901", of S1901M."""
    return f"{_SEASONS[name[0]]} {name[1:5]}"


def season_and_year(state: Any) -> str:
    """Such as "Fall 1905", of a record."""
    return f"{_SEASONS[c.SEASON_LETTERS[int(state['season'])]]} {int(state['year'])}"


def place_words(location: int) -> str:
    """Such as "Paris", or "Spain (south coast)"."""
    board = load_board()
    province, _, coast = board.locations[location].partition("/")
    name = board.names[board.index[province]]
    return f"{name} ({_COASTS[coast]})" if coast else name


def power_words(number: int) -> str:
    """Such as "France"."""
    return load_board().powers[number].capitalize()


def choice_words(game: Game, number: int) -> str:
    """An answer to the question of a game, as an instruction."""
    action = all_actions()[number]
    if action.kind == c.PERMIT:
        return _permission(game, action.src, action.dst)
    src = place_words(action.src) if action.src >= 0 else ""
    dst = place_words(action.dst) if action.dst >= 0 else ""
    return _CHOICES[action.kind].format(src=src, dst=dst)


_CHOICES = {
    c.HOLD: "Hold",
    c.MOVE: "Move to {dst}",
    c.VIA: "Move to {dst} by convoy",
    c.TUNNEL: "Through the tunnel to {dst}",
    c.DIG: "Dig a tunnel to {dst}",
    c.SUPPORT_HOLD: "Support {src} to hold",
    c.SUPPORT_MOVE: "Support {src} to {dst}",
    c.CONVOY: "Convoy {src} to {dst}",
    c.RETREAT: "Retreat to {dst}",
    c.RETREAT_TUNNEL: "Retreat through the tunnel to {dst}",
    c.DISBAND: "Disband the unit",
    c.BUILD_ARMY: "Build an army in {dst}",
    c.BUILD_FLEET: "Build a fleet in {dst}",
    c.WAIVE: "Build no more",
    c.REMOVE: "Remove the unit in {dst}",
    c.PERMIT_DONE: "No more changes",
    c.VOTE_NO: "Play on",
    c.VOTE_DRAW: "Vote for a draw",
}


def tunnel_words(state: Any, owner: int, slot: int) -> str:
    """A tunnel by its ends."""
    ends = sorted(tunnel_ends(int(state["tunnel_pair"][owner, slot])))
    return " - ".join(ends)


def _permission(game: Game, slot: int, guest: int) -> str:
    state, owner = game.states[0], game.mover
    has = load_board().powers[guest] in powers_in(int(state["tunnel_next"][owner, slot]))
    what = "No longer let" if has else "Let"
    return f"{what} {power_words(guest)} use the tunnel {tunnel_words(state, owner, slot)}"


# --- what became of orders ------------------------------------------------------------------------


_SUCCESS = ("stood", "moved", "done", "retreated")  # results that go without saying


def notes_on(told: Mapping[str, Any]) -> str:
    """What became of a reported order, such as "failed, dislodged"; "" where it just succeeded."""
    notes = ("" if told["result"] in _SUCCESS else told["result"], "dislodged" if told.get("dislodged") else "")
    return ", ".join(filter(None, notes))


def orders_by_power(told: Collection[Mapping[str, Any]]) -> Iterator[str]:
    """A line for each power that has orders, or units raised or removed: each, and what became of it."""
    for power in load_board().powers:
        own = [_with_notes(order) for order in told if order["power"] == power]
        if own:
            yield f"  {power:<8} {', '.join(own)}"


def _with_notes(told: Mapping[str, Any]) -> str:
    if "order" not in told:  # of a winter
        return f"{told['type']} {told['loc']} {told['result']}"
    notes = notes_on(told)
    return f"{told['order']} ({notes})" if notes else str(told["order"])


# --- orders written out, in the hobby's notation; how they are read: `intent` ---------------------


_HELP = (c.SUPPORT_HOLD, c.SUPPORT_MOVE, c.CONVOY)


def order_text(action: int, letter: str, location: int, types: Any) -> str:
    """An id with the unit that it is for, as text; actions without a unit by their name.

    Args:
        types: by province the type of the unit that stood there, 0 for none: a helped unit is named with its letter.
    """
    return _with_unit(action, f"{letter} {load_board().locations[location]}", types)


def answer_text(state: Any, action: int) -> str:
    """An answer to the question of a record, as text."""
    return _with_unit(action, asked_unit(state), state["unit_type"])


def _with_unit(action: int, unit: str, types: Any) -> str:
    what = all_actions()[action]
    text = ACTION_NAMES[action]
    if what.kind in _HELP:
        asked, verb, rest = text.split(" ", 2)
        letter = c.UNIT_LETTERS[int(types[what.src])]
        text = " ".join(filter(None, (asked, verb, letter, rest)))
    return text.replace("*", unit, 1) if unit else text
