"""The course of a year: retreats, all at once and without help (rules 6); ends of phases, centres, elimination, victory, draws (rules 3, 8)."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.movement import disband, move_units, put_unit
from channel_tunnel_env.games.eurotunnel.engine.tunnels import choose_tunnel, demolish, open_tunnel, remove_all
from channel_tunnel_env.games.eurotunnel.engine.winter import adjust_units, count_centres, count_units, set_quotas


@compiled
def is_retreat_due(state):
    """Whether a dislodged unit waits for its order."""
    due = 0
    for place in range(c.NUM_PROVINCES):
        due += state.lost_power[place] >= 0
    return due > 0


@compiled
def retreat_units(state, rules, work):
    """Make the retreats written; those that meet, and those without an order, are disbanded."""
    # A retreat through a tunnel opens it even if the unit is then lost (6.4).
    _open_tunnels(state, rules, work)
    # Retreats are simultaneous: all are counted before the first is made (6.3).
    work.arrivals[:] = 0
    for place in range(c.NUM_PROVINCES):
        location = _refuge(state, rules, place)
        if location >= 0:
            work.arrivals[int(rules.province_of[location])] += 1
    for place in range(c.NUM_PROVINCES):
        location = _refuge(state, rules, place)
        # Two that meet in a province are both disbanded, regardless of the coast (6.3).
        if location >= 0 and work.arrivals[int(rules.province_of[location])] == 1:
            put_unit(state, rules, int(state.lost_power[place]), int(state.lost_type[place]), location)
    # Units that reached a refuge are on the board by now: this ends their record, and disbands the others.
    for place in range(c.NUM_PROVINCES):
        disband(state, place)
    state.written[:] = c.NONE


@compiled
def _refuge(state, rules, place):
    """The location that a dislodged unit retreats to, or NONE."""
    action = int(state.written[place])  # of the unit that left; its attacker, now there, is not asked
    if state.lost_power[place] < 0 or action < 0 or action == c.ID_DISBAND:
        return c.NONE
    return int(rules.action_dst[action])


@compiled
def _open_tunnels(state, rules, work):
    """Tunnels through which a retreat is ordered become known, all chosen before one opens (rules 6.4)."""
    work.taken[:] = c.NONE
    for place in range(c.NUM_PROVINCES):
        action = int(state.written[place])
        if action >= 0 and rules.action_kind[action] == c.RETREAT_TUNNEL:
            pair = int(rules.pair[place, int(rules.action_dst[action])])
            work.taken[place] = choose_tunnel(state, int(state.lost_power[place]), pair)
    for place in range(c.NUM_PROVINCES):
        if work.taken[place] >= 0:
            open_tunnel(state, int(work.taken[place]), work)


@compiled
def end_phase(state, rules, work):
    """All powers have answered: read what they wrote, make it so, and begin the next phase."""
    # What the report of this phase names (7.6).
    work.opened[:] = 0
    work.demolished[:] = 0
    if state.phase == c.MOVEMENT:
        # All said yes: the orders of this phase are not read (8.3).
        if rules.draw_vote and _is_draw_agreed(state, rules):
            _share_draw(state)
            return
        move_units(state, rules, work)
        # Demolition waits until no retreat is outstanding (7.8).
        if is_retreat_due(state):
            begin(state, c.RETREATS)
            return
        _end_turn(state, rules, work)
    elif state.phase == c.RETREATS:
        retreat_units(state, rules, work)
        _end_turn(state, rules, work)
    else:
        adjust_units(state, rules, work)
        demolish(state, rules, work)  # a unit raised on an end counts too (E33)
        _eliminate(state, work)  # after adjustments as well as after a fall (8.5)
        _begin_year(state)


@compiled
def begin(state, phase):
    """Begin a phase: the first power is looked at first."""
    state.phase = phase
    state.to_play = 0
    state.asked = c.UNITS
    state.cursor = c.NONE
    state.last_choice = c.NONE
    state.votes = 0


@compiled
def _begin_year(state):
    state.turn += 1
    state.year += 1
    state.season = c.SPRING
    begin(state, c.MOVEMENT)


@compiled
def _end_turn(state, rules, work):
    """Spring or fall is over, retreats included."""
    state.contested[:] = 0
    state.lost_from[:] = 0  # as in a new record: it is read only for a dislodged unit
    demolish(state, rules, work)
    # Centres change hands after a fall only (section 3).
    if state.season == c.SPRING:
        state.turn += 1
        state.season = c.FALL
        begin(state, c.MOVEMENT)
        return
    _capture(state, rules)
    _eliminate(state, work)
    # Victory comes before the year limit and before adjustments (8.1).
    if _is_won(state, rules):
        return
    if state.year >= rules.max_year:
        _score_limit(state, rules)
        return
    state.season = c.WINTER
    begin(state, c.ADJUSTMENTS)
    # A winter in which no power has anything to do is no phase (section 3).
    if not set_quotas(state, rules):
        _begin_year(state)


@compiled
def _capture(state, rules):
    """Every centre that holds a unit becomes its power's."""
    for place in range(c.NUM_PROVINCES):
        if rules.centre[place] and state.unit_power[place] >= 0:
            state.owner[place] = state.unit_power[place]


@compiled
def _eliminate(state, work):
    """Powers without units and centres are out, and their tunnels with them (rules 8.5)."""
    for power in range(c.NUM_POWERS):
        alive = int(state.alive) >> power & 1 == 1
        if alive and count_units(state, power) + count_centres(state, power) == 0:
            state.alive = int(state.alive) & ~(1 << power)
            remove_all(state, power, work)


@compiled
def end_game(state, cause, winner):
    """The game is over; no seat is asked any more."""
    begin(state, c.OVER)
    state.end_cause = cause
    state.winner = winner


@compiled
def _is_won(state, rules):
    """A power with enough centres has won; of several, which a low target allows, the one with most."""
    winner, most = c.NOBODY, int(rules.victory_centres) - 1
    for power in range(c.NUM_POWERS):
        centres = count_centres(state, power)
        if centres > most:  # of equals the first by index
            winner, most = power, centres
    if winner < 0:
        return False
    state.share[winner] = 1.0
    end_game(state, c.SOLO, winner)
    return True


@compiled
def end_as(state, rules, cause):
    """End a game, of which the board after its last turn is laid out, for a cause; whether it can have ended so."""
    if cause == c.DRAW_VOTE:
        voters = 0
        for power in range(c.NUM_POWERS):
            voters += int(rules.absent) >> power & 1 == 0 and count_units(state, power) > 0
        if rules.draw_vote and voters > 0:
            _share_draw(state)
        return state.end_cause == cause
    for place in range(c.NUM_PROVINCES):
        power = int(state.unit_power[place])
        # After a fall each centre with a unit on it belongs to that unit's power (section 3).
        if rules.centre[place] and power >= 0 and state.owner[place] != power:
            return False
    if not _is_won(state, rules) and state.year == rules.max_year:
        _score_limit(state, rules)
    return state.season == c.FALL and state.end_cause == cause


@compiled
def _is_draw_agreed(state, rules):
    """Whether every power with units voted for the draw; absent ones have no vote."""
    votes, absent = int(state.votes), int(rules.absent)
    for power in range(c.NUM_POWERS):
        if count_units(state, power) > 0 and (votes | absent) >> power & 1 == 0:
            return False
    return votes != 0  # 0: no power that could vote has units


@compiled
def _share_draw(state):
    _share_among_survivors(state)
    state.written[:] = c.NONE
    end_game(state, c.DRAW_VOTE, c.DRAW)


@compiled
def _share_among_survivors(state):
    survivors = 0
    for power in range(c.NUM_POWERS):
        survivors += count_units(state, power) > 0
    for power in range(c.NUM_POWERS):
        if survivors == 0:  # an empty board: the shares have to sum to 1
            state.share[power] = 1.0 / c.NUM_POWERS
        elif count_units(state, power) > 0:
            state.share[power] = 1.0 / survivors


@compiled
def _score_limit(state, rules):
    """Shares of a game that the last year ends undecided (rules 8.3)."""
    most, total = 0, 0.0
    for power in range(c.NUM_POWERS):
        most = max(most, count_units(state, power))
    for power in range(c.NUM_POWERS):
        state.share[power] = _weight(state, rules, power, most)
        total += state.share[power]
    for power in range(c.NUM_POWERS):
        state.share[power] = state.share[power] / total if total > 0 else 0.0
    if total == 0:  # no power has what the score counts
        _share_among_survivors(state)
    end_game(state, c.MAX_YEAR, c.DRAW)


@compiled
def _weight(state, rules, power, most):
    """What a power's share of the score is in proportion to."""
    if rules.limit_score == c.BY_SURVIVAL:
        return 0.0 if count_units(state, power) == 0 else 1.0
    centres = count_centres(state, power)
    if rules.limit_score == c.BY_SQUARES:
        return float(centres * centres)
    if rules.limit_score == c.BY_CENTRES:
        return float(centres)
    return 1.0 if count_units(state, power) == most else 0.0
