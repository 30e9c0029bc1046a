"""`greedy`: every unit takes the shortest way to a centre that its power does not own; no unit helps another.

Like the baseline of that name in Paquette et al., "No-Press Diplomacy: Modeling Multi-Agent Gameplay" (2019).
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_agents.games.eurotunnel.players.choices import choose_by_place
from channel_tunnel_agents.games.eurotunnel.players.sight import (
    MOST_GOALS,
    MOST_WAYS,
    PowerAgent,
    list_goals,
    list_ways,
    write_move,
)
from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.rng import random_number
from channel_tunnel_env.games.eurotunnel.engine import constants as c

DESK_DTYPE = np.dtype(
    [
        ("worth", np.float64, (3, c.NUM_LOCATIONS)),  # steps to the nearest goal, below 0
        ("wanted", np.uint8, c.NUM_PROVINCES),  # centres that a unit of the power shall go to
        ("taken", np.uint8, c.NUM_PROVINCES),  # where an own unit is, or is ordered to
        ("ways", np.int8, (MOST_WAYS, 2)),
        ("num_ways", np.int64),
        ("goals", np.int8, MOST_GOALS),
    ],
    align=True,
)


@kernel
def choose_walks(copies, tables, lots, desks, work, chosen):  # type: ignore[no-untyped-def]
    """Write an answer for each of the games."""
    for k in range(copies.shape[0]):
        state, desk = copies[k], desks[0]
        rules = tables[int(state.ruleset)]
        _mark(state, rules, desk)
        for kind in (c.ARMY, c.FLEET):
            _measure(rules, kind, desk)
        if state.phase == c.MOVEMENT:
            _write_step(state, rules, lots[k], desk)
            chosen[k] = state.written[int(state.cursor)]
        else:
            chosen[k] = choose_by_place(state, rules, desk.worth, work[0])


class GreedyAgent(PowerAgent):
    """A player that walks to centres, through tunnels that it may use; it digs none."""

    name = "greedy"
    desk = DESK_DTYPE
    choose = staticmethod(choose_walks)


@compiled
def _mark(state, rules, desk):  # type: ignore[no-untyped-def]
    """The centres to go to, and the provinces that own units leave no room in."""
    power = int(state.to_play)
    desk.num_ways = list_ways(state, rules, power, desk.ways)
    desk.taken[:] = 0
    for place in range(c.NUM_PROVINCES):
        if state.unit_power[place] == power and place != state.cursor:
            desk.taken[place] = 1
            order = int(state.written[place])
            if order > c.ID_HOLD and state.phase == c.MOVEMENT:
                desk.taken[int(rules.province_of[int(rules.action_dst[order])])] = 1
    for place in range(c.NUM_PROVINCES):
        foreign = rules.centre[place] and state.owner[place] != power
        desk.wanted[place] = foreign and not desk.taken[place]


@compiled
def _measure(rules, kind, desk):  # type: ignore[no-untyped-def]
    """The steps from every location to the nearest centre wanted, as worth below 0."""
    for location in range(c.NUM_LOCATIONS):
        there = rules.steps[kind, location] > 0 and desk.wanted[int(rules.province_of[location])]
        desk.worth[kind, location] = 0.0 if there else -float(c.FAR)
    nearer = True
    while nearer:
        nearer = False
        for location in range(c.NUM_LOCATIONS):
            count, _ = list_goals(rules, kind, location, desk.ways, desk.num_ways, desk.goals)
            for i in range(count):
                worth = desk.worth[kind, int(desk.goals[i])] - 1.0
                if worth > desk.worth[kind, location]:
                    desk.worth[kind, location] = worth
                    nearer = True


@compiled
def _write_step(state, rules, source, desk):  # type: ignore[no-untyped-def]
    """The step of the unit asked that brings it nearer, one of the best by lot; or it holds."""
    place = int(state.cursor)
    kind, location = int(state.unit_type[place]), int(state.unit_location[place])
    source[0] += np.uint64(place)  # the units of a power draw different lots
    best, ties = desk.worth[kind, location], 0
    state.written[place] = c.ID_HOLD
    count, beside = list_goals(rules, kind, location, desk.ways, desk.num_ways, desk.goals)
    for i in range(count):
        goal = int(desk.goals[i])
        worth = desk.worth[kind, goal]
        if desk.taken[int(rules.province_of[goal])] or worth < best:
            continue
        if worth > best:
            best, ties = worth, 1
        elif ties > 0:
            ties += 1
        if ties > 0 and random_number(source, ties) == 0:
            write_move(state, rules, place, goal, i < beside)
