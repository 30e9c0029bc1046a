"""Bytes that hold games: of a checkpoint, of a pickle, of a batch that is restored."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from channel_tunnel_env import BatchGame, ChannelTunnelError, Game, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine.state import STATE_DTYPE
from tests.fuzz import play
from tests.fuzz.mutations import Random, any_value, change_bytes, pick


@cache
def _bases() -> list[Game]:
    return [game for game in play.games() if game.ruleset.name in ("standard", "agenda", "tiny")]


@cache
def _batch(ruleset: str, digest: str) -> BatchGame:
    return BatchGame(2, ruleset, seed=0)


def mutate(rng: Random) -> tuple[str, str, Any]:
    """A way in, a ruleset, and what is given."""
    game = pick(rng, _bases())
    way = pick(rng, ("restore", "from_states", "pickle"))
    content = change_state(rng, game)
    if way == "restore":
        whole = game.state.tobytes() + content
        return way, game.ruleset.name, change_bytes(rng, whole) if rng.random() < 0.1 else whole
    if way == "from_states":
        return way, game.ruleset.name, content
    saved = copy.deepcopy(game.__getstate__())
    key = pick(rng, ("states", "start", "actions", "last_seat"))
    if key == "actions":
        actions = [pick(rng, (*range(171), -1, 171, 2**40, "pass", None)) for _ in range(3)]
        saved[key] = saved[key][: int(rng.integers(len(saved[key]) + 1))] + actions
    elif key == "last_seat" or rng.random() < 0.1:
        saved[key] = any_value(rng)
    else:
        saved[key] = content
    return way, game.ruleset.name, saved


def change_state(rng: Random, game: Game) -> bytes:
    """Fields of a game's state set to numbers near or far, or any bytes changed."""
    if rng.random() < 0.2:
        return change_bytes(rng, game.states.tobytes())
    dtype = game.states.dtype
    states = np.frombuffer(bytearray(game.states.tobytes()), dtype)
    for _ in range(min(5, int(rng.geometric(0.5)))):
        values = np.atleast_1d(states[pick(rng, dtype.names)][0:1]).reshape(-1)
        at = int(rng.integers(len(values)))
        if values.dtype.kind == "f":
            values[at] = pick(rng, (-1.0, 0.5, 1.0, np.nan, np.inf, -np.inf, 1e300))
            continue
        limits = np.iinfo(values.dtype)
        near = int(values[at]) + int(pick(rng, (-2, -1, 1, 2)))
        far = pick(rng, (-1, 0, 1, 5, 9, 40, limits.min, limits.max, int(rng.integers(-128, 128))))
        wanted = near if rng.random() < 0.5 else int(far)
        values[at] = min(max(wanted, int(limits.min)), int(limits.max))
    return states.tobytes()


def check(data: tuple[str, str, Any], folder: Path) -> str:
    """Take it in; play on from it if it is accepted."""
    way, ruleset, content = data
    rules = load_ruleset(ruleset)
    try:
        if way == "restore":
            game = play.restored(_batch(ruleset, rules.digest), content)
        elif way == "from_states":
            _whole(content)
            game = Game.from_states(np.frombuffer(content, STATE_DTYPE), rules)
        else:
            game = Game.__new__(Game)
            game.__setstate__(content)
            game.record()
    except ChannelTunnelError:
        return "refused"
    play.check_possible(game, np.random.default_rng(0))
    return "accepted"


def _whole(content: bytes) -> None:
    """What numpy itself would refuse is no input of ours."""
    if len(content) % STATE_DTYPE.itemsize:
        raise ChannelTunnelError("not a whole number of states")


def warm() -> None:
    """Compile all that reading, playing and looking call."""
    game = _bases()[0]
    check(("restore", game.ruleset.name, game.state.tobytes() * 2), Path())
    check(("pickle", game.ruleset.name, game.__getstate__()), Path())
