"""What holds after every action (rules 11). The equations of a movement phase are checked where it is solved.

A record may come from a file: ranges are checked first, so that nothing behind them reads outside an array.
"""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.kernels import is_listed
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.legality import list_legal, list_orders, list_retreats
from channel_tunnel_env.games.eurotunnel.engine.passage import could_convoy, fleets_at_sea
from channel_tunnel_env.games.eurotunnel.engine.transition import owes_answers, writer_of
from channel_tunnel_env.games.eurotunnel.engine.tunnels import is_permitted, is_standing
from channel_tunnel_env.games.eurotunnel.engine.winter import count_centres, count_units, quota_of

INVARIANTS = (
    "all hold",
    "a unit stands where its type can, and names its coast",
    "a power has no more units than centres when a year begins, and in winter what is left to raise or remove follows "
    "from the board and from what is written",
    "only centres have owners",
    "a power's tunnels fill the slots of those it has built",
    "one standing tunnel of a power on a pair, and no more in a province than allowed",
    "permissions and what was told concern standing tunnels and other powers, a guest was told, and there are "
    "permissions under the ruleset",
    "no unit without permission stands on an end of an opened tunnel between phases",
    "dislodged units and contested provinces exist only before retreats, and an attacker stands where a unit was "
    "dislodged and could come from where it is said to have come",
    "a power that is out has no unit, on the board or dislodged, no centre and no tunnel",
    "what is written belongs to the phase, and nothing is written for units not asked yet",
    "the power asked has a choice, and the unit asked is its own",
    "shares of a finished game sum to 1, and nobody has one before",
    "a tunnel that was opened is never hidden again, and one that fell never returns",
    "centres change hands only at the end of a fall, and are never lost to nobody",
    "every decision of the last movement phase satisfies its equation",
    "every number is in its range",
    "turn, season and phase agree, and no year follows the last",
)
(
    _OK,
    _UNITS,
    _STRENGTH,
    _OWNERS,
    _SLOTS,
    _LIMITS,
    _GUESTS,
    _ENDS,
    _DISLODGED,
    _ELIMINATED,
    _WRITTEN,
    _QUESTION,
    _SHARES,
    TUNNELS_TURN_BACK,
    OWNERS_CHANGE,
    EQUATIONS,
    RANGES,
    _CLOCK,
) = range(len(INVARIANTS))  # in the order of INVARIANTS; 0 is that all hold


@compiled
def check_invariants(state, rules, work):
    """The first invariant that does not hold, as its place in INVARIANTS; 0 where all hold."""
    if not _is_in_range(state, rules):
        return RANGES
    for broken in (
        _check_board(state, rules),
        _check_strength(state),
        _check_quotas(state, rules),
        _check_ends(state, rules),
        _check_written(state, rules),
        _check_question(state, rules, work),
        _check_shares(state),
    ):
        if broken != _OK:
            return broken
    return _OK


@compiled
def check_board(state, rules):
    """As `check_invariants`, for a board that is laid out for a phase to be adjudicated.

    It may be one that play does not reach, such as one of units without centres.
    """
    return _check_board(state, rules) if _is_in_range(state, rules) else RANGES


@compiled
def _check_board(state, rules):
    for broken in (
        _check_clock(state, rules),
        _check_units(state, rules),
        _check_owners(state, rules),
        _check_slots(state, rules),
        _check_guests(state, rules),
        _check_dislodged(state, rules),
        _check_eliminated(state),
    ):
        if broken != _OK:
            return broken
    return _OK


@compiled
def _is_in_range(state, rules):
    """Whether all that other checks and rules look up is in a table."""
    game = (
        c.SPRING <= state.season <= c.WINTER
        and c.MOVEMENT <= state.phase <= c.OVER
        and 0 <= state.to_play < c.NUM_POWERS
        and c.UNITS <= state.asked <= c.VOTE
        and c.NONE <= state.cursor < c.NUM_PROVINCES
        and c.NONE <= state.last_choice < c.NUM_ACTIONS
        and c.PLAYING <= state.end_cause <= c.MAX_YEAR
        and (c.NOBODY <= state.winner < c.NUM_POWERS or state.winner == c.DRAW)
        and int(state.alive) >> c.NUM_POWERS == 0
        and int(state.votes) >> c.NUM_POWERS == 0
    )
    for power in range(c.NUM_POWERS):
        game = game and abs(int(state.quota[power])) <= c.NUM_PROVINCES  # a difference of centres and units
        for slot in range(c.MAX_TUNNELS):
            what, pair = int(state.tunnel_state[power, slot]), int(state.tunnel_pair[power, slot])
            game = game and c.NO_TUNNEL <= what <= c.VANISHED and c.NONE <= pair < c.NUM_PAIRS
    return game and _are_provinces_in_range(state, rules)


@compiled
def _are_provinces_in_range(state, rules):
    for place in range(c.NUM_PROVINCES):
        told, what = int(state.told_order[place]), int(state.told_result[place])
        fits = (
            c.NOBODY <= state.unit_power[place] < c.NUM_POWERS
            and c.NOBODY <= state.lost_power[place] < c.NUM_POWERS
            and c.NOBODY <= state.told_power[place] < c.NUM_POWERS
            and c.NONE <= state.lost_from[place] < c.NUM_PROVINCES
            and state.contested[place] <= 1
            and c.NONE <= told < c.FIRST_RETREAT  # only orders of a movement phase are reported
            and 0 <= state.told_type[place] <= c.FLEET
            and 0 <= what // c.DISLODGED <= 1
            and 0 <= state.unit_type[place] <= c.FLEET
            and 0 <= state.unit_location[place] < c.NUM_LOCATIONS
            and 0 <= state.lost_type[place] <= c.FLEET
            and 0 <= state.lost_location[place] < c.NUM_LOCATIONS
        )
        if not fits or (told >= 0) != (state.told_power[place] >= 0):
            return False
        # A build is reported as a hold (E15).
        if told >= 0 and (state.told_type[place] == 0 or rules.action_kind[told] == c.DIG):
            return False
    return True


@compiled
def _check_clock(state, rules):
    year, phase = int(state.year), int(state.phase)
    if year < rules.first_year or year > rules.max_year:
        return _CLOCK
    # A winter is no turn: it keeps the number of its fall.
    turns = c.TURNS_A_YEAR * (year - int(rules.first_year)) + min(int(state.season), c.FALL) + 1
    if state.turn != turns or (state.season == c.WINTER) != (phase == c.ADJUSTMENTS):
        return _CLOCK
    if phase == c.ADJUSTMENTS and year == rules.max_year:  # the game stops after that fall (8.3)
        return _CLOCK
    return _OK


@compiled
def check_step(before, after):
    """The first invariant that a step from one state to the next breaks; 0 for none."""
    for owner in range(c.NUM_POWERS):
        for slot in range(c.MAX_TUNNELS):
            # The states are numbered in the order in which a tunnel goes through them.
            if after.tunnel_state[owner, slot] < before.tunnel_state[owner, slot]:
                return TUNNELS_TURN_BACK
    for place in range(c.NUM_PROVINCES):
        if after.owner[place] != before.owner[place]:
            fall = before.season == c.FALL and after.season != c.FALL
            # A game that ends after a fall keeps its season.
            if after.owner[place] < 0 or not (fall or after.phase == c.OVER):
                return OWNERS_CHANGE
    return _OK


@compiled
def _is_misplaced(rules, kind, location, place):
    """Whether a unit cannot stand on a location of a province."""
    if kind != c.ARMY and kind != c.FLEET:
        return True
    if location < 0 or location >= c.NUM_LOCATIONS or rules.province_of[location] != place:
        return True
    # No step: an army at sea or on a coast, a fleet inland, or in a province of two coasts without naming one.
    return rules.steps[kind, location] == 0


@compiled
def _check_units(state, rules):
    for place in range(c.NUM_PROVINCES):
        power = int(state.unit_power[place])
        kind, location = int(state.unit_type[place]), int(state.unit_location[place])
        # Rules that look for an army beside a sea read only the type, so it has to be 0 without a unit.
        if power == c.NOBODY and (kind != 0 or location != 0):
            return _UNITS
        if power != c.NOBODY and _is_misplaced(rules, kind, location, place):
            return _UNITS
    return _OK


@compiled
def _check_strength(state):
    if state.phase == c.MOVEMENT and state.season == c.SPRING:
        for power in range(c.NUM_POWERS):
            if count_units(state, power) > count_centres(state, power):
                return _STRENGTH
    return _OK


@compiled
def _check_quotas(state, rules):
    if state.phase != c.ADJUSTMENTS:
        return _OK
    for power in range(c.NUM_POWERS):
        due, left = int(quota_of(state, rules, power)), int(state.quota[power])
        builds = removals = 0
        for place in range(c.NUM_PROVINCES):
            action = int(state.written[place])
            if 0 <= action < c.NUM_ACTIONS:
                removes = rules.action_kind[action] == c.REMOVE
                removals += removes and state.unit_power[place] == power
                builds += not removes and rules.home[place] == power
        if builds > max(due, 0) or removals > max(-due, 0):
            return _STRENGTH
        rest = due - builds + removals
        waived = due > 0 and left == 0 and power != state.to_play  # what is waived is written nowhere
        if left != rest and not waived:
            return _STRENGTH
        is_absent = int(rules.absent) >> power & 1 == 1  # what it has to remove is found when the winter ends
        # Those before the seat that a world was dealt for are asked after it.
        if power < state.to_play and left != 0 and left != due and not is_absent:
            return _STRENGTH
    return _OK


@compiled
def _check_owners(state, rules):
    for place in range(c.NUM_PROVINCES):
        owner = int(state.owner[place])
        if owner < c.NOBODY or owner >= c.NUM_POWERS or (owner >= 0 and not rules.centre[place]):
            return _OWNERS
    return _OK


@compiled
def _check_slots(state, rules):
    for owner in range(c.NUM_POWERS):
        built = int(state.built[owner])
        if built < 0 or built > rules.tunnels_per_power:
            return _SLOTS
        for slot in range(c.MAX_TUNNELS):
            if (state.tunnel_state[owner, slot] != c.NO_TUNNEL) != (slot < built):  # slots fill in order, once each
                return _SLOTS
            if is_standing(state, owner, slot):
                pair = int(state.tunnel_pair[owner, slot])
                if pair < 0 or pair >= c.NUM_PAIRS:
                    return _SLOTS
                if _is_crowded(state, rules, owner, slot, pair):
                    return _LIMITS
    return _OK


@compiled
def _is_crowded(state, rules, owner, slot, pair):
    """Whether another tunnel of the owner joins the pair, or too many end where it ends."""
    first = second = 0
    for other in range(c.MAX_TUNNELS):
        if is_standing(state, owner, other):
            number = int(state.tunnel_pair[owner, other])
            if number == pair and other != slot:
                return True
            for end in range(2):
                first += rules.pair_end[number, end] == rules.pair_end[pair, 0]
                second += rules.pair_end[number, end] == rules.pair_end[pair, 1]
    return max(first, second) > rules.tunnels_per_province  # the tunnel itself is counted too


@compiled
def _check_guests(state, rules):
    for owner in range(c.NUM_POWERS):
        for slot in range(c.MAX_TUNNELS):
            permits, told = (int(state.tunnel_permits[owner, slot]), int(state.tunnel_told[owner, slot]))
            everybody = permits | told | int(state.tunnel_next[owner, slot])
            if everybody >> owner & 1 or everybody >> c.NUM_POWERS:  # an owner needs none, and bits end with the powers
                return _GUESTS
            if everybody and not (rules.permissions and is_standing(state, owner, slot)):
                return _GUESTS
            if permits & ~told:  # who has permission at the end of a phase is told (7.7)
                return _GUESTS
    return _OK


@compiled
def _check_ends(state, rules):
    if state.phase == c.RETREATS or state.phase == c.OVER:  # demolition waits for the retreats (7.8)
        return _OK
    for owner in range(c.NUM_POWERS):
        for slot in range(c.MAX_TUNNELS):
            if state.tunnel_state[owner, slot] == c.OPENED:
                for end in range(2):
                    place = int(rules.pair_end[int(state.tunnel_pair[owner, slot]), end])
                    power = int(state.unit_power[place])
                    if power >= 0 and not is_permitted(state, owner, slot, power):
                        return _ENDS
    return _OK


@compiled
def _check_dislodged(state, rules):
    waiting = 0
    for place in range(c.NUM_PROVINCES):
        kind, location = int(state.lost_type[place]), int(state.lost_location[place])
        if state.lost_power[place] >= 0:
            waiting += 1
            if _is_misplaced(rules, kind, location, place) or not _is_attacked(state, rules, place):
                return _DISLODGED
        elif kind != 0:
            return _DISLODGED
        # Contested is a province left empty, and only retreats ask for it (5.6).
        if state.contested[place] and (state.phase != c.RETREATS or state.unit_power[place] >= 0):
            return _DISLODGED
    if (waiting > 0) != (state.phase == c.RETREATS):  # without a unit that waits the phase is left out
        return _DISLODGED
    return _OK


@compiled
def _is_attacked(state, rules, place):
    """Whether the unit in a province can have dislodged another from it, and have come from its stated origin."""
    attacker, origin = int(state.unit_power[place]), int(state.lost_from[place])
    if attacker < 0 or attacker == state.lost_power[place]:  # no power dislodges a unit of its own (5.3)
        return False
    return origin < 0 or could_come(state, rules, origin, place)  # NONE: it came by convoy under `datc` (5.6)


@compiled
def could_come(state, rules, origin, place):
    """Whether the unit in a province can have moved there from another in the phase before retreats.

    The fleets that convoyed it are still at sea, and a tunnel that it used is known to all and stands.
    """
    kind, location = int(state.unit_type[place]), int(state.unit_location[place])
    for start in range(c.NUM_LOCATIONS):  # a fleet may have come from either coast of a province
        if rules.province_of[start] == origin:
            for i in range(int(rules.steps[kind, start])):
                if rules.step[kind, start, i] == location:
                    return True
    if kind != c.ARMY:
        return False
    pair = int(rules.pair[origin, place])
    for owner in range(c.NUM_POWERS):
        for slot in range(c.MAX_TUNNELS):
            opened = state.tunnel_state[owner, slot] == c.OPENED
            if pair >= 0 and opened and state.tunnel_pair[owner, slot] == pair:
                return True
    return could_convoy(rules, origin, place, fleets_at_sea(state, rules))


@compiled
def _check_eliminated(state):
    for power in range(c.NUM_POWERS):
        if int(state.alive) >> power & 1 == 0:
            if count_units(state, power) + count_centres(state, power) > 0:
                return _ELIMINATED
            for place in range(c.NUM_PROVINCES):
                if state.lost_power[place] == power:
                    return _ELIMINATED
            for slot in range(c.MAX_TUNNELS):
                if is_standing(state, power, slot):
                    return _ELIMINATED
    return _OK


@compiled
def _check_written(state, rules):
    at = int(state.cursor)  # a unit of another power is for `_check_question`
    has_units = state.phase == c.MOVEMENT or state.phase == c.RETREATS
    has_units = has_units and (at < 0 or writer_of(state, rules, at) == state.to_play)
    for place in range(c.NUM_PROVINCES):
        action, power = int(state.written[place]), writer_of(state, rules, place)
        if has_units and power == state.to_play:
            # The power that is asked has answered for the provinces before the cursor, and then for all.
            is_due = at < 0 or place < at
            if is_due != (action != c.NONE):
                return _WRITTEN
        if action == c.NONE:
            continue
        if action < 0 or action >= c.NUM_ACTIONS:
            return _WRITTEN
        kind = int(rules.action_kind[action])
        if state.phase == c.MOVEMENT:
            fits = kind <= c.CONVOY
        elif state.phase == c.RETREATS:
            fits = kind == c.RETREAT or kind == c.RETREAT_TUNNEL or kind == c.DISBAND
        else:
            removes = kind == c.REMOVE
            builds = kind == c.BUILD_ARMY or kind == c.BUILD_FLEET
            free = state.owner[place] == power and state.unit_power[place] < 0
            fits = (removes and state.unit_power[place] >= 0) or (builds and free)
            fits = fits and rules.province_of[int(rules.action_dst[action])] == place
        if power < 0 or not fits:
            return _WRITTEN
        # No other power has answered in part; one that a world was dealt for may have done so before its turn.
        if power != state.to_play and owes_answers(state, rules, power):
            return _WRITTEN
    return _OK


@compiled
def check_orders(state, rules, work):
    """The invariant that an order breaks which its unit could not have been given; 0 for none.

    It lists the orders of all units, so it is only for states from outside.
    """
    for place in range(c.NUM_PROVINCES):
        written = int(state.written[place])
        if written >= 0 and state.phase == c.MOVEMENT:
            count = list_orders(state, rules, place, work)
        elif written >= 0 and state.phase == c.RETREATS:
            count = list_retreats(state, rules, place, work)
        else:
            continue
        if not is_listed(work, count, written):
            return _WRITTEN
    return _OK


@compiled
def _check_question(state, rules, work):
    if state.phase == c.OVER:
        return _OK
    place = int(state.cursor)
    by_unit = state.phase == c.RETREATS or (state.phase == c.MOVEMENT and state.asked == c.UNITS)
    if by_unit != (place >= 0):  # permissions, votes and winters ask a power, not a unit
        return _QUESTION
    if by_unit:
        retreats = state.phase == c.RETREATS
        power = state.lost_power[place] if retreats else state.unit_power[place]
        if power != state.to_play:
            return _QUESTION
    elif state.phase == c.ADJUSTMENTS and state.quota[int(state.to_play)] == 0:
        return _QUESTION
    return _OK if list_legal(state, rules, work) > 0 else _QUESTION


@compiled
def _check_shares(state):
    total = 0.0
    for power in range(c.NUM_POWERS):
        if state.share[power] < 0:
            return _SHARES
        total += state.share[power]
    over = state.phase == c.OVER
    if over != (state.winner != c.NOBODY) or (state.end_cause == c.SOLO) != (c.NOBODY < state.winner < c.NUM_POWERS):
        return _SHARES
    # A share that is no number fails every comparison.
    summed = abs(total - (1.0 if over else 0.0)) <= 1e-9
    return _OK if summed and over == (state.end_cause != c.PLAYING) else _SHARES
