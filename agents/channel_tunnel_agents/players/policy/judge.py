"""What a policy's agent asks for: logits and values of observations, from any backend, and actions from them."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.players.policy.form import PolicyForm
from channel_tunnel_env.core.jit import kernel

Judged = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Logits (n, A) of all actions, legal or not, and values (n,) in the view that the form says, -1 to 1."""


class Judge(Protocol):
    """One network per side."""

    @property
    def form(self) -> PolicyForm:
        """The form of the policies."""

    @property
    def sides(self) -> tuple[str, ...]:
        """Those that it has a network for."""

    def judge(self, observations: NDArray[np.float32]) -> Judged:
        """Judge rows (n, D), each by the network of its mover's side; a ValueError names a side without one."""


def refuse_bytes(observations: NDArray[Any]) -> None:
    """Refuse observations that are held as bytes, which a network would read as numbers.

    Raises:
        ValueError: says what is expected.
    """
    if observations.dtype == np.uint8:
        raise ValueError("observations: uint8; a policy reads float32, such as BatchGame.numbers gives")


def places_of_sides(judge: Judge, observations: NDArray[np.float32]) -> dict[str, NDArray[np.intp]]:
    """Side -> the rows (n, D) in which it is to move, if there are some; a ValueError names one without a network."""
    side_of_rows = judge.form.side_of_rows(observations)
    found = {side: np.flatnonzero(side_of_rows == i) for i, side in enumerate(judge.form.sides)}
    own = {side: places for side, places in found.items() if places.size}
    for side in own:
        if side not in judge.sides:
            raise ValueError(f"no policy for {side}; there is one for {' and '.join(judge.sides)}")
    return own


# --- from logits to actions: the most likely legal one, or one drawn by its probability -----------


def best_actions(logits: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The legal action with the highest logit, the first on ties, of every row (n, A): (n,)."""
    actions = np.empty(len(masks), np.int64)
    _take_best(logits, np.ascontiguousarray(masks), actions)
    return actions


def log_probabilities(logits: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Log-probabilities (n, A) of the legal actions, minus infinity of the others."""
    found = np.empty(logits.shape, np.float32)
    _normalise(logits, np.ascontiguousarray(masks), found)
    return found


def probabilities(log_probs: NDArray[np.float32]) -> NDArray[np.float64]:
    """Probabilities (n, A) of log-probabilities; each row sums to 1, which float32 alone would miss."""
    chances = np.exp(log_probs.astype(np.float64))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))


def draw_actions(log_probs: NDArray[np.float32], uniform: NDArray[np.float32]) -> NDArray[np.int64]:
    """One action per row of log-probabilities (n, A), by inversion of a number (n,) in [0, 1).

    Rows given the same number share their randomness.
    """
    actions = np.empty(len(log_probs), np.int64)
    _draw(log_probs, uniform, actions)
    return actions


@kernel
def _take_best(logits, masks, actions):  # type: ignore[no-untyped-def]
    for i in range(logits.shape[0]):
        best = -1
        for action in range(logits.shape[1]):
            if masks[i, action] and (best < 0 or logits[i, action] > logits[i, best]):
                best = action
        actions[i] = best


@kernel
def _normalise(logits, masks, log_probs):  # type: ignore[no-untyped-def]
    for i in range(logits.shape[0]):
        most = -math.inf
        for action in range(logits.shape[1]):
            if masks[i, action] and logits[i, action] > most:
                most = float(logits[i, action])
        total = 0.0
        for action in range(logits.shape[1]):
            if masks[i, action]:
                total += math.exp(logits[i, action] - most)
        shift = most + math.log(total) if total > 0 else 0.0
        for action in range(logits.shape[1]):
            log_probs[i, action] = logits[i, action] - shift if masks[i, action] else -math.inf


@kernel
def _draw(log_probs, uniform, actions):  # type: ignore[no-untyped-def]
    for i in range(log_probs.shape[0]):
        total = 0.0
        for action in range(log_probs.shape[1]):
            if log_probs[i, action] > -math.inf:
                total += math.exp(log_probs[i, action])
        level, reached = uniform[i] * total, 0.0
        for action in range(log_probs.shape[1]):
            if log_probs[i, action] > -math.inf:
                reached += math.exp(log_probs[i, action])
                actions[i] = action
                if reached > level:
                    break
