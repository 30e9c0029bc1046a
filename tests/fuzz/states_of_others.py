"""Bytes that hold states of Carcassonne and Eurotunnel, as a checkpoint or a pickle holds them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from channel_tunnel_env import BatchGame, ChannelTunnelError, Ruleset
from channel_tunnel_env.faces.registry import game_class
from tests.fuzz import play
from tests.fuzz.mutations import Random, pick
from tests.fuzz.states import change_state


@cache
def _bases() -> list[Any]:
    return play.other_games()


@cache
def _batch(ruleset: Ruleset) -> BatchGame:
    return BatchGame(2, ruleset, seed=0)


def mutate(rng: Random) -> tuple[str, Ruleset, bytes]:
    """A way in, a ruleset, and the bytes of a state; of a batch, of two."""
    game = pick(rng, _bases())
    content = change_state(rng, game)
    way = pick(rng, ("restore", "from_states"))
    return way, game.ruleset, game.states.tobytes() + content if way == "restore" else content


def check(data: tuple[str, Ruleset, bytes], folder: Path) -> str:
    """Take it in; play on from it if it is accepted."""
    way, ruleset, content = data
    spec = ruleset.spec
    try:
        if way == "restore":
            game = play.restored(_batch(ruleset), content)
        else:
            if len(content) % spec.record.dtype.itemsize:
                raise ChannelTunnelError("not a whole number of states")  # numpy's to refuse
            states = np.frombuffer(content, spec.record.dtype)
            game = game_class(spec).from_states(states, ruleset)
    except ChannelTunnelError:
        return "refused"
    play.check_goes_on(game, np.random.default_rng(0))
    return "accepted"


def warm() -> None:
    """Compile all that reading, playing and looking call."""
    for game in _bases()[:: len(_bases()) // 12]:
        check(("restore", game.ruleset, game.states.tobytes() * 2), Path())
        check(("from_states", game.ruleset, game.states.tobytes()), Path())
