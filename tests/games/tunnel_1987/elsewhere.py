"""Python in a process of its own, under other variables of the environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests import random_games

Job = tuple[str, int, int]  # ruleset, seed, most decisions


def run(code: str, **variables: str) -> str:
    """What a piece of code prints."""
    return _output("-c", code, **variables).strip()


def digests_elsewhere(jobs: list[Job], **variables: str) -> list[list[str]]:
    """The digests of games played in another process."""
    told: list[list[str]] = json.loads(
        _output(random_games.__file__, *(str(x) for job in jobs for x in job), **variables)
    )
    return told


def _output(*words: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        env=os.environ | variables,
        cwd=Path(__file__).parents[3],
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
