"""The two players that weigh nothing: `hold`, what a power in civil disorder does (rules 8.4, 8.3), and `lively`, random play
with many moves, and supports and convoys for its own moves.

Units of `hold` stay, dislodged ones disband, nothing is built, and the farthest units are removed. It has no say about a draw: it
agrees with the others. So it also plays for a person who has left.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_agents.games.eurotunnel.players.sight import PowerAgent
from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.rng import random_number
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.legality import list_legal, list_orders
from channel_tunnel_env.games.eurotunnel.engine.lively import write_lively
from channel_tunnel_env.games.eurotunnel.engine.winter import adjust_units


@kernel
def do_nothing(copies, tables, lots, desks, work, chosen):  # type: ignore[no-untyped-def]
    """Write an answer for each of the games."""
    for k in range(copies.shape[0]):
        state = copies[k]
        if state.phase == c.MOVEMENT:
            chosen[k] = c.ID_HOLD
        elif state.phase == c.RETREATS:
            chosen[k] = c.ID_DISBAND
        elif state.quota[int(state.to_play)] > 0:
            chosen[k] = c.ID_WAIVE
        else:
            chosen[k] = _remove_next(state, tables[int(state.ruleset)], work[0])


@compiled
def _remove_next(state, rules, work):  # type: ignore[no-untyped-def]
    """The next removal of those that the game makes where none is ordered; the copy is played on.

    Removals come in ascending order of their ids.
    """
    power = int(state.to_play)
    work.marked[:] = 0  # provinces whose unit stays, or is removed already
    for place in range(c.NUM_PROVINCES):
        work.marked[place] = state.unit_power[place] != power or state.written[place] >= 0
    adjust_units(state, rules, work)
    for place in range(c.NUM_PROVINCES):
        if not work.marked[place] and state.unit_power[place] != power:
            return c.FIRST_REMOVE + place
    return c.NONE


class HoldAgent(PowerAgent):
    """Does nothing wherever the rules allow it."""

    name = "hold"
    vote = c.ID_VOTE_DRAW
    choose = staticmethod(do_nothing)


@kernel
def choose_at_random(copies, tables, lots, desks, work, chosen):  # type: ignore[no-untyped-def]
    """Write an answer for each of the games."""
    for k in range(copies.shape[0]):
        state = copies[k]
        rules = tables[int(state.ruleset)]
        if state.phase == c.MOVEMENT:
            chosen[k] = _plan_order(state, rules, lots[k], work[0])
        else:
            # The lot of the phase, for each of its questions another number.
            lots[k, 0] += np.uint64(int(state.cursor) + int(state.last_choice) + 2)
            count = list_legal(state, rules, work[0])
            chosen[k] = work[0].legal[random_number(lots[k], count)]


@compiled
def _plan_order(state, rules, source, work):  # type: ignore[no-untyped-def]
    """The order of the unit asked, of a plan for all units of the power."""
    place, power = int(state.cursor), int(state.to_play)
    written = state.written.copy()
    state.written[:] = c.NONE
    write_lively(state, rules, power, source, work)
    order = int(state.written[place])
    state.written[:] = written
    count = list_orders(state, rules, place, work)
    for k in range(count):
        if work.legal[k] == order:
            return order
    return c.ID_HOLD  # it would be a second tunnel beside one that somebody else had ordered


class LivelyAgent(PowerAgent):
    """A player that plans random orders for all its units, and chooses at random elsewhere."""

    name = "lively"
    choose = staticmethod(choose_at_random)
