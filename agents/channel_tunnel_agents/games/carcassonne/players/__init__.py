"""The scripted players of Carcassonne, for any number of seats.

They look at whole turns: every way to place, turn, claim and lay a token is played on a copy, and the
position after it is valued (`turns`, compiled) by what the player wants: one number each, so that a probe changes numbers, not code. `expectimax` also looks at
the next seat's answer to its best turns, over all tiles that may be drawn.

The order of the deck is the only secret of the game, and no choice depends on it.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import check_game, options_of
from channel_tunnel_agents.games.carcassonne.players import turns
from channel_tunnel_agents.players.scripted import key_of
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.core.records import new_records
from channel_tunnel_env.games.carcassonne.engine.state import new_states, new_workspaces


@dataclass(frozen=True)
class Weights:
    """What a position after one's turn is worth, in points.

    The value is the player's total less that of its best rival. A total is the points scored, plus those
    that would be scored if the game ended now, each kind times its weight.
    """

    # Own points that would be scored if the game ended now
    city: float = 1.0
    road: float = 1.0
    cloister: float = 1.0
    field: float = 1.0
    rival: float = 1.0  # the same of rivals, of every kind
    # While the game goes on
    follower: float = -2.0  # an own follower that lies
    stuck: float = -1.0  # an own follower on a road with a half tunnel of a rival
    blocked: float = 0.0  # a tile of a rival's road with an own half tunnel
    finish: float = 0.0  # a tunnel finished in this turn

    def to_record(self) -> NDArray[np.void]:
        """The weights as kernels take them: an array of one record."""
        record = new_records(1, WEIGHTS_DTYPE)
        record[0] = astuple(self)
        return record


WEIGHTS_DTYPE = np.dtype([(entry.name, np.float64) for entry in fields(Weights)], align=True)
_ABOVE_ALL = 1000.0  # more than any turn can gain

GREEDY = Weights()
ARCHETYPES = {
    "points": Weights(city=0, road=0, cloister=0, field=0, rival=0, follower=0, stuck=0),
    "greedy": GREEDY,
    "farmer": replace(GREEDY, field=2.0),
    "builder": replace(GREEDY, city=2.0, road=2.0),
    "monk": replace(GREEDY, cloister=2.0),
    "tunneller": replace(GREEDY, finish=_ABOVE_ALL),
    "blocker": replace(GREEDY, blocked=0.5, finish=-_ABOVE_ALL),
}
"""The scripted players by name.

points counts what is scored in the turn itself, greedy what the position would score; farmer, builder
and monk want more of one kind. tunneller finishes a tunnel whenever it can, the one that gains most first;
blocker lays first tokens on the longest roads of its rivals and never finishes a tunnel.
"""


__all__ = ["ARCHETYPES", "EXPECTIMAX", "GAME", "NAMES", "TURNS_ANSWERED", "TurnAgent", "Weights", "make_scripted"]

GAME = "carcassonne"
EXPECTIMAX = "expectimax"
NAMES = (*ARCHETYPES, EXPECTIMAX)
TURNS_ANSWERED = 16
"""Turns to which `expectimax` looks for an answer, the best for `greedy` first."""


class TurnAgent:
    """A player that chooses among whole turns, decision by decision.

    A row's choice depends only on the seed and on what its seats see, not on other rows or on
    the order of the deck.

    Args:
        weights: what it wants.
        name: of the agent.
        seed: seeds the lots between equal turns; 0 or more.
        answered: 0: it values only its own turns. Otherwise the number of turns, 1 to `turns.MOST_KEPT`, less what the
            next seat gains by its best answer, on average over the tiles that it may draw.
    """

    blind = True  # it reads the records; no observation has to be filled

    def __init__(self, weights: Weights = GREEDY, name: str = "greedy", seed: int = 0, answered: int = 0) -> None:
        self.name = name
        self.weights = weights
        self.answered = answered
        self._wants = weights.to_record()
        self._key = key_of(seed)
        self._copies = new_states(turns.COPIES)
        self._walks = new_records(2, turns.WALK_DTYPE)
        self._desks = new_records(1, turns.DESK_DTYPE)
        self._work = new_workspaces(1)

    def search(self, batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """A legal action for each of the rows (n,): int64 (n,). The batch is not changed.

        Raises:
            GameOverError: the game of a row has ended.
            VersionError: a batch of another game.
        """
        check_game(self.name, GAME, batch.rulesets[0])
        options = options_of(batch, rows)
        actions: NDArray[np.int64] = batch.masks[rows].argmax(axis=1)
        undecided = options > 1
        actions[undecided] = self._choose(batch, np.asarray(rows)[undecided])
        return actions

    def values(self, batch: BatchGame, row: int) -> NDArray[np.float64]:
        """What the best turn is worth that begins with each action: float64 (A,).

        -inf where an action is not legal, or if `expectimax` looked at no turn of it.

        Raises:
            GameOverError, VersionError: as `search`.
        """
        check_game(self.name, GAME, batch.rulesets[0])
        rows = np.array([row])
        options_of(batch, rows)
        self._choose(batch, rows)
        found: NDArray[np.float64] = self._desks["value"][0].copy()
        return found

    def _choose(self, batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        chosen = np.empty(rows.size, np.int64)
        where = (batch.records, rows.astype(np.int64), batch.tables, self._wants, self._key)
        desk = (self._copies, self._walks, self._desks, self._work, chosen)
        if self.answered:
            turns.choose_looking_ahead(*where, self.answered, *desk)
        else:
            turns.choose_greedily(*where, *desk)
        return chosen


def make_scripted(name: str, ruleset: Ruleset | None = None, seed: int = 0) -> TurnAgent:
    """The scripted player with a name of NAMES; it plays every ruleset."""
    if name == EXPECTIMAX:
        return TurnAgent(GREEDY, name, seed, TURNS_ANSWERED)
    return TurnAgent(ARCHETYPES[name], name, seed)
