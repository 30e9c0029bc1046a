"""Bytes that hold games: of a checkpoint, of a pickle, of a batch that is restored; half of them of 1987."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from channel_tunnel_env import BatchGame, ChannelTunnelError, Ruleset
from channel_tunnel_env.game import game_class
from channel_tunnel_env.games import DEFAULT_GAME
from tests.fuzz import play
from tests.fuzz.mutations import Random, any_value, change_bytes, pick


@cache
def _bases() -> list[Any]:
    return [game for game in play.games() if game.ruleset.name in ("standard", "agenda", "tiny")]


@cache
def _batch(ruleset: Ruleset) -> BatchGame:
    return BatchGame(2, ruleset, seed=0)


def mutate(rng: Random) -> tuple[str, Ruleset, Any]:
    """A way in, a ruleset, and what is given."""
    game = pick(rng, _bases() if rng.random() < 0.5 else play.other_games())
    way = pick(rng, ("restore", "from_states", "pickle")[: 3 if game.ruleset.spec.name == DEFAULT_GAME else 2])
    content = _change_state(rng, game)
    if way == "restore":
        whole = game.state.tobytes() + content
        return way, game.ruleset, change_bytes(rng, whole) if rng.random() < 0.1 else whole
    if way == "from_states":
        return way, game.ruleset, content
    saved = copy.deepcopy(game.__getstate__())
    key = pick(rng, ("states", "start", "actions", "last_seat"))
    if key == "actions":
        actions = [pick(rng, (*range(171), -1, 171, 2**40, "pass", None)) for _ in range(3)]
        saved[key] = saved[key][: int(rng.integers(len(saved[key]) + 1))] + actions
    elif key == "last_seat" or rng.random() < 0.1:
        saved[key] = any_value(rng)
    else:
        saved[key] = content
    return way, game.ruleset, saved


def _change_state(rng: Random, game: Any) -> bytes:
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


def check(data: tuple[str, Ruleset, Any], folder: Path) -> str:
    """Take it in, as a state of any game; play on from it if it is accepted."""
    way, rules, content = data
    kind, dtype = game_class(rules.spec), rules.spec.record.dtype
    try:
        if way == "restore":
            game = play.restored(_batch(rules), content)
        elif way == "from_states":
            if len(content) % dtype.itemsize:
                raise ChannelTunnelError("not a whole number of states")  # numpy's to refuse
            game = kind.from_states(np.frombuffer(content, dtype), rules)
        else:
            game = kind.__new__(kind)
            game.__setstate__(content)
            game.record()
    except ChannelTunnelError:
        return "refused"
    goes_on = play.check_possible if rules.spec.name == DEFAULT_GAME else play.check_goes_on
    goes_on(game, np.random.default_rng(0))
    return "accepted"


def warm(folder: Path) -> None:
    """Compile all that reading, playing and looking call."""
    others = play.other_games()
    for game in (_bases()[0], *others[:: len(others) // 12]):
        check(("restore", game.ruleset, game.state.tobytes() * 2), folder)
        check(("from_states", game.ruleset, game.state.tobytes()), folder)
    check(("pickle", _bases()[0].ruleset, _bases()[0].__getstate__()), folder)
