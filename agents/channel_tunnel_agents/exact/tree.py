"""The whole tree of a small game for two: every decision, every outcome of luck.

Luck comes from `core.chance`, so any game whose rules draw by `core.rng.draw` or `shuffle` has a tree, and every
plug-in. A game in which both seats know the same has a node for each position, whichever way it was reached, and luck
is dealt only when it is seen. Otherwise each history has a node of its own, with all luck dealt where the rules deal
it, and an information set for all that the seat to move has seen and done at its own decisions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError, AnyAgent, choose_actions, draws, own_code_of
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.core.chance import Chance, ChanceError, ChancePosition, Weighted

MOST_NODES = 400_000  # about 1 GB while the tree is built
MOST_OUTCOMES = 20_000  # of one decision
ASKED_AT_ONCE = 1024  # positions at which an agent is asked
SLACK = 1e-3  # by which probabilities may miss 1
ROOT = 0  # the sequence of a seat that has not decided yet
END = -1  # the information set of a finished game

Chances = list[tuple[float, int]]
"""Probability and node of each outcome of luck."""


class TooLargeError(AgentError):
    """The game has more positions than can be solved here."""


class _HiddenError(Exception):
    """The seats do not know the same."""


@dataclass
class GameTree:
    """All nodes, by number.

    Attributes:
        open: the seats know the same, so that a node is a position.
        seat: of each node, the seat to move; -1 where the game is over.
        result: of each node, what the first seat gets; 0 while the game goes on.
        moves: of each node, the outcomes of each legal action.
        info: of each node, its information set, or END.
        whose: of each information set, its seat.
        actions: of each information set, its legal ids.
        before: of each information set, the sequence that its seat has played: ROOT or a number of `after`.
        after: (information set, place of the action) -> sequence of its seat.
        deals: the first decisions.
        play: of each information set, the probability with which the agent takes each action; empty without an agent.
    """

    open: bool
    seat: list[int] = field(default_factory=list)
    result: list[float] = field(default_factory=list)
    moves: list[list[Chances]] = field(default_factory=list)
    info: list[int] = field(default_factory=list)
    whose: list[int] = field(default_factory=list)
    actions: list[tuple[int, ...]] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    after: dict[tuple[int, int], int] = field(default_factory=dict)
    deals: Chances = field(default_factory=list)
    play: list[NDArray[np.float64]] = field(default_factory=list)

    def in_order(self) -> list[int]:
        """The nodes in an order in which each comes before all that it leads to."""
        order: list[int] = []
        begun, done = bytearray(len(self.seat)), bytearray(len(self.seat))
        for _, root in self.deals:
            stack = [root]
            while stack:
                node = stack[-1]
                if not begun[node]:
                    begun[node] = 1
                    stack += [n for chances in self.moves[node] for _, n in chances if not begun[n]]
                    continue
                stack.pop()
                if not done[node]:
                    done[node] = 1
                    order.append(node)
        return order[::-1]


def grow_tree(
    ruleset: Ruleset,
    agent: AnyAgent | None = None,
    most: int = MOST_NODES,
    progress: Callable[[int], object] = lambda nodes: None,
) -> GameTree:
    """The tree of a ruleset for two seats.

    Args:
        agent: is asked once at every information set, for `GameTree.play`. Its choice there is taken as what it always
            does, unless it says how it draws (see `base.draws`).
        most: nodes; counted while the tree grows.
        progress: is called with the number of nodes so far.

    Raises:
        AgentError: another number of seats.
        TooLargeError: more than `most` nodes.
        ChanceError: its luck cannot be counted through.
    """
    if ruleset.num_seats != 2:
        raise AgentError(f"ruleset {ruleset.name}: {ruleset.num_seats} seats; a game is solved exactly for two")
    try:
        return _Grower(ruleset, agent, most, progress, True).grow()
    except _HiddenError:
        return _Grower(ruleset, agent, most, progress, False).grow()


@dataclass
class _Place:
    """Where a node is that has to grow on: its position, and the sequence that each seat has played."""

    node: int
    position: ChancePosition
    played: tuple[int, int]


class _Grower:
    def __init__(
        self, ruleset: Ruleset, agent: AnyAgent | None, most: int, progress: Callable[[int], object], is_open: bool
    ) -> None:
        self.ruleset, self.agent, self.most, self.progress = ruleset, agent, most, progress
        self.chance = Chance(ruleset)
        self.tree = GameTree(is_open)
        self._nodes: dict[bytes, int] = {}  # of an open game
        self._infos: dict[tuple[int, int, bytes], int] = {}
        self._sequences = [ROOT, ROOT]  # the last of each seat
        self._next: list[_Place] = []

    def grow(self) -> GameTree:
        """Layer by layer, so that the records of one layer are kept at a time and its agent is asked together."""
        self.tree.deals = self._nodes_of(self.chance.deals(), (ROOT, ROOT))
        while self._next:
            layer, self._next = self._next, []
            self._ask(layer)
            for place in layer:
                self._grow_on(place)
        return self.tree

    def _grow_on(self, place: _Place) -> None:
        seat, info = place.position.to_play, self.tree.info[place.node]
        worlds = self._worlds(place.position)
        for k, action in enumerate(place.position.legal):
            played = list(place.played)
            if not self.tree.open:
                played[seat] = self._sequence(seat, info, k)
            outcomes = ((p * q, found) for p, world in worlds for q, found in self.chance.after(world, action))
            self.tree.moves[place.node].append(self._nodes_of(outcomes, (played[0], played[1])))

    def _worlds(self, position: ChancePosition) -> list[Weighted]:
        """The different ways in which what both seats do not know may lie."""
        if not self.tree.open:
            return [(1.0, position)]
        found: dict[bytes, list[tuple[float, ChancePosition]]] = {}
        for p, world in self.chance.worlds(position, 0):
            found.setdefault(self.chance.key(world), []).append((p, world))
        return [(sum(p for p, _ in same), same[0][1]) for same in found.values()]

    def _sequence(self, seat: int, info: int, place: int) -> int:
        if (info, place) not in self.tree.after:
            self._sequences[seat] += 1
            self.tree.after[info, place] = self._sequences[seat]
        return self.tree.after[info, place]

    def _nodes_of(self, outcomes: Iterable[Weighted], played: tuple[int, int]) -> Chances:
        chances: dict[int, float] = {}
        same = self._nodes if self.tree.open else {}  # histories are the same only as outcomes of one decision
        for count, (p, position) in enumerate(outcomes):
            if count == MOST_OUTCOMES:
                raise TooLargeError(
                    f"ruleset {self.ruleset.name}: one decision has more than {MOST_OUTCOMES:,} outcomes of luck; it is "
                    "too large to be solved exactly"
                )
            node = self._node(position, played, same)
            chances[node] = chances.get(node, 0.0) + p
        return [(p, node) for node, p in chances.items()]

    def _node(self, position: ChancePosition, played: tuple[int, int], same: dict[bytes, int]) -> int:
        result = 0.0
        if position.to_play < 0:
            result = self._result(position)
            key = repr(result).encode()
        else:
            position = self._unknowing(position) if self.tree.open else position
            key = hashlib.blake2b(self.chance.key(position), digest_size=16).digest()
        if key not in same:
            same[key] = self._add(position, played, result)
        return same[key]

    def _unknowing(self, position: ChancePosition) -> ChancePosition:
        """The position with what is hidden from both seats in one fixed order."""
        one, other = (next(self.chance.worlds(position, seat))[1] for seat in (0, 1))
        if self.chance.key(one) != self.chance.key(other) or self.chance.seen(one, 0) != self.chance.seen(position, 0):
            raise _HiddenError
        return one

    def _result(self, position: ChancePosition) -> float:
        first, second = self.chance.results(position)
        if first != -second:
            raise ChanceError(
                f"ruleset {self.ruleset.name}: a game ends with {first:g} and {second:g}; solved exactly are games in "
                "which one seat wins what the other loses"
            )
        return float(first)

    def _add(self, position: ChancePosition, played: tuple[int, int], result: float) -> int:
        tree, node, seat = self.tree, len(self.tree.seat), position.to_play
        if node == self.most:
            raise TooLargeError(
                f"ruleset {self.ruleset.name}: more than {self.most:,} positions; it is too large to be solved exactly"
            )
        tree.seat.append(seat)
        tree.result.append(result)
        tree.moves.append([])
        tree.info.append(END if seat < 0 else self._info(position, played, node))
        if seat >= 0:
            self._next.append(_Place(node, position, played))
        if node % 1000 == 0:
            self.progress(node)
        return node

    def _info(self, position: ChancePosition, played: tuple[int, int], node: int) -> int:
        seat = position.to_play
        key = (seat, node, b"") if self.tree.open else (seat, played[seat], self.chance.seen(position, seat))
        if key not in self._infos:
            self._infos[key] = len(self.tree.actions)
            self.tree.whose.append(seat)
            self.tree.actions.append(position.legal)
            self.tree.before.append(played[seat])
        return self._infos[key]

    # --- the agent ------------------------------------------------------------------------------

    def _ask(self, layer: list[_Place]) -> None:
        """The agent's play at the information sets that this layer reaches first."""
        if self.agent is None:
            return
        asked: dict[int, ChancePosition] = {}
        for place in layer:
            info = self.tree.info[place.node]
            if info >= len(self.tree.play):
                asked.setdefault(info, place.position)
        positions = [asked[info] for info in sorted(asked)]
        for start in range(0, len(positions), ASKED_AT_ONCE):
            part = positions[start : start + ASKED_AT_ONCE]
            batch = BatchGame(len(part), self.ruleset, seed=0)
            batch.restore(np.concatenate([position.states for position in part]))
            for position, chances in zip(part, _probabilities(self.agent, batch), strict=True):
                self.tree.play.append(chances[list(position.legal)].astype(np.float64))


def _probabilities(agent: AnyAgent, batch: BatchGame) -> NDArray[np.float64]:
    """With which probability an agent takes each action in each row (n, A)."""
    rows = np.arange(batch.num_games)
    if draws(agent):
        with own_code_of(agent.name):
            drawn = np.asarray(agent.probabilities(batch.numbers(rows), batch.masks), np.float64)
        if drawn.shape != batch.masks.shape or not np.allclose((drawn * batch.masks).sum(axis=1), 1, atol=SLACK):
            raise AgentError(
                f"agent {agent.name!r}: its probabilities have the shape {drawn.shape}; expected {batch.masks.shape}, and those of "
                "the legal actions of each row to add up to 1"
            )
        return drawn
    chosen = np.zeros(batch.masks.shape)
    chosen[rows, choose_actions(agent, batch, rows)] = 1.0
    return chosen
