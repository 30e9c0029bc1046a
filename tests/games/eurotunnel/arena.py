"""Records of the engine for tests: random boards full of conflict, and single games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from channel_tunnel_env.core import kernels as core_kernels
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.engine.observation import OBSERVATION_SIZE
from channel_tunnel_env.games.eurotunnel.engine.state import new_states, new_workspaces
from channel_tunnel_env.games.eurotunnel.engine.tables import make_tables
from channel_tunnel_env.rulesets.ruleset import Ruleset, load_ruleset

from . import kernels as own
from .scattered import scatter_game


def ruleset_with(**switches: Any) -> Ruleset:
    """The standard rules with some keys changed."""
    return load_ruleset({"base": "eurotunnel", **switches})


BOTH_BOOKS = make_tables([ruleset_with(rulebook=book) for book in c.RULEBOOKS])


class Arena:
    """One game at record level; every ruleset has a row of the tables."""

    def __init__(self, *rulesets: Ruleset, seed: int = 1) -> None:
        self.tables = make_tables(rulesets) if rulesets else BOTH_BOOKS
        # The second record is `check_random_play`'s own.
        self.states, self.work, self.blank = new_states(2), new_workspaces(1), new_states(1)
        self.source = np.array([seed], np.uint64)
        self.masks = np.zeros((1, c.NUM_ACTIONS), np.int8)

    @property
    def state(self) -> Any:
        """The record, its fields as attributes."""
        return self.states.view(np.recarray)[0]

    @property
    def values(self) -> list[int]:
        """Decisions of the last solution, by province."""
        return [int(value) for value in self.work["value"][0]]

    def scatter(self, book: int = 0) -> None:
        """A random board with orders."""
        self.states["ruleset"][0] = book
        scatter_game(self.states, 0, self.tables, self.source, self.blank, self.work)

    def solve(self) -> int:
        """Solve with units in random order; returns how many decisions break their equation."""
        return int(own.solve_game(self.states, 0, self.tables, self.source, self.work))

    def legal(self) -> list[int]:
        """Legal ids of the decision asked."""
        count = kernels.list_game(self.states, 0, self.tables, self.work)
        return [int(action) for action in self.work["legal"][0][:count]]

    def orders_of(self, place: int) -> list[int]:
        """Ids that the unit in a province may be given."""
        count = kernels.list_unit(self.states, 0, self.tables, place, self.work)
        return [int(action) for action in self.work["legal"][0][:count]]

    def observe(self, viewer: int) -> Any:
        """What a power sees, float32 (D,)."""
        seen = np.zeros((len(self.states), OBSERVATION_SIZE), np.float32)
        core_kernels.observe_game(self.states, 0, self.tables, viewer, self.work, seen)
        return seen[0]

    def determinize(self, viewer: int, seed: int) -> None:
        """Draw anew what a power cannot know."""
        core_kernels.determinize_game(self.states, 0, self.tables, viewer, seed, self.work)

    def start(self) -> None:
        """A new game, up to its first question."""
        self._run(core_kernels.START, 1)

    def act(self, action: int) -> None:
        """A legal action, and what follows by itself under the rules."""
        legal = self.legal()
        assert action in legal, action
        self.masks[:] = 0
        self.masks[0, legal] = 1
        self._run(core_kernels.PLAY, action)

    def _run(self, command: int, argument: int) -> None:
        core_kernels.run_game(self.states, 0, self.tables, command, argument, self.blank, self.work, self.masks)

    def end_phase(self) -> None:
        """End the phase with what is written."""
        kernels.adjudicate_rows(self.states[:1], self.tables, self.work)


def random_boards(count: int, seed: int = 1) -> Iterator[Arena]:
    """The same arena again and again, with another random board each time, of both rule books in turn."""
    arena = Arena(seed=seed)
    for i in range(count):
        arena.scatter(i % len(c.RULEBOOKS))
        yield arena


def change_secrets(state: Any, viewer: int, source: np.random.Generator) -> None:
    """Other tunnels and permissions that the viewer knows nothing of, and other orders of the others."""
    for owner in set(range(c.NUM_POWERS)) - {viewer}:
        for slot in range(c.MAX_TUNNELS):
            told = int(state.tunnel_told[owner, slot]) >> viewer & 1
            if state.tunnel_state[owner, slot] == c.HIDDEN and not told:
                state.tunnel_state[owner, slot] = source.choice([c.NO_TUNNEL, c.HIDDEN])
                state.tunnel_pair[owner, slot] = source.integers(c.NUM_PAIRS)
            if state.tunnel_state[owner, slot] != c.NO_TUNNEL:
                bits = int(source.integers(128))
                state.tunnel_next[owner, slot] = bits
                seen = 1 << viewer
                permits = int(state.tunnel_permits[owner, slot])
                state.tunnel_permits[owner, slot] = permits & seen | bits & ~seen & 127
        state.quota[owner], state.built[owner] = source.integers(-2, 3), source.integers(5)
    foreign = (state.unit_power >= 0) & (state.unit_power != viewer)
    state.written[foreign] = source.integers(-1, 3000, foreign.sum())
    state.ply = source.integers(1000)
