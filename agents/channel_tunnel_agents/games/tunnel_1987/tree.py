"""The tree search with a policy of 1987 Channel Tunnel: PUCT over determinized worlds, the policy as prior, its value at the leaves.

Silver et al., "Mastering the game of Go without human knowledge" (2017), adapted to hidden
information as in single-observer ISMCTS (Cowling, Powley & Whitehouse 2012): every simulation plays in its own world,
dealt from what the seat to move knows, and all worlds share one tree per searched position. The most visited move is
played.

A node is identified by the non-forced decisions that lead to it from the root; luck and forced decisions on the way
are not part of it, so the legal actions, and even the seat that chooses, differ from world to world. The network's
logits are stored for all actions, and the prior is computed over the actions legal in the current world. Results are
stored from Britain's perspective, and the sign is set when a seat chooses.

P positions, each with room for C nodes; L leaves of each are collected before the network is called.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import agent_seed, check_milliseconds, options_of
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.search.policy_search import TimeBudget
from channel_tunnel_agents.search.worlds import hashed, view_seeds
from channel_tunnel_env import BatchGame
from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.kernels import advance
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import NUM_ACTIONS
from channel_tunnel_env.games.tunnel_1987.engine.determinize import determinize
from channel_tunnel_env.games.tunnel_1987.engine.kernels import britain_result
from channel_tunnel_env.games.tunnel_1987.engine.legality import list_legal
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE, fill_observation
from channel_tunnel_env.games.tunnel_1987.engine.state import new_states, new_workspaces
from channel_tunnel_env.games.tunnel_1987.engine.transition import apply_action


def make_tree_player(policy: PolicyAgent, milliseconds: float | None, seed: int, name: str) -> PuctAgent:
    """A policy that grows a tree at every decision.

    Raises:
        ValueError: a budget out of range.
    """
    return PuctAgent(policy, PuctSettings.of_budget(milliseconds), seed, name)


# --- the player -----------------------------------------------------------------------------------


POSITIONS = 64  # searched together: more would cost too much memory for the time saved
MAX_SIMULATIONS = 20_000  # with a time budget: 30 MB of nodes per position


@dataclass(frozen=True)
class PuctSettings:
    """Settings of a tree search."""

    simulations: int = 800
    """Leaves evaluated per decision, about 75 ms for a single game; with a time budget, the
    maximum."""
    leaves: int = 16
    """Leaves of a tree that the network evaluates at once; fewer are slightly stronger but
    slower."""
    exploration: float = 0.4
    """PUCT's constant, for results from -1 to 1."""
    milliseconds: float | None = None
    """Time budget per decision: rounds of `leaves` are added while they fit; one is always played."""

    def __post_init__(self) -> None:
        for name in ("simulations", "leaves"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} {getattr(self, name)}: 1 or more is needed")
        if not 0 <= self.exploration < float("inf"):
            raise ValueError(f"exploration {self.exploration}: 0 or more is needed")
        check_milliseconds(self.milliseconds)

    @classmethod
    def of_budget(cls, milliseconds: float | None) -> PuctSettings:
        """Settings for as many simulations as the time allows; None: the default number."""
        if milliseconds is None:
            return cls()
        return cls(simulations=MAX_SIMULATIONS, milliseconds=milliseconds)


class PuctAgent:
    """`ppo-puct`: a policy that searches a tree at every decision."""

    def __init__(
        self, policy: PolicyAgent, settings: PuctSettings | None = None, seed: int = 0, name: str = "ppo-puct"
    ) -> None:
        self.policy = policy
        self.settings = settings or PuctSettings()
        self.seed = agent_seed(seed)
        self.name = name
        self._budget = TimeBudget(name, self.settings.milliseconds)
        self._trees: tuple[Any, Any] | None = None
        self._world, self._work = new_states(1), new_workspaces(1)

    def search(self, batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """A legal action for each of the rows of a batch; the batch is not changed.

        Raises:
            GameOverError: the game of a row has ended.
        """
        chosen = np.asarray(rows, np.int64)
        actions: NDArray[np.int64] = batch.masks[chosen].argmax(axis=1)
        undecided = np.flatnonzero(options_of(batch, chosen) > 1)
        for start in range(0, len(undecided), POSITIONS):
            part = undecided[start : start + POSITIONS]
            actions[part] = self.grow(batch, chosen[part]).actions
        return actions

    def grow(self, batch: BatchGame, rows: NDArray[np.int64]) -> RootVisits:
        """Search at most POSITIONS rows together, each with more than one legal action."""
        settings, count = self.settings, len(rows)
        observations, masks = batch.numbers(rows), batch.masks[rows]
        seeds = view_seeds(observations, masks, self.seed)
        nodes, used = self._room(count)
        plant(nodes, used, self.policy.judge(observations)[0])
        paths = new_paths(count * settings.leaves)
        seen = np.empty((len(paths), OBSERVATION_SIZE), np.float32)
        self._budget.begin(count)
        done = 0
        while done < settings.simulations:
            numbers = np.arange(done, done + settings.leaves)[None, :]
            world_seeds = (hashed(seeds[:, None], numbers) >> np.uint64(1)).astype(np.int64)
            asked = descend(
                batch.states.view(np.ndarray),
                rows,
                batch.tables,
                world_seeds,
                settings.exploration,
                nodes,
                used,
                self._world,
                self._work,
                paths,
                seen,
            )
            back_up(nodes, paths, settings.leaves, *self.policy.judge(seen[:asked]))
            done += settings.leaves
            if not self._budget.fits_another(done, settings.leaves):
                break
        visits, totals = np.zeros((2, count, NUM_ACTIONS))
        read_root(nodes, visits, totals)
        return RootVisits(visits, np.where(batch.to_play[rows, None] == c.FRANCE, -totals, totals))

    def _room(self, count: int) -> tuple[Any, Any]:
        """Nodes for `count` trees, kept between decisions. Memory is allocated as it is used."""
        most = self.settings.simulations + self.settings.leaves + 1
        if self._trees is None or len(self._trees[1]) < count:
            self._trees = new_trees(count, most)
        nodes, used = self._trees
        return nodes[:count], used[:count]


@dataclass(frozen=True)
class RootVisits:
    """Search results by action: visits (n, A) and sums of values from the mover's perspective (n,
    A)."""

    visits: NDArray[np.float64]
    totals: NDArray[np.float64]

    @property
    def actions(self) -> NDArray[np.int64]:
        """The most visited action of each position; ties are broken by mean, then by id."""
        mean = self.totals / np.maximum(self.visits, 1)
        return np.asarray((self.visits + mean / 4).argmax(axis=1), dtype=np.int64)


# --- its trees ------------------------------------------------------------------------------------


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
