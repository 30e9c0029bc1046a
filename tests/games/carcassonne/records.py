"""One game at record level: laid out or started, played by ids, read field by field."""

from __future__ import annotations

from typing import Any

import numpy as np

from channel_tunnel_env import Game, Ruleset, load_ruleset
from channel_tunnel_env.core import kernels
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.kernels import check_game, lay_out_game, survey_feature
from channel_tunnel_env.games.carcassonne.engine.state import new_states, new_workspaces
from channel_tunnel_env.games.carcassonne.engine.tables import make_tables
from tests.random_games import play_on

BLANK = new_states(1)


def ruleset_with(**switches: Any) -> Ruleset:
    """The standard rules with some keys changed."""
    return load_ruleset({"base": "carcassonne", **switches})


def played(decisions: int, seed: int = 4, **switches: Any) -> Any:
    """A random game after some decisions, or its end."""
    return play_on(Game({"base": "carcassonne", **switches}, seed), seed, decisions)


class GameRecord:
    """A game that is neither laid out nor started yet."""

    def __init__(self, **switches: Any) -> None:
        self.ruleset = ruleset = ruleset_with(**switches)
        self.rules = ruleset.data
        self.types = self.rules.tile_types()
        self.names = [kind.name for kind in self.types]
        self.tables = make_tables([ruleset])
        self.states, self.work = new_states(1), new_workspaces(1)
        self.masks = np.zeros((1, c.NUM_ACTIONS), np.int8)

    @property
    def state(self) -> Any:
        """The record, its fields as attributes."""
        return self.states.view(np.recarray)[0]

    def lay_out(self) -> None:
        """Followers, tokens and a deck in no particular order; no tile lies."""
        lay_out_game(self.states, 0, self.tables, BLANK, self.work)

    def start(self, seed: int) -> None:
        """A new game at its first decision."""
        self._run(kernels.START, seed)

    def legal(self) -> list[int]:
        """Legal ids; nothing resolves itself."""
        nothing = np.zeros((0, 0), np.float32)
        to_play = np.zeros(1, np.int8)
        kernels.refresh_batch(self.states, self.tables, self.work, self.masks, nothing, to_play)
        return np.flatnonzero(self.masks[0]).tolist()

    def play(self, action: int) -> None:
        """A legal action, and what follows by itself under the rules."""
        assert action in self.legal()
        self._run(kernels.PLAY, action)

    def fault(self) -> int:
        """The first invariant that does not hold; 0 for none."""
        return check_game(self.states, 0, self.tables, self.work)

    def survey(self, node: int) -> dict[str, Any]:
        """Tiles, segments, open ends, shields and men of a node's feature."""
        out = np.zeros(4 + c.MAX_SEATS, np.int64)
        survey_feature(self.states, 0, self.tables, node, self.work, out)
        tiles, segments, open_ends, shields, *men = out.tolist()
        men = men[: self.rules.players]
        return {"tiles": tiles, "segments": segments, "open": open_ends, "shields": shields, "men": men}

    def nodes(self) -> range:
        """The segments of the lying tiles."""
        return range(int(self.state.first_node[int(self.state.tile_count)]))

    def _run(self, command: int, argument: int) -> None:
        kernels.run_game(self.states, 0, self.tables, command, argument, BLANK, self.work, self.masks)
