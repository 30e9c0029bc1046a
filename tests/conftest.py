"""Lets tests import the helpers beside them, and keeps torch to one thread.

Two threads of torch that wait for each other in turn with another process take many times as long.
"""

import errno
import gc
import io
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from channel_tunnel_env.games import forget_plugins
from channel_tunnel_env.outside import files
from tests.sites import Site

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("OMP_NUM_THREADS", "1")


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that starts tests in the background lets them ignore Ctrl-C, and so all that they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Name the markers."""
    config.addinivalue_line("markers", "ray: needs Ray; .ci/ray runs them in an environment of its own")
    config.addinivalue_line("markers", "heavy: slow by nature; `make heavy` and .ci/run run it")


@pytest.fixture
def disk_full_for(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], AbstractContextManager[None]]:
    """Within `disk_full_for(text)` the disk has no room for files whose path holds the text."""

    @contextmanager
    def full(text: str) -> Iterator[None]:
        write_all = files._write_all

        def write(descriptor: int, content: bytes) -> None:
            if text in str(Path(f"/proc/self/fd/{descriptor}").readlink()):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            write_all(descriptor, content)

        with monkeypatch.context() as patch:
            patch.setattr(files, "_write_all", write)
            yield

    return full


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Plays with some words for a person who types lines, whose end is the end of the file; what is shown."""
    from channel_tunnel_env.cli import main

    def play(lines: Iterable[str], *words: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert main(["play", *words]) == 0
        return capsys.readouterr().out

    return play


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A folder of installed distributions, on the path; nothing is left of its packages after the test."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield Site(tmp_path)
    for name in set(sys.modules) - before:
        if name.startswith("odd_"):
            del sys.modules[name]
    monkeypatch.undo()
    forget_plugins()


@pytest.hookimpl(hookwrapper=True)
def pytest_collection() -> Iterator[None]:
    """Thousands of tests are made and all are kept: to look for garbage among them took a third of the time."""
    gc.disable()
    yield
    gc.enable()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: many tests wait, for a server, a timeout or a killed process."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# Folders, the slowest first.
SLOW = ("agents", "table", "fuzz", "games")

# Files that are slow by nature: interpreted games, disasters, browsers, trained runs.
BROWSERS = (
    "browser carcassonne_browser design_clicks design_drafts design_hands design_page design_round design_search_browser "
    "eurotunnel_browser first_screen_browser friend_browser hands_browser own_games_browser people_browser review_browser turns_browser"
)
HEAVY = {
    *(
        f"agents/{name}.py"
        for name in ("balance/changing/test_sweep", "test_disasters", "test_exploit", "test_training_games")
    ),
    "games/tunnel_1987/engine/test_nojit_parity.py",
    *(f"table/test_{name}.py" for name in BROWSERS.split()),
}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file of which the marks leave no test is not even imported: each worker collects for itself."""
    if not collection_path.match("test_*.py"):
        return None
    whole = collection_path.relative_to(Path(__file__).parent).as_posix() in HEAVY
    if config.option.markexpr == "not heavy":
        return whole or None
    if config.option.markexpr == "heavy":
        some = whole or "mark.heavy" in collection_path.read_text(encoding="utf-8")
        return None if some else True
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow files go first, so that workers end together: a worker takes a file at a time."""

    def rank(item: pytest.Item) -> int:
        folder = item.path.relative_to(Path(__file__).parent).parts[0]
        return SLOW.index(folder) if folder in SLOW else len(SLOW)

    items.sort(key=rank)
    for item in items:
        if item.path.relative_to(Path(__file__).parent).as_posix() in HEAVY:
            item.add_marker("heavy")
