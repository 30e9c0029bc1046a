"""Games that different processes compiled are played in one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sites import EXACT_FOLDER, install

PLAY = """
import sys
import numpy as np
from channel_tunnel_env import BatchGame
rng = np.random.default_rng(1)
for name in sys.argv[1:]:
    batch = BatchGame(16, name, seed=1, autoreset=True)
    for _ in range(200):
        assert batch.masks.any(axis=1).all(), name
        batch.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in batch.masks]))
"""


@pytest.mark.heavy
def test_code_that_two_processes_left_in_the_cache_is_not_confused(tmp_path: Path) -> None:
    """Numba names code by numbers that each process counts from the same start."""
    site, cache = tmp_path / "site", tmp_path / "cache"
    site.mkdir()
    for game in ("kuhn", "liars_dice"):
        install(site, f"exact-{game}", game, f"exact_games.{game}")
    root = Path(__file__).parents[1]
    path = os.pathsep.join(map(str, (site, EXACT_FOLDER, root)))
    env = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(cache)}
    for games in (["kuhn"], ["liars_dice"], ["liars_dice", "kuhn"]):
        subprocess.run([sys.executable, "-c", PLAY, *games], env=env, check=True, timeout=600, cwd=tmp_path)
