"""The search tree and its compiled loops, for any game: single-observer ISMCTS (Cowling, Powley & Whitehouse 2012).

There is one tree for all worlds. A node is identified by the non-forced decisions that lead to it
from the root; luck and forced decisions on the way are not part of it, so its children differ from
world to world, and so may the seat that chooses among them. The results of all seats are therefore
stored, and a seat chooses by its own. A child's availability is how often
it could have been chosen; it replaces the parent's visits in UCB1.

All compiled code is in this file: numba's cache detects changes of this file, and the cache folder
depends on the engine's code. N nodes, B games, S seats, A actions.
"""

from __future__ import annotations

import math

import numpy as np

from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.kernels import advance
from channel_tunnel_env.core.records import new_records
from channel_tunnel_env.core.rng import next_seed, random_number
from channel_tunnel_env.core.verbs import apply_action, determinize, fill_result, list_legal

ROOT = 0
NONE = -1


def node_dtype(num_seats):
    """The type of a node in a tree for `num_seats` seats."""
    return np.dtype(
        [
            ("parent", np.int32),
            ("child", np.int32),  # the child added last, or NONE
            ("sibling", np.int32),  # the parent's child added before this one, or NONE
            ("action", np.int32),  # the decision that leads here
            ("visits", np.int32),  # simulations that came through
            # Simulations that came through the parent while this child was legal.
            ("availability", np.int32),
            ("result", np.float32, num_seats),  # sum of each seat's results; exact up to 2**24 wins
        ],
        align=True,
    )


def progress_dtype(num_actions):
    """The type of a search's progress."""
    return np.dtype(
        [
            ("world_seed", np.int64),  # of the last world dealt
            ("source", np.uint64, 1),  # state of the generator of random choices
            ("clock", np.int64),  # node visits so far
            ("mark", np.int64, num_actions),  # equal to the clock if legal here and without a node
            ("nodes", np.int32),  # nodes in the tree
            ("simulations", np.int64),
        ],
        align=True,
    )


def new_tree(capacity, num_actions, num_seats):
    """Allocate `capacity` nodes, and the record of a search's progress."""
    nodes = new_records(capacity, node_dtype(num_seats))
    return nodes, new_records(1, progress_dtype(num_actions))


@kernel
def plant(nodes, progress, seed):
    """Start an empty tree; a seed in 0 .. 2**63 - 1 keys its luck. Old nodes are not cleared."""
    search = progress[0]
    search.world_seed = seed
    search.source[0] = np.uint64(seed)
    search.simulations = 0
    # The clock runs on: it is what voids the marks of an earlier tree.
    search.nodes = 0
    _add_node(nodes, search, NONE, NONE)


@kernel
def grow(states, row, tables, simulations, exploration, nodes, progress, world, work, results):
    """Run more simulations from game `row`, in worlds that its seat to play holds possible.

    `world` is one record to play in, `results` float32 (1, S) for its end; `states` is not changed. If
    `nodes` is full the tree stays as it is and simulations continue from its leaves.
    """
    search = progress[0]
    space = work[0]
    for _ in range(simulations):
        world[0] = states[row]
        state = world[0]
        rules = tables[int(state.ruleset)]
        count = _deal_world(state, rules, search, space)
        node, count = _descend(state, rules, count, exploration, nodes, search, space)
        _roll_out(state, rules, count, search, space)
        fill_result(state, rules, results, 0)
        _back_up(nodes, node, results)
        search.simulations += 1


@kernel
def best_action(nodes, seat):
    """The root's most visited child; ties go to the higher mean for `seat`, then to the lower id."""
    best = NONE
    child = int(nodes[ROOT].child)
    while child != NONE:
        if best == NONE or _is_better(nodes[child], nodes[best], seat):
            best = child
        child = int(nodes[child].sibling)
    return int(nodes[best].action)


@compiled
def _is_better(one, other, seat):
    if one.visits != other.visits:
        return one.visits > other.visits
    if one.result[seat] != other.result[seat]:
        return one.result[seat] > other.result[seat]
    return one.action < other.action


@compiled
def _deal_world(state, rules, search, work):
    """Re-deal what the seat to play cannot know; returns the number of legal ids."""
    search.world_seed = next_seed(int(search.world_seed))
    determinize(state, rules, int(state.to_play), int(search.world_seed), work)
    return list_legal(state, rules, work)


@compiled
def _descend(state, rules, count, exploration, nodes, search, work):
    """Walk down the tree to a newly added node, or to the end of the game.

    Returns the node reached and the number of legal ids there.
    """
    node = ROOT
    is_new = False
    while count > 0 and not is_new:
        best, available = _select(nodes, node, count, int(state.to_play), exploration, search, work)
        # Every legal id gets a node before UCB1 chooses among them.
        is_new = available < count
        if is_new:
            if search.nodes == nodes.shape[0]:  # full: random play goes on from here
                return node, count
            action = _untried(count, count - available, search, work)
            best = _add_node(nodes, search, node, action)
        node = best
        apply_action(state, rules, int(nodes[node].action), work)
        count = advance(state, rules, work)
    return node, count


@compiled
def _select(nodes, node, count, seat, exploration, search, work):
    """The best child in this world by UCB1, and the number of children in this world."""
    # A new number voids all older marks, so none has to be cleared.
    search.clock += 1
    for k in range(count):
        search.mark[int(work.legal[k])] = search.clock
    best, best_bound, available = NONE, -math.inf, 0
    child = int(nodes[node].child)
    while child != NONE:
        entry = nodes[child]
        if search.mark[int(entry.action)] == search.clock:
            search.mark[int(entry.action)] = 0  # what keeps the mark has no node: see _untried
            available += 1
            entry.availability += 1  # chosen or not
            bound = _upper_bound(entry, seat, exploration)
            if bound > best_bound:
                best, best_bound = child, bound
        child = int(entry.sibling)
    return best, available


@compiled
def _upper_bound(node, seat, exploration):
    """UCB1 for `seat` with the node's availability in place of its parent's visits."""
    # At least 1: the simulation that adds a node is its first visit.
    visits = int(node.visits)
    return float(node.result[seat]) / visits + exploration * math.sqrt(math.log(int(node.availability)) / visits)


@compiled
def _untried(count, untried, search, work):
    """One of the legal ids without a node, uniformly at random."""
    rest = random_number(search.source, untried)
    for k in range(count):
        action = int(work.legal[k])
        if search.mark[action] == search.clock:
            if rest == 0:
                return action
            rest -= 1
    return NONE  # unreachable: `untried` ids have the mark


@compiled
def _add_node(nodes, search, parent, action):
    """Add a node without visits, available once so far."""
    node = int(search.nodes)
    search.nodes = node + 1
    entry = nodes[node]
    entry.parent = parent
    entry.child = NONE
    entry.sibling = NONE
    entry.action = action
    entry.visits = 0
    entry.availability = 1
    for seat in range(len(entry.result)):
        entry.result[seat] = 0.0
    # The newest child heads the list, so adding one needs no walk along its siblings.
    if parent != NONE:
        entry.sibling = nodes[parent].child
        nodes[parent].child = node
    return node


@compiled
def _roll_out(state, rules, count, search, work):
    """Uniformly random decisions to the end of the game."""
    while count > 0:
        action = int(work.legal[random_number(search.source, count)])
        apply_action(state, rules, action, work)
        count = advance(state, rules, work)


@compiled
def _back_up(nodes, node, results):
    """Add the seats' results to a node and all its ancestors."""
    while node != NONE:
        entry = nodes[node]
        entry.visits += 1
        # Of every seat: which of them chose among a node's children differs from world to world.
        for seat in range(len(entry.result)):
            entry.result[seat] += results[0, seat]
        node = int(entry.parent)
