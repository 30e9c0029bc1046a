"""Tie-breaking by a hash of the position, so that no two deals share their tie-breaking luck.

Three decisions in ten are between actions of equal score. A preference drawn once per agent would
bias all its games in the same way, and intervals that treat deals as independent would be too
narrow. Here each action draws a lot: a hash (SplitMix64) of the agent's seed, of what the mover
sees and of the action.

Only sections that a ruleset's numbers do not scale are hashed: the same position under other rules
breaks its ties the same way, which keeps tie-breaking noise out of per-deal comparisons of two
rulesets.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.rng import GOLDEN, mix
from channel_tunnel_env.games.tunnel_1987.engine.observation import SECTION_BY_NAME

TIE = np.float32(1e-3)  # a difference of score below any that matters
_SEEN = ("own_discs", "rival_discs", "spaces", "own_route")
_COLUMNS = np.concatenate([np.arange(SECTION_BY_NAME[n].size) + SECTION_BY_NAME[n].start for n in _SEEN])


def choose_best(
    scores: NDArray[np.float32], masks: NDArray[np.bool_], observations: NDArray[np.float32], key: np.uint64
) -> NDArray[np.int64]:
    """The legal action with the highest score in every row, ties broken by lot.

    Args:
        scores: (n, A).
        masks: (n, A), the legal actions.
        observations: (n, D); with the key they determine the lots of their row.
        key: see `keys.key_of`.

    Returns:
        Action ids (n,); each depends only on its own row and the key.
    """
    actions = np.zeros(len(masks), np.int64)
    bits = np.ascontiguousarray(observations, np.float32).view(np.uint32)
    _choose(scores, np.ascontiguousarray(masks), bits, _COLUMNS, key, actions)
    return actions


@kernel
def _choose(scores, masks, seen, columns, key, actions):  # type: ignore[no-untyped-def]
    legal = np.empty(masks.shape[1] + 1, np.int64)
    for i in range(masks.shape[0]):
        tied = _tied(scores[i], masks[i], legal)
        actions[i] = legal[0]
        if tied > 1:
            word, highest = _hash(seen[i], columns, key), np.uint64(0)
            for k in range(tied):
                lot = mix(word + np.uint64(legal[k] + 1) * GOLDEN)
                if lot >= highest:
                    actions[i], highest = legal[k], lot


@compiled
def _tied(scores, mask, found):  # type: ignore[no-untyped-def]
    """Write the legal actions that tie for best to the front of `found`; returns their number."""
    legal = 0
    for action in range(mask.shape[0]):
        found[legal] = action  # branchless: a branch would be mispredicted
        legal += mask[action]
    best = np.float32(-np.inf)
    for k in range(legal):
        best = max(best, scores[found[k]])
    tied = 0
    for k in range(legal):
        if scores[found[k]] >= best - TIE:
            found[tied] = found[k]
            tied += 1
    return tied


@compiled
def _hash(seen, columns, key):  # type: ignore[no-untyped-def]
    """Hash some columns of a row's bits into one word."""
    word = key
    for column in columns:
        word = (word + np.uint64(seen[column])) * GOLDEN
    return mix(word)
