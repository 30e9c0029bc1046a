"""Bytes that hold states of Carcassonne and Eurotunnel, as a checkpoint or a pickle holds them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from channel_tunnel_env import Ruleset
from tests.fuzz import play
from tests.fuzz.mutations import Random, pick
from tests.fuzz.states import change_state, check


@cache
def _bases() -> list[Any]:
    return play.other_games()


def mutate(rng: Random) -> tuple[str, Ruleset, bytes]:
    """A way in, a ruleset, and the bytes of a state; of a batch, of two."""
    game = pick(rng, _bases())
    content = change_state(rng, game)
    way = pick(rng, ("restore", "from_states"))
    return way, game.ruleset, game.states.tobytes() + content if way == "restore" else content


def warm(folder: Path) -> None:
    """Compile all that reading, playing and looking call."""
    for game in _bases()[:: len(_bases()) // 12]:
        check(("restore", game.ruleset, game.states.tobytes() * 2), folder)
        check(("from_states", game.ruleset, game.states.tobytes()), folder)
