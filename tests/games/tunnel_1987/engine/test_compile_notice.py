"""The word about compiling: where code is compiled, once, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core import event

from channel_tunnel_env.core import jit

ROOT = Path(__file__).parents[4]
SCRIPT = """
import multiprocessing, sys
import numba
from channel_tunnel_env.core.jit import kernel

@kernel
def add(one, other):
    return one + other

@kernel
def double(one):
    return one + one

if __name__ == "__main__":
    numba.njit(lambda one: one + 1)(1)  # not ours
    print("ours now", file=sys.stderr, flush=True)
    add(1, 2), double(1), add(1.0, 2.0)
    child = multiprocessing.get_context("spawn").Process(target=double, args=(1.0,))
    if "child" in sys.argv:
        child.start()
        child.join()
"""


@pytest.mark.heavy
@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_compiling_is_announced_once_and_only_where_it_happens(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)

    def said(cache: str, *words: str) -> list[str]:
        kept = {key: value for key, value in os.environ.items() if key != "PYTEST_CURRENT_TEST"}
        environment = kept | {"NUMBA_CACHE_DIR": str(tmp_path / cache), "PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, script, *words], env=environment, capture_output=True, text=True)
        assert done.returncode == 0
        return done.stderr.splitlines()

    assert said("cold", "child") == ["ours now", jit.LINE]
    assert said("cold") == ["ours now"]  # cached


def at_first_compilation() -> None:
    """As numba calls the listener when a kernel of ours is compiled."""
    jit.announce("a kernel")
    listener = jit._Notice()
    event.register(jit.COMPILE, listener)
    listener.on_start(event.Event(jit.COMPILE, event.EventStatus.START, {"dispatcher": "a kernel"}))


def test_nothing_is_said_where_it_would_harm(monkeypatch, capsys) -> None:
    at_first_compilation()  # under pytest
    assert capsys.readouterr().err == ""
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    with monkeypatch.context() as patch:
        patch.setenv(jit.QUIET, "1")
        at_first_compilation()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", None)
        at_first_compilation()
    assert capsys.readouterr().err == ""
    at_first_compilation()
    assert capsys.readouterr().err == jit.LINE + "\n"
