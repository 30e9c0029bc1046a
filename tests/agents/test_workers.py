"""Worker processes end with whoever started them, and say nothing about it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

PATIENCE = 120.0  # seconds; a hang, not a slow machine
SCRIPT = """
import os, signal, sys, time, types
from pathlib import Path

torch = types.ModuleType("torch")  # a stand-in: to load it takes seconds
torch.set_num_threads = lambda number: None
sys.modules["torch"] = torch

from channel_tunnel_agents.cluster.parallel import WorkerError, spread

def sleep_long(folder):
    Path(folder, str(os.getpid())).touch()
    time.sleep(1000)

def fail(folder):
    time.sleep(1)
    while len(list(Path(folder).iterdir())) < 1:
        time.sleep(0.05)
    raise ValueError("this one fails")

def die(folder):
    os.kill(os.getpid(), signal.SIGKILL)

def work(task):
    kind, folder = task
    return {"sleep": sleep_long, "fail": fail, "die": die}[kind](folder)

if __name__ == "__main__":
    kinds = sys.argv[2:]
    try:
        list(spread(work, [(kind, sys.argv[1]) for kind in kinds], len(kinds)))
    except KeyboardInterrupt:
        sys.exit(130)
    except (ValueError, WorkerError) as error:
        print(error, file=sys.stderr)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def start(script: Path, *kinds: str) -> tuple[subprocess.Popen[bytes], Path]:
    folder = script.parent / "pids"
    folder.mkdir()
    words = [sys.executable, str(script), str(folder), *kinds]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, start_new_session=True)
    return process, folder


def until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.heavy
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_silently_with_their_parent(script: Path, number: signal.Signals) -> None:
    process, folder = start(script, "sleep", "sleep")
    until(lambda: len(list(folder.iterdir())) == 2)
    workers = [int(path.name) for path in folder.iterdir()]
    if number == signal.SIGINT:  # as a terminal does, to all of them
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    _, said = process.communicate(timeout=PATIENCE)  # the workers hold its end as well
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    until(lambda: not any(map(is_alive, workers)))
    assert said == b""


@pytest.mark.heavy
def test_a_task_that_fails_does_not_wait_for_the_others(script: Path) -> None:
    process, folder = start(script, "sleep", "fail")
    _, said = process.communicate(timeout=PATIENCE)
    assert said == b"this one fails\n"
    assert not any(is_alive(int(path.name)) for path in folder.iterdir())


def test_a_worker_that_is_killed_is_an_error_and_not_a_hang(script: Path) -> None:
    process, folder = start(script, "sleep", "die")
    _, said = process.communicate(timeout=PATIENCE)
    assert said.startswith(b"a worker process ended in the middle of its work: was it killed")
    assert said.count(b"\n") == 1
    assert not any(is_alive(int(path.name)) for path in folder.iterdir())
