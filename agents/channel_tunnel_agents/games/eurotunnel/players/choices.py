"""Choices by the worth of places: retreats, builds and removals. `worth` is float64 (3, locations) by type of unit."""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.legality import list_adjustments, list_retreats

NOTHING = -np.inf


@compiled
def choose_by_place(state, rules, worth, work):  # type: ignore[no-untyped-def]
    """The answer in every phase but that of movement."""
    if state.phase == c.RETREATS:
        return choose_retreat(state, rules, worth, work)
    return choose_adjustment(state, rules, worth, work)


@compiled
def choose_retreat(state, rules, worth, work):  # type: ignore[no-untyped-def]
    """The retreat to the place of most worth that no other own unit goes to; none: disband."""
    place = int(state.cursor)
    count = list_retreats(state, rules, place, work)
    best, chosen = NOTHING, c.ID_DISBAND
    for k in range(count):
        action = int(work.legal[k])
        if action == c.ID_DISBAND:
            continue
        goal = int(rules.action_dst[action])
        value = worth[int(state.lost_type[place]), goal]
        if value > best and not _is_taken(state, rules, int(rules.province_of[goal])):
            best, chosen = value, action
    return chosen


@compiled
def _is_taken(state, rules, province):  # type: ignore[no-untyped-def]
    """Whether an own unit is to retreat to a province."""
    taken = 0
    for place in range(c.NUM_PROVINCES):
        action = int(state.written[place])
        if action >= 0 and action != c.ID_DISBAND:
            taken += rules.province_of[int(rules.action_dst[action])] == province
    return taken > 0


@compiled
def choose_adjustment(state, rules, worth, work):  # type: ignore[no-untyped-def]
    """The next build where a unit is worth most, or removal where it is worth least.

    Choices come in ascending order of their ids, so what is chosen now is the lowest id of the best set.
    """
    power = int(state.to_play)
    count = list_adjustments(state, rules, power, work)
    wanted = abs(int(state.quota[power]))
    builds = state.quota[power] > 0
    chosen = c.ID_WAIVE
    work.marked[:] = 0  # provinces of the set
    for _ in range(wanted):
        best, action = NOTHING, c.NONE
        for k in range(count):
            candidate = int(work.legal[k])
            if candidate == c.ID_WAIVE:
                continue
            value = _worth_of(state, rules, candidate, worth)
            if not work.marked[_province(rules, candidate)] and value > best:
                best, action = value, candidate
        if action < 0:
            break
        work.marked[_province(rules, action)] = 1
        if chosen == c.ID_WAIVE or action < chosen:
            chosen = action
    return chosen if builds or chosen != c.ID_WAIVE else int(work.legal[0])


@compiled
def _province(rules, action):  # type: ignore[no-untyped-def]
    return int(rules.province_of[int(rules.action_dst[action])])


@compiled
def _worth_of(state, rules, action, worth):  # type: ignore[no-untyped-def]
    """What a build is worth, or being rid of a unit."""
    kind = int(rules.action_kind[action])
    location = int(rules.action_dst[action])
    if kind == c.REMOVE:
        return -worth[int(state.unit_type[location]), int(state.unit_location[location])]
    return worth[c.ARMY if kind == c.BUILD_ARMY else c.FLEET, location]
