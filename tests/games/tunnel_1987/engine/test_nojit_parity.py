"""The rules are plain Python: interpreted, compiled and bounds-checked they play the same games."""

from __future__ import annotations

from pathlib import Path

from tests.games.tunnel_1987.elsewhere import Job, digests_elsewhere, run
from tests.random_games import digests


def assert_same(jobs: list[Job], found: list[list[str]]) -> None:
    """Record, observations, mask at every decision; scores, result and a determinized world."""
    for job, theirs in zip(jobs, found, strict=True):
        ours = digests(*job)
        parted = [k for k, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b]
        assert not parted, f"{job}: they part at decision {parted[0]} of {len(ours)}"
        assert len(ours) == len(theirs)
    assert max(map(len, found)) > 60


def test_interpreted_and_compiled_rules_play_the_same_games() -> None:
    """Seed 0 plays eagerly, 1 plays anything legal."""
    jobs: list[Job] = [("tiny", 0, 1000), ("tiny", 1, 1000), ("standard", 0, 1000), ("agenda", 1, 1000)]
    assert_same(jobs, digests_elsewhere(jobs, NUMBA_DISABLE_JIT="1"))


def test_no_index_leaves_its_array(tmp_path: Path) -> None:
    """Compiled with bounds checks, into a cache of its own."""
    jobs: list[Job] = [("tiny", seed, 1000) for seed in range(20)]
    jobs += [("standard", 0, 1000), ("agenda", 0, 1000)]
    found = digests_elsewhere(jobs, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))
    assert list(tmp_path.glob("kernels-*/**/*.nbc"))
    assert_same(jobs, found)


def test_bounds_checks_reach_the_arrays_inside_a_record() -> None:
    """Or the test above would prove nothing."""
    code = """
import numba
from channel_tunnel_env.games.tunnel_1987.engine.state import new_states
@numba.njit
def look(states, i): return states[0].deck[i]
try: print(look(new_states(1), 40))
except IndexError: print("caught")
"""
    assert run(code, NUMBA_BOUNDSCHECK="1") == "caught"
