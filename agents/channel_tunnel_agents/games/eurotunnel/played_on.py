"""A phase played again with other answers of one power, and the phases after it, by the Club player in many guesses.

What the others answer in the phase is guessed, because it is unknown when the power writes. In a guess each seat draws its n-th
answer in a phase by one number, regardless of the power's answers: so what two sets of answers bring differs by luck as little as
possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.choosing import draw_actions
from channel_tunnel_agents.table.minds.reviewed import Stretch
from channel_tunnel_env import BatchGame
from channel_tunnel_env.batch import NO_ACTION
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board

GUESSES = 16
_TURNS, _PHASES = 3, 3  # from one fall to the orders of the next; of a turn
_ANSWERS = 64  # of a seat in a phase for which there are different numbers


def play_on(club: PolicyAgent, stretch: Stretch, sets: Sequence[Sequence[int]]) -> NDArray[Any]:
    """The positions that sets of answers of the seat lead to: records (sets, GUESSES).

    A movement phase is played on its own; retreats, builds and removals are played on until the orders of the next fall are read.
    """
    game = stretch.start
    batch = BatchGame.from_games([game] * (len(sets) * GUESSES))
    own = [list(answers) for answers in sets for _ in range(GUESSES)]
    seat, phase, first = game.seat_index(stretch.seat), int(game.states["phase"][0]), _turn(game)
    numbers = np.random.default_rng(0).random((GUESSES, _TURNS, _PHASES, c.NUM_POWERS, _ANSWERS), np.float32)
    answered = np.zeros((batch.num_games, _TURNS, _PHASES, c.NUM_POWERS), np.int64)
    while (live := _going(batch.records, last_turn(game))).size:
        states = batch.records[live]
        asked = (states["turn"] - first, states["phase"], states["to_play"])
        nth = answered[live, *asked]
        log_probs, _ = club.think(batch.observations[live], batch.masks[live])
        drawn = draw_actions(log_probs, numbers[live % GUESSES, *asked, nth % _ANSWERS])
        answered[live, *asked] = nth + 1
        actions = np.full(batch.num_games, NO_ACTION, np.int64)
        actions[live] = drawn
        mine = (asked[0] == 0) & (asked[1] == phase) & (asked[2] == seat)
        for row in live[mine]:
            actions[row] = own[int(row)].pop(0)
        batch.step_unchecked(actions)
    return batch.records.copy().reshape(len(sets), GUESSES)


def last_turn(game: Any) -> int:
    """The turn whose orders are the last that are played: the present one, or the next fall."""
    state = game.states[0]
    if state["phase"] == c.MOVEMENT:
        return _turn(game)
    return _turn(game) + (1 if state["season"] == c.SPRING else 2)


def _turn(game: Any) -> int:
    return int(game.states["turn"][0])


def _going(states: NDArray[Any], last: int) -> NDArray[np.intp]:
    """The rows whose last orders are not read yet."""
    turn, phase = states["turn"], states["phase"]
    ordered = (turn < last) | ((turn == last) & (phase == c.MOVEMENT))
    return np.flatnonzero(ordered & (phase != c.OVER))


def in_hand(states: NDArray[Any], seat: int) -> NDArray[np.int64]:
    """Centres where a unit of the seat stands, and its own that are empty, in each of the records: of their shape."""
    centres = np.array(load_board().centres)
    stands, owner = states["unit_power"][..., centres], states["owner"][..., centres]
    counted: NDArray[np.int64] = ((stands == seat) | ((stands < 0) & (owner == seat))).sum(axis=-1)
    return counted
