"""Determinization: draw one game consistent with what a power can know (rules E50).

Known tunnels stay; every other living power gets new hidden ones where its armies were seen to hold. The viewer
keeps what it has answered in the running phase; what others have written is cleared, and they are asked again:
simultaneous orders are one node of a search. A viewer that is asked stays so, and those before it are asked
after the last power (`transition.find_question`). The draw is consistent with the board and the report, not with the
whole history of orders.
"""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import WORLDS, below, seed_apart
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.legality import list_retreats
from channel_tunnel_env.games.eurotunnel.engine.movement import disband
from channel_tunnel_env.games.eurotunnel.engine.transition import find_question, writer_of
from channel_tunnel_env.games.eurotunnel.engine.tunnels import add_tunnel, find_own, has_room, knows, permit_guests_seen
from channel_tunnel_env.games.eurotunnel.engine.winter import quota_of
from channel_tunnel_env.games.eurotunnel.engine.year import begin

_UNUSED = 1 << 30  # sorts behind every known tunnel


@compiled
def determinize(state, rules, viewer, seed, work):
    """Redraw in place what `viewer` cannot know.

    Two states that look equal to the viewer give the same game for the same seed.
    """
    seed_apart(state, WORLDS, seed)
    state.ply = 0  # it would tell how many choices others had
    if state.phase == c.RETREATS:
        # That a unit has nowhere to go may depend on a tunnel that the viewer does not know.
        _recall_dislodged(state, rules, viewer)
    for owner in range(c.NUM_POWERS):
        # A power that is out has no tunnels left to imagine (8.5).
        if owner != viewer:
            _forget(state, viewer, owner)
            if int(state.alive) >> owner & 1 == 1:
                _draw_tunnels(state, rules, owner)
    # Other permissions are forgotten by now; those that the board proves are written again.
    permit_guests_seen(state, rules, viewer)
    _clear_answers(state, rules, viewer)
    if state.phase == c.RETREATS:
        _disband_lost(state, rules, viewer, work)
    if state.phase == c.OVER:
        state.to_play = 0  # who was asked last is no news
    elif state.to_play != viewer:
        votes = int(state.votes)
        begin(state, int(state.phase))
        state.votes = votes
        if not find_question(state, rules):
            # In the game as drawn no other power has anything to answer: the viewer is asked again.
            _clear_answers(state, rules, c.NOBODY)
            begin(state, int(state.phase))
            find_question(state, rules)


@compiled
def _clear_answers(state, rules, viewer):
    """Forget what has been answered in this phase, but for the viewer's answers."""
    for place in range(c.NUM_PROVINCES):
        if writer_of(state, rules, place) != viewer:
            state.written[place] = c.NONE
    for owner in range(c.NUM_POWERS):
        if owner == viewer:
            continue
        state.votes = int(state.votes) & ~(1 << owner)
        if state.phase == c.ADJUSTMENTS:
            state.quota[owner] = quota_of(state, rules, owner)  # it counts down as units are written
        for slot in range(c.MAX_TUNNELS):
            state.tunnel_next[owner, slot] = state.tunnel_permits[owner, slot]


@compiled
def _recall_dislodged(state, rules, viewer):
    """Foreign armies that had to leave wait again, whether or not they had a place to go."""
    for place in range(c.NUM_PROVINCES):
        power = int(state.told_power[place])
        gone = state.told_result[place] >= c.DISLODGED and state.lost_power[place] < 0
        absent = power >= 0 and int(rules.absent) >> power & 1 == 1  # its units disband regardless (8.4)
        # Where a fleet could go all can see; only an army may have a secret way out.
        if gone and power != viewer and not absent and state.told_type[place] == c.ARMY:
            state.lost_power[place] = power
            state.lost_type[place] = c.ARMY
            state.lost_location[place] = place


@compiled
def _disband_lost(state, rules, viewer, work):
    """Those without a place to go in the game as drawn are disbanded, unless no power would be left to ask."""
    # In a phase of retreats some power is asked: if no unit has a choice, all go on waiting.
    left = 0
    for place in range(c.NUM_PROVINCES):
        if state.lost_power[place] >= 0 and state.written[place] < 0:
            left += list_retreats(state, rules, place, work) > 1
    for place in range(c.NUM_PROVINCES):
        power = int(state.lost_power[place])
        foreign = left > 0 and power >= 0 and power != viewer
        if foreign and list_retreats(state, rules, place, work) == 1:
            disband(state, place)


@compiled
def _forget(state, viewer, owner):
    """Keep only what the viewer knows of a power's tunnels, in an order that says no more."""
    for slot in range(c.MAX_TUNNELS):
        what = int(state.tunnel_state[owner, slot])
        seen = what == c.DEMOLISHED or (what == c.HIDDEN or what == c.OPENED)
        if what != c.DEMOLISHED:
            seen = seen and knows(state, viewer, owner, slot)
        if not seen:
            state.tunnel_state[owner, slot] = c.NO_TUNNEL
            state.tunnel_pair[owner, slot] = c.NONE
        # A permission is known to the owner and the guest only (7.7).
        bit = 1 << viewer if seen else 0
        state.tunnel_permits[owner, slot] = int(state.tunnel_permits[owner, slot]) & bit
        state.tunnel_told[owner, slot] = int(state.tunnel_told[owner, slot]) & bit
    # Slots are in the order of building, which the viewer may not know.
    for last in range(c.MAX_TUNNELS - 1, 0, -1):
        for slot in range(last):
            if _rank(state, owner, slot) > _rank(state, owner, slot + 1):
                _swap(state, owner, slot)
    # Not all that it built: how many a power has built is secret too (E47).
    state.built[owner] = 0
    for slot in range(c.MAX_TUNNELS):
        state.built[owner] += state.tunnel_state[owner, slot] != c.NO_TUNNEL


@compiled
def _rank(state, owner, slot):
    if state.tunnel_state[owner, slot] == c.NO_TUNNEL:
        return _UNUSED
    # By pair, then by state, of which there are fewer than 8; equal ranks are fallen tunnels, alike in all.
    return (int(state.tunnel_pair[owner, slot]) + 1) * 8 + int(state.tunnel_state[owner, slot])


@compiled
def _swap(state, owner, slot):
    """Exchange a tunnel with that of the next slot."""
    # `tunnel_next` stays: it is written from the permissions afterwards.
    a, b = slot, slot + 1
    pair, what = int(state.tunnel_pair[owner, a]), int(state.tunnel_state[owner, a])
    permits, told = int(state.tunnel_permits[owner, a]), int(state.tunnel_told[owner, a])
    state.tunnel_pair[owner, a] = state.tunnel_pair[owner, b]
    state.tunnel_state[owner, a] = state.tunnel_state[owner, b]
    state.tunnel_permits[owner, a] = state.tunnel_permits[owner, b]
    state.tunnel_told[owner, a] = state.tunnel_told[owner, b]
    state.tunnel_pair[owner, b] = pair
    state.tunnel_state[owner, b] = what
    state.tunnel_permits[owner, b] = permits
    state.tunnel_told[owner, b] = told


@compiled
def _draw_tunnels(state, rules, owner):
    """Hidden tunnels of a power: how many is uniform, up to the phases in which an army of it held."""
    holds = 0
    for place in range(c.NUM_PROVINCES):
        holds += int(state.held[owner, place])
    room = max(0, int(rules.tunnels_per_power) - int(state.built[owner]))
    # Every hold that others saw may have been a build (7.6).
    for _ in range(below(state, c.IMAGINED_STREAM, min(room, holds) + 1)):
        total = 0
        for place in range(c.NUM_PROVINCES):
            if _count_exits(state, rules, owner, place) > 0:
                total += int(state.held[owner, place])
        if total > 0:  # there may be no exit left before the number is reached
            _draw_tunnel(state, rules, owner, below(state, c.IMAGINED_STREAM, total))


@compiled
def _draw_tunnel(state, rules, owner, rest):
    """From a province in proportion to the holds seen there, to any legal exit."""
    for place in range(c.NUM_PROVINCES):
        exits = _count_exits(state, rules, owner, place)
        weight = int(state.held[owner, place]) if exits > 0 else 0
        # `rest` is a point on the line of all weights; each province takes up its own length.
        if rest < weight:
            chosen = below(state, c.IMAGINED_STREAM, exits)
            add_tunnel(state, owner, _nth_exit(state, rules, owner, place, chosen))
            return
        rest -= weight


@compiled
def _is_exit(state, rules, owner, place, i):
    goal = int(rules.exit[place, i])
    free = find_own(state, owner, int(rules.pair[place, goal])) < 0  # one standing on a pair (E6)
    room = has_room(state, rules, owner, place, 0) and has_room(state, rules, owner, goal, 0)
    return free and room


@compiled
def _count_exits(state, rules, owner, place):
    """Exits to which the power could have built from a province where it was seen to hold."""
    count = 0
    if state.held[owner, place] > 0:
        for i in range(int(rules.exits[place])):
            count += _is_exit(state, rules, owner, place, i)
    return count


@compiled
def _nth_exit(state, rules, owner, place, number):
    """The pair of one of the exits that `_count_exits` counts."""
    pair = c.NONE
    for i in range(int(rules.exits[place])):
        if _is_exit(state, rules, owner, place, i):
            if number == 0:
                pair = int(rules.pair[place, int(rules.exit[place, i])])
            number -= 1
    return pair
