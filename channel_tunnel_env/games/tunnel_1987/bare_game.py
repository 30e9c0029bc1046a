"""The core of a game of 1987 Channel Tunnel: legal actions by name, play, observe, score, copy, save.

`game.Game` adds what is built on it: positions, records, text and pictures.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.game import MAX_SEED, Game, check_seed
from channel_tunnel_env.core.machine import machine_of, phases_of
from channel_tunnel_env.games.tunnel_1987.engine.constants import SEATS
from channel_tunnel_env.games.tunnel_1987.engine.state import new_states
from channel_tunnel_env.games.tunnel_1987.spec import SPEC
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset, load_1987_ruleset

__all__ = ["BLANK", "MAX_SEED", "BareGame", "Phase", "check_seed", "seat_index", "tables_of"]

BLANK = new_states(1)
Phase = phases_of(SPEC)


def tables_of(ruleset: Ruleset) -> np.recarray:
    """The ruleset's figures as one read-only record for the kernels."""
    return machine_of(ruleset).tables


def seat_index(side: str | int) -> int:
    """0 for "britain", 1 for "france"; seats 0 and 1 are returned as they are.

    Raises:
        ValueError: `side` is none of these.
    """
    if side in (0, 1):
        return int(side)
    if side in SEATS:
        return SEATS.index(str(side))
    raise ValueError(f"side {side!r}: allowed: britain, france")


class BareGame(Game):
    """A game at its next real decision, or over.

    Args:
        ruleset: a name ("standard", "agenda", "tiny"), a path to YAML, an overlay dict or a Ruleset.
        seed: 0 .. 2**63 - 1; the same seed deals the same decks whatever is played. None: random.

    Raises:
        RulesetError: a wrong ruleset.
        ValueError: a wrong seed.
    """

    __slots__ = ()

    game_name = SPEC.name

    def __init__(self, ruleset: AnyRuleset = "standard", seed: int | None = None) -> None:
        super().__init__(load_1987_ruleset(ruleset), seed)

    @property
    def round(self) -> int:
        """The round, from 1."""
        return int(self._states["round_no"][0])
