"""`dumb` and `dumb_tunnel`: values of places by who owns and who threatens what, and orders that help each other.

The algorithm is that of David Norman's DumbBot as its author described it for the Diplomacy AI project in 2003
(http://daide.org.uk/s0003.html), rewritten from the description:

- A province that the power does not own is worth attacking by the size of its owner, a centre of its own worth
  defending by the size of the largest power beside it. That worth spreads over the steps that a unit can make.
- A unit goes to the best place that it can reach, now and then to the next best. Where another unit of the
  power is or goes already, it helps that one if a rival may come there too, and else looks further.
- Units are built where they are worth most, and removed where least.

A power plans the orders of all its units at once, by the lot of the phase. `dumb_tunnel` also counts the tunnels that
its armies may use as steps. An army that would hold digs a tunnel instead, if the other end is worth more than all
that it can step to, but not in a fall with a foreign unit beside it.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_agents.games.eurotunnel.players.choices import NOTHING, choose_by_place
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
from channel_tunnel_env.games.eurotunnel.engine.tunnels import may_dig

REACH = 10  # how far worth spreads: what lies there itself, and up to nine steps away
NEAR = np.array([1000.0, 100.0, 30.0, 10.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0])  # by steps ...
SPRING_NEAR = np.array([100.0, 1000.0, 30.0, 10.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0])  # ... in spring
ATTACK = np.array([700.0, 600.0, 700.0])  # by season: spring, fall, winter
DEFENCE = np.array([300.0, 400.0, 300.0])
HELPER = 1000.0  # an own unit that can come, and one of a rival less
BUILD_DEFENCE = 1000.0  # winter: what a threat to a centre adds for a unit there
ON = 50  # per cent: the chance to consider the next best step at all
# The considered step is refused with a chance, in per cent, of STEEP times the part of the best value that it lacks.
STEEP = 500.0
MARGIN = 1.0  # what the other end of a new tunnel is to exceed, in units of the best step

DESK_DTYPE = np.dtype(
    [
        ("digs", np.uint8),  # whether the player uses tunnels and digs them
        ("attack", np.float64, c.NUM_PROVINCES),
        ("defence", np.float64, c.NUM_PROVINCES),
        ("spread", np.float64, (2, c.NUM_LOCATIONS)),  # this round's and the next one's
        ("worth", np.float64, (3, c.NUM_LOCATIONS)),
        ("helpers", np.int8, (c.NUM_POWERS, c.NUM_PROVINCES)),  # units that are there or can come
        ("rivals", np.int8, c.NUM_PROVINCES),  # the most of one other power
        ("ways", np.int8, (MOST_WAYS, 2)),
        ("num_ways", np.int64),
        ("goals", np.int8, MOST_GOALS),
        ("value", np.float64, MOST_GOALS + 1),  # of the goals, and behind them of holding
        ("unit", np.int8, 2 * c.NUM_PROVINCES),  # provinces of units to order, in turn
        ("put_off", np.uint8, c.NUM_PROVINCES),  # units that waited once for another
        ("goal", np.int8, c.NUM_PROVINCES),  # province that an ordered unit will be in, or NONE
        ("comer", np.int8, c.NUM_PROVINCES),  # own unit that moves into a province, or NONE
    ],
    align=True,
)


@kernel
def choose_by_worth(copies, tables, lots, desks, work, chosen):  # type: ignore[no-untyped-def]
    """Write an answer for each of the games."""
    for k in range(copies.shape[0]):
        state, desk = copies[k], desks[0]
        rules = tables[int(state.ruleset)]
        power = int(state.to_play)
        desk.num_ways = list_ways(state, rules, power, desk.ways) if desk.digs else 0
        _count_helpers(state, rules, power, desk)
        _judge_provinces(state, rules, power, desk)
        for kind in (c.ARMY, c.FLEET):
            _judge_locations(state, rules, power, kind, desk)
        if state.phase == c.MOVEMENT:
            _plan_orders(state, rules, power, lots[k], desk)
            chosen[k] = state.written[int(state.cursor)]
        else:
            chosen[k] = choose_by_place(state, rules, desk.worth, work[0])


class DumbAgent(PowerAgent):
    """A player by the description of DumbBot.

    Args:
        seed: seeds its lots; 0 or more.
        digs: it uses tunnels and digs them.
    """

    desk = DESK_DTYPE
    choose = staticmethod(choose_by_worth)

    def __init__(self, seed: int = 0, digs: bool = False) -> None:
        super().__init__(seed)
        self.name = "dumb_tunnel" if digs else "dumb"
        self._desks["digs"] = digs


# --- what places are worth ----------------------------------------------------------------------------


@compiled
def _count_helpers(state, rules, power, desk):  # type: ignore[no-untyped-def]
    """By power, the units that are in a province or can step there; and the most of one rival."""
    desk.helpers[:] = 0
    for place in range(c.NUM_PROVINCES):
        owner = int(state.unit_power[place])
        if owner < 0:
            continue
        kind, location = int(state.unit_type[place]), int(state.unit_location[place])
        desk.helpers[owner, place] += 1
        for province in range(c.NUM_PROVINCES):
            desk.helpers[owner, province] += rules.reaches[kind, location, province]
        if owner == power and kind == c.ARMY:
            count, beside = list_goals(rules, kind, location, desk.ways, desk.num_ways, desk.goals)
            for i in range(beside, count):
                desk.helpers[owner, int(desk.goals[i])] += 1
    for province in range(c.NUM_PROVINCES):
        most = 0
        for owner in range(c.NUM_POWERS):
            if owner != power:
                most = max(most, int(desk.helpers[owner, province]))
        desk.rivals[province] = most


@compiled
def _size(state, power):  # type: ignore[no-untyped-def]
    """What a power counts for, by its centres; an empty owner counts as a power without any."""
    centres = 0
    for place in range(c.NUM_PROVINCES):
        centres += power >= 0 and state.owner[place] == power
    return centres * centres + 4.0 * centres + 16.0


@compiled
def _judge_provinces(state, rules, power, desk):  # type: ignore[no-untyped-def]
    """What each centre is worth attacking or defending."""
    for province in range(c.NUM_PROVINCES):
        desk.attack[province] = desk.defence[province] = 0.0
        if not rules.centre[province]:
            continue
        owner = int(state.owner[province])
        if owner != power:
            desk.attack[province] = _size(state, owner)
            continue
        for rival in range(c.NUM_POWERS):
            if rival != power and desk.helpers[rival, province] > 0:
                desk.defence[province] = max(desk.defence[province], _size(state, rival))


@compiled
def _judge_locations(state, rules, power, kind, desk):  # type: ignore[no-untyped-def]
    """What a unit of a type is worth at each location: what is near, spread over its steps, and who may come."""
    season = int(state.season)
    for location in range(c.NUM_LOCATIONS):
        province = int(rules.province_of[location])
        own, rivals = int(desk.helpers[power, province]), int(desk.rivals[province])
        value = HELPER * (own - rivals)
        if season == c.WINTER:
            value = BUILD_DEFENCE * desk.defence[province]
        desk.worth[kind, location] = value
        start = ATTACK[season] * desk.attack[province] + DEFENCE[season] * desk.defence[province]
        desk.spread[0, location] = start if rules.steps[kind, location] > 0 else 0.0
    for n in range(REACH):
        weight = SPRING_NEAR[n] if season == c.SPRING else NEAR[n]
        for location in range(c.NUM_LOCATIONS):
            value = desk.spread[0, location]
            desk.worth[kind, location] += weight * value
            count, _ = list_goals(rules, kind, location, desk.ways, desk.num_ways, desk.goals)
            for i in range(count):
                value += desk.spread[0, int(desk.goals[i])]
            desk.spread[1, location] = value / 5.0
        desk.spread[0, :] = desk.spread[1, :]


# --- orders -------------------------------------------------------------------------------------------


@compiled
def _plan_orders(state, rules, power, source, desk):  # type: ignore[no-untyped-def]
    """Orders for all units of the power, in random order but where one waits for another."""
    state.written[:] = c.NONE
    desk.goal[:] = c.NONE
    desk.comer[:] = c.NONE
    desk.put_off[:] = 0
    count = 0
    for place in range(c.NUM_PROVINCES):
        if state.unit_power[place] == power:
            other = random_number(source, count + 1)
            desk.unit[count] = desk.unit[other]
            desk.unit[other] = place
            count += 1
    turn = 0
    while turn < count:
        place = int(desk.unit[turn])
        if not _order_unit(state, rules, place, source, desk):
            desk.put_off[place] = 1
            desk.unit[count] = place
            count += 1
        turn += 1


@compiled
def _order_unit(state, rules, place, source, desk):  # type: ignore[no-untyped-def]
    """Order a unit; false where it has to wait for the unit that stands where it wants to go."""
    kind, location = int(state.unit_type[place]), int(state.unit_location[place])
    count, beside = list_goals(rules, kind, location, desk.ways, desk.num_ways, desk.goals)
    for i in range(count):
        desk.value[i] = desk.worth[kind, int(desk.goals[i])]
    desk.value[count] = desk.worth[kind, location]
    best_step = NOTHING
    for i in range(count):
        best_step = max(best_step, desk.value[i])
    while True:
        choice = _pick(desk, count, source)
        if choice < 0 or choice == count:
            _write_stay(state, rules, place, best_step, desk)
            return True
        goal = int(desk.goals[choice])
        province = int(rules.province_of[goal])
        if _waits(state, place, province, desk):
            return False
        helped = _whom_to_help(state, place, province, desk)
        if helped == c.NONE:
            write_move(state, rules, place, goal, choice < beside)
            desk.goal[place] = province
            desk.comer[province] = place
            return True
        # Help goes where a unit could step itself, and not through a tunnel.
        if helped != place and desk.rivals[province] > 0 and choice < beside:
            _write_help(state, rules, place, helped, province)
            desk.goal[place] = place
            return True
        desk.value[choice] = NOTHING


@compiled
def _pick(desk, count, source):  # type: ignore[no-untyped-def]
    """The place of the best value left, or now and then one further down; `count` is to stay, NONE nothing."""
    best = _next_best(desk, count, c.NONE)
    if best < 0:
        return best
    top = desk.value[best]
    chosen = best
    while True:
        other = _next_best(desk, count, chosen)
        if other < 0 or random_number(source, 100) >= ON:
            return chosen
        difference = desk.value[chosen] - desk.value[other]
        stops = STEEP * difference / top if top > 0 else 0.0
        if random_number(source, 100) < stops:
            return chosen
        chosen = other


@compiled
def _next_best(desk, count, before):  # type: ignore[no-untyped-def]
    """The place of the highest value behind one in descending order, equal ones by number; NONE: there is none."""
    found = c.NONE
    for i in range(count + 1):
        value = desk.value[i]
        if value == NOTHING:
            continue
        if before >= 0:
            last = desk.value[before]
            if value > last or (value == last and i <= before):
                continue
        if found < 0 or value > desk.value[found]:
            found = i
    return found


@compiled
def _waits(state, place, province, desk):  # type: ignore[no-untyped-def]
    """Whether an own unit stands in a province that has no order yet, and this one has not waited before."""
    own = state.unit_power[province] == state.unit_power[place]
    return own and desk.goal[province] < 0 and not desk.put_off[place]


@compiled
def _whom_to_help(state, place, province, desk):  # type: ignore[no-untyped-def]
    """The own unit that will be in a province, NONE if it is free; the unit itself where it cannot go."""
    if desk.comer[province] >= 0:
        return int(desk.comer[province])
    if state.unit_power[province] != state.unit_power[place]:
        return c.NONE
    goal = int(desk.goal[province])
    if goal == province:
        return province
    # One that has no order may stay, and two units cannot change places.
    return place if goal < 0 or goal == place else c.NONE


@compiled
def _write_help(state, rules, place, helped, province):  # type: ignore[no-untyped-def]
    """Support the unit that stays in a province, or the one that moves there."""
    if helped == province:
        state.written[place] = c.FIRST_SUPPORT_HOLD + province
    else:
        move = int(state.written[helped])
        state.written[place] = rules.support_id[helped, int(rules.action_dst[move])]


@compiled
def _write_stay(state, rules, place, best_step, desk):  # type: ignore[no-untyped-def]
    """Hold, or dig a tunnel to a place that is worth more than all that the army can step to."""
    desk.goal[place] = place
    state.written[place] = c.ID_HOLD
    if not desk.digs or state.unit_type[place] != c.ARMY:
        return
    if state.season == c.FALL and desk.rivals[place] > 0:
        return
    best = MARGIN * best_step
    for i in range(int(rules.exits[place])):
        goal = int(rules.exit[place, i])
        value = desk.worth[c.ARMY, goal]
        if value > best and may_dig(state, rules, place, goal):
            best = value
            state.written[place] = c.FIRST_DIG + int(rules.land[goal])
