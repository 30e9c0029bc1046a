"""The equations of a movement phase and their solution (rules 5.3 to 5.5).

`judge` looks at a decision for every way of choosing the unknown decisions that its equation mentions,
and says YES or NO where all give the same. Supports and convoys belong to one action each, so their
bounds can be taken one by one; only the move of the unit at the goal, and whether two units fight head to
head, are gone through case by case.
"""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.orders import opposite
from channel_tunnel_env.games.eurotunnel.engine.passage import after_routes, first_route


@compiled
def solve(state, rules, work):
    """Fix every decision."""
    unknown = 0
    for i in range(int(work.units)):
        place = int(work.unit[i])
        if work.decides[place]:
            work.value[place] = c.UNKNOWN
            unknown += 1
    while True:
        # A value that narrowing fixes holds in every consistent solution, so its order has no effect (5.4).
        unknown = _narrow(state, rules, work, unknown)
        if unknown == 0:
            return
        # A support mentions only moves and convoys, so every core has one of these to fix.
        unknown -= _break_cores(state, rules, work)


@compiled
def _narrow(state, rules, work, unknown):
    """Judge unknown decisions until nothing changes; returns how many are left."""
    changed = True
    while changed and unknown > 0:
        changed = False
        for i in range(int(work.units)):
            place = int(work.unit[i])
            if work.value[place] == c.UNKNOWN:
                found = judge(state, rules, work, place)
                if found != c.UNKNOWN:
                    fix(rules, work, place, found)
                    unknown -= 1
                    changed = True
    return unknown


@compiled
def count_broken(state, rules, work):
    """Decisions of a solution that do not satisfy their equation, save convoys that the backup rule failed."""
    broken = 0
    for i in range(int(work.units)):
        place = int(work.unit[i])
        if work.decides[place]:
            # The backup rule fails convoys against their equation, on purpose (5.5).
            forced = work.convoys[place] and int(work.forced) >> int(rules.sea[place]) & 1 == 1
            wanted = c.NO if forced else judge(state, rules, work, place)
            broken += work.value[place] != wanted or wanted == c.UNKNOWN
    return broken


@compiled
def fix(rules, work, place, found):
    """Fix a decision."""
    work.value[place] = found
    if work.convoys[place]:
        # Convoys are kept as bits too: whether a route holds is then one comparison.
        bit = 1 << int(rules.sea[place])
        if found == c.YES:
            work.sailing |= bit
        else:
            work.sunk |= bit


@compiled
def judge(state, rules, work, place):
    """What the equation of a unit's decision gives: NO, YES or UNKNOWN."""
    if work.way[place] != c.NO_WAY:
        return _judge_move(state, rules, work, place)
    if work.convoys[place]:
        return _judge_convoy(work, place)
    return _judge_support(state, rules, work, place)


# --- ways -----------------------------------------------------------------------------------------------


@compiled
def path(rules, work, place):
    """PATH of a mover."""
    way = work.way[place]
    if way == c.BY_LAND:
        return c.YES
    if way == c.BY_TUNNEL:
        return c.YES if work.usable[place] else c.NO
    return _convoy_path(rules, work, place)


@compiled
def _convoy_path(rules, work, place):
    """CONVOYPATH: in 1971 all fleets of all ordered routes are needed, in datc those of one."""
    fleets = int(work.fleets[place])
    sailing, sunk = int(work.sailing), int(work.sunk)
    if fleets == 0:  # no ordered route: it was ordered to move all the same (D8)
        return c.NO
    if fleets & ~sailing == 0:
        return c.YES
    # One lost fleet on any ordered route stops the army (D2).
    if rules.rulebook == c.BOOK_1971:
        return c.NO if fleets & sunk != 0 else c.UNKNOWN
    goal = int(work.goal[place])
    best = c.NO
    for i in range(first_route(rules, place, goal), after_routes(rules, place, goal)):
        route = int(rules.route[i])
        if route & ~(fleets & ~sunk) == 0:  # every sea of it has an ordered fleet, and none is lost
            if route & ~sailing == 0:
                return c.YES
            best = c.UNKNOWN
    return best


@compiled
def _fights(work, place):
    """Whether a mover goes by a way on which units meet: ordinary, or a tunnel that it may use."""
    way = work.way[place]
    return way == c.BY_LAND or (way == c.BY_TUNNEL and work.usable[place] != 0)


@compiled
def head_to_head(state, rules, work, place):
    """H2H of a mover."""
    other = opposite(work, place)
    # Void tunnel moves meet nobody (E39); one by convoy passes by, or stands with strength 1 if disrupted (E22).
    if other < 0 or not _fights(work, place) or not _fights(work, other):
        return c.NO
    if rules.rulebook == c.BOOK_DATC:
        return c.YES
    own, others = _carried(state, rules, work, place), _carried(state, rules, work, other)
    # If one of the two is convoyed they do not meet (D14).
    if own == c.YES or others == c.YES:
        return c.NO
    return c.YES if own == c.NO and others == c.NO else c.UNKNOWN


@compiled
def _carried(state, rules, work, place):
    """Whether an army on its way to a neighbour is convoyed past the unit that comes the other way (D14)."""
    if work.way[place] == c.BY_LAND and state.unit_type[place] == c.ARMY:
        return _convoy_path(rules, work, place)
    return c.NO


# --- strengths ------------------------------------------------------------------------------------------


@compiled
def _least_supports(state, work, place, but_of):
    """Supports of an action that are certain, without those of one power."""
    count = 0
    helper = int(work.first_support[place])
    while helper >= 0:
        count += work.value[helper] == c.YES and state.unit_power[helper] != but_of  # NOBODY leaves out none
        helper = int(work.next_support[helper])
    return count


@compiled
def _most_supports(state, work, place, but_of):
    """Supports of an action that are possible, without those of one power."""
    count = 0
    helper = int(work.first_support[place])
    while helper >= 0:
        count += work.value[helper] != c.NO and state.unit_power[helper] != but_of
        helper = int(work.next_support[helper])
    return count


@compiled
def _attack_ignores(state, work, place, leaves):
    """Whose supports do not count in an attack: NOBODY's, or a power's; -2 where it has no strength at all.

    `leaves`: the unit at the goal, if any, moves away without meeting the attacker.
    """
    goal = int(work.goal[place])
    defender = int(state.unit_power[goal])
    if defender < 0 or leaves:
        return c.NOBODY
    # A power neither dislodges a unit of its own nor helps others to (5.3).
    return _OWN if defender == state.unit_power[place] else defender


_OWN = -2  # neither a power nor NOBODY


@compiled
def prevent(state, rules, work, rival, moves, most):
    """PREVENT of a mover: its most or its least. `moves`: MOVE of the unit at its goal, YES or NO."""
    way = path(rules, work, rival)
    if way == c.NO or (way == c.UNKNOWN and not most):
        return 0
    other = opposite(work, rival)
    if other >= 0 and moves == c.YES:
        if rules.rulebook == c.BOOK_DATC:
            # Later books: only the loser of a head-to-head battle is without effect.
            if head_to_head(state, rules, work, rival) == c.YES:
                return 0
        else:
            # 1971: a dislodged unit has no effect on the space that its attacker came from, convoyed or not (D5).
            own = work.value[rival]
            if own == c.NO or (own == c.UNKNOWN and not most):
                return 0
    # All supports count: even the defender's power may help to hold others off (5.3).
    if most:
        return 1 + _most_supports(state, work, rival, c.NOBODY)
    return 1 + _least_supports(state, work, rival, c.NOBODY)


# --- decisions ------------------------------------------------------------------------------------------


@compiled
def _judge_move(state, rules, work, place):
    """MOVE: gone through for every possible value of MOVE at the goal and of H2H."""
    way = path(rules, work, place)
    if way == c.NO:
        return c.NO
    goal = int(work.goal[place])
    goes = int(work.value[goal]) if work.way[goal] != c.NO_WAY else c.NO
    meets = head_to_head(state, rules, work, place)
    may_fail = way == c.UNKNOWN  # without a path the move fails, whatever else is so
    may_succeed = False
    for moves in (c.NO, c.YES):
        if goes != c.UNKNOWN and goes != moves:
            continue
        for battle in (c.NO, c.YES):
            if meets != c.UNKNOWN and meets != battle:
                continue
            if not may_succeed:
                may_succeed = _wins(state, rules, work, place, moves, battle, True)
            if not may_fail:
                may_fail = not _wins(state, rules, work, place, moves, battle, False)
            if may_succeed and may_fail:
                return c.UNKNOWN
    if may_succeed:
        return c.YES
    return c.NO


@compiled
def _wins(state, rules, work, place, moves, battle, hopeful):
    """Whether a move succeeds if all that is unknown turns out for it (`hopeful`), or against it."""
    goal = int(work.goal[place])
    ignored = _attack_ignores(state, work, place, moves == c.YES and battle == c.NO)
    if ignored == _OWN:
        return False
    # Hopeful: its own strength at the most, all that is against it at the least.
    if hopeful:
        attack = 1 + _most_supports(state, work, place, ignored)
    else:
        attack = 1 + _least_supports(state, work, place, ignored)
    # Equal strength bounces: to move one has to be stronger than everybody in the way (5.3).
    if attack <= _barrier(state, work, goal, moves, battle, hopeful):
        return False
    rival = int(work.first_mover[goal])
    while rival >= 0:
        if rival != place and attack <= prevent(state, rules, work, rival, moves, not hopeful):
            return False
        rival = int(work.next_mover[rival])
    return True


@compiled
def _barrier(state, work, goal, moves, battle, hopeful):
    """DEFEND of the unit met head to head, else HOLD of the goal."""
    if battle == c.NO:
        if state.unit_power[goal] < 0 or moves == c.YES:
            return 0
        # It was ordered to move and failed, so no support to hold counts for it (4.4).
        if work.way[goal] != c.NO_WAY:
            return 1
    # The chain holds the supports of what that unit does: of its move in a battle, else of its hold.
    if hopeful:
        return 1 + _least_supports(state, work, goal, c.NOBODY)
    return 1 + _most_supports(state, work, goal, c.NOBODY)


@compiled
def is_immune(state, rules, work, place, attacker):
    """XII.5 of 1971: a convoyed army does not cut support against one of its own convoy's fleets (D3)."""
    if rules.rulebook != c.BOOK_1971 or work.way[attacker] != c.BY_CONVOY:
        return False
    if state.unit_type[place] != c.FLEET or rules.action_kind[state.written[place]] != c.SUPPORT_MOVE:
        return False
    sea = int(rules.sea[int(work.aims[place])])
    return sea >= 0 and int(work.fleets[attacker]) >> sea & 1 == 1


@compiled
def _judge_support(state, rules, work, place):
    """SUPPORT: no attacker of another power counts."""
    found = c.YES
    attacker = int(work.first_mover[place])
    while attacker >= 0:
        # A power cannot cut its own support.
        foreign = state.unit_power[attacker] != state.unit_power[place]
        # XII.5 comes first: such an army does not cut the support even by dislodging the fleet (D3).
        if foreign and not is_immune(state, rules, work, place, attacker):
            # The unit that the support is directed against cuts it only by dislodging the supporter (5.3).
            if attacker == work.aims[place]:
                counts = int(work.value[attacker])
            else:
                counts = path(rules, work, attacker)  # void moves and disrupted convoys cut nothing (E20)
            if counts == c.YES:
                return c.NO
            if counts == c.UNKNOWN:
                found = c.UNKNOWN
        attacker = int(work.next_mover[attacker])
    return found


@compiled
def _judge_convoy(work, place):
    """CONVOY: no unit moves into the fleet's sea."""
    # Only a dislodged fleet fails its army; an attack does not.
    found = c.YES
    attacker = int(work.first_mover[place])
    while attacker >= 0:
        if work.value[attacker] == c.YES:
            return c.NO
        if work.value[attacker] == c.UNKNOWN:
            found = c.UNKNOWN
        attacker = int(work.next_mover[attacker])
    return found


# --- the backup rule --------------------------------------------------------------------------------------


@compiled
def _break_cores(state, rules, work):
    """Decide what narrowing leaves open (rules 5.5); returns how many decisions are fixed."""
    work.cores += 1
    for i in range(int(work.units)):
        place = int(work.unit[i])
        if work.value[place] == c.UNKNOWN:
            _find_reach(state, rules, work, place)
    fixed = 0
    work.chosen[:] = 0  # all cores are found before one is broken
    for i in range(int(work.units)):
        place = int(work.unit[i])
        if work.value[place] == c.UNKNOWN and _is_in_core(work, place):
            # Convoys in a core fail (Szykman's rule); without any, units go round and all of them move (5.5).
            # A core reaches only itself, so the convoys that it reaches are its own.
            convoyed = work.convoys[place] or _reaches_convoy(work, place)
            work.chosen[place] = work.convoys[place] if convoyed else work.way[place]
    for i in range(int(work.units)):
        place = int(work.unit[i])
        if work.chosen[place]:
            fixed += 1
            if work.convoys[place]:
                work.forced |= 1 << int(rules.sea[place])
                fix(rules, work, place, c.NO)
            else:
                fix(rules, work, place, c.YES)
    return fixed


@compiled
def _is_in_core(work, place):
    """Whether all decisions that one depends on depend on it in turn; there is at least one."""
    found = False
    for i in range(int(work.units)):
        other = int(work.unit[i])
        if work.reach[place, other]:  # the other is unknown too, so its row was filled in this round
            if not work.reach[other, place]:
                return False
            found = True
    return found


@compiled
def _reaches_convoy(work, place):
    for i in range(int(work.units)):
        other = int(work.unit[i])
        if work.reach[place, other] and work.convoys[other]:
            return True
    return False


@compiled
def _find_reach(state, rules, work, place):
    """Mark all unknown decisions that one depends on, directly or not, in its row of `reach`."""
    work.reach[place, :] = 0
    # `_note` puts a decision on the stack once a row, so the stack cannot be longer than the units.
    size = mention(state, rules, work, place, place, 0)
    while size > 0:
        size -= 1
        size = mention(state, rules, work, place, int(work.stack[size]), size)


@compiled
def _note(work, row, place, size):
    """Put an unknown decision on the stack, if it is new in a row of `reach`."""
    if work.value[place] == c.UNKNOWN and not work.reach[row, place]:
        work.reach[row, place] = 1
        work.stack[size] = place
        size += 1
    return size


@compiled
def mention(state, rules, work, row, place, size):
    """Note the unknown decisions that the equation of one mentions (rules 5.5)."""
    if work.way[place] != c.NO_WAY:
        return _mention_of_move(state, rules, work, row, place, size)
    attacker = int(work.first_mover[place])
    while attacker >= 0:
        # No army comes out of the sea that a support is aimed at, so XII.5 is asked only of the others.
        if work.convoys[place] or attacker == work.aims[place]:
            if work.convoys[place] or state.unit_power[attacker] != state.unit_power[place]:
                size = _note(work, row, attacker, size)
        elif state.unit_power[attacker] != state.unit_power[place]:
            by_convoy = work.way[attacker] == c.BY_CONVOY
            if by_convoy and not is_immune(state, rules, work, place, attacker):
                size = _note_convoys(rules, work, row, attacker, size)
        attacker = int(work.next_mover[attacker])
    return size


@compiled
def _mention_of_move(state, rules, work, row, place, size):
    goal = int(work.goal[place])
    other = opposite(work, place)
    # `fleets` is 0 for a mover whose way asks for no convoy, so noting its convoys adds nothing.
    might_meet = other >= 0 and _fights(work, place) and _fights(work, other)
    if might_meet or work.way[place] == c.BY_CONVOY:
        size = _note_convoys(rules, work, row, place, size)
    if might_meet:
        size = _note_convoys(rules, work, row, other, size)
    size = _note_supports(work, row, place, size)
    if other >= 0:
        size = _note_supports(work, row, other, size)
    if work.way[goal] == c.NO_WAY:
        size = _note_supports(work, row, goal, size)
    else:
        size = _note(work, row, goal, size)  # it is the opposite of every rival that has one
    rival = int(work.first_mover[goal])
    while rival >= 0:
        if rival != place:
            if work.way[rival] == c.BY_CONVOY:
                size = _note_convoys(rules, work, row, rival, size)
            size = _note_supports(work, row, rival, size)
            # PREVENT of 1971 asks whether the rival itself moves, that of `datc` only whether it lost a battle.
            if rules.rulebook == c.BOOK_1971 and opposite(work, rival) >= 0:
                size = _note(work, row, rival, size)
        rival = int(work.next_mover[rival])
    return size


@compiled
def _note_supports(work, row, place, size):
    helper = int(work.first_support[place])
    while helper >= 0:
        size = _note(work, row, helper, size)
        helper = int(work.next_support[helper])
    return size


@compiled
def _note_convoys(rules, work, row, place, size):
    """The convoys of a mover's convoy fleets."""
    fleets = int(work.fleets[place])
    for sea in range(c.NUM_SEAS):
        if fleets >> sea & 1:
            size = _note(work, row, int(rules.sea_province[sea]), size)
    return size
