"""What a player of one power works on: copies of records without what that power cannot know, and lots.

Nothing in the game is random, so the seed of a game has no other use than to give its players other lots
in every game. A lot is a hash of the player's seed, the game's, the turn, the phase and the power: a power
draws the same ones at all its decisions of a phase, which is how it makes one plan for all its units.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import check_game, options_of
from channel_tunnel_agents.players.scripted import key_of
from channel_tunnel_env import BatchGame
from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.records import new_records
from channel_tunnel_env.core.rng import GOLDEN, mix
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.state import new_states, new_workspaces
from channel_tunnel_env.games.eurotunnel.engine.tunnels import is_permitted, is_standing, knows

GAME = "eurotunnel"


class PowerAgent:
    """A player that chooses for the power asked, decision by decision.

    A row's choice depends only on the seeds of player and game and on what the power asked may know.

    Args:
        seed: seeds its lots; 0 or more.

    Attributes:
        vote: its answer where a draw is voted on.
        desk: type of the record that it works on, if it needs one.
        choose: kernel that writes an action for each of `copies` (n,) to `chosen` (n,). Each waits for an order, a retreat, a
            build or a removal. `copies` and `lots` (n, 1) may be changed.
    """

    name: str
    desk: np.dtype[Any] | None = None
    choose: Callable[..., None]  # of copies, tables, lots, desks, work, chosen
    blind = True  # it reads the records; no observation has to be filled
    quick = True
    vote = c.ID_VOTE_NO

    def __init__(self, seed: int = 0) -> None:
        self._key = key_of(seed)
        self._work = new_workspaces(1)
        self._desks: Any = None if self.desk is None else new_records(1, self.desk)

    def search(self, batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """A legal action for each of the rows (n,): int64 (n,). The batch is not changed.

        Raises:
            GameOverError: the game of a row has ended.
            VersionError: a batch of another game.
        """
        check_game(self.name, GAME, batch.rulesets[0])
        options = options_of(batch, rows)
        masks = batch.masks[rows]
        actions: NDArray[np.int64] = masks.argmax(axis=1)
        undecided = options > 1
        for passive in (c.ID_PERMIT_DONE, self.vote):
            actions[masks[:, passive]] = passive
            undecided &= ~masks[:, passive]
        if undecided.any():
            actions[undecided] = self._decide(batch, np.asarray(rows)[undecided])
        return actions

    def _decide(self, batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        copies, lots = new_states(rows.size), np.empty((rows.size, 1), np.uint64)
        copy_what_is_known(batch.records, rows.astype(np.int64), batch.tables, self._key, copies, lots)
        chosen = np.empty(rows.size, np.int64)
        self.choose(copies, batch.tables, lots, self._desks, self._work, chosen)
        return chosen


@kernel
def copy_what_is_known(states, rows, tables, key, copies, lots):  # type: ignore[no-untyped-def]
    """Copies of the games `rows` as the power asked knows them, and its lot in each."""
    for k in range(rows.shape[0]):
        copies[k] = states[int(rows[k])]
        state = copies[k]
        viewer = int(state.to_play)
        _hide_answers(state, tables[int(state.ruleset)], viewer)
        _hide_tunnels(state, viewer)
        lots[k, 0] = _draw_lot(state, key, viewer)


@compiled
def _hide_answers(state, rules, viewer):  # type: ignore[no-untyped-def]
    """Take out what others answered in the running phase, and who of them is asked for retreats."""
    state.ply = 0  # it counts the answers of all
    state.votes = 0
    for place in range(c.NUM_PROVINCES):
        if state.phase == c.RETREATS:
            own = state.lost_power[place] == viewer
            if not own:
                state.lost_power[place] = c.NOBODY
        else:
            own = state.unit_power[place] == viewer
            builds = state.phase == c.ADJUSTMENTS and state.unit_power[place] < 0
            own = own or (builds and rules.home[place] == viewer)
        if not own:
            state.written[place] = c.NONE
    for power in range(c.NUM_POWERS):
        if power != viewer:
            state.quota[power] = 0


@compiled
def _hide_tunnels(state, viewer):  # type: ignore[no-untyped-def]
    """Take out others' tunnels that the viewer does not know, and permissions of which it was not told."""
    for owner in range(c.NUM_POWERS):
        if owner == viewer:
            continue
        state.built[owner] = 0
        for slot in range(c.MAX_TUNNELS):
            if not (is_standing(state, owner, slot) and knows(state, viewer, owner, slot)):
                state.tunnel_state[owner, slot] = c.NO_TUNNEL
                state.tunnel_pair[owner, slot] = c.NONE
            own = 1 << viewer
            state.tunnel_told[owner, slot] = int(state.tunnel_told[owner, slot]) & own
            # A permission becomes known when its phase ends.
            state.tunnel_permits[owner, slot] = int(state.tunnel_permits[owner, slot]) & int(
                state.tunnel_told[owner, slot]
            )
            state.tunnel_next[owner, slot] = state.tunnel_permits[owner, slot]


@compiled
def _draw_lot(state, key, viewer):  # type: ignore[no-untyped-def]
    word = mix(_stir(key, state.seed))
    return mix(_stir(_stir(_stir(word, state.turn), state.phase), viewer))


@compiled
def _stir(word, number):  # type: ignore[no-untyped-def]
    return (word + np.uint64(int(number) + 1)) * GOLDEN


# --- where units may step: over borders, and armies through the tunnels that their power may use --


MOST_WAYS = c.NUM_POWERS * c.MAX_TUNNELS
MOST_GOALS = c.MAX_NEIGHBOURS + c.MAX_EXITS


@compiled
def list_ways(state, rules, power, ways):  # type: ignore[no-untyped-def]
    """Write the ends of the tunnels that a power may use to int8 (MOST_WAYS, 2); returns how many."""
    count = 0
    for owner in range(c.NUM_POWERS):
        for slot in range(c.MAX_TUNNELS):
            if is_standing(state, owner, slot) and is_permitted(state, owner, slot, power):
                pair = int(state.tunnel_pair[owner, slot])
                ways[count, 0] = rules.pair_end[pair, 0]
                ways[count, 1] = rules.pair_end[pair, 1]
                count += 1
    return count


@compiled
def list_goals(rules, kind, location, ways, num_ways, goals):  # type: ignore[no-untyped-def]
    """Write the locations that a unit can step to; returns how many, and how many of them over borders.

    A province that is both a neighbour and the other end of a tunnel is listed only as a neighbour.
    """
    count = int(rules.steps[kind, location])
    for i in range(count):
        goals[i] = rules.step[kind, location, i]
    beside = count
    if kind == c.ARMY:
        for k in range(num_ways):
            for end in range(2):
                if ways[k, end] == location:
                    goal = int(ways[k, 1 - end])
                    if not _is_listed(goals, count, goal):
                        goals[count] = goal
                        count += 1
    return count, beside


@compiled
def _is_listed(goals, count, goal):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(count):
        found += goals[i] == goal
    return found > 0


@compiled
def write_move(state, rules, place, goal, beside):  # type: ignore[no-untyped-def]
    """Order the unit in a province to a location, over a border or else through a tunnel."""
    if beside:
        state.written[place] = c.FIRST_MOVE + goal
    else:
        state.written[place] = c.FIRST_TUNNEL + int(rules.land[goal])
