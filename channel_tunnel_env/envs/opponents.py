"""Opponents that an environment plays inside its step.

An opponent is any callable `(observations float32 (n, D), masks bool (n, 171)) -> actions (n,)`. It is
called for all rows that wait for it at once. It may also have `choose(mask int8 (171,)) -> int`, which the
single environment then uses instead, if it needs no observation. Names stand for factories: "random" is here, a package
of agents adds its own with `register_opponent`.
"""

from __future__ import annotations

import difflib
import random
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.engine.jit import kernel

Opponent = Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[np.integer[Any]]]
_FACTORIES: dict[str, Callable[[int], Opponent]] = {}


def register_opponent(name: str, factory: Callable[[int], Opponent]) -> None:
    """Let `opponent=name` stand for `factory(seed)`."""
    _FACTORIES[name] = factory


def make_opponent(opponent: str | Opponent, seed: int) -> Opponent:
    """The opponent itself, or what its name stands for.

    Raises:
        ValueError: an unknown name; the message gives the known ones.
    """
    if callable(opponent):
        return opponent
    if opponent not in _FACTORIES:
        near = difflib.get_close_matches(str(opponent), _FACTORIES, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(
            f"opponent {opponent!r}: known: {', '.join(sorted(_FACTORIES))}{hint} "
            "(`import agents` registers more; any callable will do)"
        )
    return _FACTORIES[opponent](seed)


class RandomOpponent:
    """Uniform over the legal actions."""

    def __init__(self, seed: int = 0) -> None:
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Start the stream of choices anew."""
        self._rng = np.random.default_rng(seed)
        self._one = random.Random(seed)

    def __call__(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """One action a row."""
        return random_legal(masks, self._rng)

    def choose(self, mask: NDArray[np.int8]) -> int:
        """One action for one game."""
        legal = mask.nonzero()[0]
        return int(legal[int(self._one.random() * len(legal))])


def random_legal(masks: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """A uniformly random legal action for every row of masks (n, A)."""
    chosen = np.empty(len(masks), np.int64)
    _pick(np.ascontiguousarray(masks), rng.random(len(masks)), chosen)
    return chosen


@kernel
def _pick(masks, draws, chosen):  # type: ignore[no-untyped-def]
    """The legal action at the share `draws` (n,) of each row's legal ones."""
    for i in range(masks.shape[0]):
        count = 0
        for action in range(masks.shape[1]):
            count += masks[i, action]
        left = int(draws[i] * count)
        for action in range(masks.shape[1]):
            left -= masks[i, action]
            if left < 0:
                chosen[i] = action
                break


register_opponent("random", RandomOpponent)
