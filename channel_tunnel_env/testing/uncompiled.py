"""The same game without compilation: a process of its own plays it, and both traces must agree."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np

from channel_tunnel_env.game import Game

TRACED = 60  # decisions
_ASK = """
import json, sys
from channel_tunnel_env.testing.uncompiled import trace
print(json.dumps(trace(sys.argv[1], int(sys.argv[2]))))
"""


def trace(ruleset: str, seed: int) -> list[str]:
    """The beginning of a random game, as a digest of state, mask and observations at each decision."""
    game, rng = Game(ruleset, seed), np.random.default_rng((seed, 2))
    traced = []
    for _ in range(TRACED):
        digest = hashlib.sha256()
        for name in game.states.dtype.names or ():
            digest.update(game.states[name].tobytes())
        digest.update(game.mask.tobytes())
        for seat in range(len(game.seats)):
            # Compiled arithmetic may fuse two roundings into one.
            digest.update(np.round(game.observation(seat), 4).tobytes())
        digest.update(repr(game.scores()).encode())
        traced.append(digest.hexdigest()[:12])
        if game.is_over:
            break
        game.play(int(rng.choice(game.legal_ids())))
    return traced


def other_uncompiled(ruleset: str, seed: int) -> Iterator[str]:
    """Where a random game goes on otherwise without compilation."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _ASK, ruleset, str(seed)],
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        yield f"{ruleset}: {last[:300]}"
        return
    theirs = json.loads(done.stdout)
    for decision, (ours, other) in enumerate(zip(trace(ruleset, seed), theirs, strict=False)):
        if ours != other:
            yield f"{ruleset}, seed {seed}, decision {decision}: the interpreted rules play otherwise"
            return
