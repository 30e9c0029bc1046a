"""What an action does, and who is asked next (rules 3).

A phase asks power by power; then those that a world dealt for a later one has passed over. In a movement phase a power
orders its units in the order of their provinces, then changes permissions, then votes. Answers are only written down;
when the last power has answered, `end_phase` reads them all. Nothing here checks legality: callers take actions from
`list_legal`.
"""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.records import count_ply
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.tunnels import owns_tunnel
from channel_tunnel_env.games.eurotunnel.engine.winter import count_units
from channel_tunnel_env.games.eurotunnel.engine.year import end_phase

_ANSWERED = c.VOTE + 1  # past the last question of a movement phase


@compiled
def apply_action(state, rules, action, work):
    """Do a legal action."""
    count_ply(state)
    power, kind = int(state.to_play), int(rules.action_kind[action])
    if state.phase == c.ADJUSTMENTS:
        write_adjustment(state, rules, action)
    elif state.phase == c.MOVEMENT and state.asked == c.PERMITS:
        if kind == c.PERMIT:
            slot, guest = int(rules.action_src[action]), int(rules.action_dst[action])
            # The same power is asked on until PERMIT_DONE; what it changes holds when all is read (7.7).
            state.tunnel_next[power, slot] ^= 1 << guest
            return
        state.asked = c.VOTE
    elif state.phase == c.MOVEMENT and state.asked == c.VOTE:
        if kind == c.VOTE_DRAW:
            state.votes |= 1 << power
        state.asked = _ANSWERED
    else:
        state.written[int(state.cursor)] = action
    ask_next(state, rules, work)
    if state.phase == c.OVER:
        state.to_play = power  # `end_game` begins again with power 0


@compiled
def write_adjustment(state, rules, action):
    """Note a build or a removal of the power asked."""
    power = int(state.to_play)
    if action == c.ID_WAIVE:
        state.quota[power] = 0  # all that is left is waived, and not kept (D11)
        return
    state.written[int(rules.province_of[int(rules.action_dst[action])])] = action
    state.quota[power] += 1 if rules.action_kind[action] == c.REMOVE else -1
    state.last_choice = action


@compiled
def ask_next(state, rules, work):
    """Go on to the next question; if a phase has no question left, it ends, and the next begins."""
    while state.phase != c.OVER and not find_question(state, rules):
        end_phase(state, rules, work)


@compiled
def find_question(state, rules):
    """The next question of the phase; false when all are answered."""
    while True:
        while state.to_play < c.NUM_POWERS:
            power = int(state.to_play)
            is_open = int(rules.absent) >> power & 1 == 0 and not _has_answered(state, rules, power)
            if is_open and _asks(state, rules, power):  # absent powers are never asked (8.4)
                return True
            _look_at(state, power + 1)  # one too far after the last power, until `begin` of the next phase
        if not _was_left_out(state, rules):
            return False
        _look_at(state, 0)


@compiled
def _look_at(state, power):
    state.to_play = power
    state.asked = c.UNITS
    state.cursor = c.NONE
    state.last_choice = c.NONE


@compiled
def _has_answered(state, rules, power):
    """Whether a power looked at for the first time has orders: those of a seat that a world was dealt for (E50)."""
    if state.asked != c.UNITS or state.cursor != c.NONE or state.phase == c.ADJUSTMENTS:
        return False
    # Not while it owes some: a power that is left out must be looked at.
    if owes_answers(state, rules, power):
        return False
    for place in range(c.NUM_PROVINCES):
        if writer_of(state, rules, place) == power:
            return True
    return False


@compiled
def _was_left_out(state, rules):
    """Whether a power was passed over: a world dealt for a seat begins with that seat (E50)."""
    for power in range(c.NUM_POWERS):
        if int(rules.absent) >> power & 1 == 0 and owes_answers(state, rules, power):
            return True
    return False


@compiled
def owes_answers(state, rules, power):
    """Whether a power has a unit without an answer, or something to raise or remove."""
    if state.phase == c.ADJUSTMENTS:
        return state.quota[power] != 0
    for place in range(c.NUM_PROVINCES):
        if writer_of(state, rules, place) == power and state.written[place] < 0:
            return True
    return False


@compiled
def writer_of(state, rules, place):
    """The power that answers for a province: in winter an empty home's own, which may build there."""
    if state.phase == c.RETREATS:
        return int(state.lost_power[place])
    power = int(state.unit_power[place])
    return int(rules.home[place]) if power < 0 and state.phase == c.ADJUSTMENTS else power


@compiled
def _asks(state, rules, power):
    """Whether the power looked at has another question, which is then the current one."""
    if state.phase == c.ADJUSTMENTS:
        return state.quota[power] != 0
    if state.phase == c.RETREATS:
        return _find_unit(state, state.lost_power, power)
    if state.asked == c.UNITS:
        if _find_unit(state, state.unit_power, power):
            return True
        state.asked = c.PERMITS
        if rules.permissions and owns_tunnel(state, power):
            return True
    if state.asked == c.PERMITS:  # nothing to permit: a power with a tunnel left PERMITS by PERMIT_DONE
        state.asked = c.VOTE
    return state.asked == c.VOTE and rules.draw_vote != 0 and count_units(state, power) > 0  # no units, no vote (8.3)


@compiled
def _find_unit(state, powers, power):
    """Move the cursor to the power's next unit."""
    for place in range(int(state.cursor) + 1, c.NUM_PROVINCES):  # NONE is -1: the first search begins at 0
        if powers[place] == power:
            state.cursor = place
            return True
    state.cursor = c.NONE
    return False
