"""`lively`: random play with many moves, and supports and convoys for its own moves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.games.eurotunnel.players.sight import PowerAgent
from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.rng import random_number
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.legality import list_legal, list_orders
from channel_tunnel_env.games.eurotunnel.engine.lively import write_lively


class LivelyAgent(PowerAgent):
    """A player that plans random orders for all its units, and chooses at random elsewhere."""

    name = "lively"

    def _choose(
        self, copies: NDArray[Any], tables: NDArray[Any], lots: NDArray[np.uint64], chosen: NDArray[np.int64]
    ) -> None:
        choose_at_random(copies, tables, lots, self._work, chosen)


@kernel
def choose_at_random(copies, tables, lots, work, chosen):  # type: ignore[no-untyped-def]
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
