"""Kernels into which a game of another package is compiled are never older than that package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = {
    "__init__.py": "",
    "engine/__init__.py": "",
    "engine/figure.py": "FIGURE = 1.0\n",
    "engine/rules.py": """
import numpy as np
from channel_tunnel_env.core import verbs
from channel_tunnel_env.core.jit import compiled
from guest.engine.figure import FIGURE

DTYPE = np.dtype([("ruleset", np.int16), ("guests", np.int8)], align=True)

@compiled
def nothing(state, *rest):
    return 0

@compiled
def fill_result(state, rules, rewards, row):
    rewards[row, 0] = FIGURE

verbs.bind(DTYPE, **dict.fromkeys(verbs._VERBS, nothing) | {"fill_result": fill_result})
""",
}
PLAY = """
import numpy as np
from channel_tunnel_env.core import kernels
from guest.engine.rules import DTYPE
rewards = np.zeros((1, 1), np.float32)
kernels.result_game(np.zeros(1, DTYPE), 0, np.zeros(1, np.float64), rewards)
print(rewards[0, 0], sum(kernels.result_game.stats.cache_hits.values()))
"""


def play(folder: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PLAY],
        capture_output=True,
        text=True,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join([str(folder), *sys.path]), "NUMBA_CACHE_DIR": str(folder / "cache")},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split()


@pytest.mark.heavy
def test_a_change_in_any_file_of_a_guest_compiles_its_kernels_anew(tmp_path: Path) -> None:
    for name, text in PACKAGE.items():
        (tmp_path / "guest" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "guest" / name).write_text(text)
    assert play(tmp_path) == ["1.0", "0"]
    assert play(tmp_path) == ["1.0", "1"]
    (tmp_path / "guest" / "engine" / "figure.py").write_text("FIGURE = 2.0\n")
    assert play(tmp_path) == ["2.0", "0"]
    (tmp_path / "guest" / "engine" / "figure.py").write_text("FIGURE = 1.0\n")
    assert play(tmp_path) == ["1.0", "1"]
