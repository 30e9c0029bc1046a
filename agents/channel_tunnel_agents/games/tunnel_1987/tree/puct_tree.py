"""Search trees guided by a network, and their compiled loops: PUCT over determinized worlds.

There is one tree per searched position, shared by all worlds (Cowling, Powley & Whitehouse 2012);
choices are made by PUCT (Silver et al. 2017). A node is identified by the non-forced decisions that
lead to it from the root; luck and forced decisions on the way are not part of it, so the legal
actions, and even the seat that chooses, differ from world to world. The network's logits are stored
for all actions, and the prior is computed over the actions legal in the current world. Results are
stored from Britain's perspective, and the sign is set when a seat chooses.

P positions, each with room for C nodes; L leaves of each are collected before the network is
called.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.rows import advance
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import NUM_ACTIONS
from channel_tunnel_env.games.tunnel_1987.engine.determinize import determinize
from channel_tunnel_env.games.tunnel_1987.engine.kernels import britain_result
from channel_tunnel_env.games.tunnel_1987.engine.legality import list_legal
from channel_tunnel_env.games.tunnel_1987.engine.observation import fill_observation
from channel_tunnel_env.games.tunnel_1987.engine.transition import apply_action

ROOT = 0
NONE = -1
MAX_DEPTH = 64  # decisions from the root; deeper lines are evaluated at this depth

NODE_DTYPE = np.dtype(
    [
        ("visits", np.int32),  # simulations that came through and have been evaluated
        ("waiting", np.int32),  # ... that await evaluation, counted as losses for the seat that chose
        ("total", np.float64),  # sum of the values from Britain's perspective
        ("is_open", np.int32),  # the network has evaluated this node: its logits are below
        ("child", np.int32, NUM_ACTIONS),  # by action, or NONE
        ("logits", np.float32, NUM_ACTIONS),
    ],
    align=True,
)

PATH_DTYPE = np.dtype(
    [
        ("length", np.int32),  # nodes, including the root
        ("node", np.int32, MAX_DEPTH + 1),  # the root, and one for each decision
        ("is_over", np.int32),  # the game ended here ...
        ("result", np.float64),  # ... with this result from Britain's perspective
    ],
    align=True,
)


def _records(shape, dtype):
    records = np.zeros(shape, dtype)
    # Without compilation, fields are readable as attributes only through a recarray.
    return records.view(np.recarray) if numba.config.DISABLE_JIT else records


def new_trees(positions, capacity):
    """Allocate trees: nodes (P, C) and the number in use (P,)."""
    return _records((positions, capacity), NODE_DTYPE), np.zeros(positions, np.int64)


def new_paths(rows):
    """Allocate the paths of simulations: (P * L,)."""
    return _records(rows, PATH_DTYPE)


@kernel
def plant(nodes, used, logits):
    """Start trees of one open node each, with the network's logits (P, A) at the root."""
    for p in range(nodes.shape[0]):
        used[p] = 0
        root = _add_node(nodes, used, p)
        _open(nodes[p, root], logits, p)


@kernel
def descend(source, rows, tables, seeds, exploration, nodes, used, worlds, work, paths, seen):
    """Walk each tree to L leaves, each in its own world, and write the observations to evaluate.

    `seeds` (P, L) deal the worlds; `seen` (P * L, D) gets the observation of the seat to play at
    each leaf, from row 0 without gaps: finished games need no evaluation. Returns the number of
    leaves to evaluate.
    """
    space = work[0]
    asked = 0
    for p in range(rows.shape[0]):
        for k in range(seeds.shape[1]):
            worlds[0] = source[int(rows[p])]
            state = worlds[0]
            rules = tables[int(state.ruleset)]
            determinize(state, rules, int(state.to_play), int(seeds[p, k]), space)
            path = paths[p * seeds.shape[1] + k]
            _descend(state, rules, p, exploration, nodes, used, space, path)
            if path.is_over == 0:
                fill_observation(state, rules, int(state.to_play), space, seen, asked)
                asked += 1
    return asked


@compiled
def _descend(state, rules, p, exploration, nodes, used, space, path):
    """Walk one simulation down to a node without logits, or to the end of the game."""
    count = list_legal(state, rules, space)
    node = ROOT
    path.length = 0
    _enter(nodes[p, node], node, path)
    # A node added now is open only after `back_up`, so later walks of this round may end at it too.
    while count > 0 and nodes[p, node].is_open == 1 and path.length <= MAX_DEPTH:
        action = _select(nodes, p, node, count, int(state.to_play), exploration, space)
        child = int(nodes[p, node].child[action])
        if child == NONE:
            if used[p] == nodes.shape[1]:  # full: the open node is evaluated again, in this world
                break
            child = _add_node(nodes, used, p)
            nodes[p, node].child[action] = child
        apply_action(state, rules, action, space)
        count = advance(state, rules, space)
        node = child
        _enter(nodes[p, node], node, path)
    path.is_over = 0 if count > 0 else 1
    path.result = britain_result(state)  # read only if the game is over


@compiled
def _enter(entry, node, path):
    entry.waiting += 1  # taken back by `back_up`; until then it turns other walks away
    path.node[int(path.length)] = node
    path.length += 1


@compiled
def _select(nodes, p, node, count, seat, exploration, space):
    """The legal action with the highest mean result for the seat plus PUCT's bonus."""
    entry = nodes[p, node]
    sign = 1.0 if seat == c.BRITAIN else -1.0
    # Less the highest logit, no exponential overflows.
    highest, tried = -math.inf, 0
    for k in range(count):
        action = int(space.legal[k])
        highest = max(highest, entry.logits[action])
        child = int(entry.child[action])
        if child != NONE:
            tried += int(nodes[p, child].visits) + int(nodes[p, child].waiting)
    weight = 0.0
    for k in range(count):
        weight += math.exp(entry.logits[int(space.legal[k])] - highest)
    # + 1: before any child is tried the prior decides.
    scale = exploration * math.sqrt(tried + 1.0) / weight
    untried = sign * entry.total / max(1, int(entry.visits))  # an untried action counts as the position's own mean
    best, best_score = NONE, -math.inf
    for k in range(count):
        action = int(space.legal[k])
        child = int(entry.child[action])
        visits, mean = 0, untried
        if child != NONE:
            below = nodes[p, child]
            visits = int(below.visits) + int(below.waiting)
            if visits > 0:
                mean = (sign * below.total - int(below.waiting)) / visits  # each one that waits is a loss, -1
        score = mean + scale * math.exp(entry.logits[action] - highest) / (1.0 + visits)
        if score > best_score:
            best, best_score = action, score
    return best


@kernel
def back_up(nodes, paths, leaves, logits, values):
    """Add values to all nodes on the paths, and open the leaves.

    `logits` (n, A) and `values` (n,), from Britain's perspective, are of the leaves in the order of
    `descend`.
    """
    asked = 0
    for j in range(paths.shape[0]):
        path, p = paths[j], j // leaves
        value = path.result
        if path.is_over == 0:
            value = values[asked]  # finished games have none: `descend` left no gaps
            _open(nodes[p, int(path.node[int(path.length) - 1])], logits, asked)
            asked += 1
        for i in range(int(path.length)):
            entry = nodes[p, int(path.node[i])]
            entry.visits += 1
            entry.waiting -= 1
            entry.total += value


@kernel
def read_root(nodes, visits, totals):
    """Read, by action of the root, visits (P, A) and sums of values from Britain's perspective (P,
    A)."""
    for p in range(nodes.shape[0]):
        for action in range(NUM_ACTIONS):
            child = int(nodes[p, ROOT].child[action])
            visits[p, action] = int(nodes[p, child].visits) if child != NONE else 0
            totals[p, action] = nodes[p, child].total if child != NONE else 0.0


@compiled
def _add_node(nodes, used, p):
    """Add a node without visits."""
    node = int(used[p])
    used[p] = node + 1
    entry = nodes[p, node]
    entry.visits = 0
    entry.waiting = 0
    entry.total = 0.0
    entry.is_open = 0
    for action in range(NUM_ACTIONS):
        entry.child[action] = NONE
    return node


@compiled
def _open(entry, logits, row):
    """Store the network's logits; a leaf reached by several simulations at once keeps the last
    ones."""
    entry.is_open = 1
    for action in range(NUM_ACTIONS):
        entry.logits[action] = logits[row, action]
