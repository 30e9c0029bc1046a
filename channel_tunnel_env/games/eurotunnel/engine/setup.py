"""Setting up a game (rules 1, 2, 3)."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.movement import put_unit
from channel_tunnel_env.games.eurotunnel.engine.transition import find_question
from channel_tunnel_env.games.eurotunnel.engine.year import begin


@compiled
def set_up(state, rules, work):
    """A zeroed record at the first question of the first spring."""
    lay_out(state, rules)
    for place in range(c.NUM_PROVINCES):
        if rules.start_power[place] >= 0:
            put_unit(
                state,
                rules,
                int(rules.start_power[place]),
                int(rules.start_type[place]),
                int(rules.start_location[place]),
            )
        if rules.centre[place]:
            state.owner[place] = rules.home[place]  # NOBODY for a neutral centre
    find_question(state, rules)


@compiled
def lay_out(state, rules):
    """An empty board in the first spring: no units, no owners, no tunnels."""
    state.turn = 1
    state.year = rules.first_year
    state.winner = c.NOBODY
    state.alive = (1 << c.NUM_POWERS) - 1
    # The record is zeroed, and 0 is the first power, the hold and the first pair: what is absent has to be named.
    for place in range(c.NUM_PROVINCES):
        state.unit_power[place] = c.NOBODY
        state.lost_power[place] = c.NOBODY
        state.told_power[place] = c.NOBODY
        state.owner[place] = c.NOBODY
        state.written[place] = c.NONE
        state.told_order[place] = c.NONE
    for power in range(c.NUM_POWERS):
        for slot in range(c.MAX_TUNNELS):
            state.tunnel_pair[power, slot] = c.NONE
    begin(state, c.MOVEMENT)
