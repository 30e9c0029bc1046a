"""Values of a tree: with best play, with an agent's play, and with the best response to it.

Without hidden information the value is that of backward induction. With it, it is that of the linear program over
sequences (von Stengel 1996), which scipy's HiGHS solves. A best response is found from the last information sets back,
weighted by how likely chance and the agent's own decisions make each of their positions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, hstack

from channel_tunnel_agents.exact.tree import END, ROOT, GameTree


@dataclass(frozen=True)
class Answer:
    """What is exactly true of an agent in a small game. Results are those of fair stakes: what one seat wins, the other loses.

    Attributes:
        value: what the first seat gets with best play on both sides.
        own: what the first seat gets if the agent plays both.
        responses: by seat, what the best response to the agent gets there.
    """

    value: float
    own: float
    responses: tuple[float, float]

    @property
    def nash_conv(self) -> float:
        """What the best responses win together beyond what the agent wins in their places; 0 for perfect play."""
        return sum(self.responses)

    @property
    def exploitability(self) -> float:
        """What a best response wins in the mean of both seats."""
        return self.nash_conv / 2


def solve(tree: GameTree) -> float:
    """What the first seat gets with best play on both sides."""
    if not tree.open:
        return _linear_program(tree)
    return _from_the_ends(tree, lambda node, worths: min(worths) if tree.seat[node] else max(worths))


def answer(tree: GameTree) -> Answer:
    """What is true of the agent whose play the tree has."""
    responses = best_response(tree, 0), -best_response(tree, 1)
    return Answer(solve(tree), play_value(tree), responses)


def play_value(tree: GameTree) -> float:
    """What the first seat gets if the agent plays both seats."""
    return _from_the_ends(tree, lambda node, worths: float(np.dot(tree.play[tree.info[node]], worths)))


def _from_the_ends(tree: GameTree, decide: Callable[[int, list[float]], float]) -> float:
    values = np.array(tree.result)
    for node in reversed(tree.in_order()):
        if tree.info[node] != END:
            worths = [sum(p * values[after] for p, after in chances) for chances in tree.moves[node]]
            values[node] = decide(node, worths)
    return float(sum(p * values[node] for p, node in tree.deals))


def best_response(tree: GameTree, seat: int) -> float:
    """What the first seat gets if one seat plays the best response to the agent in the other."""
    response = _Response(tree, seat)
    return sum(p * response.value(node) for p, node in tree.deals)


class _Response:
    """The best response of one seat, decided at each information set when it is first asked for."""

    def __init__(self, tree: GameTree, seat: int) -> None:
        self.tree, self.seat = tree, seat
        self.best = min if seat else max
        self._values: dict[int, float] = {}
        self._choice: dict[int, int] = {}
        self._members: dict[int, list[tuple[float, int]]] = defaultdict(list)  # weight, node
        self._weigh()

    def _weigh(self) -> None:
        """How likely chance and the agent make each position, if the responding seat does all to reach it."""
        tree = self.tree
        weights = np.zeros(len(tree.seat))
        for p, node in tree.deals:
            weights[node] += p
        for node in tree.in_order():
            info, own = tree.info[node], tree.seat[node] == self.seat
            if own:
                self._members[info].append((float(weights[node]), node))
            for k, chances in enumerate(tree.moves[node]):
                share = weights[node] if own else weights[node] * tree.play[info][k]
                for p, after in chances:
                    weights[after] += share * p

    def value(self, node: int) -> float:
        """What the first seat gets from a node on."""
        if node not in self._values:
            self._values[node] = self._found(node)
        return self._values[node]

    def _found(self, node: int) -> float:
        tree, info = self.tree, self.tree.info[node]
        if info == END:
            return tree.result[node]
        if tree.seat[node] == self.seat:
            return self._after(node, self._decide(info))
        return float(sum(q * self._after(node, k) for k, q in enumerate(tree.play[info]) if q > 0))

    def _after(self, node: int, place: int) -> float:
        return sum(p * self.value(after) for p, after in self.tree.moves[node][place])

    def _decide(self, info: int) -> int:
        if info not in self._choice:
            members = self._members[info]
            places = range(len(self.tree.actions[info]))
            worths = [sum(w * self._after(node, k) for w, node in members) for k in places]
            self._choice[info] = worths.index(self.best(worths))
        return self._choice[info]


# --- hidden information -------------------------------------------------------------------------


def _linear_program(tree: GameTree) -> float:
    """max f'q so that F'q <= A'x, Ex = e, x >= 0: the first seat's plan x against the second's best answer."""
    payoffs = _payoffs(tree)
    plans, needs = _plans(tree, 0)
    answers, wants = _plans(tree, 1)
    free = answers.shape[0]
    found = linprog(
        np.concatenate([np.zeros(plans.shape[1]), -wants]),
        A_ub=hstack([-payoffs.T, answers.T]),
        b_ub=np.zeros(answers.shape[1]),
        A_eq=hstack([plans, csr_matrix((plans.shape[0], free))]),
        b_eq=needs,
        bounds=[(0, None)] * plans.shape[1] + [(None, None)] * free,
        method="highs",
    )
    if found.status != 0:
        raise ArithmeticError(f"the linear program of the game was not solved: {found.message}")
    return float(-found.fun)


def _payoffs(tree: GameTree) -> csr_matrix:
    """What the first seat gets, by the sequences of both, times the chance of the luck between."""
    weights, sequences = np.zeros(len(tree.seat)), np.zeros((len(tree.seat), 2), np.int64)
    for p, node in tree.deals:
        weights[node] = p
    for node in tree.in_order():
        for k, chances in enumerate(tree.moves[node]):
            for p, after in chances:
                weights[after] = weights[node] * p
                sequences[after] = sequences[node]
                sequences[after, tree.seat[node]] = tree.after[tree.info[node], k]
    ends = np.flatnonzero(np.array(tree.info) == END)
    values = weights[ends] * np.array(tree.result)[ends]
    shape = [1 + sum(tree.whose[info] == seat for info, _ in tree.after) for seat in (0, 1)]
    return csr_matrix((values, (sequences[ends, 0], sequences[ends, 1])), shape=shape)


def _plans(tree: GameTree, seat: int) -> tuple[csr_matrix, NDArray[np.float64]]:
    """What holds of the weights of a seat's sequences: those after an information set add up to the one before it."""
    rows, columns, signs = [0], [ROOT], [1.0]
    count = 1
    for info, actions in enumerate(tree.actions):
        if tree.whose[info] != seat:
            continue
        after = [tree.after[info, k] for k in range(len(actions))]
        rows += [count] * (1 + len(after))
        columns += [tree.before[info], *after]
        signs += [-1.0, *[1.0] * len(after)]
        count += 1
    needs = np.zeros(count)
    needs[0] = 1.0
    width = 1 + sum(tree.whose[info] == seat for info, _ in tree.after)
    return csr_matrix((signs, (rows, columns)), shape=(count, width)), needs
