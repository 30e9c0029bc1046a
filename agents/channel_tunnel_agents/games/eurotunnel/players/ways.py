"""Where a power's units may step: over borders, and armies through the tunnels that it may use."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.tunnels import is_permitted, is_standing

MOST_WAYS = c.NUM_POWERS * c.MAX_TUNNELS
MOST_GOALS = c.MAX_NEIGHBOURS + c.MAX_EXITS


@compiled
def list_ways(state, rules, power, ways):  # type: ignore[no-untyped-def]
    """Write the ends of the tunnels that a power may use to int8 (MOST_WAYS, 2); returns how many."""
    count = 0
    for owner in range(c.NUM_POWERS):
        for slot in range(c.MAX_TUNNELS):
            if is_standing(state, owner, slot) and is_permitted(state, owner, slot, power):
                pair = int(state.tunnel_pair[owner, slot])
                ways[count, 0] = rules.pair_end[pair, 0]
                ways[count, 1] = rules.pair_end[pair, 1]
                count += 1
    return count


@compiled
def list_goals(rules, kind, location, ways, num_ways, goals):  # type: ignore[no-untyped-def]
    """Write the locations that a unit can step to; returns how many, and how many of them over borders.

    A province that is both a neighbour and the other end of a tunnel is listed only as a neighbour.
    """
    count = int(rules.steps[kind, location])
    for i in range(count):
        goals[i] = rules.step[kind, location, i]
    beside = count
    if kind == c.ARMY:
        for k in range(num_ways):
            for end in range(2):
                if ways[k, end] == location:
                    goal = int(ways[k, 1 - end])
                    if not _is_listed(goals, count, goal):
                        goals[count] = goal
                        count += 1
    return count, beside


@compiled
def _is_listed(goals, count, goal):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(count):
        found += goals[i] == goal
    return found > 0


@compiled
def write_move(state, rules, place, goal, beside):  # type: ignore[no-untyped-def]
    """Order the unit in a province to a location, over a border or else through a tunnel."""
    if beside:
        state.written[place] = c.FIRST_MOVE + goal
    else:
        state.written[place] = c.FIRST_TUNNEL + int(rules.land[goal])
