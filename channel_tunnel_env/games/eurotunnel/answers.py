"""What somebody types in answer to a game's question, in any words: an order, a permission, a vote.

The refusal of a line that is no answer reveals nothing that its power cannot know.
"""

from __future__ import annotations

from typing import Any

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.games.eurotunnel.actions import all_actions, find_action
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.explain import asked_unit, question
from channel_tunnel_env.games.eurotunnel.intent import read_intent
from channel_tunnel_env.games.eurotunnel.meaning import Meanings
from channel_tunnel_env.games.eurotunnel.permissions import find_slot, is_change, read_change
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.words import power_words

_VOTES = {"DRAW": c.ID_VOTE_DRAW, "YES": c.ID_VOTE_DRAW, "NO": c.ID_VOTE_NO}


class NotAskedError(ValueError):
    """An answer to a question that is asked earlier or later in the phase."""


def read_answer(game: Game, line: str) -> int:
    """The action, legal or not, that a line says to the power asked.

    Raises:
        NotAskedError: it answers another question of the power.
        ValueError: it cannot be read, or is no answer to the question; the message says why.
    """
    state, power = game.states[0], game.mover
    words = " ".join(line.split())
    for name in (words, words.upper()):
        if (action := find_action(name)) != c.NONE and _may_be_meant(state, action):
            return action
    if state["phase"] == c.MOVEMENT and state["asked"] != c.UNITS:
        return _read_wish(state, power, words)
    if is_change(words):
        raise NotAskedError(f"permissions come behind the orders: {_asked(state, power)}")
    order = read_intent(words)
    meanings = _meanings(game, power)
    if state["phase"] == c.ADJUSTMENTS:
        return meanings.adjustment(order, power)
    meanings.check_writer(order, power)
    meanings.verb_of(order)
    asked = int(state["cursor"])
    place = asked if order.place < 0 else meanings.find_unit(order, power)
    if place != asked:
        when = "comes later" if place > asked else "has its order already"
        raise NotAskedError(f"{_asked(state, power)}; {meanings.unit_in(place)} {when}")
    return meanings.action(place, order)


def _may_be_meant(state: Any, action: int) -> bool:
    """Whether the name of an action says it in this phase: a removal by its name, such as `VIE D`, disbands among retreats."""
    return not (state["phase"] == c.RETREATS and all_actions()[action].kind == c.REMOVE)


def _asked(state: Any, power: int) -> str:
    return f"{power_words(power)} is asked for {asked_unit(state) or question(state)}"


def _meanings(game: Game, power: int) -> Meanings:
    """Meanings for a power, which knows only its own orders."""
    state = game.states[0]

    def goal_of(place: int) -> int:
        action = int(state["written"][place])
        own = state["unit_power"][place] == power and action >= 0
        what = all_actions()[action]
        return what.dst if own and what.kind == c.MOVE else c.NONE

    return Meanings(state, game.ruleset.data.rulebook == "datc", goal_of)


def _read_wish(state: Any, power: int, words: str) -> int:
    """A permission or a vote."""
    if state["asked"] == c.VOTE and words.upper() in _VOTES:
        return _VOTES[words.upper()]
    if state["asked"] == c.PERMITS and words.upper() == "DONE":
        return c.ID_PERMIT_DONE
    if state["asked"] != c.PERMITS or not is_change(words):
        raise NotAskedError(_asked(state, power))
    change = read_change(words, power)
    slot, guest = find_slot(state, change), change.power
    if bool(int(state["tunnel_next"][power, slot]) >> guest & 1) == change.grant:
        is_so = "permitted already" if change.grant else "not permitted"
        raise ValueError(f"{load_board().powers[guest]} is {is_so}")
    return c.FIRST_PERMIT + slot * c.NUM_POWERS + guest
